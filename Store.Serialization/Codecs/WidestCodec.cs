// Which codec a polymorphic base has at the root of records: several assemblies may have written one, each with the cases in its reach.

namespace Store.Serialization.Codecs;

/// <summary>The cases that the codec of a base knows itself.</summary>
/// <param name="Codec">The codec.</param>
/// <param name="Union">Name, form and cases; no fields of theirs.</param>
/// <param name="Tags">The types of the cases with their tags.</param>
internal sealed record KnownCases<T>(NinoCodec<T> Codec, UnionDefinition Union, IReadOnlyDictionary<Type, uint> Tags)
{
    /// <summary>Asks a codec; null where it is none of a base, but of objects of the type alone, or of what somebody writes by hand.</summary>
    public static KnownCases<T>? Of(NinoCodec<T> codec, out bool isByHand)
    {
        SchemaBuilder builder = SchemaBuilder.ForCases();
        SchemaDefinition? definition = codec.Describe(builder).Definition;
        isByHand = definition is not (UnionDefinition or ObjectDefinition);
        if (definition is not UnionDefinition union) return null;
        Dictionary<SchemaDefinition, Type> types = builder.Types();
        return new KnownCases<T>(codec, union, union.Cases.ToDictionary(one => types[one.Node.Definition!], static one => one.Tag));
    }

    public bool HasAllOf(KnownCases<T> other) => other.Tags.Keys.All(Tags.ContainsKey);
}

/// <summary>What a type has at the root of records.</summary>
/// <param name="Codec">The codec.</param>
/// <param name="Cases">Where it is a <see cref="MergedUnion{T}"/>: its cases.</param>
internal sealed record RootCodec<T>(NinoCodec<T> Codec, MergedCases<T>? Cases);

internal static class WidestCodec
{
    /// <summary>
    /// The codec that knows every case that any of them knows: one of them, or all together (<see cref="MergedUnion{T}"/>). So it does not matter in which order assemblies registered them, which
    /// goes by what of them is used first. Only what is registered by then counts: a codec that somebody has, whose schema may be in a file already, does not change.
    /// </summary>
    /// <exception cref="InvalidOperationException">They contradict each other.</exception>
    public static RootCodec<T> Of<T>(IReadOnlyList<NinoCodec<T>> codecs)
    {
        if (codecs.Count == 1) return new RootCodec<T>(codecs[0], null);
        List<KnownCases<T>> all = [];
        NinoCodec<T>? byHand = null;
        foreach (NinoCodec<T> codec in codecs)
        {
            if (KnownCases<T>.Of(codec, out bool isByHand) is { } known) all.Add(known);
            else if (isByHand) byHand = codec;
        }

        // Bytes of the one are none of the others.
        if (byHand is not null)
            throw Namesakes.Contradiction($"'{byHand.Origin}' has a codec of its own for '{typeof(T)}', and '{codecs.First(codec => codec != byHand).Origin}' another one: records would go by which of them is used first. Register the type with one codec in all assemblies.");
        if (all.Find(one => all.TrueForAll(one.HasAllOf)) is { } widest) return new RootCodec<T>(widest.Codec, null);
        return new RootCodec<T>(new CodecAdapter<T, MergedUnion<T>>(), new MergedCases<T>(all));
    }
}
