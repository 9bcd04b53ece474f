using System.Globalization;
using Microsoft.CodeAnalysis;

namespace Store.Tests.Generator;

/// <summary>What the head of a base keeps of its arguments is told where reading may pass it something else than the object was made with (NINO017).</summary>
public sealed class HeadArgumentsTests
{
    private const string Twice = "public class Base(int x) { public int Twice => x * 2; }";

    [Theory]
    [InlineData("[NinoType] public class D(int y) : Base(y) { public int Y { get; set; } = y; }")]
    [InlineData("[NinoType] public class D(int y) : Base(y + 1) { public int Y { get; init; } = y; }")]
    [InlineData("[NinoType] public class D(int x) : Base(x) { public int X { get; private set; } = x; public void Next() => X++; }")]
    [InlineData("[NinoType] public class D(int y) : Base(y) { public int Y = y; }")]
    [InlineData("[NinoType] public class D(int y) : Base(y) { private int _y = y; public int Y => _y; public void Next() => _y++; }")]
    [InlineData("[NinoType] public class D(int y = 3) : Base(y) { public int Id { get; set; } }")]
    [InlineData("[NinoType] public class D : Base { public D(int y) : base(y) { Y = y; } public int Y { get; set; } }")]
    [InlineData("[NinoType] public class D(int z, int y) : Base(x: z * y) { public int Z { get; } = z; public int Y { get; set; } = y; }")]
    [InlineData("public class Middle(int m) : Base(m); [NinoType] public class D(int y) : Middle(y) { public int Y { get; set; } = y; }")]
    [InlineData("public class Middle : Base { public Middle(int m, bool _) : this(m) { } public Middle(int m) : base(m) { } } [NinoType] public class D(int y) : Middle(y, true) { public int Y { get; set; } = y; }")]
    public void ABaseThatKeepsWhatMayHaveBeenSetSinceIsTold(string source)
    {
        Diagnostic told = Assert.Single(GeneratorHarness.Diagnose(Twice + source));
        Assert.Equal("NINO017", told.Id);
    }

    [Fact]
    public void TheAdviceSaysWhatReadingPasses() => Assert.Equal(
        "The constructor parameter 'Base.x' is not stored, although the property 'Base.Twice' is computed from it: reading passes it what the members hold then, or a default value, and not what the object was made with: hold the value in a member that can be set, or show it by a property that is stored; or mark a member of its name with [NinoIgnore] when it may be lost",
        Assert.Single(GeneratorHarness.Diagnose(Twice + "[NinoType] public class D(int y) : Base(y) { public int Y { get; set; } = y; }")).GetMessage(CultureInfo.InvariantCulture));

    [Theory]
    [InlineData("[NinoType] public class D(int y) : Base(y) { public int Y { get; } = y; }")]
    [InlineData("[NinoType] public class D(int y) : Base(y) { private readonly int _y = y; public int Y => _y; }")]
    [InlineData("[NinoType] public class D(int y) : Base(y) { public int Y => y; }")]
    [InlineData("[NinoType] public class D(int y) : Base(4) { public int Y { get; set; } = y; }")]
    [InlineData("[NinoType] public class D(int z, int y) : Base(z) { public int Z { get; } = z; public int Y { get; set; } = y; }")]
    [InlineData("[NinoType] public class D(int y) : Base(y) { public int Y { get; set; } = y; [NinoIgnore] private readonly int X = y; }")]
    [InlineData("public class Shown(int id) { public int Id => id; public string Label => $\"#{id}\"; } [NinoType] public class D(int id) : Shown(id) { public string Name { get; set; } = \"\"; }")]
    [InlineData("public class Only(int x) { public int X { get; set; } = x; } [NinoType] public class D(int y) : Only(y) { public int Y { get; set; } = y; }")]
    [InlineData("public class Held(int x) { private readonly int _x = x; } [NinoType] public class D(int y) : Held(y) { public int Y { get; set; } = y; }")]
    public void ABaseThatKeepsWhatNothingSetsOrShowsNothingOfItIsNot(string source) =>
        Assert.Empty(GeneratorHarness.Diagnose(Twice + source));
}
