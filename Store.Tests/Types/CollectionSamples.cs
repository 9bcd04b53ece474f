// Golden bytes of collections and of the comparers they keep. Part of the table that Samples.cs joins.

using System.Buffers;
using System.Collections.Concurrent;
using System.Collections.Frozen;
using System.Collections.Immutable;
using System.Collections.ObjectModel;
using Store.Serialization.Codecs;
using Store.Tests.Serialization;
using Store.Tests.Serialization.HandWritten;

namespace Store.Tests.Types;

#nullable disable // codecs do not distinguish string from string?

public static class CollectionSamples
{
    private const string OneTwo = "03 01000000 02000000";
    private const string OneTwoMap = "03 01000000 0361 02000000 00";

    public static IReadOnlyList<Sample> All { get; } =
    [
        Sequence<Memory<int>, MemoryForm<int>>("Memory", new int[] { 0, 1, 2 }.AsMemory(1), static (a, b) => a.Span.SequenceEqual(b.Span)),
        Sequence<ReadOnlyMemory<int>, ReadOnlyMemoryForm<int>>("ReadOnlyMemory", new int[] { 1, 2, 3 }.AsMemory(0, 2), static (a, b) => a.Span.SequenceEqual(b.Span)),
        Sequence<ArraySegment<int>, ArraySegmentForm<int>>("ArraySegment", new ArraySegment<int>([0, 1, 2, 3], 1, 2), static (a, b) => a.SequenceEqual(b)),
        new Sample<ArraySegment<int>, SequenceCodec<ArraySegment<int>, int, Int32Codec, ArraySegmentForm<int>>>("ArraySegment default", default, "00", static (_, b) => b.Array is null),
        Sequence<ReadOnlySequence<int>, ReadOnlySequenceForm<int>>("ReadOnlySequence", Pieces.Of<int>(new[] { 1 }, new[] { 2 }), static (a, b) => a.ToArray().SequenceEqual(b.ToArray())),
        Sequence<ImmutableArray<int>, ImmutableArrayForm<int>>("ImmutableArray", [1, 2], static (a, b) => a.SequenceEqual(b)),
        new Sample<ImmutableArray<int>, SequenceCodec<ImmutableArray<int>, int, Int32Codec, ImmutableArrayForm<int>>>("ImmutableArray default", default, "00", static (_, b) => b.IsDefault),
        new Sample<ImmutableArray<int>?, NullableCodec<ImmutableArray<int>, SequenceCodec<ImmutableArray<int>, int, Int32Codec, ImmutableArrayForm<int>>>>("ImmutableArray? default", default(ImmutableArray<int>), "01 00", static (_, b) => b!.Value.IsDefault),
        Sequence<Queue<int>, QueueForm<int>>("Queue", new([1, 2])),
        Sequence<Stack<int>, StackForm<int>>("Stack", new([1, 2])),
        Sequence<LinkedList<int>, LinkedListForm<int>>("LinkedList", new([1, 2])),
        Sequence<Collection<int>, CollectionForm<int>>("Collection", [1, 2]),
        Sequence<ObservableCollection<int>, ObservableCollectionForm<int>>("ObservableCollection", [1, 2]),
        Sequence<ReadOnlyCollection<int>, ReadOnlyCollectionForm<int>>("ReadOnlyCollection", new([1, 2])),
        Sequence<ReadOnlyObservableCollection<int>, ReadOnlyObservableCollectionForm<int>>("ReadOnlyObservableCollection", new([1, 2])),
        Sequence<ConcurrentQueue<int>, ConcurrentQueueForm<int>>("ConcurrentQueue", new([1, 2])),
        Sequence<ConcurrentStack<int>, ConcurrentStackForm<int>>("ConcurrentStack", new([1, 2])),
        Sequence<ConcurrentBag<int>, ConcurrentBagForm<int>>("ConcurrentBag", [1, 2]),
        Sequence<BlockingCollection<int>, BlockingCollectionForm<int>>("BlockingCollection", new(new ConcurrentQueue<int>([1, 2]))),
        Sequence<IProducerConsumerCollection<int>, ProducerConsumerForm<int>>("IProducerConsumerCollection", new ConcurrentStack<int>([2, 1]), static (a, b) => b is ConcurrentQueue<int> && a.SequenceEqual(b)),
        Sequence<ImmutableList<int>, ImmutableListForm<ImmutableList<int>, int>>("ImmutableList", [1, 2]),
        Sequence<ImmutableQueue<int>, ImmutableQueueForm<ImmutableQueue<int>, int>>("ImmutableQueue", [1, 2]),
        Sequence<ImmutableStack<int>, ImmutableStackForm<ImmutableStack<int>, int>>("ImmutableStack", ImmutableStack.Create(1, 2)),
        new Sample<Queue<Nothing>, SequenceCodec<Queue<Nothing>, Nothing, NothingCodec, QueueForm<Nothing>>>("Queue of a class, with null", new([null, new Nothing()]), "06 00 0100"),
        new Sample<PriorityQueue<string, int>, PriorityQueueCodec<string, int, StringCodec, Int32Codec>>("PriorityQueue", new([("b", 2), ("a", 1), ("c", 3)]), "04 0361 01000000 0362 02000000 0363 03000000", static (a, b) => Drain(a).SequenceEqual(Drain(b))) { Reorders = true },

        new Sample<int[,], GridCodec<int[,], int, Int32Codec>>("int[,]", new[,] { { 1, 2 }, { 3, 4 }, { 5, 6 } }, "03 03000000 02000000 07 01000000 02000000 03000000 04000000 05000000 06000000", Same),
        new Sample<int[,], GridCodec<int[,], int, Int32Codec>>("int[,] without elements", new int[0, 5], "03 00000000 05000000 01", Same),
        new Sample<byte[,,,], GridCodec<byte[,,,], byte, ByteCodec>>("byte[,,,]", new byte[1, 2, 1, 1], "05 01000000 02000000 01000000 01000000 03 0000", Same),
        new Sample<string[,,], GridCodec<string[,,], string, StringCodec>>("string[,,]", new string[1, 1, 2] { { { "a", null } } }, "04 01000000 01000000 02000000 03 0361 00", Same),
        new Sample<Nothing[,], GridCodec<Nothing[,], Nothing, NothingCodec>>("class[,] with null", new Nothing[1, 2] { { null, new Nothing() } }, "03 01000000 02000000 06 00 0100", static (a, b) => b[0, 0] is null && b[0, 1] is not null),
        new Sample<int[][,], ArrayCodec<int[,], GridCodec<int[,], int, Int32Codec>>>("int[][,]", [new int[1, 1], null], "06 01 03 01000000 01000000 02 00000000 00", static (a, b) => Same(a[0], b[0]) && b[1] is null),
        new Sample<Three, InlineArrayCodec<Three, int, Int32Codec>>("inline array", Three.Of(1, 2, 3), "04 01000000 02000000 03000000", static (a, b) => ((ReadOnlySpan<int>)a).SequenceEqual(b)),

        new Sample<Lazy<string>, LazyCodec<string, StringCodec>>("Lazy", new(() => "a"), "0361", static (a, b) => a.Value == b.Value && b.IsValueCreated),
        new Sample<Lazy<string>[], ArrayCodec<Lazy<string>, LazyCodec<string, StringCodec>>>("Lazy[] of null and of a null", [null, new Lazy<string>((string)null)], "06 00 01 00", static (a, b) => b[0] is null && b[1].Value is null),
        new Sample<IGrouping<int, string>, GroupingCodec<int, string, Int32Codec, StringCodec>>("IGrouping", new[] { "a", "b" }.GroupBy(static _ => 7).Single(), "07000000 03 0361 0362", static (a, b) => a.Key == b.Key && a.SequenceEqual(b)),
        new Sample<ILookup<string, int>, LookupCodec<string, int, StringCodec, Int32Codec>>("ILookup with a null key", new[] { 1, 2, 3 }.ToLookup(static i => i == 2 ? null : "a"), "05 0361 03 01000000 03000000 00 02 02000000", static (a, b) => a["a"].SequenceEqual(b["a"]) && a[null].SequenceEqual(b[null]) && !b["x"].Any()),

        new Sample<ISet<int>, SetInterfaceCodec<ISet<int>, int, Int32Codec>>("ISet", new SortedSet<int> { 2, 1 }, OneTwo, static (a, b) => b is HashSet<int> && a.SetEquals(b)),
        new Sample<IReadOnlySet<int>, SetInterfaceCodec<IReadOnlySet<int>, int, Int32Codec>>("IReadOnlySet", new HashSet<int> { 1, 2 }, OneTwo, static (a, b) => a.SetEquals(b)),
        new Sample<ReadOnlySet<int>, SetInterfaceCodec<ReadOnlySet<int>, int, Int32Codec>>("ReadOnlySet", new(new HashSet<int> { 1, 2 }), OneTwo, static (a, b) => a.SetEquals(b)),
        new Sample<SortedSet<int>, SortedSetCodec<int, Int32Codec>>("SortedSet", [2, 1], OneTwo) { Reorders = true },
        new Sample<FrozenSet<int>, FrozenSetCodec<int, Int32Codec>>("FrozenSet", new[] { 1, 2 }.ToFrozenSet(), OneTwo, static (a, b) => a.SetEquals(b)) { Reorders = true },
        new Sample<ImmutableHashSet<int>, ImmutableHashSetCodec<ImmutableHashSet<int>, int, Int32Codec>>("ImmutableHashSet", [1, 2], OneTwo, static (a, b) => a.SetEquals(b)) { Reorders = true },
        new Sample<ImmutableSortedSet<int>, ImmutableSortedSetCodec<int, Int32Codec>>("ImmutableSortedSet", [2, 1], OneTwo, static (a, b) => a.SequenceEqual(b)) { Reorders = true },

        Map<SortedDictionary<int, string>, SortedDictionaryForm<int, string>>("SortedDictionary", new() { [2] = null, [1] = "a" }),
        Map<SortedList<int, string>, SortedListForm<int, string>>("SortedList", new() { [2] = null, [1] = "a" }),
        Map<OrderedDictionary<int, string>, OrderedDictionaryForm<int, string>>("OrderedDictionary", new() { [1] = "a", [2] = null }),
        Map<ConcurrentDictionary<int, string>, ConcurrentDictionaryForm<int, string>>("ConcurrentDictionary", new() { [1] = "a", [2] = null }),
        Map<ReadOnlyDictionary<int, string>, ReadOnlyDictionaryForm<int, string>>("ReadOnlyDictionary", new(new Dictionary<int, string> { [1] = "a", [2] = null })),
        Map<FrozenDictionary<int, string>, FrozenDictionaryForm<int, string>>("FrozenDictionary", new Dictionary<int, string> { [1] = "a", [2] = null }.ToFrozenDictionary()),
        Map<ImmutableDictionary<int, string>, ImmutableDictionaryForm<ImmutableDictionary<int, string>, int, string>>("ImmutableDictionary", ImmutableDictionary<int, string>.Empty.Add(1, "a").Add(2, null)),
        Map<ImmutableSortedDictionary<int, string>, ImmutableSortedDictionaryForm<int, string>>("ImmutableSortedDictionary", ImmutableSortedDictionary<int, string>.Empty.Add(2, null).Add(1, "a")),
        new Sample<OwnBag, OwnCollectionCodec<OwnBag, int, Int32Codec>>("collection of the user's", [1, 2], OneTwo),
        Derived<OwnQueue, Queue<int>, QueueForm<int>>("class derived from Queue", Filled(new OwnQueue(), static (one, i) => one.Enqueue(i))),
        Derived<OwnConcurrentQueue, ConcurrentQueue<int>, ConcurrentQueueForm<int>>("class derived from ConcurrentQueue", Filled(new OwnConcurrentQueue(), static (one, i) => one.Enqueue(i))),
        Derived<OwnConcurrentStack, ConcurrentStack<int>, ConcurrentStackForm<int>>("class derived from ConcurrentStack", Filled(new OwnConcurrentStack(), static (one, i) => one.Push(i))),
        Derived<OwnConcurrentBag, ConcurrentBag<int>, ConcurrentBagForm<int>>("class derived from ConcurrentBag", [1, 2]),
        new Sample<OwnLinkedList, OwnCollectionCodec<OwnLinkedList, int, Int32Codec>>("class derived from LinkedList", Filled(new OwnLinkedList(), static (one, i) => one.AddLast(i)), OneTwo),
        new Sample<OwnMap, OwnMapCodec<OwnMap, int, string, Int32Codec, StringCodec>>("dictionary of the user's", new() { [1] = "a", [2] = null }, OneTwoMap),

        Comparer("ordinal", StringComparer.Ordinal, "FF01"),
        Comparer("ordinal, ignoring case", StringComparer.OrdinalIgnoreCase, "FF02"),
        Comparer("invariant", StringComparer.InvariantCulture, "FF03"),
        Comparer("invariant, ignoring case", StringComparer.InvariantCultureIgnoreCase, "FF04"),
        Comparer("default", null, ""),
        new Sample<HashSet<string>, HashSetCodec<string, StringCodec>>("HashSet with a comparer", new(StringComparer.OrdinalIgnoreCase) { "a" }, "FF02 02 0361", static (a, b) => ReferenceEquals(a.Comparer, b.Comparer) && a.SetEquals(b)),
        new Sample<SortedSet<string>, SortedSetCodec<string, StringCodec>>("SortedSet with a comparer", new(StringComparer.Ordinal) { "a", "B" }, "FF01 03 0342 0361", static (a, b) => ReferenceEquals(a.Comparer, b.Comparer) && a.SequenceEqual(b)) { Reorders = true },
    ];

    private static Sample<TCollection, SequenceCodec<TCollection, int, Int32Codec, TForm>> Sequence<TCollection, TForm>(string name, TCollection value, Func<TCollection, TCollection, bool> same = null) where TForm : struct, ISequenceForm<TCollection, int> =>
        new(name, value, OneTwo, same ?? (static (a, b) => ((IEnumerable<int>)a).SequenceEqual((IEnumerable<int>)b)));

    private static Sample<TCollection, OwnSequenceCodec<TCollection, TBase, int, Int32Codec, TForm>> Derived<TCollection, TBase, TForm>(string name, TCollection value)
        where TCollection : class, TBase, IEnumerable<int>, new()
        where TBase : class
        where TForm : struct, IBaseForm<TBase, int> => new(name, value, OneTwo, static (a, b) => a.SequenceEqual(b));

    private static T Filled<T>(T collection, Action<T, int> add)
    {
        add(collection, 1);
        add(collection, 2);
        return collection;
    }

    private static Sample<TMap, MapFormCodec<TMap, int, string, Int32Codec, StringCodec, TForm>> Map<TMap, TForm>(string name, TMap value)
        where TMap : class, IReadOnlyCollection<KeyValuePair<int, string>>
        where TForm : struct, IMapForm<TMap, int, string> =>
        new(name, value, OneTwoMap, static (a, b) => a.SequenceEqual(b)) { Reorders = true };

    private static Sample<Dictionary<string, int>, DictionaryCodec<string, int, StringCodec, Int32Codec>> Comparer(string name, StringComparer comparer, string mark) =>
        new("Dictionary, " + name, new(comparer) { ["a"] = 1 }, mark + " 02 0361 01000000", static (a, b) => ReferenceEquals(a.Comparer, b.Comparer) && a.SequenceEqual(b));

    private static bool Same(Array a, Array b) =>
        a.GetType() == b.GetType() && Enumerable.Range(0, a.Rank).All(i => a.GetLength(i) == b.GetLength(i)) && a.Cast<object>().SequenceEqual(b.Cast<object>());

    private static List<(string, int)> Drain(PriorityQueue<string, int> queue)
    {
        var copy = new PriorityQueue<string, int>(queue.UnorderedItems);
        List<(string, int)> items = [];
        while (copy.TryDequeue(out string element, out int priority)) items.Add((element, priority));
        return items;
    }
}
