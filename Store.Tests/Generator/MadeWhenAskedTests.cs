namespace Store.Tests.Generator;

/// <summary>What a getter makes when it is first asked for is a cache where it could be made again of what is stored; an object that others change then, and a moment or identity, is state (NINO017, and NINO009 for the keyword field).</summary>
public sealed class MadeWhenAskedTests
{
    private const string Using = "using System.Threading; ";

    private const string Settings = " [NinoType] public class Settings { public double Zoom { get; set; } = 1; }";

    [Theory]
    [InlineData("private Settings? _made; public Settings Made => _made ??= new();")]
    [InlineData("private Settings? _made; public Settings Settings => _made ??= new Settings();")]
    [InlineData("private Settings? _made; public Settings Made => _made ??= new Settings { Zoom = 2 };")]
    [InlineData("private Settings? _made; public Settings Made { get { if (_made == null) _made = new Settings(); return _made; } }")]
    [InlineData("private Settings? _made; public Settings Made { get { return _made ?? (_made = new Settings()); } }")]
    [InlineData("private Settings? _made; public Settings Made => LazyInitializer.EnsureInitialized(ref _made, () => new());")]
    [InlineData("private Settings? _made; public Settings Made => LazyInitializer.EnsureInitialized(ref _made);")]
    [InlineData("private readonly Lazy<Settings> _made = new(() => new Settings()); public Settings Made => _made.Value;")]
    [InlineData("private readonly Lazy<Settings> _made = new(); public Settings Made => _made.Value;")]
    [InlineData("private Guid? _made; public Guid Made => _made ??= Guid.NewGuid();")]
    [InlineData("private DateTime? _made; public DateTime Made => _made ??= DateTime.UtcNow;")]
    [InlineData("private string? _made; public string Made => _made ??= Guid.NewGuid().ToString(\"N\");")]
    [InlineData("private string? _made; public string Made => _made ??= $\"{Id}-{Guid.NewGuid():N}\";")]
    [InlineData("private int _made; public int Made { get { if (_made == 0) _made = Random.Shared.Next(1, 9); return _made; } }")]
    [InlineData("private long? _made; public long Made => _made ??= DateTime.UtcNow.Ticks;")]
    public void AnObjectThatCanBeChangedAndAMomentAreState(string members)
    {
        var diagnostic = Assert.Single(GeneratorHarness.Diagnose(Using + $"[NinoType] public class A {{ public int Id; {members} }}" + Settings));
        Assert.Equal("NINO017", diagnostic.Id);
        Assert.Contains("makes it when it is first asked for, of nothing that is stored, and shows it", diagnostic.GetMessage());
    }

    [Theory]
    [InlineData("public int N; private int? _square; public int Square => _square ??= N * N;")]
    [InlineData("public int N; private string? _text; public string Text => _text ??= N.ToString();")]
    [InlineData("public int N; private string? _text; public string Text => _text ??= \"x\";")]
    [InlineData("public int N; private Settings? _made; public Settings Made => _made ??= new Settings { Zoom = N };")]
    [InlineData("public int N; private View? _view; public View Shown => _view ??= new View(this); public class View(A a) { public int X { get; set; } = a.N; }")]
    [InlineData("public int N; private Shape? _shape; public Shape Made => _shape ??= new Shape(); public class Shape { public int X => 3; }")]
    [InlineData("public int N; private System.Random? _random; public System.Random Random => _random ??= new Random();")]
    [InlineData("public int N; private readonly Lazy<string> _text = new(() => \"x\"); public string Text => _text.Value;")]
    [InlineData("public int N; private readonly Lazy<Settings> _made; public A() => _made = new(() => new Settings { Zoom = N }); public Settings Made => _made.Value;")]
    [InlineData("public int N; [NinoIgnore] private Settings? _made; public Settings Made => _made ??= new();")]
    [InlineData("private int _n; private int? _twice; public int N { get => _n; set { _n = value; _twice = null; } } public int Twice => _twice ??= _n * 2;")]
    [InlineData("public int N; private bool _isMade; private int _made; public int Made { get { if (!_isMade) { _made = N * 2; _isMade = true; } return _made; } } public void Reset() => _isMade = false;")]
    [InlineData("public int N; private int? _made; public int Made { get { if (_made is { } made) return made; _made = N * 2; return _made.Value; } }")]
    [InlineData("public List<int> All = []; private Dictionary<int, int>? _byKey; public int Different { get { if (_byKey == null) { _byKey = new(); foreach (int one in All) _byKey[one] = one; } return _byKey.Count; } }")]
    [InlineData("public int N; private string? _text; public string Text { get { _text = _text ?? N.ToString(); return _text; } }")]
    [InlineData("public List<int> All = []; private List<int>? _made; public int Made { get { if (_made == null) { _made = []; Rebuild(); } return _made.Count; } } private void Rebuild() => _made!.AddRange(All);")]
    [InlineData("public DateTime Start { get; set; } private DateTime? _due; public DateTime Due => _due ??= Start.AddDays(30);")]
    [InlineData("public List<decimal> Lines = []; private decimal? _total; public decimal Total { get { if (_total is null) { _total = 0; foreach (var l in Lines) _total += l; } return _total.Value; } }")]
    [InlineData("public string First = \"\"; private string _full = \"\"; public string Full { get { _full = First + \"!\"; return _full; } }")]
    [InlineData("public int N; private readonly object _gate = new(); private string? _json; public string Json { get { if (_json is not null) return _json; lock (_gate) { _json = N.ToString(); } return _json; } }")]
    [InlineData("public int N; private string? _text; public string Text { get { if (_text is null) Volatile.Write(ref _text, N.ToString()); return _text; } }")]
    [InlineData("public int N; private string? _text; public string Text { get { this._text = this._text ?? N.ToString(); return this._text; } }")]
    [InlineData("public string Currency = \"\"; private System.Collections.Concurrent.ConcurrentDictionary<string, decimal>? _rates; public decimal Rate => (_rates ??= new()).GetOrAdd(Currency, static one => 1);")]
    [InlineData("public List<int> Items = []; private int _sum = -1; public int Sum { get { if (_sum < 0) _sum = Items.Count; return _sum; } } public void Add(int x) { Items.Add(x); if (_sum >= 0) _sum += 1; }")]
    [InlineData("public int N; private string? _text; public string Text => Interlocked.CompareExchange(ref _text, N.ToString(), null) ?? _text;")]
    [InlineData("public int N; private Guid? _id; public Guid Id => _id ??= Hash(N); private static Guid Hash(int n) => default;")]
    [InlineData("public string First = \"\", Last = \"\"; public string Full => field ??= First + \" \" + Last;")]
    [InlineData("public DateTime Born { get; set; } private int? _days; public int Days => _days ??= (DateTime.UtcNow - Born).Days;")]
    [InlineData("public string First = \"\", Last = \"\"; public string Full { get { if (field == null) field = First + Last; return field; } }")]
    public void ACacheIsNone(string members) => GeneratorHarness.Generate(Using + $"[NinoType] public class A {{ {members} }}" + Settings);

    [Theory]
    [InlineData("private long _n; public long Hits => Interlocked.Read(ref _n); public void Hit() => Interlocked.Increment(ref _n);")]
    [InlineData("private int _n; public int Misses => Volatile.Read(ref _n); public void Miss() => Interlocked.Increment(ref _n);")]
    [InlineData("private int _n; public int Hits => Interlocked.CompareExchange(ref _n, 0, 0); public void Hit() => _n++;")]
    [InlineData("private string? _n; public string Name { get { if (string.IsNullOrEmpty(_n)) _n = \"default\"; return _n; } } public void Rename(string s) => _n = s;")]
    [InlineData("private string? _n; public string Name => _n ??= \"none\"; public void Rename(string s) => _n = s.Trim();")]
    [InlineData("private string? _n; public string Name => _n ??= \"none\"; public A() { } public A(string text) => _n = text;")]
    [InlineData("private int? _n; public int Level => _n ??= 1; public void Raise(int i) => _n = i;")]
    [InlineData("private int _n; public int Peek => _n; public int Take { get { int r = _n; _n = 0; return r; } } public void Bump() => _n++;")]
    [InlineData("private int _n; public int NextId => ++_n;")]
    [InlineData("private Dictionary<string, int>? _n; private Dictionary<string, int> D => _n ??= []; public int Count => D.Count; public void Put(string k, int v) => D[k] = v;")]
    public void WhatOthersGiveAValueOrCountInIsNoCache(string members)
    {
        var diagnostic = Assert.Single(GeneratorHarness.Diagnose(Using + $"[NinoType] public class A {{ public int Id; {members} }}"));
        Assert.Equal("NINO017", diagnostic.Id);
        Assert.Contains("computed from it", diagnostic.GetMessage());
    }

    [Theory]
    [InlineData("public Settings Made => field ??= new();")]
    [InlineData("public Guid? Made => field ??= Guid.NewGuid();")]
    [InlineData("public string Made => field ??= Environment.MachineName;")]
    [InlineData("public int Made => ++field;")]
    [InlineData("public int Made => field += Id;")]
    [InlineData("public Guid? Made => field ??= NewKey(); private Guid NewKey() => Guid.NewGuid();")]
    [InlineData("public string Made => field ??= Id + \"!\"; public A() { } public A(string made, int x) => Made = made;")]
    public void WhatTheKeywordFieldHoldsIsStateUnlessItIsMadeOfTheObject(string members) =>
        Assert.Equal("NINO009", Assert.Single(GeneratorHarness.Diagnose(Using + $"[NinoType] public class A {{ public int Id; {members} }}" + Settings)).Id);

    [Fact]
    public void AMomentBesideWhatABaseHoldsIsACache() =>
        Assert.Empty(GeneratorHarness.Diagnose("public class B { public DateTime Created { get; set; } } [NinoType] public class A : B { private TimeSpan? _age; public TimeSpan Age => _age ??= DateTime.UtcNow - base.Created; }"));

    [Fact]
    public void WithItsMarkItIsStored() => Programs.Run("""
        [NinoType] public class Settings { public double Zoom { get; set; } = 1; }
        [NinoType] public class App
        {
            public int Id;
            [NinoInclude] private Settings? _made;
            [NinoInclude] private readonly Lazy<Settings> _lazy = new(() => new Settings());
            public Settings Made => _made ??= new();
            public Settings Other => _lazy.Value;
        }
        """, """
        var app = new App();
        app.Made.Zoom = 3;
        app.Other.Zoom = 4;
        App copy = Copy(app);
        Equal((3.0, 4.0), (copy.Made.Zoom, copy.Other.Zoom));
        """);
}
