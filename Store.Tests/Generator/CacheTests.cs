namespace Store.Tests.Generator;

/// <summary>What a getter sets is a cache, and not lost, only where nothing else gives it a value of its own (NINO017).</summary>
public sealed class CacheTests
{
    [Theory]
    [InlineData("private DayOfWeek? _day; public DayOfWeek Day => _day ??= DayOfWeek.Monday; public void Done() => _day = DayOfWeek.Friday;")]
    [InlineData("private int? _level; public int Level => _level ??= 1; public void Up() => _level = Level + 1;")]
    [InlineData("private bool? _on; public bool IsOn => _on ??= true; public void Toggle() => _on = !IsOn;")]
    [InlineData("public int Price { get; set; } private decimal? _o; public decimal Amount => _o ??= Price * 1.5m; public void RoundUp() => _o = Math.Ceiling(Amount);")]
    [InlineData("private string? _t; public string Title => _t ??= $\"no. {Id}\"; public void Rename(string to) => _t = Clean(to); private static string Clean(string text) => text.Trim();")]
    [InlineData("private string? _t; public string Title => _t ??= $\"no. {Id}\"; public void Rename(string to) => Set(ref _t, to); private static void Set(ref string? at, string to) => at = to;")]
    [InlineData("private Dictionary<string, string>? _h; private Dictionary<string, string> Map => _h ??= new(StringComparer.Ordinal); public int Headers => Map.Count; public void Header(string name, string value) => Map[name] = value;")]
    [InlineData("private List<string>? _h; private List<string> All => _h ??= new(16); public int Count => All.Count; public void Add(string one) => All.Add(one);")]
    [InlineData("public List<string> History { get; set; } = []; private Dictionary<string, int>? _s; private Dictionary<string, int> Scores => _s ??= new(StringComparer.Ordinal); public int Count => Scores.Count; public void Set(string name, int score) { Scores[name] = score; History.Add(name); }")]
    [InlineData("public List<string> Lines { get; set; } = []; private List<string>? _all; private List<string> All => _all ??= new(Lines); public int Count => All.Count; public void Add(string one) { Lines.Clear(); All.Add(one); }")]
    [InlineData("private List<string>? _h; private List<string> All => _h ??= new(16); public int Count => All.Count; public void Add(string one) { All.Add(one); _h?.Add(one); }")]
    [InlineData("private List<string>? _b; private List<string> B => _b ??= new(16); public int Last => 0; public int Count => B.Count; private static readonly List<string> s_all = new(16); public void Add(string one) { B.Add(one); s_all.Add(one); }")]
    public void WhatAMethodGivesOfItsOwnIsNoCache(string members) => Assert.Equal("NINO017", Assert.Single(GeneratorHarness.Diagnose($"[NinoType] public class C {{ public int Id {{ get; set; }} {members} }}")).Id);

    [Fact]
    public void TwoThatAreMadeAlikeAreNotMadeOfEachOther() => Assert.Equal(["NINO017", "NINO017"], GeneratorHarness.Diagnose("[NinoType] public class C { private Dictionary<string, int>? _a, _b; private Dictionary<string, int> A => _a ??= new(StringComparer.Ordinal); private Dictionary<string, int> B => _b ??= new(StringComparer.Ordinal); public int Count => A.Count + B.Count; public void Add(string one) { A.Add(one, 1); B.Add(one, 2); } public int Id { get; set; } }").Select(static one => one.Id));

    [Theory]
    [InlineData("private string? _t; public string Title => _t ??= $\"no. {Id}\"; public void Forget() => _t = null;")]
    [InlineData("private string? _t; public string Title => _t ??= Made(); public void Again() => _t = Made(); private string Made() => $\"no. {Id}\";")]
    [InlineData("private int? _t; public int Twice => _t ??= Id * 2; public void Again() => _t = Id * 2;")]
    [InlineData("private int? _t; public int Twice => _t ??= Id * 2; public void Again() { int twice = Id * 2; _t = twice; }")]
    [InlineData("private int _t; private bool _dirty = true; public int Twice { get { if (_dirty) { _t = Id * 2; _dirty = false; } return _t; } } public void Changed() => _dirty = true;")]
    [InlineData("private int _t = -1; public int Twice { get { if (_t < 0) _t = Id * 2; return _t; } } public void Changed() => _t = -1;")]
    [InlineData("public List<string> Lines { get; set; } = []; private Dictionary<string, int>? _index; private Dictionary<string, int> Index => _index ??= Made(); private Dictionary<string, int> Made() { var made = new Dictionary<string, int>(); foreach (string line in Lines) made[line] = made.Count; return made; } public int Known => Index.Count; public void Add(string line) { Lines.Add(line); Index[line] = Lines.Count; }")]
    [InlineData("public List<string> Lines { get; set; } = []; private HashSet<string>? _known; private HashSet<string> Known => _known ??= new(Lines); public int Count => Known.Count; public void Add(string line) { Lines.Add(line); Known.Add(line); }")]
    [InlineData("[NinoInclude] private List<string> _lines = []; [NinoIgnore] public List<string> Lines => _lines; private HashSet<string>? _known; private HashSet<string> Known => _known ??= new(Lines); public int Count => Known.Count; public void Add(string line) { _lines.Add(line); Known.Add(line); }")]
    [InlineData("[NinoInclude] private List<string> _lines = []; [NinoIgnore] public List<string> Lines => _lines; private HashSet<string>? _known; private HashSet<string> Known => _known ??= new(_lines); public int Count => Known.Count; public void Add(string line) { Lines.Add(line); Known.Add(line); }")]
    [InlineData("public List<string> Lines { get; set; } = []; private HashSet<string>? _known; private HashSet<string> Known => _known ??= Made(); private HashSet<string> Made() => Filled(new()); private HashSet<string> Filled(HashSet<string> known) { known.UnionWith(Lines); return known; } public int Count => Known.Count; public void Add(string line) { Lines.Add(line); Known.Add(line); }")]
    public void WhatItForgetsOrMakesAnewOfWhatIsStoredIs(string members) => Assert.Empty(GeneratorHarness.Diagnose($"[NinoType] public class C {{ public int Id {{ get; set; }} {members} }}"));
}
