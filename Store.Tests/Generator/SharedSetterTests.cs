namespace Store.Tests.Generator;

/// <summary>Setters that set what others hold, too, and do no harm (NINO027).</summary>
public sealed class SharedSetterTests
{
    [Theory]
    [InlineData("private byte _f; public bool A { get => (_f & 1) != 0; set => _f = (byte)(value ? _f | 1 : _f & ~1); } public bool B { get => (_f & 2) != 0; set => _f = (byte)(value ? _f | 2 : _f & ~2); }")]
    [InlineData("private byte _f; public bool A { get => (_f & 1) != 0; set { if (value) _f |= 1; else _f &= 0xFE; } } public bool B { get => (_f & 2) != 0; set { if (value) _f |= 2; else _f &= 0xFD; } }")]
    [InlineData("private uint _f; public byte A { get => (byte)_f; set => _f = (_f & 0xFFFFFF00) | value; } public byte B { get => (byte)(_f >> 8); set => _f = (_f & 0xFFFF00FF) | ((uint)value << 8); }")]
    [InlineData("private System.Numerics.Vector2 _v; public float X { get => _v.X; set => _v = new(value, _v.Y); } public float Y { get => _v.Y; set => _v = new(_v.X, value); }")]
    [InlineData("private System.Numerics.Vector2 _v; public float X { get => _v.X; set => _v = _v with { X = value }; } public float Y { get => _v.Y; set => _v = _v with { Y = value }; }")]
    [InlineData("private DateTime _d; public DateTime Date { get => _d.Date; set => _d = value.Date + _d.TimeOfDay; } public TimeSpan Time { get => _d.TimeOfDay; set => _d = _d.Date + value; }")]
    [InlineData("private readonly HashSet<string> _changed = []; public string? Title { get; set { field = value; _changed.Add(nameof(Title)); } }")]
    [InlineData("public string? Title { get; set { field = value; Audit.Add(\"x\"); } } public List<string> Audit { get; set; } = [];")]
    [InlineData("public List<string> Audit { get; } = []; public string? Title { get; set { field = value; Audit.Add(\"x\"); } }")]
    [InlineData("public Dictionary<string, object?> Values { get; } = []; public string? Name { get => (string?)Values[\"Name\"]; set => Values[\"Name\"] = value; }")]
    [InlineData("public Dictionary<string, string?> Values { get; set; } = []; public string? Name { get => Values[\"Name\"]; set => Values[\"Name\"] = value; }")]
    // What a method does that the setter calls.
    [InlineData("public int Value { get; set { field = value; Touch(); } } public DateTime Modified { get; set; } private void Touch() => Modified = DateTime.UtcNow;")]
    [InlineData("private string? _cache; public string? Name { get; set { field = value; Raise(nameof(Name)); } } public string Shown => _cache ??= Name + \"!\"; public event Action<string>? Changed; private void Raise(string name) { _cache = null; Changed?.Invoke(name); }")]
    [InlineData("private bool _loading; public DateTime Modified { get; set; } public string? Name { get; set { field = value; Touch(); } } private void Touch() { if (_loading) return; Modified = DateTime.UtcNow; } public void Load() => _loading = true;")]
    [InlineData("private bool _loading; public DateTime Modified { get; set; } public string? Name { get; set { field = value; if (!_loading) Touch(); } } private void Touch() => Modified = DateTime.UtcNow; public void Load() => _loading = true;")]
    [InlineData("private string? _name; public int Id { get; set; } public string? Name { get => _name; set => Keep(value); } private void Keep(string? name) { _name = name; }")]
    [InlineData("public int Id { get; set; } public string? Name { get; set => field = Checked(value); } private static string? Checked(string? name) { int Id = 1; return Id > 0 ? name : null; }")]
    [InlineData("public int Id { get; set; } public string? Name { get; set { field = value; Loop(3); } } private void Loop(int n) { if (n > 0) Loop(n - 1); }")]
    [InlineData("public DateTime Modified { get; set; } public string? Name { get; set { field = value; Changed += (_, _) => Touch(); } } public event EventHandler? Changed; private void Touch() { Modified = DateTime.UtcNow; Changed?.Invoke(this, EventArgs.Empty); }")]
    [InlineData("public int Version { get; set; } public string? Name { get; set { field = value; _touch = () => Touch(); _touch += Later; Changed = new Lazy<int>(() => ++Version); void Later() => Touch(); } } private Action? _touch; [NinoIgnore] public Lazy<int>? Changed; private void Touch() => Version++; public void Now() => _touch?.Invoke();")]
    [InlineData("private readonly Stack<Action> _undo = new(); public int Version { get; set; } public string? Name { get; set { field = value; _undo.Push(() => Touch()); } } private void Touch() => Version++; public void Undo() => _undo.Pop()();")]
    [InlineData("public int Version { get; set; } public string? Name { get; set { field = value; Changed += (_, _) => Later(); void Later() => Version++; } } public event EventHandler? Changed; private void Raise() => Changed?.Invoke(this, EventArgs.Empty);")]
    [InlineData("public int Version { get; set; } public string? Name { get; set { field = value; { Action a = () => Version++; Action b = a; _kept = b; } { Action b = Nothing; Action a = b; } } } private Action? _kept; private static void Nothing() { } public void Now() => _kept?.Invoke();")]
    [InlineData("private readonly Stack<Action>? _undo = new(); public int Version { get; set; } public string? Name { get; set { field = value; _undo?.Push(() => Touch()); } } private void Touch() => Version++; public void Undo() => _undo?.Pop()();")]
    [InlineData("public int Version { get; set; } public string? Name { get; set { field = value; if (value == null) { void A(int n) { Version++; if (n > 0) B(n - 1); } void B(int n) { if (n > 0) A(n - 1); } _kept = () => A(3); } } } private Action? _kept; public void Now() => _kept?.Invoke();")]
    // What is filled is put back behind it.
    [InlineData("public int Version { get; set; } public string? Root { get; set { field = value; Version++; } } public List<int> L { get; } = [];")]
    public void WhatLeavesTheOtherAsItWasIsNotTold(string members) => GeneratorHarness.Generate($"[NinoType] public class C {{ {members} }}");

    [Theory]
    [InlineData("public int Dirty { get; set; } public string? Name { get; set { field = value; Dirty |= 1; } }")]
    [InlineData("public int Version { get; set; } public string? Root { get; set { field = value; Version++; } }")]
    [InlineData("public List<string> Audit { get; set; } = []; public string? Title { get; set { field = value; Audit.Add(\"x\"); } }")]
    [InlineData("public List<string>? Audit { get; set; } public string? Title { get; set { field = value; Audit?.Add(\"x\"); } }")]
    [InlineData("public DateTime Modified { get; set; } public string? Name { get; set { field = value; Touch(); } } private void Touch() => Modified = DateTime.UtcNow;")]
    [InlineData("public DateTime Modified { get; set; } public string? Name { get; set { field = value; this.Changed(); } } private void Changed() { Touch(); } protected virtual void Touch() => Modified = DateTime.UtcNow;")]
    [InlineData("public bool IsDirty { get; set; } public string? Name { get; set => Set(ref field, value); } private void Set<T>(ref T at, T value) { at = value; IsDirty = true; }")]
    [InlineData("public List<string> Audit { get; set; } = []; public string? Title { get; set { field = value; Tell(\"x\"); } } private void Tell(string what) { if (what.Length > 0) Audit.Add(what); }")]
    // By way of a local function, or of whom it is handed to.
    [InlineData("public int Version { get; set; } public string? Name { get; set { field = value; Done(); void Done() => Touch(); } } private void Touch() => Version++;")]
    [InlineData("public int Version { get; set; } public string? Name { get; set => Set(ref field, value, () => Touch()); } private static void Set<T>(ref T at, T value, Action then) { at = value; then(); } private void Touch() => Version++;")]
    [InlineData("public int Version { get; set; } public string? Name { get; set { field = value; Array.ForEach([1, 2], _ => Touch()); } } private void Touch() => Version++;")]
    [InlineData("public int Version { get; set; } public string? Name { get; set { field = value; Run(new Action(() => Version++)); } } private static void Run(Action what) => what();")]
    [InlineData("public int Version { get; set; } public string? Name { get; set { field = value; new System.Threading.Thread(() => Version++).Start(); } }")]
    [InlineData("public int Version { get; set; } public string? Name { get; set { field = value; Action bump = () => Version++; bump(); } }")]
    [InlineData("public int Version { get; set; } public string? Name { get; set { field = value; ((Action)(() => Version++)).Invoke(); } }")]
    [InlineData("public int Version { get; set; } public string? Name { get; set { field = value; Array.ForEach([1, 2], Bump); void Bump(int _) => Version++; } }")]
    [InlineData("public int Version { get; set; } public string? Name { get; set { field = value; Bump(1); void Bump<T>(T _) { Up(); void Up() => Version++; } } }")]
    [InlineData("public int Version { get; set; } public string? Name { get; set { field = value; Action? bump = () => Version++; bump?.Invoke(); } }")]
    [InlineData("public int Version { get; set; } public string? Name { get; set { field = value; Action<int> bump = null!; bump = n => Version += n; bump(1); } }")]
    [InlineData("public int Version { get; set; } public string? Name { get; set { field = value; void A(int n) { if (n > 0) B(n - 1); } void B(int n) { Version++; A(n - 1); } A(3); } }")]
    // In a circle, whichever of the two is met first.
    [InlineData("public int Version { get; set; } public string? Name { get; set { field = value; A(3); } } private void A(int n) { Version++; if (n > 0) B(n - 1); } private void B(int n) { if (n > 0) A(n - 1); }")]
    [InlineData("public int Version { get; set; } public string? Name { get; set { field = value; B(3); } } private void A(int n) { Version++; if (n > 0) B(n - 1); } private void B(int n) { if (n > 0) A(n - 1); }")]
    // Added to, it is not put back.
    [InlineData("public List<string> Audit { get; set; } = []; public string? Title { get; set { field = value; Audit.Add(\"x\"); } } public List<int> L { get; } = [];")]
    [InlineData("public Dictionary<string, int> Log { get; set; } = []; public string? Title { get; set { field = value; Log[\"x\"] = 1; } }")]
    [InlineData("public int Version { get; init; } public string? Root { get; set { field = value; Count++; } } public int Count { get; private set; } public C(int count) => Count = count; public List<int> L { get; } = [];")]
    public void WhatChangesItIs(string members) => Assert.Contains("NINO027", GeneratorHarness.Diagnose($"[NinoType] public class C {{ {members} }}").Select(static one => one.Id));

    /// <summary>In the class that is stored, wherever the setter is.</summary>
    [Theory]
    [InlineData("public abstract class B { public DateTime At { get; set; } protected virtual void Touch() { } public string? Name { get; set { field = value; Touch(); } } } [NinoType] public class C : B { protected override void Touch() => At = DateTime.UtcNow; }", true)]
    [InlineData("public abstract class B { public DateTime At { get; set; } protected virtual void Touch() => At = DateTime.UtcNow; public string? Name { get; set { field = value; Touch(); } } } [NinoType] public class C : B { protected override void Touch() { } }", false)]
    [InlineData("public abstract class B { public DateTime At { get; set; } protected virtual void Touch() => At = DateTime.UtcNow; } [NinoType] public class C : B { public string? Name { get; set { field = value; base.Touch(); } } }", true)]
    public void TheMethodIsThatOfTheClassThatIsStored(string source, bool isTold) => Assert.Equal(isTold ? ["NINO027"] : [], GeneratorHarness.Diagnose(source).Select(static one => one.Id));

    [Fact]
    public void TheMessageSaysThatAMethodDoesIt() =>
        Assert.Contains("The setter of 'C.Name' sets 'At' by a method that it calls, and reading", Assert.Single(GeneratorHarness.Diagnose("[NinoType] public class C { public DateTime At { get; set; } public string? Name { get; set { field = value; Touch(); } } private void Touch() => At = DateTime.UtcNow; }")).GetMessage(), StringComparison.Ordinal);

    [Fact]
    public void BitsOfOneFieldAndWhatIsPutBackAreReadAsTheyWere() => Programs.Run("""
        [NinoType] public class Bits
        {
            private byte _f;
            public bool A { get => (_f & 1) != 0; set => _f = (byte)(value ? _f | 1 : _f & ~1); }
            public bool B { get => (_f & 2) != 0; set => _f = (byte)(value ? _f | 2 : _f & ~2); }
        }
        [NinoType] public class Page { public int Version { get; set; } public string? Root { get; set { field = value; Version++; } } public List<int> L { get; } = []; }
        """, """
        foreach (bool a in new[] { false, true }) foreach (bool b in new[] { false, true }) { Bits copy = Copy(new Bits { A = a, B = b }); Equal((a, b), (copy.A, copy.B)); }
        var page = new Page { Root = "x" };
        page.Root = "y";
        Equal(2, Copy(page).Version);
        """);
}
