namespace Store.Tests.Generator;

/// <summary>A get-only auto-property that holds a constant in every object is no state; one that a constructor may set is (NINO009).</summary>
public sealed class ConstantPropertyTests
{
    [Theory]
    [InlineData("public string Kind { get; } = \"circle\";")]
    [InlineData("public int SchemaVersion { get; } = 2;")]
    [InlineData("public double Least { get; } = -1.5;")]
    [InlineData("public DayOfWeek Day { get; } = DayOfWeek.Friday;")]
    [InlineData("public string Name { get; } = nameof(String);")]
    [InlineData("private const string Called = \"c\"; public string Name { get; } = Called;")]
    [InlineData("public int Seconds { get; } = 60 * 60;")]
    [InlineData("public string Empty { get; } = string.Empty;")]
    [InlineData("public int Most { get; } = int.MaxValue;")]
    [InlineData("public TimeSpan Wait { get; } = TimeSpan.Zero;")]
    public void AConstantIsNotStoredAndNotTold(string member) => GeneratorHarness.Generate($"[NinoType] public class A {{ public int Id; {member} }}", $"[NinoType] public record R(int Id) {{ {member} }}");

    [Fact]
    public void AStructIsMadeWithoutItsDeclarationToo() => Assert.Equal("NINO009", Assert.Single(GeneratorHarness.Diagnose("[NinoType] public record struct R(int Id) { public int V { get; } = 2; }")).Id);

    [Theory]
    [InlineData("[System.Runtime.Serialization.DataMember] public string Kind { get; } = \"circle\";")]
    [InlineData("[System.Runtime.Serialization.DataMember] public string Kind => \"circle\";")]
    [InlineData("[System.Runtime.Serialization.DataMember] public DayOfWeek Kind { get => DayOfWeek.Monday; }")]
    public void NorIsOneThatItsSerializerMarks(string member) => GeneratorHarness.Generate($"[assembly: NinoSerializable(typeof(A))] [System.Runtime.Serialization.DataContract] public class A {{ [System.Runtime.Serialization.DataMember] public int Id; {member} }}");

    [Fact]
    public void WhatHasNothingElseIsStoredAsAMarker() => Programs.Run("[NinoType] public class Ping { public string Kind { get; } = \"ping\"; }", "Equal(\"ping\", Copy(new Ping()).Kind);");

    [Fact]
    public void NorIsOneThatOverrides() => GeneratorHarness.Generate("[NinoType] public abstract class A { public int Id; public abstract string Kind { get; } } [NinoType] public class B : A { public override string Kind { get; } = \"b\"; }");

    [Theory]
    [InlineData("public string Kind { get; } = \"circle\"; public A() { } public A(int x) => Kind = \"square\";")]
    [InlineData("public string Machine { get; } = Environment.MachineName;")]
    [InlineData("public DateTime At { get; } = DateTime.UtcNow;")]
    [InlineData("public Guid Key { get; } = Guid.NewGuid();")]
    [InlineData("public DayOfWeek Day { get; } = Defaults.Monday; public static class Defaults { public static DayOfWeek Monday; }")]
    [InlineData("public int Other { get; }")]
    public void WhatMayDifferIs(string members) => Assert.Equal("NINO009", Assert.Single(GeneratorHarness.Diagnose($"[NinoType] public class A {{ public int Id; {members} }}")).Id);

    [Fact]
    public void WhatForeachShowsByItsNameAloneIsState() =>
        Assert.Equal("NINO017", Assert.Single(GeneratorHarness.Diagnose("[NinoType] public class A { private readonly List<int> _l = []; public IEnumerator<int> GetEnumerator() => _l.GetEnumerator(); public int Id { get; set; } }")).Id);
}
