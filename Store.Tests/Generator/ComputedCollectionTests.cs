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
    [InlineData("public int X; public System.Collections.ArrayList Items { get; } = [];", "it is a collection of the framework without type arguments")]
    public void WhatShowsOtherStateIsAnErrorThatNamesIt(string members, string message)
    {
        var diagnostic = Assert.Single(GeneratorHarness.Diagnose(Using + $"[NinoType] public class A {{ public int Id; {members} }}"));
        Assert.Equal("NINO008", diagnostic.Id);
        Assert.Contains(message, diagnostic.GetMessage());
    }

    [Fact]
    public void AParameterInTheHeadThatTheGetterNamesIsNotStored() =>
        Assert.Equal("NINO008", Assert.Single(GeneratorHarness.Diagnose("[NinoType] public class A(int x = 3) { public int Y; public IEnumerable<int> Items => [x]; }")).Id);
}
