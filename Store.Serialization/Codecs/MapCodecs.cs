// Pairs of key and value:
//
//   mark    only of a comparer that is kept: 255 and its number (see KnownComparer)
//   header  compact number: 0 = null, else count + 1
//   pairs   key, value, key, value ... in the collection's own order
//
// No key is null and none occurs twice. Format page: docs/formats/record.md, "map".

using System.Collections.Concurrent;
using System.Collections.Frozen;
using System.Collections.Immutable;
using System.Runtime.CompilerServices;

namespace Store.Serialization.Codecs;

/// <summary>
/// A <see cref="Dictionary{TKey, TValue}"/> or null, in its own order. Its comparer is kept where it has a mark (see KnownComparer); else it is read with the
/// default one, and a dictionary with keys that are equal under that is refused on writing.
/// </summary>
/// <typeparam name="TKey">The key.</typeparam>
/// <typeparam name="TValue">The value.</typeparam>
/// <typeparam name="TKeyCodec">Codec of the key.</typeparam>
/// <typeparam name="TValueCodec">Codec of the value.</typeparam>
public readonly struct DictionaryCodec<TKey, TValue, TKeyCodec, TValueCodec> : INinoCodec<Dictionary<TKey, TValue>>
    where TKey : notnull
    where TKeyCodec : struct, INinoCodec<TKey>
    where TValueCodec : struct, INinoCodec<TValue>
{
    private const int ChunkBytes = 4096;

    private static bool IsFixed
    {
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        get => TKeyCodec.Form is CodecForm.Fixed or CodecForm.Blittable && TValueCodec.Form is CodecForm.Fixed or CodecForm.Blittable;
    }

    /// <inheritdoc/>
    public static int MinSize => 1;

    /// <inheritdoc/>
    public static SchemaNode Describe(SchemaBuilder builder) => SchemaNode.Map(TKeyCodec.Describe(builder), TValueCodec.Describe(builder));

    /// <inheritdoc/>
    [MethodImpl(MethodImplOptions.NoInlining)]
    public void Write(ref NinoWriter writer, in Dictionary<TKey, TValue> value)
    {
        Dictionary<TKey, TValue>? map = value;
        if (map is null)
        {
            writer.WriteCompact(0);
            return;
        }

        if (!ReferenceEquals(map.Comparer, EqualityComparer<TKey>.Default)) writer.WriteComparer(KnownComparers.OfHashed(map.Comparer, map.Keys, map.Count, "keys of a dictionary"));
        int count = map.Count;
        writer.WriteCompact((uint)count + 1);
        if (IsFixed)
        {
            WriteFixed(ref writer, map, count);
            return;
        }

        // Code over a reference type is shared by all of them and looks up what it calls; for the usual one there is code of its own, a third faster. Every test here is decided when it is compiled.
        if (typeof(TValueCodec) == typeof(StringCodec) && typeof(TKeyCodec) == typeof(StringCodec)) TextMaps.WriteTexts(ref writer, Unsafe.As<Dictionary<string, string>>(map), count);
        else if (typeof(TValueCodec) == typeof(StringCodec)) TextMaps.WriteTextValues<TKey, TKeyCodec>(ref writer, Unsafe.As<Dictionary<TKey, string>>(map), count);
        else if (typeof(TKeyCodec) == typeof(StringCodec)) TextMaps.WriteTextKeys<TValue, TValueCodec>(ref writer, Unsafe.As<Dictionary<string, TValue>>(map), count);
        else TextMaps.WritePairs<TKey, TValue, TKeyCodec, TValueCodec>(ref writer, map, count);
    }

    /// <summary>Reads how many pairs there are, or -1 for null, and checks that the bytes left and the limits on memory allow so many.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static int ReadCount(ref NinoReader reader, out KnownComparer comparer)
    {
        int count = reader.ReadCount(TKeyCodec.MinSize + TValueCodec.MinSize, out comparer);
        if (TValueCodec.Form is CodecForm.Value or CodecForm.Object) reader.Texts.Expect(count);
        reader.TakeRoom<KeyValuePair<TKey, TValue>>(count, TKeyCodec.MinSize + TValueCodec.MinSize);
        return count;
    }

    /// <inheritdoc/>
    [MethodImpl(MethodImplOptions.NoInlining)]
    public Dictionary<TKey, TValue> Read(ref NinoReader reader)
    {
        int count = ReadCount(ref reader, out KnownComparer comparer);
        if (count < 0) return null!;

        var map = new Dictionary<TKey, TValue>(Math.Min(count, HashedRoom.Max(in reader)), comparer == KnownComparer.Default ? null : KnownComparers.Equality<TKey>(comparer));
        if (KeyChains.AreCounted<TKey>(count)) return ManyPairs<TKey, TValue, TKeyCodec, TValueCodec>.Read(ref reader, map, count);
        if (TKeyCodec.Form == CodecForm.Blittable && (IsFixed || typeof(TValueCodec) == typeof(StringCodec)))
        {
            ReadBehindKeys(ref reader, map, count);
            return map;
        }

        for (int i = 0; i < count; i++)
        {
            TKey key = default(TKeyCodec).Read(ref reader);
            if (IsNull(in key)) Throw.NullKey(i);
            if (!map.TryAdd(key, default(TValueCodec).Read(ref reader))) Throw.DuplicateKey(i);
        }

        return map;
    }

    /// <inheritdoc/>
    public static bool CanReadInto => true;

    /// <summary>The dictionary is filled. Keys that are strings or plain numbers, and their values, are kept as far as the keys are the same in the same order.</summary>
    public void ReadInto(ref NinoReader reader, ref Dictionary<TKey, TValue> value) => MapReuse<TKey, TValue, TKeyCodec, TValueCodec>.Read(ref reader, ref value!);

    /// <summary>A key of a nullable kind can be absent in the bytes as one of a reference type can, though no dictionary holds it. (The first test keeps other value types from being boxed by code that is not optimized yet.)</summary>
    internal static bool IsNull(ref readonly TKey key) => (!typeof(TKey).IsValueType || Nullable.GetUnderlyingType(typeof(TKey)) is not null) && key is null;

    // Key and value in one step of the cursor: each step waits for what the one before it has stored. Of keys that no bits are refused of: a failure is about the value.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static void ReadBehindKeys(ref NinoReader reader, Dictionary<TKey, TValue> map, int count)
    {
        for (int i = 0; i < count; i++)
        {
            TKey key;
            TValue value;
            if (typeof(TValueCodec) == typeof(StringCodec))
            {
                key = default(TKeyCodec).ReadFixed(in StringCodec.ReadBehind(ref reader, TKeyCodec.FixedSize, out string text));
                value = Unsafe.As<string, TValue>(ref text);
            }
            else
            {
                ref byte pair = ref Unsafe.AsRef(in reader.Take(TKeyCodec.FixedSize + TValueCodec.FixedSize));
                key = default(TKeyCodec).ReadFixed(in pair);
                value = default(TValueCodec).ReadFixed(in Unsafe.Add(ref pair, TKeyCodec.FixedSize));
            }

            if (!map.TryAdd(key, value)) Throw.DuplicateKey(i);
        }
    }

    // One capacity check a chunk of pairs. A dictionary that another thread changes meanwhile throws in its enumerator or here, and never stores beyond the chunk.
    private static void WriteFixed(ref NinoWriter writer, Dictionary<TKey, TValue> map, int count)
    {
        int pairSize = TKeyCodec.FixedSize + TValueCodec.FixedSize;
        int chunkPairs = Math.Max(ChunkBytes / pairSize, 1);
        Dictionary<TKey, TValue>.Enumerator pairs = map.GetEnumerator();
        bool isShort = false;
        for (int left = count; left > 0 && !isShort; left -= chunkPairs)
        {
            int chunk = Math.Min(left, chunkPairs);
            ref byte destination = ref writer.Take(chunk * pairSize);
            while (chunk > 0 && pairs.MoveNext())
            {
                TKey key = pairs.Current.Key;
                TValue element = pairs.Current.Value;
                default(TKeyCodec).WriteFixed(ref destination, in key);
                default(TValueCodec).WriteFixed(ref Unsafe.Add(ref destination, TKeyCodec.FixedSize), in element);
                destination = ref Unsafe.Add(ref destination, pairSize);
                chunk--;
            }

            isShort = chunk > 0;
        }

        if (isShort || pairs.MoveNext()) Throw.ChangedWhileWritten();
    }
}

/// <summary>
/// A dictionary behind an interface: <see cref="IReadOnlyDictionary{TKey, TValue}"/> or <see cref="IDictionary{TKey, TValue}"/>. Written like a dictionary
/// whatever is behind it; read as a <see cref="Dictionary{TKey, TValue}"/>.
/// </summary>
/// <typeparam name="TMap">The interface: one that <see cref="Dictionary{TKey, TValue}"/> implements.</typeparam>
/// <typeparam name="TKey">The key.</typeparam>
/// <typeparam name="TValue">The value.</typeparam>
/// <typeparam name="TKeyCodec">Codec of the key.</typeparam>
/// <typeparam name="TValueCodec">Codec of the value.</typeparam>
public readonly struct MapCodec<TMap, TKey, TValue, TKeyCodec, TValueCodec> : INinoCodec<TMap>, ICountedElements<KeyValuePair<TKey, TValue>>
    where TMap : class, IEnumerable<KeyValuePair<TKey, TValue>>
    where TKey : notnull
    where TKeyCodec : struct, INinoCodec<TKey>
    where TValueCodec : struct, INinoCodec<TValue>
{
    /// <inheritdoc/>
    public static int MinSize => 1;

    /// <inheritdoc/>
    public static SchemaNode Describe(SchemaBuilder builder) => DictionaryCodec<TKey, TValue, TKeyCodec, TValueCodec>.Describe(builder);

    /// <inheritdoc/>
    public void Write(ref NinoWriter writer, in TMap value)
    {
        if (value is null)
        {
            writer.WriteCompact(0);
        }
        else if (value.GetType() == typeof(Dictionary<TKey, TValue>))
        {
            default(DictionaryCodec<TKey, TValue, TKeyCodec, TValueCodec>).Write(ref writer, (Dictionary<TKey, TValue>)(object)value);
        }
        else
        {
            // Copied once, so that the count written is the count enumerated.
            KeyValuePair<TKey, TValue>[] pairs = value is ConcurrentDictionary<TKey, TValue> map ? map.ToArray() : Enumerated.PairsOf<TKey, TValue, TKeyCodec, TValueCodec>(value, in writer);
            writer.WriteComparer(ComparerOf(value, pairs));
            Pairs<TKey, TValue, TKeyCodec, TValueCodec>.Write(ref writer, pairs);
        }
    }

    /// <inheritdoc/>
    public TMap Read(ref NinoReader reader) => (TMap)(object)default(DictionaryCodec<TKey, TValue, TKeyCodec, TValueCodec>).Read(ref reader);

    /// <inheritdoc/>
    public static bool CanReadInto => true;

    /// <summary>A <see cref="Dictionary{TKey, TValue}"/> behind the interface is filled.</summary>
    public void ReadInto(ref NinoReader reader, ref TMap value)
    {
        Dictionary<TKey, TValue>? map = value as object as Dictionary<TKey, TValue>;
        MapReuse<TKey, TValue, TKeyCodec, TValueCodec>.Read(ref reader, ref map);
        value = (TMap)(object)map!;
    }

    // What is behind the interface is read as a dictionary: whatever kept its keys apart, they have to be distinct under the comparer of that.
    private static KnownComparer ComparerOf(TMap value, KeyValuePair<TKey, TValue>[] pairs)
    {
        KnownComparer known = KnownComparer.Default;
        bool isKnown = value switch
        {
            Dictionary<TKey, TValue> map => KnownComparers.TryFind(map.Comparer, out known),
            ConcurrentDictionary<TKey, TValue> map => KnownComparers.TryFind(map.Comparer, out known),
            FrozenDictionary<TKey, TValue> map => KnownComparers.TryFind(map.Comparer, out known),
            ImmutableDictionary<TKey, TValue> map => KnownComparers.TryFind(map.KeyComparer, out known),
            OrderedDictionary<TKey, TValue> map => KnownComparers.TryFind(map.Comparer, out known),
            SortedDictionary<TKey, TValue> map => KnownComparers.TryFind(map.Comparer, out known) && known != KnownComparer.Default,
            SortedList<TKey, TValue> map => KnownComparers.TryFind(map.Comparer, out known) && known != KnownComparer.Default,
            _ => false,
        };
        if (!isKnown) KnownComparers.CheckDistinct(pairs.Select(static pair => pair.Key), pairs.Length, "keys of a dictionary");
        return known;
    }
}

/// <summary>For how many entries hashed collections make room before any is read: an entry costs far more memory than its least bytes.</summary>
internal static class HashedRoom
{
    private const int Outer = 1 << 16;
    private const int Nested = 1 << 6;

    public static int Max(ref readonly NinoReader reader) => reader.IsNested ? Nested : Outer;
}
