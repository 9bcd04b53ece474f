// Sets other than HashSet<T>: a list with no two equal elements, and the mark of a comparer that is kept (see KnownComparer).

using System.Collections.Frozen;
using System.Collections.Immutable;
using System.Collections.ObjectModel;

namespace Store.Serialization.Codecs;

/// <summary>How a set is made, and which comparer it has.</summary>
/// <typeparam name="TSet">The set.</typeparam>
/// <typeparam name="T">The element.</typeparam>
internal interface ISetForm<TSet, T> where TSet : class, IEnumerable<T>
{
    /// <summary>The elements; null where anything may be behind an interface: it is enumerated as long as the record has room.</summary>
    static virtual T[]? ElementsOf(TSet value) => value.ToArray();

    /// <exception cref="NinoSerializationException">The set could not be read again.</exception>
    static abstract KnownComparer ComparerOf(TSet value, T[] elements);

    static abstract TSet Create(ref NinoReader reader, T[] elements, KnownComparer comparer, out int count);
}

/// <summary>What the public codecs of sets share.</summary>
internal static class SetCodec<TSet, T, TCodec, TForm>
    where TSet : class, IEnumerable<T>
    where TCodec : struct, INinoCodec<T>
    where TForm : struct, ISetForm<TSet, T>
{
    public static void Write(ref NinoWriter writer, TSet? value)
    {
        if (value is null)
        {
            writer.WriteCompact(0);
            return;
        }

        T[] elements = TForm.ElementsOf(value) ?? Enumerated.Of<T, TCodec>(value, in writer);
        writer.WriteComparer(TForm.ComparerOf(value, elements));
        ElementsCodec<T, TCodec>.Write(ref writer, new ReadOnlySpan<T>(elements));
    }

    public static TSet Read(ref NinoReader reader)
    {
        T[]? elements = ElementsCodec<T, TCodec>.ReadArray(ref reader, out KnownComparer comparer);
        if (elements is null) return null!;
        TSet set = TForm.Create(ref reader, elements, comparer, out int count);
        if (count != elements.Length) Throw.EqualElements(elements.Length - count);
        return set;
    }
}

/// <summary>
/// A set behind an interface, <see cref="ISet{T}"/> or <see cref="IReadOnlySet{T}"/>, read as a <see cref="HashSet{T}"/>; or a <see cref="ReadOnlySet{T}"/>
/// over one. The comparers of hash, sorted, frozen and immutable sets are kept where they have a mark.
/// </summary>
/// <typeparam name="TSet">The interface or view.</typeparam>
/// <typeparam name="T">The element.</typeparam>
/// <typeparam name="TCodec">Its codec.</typeparam>
public readonly struct SetInterfaceCodec<TSet, T, TCodec> : INinoCodec<TSet>, ISetForm<TSet, T>, ICountedElements<T>
    where TSet : class, IEnumerable<T>
    where TCodec : struct, INinoCodec<T>
{
    /// <inheritdoc/>
    public static int MinSize => 1;

    /// <inheritdoc/>
    public static SchemaNode Describe(SchemaBuilder builder) => ElementsCodec<T, TCodec>.DescribeDistinct(builder);

    /// <inheritdoc/>
    public void Write(ref NinoWriter writer, in TSet value) => SetCodec<TSet, T, TCodec, SetInterfaceCodec<TSet, T, TCodec>>.Write(ref writer, value);

    /// <inheritdoc/>
    public TSet Read(ref NinoReader reader) => SetCodec<TSet, T, TCodec, SetInterfaceCodec<TSet, T, TCodec>>.Read(ref reader);

    static T[]? ISetForm<TSet, T>.ElementsOf(TSet value) => null;

    static KnownComparer ISetForm<TSet, T>.ComparerOf(TSet value, T[] elements)
    {
        KnownComparer known = KnownComparer.Default;
        bool isKnown = value switch
        {
            HashSet<T> set => KnownComparers.TryFind(set.Comparer, out known),
            FrozenSet<T> set => KnownComparers.TryFind(set.Comparer, out known),
            ImmutableHashSet<T> set => KnownComparers.TryFind(set.KeyComparer, out known),
            SortedSet<T> set => KnownComparers.TryFind(set.Comparer, out known) && known != KnownComparer.Default,
            ImmutableSortedSet<T> set => KnownComparers.TryFind(set.KeyComparer, out known) && known != KnownComparer.Default,
            _ => false,
        };
        if (!isKnown) KnownComparers.CheckDistinct(elements, elements.Length, "elements of a set");
        return known;
    }

    static TSet ISetForm<TSet, T>.Create(ref NinoReader reader, T[] elements, KnownComparer comparer, out int count)
    {
        HashSet<T> set = Hashed.Create(ref reader, elements, comparer);
        count = set.Count;
        return typeof(TSet) == typeof(ReadOnlySet<T>) ? (TSet)(object)new ReadOnlySet<T>(set) : (TSet)(object)set;
    }
}

/// <summary>A <see cref="SortedSet{T}"/>. Its comparer is the default one or has a mark.</summary>
/// <typeparam name="T">The element.</typeparam>
/// <typeparam name="TCodec">Its codec.</typeparam>
public readonly struct SortedSetCodec<T, TCodec> : INinoCodec<SortedSet<T>>, ISetForm<SortedSet<T>, T> where TCodec : struct, INinoCodec<T>
{
    /// <inheritdoc/>
    public static int MinSize => 1;

    /// <inheritdoc/>
    public static SchemaNode Describe(SchemaBuilder builder) => ElementsCodec<T, TCodec>.DescribeDistinct(builder);

    /// <inheritdoc/>
    public void Write(ref NinoWriter writer, in SortedSet<T> value) => SetCodec<SortedSet<T>, T, TCodec, SortedSetCodec<T, TCodec>>.Write(ref writer, value);

    /// <inheritdoc/>
    public SortedSet<T> Read(ref NinoReader reader) => SetCodec<SortedSet<T>, T, TCodec, SortedSetCodec<T, TCodec>>.Read(ref reader);

    static KnownComparer ISetForm<SortedSet<T>, T>.ComparerOf(SortedSet<T> value, T[] elements) => KnownComparers.OfOrdered(value.Comparer);

    static SortedSet<T> ISetForm<SortedSet<T>, T>.Create(ref NinoReader reader, T[] elements, KnownComparer comparer, out int count)
    {
        var set = new SortedSet<T>(elements, KnownComparers.Order<T>(comparer));
        count = set.Count;
        return set;
    }
}

/// <summary>A <see cref="FrozenSet{T}"/>.</summary>
/// <typeparam name="T">The element.</typeparam>
/// <typeparam name="TCodec">Its codec.</typeparam>
public readonly struct FrozenSetCodec<T, TCodec> : INinoCodec<FrozenSet<T>>, ISetForm<FrozenSet<T>, T> where TCodec : struct, INinoCodec<T>
{
    /// <inheritdoc/>
    public static int MinSize => 1;

    /// <inheritdoc/>
    public static SchemaNode Describe(SchemaBuilder builder) => ElementsCodec<T, TCodec>.DescribeDistinct(builder);

    /// <inheritdoc/>
    public void Write(ref NinoWriter writer, in FrozenSet<T> value) => SetCodec<FrozenSet<T>, T, TCodec, FrozenSetCodec<T, TCodec>>.Write(ref writer, value);

    /// <inheritdoc/>
    public FrozenSet<T> Read(ref NinoReader reader) => SetCodec<FrozenSet<T>, T, TCodec, FrozenSetCodec<T, TCodec>>.Read(ref reader);

    static KnownComparer ISetForm<FrozenSet<T>, T>.ComparerOf(FrozenSet<T> value, T[] elements) => KnownComparers.OfHashed(value.Comparer, elements, elements.Length, "elements of a set");

    static FrozenSet<T> ISetForm<FrozenSet<T>, T>.Create(ref NinoReader reader, T[] elements, KnownComparer comparer, out int count)
    {
        FrozenSet<T> set = Hashed.Create(ref reader, elements, comparer).ToFrozenSet(KnownComparers.Equality<T>(comparer));
        count = set.Count;
        return set;
    }
}

/// <summary>An <see cref="ImmutableHashSet{T}"/>, or an <see cref="IImmutableSet{T}"/> read as one.</summary>
/// <typeparam name="TSet">One of both.</typeparam>
/// <typeparam name="T">The element.</typeparam>
/// <typeparam name="TCodec">Its codec.</typeparam>
public readonly struct ImmutableHashSetCodec<TSet, T, TCodec> : INinoCodec<TSet>, ISetForm<TSet, T>
    where TSet : class, IImmutableSet<T>
    where TCodec : struct, INinoCodec<T>
{
    /// <inheritdoc/>
    public static int MinSize => 1;

    /// <inheritdoc/>
    public static SchemaNode Describe(SchemaBuilder builder) => ElementsCodec<T, TCodec>.DescribeDistinct(builder);

    /// <inheritdoc/>
    public void Write(ref NinoWriter writer, in TSet value) => SetCodec<TSet, T, TCodec, ImmutableHashSetCodec<TSet, T, TCodec>>.Write(ref writer, value);

    /// <inheritdoc/>
    public TSet Read(ref NinoReader reader) => SetCodec<TSet, T, TCodec, ImmutableHashSetCodec<TSet, T, TCodec>>.Read(ref reader);

    static T[]? ISetForm<TSet, T>.ElementsOf(TSet value) => value is ImmutableHashSet<T> or ImmutableSortedSet<T> ? value.ToArray() : null;

    static KnownComparer ISetForm<TSet, T>.ComparerOf(TSet value, T[] elements)
    {
        if (value is ImmutableHashSet<T> set) return KnownComparers.OfHashed(set.KeyComparer, elements, elements.Length, "elements of a set");
        if (value is ImmutableSortedSet<T> sorted && KnownComparers.TryFind(sorted.KeyComparer, out KnownComparer known) && known != KnownComparer.Default) return known;
        KnownComparers.CheckDistinct(elements, elements.Length, "elements of a set");
        return KnownComparer.Default;
    }

    static TSet ISetForm<TSet, T>.Create(ref NinoReader reader, T[] elements, KnownComparer comparer, out int count)
    {
        KeyAudit.Check(ref reader, elements, BucketCounts.AtLeast(elements.Length));
        ImmutableHashSet<T> set = ImmutableHashSet.Create(KnownComparers.Equality<T>(comparer), elements);
        count = set.Count;
        return (TSet)(object)set;
    }
}

/// <summary>An <see cref="ImmutableSortedSet{T}"/>. Its comparer is the default one or has a mark.</summary>
/// <typeparam name="T">The element.</typeparam>
/// <typeparam name="TCodec">Its codec.</typeparam>
public readonly struct ImmutableSortedSetCodec<T, TCodec> : INinoCodec<ImmutableSortedSet<T>>, ISetForm<ImmutableSortedSet<T>, T> where TCodec : struct, INinoCodec<T>
{
    /// <inheritdoc/>
    public static int MinSize => 1;

    /// <inheritdoc/>
    public static SchemaNode Describe(SchemaBuilder builder) => ElementsCodec<T, TCodec>.DescribeDistinct(builder);

    /// <inheritdoc/>
    public void Write(ref NinoWriter writer, in ImmutableSortedSet<T> value) => SetCodec<ImmutableSortedSet<T>, T, TCodec, ImmutableSortedSetCodec<T, TCodec>>.Write(ref writer, value);

    /// <inheritdoc/>
    public ImmutableSortedSet<T> Read(ref NinoReader reader) => SetCodec<ImmutableSortedSet<T>, T, TCodec, ImmutableSortedSetCodec<T, TCodec>>.Read(ref reader);

    static KnownComparer ISetForm<ImmutableSortedSet<T>, T>.ComparerOf(ImmutableSortedSet<T> value, T[] elements) => KnownComparers.OfOrdered(value.KeyComparer);

    static ImmutableSortedSet<T> ISetForm<ImmutableSortedSet<T>, T>.Create(ref NinoReader reader, T[] elements, KnownComparer comparer, out int count)
    {
        ImmutableSortedSet<T> set = ImmutableSortedSet.Create(KnownComparers.Order<T>(comparer), elements);
        count = set.Count;
        return set;
    }
}
