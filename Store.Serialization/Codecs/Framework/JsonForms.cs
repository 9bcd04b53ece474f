// JSON values as their text. Nesting is bounded as records are: JSON deeper than 64 is refused on writing as on reading.

using System.Buffers;
using System.Text;
using System.Text.Json;
using System.Text.Json.Nodes;

namespace Store.Serialization.Codecs;

/// <summary>A <see cref="JsonElement"/> as its text; one that is undefined has none and is refused. What is read does not depend on any document.</summary>
public readonly struct JsonElementText : ITextForm<JsonElement>
{
    /// <inheritdoc/>
    public static bool HasNull => false;

    /// <summary>The JSON null: what is undefined has no text.</summary>
    public static JsonElement Zero { get; } = JsonElement.Parse("null");

    /// <inheritdoc/>
    public static string ToText(JsonElement value)
    {
        if (value.ValueKind == JsonValueKind.Undefined) throw new NinoSerializationException("An undefined JsonElement has no encoding. Use JsonElement? for one that may be missing.");
        string text = value.GetRawText();
        return JsonTexts.IsReadable(text) ? text : throw JsonTexts.NotReadable(text, hasNames: false);
    }

    /// <inheritdoc/>
    public static bool TryParse(string text, out JsonElement value)
    {
        value = default;
        if (JsonTexts.TryParse(text) is not { } document) return false;
        using (document) value = document.RootElement.Clone();
        return value.GetRawText() == text;
    }

    /// <inheritdoc/>
    public static bool IsNormal => true;
}

/// <summary>A <see cref="JsonDocument"/> as its text. Whoever reads one owns and disposes it.</summary>
public readonly struct JsonDocumentText : ITextForm<JsonDocument>
{
    /// <inheritdoc/>
    public static string ToText(JsonDocument value) => JsonElementText.ToText(value.RootElement);

    /// <inheritdoc/>
    public static bool TryParse(string text, out JsonDocument value)
    {
        value = JsonTexts.TryParse(text)!;
        return value is not null;
    }
}

/// <summary>A <see cref="JsonNode"/>, or one of its kinds, as its text without white space; no object in it has two members of one name. A JSON null inside a document stays one; the node that is null is null.</summary>
/// <typeparam name="TNode">JsonNode, JsonObject, JsonArray or JsonValue.</typeparam>
public readonly struct JsonNodeText<TNode> : ITextForm<TNode> where TNode : JsonNode
{
    /// <inheritdoc/>
    public static string ToText(TNode value)
    {
        try
        {
            // What is read must be this: a value that the program made of an object of its own is no JsonValue then, and what a converter writes raw ('+' in a time, in base64) is escaped then.
            string text = Written(value);
            if (!TryParseAny(text, out TNode again))
            {
                if (JsonTexts.IsReadable(text, JsonTexts.Distinct)) throw new NinoSerializationException($"A '{typeof(TNode)}' made of an object of the program's own is a node of another kind when it is read. Declare the member as JsonNode, or store the value itself.");
                throw JsonTexts.NotReadable(text, hasNames: true);
            }

            string kept = Written(again);
            if (kept == text || TryParse(kept, out _)) return kept;
            throw new NinoSerializationException($"A '{typeof(TNode)}' has another text whenever it is read: what its converter writes is not in the form of JSON nodes. Store it as a JsonElement, which keeps its text.");
        }
        // Too deep, or a number that JSON has not.
        catch (Exception e) when (e is InvalidOperationException or ArgumentException)
        {
            throw new NinoSerializationException($"A '{typeof(TNode)}' cannot be written as JSON: {e.Message}", e);
        }
    }

    /// <inheritdoc/>
    public static bool TryParse(string text, out TNode value)
    {
        try
        {
            return TryParseAny(text, out value) && Written(value) == text;
        }
        catch (InvalidOperationException)
        {
            // Half of a surrogate pair, which parses and cannot be written.
            value = null!;
            return false;
        }
    }

    /// <inheritdoc/>
    public static bool IsNormal => true;

    private static string Written(TNode value)
    {
        var output = new ArrayBufferWriter<byte>();
        using (var writer = new Utf8JsonWriter(output)) value.WriteTo(writer);
        return Encoding.UTF8.GetString(output.WrittenSpan);
    }

    // Also of text that would be written otherwise.
    private static bool TryParseAny(string text, out TNode value)
    {
        value = null!;
        try
        {
            value = (JsonNode.Parse(text, documentOptions: JsonTexts.Distinct) as TNode)!;
            return value is not null;
        }
        catch (Exception error) when (error is JsonException or ArgumentException)
        {
            return false;
        }
    }
}

internal static class JsonTexts
{
    /// <summary>A node with two members of one name is made, and throws when it is first looked into.</summary>
    public static readonly JsonDocumentOptions Distinct = new() { AllowDuplicateProperties = false };

    public static JsonDocument? TryParse(string text, JsonDocumentOptions options = default)
    {
        try
        {
            return JsonDocument.Parse(text, options);
        }
        catch (Exception error) when (error is JsonException or ArgumentException)
        {
            return null;
        }
    }

    public static bool IsReadable(string text, JsonDocumentOptions options = default)
    {
        using JsonDocument? document = TryParse(text, options);
        return document is not null;
    }

    /// <summary>Why a text could not be read: what it has that reading does not allow.</summary>
    /// <param name="text">The text.</param>
    /// <param name="hasNames">It is read as a node, which has no two members of one name.</param>
    public static NinoSerializationException NotReadable(string text, bool hasNames)
    {
        // What reads as long as all is allowed, and does not without one of them, has that one.
        var free = new JsonDocumentOptions { MaxDepth = int.MaxValue, CommentHandling = JsonCommentHandling.Skip, AllowTrailingCommas = true };
        List<string> has = [];
        if (!IsReadable(text, free)) has.Add("is no JSON");
        else
        {
            if (!IsReadable(text, free with { MaxDepth = 0 })) has.Add("nests deeper than 64 levels");
            if (!IsReadable(text, free with { CommentHandling = JsonCommentHandling.Disallow })) has.Add("has comments");
            if (!IsReadable(text, free with { AllowTrailingCommas = false })) has.Add("has trailing commas");
            if (hasNames && !IsReadable(text, free with { AllowDuplicateProperties = false })) has.Add("has an object with two members of one name");
        }

        return new($"A JSON value {string.Join(" and ", has)}, which reading refuses. Change it, or store its text as a string.");
    }
}
