namespace Store.Tests.Generator;

/// <summary>Setters that ask a member that reading sets behind them are told (NINO028); what such a member does not change in what is kept is not.</summary>
public sealed class SetterOrderTests
{
    [Theory]
    [InlineData("[NinoType] public class A { public int Value { get; set => field = Math.Clamp(value, 0, Max); } public int Max { get; set; } = 100; }")]
    [InlineData("[NinoType] public class A { private int _v; public int Value { get => _v; set => _v = Math.Min(value, Max); } public int Max = 100; }")]
    [InlineData("[NinoType] public class A { private int _v; public int Value { get { return _v; } set { if (value == _v) return; if (value > Max) value = Max; _v = value; } } public int Max { get; set; } = 100; }")]
    [InlineData("[NinoType] public class A { private int _v; public int Value { get => _v; set { if (value > Max) throw new ArgumentException(); _v = value; } } public int Max { get; set; } = 100; }")]
    [InlineData("[NinoType] public class A { private int _v; public int Value { get => _v; set { ArgumentOutOfRangeException.ThrowIfGreaterThan(value, Max); _v = value; } } public int Max { get; set; } = 100; }")]
    [InlineData("[NinoType] public class A { private int _v; public int Value { get => _v; set => _v = value <= Max ? value : throw new ArgumentException(); } public int Max { get; set; } = 100; }")]
    [InlineData("[NinoType] public class A { private int _v; public int Value { get => _v; set { if (value <= Max) _v = value; } } public int Max { get; set; } = 100; }")]
    [InlineData("[NinoType] public class A { private int _v; public int Value { get => _v; set { if (value > Max) return; _v = value; } } public int Max { get; set; } = 100; }")]
    [InlineData("[NinoType] public class A { private int _v; public int Value { get => _v; set { var max = Max; var kept = Math.Min(value, max); _v = kept; } } public int Max { get; set; } = 100; }")]
    [InlineData("[NinoType] public class A { private int _v; public int Percent { get => _v / Unit.Length; set => this._v = value * this.Unit.Length; } public string Unit { get; set; } = \"mm\"; }")]
    [InlineData("[NinoType] public class A { private int _v; public int Value { get => _v; set => Set(ref _v, Math.Min(value, Max)); } public int Max { get; set; } = 100; private static bool Set(ref int f, int v) { f = v; return true; } }")]
    [InlineData("[NinoType] public class A { private string? _s; public string? Selected { get => _s; set => _s = Options.Contains(value) ? value : null; } public List<string?> Options { get; set; } = []; }")]
    [InlineData("[NinoType] public class A { private double _l; public double Length { get => IsMetric ? _l : _l / 2.54; set => _l = IsMetric ? value : value * 2.54; } public bool IsMetric { get; set; } }")]
    [InlineData("[NinoType] public class A { private double _l; public double Length { get => IsMetric ? _l : _l / 2.54; set { if (IsMetric) _l = value; else _l = value * 2.54; } } public bool IsMetric { get; set; } }")]
    [InlineData("[NinoType] public class A { private int _a, _p; public int X { get => _a; set { _a = value; _p = value * Y; } } public int Y { get; set; } public int Product => _p; }")]
    [InlineData("[NinoType] public class A { public string Name { get => field.Substring(Prefix.Length); set => field = Prefix + value; } = \"\"; public string Prefix { get; set; } = \"\"; }")]
    [InlineData("[NinoType] public class A { public int X { get; set => field = value * Scale; } public int Scale { get; set; } }")]
    [InlineData("[NinoType] public class A { private int _p; public int Percent { get => _p / (Scale?.Length ?? 1); set => _p = value * (Scale?.Length ?? 1); } public string? Scale { get; set; } }")]
    [InlineData("[NinoType] public class A { public double X { get; set => field = Math.Round(value, Digits); } public int Digits { get; set; } }")]
    [InlineData("[NinoType] public class A { public int Value { get; init => field = Math.Clamp(value, 0, Max); } public int Max { get; init; } = 100; }")]
    [InlineData("[NinoType] public class A { [NinoInclude] private int Max { get; set; } = 100; public required int Value { get; init => field = Math.Clamp(value, 0, Max); } public int Peek() => Max; }")]
    [InlineData("[NinoType] public class A { private int _max = 100; public int Value { get; set => field = Math.Clamp(value, 0, _max); } public int Max { get => _max; set => _max = value; } }")]
    [InlineData("[NinoType] public class A { private int _v; public int Value { get => _v; set { if (value > Max) throw new ArgumentException(); _v = value; } } public int Max { get; set; } = 100; public List<int> All { get; } = []; }")]
    [InlineData("[NinoType] public class A { public int? Value { get; set => field = value is { } x ? Math.Min(x, Max) : null; } public int Pad; public int? Other; public int Max { get; set; } = 100; }")]
    [InlineData("[NinoType] public class A { public int Value { get; set { var self = this; field = Math.Min(value, self.Max); } } public int Max { get; set; } = 100; }")]
    [InlineData("[NinoType] public class A { private int _hp; public int Hp { get => _hp; set => _hp = Math.Min(value, MaxHp); } public int Level { get; set; } = 1; public int MaxHp => Level * 10; }")]
    [InlineData("[NinoType] public class A { public int Count { get; set => field = Math.Min(value, Limit); } public bool IsPremium { get; set; } private int Limit { get { return IsPremium ? 100 : 10; } } }")]
    [InlineData("[NinoType] public class A { private double _mm; public double Size { get => _mm / Factor; set => _mm = value * Factor; } public bool IsCm { get; set; } private double Factor => IsCm ? 10 : 1; }")]
    [InlineData("[NinoType] public class A { public bool IsOpen { get; set { if (value && Keys < 1) throw new InvalidOperationException(); field = value; } } public int Keys { get; set; } }")]
    public void ASetterThatAsksAMemberThatIsSetBehindItIsTold(string source) => Assert.Equal("NINO028", Assert.Single(GeneratorHarness.Diagnose(source)).Id);

    [Theory]
    [InlineData("[NinoType] public class A { public int Max { get; set; } = 100; public int Value { get; set => field = Math.Clamp(value, 0, Max); } }")]
    [InlineData("[NinoType] public class A { public string? Name { get; set { if (value is null && Count > 3) throw new Exception(); field = value; } } public int Count { get; set; } }")]
    [InlineData("[NinoType] public class A { private int _v; public int Value { get => _v; set { if (_v == value) return; _v = value; } } public int Max { get; set; } }")]
    [InlineData("[NinoType] public class A { private string _t = \"\"; public string Title { get => _t; set { value ??= Fallback; _t = value; } } public string Fallback { get; set; } = \"-\"; }")]
    [InlineData("[NinoType] public class A { private string _t = \"\"; public string Title { get => _t; set { if (string.IsNullOrEmpty(value)) value = Fallback; _t = value; } } public string Fallback { get; set; } = \"-\"; }")]
    [InlineData("[NinoType] public class A : System.ComponentModel.INotifyPropertyChanged { private int _v; public event System.ComponentModel.PropertyChangedEventHandler? PropertyChanged; public int Value { get => _v; set { if (_v == value) return; _v = value; if (PropertyChanged != null) PropertyChanged(this, new(nameof(Value))); PropertyChanged?.Invoke(this, new System.ComponentModel.PropertyChangedEventArgs(nameof(Max))); } } public int Max { get; set; } }")]
    [InlineData("[NinoType] public class A { private int _v; public int Value { get => _v; set { _v = value; if (value > Max) Log(Max); Log(Max); } } public int Max { get; set; } private static void Log(int x) { } }")]
    [InlineData("[NinoType] public class A { private int _v; public int Value { get => _v; set { _v = value; if (value > Max) Max = value; } } public int Max { get; set; } }")]
    [InlineData("[NinoType] public class A { private int _v; public int Value { get => _v; set { _v = value; Total += value; Count++; } } public int Total { get; set; } public int Count { get; set; } }")]
    [InlineData("[NinoType] public class A { private int _v; public int Price { get => _v; set { _v = value; Total = value * Quantity; } } public int Quantity { get; set; } public int Total { get; set; } }")]
    [InlineData("[NinoType] public class A { private int _v, _q, _t; public int Price { get => _v; set { _v = value; _t = _v * _q; } } public int Quantity { get => _q; set { _q = value; Again(); } } public int Total => _t; private void Again() => _t = _v * _q; }")]
    [InlineData("[NinoType] public class A { private int _v; public int Value { get => _v; set { if (IsLocked) return; _v = value; } } public bool IsLocked { get; set; } }")]
    [InlineData("[NinoType] public class A { private int _v; public int Value { get => _v; set { if (IsLocked) throw new Exception(); _v = value; } } public bool IsLocked { get; set; } }")]
    [InlineData("[NinoType] public class A { private int _v; public int Value { get => _v; set { if (State == DayOfWeek.Friday) throw new Exception(); _v = value; } } public DayOfWeek State { get; set; } }")]
    [InlineData("[NinoType] public class A { private int _v; public int Value { get => _v; set => _v = IsLocked ? _v : value; } public bool IsLocked { get; set; } }")]
    [InlineData("[NinoType] public class A { private int _v; public int Value { get => _v; set { if (value > Max) throw new Exception(); _v = value; } } public int? Max { get; set; } }")]
    [InlineData("[NinoType] public class A { private int _v; public int Value { get => _v; set { if (Max.HasValue && value > Max.Value) throw new Exception(); _v = value; } } public int? Max { get; set; } }")]
    [InlineData("[NinoType] public class A { private int _v; public int Value { get => _v; set => _v = Math.Min(value, Max ?? int.MaxValue); } public int? Max { get; set; } }")]
    [InlineData("[NinoType] public class A { private string? _v; public string? Value { get => _v; set { if (Options != null && !Options.Contains(value)) throw new Exception(); _v = value; } } public List<string?>? Options { get; set; } }")]
    [InlineData("[NinoType] public class A { private string? _v; public string? Value { get => _v; set => _v = value ?? Fallback; } public string Fallback { get; set; } = \"\"; }")]
    [InlineData("[NinoType] public class A { private int _v; public int Value { get => _v; set => _v = value < 0 ? Least : value; } public int Least { get; set; } }")]
    [InlineData("[NinoType] public class A { private int _v; [NinoIgnore] public int Max = 100; public int Value { get => _v; set => _v = Math.Min(value, Max); } }")]
    [InlineData("[NinoType] public class A { private int _v; public int Value { get => _v; set => _v = Math.Min(value, Max); } public static int Max { get; set; } = 100; }")]
    [InlineData("[NinoType] public class A(int max) { private int _v; public int Value { get => _v; set => _v = Math.Min(value, Max); } public int Max { get; } = max; }")]
    [InlineData("[NinoType] public class A(int max) { private int _v; public int Value { get => _v; set => _v = Math.Min(value, Max); } public int Max { get; set; } = max; }")]
    [InlineData("[NinoType] public class A { [NinoInclude] public int Value { get; set => field = Math.Clamp(value, 0, Max); } public int Max { get; set; } = 100; }")]
    [InlineData("[NinoType] public class A { [NinoIgnore] public int Value { get; set => field = Math.Clamp(value, 0, Max); } public int Max { get; set; } = 100; }")]
    [InlineData("[NinoType] public class A { public string? Selected { get; set => field = Items.Contains(value!) ? value : null; } public List<string> Items { get; } = []; }")]
    [InlineData("[NinoType] public class A { private readonly bool _read; private int _v; public A() => _read = true; public int Value { get => _v; set { if (!_read) return; _v = Math.Min(value, Max); } } public int Max { get; set; } = 100; }")]
    [InlineData("[NinoType] public class A { private int _v; public int Value { get => _v; set { _v = value; Children.Add(value); foreach (int x in Children) Log(x); lock (Children) { } } } public List<int> Children { get; set; } = []; private static void Log(int x) { } }")]
    [InlineData("[NinoType] public class A { private B? _b; public B? Owner { get => _b; set { _b = value; if (value != null && Name != value.Last) value.Last = Name; } } public string? Name { get; set; } } [NinoType] public class B { public string? Last { get; set; } }")]
    [InlineData("[NinoType] public class A { private int _v; private bool _dirty; public int Value { get => _v; set { if (value != _v) { _v = value; _dirty = true; } } } public int Max { get; set; } public bool Dirty() => _dirty; }")]
    [InlineData("[NinoType] public class A { private string _v = \"\"; public string Value { get => _v; set => _v = IsUpper ? value.ToUpperInvariant() : value; } public string? Other { get; set; } public string? IsUpperText { get; set; } [NinoIgnore] public bool IsUpper { get; set; } }")]
    [InlineData("[NinoType] public class A { private int _v; public int Value { get => _v; set => Set(ref _v, value, Name); } public string? Name { get; set; } private static bool Set(ref int f, int v, string? n) { f = v; return true; } }")]
    [InlineData("[NinoType] public class A { public string Name { get; set => field = Prefix + value; } = \"\"; public string Prefix { get; set; } = \"\"; }")]
    [InlineData("[NinoType] public class A { public string Name { get; set => field = $\"{Prefix}{value}\"; } = \"\"; public string? Prefix { get; set; } }")]
    [InlineData("[NinoType] public class A { public int X { get; set => field = value * Scale; } public int Scale { get; set; } = 1; }")]
    [InlineData("[NinoType] public class A { public int X { get; set => field = value + Offset; } public int Offset { get; set; } }")]
    [InlineData("[NinoType] public class A { public int X { get; set => field = Math.Clamp(value, Min, Max); } public int Min { get; set; } = int.MinValue; public int Max { get; set; } = int.MaxValue; }")]
    [InlineData("[NinoType] public class A { public int X { get; set { if (value > Max) throw new Exception(); field = value; } } public int Max { get; set; } = int.MaxValue; }")]
    [InlineData("[NinoType] public class A { public double X { get; set => field = IsInch ? value * 2.54 : value; } public bool IsInch { get; set; } }")]
    [InlineData("public enum Mode { Slow, Fast } [NinoType] public class A { public int X { get; set => field = value > (int)Mode.Fast ? 0 : value; } public string? S; public Mode Mode { get; set; } }")]
    [InlineData("public class Part { public Part(int x) { X = x; } public int X; public static int Of(int x) => x; } [NinoType] public class A { private int _x; public int X { get => _x; set { var part = new Part(value); Part? other = part; _x = other.X + Part.Of(value) - Part.Of(value); } } [NinoIgnore] public Part? Part { get; set; } }")]
    [InlineData("[NinoType] public record Part(int X) { public static int Of(int x) => x; } [NinoType] public class A { private int _x; public int X { get => _x; set { var part = new Part(value); Part? other = part; _x = Part.Of(((Part)other).X); } } public Part? Part { get; set; } }")]
    public void ASetterThatKeepsTheSameWhateverIsSetBehindItIsNot(string source) => Assert.Empty(GeneratorHarness.Diagnose(source));

    [Theory]
    [InlineData("[NinoType] public class A { public int Level { get; set; } = 1; public int Hp { get; set => field = Math.Min(value, MaxHp); } public int MaxHp => Level * 10; }")]
    [InlineData("[NinoType] public class A { public int Hp { get; set => field = Math.Min(value, MaxHp); } public int Level { get; set; } = 1; public int MaxHp => 100; }")]
    [InlineData("[NinoType] public class A { public int Hp { get; set { field = value; Changed?.Invoke(Shown); } } public int Level { get; set; } public string Shown => $\"{Hp} {Level}\"; public event Action<string>? Changed; }")]
    public void AComputedPropertyThatIsAsItWillBeOrThatDecidesNothingIsNot(string source) => Assert.Empty(GeneratorHarness.Diagnose(source));

    /// <summary>A new object has the least value of the type there, or no element, or a zero that stands for no limit.</summary>
    [Theory]
    [InlineData("[NinoType] public class C { public DateTime End { get; set { if (value < Start) throw new ArgumentException($\"{value} is before {Start}\"); field = value; } } public DateTime Start { get; set; } }")]
    [InlineData("[NinoType] public class C { public DateTime End { get; set { field = value < Start ? Start : value; } } public DateTime Start { get; set; } }")]
    [InlineData("[NinoType] public class C { public DateOnly End { get; set { if (Start > value) value = Start; field = value; } } public DateOnly Start { get; set; } }")]
    [InlineData("[NinoType] public class C { public uint End { get; set => field = Math.Max(value, Start); } public uint Start { get; set; } }")]
    [InlineData("[NinoType] public class C { public ushort End { get; set { ArgumentOutOfRangeException.ThrowIfLessThan(value, Start); field = value; } } public ushort Start { get; set; } }")]
    [InlineData("[NinoType] public class C { public int Capacity { get; set { if (value < Items.Count) throw new ArgumentException(); field = value; } } public List<int> Items { get; } = []; }")]
    [InlineData("[NinoType] public class C { public int Value { get; set { if (Max > 0 && value > Max) throw new ArgumentException(); field = value; } } public int Max { get; set; } }")]
    [InlineData("[NinoType] public class C { public int Value { get; set => field = Max == 0 ? value : Math.Min(value, Max); } public int Max { get; set; } }")]
    [InlineData("[NinoType] public class C { public int Value { get; set => field = Max is > 0 ? Math.Min(value, Max) : value; } public int Max { get; set; } }")]
    [InlineData("[NinoType] public class C { private int _max; public int Value { get; set { if (Max > 0 && value > Max) throw new ArgumentException(); field = value; } } public int Max { get => _max; set => _max = value; } }")]
    [InlineData("[NinoType] public class C { private DateTime _start; public DateTime End { get; set { if (value < Start) throw new ArgumentException(); field = value; } } public DateTime Start { get { return _start; } set { _start = value; } } }")]
    [InlineData("[NinoType] public class C { public C() { Items.CollectionChanged += static (_, _) => { }; } public int Capacity { get; set { if (value < Items.Count) throw new ArgumentException(); field = value; } } public System.Collections.ObjectModel.ObservableCollection<int> Items { get; } = []; }")]
    public void WhatIsDoneWithLessThanTheLeastIsNot(string source) => Assert.Empty(GeneratorHarness.Diagnose(source));

    [Theory]
    [InlineData("[NinoType] public class C { public DateTime Start { get; set { if (value > End) throw new ArgumentException(); field = value; } } public DateTime End { get; set; } }")]
    [InlineData("[NinoType] public class C { private DateTime _s; public DateTime Start { get => _s; set { if (value < End) _s = value; } } public DateTime End { get; set; } }")]
    [InlineData("[NinoType] public class C { public DateTime Start { get; set => field = value < End ? value : End; } public DateTime End { get; set; } }")]
    [InlineData("[NinoType] public class C { public int End { get; set { if (value < Start) throw new ArgumentException(); field = value; } } public int Start { get; set; } }")]
    [InlineData("[NinoType] public class C { public DateTime End { get; set { if (value < Start) throw new ArgumentException(); field = value; } } public DateTime Start { get; set; } = new(2000, 1, 1); }")]
    [InlineData("[NinoType] public class C { public int Index { get; set { if (value >= Items.Count) throw new ArgumentException(); field = value; } } public List<int> Items { get; } = []; }")]
    [InlineData("[NinoType] public class C { public int Capacity { get; set { if (value < Items.Count) throw new ArgumentException(); field = value; } } public List<int> Items { get; } = [1, 2]; }")]
    [InlineData("[NinoType] public class C { public int Value { get; set { if (Max > 0 && value > Max) throw new ArgumentException(); field = value; } } public int Max { get; set; } = 100; }")]
    [InlineData("[NinoType] public class C { public C() { Start = DateTime.UtcNow; } public DateTime End { get; set { if (value < Start) throw new ArgumentException(); field = value; } } public DateTime Start { get; set; } }")]
    [InlineData("[NinoType] public class C { public C() { Max = 10; } public int Value { get; set { if (Max > 0 && value > Max) throw new ArgumentException(); field = value; } } public int Max { get; set; } }")]
    [InlineData("[NinoType] public class C { private DateTime _s = DateTime.UtcNow; public DateTime End { get; set { if (value < Start) throw new ArgumentException(); field = value; } } public DateTime Start { get => _s; set => _s = value; } }")]
    [InlineData("[NinoType] public class C { private DateTime _s; public C() => _s = DateTime.UtcNow; public DateTime End { get; set { if (value < Start) throw new ArgumentException(); field = value; } } public DateTime Start { get => _s; set => _s = value; } }")]
    [InlineData("[NinoType] public class C { public C() { Items.Add(1); Items.Add(2); } public int Capacity { get; set { if (value < Items.Count) throw new ArgumentException(); field = value; } } public List<int> Items { get; } = []; }")]
    [InlineData("[NinoType] public class C { public C() { Items.UnionWith([1, 2]); } public int Capacity { get; set { if (value < Items.Count) throw new ArgumentException(); field = value; } } public HashSet<int> Items { get; } = []; }")]
    public void WhatIsDoneWithMoreOrWithAnotherBeginningIsTold(string source) => Assert.Equal("NINO028", Assert.Single(GeneratorHarness.Diagnose(source)).Id);

    [Fact]
    public void WhatIsToldIsWhatReadingMakesAndInFrontItIsRead() => Programs.Run(
        """
        [NinoType] public class Told { public int Value { get; set => field = Math.Clamp(value, 0, Max); } public int Max { get; set; } = 100; }
        [NinoType] public class InFront { public int Max { get; set; } = 100; public int Value { get; set => field = Math.Clamp(value, 0, Max); } }
        [NinoType] public class Filled { public string? Value { get; set => field = All.Contains(value!) ? value : null; } public List<string> All { get; } = []; }
        """,
        """
        Equal(100, Copy(new Told { Max = 1000, Value = 500 }).Value);
        Equal(500, Copy(new InFront { Max = 1000, Value = 500 }).Value);
        Equal("x", Copy(new Filled { All = { "x" }, Value = "x" }).Value);
        """);

    [Fact]
    public void OfAValueThatIsRefusedAndOfOneThatIsKeptOtherwiseTheMessageSaysWhich()
    {
        Assert.Contains("may be refused", Message("[NinoType] public class A { private int _v; public int Value { get => _v; set { if (value > Max) throw new ArgumentException(); _v = value; } } public int Max { get; set; } = 100; }"));
        Assert.Contains("may be kept. Store the value as a field", Message("[NinoType] public class A { public int X { get; set => field = value * Scale; } public int Scale { get; set; } }"));
        Assert.Contains("may be kept. Let a constructor take 'Unit'", Message("[NinoType] public class A { private int _v; public int Percent { get => _v / Unit.Length; set => _v = value * Unit.Length; } public string Unit { get; set; } = \"mm\"; }"));

        static string Message(string source) => Assert.Single(GeneratorHarness.Diagnose(source)).GetMessage(System.Globalization.CultureInfo.InvariantCulture);
    }

    [Theory]
    [InlineData("[NinoType] public class A { private int _v, _q, _t; public int Price { get => _v; set { _v = value; _t = _v * _q; } } public int Quantity { get => _q; set { _q = value; _t = _v * _q; } } public int Total => _t; }")]
    [InlineData("[NinoType] public class A { private int _a, _b; private bool _dirty; public int X { get => _a; set { _a = value; _dirty = true; } } public int Y { get => _b; set { _b = value; _dirty = true; } } public bool IsDirty() => _dirty; }")]
    public void WhatSeveralSettersSetAndNoneOfTheirGettersShowsIsNoMemberOfAnother(string source) => Assert.Empty(GeneratorHarness.Diagnose(source));
}
