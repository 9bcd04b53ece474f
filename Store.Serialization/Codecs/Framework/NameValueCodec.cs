// Names with their values, as a list of values of the type "NameValues":
//
//   Name    string, may be null
//   Values  list of string; null for a name without values

using System.Collections.Specialized;

namespace Store.Serialization.Codecs;

/// <summary>A <see cref="NameValueCollection"/> or null, in its own order. Read with the default comparer of that type, which ignores case; a comparer of its own is not kept.</summary>
public readonly struct NameValueCodec : INinoCodec<NameValueCollection>
{
    /// <inheritdoc/>
    public static int MinSize => 1;

    /// <inheritdoc/>
    public static SchemaNode Describe(SchemaBuilder builder) => SchemaNode.List(builder.Shape("NameValues", isReference: false, static fields =>
    {
        fields.Add("Name", 0, SchemaNode.Primitive(SchemaKind.String));
        fields.Add("Values", 0, SchemaNode.List(SchemaNode.Primitive(SchemaKind.String)));
    }));

    /// <inheritdoc/>
    public void Write(ref NinoWriter writer, in NameValueCollection value)
    {
        NameValueCollection? names = value;
        if (names is null)
        {
            writer.WriteCompact(0);
            return;
        }

        var seen = new NameValueCollection(names.Count);
        writer.WriteCompact((uint)names.Count + 1);
        for (int i = 0; i < names.Count; i++)
        {
            string? name = names.GetKey(i);
            seen.Add(name, null);
            if (seen.Count != i + 1) Throw.EqualUnderTheDefaultComparer("names of a NameValueCollection");
            default(StringCodec).Write(ref writer, name!);
            default(ArrayCodec<string, StringCodec>).Write(ref writer, names.GetValues(i)!);
        }
    }

    /// <inheritdoc/>
    public NameValueCollection Read(ref NinoReader reader)
    {
        int count = reader.ReadCount(2);
        if (count < 0) return null!;

        var names = new NameValueCollection(Math.Min(count, HashedRoom.Max(in reader)));
        for (int i = 0; i < count; i++)
        {
            string? name = default(StringCodec).Read(ref reader);
            string[]? values = default(ArrayCodec<string, StringCodec>).Read(ref reader);
            if (values is null) names.Add(name, null);
            else if (values.Length == 0) Throw.NoValues(i);
            else AddAll(ref reader, names, name, values, i);
            if (names.Count != i + 1) Throw.DuplicateKey(i);
        }

        return names;
    }

    // A name that was set to null has that one value; of more than one, only the first can be null.
    private static void AddAll(ref NinoReader reader, NameValueCollection names, string? name, string?[] values, int index)
    {
        // The collection looks the name up for each of its values, all of its chars each time.
        reader.SpendKeyComparisons((values.Length - 1L) * (name?.Length ?? 0));
        for (int v = 0; v < values.Length; v++)
        {
            if (values[v] is { } value) names.Add(name, value);
            else if (v == 0) names.Set(name, null);
            else throw Throw.NullValue(index);
        }
    }
}
