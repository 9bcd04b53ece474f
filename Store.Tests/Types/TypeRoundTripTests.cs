using System.Buffers;
using System.Collections.Concurrent;
using System.Collections.Frozen;
using System.Collections.Immutable;
using System.Collections.ObjectModel;
using System.Numerics;
using System.Text;
using System.Text.Json;
using Store.Serialization;
using Store.Serialization.Codecs;
using Store.Tests.Generator.RoundTrips;

namespace Store.Tests.Types;

/// <summary>Every type as a member of a generated record: round trip, the walk by schema, every cut, and what tools see without the type.</summary>
public sealed class TypeRoundTripTests
{
    [Fact]
    public void NumbersVectorsAndIndexes()
    {
        ManyScalars value = TypeValues.Scalars();
        Assert.Equal(value, RoundTrip.Of(value));
        Assert.Contains("\"C\":\"-" + BigInteger.Pow(3, 99) + "\"", Json(value));
        Assert.Contains("\"F\":{\"X\":1,\"Y\":2,\"Z\":3}", Json(value));
    }

    [Fact]
    public void PointsSizesAndRectangles()
    {
        ManyShapes value = TypeValues.Shapes();
        ManyShapes copy = RoundTrip.Of(value);
        Assert.Equal(value, copy with { I = value.I, J = value.J, K = value.K });
        Assert.Equal(value.I, copy.I);
        Assert.Equal(value.J, copy.J);
        Assert.Equal(value.K, copy.K);
        Assert.Contains("\"D\":{\"Width\":5,\"Height\":6},\"E\":{\"X\":1,\"Y\":2,\"Width\":3,\"Height\":4}", Json(value));
    }

    [Fact]
    public void ArraysOfThem()
    {
        ScalarArrays value = TypeValues.Arrays();
        Assert.Equivalent(value.C, RoundTrip.Of(value).C);
        ScalarArrays copy = RoundTrip.Of(value);
        Assert.Equal(value.A, copy.A);
        Assert.Equal(value.F, copy.F);
        Assert.Equal(value.I, copy.I);
        Assert.Equal(value.J, copy.J);
        Assert.Equal(value.K, copy.K);
        Assert.Equal(value.P, copy.P);
        Assert.Null(RoundTrip.Of(new ScalarArrays()).F);
    }

    [Fact]
    public void Texts()
    {
        ManyTexts value = TypeValues.Texts();
        ManyTexts copy = RoundTrip.Of(value);
        Assert.Equal(("a", value.B, value.C, 9), (copy.A!.ToString(), copy.B, copy.C, copy.D!.Count));
        Assert.Equal((value.E, value.F, value.G, value.H), (copy.E, copy.F, copy.G, copy.H));
        Assert.Equal((value.I, value.J, value.K, value.Kn), (copy.I, copy.J, copy.K, copy.Kn));
        Assert.Equal(("1", true, "x", "{\"a\":1}", "v"), (copy.L!.Value.GetRawText(), copy.M!.RootElement[0].GetBoolean(), (string?)copy.N, copy.O!.ToJsonString(), copy.P!["k"]));
        Assert.Equal(value.Q, copy.Q);
        Assert.Equal(value.R, copy.R);
        Assert.Equal(value.S, copy.S);
        Assert.Equal(("late", "own", "odd (Parameter 'count')"), (Assert.IsType<TimeoutException>(copy.V).Message, Assert.IsType<NinoStoredException>(copy.V.InnerException).Message, Assert.IsType<ArgumentException>(copy.W![0]).Message));
        Assert.Null(RoundTrip.Of(new ManyTexts()).L);
        Assert.Contains("\"Q\":\"\u20AC\"", Json(value));
        Assert.Contains("\"S\":{\"\u20AC\":\"b\"}", Json(value));
        Assert.Contains("\"I\":\"::1\"", Json(value));
    }

    [Fact]
    public void Collections()
    {
        Leaf a = TypeValues.A, b = TypeValues.B;
        ManyCollections value = TypeValues.Collections();
        ManyCollections copy = RoundTrip.Of(value);
        Assert.Equal(value.A, copy.A);
        Assert.Equal(value.B, copy.B);
        Assert.Equal(value.C, copy.C);
        Assert.Equal(value.I, copy.I);
        Assert.Equal(value.J, copy.J);
        Assert.Equal(value.L, copy.L);
        Assert.Equal(value.M.ToArray(), copy.M.ToArray());
        Assert.Equal(value.P, copy.P);
        Assert.Equal(value.W, copy.W);
        Assert.Equal(value.S, copy.S);
        Assert.Equal(value.Ae, copy.Ae);
        Assert.IsType<ImmutableList<int>>(copy.U);
        Assert.IsType<ImmutableHashSet<int>>(copy.X);
        Assert.Equal((b, 1), (copy.Ah!.Dequeue(), copy.Ah.Count));
        Assert.Equal(value.Ak, copy.Ak);
        Assert.Equal([b], copy.Al![2]);
        Assert.Equal(a, copy.Am!.Value);
        Assert.Equal(value.Ar, copy.Ar);
        Assert.Equal(value.As, copy.As);
        Assert.Equal(value.Au, copy.Au);
        Assert.Equal(3, copy.Av[2]);
        Assert.Equal(value.Aw, copy.Aw);
        Assert.Equal(value.Ax, copy.Ax);
        Assert.Equal(value.Ay, copy.Ay);
        Assert.Equal(value.Az, copy.Az);
        Assert.Equal(value.Ba, copy.Ba);
        Assert.Equal(value.Bb, copy.Bb);
        Assert.Equal((b, 1), (copy.Bc!.Dequeue(), copy.Bc.Count));
        Assert.Equal(value.Bd, copy.Bd);
        Assert.Equal(value.Be, copy.Be);
        Assert.Equal(value.Bf, copy.Bf);
        Assert.Equal(value.Bg, copy.Bg);
        Assert.Equal(value.Bh, copy.Bh);
        Assert.Equal([null, a], Assert.IsType<ConcurrentQueue<Leaf?>>(copy.Bi));
        Assert.True(copy.An.Span.SequenceEqual(value.An.Span));
        Assert.Contains("\"Ar\":{\"Lengths\":[2,2],\"Elements\":[1,2,3,4]}", Json(value));

        // ImmutableArray and ArraySegment have a null of their own.
        ManyCollections empty = RoundTrip.Of(new ManyCollections());
        Assert.True(empty.M.IsDefault);
        Assert.Null(empty.Ap.Array);
        Assert.Null(empty.Ar);
    }

    [Fact]
    public void ATypeThatReachesItselfThroughGridsAndLazyValuesIsRead()
    {
        var tree = new TreeOfGrids
        {
            Id = 1,
            Children = new TreeOfGrids?[2, 1] { { new TreeOfGrids { Id = 2, Children = new TreeOfGrids?[0, 3] } }, { null } },
            Later = new Lazy<TreeOfGrids>(static () => new TreeOfGrids { Id = 3 }),
            Waiting = new Queue<TreeOfGrids>([new TreeOfGrids { Id = 4 }]),
        };
        TreeOfGrids copy = RoundTrip.Of(tree);
        Assert.Equal((2, 3, 3, 4), (copy.Children![0, 0]!.Id, copy.Children[0, 0]!.Children!.GetLength(1), copy.Later!.Value.Id, copy.Waiting!.Peek().Id));
    }

    // Inside a recursive object room grows with what was read, so a grid of more elements than that is made when all are there.
    [Fact]
    public void AGridOfManyElementsInsideARecursiveObjectIsRead()
    {
        var tree = new TreeOfGrids { Id = 1, Children = new TreeOfGrids?[41, 31] };
        tree.Children[40, 30] = new TreeOfGrids { Id = 2 };
        TreeOfGrids copy = RoundTrip.Of(tree);
        Assert.Equal((41, 31, 2), (copy.Children!.GetLength(0), copy.Children.GetLength(1), copy.Children[40, 30]!.Id));
        Assert.Null(copy.Children[40, 29]);
    }

    [Fact]
    public void AGridCostsItselfAndItsLengthsAndWritingItNothing()
    {
        int[,] grid = new int[300, 7];
        grid[299, 6] = 5;
        byte[] bytes = NinoSerializer.Serialize(grid);
        var output = new ArrayBufferWriter<byte>(2 * bytes.Length);
        Assert.Equal(0, Allocated.Least(() =>
        {
            output.ResetWrittenCount();
            NinoSerializer.Serialize(output, in grid);
        }));
        long itself = Allocated.Least(() => GC.KeepAlive(new int[300, 7])), lengths = Allocated.Least(() => GC.KeepAlive(new int[2]));
        Assert.Equal(itself + lengths, Allocated.Least(() => NinoSerializer.Deserialize<int[,]>(bytes)));
    }

    [Fact]
    public void AsDeepAsTheLimitAllowsToolsReadWhatTheCodecReads()
    {
        for (int depth = 1; depth < 80; depth++)
        {
            TreeOfGrids tree = new();
            for (int i = 1; i < depth; i++) tree = new TreeOfGrids { Children = new TreeOfGrids?[1, 1] { { tree } } };
            byte[] bytes;
            try
            {
                bytes = NinoSerializer.Serialize(tree);
            }
            catch (NinoSerializationException error)
            {
                Assert.Contains("deeper", error.Message);
                Assert.Equal(33, depth);
                return;
            }

            NinoSerializer.Deserialize<TreeOfGrids>(bytes);
            RoundTrip.Walk(bytes, NinoSerializer.SchemaOf<TreeOfGrids>());
            NinoValue.Decode(NinoSerializer.SchemaOf<TreeOfGrids>(), bytes);
        }

        Assert.Fail("No depth was refused.");
    }

    [Fact]
    public void AQueueThatWentRoundItsBufferIsReadInItsOrder()
    {
        var queue = new Queue<string>(4);
        for (int i = 0; i < 4; i++) queue.Enqueue($"{i}");
        queue.Dequeue();
        queue.Dequeue();
        queue.Enqueue("4");
        queue.Enqueue("5");
        ManyQueues copy = RoundTrip.Of(new ManyQueues(queue, 7, new Queue<int>([1, 2, 3, 4])));
        Assert.Equal(["2", "3", "4", "5"], copy.Full);
        Assert.Equal((7, 10), (copy.Next, copy.Numbers.Sum()));
    }

    [Fact]
    public void CollectionsAreReadAfterRemoveAndDequeue()
    {
        var map = new Dictionary<int, string> { [1] = "a", [2] = "b", [3] = "c" };
        map.Remove(2);
        map.Remove(3);
        map[4] = "d";
        var set = new HashSet<string> { "a", "b", "c" };
        set.Remove("b");
        var stack = new Stack<int>([1, 2, 3]);
        stack.Pop();
        var concurrent = new ConcurrentStack<int>([1, 2, 3]);
        concurrent.TryPop(out _);
        var links = new LinkedList<int>([1, 2, 3]);
        links.RemoveFirst();
        var ordered = new OrderedDictionary<int, int> { [1] = 1, [2] = 2, [3] = 3 };
        ordered.Remove(1);
        Removed copy = RoundTrip.Of(new Removed(map, set, stack, concurrent, links, ordered, 9));
        Assert.Equal(map, copy.Map);
        Assert.True(set.SetEquals(copy.Set));
        Assert.Equal([2, 1], copy.Stack);
        Assert.Equal([2, 1], copy.Concurrent);
        Assert.Equal([2, 3], copy.Links);
        Assert.Equal([2, 3], copy.Ordered.Keys);
        Assert.Equal(9, copy.Next);
    }

    [Fact]
    public void KnownComparersAreKeptBehindEveryDeclaration()
    {
        StringComparer upper = StringComparer.OrdinalIgnoreCase;
        var value = new Compared
        {
            A = new(upper) { ["a"] = 1 }, B = new(upper) { "a" }, C = new(upper) { ["a"] = 1 }, D = new(upper) { ["a"] = 1 }, E = new SortedDictionary<string, int>(StringComparer.Ordinal) { ["a"] = 1 },
            F = new HashSet<string>(upper) { "a" }, G = new Dictionary<string, int> { ["a"] = 1 }.ToFrozenDictionary(upper), H = ImmutableHashSet.Create(upper, "a"), I = new Dictionary<string, int>(upper) { ["a"] = 1 },
        };
        Compared copy = RoundTrip.Of(value);
        Assert.All([copy.A!["A"], copy.C!["A"], copy.D!["A"], copy.G!["A"], copy.I!["A"]], static found => Assert.Equal(1, found));
        Assert.True(copy.B!.Contains("A") && copy.F!.Contains("A") && copy.H!.Contains("A"));
        Assert.False(copy.E!.ContainsKey("A"));
        Assert.Contains("\"A\":{\"a\":1}", Json(value));
        Assert.Equal(NinoSerializer.Serialize(new Compared { A = new() { ["a"] = 1 } }).Length + 2, NinoSerializer.Serialize(new Compared { A = new(upper) { ["a"] = 1 } }).Length);
    }

    [Fact]
    public void AFinerComparerBehindAnInterfaceIsRefusedWhenItReallyKeepsEqualKeysApart()
    {
        string twin = new('a', 1);
        var finer = new ConcurrentDictionary<string, int>(ReferenceEqualityComparer.Instance) { ["a"] = 1, [twin] = 2 };
        Assert.Contains("comparer", Assert.Throws<NinoSerializationException>(() => NinoSerializer.Serialize(new Compared { E = finer })).Message);
        Assert.Contains("comparer", Assert.Throws<NinoSerializationException>(() => NinoSerializer.Serialize(new Compared { I = new ReadOnlyDictionary<string, int>(finer) })).Message);
        Assert.Contains("comparer", Assert.Throws<NinoSerializationException>(() => NinoSerializer.Serialize(new Compared { F = new SortedSet<string>(Comparer<string>.Create((x, y) => ReferenceEquals(x, y) ? 0 : 1)) { "a", twin } })).Message);
        finer.TryRemove(twin, out _);
        Assert.Equal(["a"], RoundTrip.Of(new Compared { E = finer }).E!.Keys);
    }

    [Fact]
    public void AnOrderThatCannotBeKeptIsRefused()
    {
        Comparer<string> backwards = Comparer<string>.Create(static (a, b) => string.CompareOrdinal(b, a));
        Assert.Contains("order", Assert.Throws<NinoSerializationException>(() => NinoSerializer.Serialize(new Compared { C = new(backwards) })).Message);
        Assert.Contains("order", Assert.Throws<NinoSerializationException>(() => NinoSerializer.Serialize(new ManyCollections { Ah = new(Comparer<int>.Create(static (a, b) => b - a)) })).Message);
    }

    [Fact]
    public void AListIsReadFromWhatASetWithAComparerWrote()
    {
        byte[] bytes = NinoSerializer.Serialize(new OneSet(new HashSet<string>(StringComparer.OrdinalIgnoreCase) { "a", "b" }));
        Assert.Equal(["a", "b"], NinoSerializer.Deserialize<OneList>(bytes).Value);
    }

    [Fact]
    public void ACodecOfTheUsersIsUsedOnAMemberAndWhereverItsTypeIs()
    {
        Weather value = TypeValues.Weather();
        Weather copy = RoundTrip.Of(value);
        Assert.Equal((21.5, -3.25, "here", "a", null, "x"), (copy.Inside, copy.Outside, copy.Place!.Text, copy.Tags![0]!.Text, copy.Tags[1]?.Text, copy.ByNumber![1].Text));
        Assert.Contains("\"Inside\":215", Json(value));
        Assert.Equal(new Reading(1.5, 2), RoundTrip.Of(new Reading(1.5, 2)));
        Assert.Equal(6, NinoCodec<Reading>.Default.FixedSize);
    }

    [Fact]
    public void ACodecThatContradictsItsSchemaIsNamed() =>
        Assert.Contains("LyingCodec", Assert.Throws<InvalidOperationException>(() => new CodecAdapter<int, CustomCodec<int, LyingCodec>>().Schema).Message);

    [Fact]
    public void WritingWhatOwnsOrLendsItsElementsAllocatesNothing()
    {
        var queue = new Queue<int>([1, 2, 3]);
        queue.Dequeue();
        queue.Enqueue(4);
        var value = new Lent(queue, new Stack<int>([1, 2]), new LinkedList<int>([1, 2]), [1, 2], new[] { 1, 2 }, Three.Of(1, 2, 3), new Vector3(1, 2, 3), BigInteger.One << 100, new(StringComparer.Ordinal) { ["a"] = 1 });
        byte[] room = new byte[1000];
        for (int i = 0; i < 3; i++) Write();
        Assert.Equal(0, Allocated.Least(() =>
        {
            for (int i = 0; i < 10; i++) Write();
        }));

        void Write()
        {
            var writer = new NinoWriter(room);
            NinoCodec<Lent>.Default.WriteRecord(ref writer, in value);
        }
    }

    [Fact]
    public void ATypeThatNamesItsCodecIsARecordWhenItIsMarkedToo()
    {
        Assert.Equal("x", RoundTrip.Of(new MarkedTag("x")).Text);
        Assert.Equal([3, (byte)'x'], NinoSerializer.Serialize(new MarkedTag("x")));
    }

    private static string Json<T>(T value)
    {
        var output = new ArrayBufferWriter<byte>();
        using (var writer = new Utf8JsonWriter(output, new JsonWriterOptions { Encoder = System.Text.Encodings.Web.JavaScriptEncoder.UnsafeRelaxedJsonEscaping }))
            NinoJson.Write(writer, NinoSchema.Parse(NinoSerializer.SchemaOf<T>().CanonicalBytes.Span), NinoSerializer.Serialize(value));
        return Encoding.UTF8.GetString(output.WrittenSpan);
    }
}

[NinoType]
public sealed record ManyQueues(Queue<string> Full, int Next, Queue<int> Numbers);

[NinoType]
public sealed record Removed(Dictionary<int, string> Map, HashSet<string> Set, Stack<int> Stack, ConcurrentStack<int> Concurrent, LinkedList<int> Links, OrderedDictionary<int, int> Ordered, int Next);

[NinoType]
public sealed record Lent(Queue<int> A, Stack<int> B, LinkedList<int> C, ImmutableArray<int> D, ReadOnlyMemory<int> E, Three F, Vector3 G, BigInteger H, Dictionary<string, int> I);

[NinoType, NinoCodec(typeof(MarkedTagCodec))]
public sealed class MarkedTag(string text)
{
    public string Text { get; } = text;
}

public readonly struct MarkedTagCodec : Store.Serialization.INinoCodec<MarkedTag?>
{
    public static int MinSize => 1;

    public static SchemaNode Describe(SchemaBuilder builder) => SchemaNode.Primitive(SchemaKind.String);

    public void Write(ref NinoWriter writer, in MarkedTag? value) => default(Store.Serialization.Codecs.StringCodec).Write(ref writer, value?.Text!);

    public MarkedTag? Read(ref NinoReader reader) => default(Store.Serialization.Codecs.StringCodec).Read(ref reader) is { } text ? new MarkedTag(text) : null;
}

[NinoType]
public sealed record OneSet(HashSet<string> Value);

[NinoType]
public sealed record OneList(List<string> Value);
