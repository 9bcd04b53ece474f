using System.Globalization;

namespace Store.Serialization;

/// <summary>
/// What a type demands of a value beyond the encoding that its schema describes: a set is a list with no two equal elements, a version a string that is one. Who reads with the schema alone
/// need not know; a record that was stored without the rule may be refused by who does. Known of the program's own types and in schema files; no part of a schema's bytes.
/// </summary>
internal readonly record struct SchemaRule
{
    private const string ExactlyWord = "exactly ";

    private SchemaRule(string text, string refusal, int? length = null)
    {
        Text = text;
        Refusal = refusal;
        Length = length;
    }

    /// <summary>A set: of two equal elements one would be lost.</summary>
    public static SchemaRule Distinct { get; } = new("no two equal", "elements that are equal are refused");

    /// <summary>A type without null, of a kind that has one.</summary>
    public static SchemaRule NoNull { get; } = new("never null", "null is refused");

    /// <summary>The rule in a schema file.</summary>
    public string Text { get; }

    /// <summary>What a type with the rule refuses that one without it has stored.</summary>
    public string Refusal { get; }

    /// <summary>How many elements there are always; null where any number may be.</summary>
    public int? Length { get; }

    /// <summary>An inline array.</summary>
    public static SchemaRule Exactly(int length) => new(ExactlyWord + length.ToString(CultureInfo.InvariantCulture), "a list of another length is refused", length);

    /// <summary>What the type, or the codec that somebody wrote for it, takes: only trying tells.</summary>
    public static SchemaRule As(Type type) => As(SchemaNames.Of(type));

    /// <summary>The rule of a text in a schema file; null where the text is none, or none for such a value.</summary>
    public static SchemaRule? Parse(string text, SchemaNode node)
    {
        SchemaRule? rule =
            text == Distinct.Text ? Distinct
            : text == NoNull.Text ? NoNull
            : text.StartsWith(SchemaFileWords.As, StringComparison.Ordinal) && text.Length > SchemaFileWords.As.Length ? As(text[SchemaFileWords.As.Length..])
            : text.StartsWith(ExactlyWord, StringComparison.Ordinal) && int.TryParse(text.AsSpan(ExactlyWord.Length), NumberStyles.None, CultureInfo.InvariantCulture, out int length) ? Exactly(length)
            : null;
        bool fits = node.Definition is null && node.Kind != SchemaKind.Nullable && (node.Kind == SchemaKind.List || text.StartsWith(SchemaFileWords.As, StringComparison.Ordinal));
        return fits && rule?.Text == text ? rule : null;
    }

    private static SchemaRule As(string type) => new(SchemaFileWords.As + type, $"what '{type}' does not take is refused");
}
