namespace Store.Tests.Generator;

/// <summary>Of a generic class every assembly that closes it writes a codec, and which constructor is in its head only its own sees: where that would store other members, it is an error (NINO005).</summary>
public sealed class GenericHeadTests
{
    [Fact]
    public void AHeadThatOtherAssembliesWouldNotTakeForOtherMembersIsAnError()
    {
        Microsoft.CodeAnalysis.Diagnostic told = Assert.Single(GeneratorHarness.Diagnose("[NinoType] public class Pair<T>(T x) { public Pair(T x, int sum) : this(x) { } public T X => x; public int Sum => 1; } [NinoType] public class Holder { public Pair<int>? P; }"));
        Assert.Equal("NINO005", told.Id);
        Assert.Equal("The type 'Pair<int>' has several constructors that reading could use: here the one in its head, and assemblies that use the class, which do not see that, 'Pair(int, int)', with which they store other members; mark one with [NinoConstructor], that in the head with [method: NinoConstructor] in front of the class", told.GetMessage(System.Globalization.CultureInfo.InvariantCulture));
    }

    /// <summary>Others know the head of a record by how the compiler takes it apart: where it does not, they would take another constructor.</summary>
    [Theory]
    [InlineData("[NinoType] public record struct Pair<T>(T X) { public Pair(T x, int sum) : this(x) { } public readonly int Sum => 1; public readonly void Deconstruct(out T X) => X = this.X; }")]
    [InlineData("[NinoType] public record Pair<T>() { public T? X { get; set; } public Pair(int sum) : this() { } public int Sum => 1; }")]
    public void AHeadOfARecordThatOthersDoNotSeeIsOneToo(string source) =>
        Assert.Equal("NINO005", Assert.Single(GeneratorHarness.Diagnose(source + " [NinoType] internal class Holder { public Pair<int>? P; }")).Id);

    /// <summary>A struct of another assembly is not seen to be a record, but that the compiler takes it apart.</summary>
    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void TheHeadOfARecordStructIsSeenInOtherAssembliesToo(bool seesReferenceAssembly) => Programs.Run("""
        [assembly: NinoSerializable(typeof(Lib.Twice))] [NinoType] public class Holder { public Lib.Pair<long> P; }
        """, """
        Equal("0:X:Int32", Fields<Lib.Twice>());
        Equal(5, Copy(new Lib.Twice(5)).X);
        Equal("X", string.Join(" ", System.Linq.Enumerable.Select(((ObjectDefinition)((ObjectDefinition)NinoSerializer.SchemaOf<Holder>().Root.Definition!).Fields[0].Node.Definition!).Fields, field => field.Name)));
        """, """
        namespace Lib
        {
            public readonly record struct Twice(int X) { public int X { get; } = X; public Twice(int x, int step) : this(x * step) { } public int Step => 2; }
            [NinoType] public record struct Pair<T>(T X) { public Pair(T x, int sum) : this(x) { } public readonly int Sum => 1; }
        }
        """, seesReferenceAssembly);

    [Theory]
    // Marked, of one assembly alone, not generic, and where both store the same.
    [InlineData("[NinoType] [method: NinoConstructor] public class Pair<T>(T x) { public Pair(T x, int sum) : this(x) { } public T X => x; public int Sum => 1; }")]
    [InlineData("[NinoType] internal class Pair<T>(T x) { public Pair(T x, int sum) : this(x) { } public T X => x; public int Sum => 1; }")]
    [InlineData("[NinoType] public class Pair<T>(T x) { public Pair() : this(default!) { } public T X { get; set; } = x; public int Sum => 1; }")]
    [InlineData("[NinoType] public class Pair<T>(T x) { public Pair(T x, int sum) : this(x) { Sum = sum; } public T X => x; public int Sum { get; set; } }")]
    [InlineData("[NinoType] public record Pair<T>(T X) { public Pair(T x, int sum) : this(x) { } public int Sum => 1; }")]
    [InlineData("[NinoType] public record struct Pair<T>(T X) { public Pair(T x, int sum) : this(x) { } public readonly int Sum => 1; }")]
    [InlineData("[NinoType] public record Pair<T>(T X) { public Pair(T x, int sum) : this(x) { } public int Sum => 1; public void Deconstruct(out T x, out int sum) => (x, sum) = (X, 1); }")]
    public void OneThatMakesNoDifferenceIsNot(string source) =>
        Assert.Empty(GeneratorHarness.Diagnose(source + " [NinoType] internal class Holder { public Pair<int>? P; }"));
}
