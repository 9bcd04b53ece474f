using Microsoft.CodeAnalysis;
using Store.Serialization.Generator.Parser;

namespace Store.Tests.Generator;

/// <summary>Names of types as long as the metadata of an assembly lets codecs have them, and longer (NINO023).</summary>
public class NameLengthTests
{
    // {0} is the name of Part, with which the full name of the type at ‹...› gets its length.
    public static TheoryData<string, string> Shapes => new()
    {
        { "Box<{0}>", "[NinoType] public sealed class Box<T> { public T? Value; public int Id; } [NinoType] public sealed class {0} { public int X; } [NinoType] public sealed class A { public Box<{0}>? ‹M›; }" },
        { "Only<{0}>", "[NinoType] public sealed class Only<T> { public int Id; } public enum {0}; [NinoType] public sealed class A { public List<Only<{0}>[]>? ‹M›; }" },
        { "Pair<System.Int32?,{0}>", "[NinoType] public record struct Pair<T, U>(T First, U Second); public enum {0}; [NinoType] public sealed class A { public Pair<int?, {0}>? ‹M›; }" },
        { "System.ValueTuple<{0},System.Object,System.String[]>", "[NinoType] public sealed class {0} { public int X; } [NinoType] public sealed class A { public ({0} P, dynamic? O, string?[] Texts) ‹M›; }" },
        { "Out<{0}>.Base", "public static class Out<T> { [NinoType] public abstract class Base { } [NinoType] public sealed class D : Base { public int X; } } [NinoType] public sealed class {0} { public int X; } [NinoType] public sealed class A { public Out<{0}>.Base? ‹M›; }" },
        { "Wörter.Satz<{0}>", "namespace Wörter { [NinoType] public sealed class Satz<T> { public int Id; } } public enum {0}; [NinoType] public sealed class A { public Wörter.Satz<{0}>? ‹M›; }" },
    };

    [Theory]
    [MemberData(nameof(Shapes))]
    public void ANameOfTheGreatestLengthHasACodec(string name, string source) => GeneratorHarness.Generate(Of(name, source, more: 0).Replace("‹", "").Replace("›", ""));

    [Theory]
    [MemberData(nameof(Shapes))]
    public void ALongerOneIsAnErrorAtTheMemberAndNoneOfTheCompiler(string name, string source)
    {
        string text = Of(name, source, more: 1);
        Diagnostic diagnostic = Assert.Single(GeneratorHarness.Diagnose(text.Replace("‹", "").Replace("›", "")));
        Assert.Equal(("NINO023", "M"), (diagnostic.Id, diagnostic.Location.SourceTree!.ToString().Substring(diagnostic.Location.SourceSpan.Start, diagnostic.Location.SourceSpan.Length)));
        Assert.Contains("'A.M'", diagnostic.GetMessage(), StringComparison.Ordinal);
        Assert.Contains($"takes {NameLengths.BytesMax + 1:N0} bytes", diagnostic.GetMessage(), StringComparison.Ordinal);
    }

    [Fact]
    public void WhatTheMessageAdvisesInItsPlaceIsStored()
    {
        string part = new('P', NameLengths.BytesMax);
        Programs.Run($$"""
            [NinoType] public class Box<T> { public T? Value; }
            public enum {{part}} { None, One }
            [NinoType] public sealed class Own : Box<{{part}}>;
            [NinoType] public sealed record Parts({{part}} First, int Second);
            [NinoType] public sealed class A { public Own? Box; public Parts? Parts; public Dictionary<string, List<{{part}}>>? Lists; }
            """, $$"""
            A copy = Copy(new A { Box = new Own { Value = {{part}}.One }, Parts = new Parts({{part}}.One, 2), Lists = new() { ["x"] = [{{part}}.One] } });
            Equal(({{part}}.One, new Parts({{part}}.One, 2), {{part}}.One), (copy.Box!.Value, copy.Parts, copy.Lists!["x"][0]));
            """);
    }

    [Fact]
    public void ThePageSaysHowLongANameMayBe() => Assert.Contains($"more than {NameLengths.BytesMax} bytes of UTF-8", Repository.Read("docs/diagnostics/NINO023.md"), StringComparison.Ordinal);

    private static string Of(string name, string source, int more)
    {
        int others = System.Text.Encoding.UTF8.GetByteCount(name.Replace("{0}", ""));
        return source.Replace("{0}", new string('P', NameLengths.BytesMax - others + more));
    }
}
