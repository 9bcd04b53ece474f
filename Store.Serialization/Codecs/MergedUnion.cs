// The codec of a polymorphic base of which several assemblies know cases and none knows all: put together at run time, each case written and read by the codec that knows it.

namespace Store.Serialization.Codecs;

/// <summary>A base with the cases of several codecs. Those are made when the first value of the base is written or read, and never change then.</summary>
/// <typeparam name="T">The base.</typeparam>
internal readonly struct MergedUnion<T> : INinoCodec<T>
{
    public static int MinSize => Merged.Union.MinSize;

    public static bool CanReadInto => Merged.CanReadInto;

    private static MergedCases<T> Merged => MergedCases<T>.Settled!;

    public static SchemaNode Describe(SchemaBuilder builder) => Merged.Describe(builder);

    public void Write(ref NinoWriter writer, in T value)
    {
        MergedCases<T> merged = Merged;
        (value is null ? merged.Any : merged.Of(value.GetType())).Write(ref writer, in value);
    }

    public T Read(ref NinoReader reader)
    {
        MergedCases<T> merged = Merged;
        NinoReader ahead = reader;
        if (merged.Union.KeepsReferences)
        {
            uint reference = ahead.ReadCompact();
            if (reference != 1)
            {
                reader = ahead;
                return merged.Resolve(ref reader, reference);
            }
        }

        return merged.Of(NinoGenerated.ReadTag(ref ahead)).Read(ref reader);
    }

    public void ReadInto(ref NinoReader reader, ref T value)
    {
        NinoReader ahead = reader;
        NinoCodec<T> codec = Merged.Of(NinoGenerated.ReadTag(ref ahead));
        if (codec.CanReadInto) codec.ReadInto(ref reader, ref value);
        else value = codec.Read(ref reader);
    }
}

/// <summary>Which codec knows which case of a base. Immutable.</summary>
internal sealed class MergedCases<T>
{
    private static MergedCases<T>? _settled;

    private readonly List<NinoCodec<T>> _codecs = [];
    private readonly Dictionary<Type, NinoCodec<T>> _byType = [];
    private readonly Dictionary<uint, (NinoCodec<T> Codec, Type Type)> _byTag = new(SeededHash.Instance);

    /// <summary>Puts the cases of codecs together.</summary>
    /// <exception cref="InvalidOperationException">Two of them contradict each other.</exception>
    public MergedCases(IReadOnlyList<KnownCases<T>> all)
    {
        KnownCases<T> first = all[0];
        Union = first.Union;
        // Tags that a base gives itself are those of all its assemblies, so cases of their own differ only where it was another base.
        if (all.Skip(1).FirstOrDefault(known => Union.HasExplicitTags || Union.Name != known.Union.Name || Union.Form != known.Union.Form) is { } differing)
            throw Namesakes.Contradiction($"'{first.Codec.Origin}' and '{differing.Codec.Origin}' know different cases of '{Union.Name}' and were compiled with different versions of it, or register it with different options: compile both again, with the same ones.");
        foreach (KnownCases<T> known in all)
        {
            _codecs.Add(known.Codec);
            foreach ((Type type, uint tag) in known.Tags)
            {
                if (_byTag.TryGetValue(tag, out (NinoCodec<T> Codec, Type Type) other) && other.Type != type)
                    throw Namesakes.Contradiction(other.Type.FullName == type.FullName
                        ? $"The base '{Union.Name}' has two cases of the tag {Union.Describe(tag)}, which are two types named '{type}', {Namesakes.Both(other.Type, type)}. {Namesakes.Advice(other.Type, type)}"
                        : $"'{other.Codec.Origin}' and '{known.Codec.Origin}' each know a case of '{Union.Name}' with the tag {Union.Describe(tag)}, '{other.Type}' and '{type}' of '{type.Assembly.GetName().Name}': give one of them another name with [NinoType(Name = ...)].");
                _byTag.TryAdd(tag, (known.Codec, type));
                _byType.TryAdd(type, known.Codec);
            }
        }

        Union = (UnionDefinition)Describe(SchemaBuilder.ForCases()).Definition!;
        // Where references are kept none of them can.
        CanReadInto = _codecs.Exists(static codec => codec.CanReadInto);
    }

    /// <summary>Those that are used. Set before the codec is handed out, by every thread that finds it to the same ones.</summary>
    public static MergedCases<T>? Settled
    {
        get => Volatile.Read(ref _settled);
        set => Volatile.Write(ref _settled, value);
    }

    /// <summary>Name and form of the base, and all cases; no fields of theirs.</summary>
    public UnionDefinition Union { get; }

    public bool CanReadInto { get; }

    public NinoCodec<T> Any => _codecs[0];

    public SchemaNode Describe(SchemaBuilder builder)
    {
        SchemaNode node = _codecs[0].Describe(builder);
        foreach (NinoCodec<T> codec in _codecs.Skip(1)) codec.Describe(builder);
        return node;
    }

    public NinoCodec<T> Of(Type type)
    {
        if (!_byType.TryGetValue(type, out NinoCodec<T>? codec)) NinoGenerated.ThrowUnknownCase(type, typeof(T), Union.KnownCases());
        return codec;
    }

    public NinoCodec<T> Of(uint tag)
    {
        if (_byTag.TryGetValue(tag, out (NinoCodec<T> Codec, Type Type) known)) return known.Codec;
        // Null, or a case that nobody knows and any of them moves over.
        if (tag != 0 && !Union.SkipsUnknown) Throw.UnknownTag(Union.Name, Union.Describe(tag), Union.KnownCases());
        return Any;
    }

    public T Resolve(ref NinoReader reader, uint reference)
    {
        if (reference == 0) return default!;
        object value = reader.Resolve(reference);
        if (!_byType.ContainsKey(value.GetType())) Throw.ReferenceOfAnotherType(value.GetType().ToString(), typeof(T).ToString());
        return (T)value;
    }
}
