using System.Runtime.InteropServices;
using Store.Serialization.Evolution;

namespace Store.Serialization.Codecs;

/// <summary>A one-dimensional array or null.</summary>
/// <typeparam name="T">The element.</typeparam>
/// <typeparam name="TCodec">Its codec.</typeparam>
public readonly struct ArrayCodec<T, TCodec> : INinoCodec<T[]> where TCodec : struct, INinoCodec<T>
{
    /// <inheritdoc/>
    public static int MinSize => 1;

    // As ElementsCodec describes it, which would be another method to compile for every list of an assembly that is described.
    /// <inheritdoc/>
    public static SchemaNode Describe(SchemaBuilder builder) => SchemaNode.List(TCodec.Describe(builder));

    /// <inheritdoc/>
    public void Write(ref NinoWriter writer, in T[] value)
    {
        if (value is null) writer.WriteCompact(0);
        else ElementsCodec<T, TCodec>.Write(ref writer, new ReadOnlySpan<T>(value));
    }

    /// <inheritdoc/>
    public T[] Read(ref NinoReader reader) => ElementsCodec<T, TCodec>.ReadArray(ref reader);

    /// <inheritdoc/>
    public static bool CanReadInto => true;

    /// <summary>An array of the same length is filled.</summary>
    public void ReadInto(ref NinoReader reader, ref T[] value) => ElementsReuse<T, TCodec>.ReadArray(ref reader, ref value!);

    static bool INinoCodec.HasOlderElements => OlderElements<T, TCodec>.AreReadable;

    bool INinoCodec<T[]>.TryReadOlder(ref NinoReader reader, FlatPlan plan, long maxBytes, ref int begun, out T[] value) => OlderElements<T, TCodec>.TryReadArray(ref reader, plan, maxBytes, ref begun, out value);
}

/// <summary>A <see cref="List{T}"/> or null.</summary>
/// <typeparam name="T">The element.</typeparam>
/// <typeparam name="TCodec">Its codec.</typeparam>
public readonly struct ListCodec<T, TCodec> : INinoCodec<List<T>> where TCodec : struct, INinoCodec<T>
{
    /// <inheritdoc/>
    public static int MinSize => 1;

    /// <inheritdoc/>
    public static SchemaNode Describe(SchemaBuilder builder) => SchemaNode.List(TCodec.Describe(builder));

    /// <inheritdoc/>
    public void Write(ref NinoWriter writer, in List<T> value)
    {
        if (value is null)
        {
            writer.WriteCompact(0);
            return;
        }

        ReadOnlySpan<T> elements = CollectionsMarshal.AsSpan(value);
        ElementsCodec<T, TCodec>.Write(ref writer, elements);
        // Of numbers no code runs.
        if (TCodec.Form != CodecForm.Blittable && value.Count != elements.Length) Throw.ChangedWhileWritten();
    }

    /// <inheritdoc/>
    public List<T> Read(ref NinoReader reader) => ElementsCodec<T, TCodec>.ReadList(ref reader);

    /// <inheritdoc/>
    public static bool CanReadInto => true;

    /// <summary>The list is filled, its elements too where they can be.</summary>
    public void ReadInto(ref NinoReader reader, ref List<T> value) => ElementsReuse<T, TCodec>.ReadList(ref reader, ref value!);

    static bool INinoCodec.HasOlderElements => OlderElements<T, TCodec>.AreReadable;

    bool INinoCodec<List<T>>.TryReadOlder(ref NinoReader reader, FlatPlan plan, long maxBytes, ref int begun, out List<T> value) => OlderElements<T, TCodec>.TryReadList(ref reader, plan, maxBytes, ref begun, out value);
}

/// <summary>
/// A <see cref="HashSet{T}"/> or null, in its own order. Its comparer is kept where it has a mark (see KnownComparer); else it is read with the default
/// one, and a set with elements that are equal under that is refused on writing.
/// </summary>
/// <typeparam name="T">The element.</typeparam>
/// <typeparam name="TCodec">Its codec.</typeparam>
public readonly struct HashSetCodec<T, TCodec> : INinoCodec<HashSet<T>>, ICountedElements<T> where TCodec : struct, INinoCodec<T>
{
    /// <inheritdoc/>
    public static int MinSize => 1;

    /// <inheritdoc/>
    public static SchemaNode Describe(SchemaBuilder builder) => ElementsCodec<T, TCodec>.DescribeDistinct(builder);

    /// <inheritdoc/>
    public void Write(ref NinoWriter writer, in HashSet<T> value)
    {
        HashSet<T>? set = value;
        if (set is null)
        {
            writer.WriteCompact(0);
            return;
        }

        if (!ReferenceEquals(set.Comparer, EqualityComparer<T>.Default)) writer.WriteComparer(KnownComparers.OfHashed(set.Comparer, set, set.Count, "elements of a set"));
        TCodec codec = default;
        if (TCodec.Form == CodecForm.Object)
        {
            bool hasNulls = false;
            foreach (T element in set) hasNulls |= element is null;
            int left = set.Count;
            writer.WriteCompact((((uint)left << 1) | (hasNulls ? 1u : 0u)) + 1);
            foreach (T element in set)
            {
                if (--left < 0) break;
                if (hasNulls) codec.Write(ref writer, in element);
                else codec.WriteBody(ref writer, in element);
            }

            if (left != 0) Throw.ChangedWhileWritten();
        }
        else
        {
            int left = set.Count;
            writer.WriteCompact((uint)left + 1);
            foreach (T element in set)
            {
                if (--left < 0) break;
                codec.Write(ref writer, in element);
            }

            // The enumerator does not notice what is removed.
            if (left != 0) Throw.ChangedWhileWritten();
        }
    }

    /// <inheritdoc/>
    public HashSet<T> Read(ref NinoReader reader)
    {
        int count = ElementsCodec<T, TCodec>.ReadCount(ref reader, out bool hasNulls, out KnownComparer comparer);
        if (count < 0) return null!;

        bool anyNull = false;
        var set = new HashSet<T>(Math.Min(count, HashedRoom.Max(in reader)), comparer == KnownComparer.Default ? null : KnownComparers.Equality<T>(comparer));
        if (KeyChains.AreCounted<T>(count)) return ManyElements<T, TCodec>.Read(ref reader, set, count, hasNulls);
        for (int i = 0; i < count; i++)
        {
            if (!set.Add(ElementsCodec<T, TCodec>.ReadOne(ref reader, hasNulls, ref anyNull))) Throw.DuplicateElement(i);
        }

        if (hasNulls && !anyNull) Throw.NoNullElement();
        return set;
    }

    /// <inheritdoc/>
    public static bool CanReadInto => true;

    /// <summary>The set is filled. Elements that are strings or plain numbers are kept as far as they are the same in the same order.</summary>
    public void ReadInto(ref NinoReader reader, ref HashSet<T> value) => SetReuse<T, TCodec>.Read(ref reader, ref value!);
}

/// <summary>
/// A list behind an interface: <see cref="IEnumerable{T}"/>, <see cref="IReadOnlyCollection{T}"/>, <see cref="ICollection{T}"/>, <see cref="IReadOnlyList{T}"/>
/// or <see cref="IList{T}"/>. Written like a list whatever is behind it; read as a <see cref="List{T}"/>.
/// </summary>
/// <typeparam name="TCollection">The interface: one that <see cref="List{T}"/> implements.</typeparam>
/// <typeparam name="T">The element.</typeparam>
/// <typeparam name="TCodec">Its codec.</typeparam>
public readonly struct CollectionCodec<TCollection, T, TCodec> : INinoCodec<TCollection>, ICountedElements<T>
    where TCollection : class, IEnumerable<T>
    where TCodec : struct, INinoCodec<T>
{
    /// <inheritdoc/>
    public static int MinSize => 1;

    /// <inheritdoc/>
    public static SchemaNode Describe(SchemaBuilder builder) => SchemaNode.List(TCodec.Describe(builder));

    /// <inheritdoc/>
    public void Write(ref NinoWriter writer, in TCollection value)
    {
        // An exact List<T>: a derived one may enumerate something else. Everything else is copied once, so that the count written is the count enumerated.
        if (value is null) writer.WriteCompact(0);
        else if (value.GetType() == typeof(List<T>)) default(ListCodec<T, TCodec>).Write(ref writer, (List<T>)(object)value);
        else if (value is T[] array) ElementsCodec<T, TCodec>.Write(ref writer, new ReadOnlySpan<T>(array));
        else ElementsCodec<T, TCodec>.Write(ref writer, CollectionsMarshal.AsSpan(Enumerated.ListOf<T, TCodec>(value, in writer)));
    }

    /// <inheritdoc/>
    public TCollection Read(ref NinoReader reader) => (TCollection)(object)ElementsCodec<T, TCodec>.ReadList(ref reader);

    /// <inheritdoc/>
    public static bool CanReadInto => true;

    /// <summary>A <see cref="List{T}"/> behind the interface is filled.</summary>
    public void ReadInto(ref NinoReader reader, ref TCollection value)
    {
        List<T>? list = value as object as List<T>;
        ElementsReuse<T, TCodec>.ReadList(ref reader, ref list);
        value = (TCollection)(object)list!;
    }
}
