using System.Buffers;
using System.Buffers.Binary;
using System.Collections.Concurrent;
using System.Collections.Frozen;
using System.Collections.Immutable;
using System.Collections.ObjectModel;
using Store.Serialization;
using Store.Serialization.Codecs;

namespace Store.Tests.Types;

/// <summary>A collection that hashes its keys: records of chosen keys, which no program could write, and reading them.</summary>
internal sealed record FloodedCollection(string Name, Func<IEnumerable<int>, byte[]> Write, Func<byte[], NinoLimits, int> Read)
{
    /// <summary>Each of them by its name.</summary>
    public static readonly Dictionary<string, FloodedCollection> All = new FloodedCollection[]
    {
        OfPairs<Dictionary<int, int>, DictionaryCodec<int, int, Int32Codec, Int32Codec>>("Dictionary"),
        OfPairs<IReadOnlyDictionary<int, int>, MapCodec<IReadOnlyDictionary<int, int>, int, int, Int32Codec, Int32Codec>>("IReadOnlyDictionary"),
        OfForm<OrderedDictionary<int, int>, OrderedDictionaryForm<int, int>>("OrderedDictionary"),
        OfForm<ReadOnlyDictionary<int, int>, ReadOnlyDictionaryForm<int, int>>("ReadOnlyDictionary"),
        OfForm<FrozenDictionary<int, int>, FrozenDictionaryForm<int, int>>("FrozenDictionary"),
        OfForm<ConcurrentDictionary<int, int>, ConcurrentDictionaryForm<int, int>>("ConcurrentDictionary") with { Buckets = BucketCounts.AtLeast },
        OfForm<ImmutableDictionary<int, int>, ImmutableDictionaryForm<ImmutableDictionary<int, int>, int, int>>("ImmutableDictionary") with { Buckets = BucketCounts.AtLeast },
        OfPairs<DerivedMap, OwnMapCodec<DerivedMap, int, int, Int32Codec, Int32Codec>>("derived from Dictionary"),
        OfPairs<DerivedOrdered, OwnMapCodec<DerivedOrdered, int, int, Int32Codec, Int32Codec>>("derived from OrderedDictionary"),
        OfElements<HashSet<int>, HashSetCodec<int, Int32Codec>>("HashSet"),
        OfElements<ISet<int>, SetInterfaceCodec<ISet<int>, int, Int32Codec>>("ISet"),
        OfElements<ReadOnlySet<int>, SetInterfaceCodec<ReadOnlySet<int>, int, Int32Codec>>("ReadOnlySet"),
        OfElements<FrozenSet<int>, FrozenSetCodec<int, Int32Codec>>("FrozenSet"),
        OfElements<ImmutableHashSet<int>, ImmutableHashSetCodec<ImmutableHashSet<int>, int, Int32Codec>>("ImmutableHashSet") with { Buckets = BucketCounts.AtLeast },
        OfElements<DerivedSet, OwnCollectionCodec<DerivedSet, int, Int32Codec>>("derived from HashSet"),
        OfGroups("ILookup"),
    }.ToDictionary(static family => family.Name);

    /// <summary>How many buckets there are for so many keys, up to 65,536.</summary>
    public Func<int, int> Buckets { get; init; } = static count => new Dictionary<int, int>(count).Capacity;

    private static FloodedCollection OfForm<TMap, TForm>(string name)
        where TMap : class, IReadOnlyCollection<KeyValuePair<int, int>>
        where TForm : struct, IMapForm<TMap, int, int> => OfPairs<TMap, MapFormCodec<TMap, int, int, Int32Codec, Int32Codec, TForm>>(name);

    private static FloodedCollection OfPairs<T, TCodec>(string name) where T : IEnumerable<KeyValuePair<int, int>> where TCodec : struct, INinoCodec<T> =>
        new(name, PairsOf, static (bytes, limits) => new CodecAdapter<T, TCodec>().Decode(bytes, limits).Count());

    private static FloodedCollection OfElements<T, TCodec>(string name) where T : IEnumerable<int> where TCodec : struct, INinoCodec<T> =>
        new(name, ElementsOf, static (bytes, limits) => new CodecAdapter<T, TCodec>().Decode(bytes, limits).Count());

    private static FloodedCollection OfGroups(string name) =>
        new(name, GroupsOf, static (bytes, limits) => new CodecAdapter<ILookup<int, int>, LookupCodec<int, int, Int32Codec, Int32Codec>>().Decode(bytes, limits).Count);

    /// <summary>A record of a map from these keys to zeros.</summary>
    public static byte[] PairsOf(IEnumerable<int> keys) => Listed(keys, static count => count, static key => [.. Number(key), 0, 0, 0, 0]);

    /// <summary>A record of a set, or of any other list.</summary>
    public static byte[] ElementsOf(IEnumerable<int> keys) => Listed(keys, static count => count, Number);

    /// <summary>A record of a lookup: groups without elements, none of them null.</summary>
    public static byte[] GroupsOf(IEnumerable<int> keys) => Listed(keys, static count => count << 1, static key => [.. Number(key), 1]);

    private static byte[] Number(int value)
    {
        byte[] bytes = new byte[4];
        BinaryPrimitives.WriteInt32LittleEndian(bytes, value);
        return bytes;
    }

    private static byte[] Listed(IEnumerable<int> keys, Func<int, int> header, Func<int, byte[]> element)
    {
        int[] all = [.. keys];
        var output = new ArrayBufferWriter<byte>();
        var writer = new NinoWriter(output);
        writer.WriteCompact((uint)header(all.Length) + 1);
        foreach (int key in all) writer.WriteBytes(element(key));
        writer.Flush();
        return output.WrittenSpan.ToArray();
    }

    private sealed class DerivedMap : Dictionary<int, int>;

    private sealed class DerivedOrdered : OrderedDictionary<int, int>;

    private sealed class DerivedSet : HashSet<int>;
}
