namespace Store.Tests.Generator;

/// <summary>Constructors that make another value of what they are given each time are told where nothing else sets the member that shows it (NINO029); those whose result comes to rest are not.</summary>
public sealed class ChangingConstructorTests
{
    [Theory]
    [InlineData("[NinoType] public class C(int a) { public int A { get; } = a + 1; }")]
    [InlineData("[NinoType] public class C(int a) { public readonly int A = a * 2; }")]
    [InlineData("[NinoType] public class C { public C(int a) { A = a + 1; } public int A { get; } }")]
    [InlineData("[NinoType] public class C { public C(int a) => A = -a; public int A { get; } }")]
    [InlineData("[NinoType] public class C { public C(int a, int b) { (A, B) = (a, b - a); } public int A { get; } public int B { get; } }")]
    [InlineData("[NinoType] public class C { private readonly int _a; public C(int a) { _a = a * 2; } public int A => _a; }")]
    [InlineData("[NinoType] public class C { private readonly int a; public C(int a) { this.a = a << 2; } public int A => a; }")]
    [InlineData("[NinoType] public class C(string a) { public string A { get; } = $\"<{a}>\"; }")]
    [InlineData("[NinoType] public class C(string a) { public string A { get; } = \"/\" + a; }")]
    [InlineData("[NinoType] public class C(bool a) { public bool A { get; } = !a; }")]
    [InlineData("[NinoType] public class C(int a) { public int A { get; private set; } = a + 1; }")]
    [InlineData("[NinoType] public class C(int seconds) { private readonly int _s = seconds * 1000; public int Seconds => _s; }")]
    [InlineData("[NinoType] public class C(int seconds) { private readonly int _s = seconds * 1000; public int Seconds { get { return this._s; } } }")]
    [InlineData("[NinoType] public record C(int A) { public int A { get; } = A + 1; }")]
    [InlineData("[NinoType] public class C { public C(int a) : this(a + 1, \"\") { } private C(int a, string b) { A = a; } public int A { get; } }")]
    [InlineData("[NinoType] public class C { public C(int a) : this(\"\", x: a + 1) { } private C(string b, int x) { A = x; } public int A { get; } }")]
    [InlineData("public class B(int a) { public int A { get; } = a; } [NinoType] public class C(int a) : B(a + 1);")]
    [InlineData("public class B { public B(int x) { A = x; } public int A { get; } } [NinoType] public class C : B { public C(int a) : base(a * 2) { } }")]
    [InlineData("public class B(int a) { public int A { get; } = a + 1; } [NinoType] public class C(int a) : B(a);")]
    [InlineData("[NinoType] public readonly struct C(double a) { public double A { get; } = a / 2.54; }")]
    [InlineData("[NinoType] public class C<T>(int a, T b) { public int A { get; } = a + 1; public T B { get; } = b; } [NinoType] public class D { public C<int>? X; }")]
    [InlineData("[NinoType] public class C<T>(int a, T b) { public int A { get; } = a + 1; public T B { get; } = b; }")]
    [InlineData("[NinoType] public class C(int a, int b) { public int A { get; } = a + b; public int B { get; } = b; }")]
    [InlineData("[NinoType] public class C(decimal? a) { public decimal A { get; } = (a ?? 0) * 1.19m; }")]
    [InlineData("[NinoType] public class C { public C(int a) { if (a < 0) throw new ArgumentException(); A = checked(a + 1); } public int A { get; } }")]
    [InlineData("[NinoType] public class C(int a) { public int A { get; } = (int)(a * 1.5); }")]
    [InlineData("[NinoType] public class C(int a, int top = 0) { public int A { get; } = top - a; }")]
    public void AConstructorThatChangesWhatReadingPassesItIsTold(string source) => Assert.Equal("NINO029", Assert.Single(GeneratorHarness.Diagnose(source)).Id);

    /// <summary>One that was made with another number is rounded to the default one.</summary>
    [Theory]
    [InlineData("[NinoType] public class C(decimal a, int by = 2) { public decimal A { get; } = Math.Round(a, by); }")]
    [InlineData("[NinoType] public class C { private readonly decimal _a; public C(decimal a, int by = 2) { _a = decimal.Round(a, by); } public decimal A => _a; }")]
    [InlineData("[NinoType] public class C { public C(string a, bool by = true) { A = by ? a.Trim() : a; } public string A { get; } }")]
    [InlineData("[NinoType] public class C { public C(string a, string by = \"/x/\") { A = System.IO.Path.Combine(by, a); } public string A { get; } }")]
    [InlineData("[NinoType] public class C { public C(decimal a, int by) { A = Math.Round(a, by); } public decimal A { get; } [NinoIgnore] public int By { get; } }")]
    public void SoIsOneThatGoesByAParameterThatNoMemberGives(string source)
    {
        Microsoft.CodeAnalysis.Diagnostic told = Assert.Single(GeneratorHarness.Diagnose(source));
        Assert.Equal("NINO029", told.Id);
        Assert.Contains("of its parameter 'a' by 'by', which no member gives, so that reading passes its default value, and 'A' shows that: what is stored of it is passed again, so it may change when the object is read.", told.GetMessage(), StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("[NinoType] public class C(int a) { public int A { get; } = a; }")]
    [InlineData("[NinoType] public class C(string? a) { public string A { get; } = a ?? \"\"; }")]
    [InlineData("[NinoType] public class C(string a) { public string A { get; } = a.Trim(); }")]
    [InlineData("[NinoType] public class C(string a) { public string A { get; } = a.TrimEnd('/') + \"/\"; }")]
    [InlineData("[NinoType] public class C(string a) { public string A { get; } = a.StartsWith(\"/\") ? a : \"/\" + a; }")]
    [InlineData("[NinoType] public class C(string a) { public string A { get; } = $\"{a}\"; }")]
    [InlineData("[NinoType] public class C(string a) { public string A { get; } = a + \"\"; }")]
    [InlineData("[NinoType] public class C(string a) { public string A { get; } = a ?? throw new ArgumentNullException(nameof(a)); }")]
    [InlineData("[NinoType] public class C(int a) { public int A { get; } = Math.Max(0, a); }")]
    [InlineData("[NinoType] public class C(int a) { public int A { get; } = Math.Clamp(a, 0, 9); }")]
    [InlineData("[NinoType] public class C(int a) { public int A { get; } = Check(a); private static int Check(int a) => a < 0 ? throw new ArgumentException() : a; }")]
    [InlineData("[NinoType] public class C(int a) { public int A { get; } = a < 0 ? -a : a; }")]
    [InlineData("[NinoType] public class C(int a) { public int A { get; } = a % 360; }")]
    [InlineData("[NinoType] public class C(int a) { public int A { get; } = a - a % 10; }")]
    [InlineData("[NinoType] public class C(int a) { public int A { get; } = a / 10 * 10; }")]
    [InlineData("[NinoType] public class C(int a) { public int A { get; } = (a + 9) / 10 * 10; }")]
    [InlineData("[NinoType] public class C(int a) { public int A { get; } = (a + 7) & ~7; }")]
    [InlineData("[NinoType] public class C(int a) { public int A { get; } = a | 1; }")]
    [InlineData("[NinoType] public class C(decimal a) { public decimal A { get; } = a / 1.000m; }")]
    [InlineData("[NinoType] public class C(int[] a) { public int[] A { get; } = [.. a]; }")]
    [InlineData("[NinoType] public class C(List<int> a) { public List<int> A { get; } = new List<int>(a); }")]
    [InlineData("[NinoType] public class C(int a) { public int A { get; init; } = a + 1; }")]
    [InlineData("[NinoType] public class C(int a) { public int A { get; set; } = a + 1; }")]
    [InlineData("[NinoType] public class C(int a) { [NinoInclude] public int A { get; private set; } = a + 1; }")]
    [InlineData("[NinoType] public class C(int a) { [NinoInclude] public int A { get; } = a + 1; }")]
    [InlineData("[NinoType] public class C(int a) { [NinoIgnore] public int A { get; } = a + 1; public int X; }")]
    [InlineData("[NinoType] public class C(int seconds) { private readonly int _s = seconds * 1000; public int Seconds => _s / 1000; }")]
    [InlineData("[NinoType] public class C(int seconds) { [NinoInclude] private readonly int _s = seconds * 1000; public int Seconds => _s; }")]
    [InlineData("[NinoType] public class C { public C(int a) { if (a > 5) A = a + 1; else A = a; } public int A { get; } }")]
    [InlineData("[NinoType] public class C { public C(int a) { if (a > 5) a = a - 1; A = a; } public int A { get; } }")]
    [InlineData("[NinoType] public class C { public C(int a) : this(a + 1, \"\") { } [NinoConstructor] private C(int a, string b) { A = a; B = b; } public int A { get; } public string B { get; } }")]
    [InlineData("[NinoType] public class C { public C(int a, int b) { A = a; B = b + 0; Sum = a + b; } public int A { get; } public int B { get; } [NinoIgnore] public int Sum { get; } }")]
    [InlineData("[NinoType] public class C(int first, int last) { public int First { get; } = first; public int Last { get; } = last; public int Count { get; init; } = last - first; }")]
    [InlineData("[NinoType] public class C(DateTime a) { public DateTime A { get; } = a.ToUniversalTime(); }")]
    [InlineData("public class B(int next) { [NinoIgnore] public int Next { get; } = next; } [NinoType] public class C(int a) : B(a + 1) { public int A { get; } = a; }")]
    [InlineData("[NinoType] public class C(decimal a, decimal discount = 0) { public decimal A { get; } = a - discount; }")]
    [InlineData("[NinoType] public class C(decimal a, byte factor = 1) { public decimal A { get; } = a * factor; }")]
    [InlineData("[NinoType] public class C(string a, string prefix = \"\") { public string A { get; } = prefix + a; }")]
    [InlineData("[NinoType] public class C(string a, string? prefix = null) { public string A { get; } = $\"{prefix}{a}\"; }")]
    [InlineData("[NinoType] public class C { public C(int a, int discount) { A = a - discount; } public int A { get; } [NinoIgnore] public int Discount { get; } }")]
    [InlineData("[NinoType] public class C(string? a, string other = \"x\") { public string A { get; } = a ?? other; }")]
    [InlineData("[NinoType] public class C { public C(string a, IServiceProvider? by = null) { A = Check(a, by); } private static string Check(string a, object? by) => a; public string A { get; } }")]
    [InlineData("[NinoType] public class C { public C(decimal a, int by = 2) { A = Math.Round(a, by); } public decimal A { get; init; } }")]
    public void OneThatMakesTheSameOfWhatItHasMadeIsNot(string source) => Assert.Empty(GeneratorHarness.Diagnose(source));

    [Fact]
    public void TwoParametersOfOneNameAreTheCompilersAffair() => Assert.Empty(GeneratorHarness.ErrorsInGeneratedCode("[NinoType] public class C(int a, int by = 2, int by = 2) { public int A { get; } = a; } [NinoType] public class D(int a, int = 2, int = 3) { public int A { get; } = a; }"));

    [Fact]
    public void WhatIsToldGrowsAndWhatIsAdvisedDoesNot() => Programs.Run(
        """
        [NinoType] public class Told(int a) { public int A { get; } = a + 1; }
        [NinoType] public class Shown(int a) { private readonly int _a = a * 2; public int A => _a; }
        [NinoType] public class Rounded(decimal a, int by = 2) { public decimal A { get; } = Math.Round(a, by); }
        [NinoType] public class Cheaper(decimal a, decimal discount = 0) { public decimal A { get; } = a - discount; }
        [NinoType] public class Set(int a) { public int A { get; init; } = a + 1; }
        [NinoType] public class Hidden(int a) { [NinoInclude] public int A { get; private set; } = a + 1; }
        [NinoType] public class Kept(int a) { [NinoInclude] private readonly int _a = a * 2; [NinoIgnore] public int A => _a; }
        """,
        """
        Equal((7, 20), (Copy(new Told(5)).A, Copy(new Shown(5)).A));
        Equal((6, 6, 10), (Copy(new Set(5)).A, Copy(new Hidden(5)).A, Copy(new Kept(5)).A));
        Equal((1.23m, 95m), (Copy(new Rounded(1.2345m, 4)).A, Copy(new Cheaper(100, 5)).A));
        """);
}
