// A value of every row of docs/types.md, as records that both run: the tests, which hold them against the page (EveryRowTests), and the trimmed program (Store.TrimTest), which compiles this file too.

using System.Dynamic;
using System.Text;
using System.Text.Json.Nodes;
using Store.Serialization;
using Store.Tests.Generator.Objects;
using Store.Tests.Generator.RoundTrips;

namespace Store.Tests.Types;

/// <summary>What is done with each record.</summary>
public interface IRowRun
{
    void Run<T>(T value);
}

/// <summary>What stands in none of the other records.</summary>
[NinoType]
public sealed class ManyMore
{
    public JsonArray? A;
    public JsonValue? B;
    public List<int>? C;
    public HashSet<int>? D;
    public Dictionary<int, string>? E;
    public IEnumerable<int>? F;
    public ICollection<int>? G;
    public IList<int>? H;
    public IReadOnlyCollection<int>? I;
    public IReadOnlyList<int>? J;
    public IDictionary<int, string>? K;
    public IReadOnlyDictionary<int, string>? L;
    public KeyValuePair<int, string> M;
    public (int, string) N;
    public Tuple<int, string>? O;
    public ValueTuple P;
    public byte[,,,]? Q;
}

public static class EveryRow
{
    /// <summary>All of it, but for F# (FSharpRows).</summary>
    public static void Run(IRowRun run)
    {
        run.Run(Primitives());
        run.Run(TypeValues.Scalars());
        run.Run(TypeValues.Arrays());
        run.Run(TypeValues.Shapes());
        run.Run(TypeValues.Texts());
        run.Run(TypeValues.Collections());
        run.Run(Loosened());
        run.Run(new SpecializedBag { Hybrid = new() { ["a"] = 1, [2] = "b" }, Short = new() { ["c"] = null }, Texts = ["d", null] });
        run.Run(OwnLoosened());
        run.Run(More());
    }

    private static Primitives Primitives() => new(
        true, -1, 2, -3, 4, -5, 6, -7, 8, Int128.MinValue, UInt128.MaxValue, (Half)1.5, 1.5f, -2.5, 1.5m, 'x', new Rune('r'), Guid.Empty,
        DateTime.UnixEpoch, DateTimeOffset.UnixEpoch, TimeSpan.FromHours(1), new DateOnly(2026, 1, 2), new TimeOnly(1, 2), "s", null, Guid.Empty);

    private static Loosened Loosened()
    {
        IDictionary<string, object?> expando = new ExpandoObject();
        expando["Name"] = "n";
        return new Loosened
        {
            List = [1, "a"], Queue = new(new object[] { 2.5 }), Stack = new(new object[] { 1, 2 }), Any = new[] { 1 }, Some = new[] { "x" }, Listed = new object[] { 1m },
            Table = new() { ["k"] = 1 }, Sorted = new() { [2] = "b" }, Ordered = new() { ["z"] = null }, Map = new Dictionary<string, int> { ["b"] = 2 }, Expando = (ExpandoObject)expando,
        };
    }

    private static OwnLoosened OwnLoosened()
    {
        var value = new OwnLoosened { List = [1, "a", null], Queue = new(), Stack = new(), Texts = ["b", null], Suits = new() { Suit.Hearts, Suit.Clubs }, Table = new() { ["k"] = 1 }, Prices = new() { ["p"] = 1.5m } };
        value.Queue.Enqueue(1);
        value.Queue.Enqueue(null);
        value.Stack.Push(2);
        value.Stack.Push("top");
        return value;
    }

    private static ManyMore More() => new()
    {
        A = new(1, "a", null, new JsonObject { ["b"] = true }), B = JsonValue.Create(1.5m), C = [1, 2], D = [3, 4], E = new() { [5] = "e" }, F = [6], G = [7], H = [8], I = [9], J = [10],
        K = new Dictionary<int, string> { [11] = "k" }, L = new Dictionary<int, string> { [12] = "l" }, M = new(13, "m"), N = (14, "n"), O = new(15, "o"), Q = new byte[,,,] { { { { 1, 2 } }, { { 3, 4 } } } },
    };
}
