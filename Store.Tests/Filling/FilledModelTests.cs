using Store.Tests.Generator;

namespace Store.Tests.Filling;

/// <summary>Models of other assemblies whose collections have no setter: their code is out of sight, so what their getters give is looked at when the program runs.</summary>
public sealed class FilledModelTests
{
    private const string Library = """
        namespace ProtoBuf { public sealed class ProtoContractAttribute : Attribute; public sealed class ProtoMemberAttribute(int tag) : Attribute { public int Tag => tag; } }
        namespace Lib
        {
            using ProtoBuf; using System.Runtime.Serialization;
            [ProtoContract] public class Order
            {
                private readonly Dictionary<string, int> _counts = new(StringComparer.OrdinalIgnoreCase);
                [ProtoMember(1)] public int Id { get; set; }
                [ProtoMember(2)] public List<string> Lines { get; } = [];
                [ProtoMember(3)] public IDictionary<string, int> Counts => _counts;
                [ProtoMember(4)] public System.Collections.ObjectModel.ObservableCollection<int> Seen { get; private set; } = [];
                public int[] Skipped { get; } = [1];
            }
            [DataContract] public class Contract
            {
                [DataMember(Order = 1)] public HashSet<int> Tags { get; } = [];
                [DataMember(Order = 2)] public string? Name { get; set; }
            }
            public class Copying { public static bool Copies; private readonly List<int> _items = []; public List<int> Items => Copies ? [.. _items] : _items; }
        }
        """;

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void ModelsOfOtherSerializersAreFilled(bool seesReferenceAssembly) => Programs.Run("""
        using Lib;
        [assembly: NinoSerializable(typeof(Order))] [assembly: NinoSerializable(typeof(Contract))]
        """, """
        var order = new Order { Id = 1, Lines = { "a", "b" }, Counts = { ["x"] = 2 }, Seen = { 5 } };
        Order copy = Copy(order);
        Equal((1, "a,b", 2, 5), (copy.Id, string.Join(",", copy.Lines), copy.Counts["X"], copy.Seen[0]));
        Equal("1:Id:Int32 2:Lines:List 3:Counts:Map 4:Seen:List", Fields<Order>());
        Contract contract = Copy(new Contract { Tags = { 3, 4 }, Name = "n" });
        Equal(("3,4", "n"), (string.Join(",", contract.Tags), contract.Name));
        """, Library, seesReferenceAssembly);

    [Fact]
    public void AGetterThatGivesAnotherCollectionEachTimeIsNoticedBeforeAnythingIsWrittenAndWhenReading() => Programs.Run("""
        using Lib;
        [assembly: NinoSerializable(typeof(Copying))]
        """, """
        byte[] bytes = NinoSerializer.Serialize(new Copying { Items = { 1 } });
        Equal(1, Copy(new Copying { Items = { 1 } }).Items[0]);
        Copying.Copies = true;
        Refused(() => NinoSerializer.Serialize(new Copying()));
        Refused(() => NinoSerializer.Deserialize<Copying>(bytes));
        Copying? into = new();
        Refused(() => NinoSerializer.Deserialize(bytes, ref into));
        static void Refused(Action act)
        {
            try { act(); }
            catch (NinoSerializationException error) when (error.Message.Contains("'Lib.Copying.Items' has no setter, and its getter gives another collection each time it is called")) { return; }
            throw new InvalidOperationException("nothing was noticed");
        }
        """, Library);

    [Fact]
    public void AComputedCollectionOfAnotherAssemblyIsRefusedFromTheFirstRecordOn() => Programs.Run("""
        using Lib;
        [assembly: NinoSerializable(typeof(Copying))]
        """, """
        Copying.Copies = true;
        try { NinoSerializer.Serialize(new Copying()); }
        catch (NinoSerializationException error) when (error.Message.Contains("it gives another collection each time")) { Records.Add(([1], NinoSerializer.SchemaOf<Copying>())); return; }
        throw new InvalidOperationException("it was written");
        """, Library);

    /// <summary>A member that is computed from the collection is what was read when that is filled.</summary>
    [Fact]
    public void OneThatAnotherMemberIsComputedFromIsFilled() => Programs.Run("""
        [NinoType] public class Order { private readonly List<string> _lines; public List<string> Lines => _lines; public string[] Upper { get => [.. _lines.ConvertAll(static x => x.ToUpperInvariant())]; set { } } public int[] Lengths { get => [.. Lines.ConvertAll(static x => x.Length)]; set { } } public Order(int capacity) => _lines = new(capacity); public Order() : this(0) { } }
        [NinoType(References = true)] public class Linked { private List<string> _lines = []; public List<string> Lines => _lines; public string[] Upper { get => [.. _lines.ConvertAll(static x => x.ToUpperInvariant())]; set { } } }
        """, """
        Order order = new() { Lines = { "a", "bc" } }, copy = Copy(order);
        Equal(("a,bc", "A,BC", "1,2"), (string.Join(",", copy.Lines), string.Join(",", copy.Upper), string.Join(",", copy.Lengths)));
        Equal("A", Copy(new Linked { Lines = { "a" } }).Upper[0]);
        """);

    /// <summary>It is what was read when all are filled and set, whatever it is before.</summary>
    [Fact]
    public void OneThatIsComputedFromSeveralMembersIsRead() => Programs.Run("""
        using System.Collections.Concurrent;
        [NinoType] public class Order
        {
            private readonly List<string> _a, _b;
            public List<string> A => _a;
            public List<string> B => _b;
            public string[] Both { get => [.. A, .. B, Suffix]; set { if (value.Length > 99) throw new ArgumentException("too long"); } }
            public string[] First { get => [_a[0]]; set { if (value.Length > 99) throw new ArgumentException("too long"); } }
            public string Suffix { get; set; } = "";
            public string[] Tags { get => _tags; set => _tags = Array.ConvertAll(value, static one => one.Trim()); }
            private string[] _tags = [];
            public Order() : this(4) { }
            private Order(int capacity) { _a = new(capacity); _b = new(capacity); }
            public static Order Untrimmed(string tag) => new() { _tags = [tag], Suffix = "!", A = { "a" }, B = { "b" } };
        }
        """, """
        Order copy = Copy(Order.Untrimmed(" x "));
        Equal(("a,b,!", "a", "x"), (string.Join(",", copy.Both), copy.First[0], copy.Tags[0]));
        """);

    /// <summary>The compiler would bind the calls when they run.</summary>
    [Fact]
    public void ADynamicMemberBesideItIsStored() => Programs.Run("""
        [NinoType] public class Loose { private dynamic? _any; private readonly List<int> _a; public List<int> A => _a; public dynamic? Any { get => _any; set => _any = value; } public Loose() : this(4) { } private Loose(int capacity) => _a = new(capacity); }
        """, """
        Loose copy = Copy(new Loose { A = { 1 }, Any = "x" });
        Equal((1, (object?)"x"), (copy.A[0], (object?)copy.Any));
        """);

    /// <summary>As a total is that view models keep: what was stored is what it is when the lines are there.</summary>
    [Fact]
    public void WhatAnObserverComputesIsWhatWasStored() => Programs.Run("""
        using System.Collections.ObjectModel;
        using System.ComponentModel;
        [NinoType] public class Order : INotifyPropertyChanged
        {
            private decimal _total;
            private string _text = "";
            public event PropertyChangedEventHandler? PropertyChanged;
            public ObservableCollection<decimal> Lines { get; } = [];
            public decimal Total { get => _total; set { _total = value; PropertyChanged?.Invoke(this, new(nameof(Total))); } }
            [NinoInclude] public string Text { get => _text; private set { if (value == "refused") throw new InvalidOperationException(); _text = value; } }
            public int Changes { get; set; }
            public decimal First { get => Lines[0]; set { _ = value; } }
            public Order() => Lines.CollectionChanged += (_, change) => { foreach (decimal line in change.NewItems ?? new List<decimal>()) { Total += line; Text += "+"; Changes++; } };
        }
        """, """
        Order order = new() { Lines = { 2, 3 } }, copy = Copy(order);
        Equal((5m, "++", 2, 2), (copy.Total, copy.Text, copy.Changes, copy.Lines.Count));
        Order? there = new Order { Lines = { 7 } };
        Order same = there;
        NinoSerializer.Deserialize(NinoSerializer.Serialize(order), ref there);
        Equal((true, 5m, "++", 2, 2), (ReferenceEquals(there, same), there!.Total, there.Text, there.Changes, there.Lines.Count));
        """);

    /// <summary>What it has put into another collection cannot be told from what was stored there.</summary>
    [Theory]
    [InlineData("public List<int> Log { get; set; } = [];")]
    [InlineData("public List<int> Log { get; } = [];")]
    public void AnotherCollectionThatAnObserverChangesIsRefused(string log) => Programs.Run($$"""
        using System.Collections.ObjectModel;
        [NinoType] public class Watched { {{log}} public ObservableCollection<int> Shown { get; } = []; public Watched() => Shown.CollectionChanged += (_, change) => { if (change.NewItems is { } items) Log.Add(100 + (int)items[0]!); }; }
        """, """
        Equal(0, Copy(new Watched()).Log.Count);
        Watched watched = new() { Shown = { 1 } };
        Refused(() => Copy(watched), "changed 'Log'");
        """);

    /// <summary>What it makes of its arguments is its own affair.</summary>
    [Fact]
    public void WhatAFactoryMakesIsNotSetAgain() => Programs.Run("""
        [NinoType] public class Currency
        {
            private static readonly Dictionary<string, Currency> s_all = [];
            public string Code { get; set; } = "";
            public List<int> Rates { get; } = [];
            [NinoConstructor] public static Currency Of(string code) => s_all.TryGetValue(code.ToUpperInvariant(), out Currency? known) ? known : s_all[code.ToUpperInvariant()] = new() { Code = code.ToUpperInvariant() };
        }
        """, """
        Currency euro = Currency.Of("eur"), copy = Copy(new Currency { Code = "eur", Rates = { 1 } });
        Equal((true, "EUR", 1), (ReferenceEquals(euro, copy), copy.Code, copy.Rates[0]));
        """);
}
