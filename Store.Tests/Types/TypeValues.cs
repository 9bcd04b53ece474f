// One value with every type as a member: for the tests here, and for the trimmed program (Store.TrimTest), which compiles this file too.

using System.Buffers;
using System.Collections;
using System.Collections.Concurrent;
using System.Collections.Frozen;
using System.Collections.Immutable;
using System.Collections.Specialized;
using System.Drawing;
using System.Globalization;
using System.Net;
using System.Numerics;
using System.Text;
using System.Text.Json;
using System.Text.Json.Nodes;
using Store.Serialization;

namespace Store.Tests.Types;

public static class TypeValues
{
    public static Leaf A { get; } = new(1, "a");

    public static Leaf B { get; } = new(2, null);

    public static ManyScalars Scalars() => new(
        -1, 2, BigInteger.Pow(-3, 99), new(1, 2), new(1, 2), new(1, 2, 3), new(1, 2, 3, 4), new(1, 2, 3, 4), new(1, 2, 3, 4), new(1, 2, 3, 4, 5, 6),
        Matrix4x4.CreateRotationX(1), ^1, 1..^2, new BitVector32(5), null, 7, null, new Vector3(4, 5, 6), null, 0, Range.All);

    public static ScalarArrays Arrays() => new()
    {
        A = [-1, 1], B = [1], C = [1, -1], D = [new(1, 2)], E = [new(1, 2)], F = [new(1, 2, 3), new(4, 5, 6)], G = [Quaternion.Identity], H = [Matrix4x4.Identity], I = [1, ^1], J = [Range.All, null],
        K = [new("6f2c1a52-91b4-4b57-8d3a-0d6a7c1e55f0")], L = [TimeSpan.FromDays(1)], M = [(Half)1], N = [Int128.MinValue], O = [new Rune('x')], P = [null, DateTimeOffset.UnixEpoch],
    };

    public static ManyTexts Texts() => new()
    {
        A = new StringBuilder("a"), B = new Uri("https://example.org"), C = new Version(1, 2, 3), D = new BitArray(9, true), E = CultureInfo.InvariantCulture, F = CultureInfo.InvariantCulture.CompareInfo,
        G = TimeZoneInfo.Utc, H = new UTF8Encoding(false), Ha = StringComparer.OrdinalIgnoreCase, Hb = new HashSet<string>(StringComparer.InvariantCulture).Comparer, Hc = Comparer<string>.Default, I = IPAddress.IPv6Loopback, J = new IPEndPoint(IPAddress.Any, 1), K = Color.Blue, Kn = Color.FromArgb(7), L = JsonElement.Parse("1"),
        M = JsonDocument.Parse("[true]"), N = JsonNode.Parse("\"x\""), O = new JsonObject { ["a"] = 1 }, P = new NameValueCollection { { "k", "v" } }, Q = "\u20AC", R = ["\uD800", null], S = new() { ["\u20AC"] = "b" }, T = typeof(Leaf), U = new() { [typeof(int)] = [typeof(ManyTexts), null] },
        V = new TimeoutException("late", new NinoSerializationException("own")), W = [new ArgumentException("odd", "count"), null],
    };

    public static ManyCollections Collections()
    {
        Leaf a = A, b = B;
        return new ManyCollections
        {
            A = new([1, 2]), B = new(["x", null]), C = new([a, null]), D = [1], E = [1], F = new([1]), G = new([1]), H = new([1]), I = new([1, 2]), J = [1, 2], K = new(new ConcurrentQueue<int>([1])),
            L = new() { [1] = a }, M = [a, null], Mn = null, N = [1], O = [1, 2], P = ImmutableStack.Create(1, 2), Q = [1], R = [2, 1], S = ImmutableDictionary<int, Leaf>.Empty.Add(1, b),
            T = ImmutableSortedDictionary<int, int>.Empty.Add(2, 1), U = ImmutableArray.Create(1), V = ImmutableQueue.Create(1), W = ImmutableStack.Create(1, 2), X = ImmutableSortedSet.Create(1), Y = ImmutableSortedDictionary<int, int>.Empty.Add(1, 1),
            Z = new[] { 1 }.ToFrozenSet(), Aa = new Dictionary<int, int> { [1] = 2 }.ToFrozenDictionary(), Ab = [2, 1], Ac = new() { [2] = 1, [1] = 2 }, Ad = new() { [2] = 1, [1] = 2 }, Ae = new() { [2] = 1, [1] = 2 },
            Af = new(new Dictionary<int, int> { [1] = 2 }), Ag = new(new HashSet<int> { 1 }), Ah = new([(a, 2), (b, 1)]), Ai = new SortedSet<int> { 1 }, Aj = new HashSet<int> { 1 },
            Ak = new[] { a, b }.GroupBy(static _ => 1).Single(), Al = new[] { a, b }.ToLookup(static leaf => leaf.Id), Am = new(() => a), An = new[] { 1, 2 }, Ao = new[] { a }, Ap = new([1, 2, 3], 1, 1),
            Aq = new ReadOnlySequence<byte>([1, 2]), Ar = new[,] { { 1, 2 }, { 3, 4 } }, As = new Leaf?[1, 1, 2] { { { a, null } } }, At = [new int[1, 2]], Au = new int[,][] { { [1], [2, 3] } },
            Av = Three.Of(1, 2, 3), Avn = Three.Of(4, 5, 6), Aw = [1, 2], Ax = new() { [1] = "x" }, Ay = new(1, 2, 3, 4, 5, 6, 7, Tuple.Create(8, "n")),
            Az = (1, 2, 3, 4, 5, 6, 7, 8, "nine"),
            Ba = With<OwnQueue>(static one => { one.Enqueue(1); one.Enqueue(2); }), Bb = With<OwnStack>(one => { one.Push(a); one.Push(null); }), Bc = With<OwnPriorityQueue>(one => { one.Enqueue(a, 2); one.Enqueue(b, 1); }),
            Bd = With<OwnConcurrentQueue>(static one => { one.Enqueue(1); one.Enqueue(2); }), Be = With<OwnConcurrentStack>(static one => { one.Push(1); one.Push(2); }), Bf = [1, 2],
            Bg = With<OwnLinkedList>(static one => { one.AddLast(1); one.AddLast(2); }), Bh = [2, 1], Bi = new ConcurrentStack<Leaf?>([a, null]),
        };
    }

    public static ManyShapes Shapes() => new(
        new(1, -2), new(1.5f, -0f), new(3, 4), new(5, 6), new(1, 2, 3, 4), new(1, 2, 3, 4), null, new RectangleF(0, 0, 1, 1), [new(1, 2), new(3, 4)], [new(1, 2, 3, 4)], new() { [new(1, 2)] = new(3, 4) });

    private static T With<T>(Action<T> fill) where T : new()
    {
        var made = new T();
        fill(made);
        return made;
    }

    public static Weather Weather() => new()
    {
        Inside = 21.5, Outside = -3.25, Place = new Tag("here"), Tags = [new Tag("a"), null], ByNumber = new() { [1] = new Tag("x") },
    };
}
