namespace Store.Tests.Generator;

/// <summary>[NinoType(NonPublic = true)]: what a class keeps to itself is stored without a mark on each member.</summary>
public sealed class NonPublicTests
{
    [Fact]
    public void AnAggregateIsStoredWithOneMark() => Programs.Run("""
        [NinoType] public readonly record struct OrderId(Guid Value);
        [NinoType] public record struct Money(decimal Amount, string Currency);
        [NinoType(NonPublic = true)] public abstract class Entity
        {
            private readonly List<string> _events = [];
            public OrderId Id { get; protected set; }
            public int Version { get; private set; }
            public IReadOnlyCollection<string> Events => _events.AsReadOnly();
            protected void Raise(string what) { _events.Add(what); Version++; }
        }
        [NinoType] public sealed class Line { public string Sku { get; init; } = ""; public int Count { get; init; } }
        [NinoType(NonPublic = true)] public sealed class Order : Entity
        {
            private readonly List<Line> _lines = [];
            private readonly object _gate = new();
            private object _sync = new();
            private Func<int>? _clock;
            [NinoIgnore] private int _asked;
            private Order() => Customer = "";
            private Order(OrderId id, string customer) { Id = id; Customer = customer; Raise("placed"); }
            public static Order Place(string customer) => new(new OrderId(Guid.NewGuid()), customer);
            public string Customer { get; private set; }
            public Money Total { get; private set; }
            internal bool IsPaid { get; private set; }
            public IReadOnlyList<Line> Lines => _lines;
            public int Count => _lines.Count + (_asked++ & 0);
            public void Add(string sku, int count) { lock (_gate) lock (_sync) _lines.Add(new Line { Sku = sku, Count = count }); Total = new Money(Total.Amount + count, "EUR"); Raise("added " + sku); }
            public void Pay() { IsPaid = true; _clock = () => 1; Raise("paid"); }
            public int Tick() => _clock is null ? 0 : 1;
        }
        """, """
        Order order = Order.Place("Ann");
        order.Add("a", 2);
        order.Add("b", 3);
        order.Pay();
        Order copy = Copy(order);
        Equal((order.Id, 4, "Ann", new Money(5, "EUR"), true, 2, "b", 0), (copy.Id, copy.Version, copy.Customer, copy.Total, copy.IsPaid, copy.Count, copy.Lines[1].Sku, copy.Tick()));
        Equal("placed added a added b paid", string.Join(" ", copy.Events));
        copy.Add("c", 1);
        Equal(6m, copy.Total.Amount);
        Equal("0:Version:Int32 0:Total:Money 0:IsPaid:Boolean".Length > 0, Fields<Order>().Contains("_lines"));
        """);

    [Theory]
    [InlineData("private int _a; public int Id; public void Add() => _a++;", "Id _a")]
    [InlineData("private protected int P { get; set; } internal int B { get; init; } public int C { get; private set; } public int D { internal get; set; } public int Twice => P * 2;", "B C D P")]
    [InlineData("private readonly string _text = \"\"; private const int Most = 3; private static int s_count; public int Id; public int Sum() => Most + s_count++ + _text.Length;", "Id _text")]
    [InlineData("private string _name = \"\"; public string Name { get => _name; set => _name = value ?? throw new ArgumentNullException(); }", "Name")]
    [InlineData("private bool _isSealed; private string _name = \"\"; public string Name { get => _name; set { if (_isSealed) return; _name = value; } } public void Seal() => _isSealed = true;", "Name _isSealed _name")]
    [InlineData("private string Kind { get; } = \"x\"; public int Id; public string Ask() => Kind;", "Id")]
    [InlineData("private string _name = \"\"; [NinoIgnore] public string Name { get => _name; set => _name = value; }", "_name")]
    [InlineData("private string _name = \"\"; public int Length { get => _name.Length; set => _name = new string('x', value); }", "Length _name")]
    [InlineData("private event Action? Changed; private readonly System.Threading.Lock _lock = new(); private readonly Lazy<int> _lazy = new(() => 3); private Action? _done; public int Id; public void On(Action done) => _done = done; public int Raise() { Changed?.Invoke(); _done?.Invoke(); lock (_lock) return _lazy.Value; }", "Id")]
    [InlineData("[NinoIgnore] private int _a; [NinoMember(3)] private int _b; public int Id; public int Sum() => _a++ + _b++;", "Id _b")]
    public void ItsFieldsAutoPropertiesAndSettersAre(string members, string stored) => Programs.Run($"[NinoType(NonPublic = true)] public class A {{ {members} }}", $$"""
        Copy(new A());
        Equal("{{stored}}", string.Join(" ", System.Linq.Enumerable.Order(System.Linq.Enumerable.Select(((ObjectDefinition)NinoSerializer.SchemaOf<A>().Root.Definition!).Fields, field => field.Name), StringComparer.Ordinal)));
        """);

    [Fact]
    public void AnOverrideIsStoredAsWhatItOverrides() => Programs.Run("""
        [NinoType(NonPublic = true)] public abstract class B { protected virtual int Version { get; set; } public int Next() => ++Version; }
        [NinoType] public class D : B { public int Id; protected override int Version { get; set; } }
        """, """
        var d = new D();
        d.Next();
        Equal(2, Copy(d).Next());
        """);

    [Fact]
    public void APublicCollectionWithAPrivateSetterNeedsNoMark() => Programs.Run("""
        [NinoType] public class Cart
        {
            public List<string> Items { get; private set; } = [];
            public string[]? Tags { get; protected set; }
            public void Replace(params string[] items) { Items = [.. items]; Tags = items; }
        }
        """, """
        var cart = new Cart();
        cart.Replace("a", "b");
        Cart copy = Copy(cart);
        Equal("a b 2", string.Join(" ", copy.Items) + " " + copy.Tags!.Length);
        """);

    [Fact]
    public void SoItIsInAnotherAssembly() => GeneratorHarness.DiagnoseWithLibrary("[NinoType] public class Cart { public int Id; public List<string> Items { get; private set; } = []; public void Replace() => Items = []; }", "[NinoType] public class Big : Cart { public int Size; }", isReferenceAssembly: true).ToList().ForEach(static one => Assert.Fail(one.ToString()));

    [Theory]
    [InlineData("NINO011", "[NinoType(NonPublic = true)] public class A { private System.IO.Stream? _a; public int Id; public bool Has() => _a is not null; }")]
    [InlineData("NINO004", "[NinoType(NonPublic = true)] public class A { private A(int x) { } public int Id; public static A Make() => new(3); }")]
    [InlineData("NINO004", "[NinoType] public class A { private A() { } public int Id; public static A Make() => new(); }")]
    // A base says so for itself.
    [InlineData("NINO017", "public class B { private int _b; public int Twice => _b * 2; public void Add() => _b++; } [NinoType(NonPublic = true)] public class A : B { private int _a; public int Id; public int Sum() => _a; }")]
    // A parameter that code names is no member that could be stored.
    [InlineData("NINO017", "[NinoType(NonPublic = true)] public class A(int x = 3) { public int Id; public int Twice => x * 2; }")]
    public void WhatIsNotReachedByItIsToldAsEver(string id, string source) => Assert.Equal(id, Assert.Single(GeneratorHarness.Diagnose(source)).Id);
}
