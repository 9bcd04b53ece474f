// An exception, as an object of a reference type:
//
//   HResult     Int32
//   Type        string: the name of its type, as its ToString begins
//   Message     string
//   StackTrace  string, null before it was thrown
//   Source      string or null
//   HelpLink    string or null
//   Argument    string or null: the name of the parameter, object or file
//   Inner       list of exceptions, null without one: what caused it
//   Data        list of "NamedText" (Name string, Text string or null), null without one, in order

using System.Collections;
using System.Globalization;

namespace Store.Serialization.Codecs;

/// <summary>An <see cref="Exception"/> of any type, or null: what it tells. Read as the type it was, where that is one of the framework's that hold no more than that, else as a <see cref="NinoStoredException"/> (docs/types.md, "Exceptions").</summary>
public readonly struct ExceptionCodec : INinoCodec<Exception>
{
    /// <inheritdoc/>
    public static CodecForm Form => CodecForm.Object;

    /// <inheritdoc/>
    public static int MinSize => 1;

    /// <inheritdoc/>
    public static int MinBodySize => 12;

    /// <inheritdoc/>
    public static SchemaNode Describe(SchemaBuilder builder) => builder.Object(typeof(Exception), "System.Exception", isReference: true, static fields =>
    {
        SchemaNode text = SchemaNode.Primitive(SchemaKind.String);
        fields.Add("HResult", 0, SchemaNode.Primitive(SchemaKind.Int32));
        fields.Add("Type", 0, text, isRequired: true);
        fields.Add("Message", 0, text, isRequired: true);
        fields.Add("StackTrace", 0, text);
        fields.Add("Source", 0, text);
        fields.Add("HelpLink", 0, text);
        fields.Add("Argument", 0, text);
        fields.Add("Inner", 0, SchemaNode.List(Describe(fields.Builder)));
        fields.Add("Data", 0, SchemaNode.List(fields.Builder.Shape("NamedText", isReference: false, static pair =>
        {
            pair.Add("Name", 0, SchemaNode.Primitive(SchemaKind.String));
            pair.Add("Text", 0, SchemaNode.Primitive(SchemaKind.String));
        })));
    });

    /// <inheritdoc/>
    public void Write(ref NinoWriter writer, in Exception value)
    {
        Exception? exception = value;
        writer.Take(1) = exception is null ? (byte)0 : (byte)1;
        if (exception is not null) WriteBody(ref writer, in exception);
    }

    /// <inheritdoc/>
    public Exception Read(ref NinoReader reader) => reader.ReadPresence() ? ReadBody(ref reader) : null!;

    /// <inheritdoc/>
    public void WriteBody(ref NinoWriter writer, in Exception value)
    {
        writer.Enter();
        Exception exception = value;
        ExceptionParts parts = ExceptionParts.Of(exception);
        default(Int32Codec).Write(ref writer, parts.HResult);
        default(StringCodec).Write(ref writer, parts.Type);
        default(StringCodec).Write(ref writer, parts.Message);
        default(StringCodec).Write(ref writer, parts.StackTrace!);
        default(StringCodec).Write(ref writer, parts.Source!);
        default(StringCodec).Write(ref writer, parts.HelpLink!);
        default(StringCodec).Write(ref writer, parts.Argument!);
        default(ArrayCodec<Exception, ExceptionCodec>).Write(ref writer, parts.Inner.Length == 0 ? null! : parts.Inner);
        WriteData(ref writer, exception.Data);
        writer.Leave();
    }

    /// <inheritdoc/>
    public Exception ReadBody(ref NinoReader reader)
    {
        reader.Enter();
        int hResult = default(Int32Codec).Read(ref reader);
        string type = default(StringCodec).Read(ref reader) ?? throw Throw.NoTextOfAnException("Type");
        string message = default(StringCodec).Read(ref reader) ?? throw Throw.NoTextOfAnException("Message");
        string? stackTrace = default(StringCodec).Read(ref reader), source = default(StringCodec).Read(ref reader), helpLink = default(StringCodec).Read(ref reader), argument = default(StringCodec).Read(ref reader);
        Exception[]? inner = default(ArrayCodec<Exception, ExceptionCodec>).Read(ref reader);
        if (inner is [] || inner?.Contains(null) == true) Throw.BadCauses();
        Exception exception = new ExceptionParts(type, hResult, message, stackTrace, source, helpLink, argument, inner ?? []).Create();
        ReadData(ref reader, exception);
        reader.Leave();
        return exception;
    }

    private static void WriteData(ref NinoWriter writer, IDictionary? data)
    {
        List<(string Name, string? Text)> texts = [];
        if (data is { Count: > 0 })
        {
            foreach (DictionaryEntry entry in data) texts.Add((TextOf(entry.Key) ?? "", TextOf(entry.Value)));
        }

        // By what was found: whoever else holds the exception may change it meanwhile.
        if (texts.Count == 0)
        {
            writer.WriteCompact(0);
            return;
        }

        var names = new HashSet<string>(texts.Count, StringComparer.Ordinal);
        writer.WriteCompact((uint)texts.Count + 1);
        foreach ((string name, string? text) in texts)
        {
            if (!names.Add(name)) Throw.SameTextOfKeys(name);
            default(StringCodec).Write(ref writer, name);
            default(StringCodec).Write(ref writer, text!);
        }
    }

    private static void ReadData(ref NinoReader reader, Exception exception)
    {
        int count = reader.ReadCount(2);
        if (count == 0) throw Throw.BadData("is an empty list");
        for (int i = 0; i < count; i++)
        {
            string name = default(StringCodec).Read(ref reader) ?? throw Throw.BadData("has a name that is null");
            string? text = default(StringCodec).Read(ref reader);

            // The dictionary of an exception is a list: it compares with all that are there, all chars of each where lengths are equal.
            reader.SpendKeyComparisons(i * (1 + name.Length / 64L));
            if (exception.Data.Contains(name)) throw Throw.BadData("has two entries of one name");
            exception.Data.Add(name, text);
        }
    }

    private static string? TextOf(object? value) => value is IFormattable formattable ? formattable.ToString(null, CultureInfo.InvariantCulture) : value?.ToString();
}
