// Groups of a lookup, as objects of a reference type named like "Grouping<Int32, String>":
//
//   Key       the key; may be null
//   Elements  list, not null
//
// A lookup is a list of them.

using System.Collections;

namespace Store.Serialization.Codecs;

/// <summary>An <see cref="IGrouping{TKey, TElement}"/> or null.</summary>
/// <typeparam name="TKey">The key.</typeparam>
/// <typeparam name="T">The element.</typeparam>
/// <typeparam name="TKeyCodec">Codec of the key.</typeparam>
/// <typeparam name="TCodec">Codec of the element.</typeparam>
public readonly struct GroupingCodec<TKey, T, TKeyCodec, TCodec> : INinoCodec<IGrouping<TKey, T>>
    where TKeyCodec : struct, INinoCodec<TKey>
    where TCodec : struct, INinoCodec<T>
{
    private static bool IsNesting => Nesting<IGrouping<TKey, T>, GroupingCodec<TKey, T, TKeyCodec, TCodec>>.Counts;

    /// <inheritdoc/>
    public static CodecForm Form => CodecForm.Object;

    /// <inheritdoc/>
    public static int MinSize => 1;

    /// <inheritdoc/>
    public static int MinBodySize => TKeyCodec.MinSize + 1;

    /// <inheritdoc/>
    public static SchemaNode Describe(SchemaBuilder builder)
    {
        SchemaNode key = TKeyCodec.Describe(builder), element = TCodec.Describe(builder);
        return builder.Shape(NinoSchema.NamesOf(key, element).Select(static names => $"Grouping<{names}>"), isReference: true, fields =>
        {
            fields.Add("Key", 0, key);
            fields.Add("Elements", 0, SchemaNode.List(element));
        });
    }

    /// <inheritdoc/>
    public void Write(ref NinoWriter writer, in IGrouping<TKey, T> value)
    {
        if (value is null)
        {
            writer.Take(1) = 0;
            return;
        }

        writer.Take(1) = 1;
        WriteBody(ref writer, in value);
    }

    /// <inheritdoc/>
    public IGrouping<TKey, T> Read(ref NinoReader reader) => reader.ReadPresence() ? ReadBody(ref reader) : null!;

    /// <inheritdoc/>
    public void WriteBody(ref NinoWriter writer, in IGrouping<TKey, T> value)
    {
        bool isNesting = IsNesting;
        if (isNesting) writer.Enter();
        TKey key = value.Key;
        default(TKeyCodec).Write(ref writer, in key);
        ElementsCodec<T, TCodec>.Write(ref writer, Enumerated.Of<T, TCodec>(value, in writer));
        if (isNesting) writer.Leave();
    }

    /// <inheritdoc/>
    public IGrouping<TKey, T> ReadBody(ref NinoReader reader)
    {
        bool isNesting = IsNesting;
        if (isNesting) reader.Enter();
        TKey key = default(TKeyCodec).Read(ref reader);
        T[]? elements = ElementsCodec<T, TCodec>.ReadArray(ref reader);
        if (elements is null) Throw.NullOf(typeof(IGrouping<TKey, T>));
        if (isNesting) reader.Leave();
        return new Grouping<TKey, T>(key, elements);
    }
}

/// <summary>An <see cref="ILookup{TKey, TElement}"/> or null, in its own order. A comparer of its own is not kept: keys that are equal under the default one are refused.</summary>
/// <typeparam name="TKey">The key.</typeparam>
/// <typeparam name="T">The element.</typeparam>
/// <typeparam name="TKeyCodec">Codec of the key.</typeparam>
/// <typeparam name="TCodec">Codec of the element.</typeparam>
public readonly struct LookupCodec<TKey, T, TKeyCodec, TCodec> : INinoCodec<ILookup<TKey, T>>
    where TKeyCodec : struct, INinoCodec<TKey>
    where TCodec : struct, INinoCodec<T>
{
    /// <inheritdoc/>
    public static int MinSize => 1;

    /// <inheritdoc/>
    public static SchemaNode Describe(SchemaBuilder builder) => ElementsCodec<IGrouping<TKey, T>, GroupingCodec<TKey, T, TKeyCodec, TCodec>>.DescribeDistinct(builder);

    /// <inheritdoc/>
    public void Write(ref NinoWriter writer, in ILookup<TKey, T> value)
    {
        if (value is null)
        {
            writer.WriteCompact(0);
            return;
        }

        IGrouping<TKey, T>[] groups = Enumerated.Of<IGrouping<TKey, T>, GroupingCodec<TKey, T, TKeyCodec, TCodec>>(value, in writer);
        KnownComparers.CheckDistinct(groups.Select(static group => group.Key), groups.Length, "keys of a lookup");
        ElementsCodec<IGrouping<TKey, T>, GroupingCodec<TKey, T, TKeyCodec, TCodec>>.Write(ref writer, groups);
    }

    /// <inheritdoc/>
    public ILookup<TKey, T> Read(ref NinoReader reader)
    {
        IGrouping<TKey, T>[]? groups = ElementsCodec<IGrouping<TKey, T>, GroupingCodec<TKey, T, TKeyCodec, TCodec>>.ReadArray(ref reader);
        return groups is null ? null! : new Lookup<TKey, T>(ref reader, groups);
    }
}

/// <summary>What reading a group gives.</summary>
internal sealed class Grouping<TKey, T>(TKey key, T[] elements) : IGrouping<TKey, T>
{
    public TKey Key => key;

    public IEnumerator<T> GetEnumerator() => ((IEnumerable<T>)elements).GetEnumerator();

    IEnumerator IEnumerable.GetEnumerator() => GetEnumerator();
}

/// <summary>What reading a lookup gives: groups in the order of the record, found by key; without elements for any other key.</summary>
internal sealed class Lookup<TKey, T> : ILookup<TKey, T>
{
    private readonly IGrouping<TKey, T>[] _groups;

    // A key may be null, which no dictionary takes: ValueTuple makes a key of it.
    private readonly Dictionary<ValueTuple<TKey>, int> _index;

    /// <param name="reader">Counts comparisons.</param>
    /// <param name="groups">Owned from here on.</param>
    public Lookup(ref NinoReader reader, IGrouping<TKey, T>[] groups)
    {
        _groups = groups;
        _index = new Dictionary<ValueTuple<TKey>, int>(groups.Length);
        if (KeyChains.AreCounted<TKey>(groups.Length)) KeyAudit.Check<IGrouping<TKey, T>, ValueTuple<TKey>, KeyOfGroup>(ref reader, groups, _index.Capacity, comparer: null);
        for (int i = 0; i < groups.Length; i++)
        {
            if (groups[i] is null) Throw.NullOf(typeof(IGrouping<TKey, T>));
            if (!_index.TryAdd(new ValueTuple<TKey>(groups[i].Key), i)) Throw.DuplicateKey(i);
        }
    }

    private readonly struct KeyOfGroup : IKeyOf<IGrouping<TKey, T>, ValueTuple<TKey>>
    {
        public static ValueTuple<TKey> Of(IGrouping<TKey, T> group) => new(group is null ? default! : group.Key);
    }

    public int Count => _groups.Length;

    public IEnumerable<T> this[TKey key] => _index.TryGetValue(new ValueTuple<TKey>(key), out int index) ? _groups[index] : [];

    public bool Contains(TKey key) => _index.ContainsKey(new ValueTuple<TKey>(key));

    public IEnumerator<IGrouping<TKey, T>> GetEnumerator() => ((IEnumerable<IGrouping<TKey, T>>)_groups).GetEnumerator();

    IEnumerator IEnumerable.GetEnumerator() => GetEnumerator();
}
