// Which codec a polymorphic base has at the root of records: several assemblies may have written one, each with the cases in its reach.

namespace Store.Serialization.Codecs;

/// <summary>The cases that the codec of a base knows itself.</summary>
/// <param name="codec">The codec.</param>
/// <param name="union">Name, form and cases; no fields of theirs.</param>
/// <param name="tags">The types of the cases with their tags.</param>
internal sealed class KnownCases<T>(NinoCodec<T> codec, UnionDefinition union, Dictionary<Type, uint> tags)
{
    public NinoCodec<T> Codec => codec;

    public UnionDefinition Union => union;

    public Dictionary<Type, uint> Tags => tags;

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

/// <summary>What a type has at the root of records: its one codec, or that which several assemblies' make together.</summary>
internal class RootCodec<T>(NinoCodec<T> codec)
{
    public NinoCodec<T> Codec => codec;

    /// <summary>Before the codec is there for anybody to read and write with it.</summary>
    public virtual void Prepare() { }
}

/// <summary>Cases that only several codecs together know.</summary>
internal sealed class MergedRoot<T>(MergedCases<T> cases) : RootCodec<T>(new CodecAdapter<T, MergedUnion<T>>())
{
    public override void Prepare() => MergedCases<T>.Settled = cases;
}

/// <summary>The codecs of a base beside that of its own assembly. Abstract, so that only a base that has such compiles what puts them together: in a program that is compiled ahead of time that was a third of all types.</summary>
internal abstract class WiderCodecs<T>
{
    /// <summary>These and one more.</summary>
    public abstract WiderCodecs<T> With(NinoCodec<T> codec);

    /// <summary>The one that knows all cases.</summary>
    /// <exception cref="InvalidOperationException">They contradict each other.</exception>
    public abstract RootCodec<T> Settle(NinoCodec<T>? owned);
}

/// <inheritdoc/>
internal sealed class RegisteredWider<T>(NinoCodec<T>[] codecs) : WiderCodecs<T>
{
    public override WiderCodecs<T> With(NinoCodec<T> codec) => new RegisteredWider<T>([.. codecs, codec]);

    public override RootCodec<T> Settle(NinoCodec<T>? owned) => WidestCodec.Of(owned is null ? codecs : [.. codecs, owned]);
}

internal static class WidestCodec
{
    /// <summary>
    /// The codec that knows every case that any of them knows: one of them, or all together (<see cref="MergedUnion{T}"/>). So it does not matter in which order assemblies registered them, which
    /// goes by what of them is used first. Only what is registered by then counts: a codec that somebody has, whose schema may be in a file already, does not change.
    /// </summary>
    /// <exception cref="InvalidOperationException">They contradict each other.</exception>
    public static RootCodec<T> Of<T>(IReadOnlyList<NinoCodec<T>> codecs)
    {
        if (codecs.Count == 1) return new RootCodec<T>(codecs[0]);
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
        if (all.Find(one => all.TrueForAll(one.HasAllOf)) is { } widest) return new RootCodec<T>(widest.Codec);
        return new MergedRoot<T>(new MergedCases<T>(all));
    }
}
