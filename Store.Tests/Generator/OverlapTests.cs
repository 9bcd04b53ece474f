using System.Globalization;

namespace Store.Tests.Generator;

/// <summary>What [FieldOffset] puts behind each other does not lie over each other, however the run time lays out what is in front.</summary>
public class OverlapTests
{
    private const string Codec = " public readonly struct C : INinoCodec<Whole> { public static int MinSize => 1; public static SchemaNode Describe(SchemaBuilder builder) => SchemaNode.Primitive(SchemaKind.Byte); public void Write(ref NinoWriter writer, in Whole value) => writer.Take(1) = value.A; public Whole Read(ref NinoReader reader) => new Whole { A = reader.Take(1) }; }";

    /// <summary>A date makes the run time put the bytes together; a fixed buffer is as long as its elements.</summary>
    [Theory]
    [InlineData("public struct Whole { public byte A; public System.DateTime D; public byte B; }", 16, false)]
    [InlineData("public struct Whole { public byte A; public System.DateTime D; public byte B; }", 8, true)]
    [InlineData("public unsafe struct Whole { public byte A; public fixed byte B[3]; }", 4, false)]
    [InlineData("public unsafe struct Whole { public byte A; public fixed byte B[3]; }", 3, true)]
    [InlineData("public struct Whole { public byte A; public long B; public byte C; }", 16, true)]
    [InlineData("public struct Pair { public short A; public short B; } public struct Whole { public byte A; public Pair B; }", 6, false)]
    [InlineData("public struct Pair { public short A; public short B; } public struct Whole { public byte A; public Pair B; }", 5, true)]
    public void AFieldBehindAStructIsToldWhereItLiesOverTheEndOfThat(string whole, int offset, bool isTold)
    {
        string source = whole + $" [System.Runtime.InteropServices.StructLayout(System.Runtime.InteropServices.LayoutKind.Explicit)] [NinoType] public struct A {{ [System.Runtime.InteropServices.FieldOffset(0)] [NinoCodec(typeof(C))] public Whole Whole; [System.Runtime.InteropServices.FieldOffset({offset.ToString(CultureInfo.InvariantCulture)})] public bool Is; }}" + Codec;
        string[] told = [.. GeneratorHarness.Diagnose(source).Select(static one => one.GetMessage(CultureInfo.InvariantCulture))];
        if (isTold) Assert.Contains(told, static message => message.Contains("lies over", StringComparison.Ordinal));
        else Assert.Empty(told);
    }

    /// <summary>While the user types, a struct may contain itself, many times.</summary>
    [Fact]
    public void AStructThatContainsItselfIsLookedIntoOnce() =>
        GeneratorHarness.Driver().RunAbroad(GeneratorHarness.Compile("public struct Whole { public Whole A, B, C, D, E, F, G, H; } [System.Runtime.InteropServices.StructLayout(System.Runtime.InteropServices.LayoutKind.Explicit)] [NinoType] public struct A { [System.Runtime.InteropServices.FieldOffset(0)] public Whole Whole; [System.Runtime.InteropServices.FieldOffset(1)] public bool Is; }"), out _, out _);
}
