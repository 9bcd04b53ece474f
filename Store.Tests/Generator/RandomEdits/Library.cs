// What a program references: a library in several versions, seen as an image, as a reference assembly, or as the compilation that it is in an editor.

using System.Collections.Concurrent;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;

namespace Store.Tests.Generator.RandomEdits;

/// <summary>The references that a random program may have to its library.</summary>
internal static class Library
{
    private static readonly string[] Versions =
    [
        "[assembly: System.Runtime.CompilerServices.InternalsVisibleTo(\"Shop\")] namespace Lib; [NinoType] public abstract class Base { public int Id { get; set; } } [NinoType] public class Thing { public string? Name { get; set; } } [NinoType] public sealed class First : Base { public int A; } public enum Level : byte { Low, High }",
        "[assembly: System.Runtime.CompilerServices.InternalsVisibleTo(\"Other\")] namespace Lib; [NinoType] public abstract class Base { public long Id { get; set; } [NinoInclude] private int _hidden = 1; public int H() => _hidden; } [NinoType] public class Thing { public string? Name { get; set; } public Base? Base; } [NinoType] public sealed class First : Base { public int A; } [NinoType] public sealed class Second : Base { public int B; } public enum Level : long { Low, High, Middle }",
        "[assembly: System.Runtime.CompilerServices.InternalsVisibleTo(\"Shop\")] namespace Lib; [NinoType(References = true)] public abstract class Base { public int Id { get; set; } public Base? Next; [NinoOnDeserialized] private void Done() { } } [NinoType] public struct Thing { public int Count; } [NinoType] internal sealed class First : Base { public int A; } public enum Level : byte { High, Low }",
        "namespace Lib; public abstract class Base { public int Id { get; set; } } public class Thing { public string? Name { get; set; } } public sealed class First : Base { public int A; } public enum Level : byte { Low, High }",
        "namespace Lib; [NinoType(Name = \"lib.base\")] public interface Base { int Id { get; } } [NinoType, NinoFormerName(\"Old\")] public sealed record Thing(string? Name, Level Level); [NinoType] public sealed record First(int Id) : Base; public enum Level { }",
    ];

    private static readonly ConcurrentDictionary<int, MetadataReference> Known = new();

    /// <summary>How many references there are.</summary>
    public static int Count => Versions.Length * 3;

    /// <summary>What a program has that uses the library.</summary>
    public static IReadOnlyList<string> Uses { get; } =
    [
        GeneratorHarness.Usings + "namespace Uses; [NinoType] public class User { public Lib.Base? One; public Lib.Thing? Two { get; set; } public List<Lib.Level>? Levels { get; set; } }\n",
        GeneratorHarness.Usings + "namespace Uses; [NinoType] public sealed class Own : Lib.Base { public int Id { get; set; } public int Mine { get; set; } }\n",
        GeneratorHarness.Usings + "[assembly: NinoSerializable(typeof(Lib.Thing))]\n[assembly: NinoSerializable(typeof(Dictionary<Lib.Level, Lib.Base>))]\n",
    ];

    /// <summary>A reference is one of them.</summary>
    public static bool Has(MetadataReference reference) => Known.Values.Contains(reference);

    /// <summary>One of the references.</summary>
    public static MetadataReference Reference(int number) => Known.GetOrAdd(number, static number =>
    {
        CSharpCompilation compilation = GeneratorHarness.Compile(Versions[number / 3]).WithAssemblyName("Library");
        GeneratorHarness.Driver().RunAbroad(compilation, out Compilation output, out _);
        if (number % 3 == 2) return output.ToMetadataReference();
        using var image = new MemoryStream();
        Assert.Empty(output.Emit(image, options: new(metadataOnly: number % 3 == 1, includePrivateMembers: number % 3 == 0)).Diagnostics.Where(static one => one.Severity == DiagnosticSeverity.Error));
        return MetadataReference.CreateFromImage(image.ToArray());
    });
}
