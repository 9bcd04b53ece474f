namespace Store.Tests.Generator;

/// <summary>A property with code that gives a collection of what is stored, or shown, besides is computed, and no error; of one that shows what is not, the state is named (NINO008).</summary>
public sealed class ComputedCollectionTests
{
    private const string Using = "using System.Linq; ";

    [Theory]
    [InlineData("public List<int> All { get; set; } = []; public List<int> Items => [.. All];")]
    [InlineData("public List<int> All { get; set; } = []; public List<int> Items => All;")]
    [InlineData("public List<int> All { get; set; } = []; public IEnumerable<int> Even => this.All.Where(x => x % 2 == 0);")]
    [InlineData("public List<string> All { get; } = []; public List<string> Long => All.FindAll(x => x.Length > 9);")]
    [InlineData("[NinoInclude] private readonly List<int> _all = []; public IReadOnlyList<int> Items => _all;")]
    [InlineData("[NinoInclude] private readonly List<int> _all = []; public List<int> Items => _all;")]
    [InlineData("[NinoInclude] private readonly List<int> _all = []; public IReadOnlyCollection<int> Items => _all.AsReadOnly();")]
    [InlineData("[NinoIgnore] private readonly List<int> _all = []; public IReadOnlyCollection<int> Items => _all;")]
    [InlineData("public A? Left, Right; public IEnumerable<A?> Children => [Left, Right];")]
    [InlineData("public A? Operand; public IEnumerable<A?> Children { get { yield return Operand; } }")]
    [InlineData("public string Text = \"\"; public string[] Parts => Text.Split(',');")]
    [InlineData("public Dictionary<string, int> All { get; } = []; public ICollection<int> Values => All.Values;")]
    [InlineData("private static readonly string[] s_names = []; public int X; public IReadOnlyList<string> Names => s_names;")]
    [InlineData("public int X; public IReadOnlyList<int> None => [];")]
    [InlineData("public A? Inner; public List<int> Items = []; public IEnumerable<int> All { get { foreach (int one in Items) yield return one; if (Inner is { } inner) foreach (int one in inner.All) yield return one; } }")]
    public void WhatIsMadeOfWhatIsStoredIsComputed(string members) => GeneratorHarness.Generate(Using + $"[NinoType] public class A {{ {members} }}");

    [Fact]
    public void WhatABaseShowsIsStoredThereToo() => GeneratorHarness.Generate(Using + "public abstract class B { [NinoInclude] private List<int> _all = []; protected internal int X; public IReadOnlyList<int> Items => _all; } [NinoType] public class A : B { public int Y; public IEnumerable<int> Twice => Items.Concat(Items); }");

    [Theory]
    [InlineData("private readonly List<int> _all = []; public IReadOnlyCollection<int> Items => _all.AsReadOnly();", "'_all', which it shows, can be stored instead with [NinoInclude]")]
    [InlineData("private readonly List<int> _all = []; public List<int> Items => _all.ToList();", "'_all', which it shows")]
    [InlineData("private readonly List<int> _all = []; public IEnumerable<int> Items { get { foreach (int one in _all) yield return one; } }", "'_all', which it shows")]
    [InlineData("private readonly Dictionary<int, int> _all = []; public ICollection<int> Items => this._all.Values;", "'_all', which it shows")]
    [InlineData("private readonly List<int> _first = [], _second = []; public IEnumerable<int> Items => _first.Concat(_second);", "'_first' and '_second', which it shows")]
    [InlineData("private List<int> All { get; } = []; public IEnumerable<int> Items => All;", "'All', which it shows")]
    [InlineData("public int Count; public IEnumerable<int> Items => Make(); private int[] Make() => new int[Count];", "its type cannot be changed")]
    [InlineData("public int Count; public IEnumerable<int> Items => Maker.Make(this); private static class Maker { public static int[] Make(A a) => new int[a.Count]; }", "its type cannot be changed")]
    [InlineData("private readonly List<object> _all = []; private IEnumerable<T> Of<T>() => _all.OfType<T>(); public IEnumerable<int> Items => Of<int>();", "its type cannot be changed")]
    [InlineData("private static List<int> Sort(List<int> l) => l; private List<int> _l = []; private List<int> Sort() => Sort(_l); public IReadOnlyList<int> Items => Sort();", "its type cannot be changed")]
    [InlineData("private readonly List<int> item = []; public IEnumerable<int> Items => item.Where(item => item > 1);", "its type cannot be changed")]
    [InlineData("public List<A> Children = []; private List<string> _errors = []; public IEnumerable<string> Items => Children.SelectMany(c => c._errors);", "its type cannot be changed")]
    [InlineData("public int X; public System.Collections.ArrayList Items { get; } = [];", "it is a collection of the framework without type arguments")]
    [InlineData("public int X; public System.Collections.Concurrent.IProducerConsumerCollection<int> Items { get; } = new System.Collections.Concurrent.ConcurrentQueue<int>();", "its interface does not say how it is emptied")]
    public void WhatShowsOtherStateIsAnErrorThatNamesIt(string members, string message)
    {
        var diagnostic = Assert.Single(GeneratorHarness.Diagnose(Using + $"[NinoType] public class A {{ public int Id; {members} }}"));
        Assert.Equal("NINO008", diagnostic.Id);
        Assert.Contains(message, diagnostic.GetMessage());
    }

    [Fact]
    public void AParameterInTheHeadThatTheGetterNamesIsNotStored() =>
        Assert.Equal("NINO008", Assert.Single(GeneratorHarness.Diagnose("[NinoType] public class A(int x = 3) { public int Y; public IEnumerable<int> Items => [x]; }")).Id);

    [Fact]
    public void NorIsWhatAnExtensionIsGivenTheObjectFor() =>
        Assert.Equal("NINO008", Assert.Single(GeneratorHarness.Diagnose("[NinoType] public class A { public int Id; internal List<int> Data = []; public IEnumerable<int> Items => this.Load(); } public static class X { internal static List<int> Load(this A a) => a.Data; }")).Id);

    [Fact]
    public void NorIsWhatABaseHoldsUnderTheSameName() =>
        Assert.Contains("NINO008", GeneratorHarness.Diagnose("public abstract class B(IReadOnlyList<int> items) { public virtual IReadOnlyList<int> Items { get; } = items; } [NinoType] public class D : B { public int Id; public D() : base([]) { } public D(int[] x) : base(x) { } public override IReadOnlyList<int> Items => base.Items; }").Select(static one => one.Id));

    [Fact]
    public void AFieldThatAPropertyGivesAndSetsIsStoredByThat() =>
        GeneratorHarness.Generate(Using + "[NinoType] public class A { private List<int> _l = []; public List<int> L { get => _l; set { _l = value; Changed(); } } public IEnumerable<int> Even => _l.Where(x => x % 2 == 0); private void Changed() { } }");

    [Fact]
    public void APropertyWithAPrivateSetterThatShowsWhatIsStoredIsComputedToo() =>
        GeneratorHarness.Generate("[NinoType(NonPublic = true)] public class A { private string _name = \"\"; public string Name { get => _name; private set { ArgumentNullException.ThrowIfNull(value); _name = value; } } public void Rename(string to) => Name = to; }");

    // No code of it is seen there: its assembly says so.
    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void WhatIsComputedIsSoInOtherAssembliesToo(bool isReferenceAssembly)
    {
        const string Library = Using + """
            [NinoType] public class Box<T>
            {
                public List<T> All { get; set; } = [];
                public List<T> Some => All.FindAll(x => x != null);
                public IReadOnlyList<T> Seen => All.AsReadOnly();
                public string Kind { get; } = "box";
                public string Text => field ??= Kind + All.Count;
                public T? First { get; set; }
                public T? Again => First;
            }
            """;
        const string Program = "[NinoType] public class My { public int X; } [NinoType] public class Holder { public Box<My>? Box; } [NinoType] public class Big : Box<int> { public int Size; } [NinoType] public class Lists { public Box<List<int>>? Box; }";
        Assert.Empty(GeneratorHarness.DiagnoseWithLibrary(Library, Program, isReferenceAssembly));
    }

    // Another assembly that registers it sees no code, and nothing tells it.
    [Fact]
    public void OfATypeWithoutAMarkItIsAnErrorAsEver() =>
        Assert.Equal("NINO008", Assert.Single(GeneratorHarness.Diagnose("[assembly: NinoSerializable(typeof(Cart))] public class Cart { public List<int> Items { get; set; } = []; public List<int> Long => Items.FindAll(x => x > 9); }")).Id);
}
