using System.Collections.Immutable;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Store.Serialization.Generator;

namespace Store.Tests.Generator;

/// <summary>Types that get no codec because the compiler refuses them, or seems to where another source generator writes what is missing: NINO024 says so, once, at the type or at the place that names it.</summary>
public sealed class RefusedTypeTests
{
    /// <summary>What another generator writes, the source with the place between ‹ and ›, and what the message says.</summary>
    public static TheoryData<string, string, string> WrittenByOthers => new()
    {
        { "public interface IKey;", "[NinoType] public class ‹Box›<T> where T : IKey { public T? Value; } public class Item : IKey; [NinoType] public class A { public Box<Item>? B; }", "'Box<T>', nor for what reaches it: the constraint 'IKey' of its type parameter 'T' is no type that is known here" },
        { "public partial class Item : IKey;", "public interface IKey; [NinoType] public partial class Item { public int X; } [NinoType] public class Box<T> where T : IKey { public T? Value; } [NinoType] public class A { public Box<Item>? ‹B›; }", "'Box<Item>', nor for what reaches it: 'Item' is not what the constraints of 'T' ask for" },
        { "public partial class Item : IKey;", "public interface IKey; [NinoType] public partial class Item { public int X; } [NinoType] public class Box<T> where T : IKey { public T? Value; } [NinoType] public class A { public List<Box<Item>[]>? ‹B›; }", "'Box<Item>'" },
        { "public partial class Item : IKey;", "public interface IKey; [NinoType] public partial class Item { public int X; } [NinoType] public class Box<T> where T : IKey { public T? Value; } [NinoType] public class ‹A› : Box<Item> { public int Y; }", "'A', nor for what reaches it: none is generated for 'Box<Item>'; 'Item' is not what the constraints of 'T' ask for" },
        { "public class Written { public int X; }", "[NinoType] public class A { public Written? ‹W›; }", "'Written', nor for what reaches it: no such type is known here; what other source generators write is not seen" },
        { "public class Written { public int X; }", "[NinoType] public class Box<T> { public T? Value; } [NinoType] public class A { public Dictionary<int, Box<Written>>? ‹W›; }", "'Written'" },
        { "[NinoType] public class Written : Base { public int X; }", "[NinoType, ‹NinoUnion(0, typeof(Written))›, NinoUnion(1, typeof(Known))] public abstract class Base; [NinoType] public class Known : Base { public int X; } [NinoType] public class A { public Base? B; }", "'Written', nor for what reaches it: no such type is known here" },
        { "public class Written { public int X; }", "[assembly: ‹NinoSerializable(typeof(Written))›]", "'Written'" },
        { "public struct Written : INinoCodec<int> { public static int MinSize => 4; public static SchemaNode Describe(SchemaBuilder b) => SchemaNode.Primitive(SchemaKind.Int32); public void Write(ref NinoWriter w, in int v) { } public int Read(ref NinoReader r) => 0; }", "[NinoType] public class A { [NinoCodec(typeof(Written))] public int ‹X›; }", "'Written'" },
    };

    [Theory]
    [MemberData(nameof(WrittenByOthers))]
    public void AProgramThatCompilesIsToldThatATypeHasNoCodec(string other, string source, string message)
    {
        int start = source.IndexOf('‹'), end = source.IndexOf('›') - 1;
        Diagnostic told = Assert.Single(Diagnose(source.Replace("‹", "").Replace("›", ""), other, out Compilation output));
        Assert.Equal(("NINO024", DiagnosticSeverity.Warning), (told.Id, told.DefaultSeverity));
        Assert.Contains(message, told.GetMessage(System.Globalization.CultureInfo.InvariantCulture), StringComparison.Ordinal);
        Assert.Equal((start, end), (told.Location.SourceSpan.Start - GeneratorHarness.Usings.Length, told.Location.SourceSpan.End - GeneratorHarness.Usings.Length));
        Assert.DoesNotContain(output.GetDiagnostics(), static one => one is { Severity: DiagnosticSeverity.Error, IsWarningAsError: false });
    }

    [Fact]
    public void WhatIsAskedForByItselfIsNamedBesideWhatIsWrong()
    {
        const string Source = "[assembly: NinoSerializable(typeof(List<Base>))] [NinoType] public class Base { public int X; public string? X; } [NinoType] public class Derived : Base { public int Y; } [NinoType] public class User { public Derived? D; public Base[]? All; }";
        Assert.Equal(
            [
                "No codec is generated for 'System.Collections.Generic.List<Base>', nor for what reaches it: none is generated for 'Base'; it declares 'X' twice",
                "No codec is generated for 'Base', nor for what reaches it: it declares 'X' twice",
                "No codec is generated for 'Derived', nor for what reaches it: none is generated for 'Base'; it declares 'X' twice",
            ],
            Diagnose(Source, "", out _).Select(static one => one.GetMessage(System.Globalization.CultureInfo.InvariantCulture)));
    }

    [Theory]
    [InlineData("[NinoType] public class Box<T> where T { public T? Value; } [NinoType] public class A { public Box<int>? B; }", "its declaration breaks off")]
    [InlineData("[NinoType] public class Box<T, T> { public T? Value; } [NinoType] public class A { public Box<int, int>? B; }", "it declares the type parameter 'T' twice")]
    [InlineData("[NinoType] public class A { public int X { get; set; } public int X() => 1; }", "it declares 'X' twice")]
    [InlineData("[NinoType] public class A { public A(int x) { X = x; } public A(int x) { X = x; } public int X { get; } }", "two of its constructors have the same parameters")]
    [InlineData("[NinoType] public class A { private required int X { get; set; } public int Y; }", "its required member 'X' cannot be set by everybody who may make one")]
    [InlineData("[assembly: NinoSerializable(typeof(Box<string>))] public class Box<T> where T : struct { public T X; }", "'string' is not what the constraints of 'T' ask for")]
    [InlineData("[assembly: NinoSerializable(typeof(Box<Item>))] public class Box<T> where T : new() { public T? X; } public class Item { public Item(int y = 3) => Y = y; public int Y; }", "'Item' is not what the constraints of 'T' ask for")]
    [InlineData("[assembly: NinoSerializable(typeof(Box<Item>))] public class Box<T> where T : new() { public T? X; } public class Item { public required int Y; }", "'Item' is not what the constraints of 'T' ask for")]
    [InlineData("[assembly: NinoSerializable(typeof(Box<Item>))] public class Box<T> where T : IComparable<T> { public T? X; } public class Item { public int Y; }", "'Item' is not what the constraints of 'T' ask for")]
    [InlineData("[assembly: NinoSerializable(typeof(Box<int?>))] public class Box<T> where T : IFormattable? { public T? X; }", "'int?' is not what the constraints of 'T' ask for")]
    [InlineData("[NinoType] public abstract class Base; [NinoType] public class A : Base { public int X; public long X; }", "it declares 'X' twice")]
    public void TheReasonIsThatOfTheCompiler(string source, string reason) =>
        Assert.Contains($", nor for what reaches it: {reason}", Assert.Single(Diagnose(source, "", out _)).GetMessage(System.Globalization.CultureInfo.InvariantCulture), StringComparison.Ordinal);

    [Theory]
    [InlineData("public partial class Item : IKey;", "public interface IKey; [NinoType] public partial class Item : IKey { public int X; }")]
    [InlineData("public partial interface IKey { int Number => 1; }", "public partial interface IKey; [NinoType] public partial class Item : IKey { public int X; }")]
    public void WhatIsWrittenInTheSourceTooIsNotReported(string other, string source) =>
        Compiles(source + " [NinoType] public class Index<T> where T : IKey { public List<T> All { get; set; } = []; } [NinoType] public class Shop { public Index<Item>? Items { get; set; } }", other);

    /// <summary>What other generators write is not seen here: of what they may write more of, or of its bases and type arguments, the compiler alone knows what it fulfils.</summary>
    [Theory]
    [InlineData("public partial class Item : IComparable<Item> { public int CompareTo(Item? other) => 0; }", "public interface IKey; [NinoType] public partial class Item : IKey { public int X; } [NinoType] public class Sorted<T> where T : IComparable<T> { public T? First; } [NinoType] public class Shelf { public Sorted<Item>? Items; }")]
    [InlineData("public partial class ItemBase : IComparable<ItemBase> { public int CompareTo(ItemBase? other) => 0; }", "public partial class ItemBase; [NinoType] public class Item : ItemBase { public int X; } [NinoType] public class Sorted<T> where T : IComparable<T> { public T? First; } [NinoType] public class Shelf { public Sorted<Item>? Items; }")]
    [InlineData("public partial class Item : IMark;", "public interface IMark; [NinoType] public partial class Item { public int X; } [NinoType] public class Two<T, TAll> where TAll : IEnumerable<T> { public TAll? All; } [NinoType] public class Shelf { public Two<IMark, List<Item>>? Items; }")]
    [InlineData("public partial class Item { public Item() { } }", "[NinoType] public partial class Item { [NinoConstructor] public Item(int x) => X = x; public int X { get; } } [NinoType] public class Made<T> where T : new() { public T? First; } [NinoType] public class Shelf { public Made<Item>? Items; }")]
    public void WhatAnotherGeneratorMayFulfilIsLeftToTheCompiler(string other, string source) =>
        Compiles(source, other);

    /// <summary>The names of its elements make no other type of a tuple.</summary>
    [Theory]
    [InlineData("Two<(int a, int b), (int, int)>")]
    [InlineData("Two<KeyValuePair<object, (int q, int r)>, KeyValuePair<object, (int, int)>>")]
    public void TuplesAreTheSameWhateverTheirElementsAreCalled(string type) =>
        Compiles($"[NinoType] public class Two<T, TOther> where TOther : T {{ public TOther? Other; }} [NinoType] public class Shelf {{ public {type}? Items; }}", "");

    /// <summary>It cannot be named, and no generator gives it a name.</summary>
    [Theory]
    [InlineData("[NinoType] public sealed record")]
    [InlineData("[NinoType] public class A { public int X; public")]
    public void WhatHasNoNameYetIsNotReported(string source) => Assert.Empty(Diagnose(source, "", out _));

    /// <summary>The generator says nothing, and the compiler has no error, of the source with what another generator writes.</summary>
    private static void Compiles(string source, string other)
    {
        Assert.Empty(Diagnose(source, other, out Compilation output));
        Assert.DoesNotContain(output.GetDiagnostics(), static one => one is { Severity: DiagnosticSeverity.Error, IsWarningAsError: false });
    }

    private static ImmutableArray<Diagnostic> Diagnose(string source, string other, out Compilation output)
    {
        CSharpCompilation compilation = GeneratorHarness.Compile(source);
        CSharpGeneratorDriver.Create([new NinoGenerator().AsSourceGenerator(), new OtherGenerator(other).AsSourceGenerator()], parseOptions: new CSharpParseOptions(LanguageVersion.Preview))
            .RunAbroad(compilation, out output, out ImmutableArray<Diagnostic> diagnostics);
        return diagnostics;
    }

    private sealed class OtherGenerator(string text) : IIncrementalGenerator
    {
        public void Initialize(IncrementalGeneratorInitializationContext context) =>
            context.RegisterSourceOutput(context.CompilationProvider, (output, _) => output.AddSource("Other.g.cs", "#nullable enable\n" + GeneratorHarness.Usings + text));
    }
}
