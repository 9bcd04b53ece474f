using System.Collections.Immutable;
using System.Diagnostics.CodeAnalysis;
using System.Reflection;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.Diagnostics;
using Store.Tests.Generator;
using Store.Tests.Types;

namespace Store.Tests.Packaging;

/// <summary>
/// What the SDK's trim analyzer says of code that looks at private members of models. Generated code names models, so that it is never warned: whether the trimmer keeps what is looked at is decided by the annotations of the
/// methods that it calls. So these are called here with a type parameter that promises nothing, and each has to ask for what it looks at.
/// </summary>
public sealed class TrimAnalysisTests
{
    [Theory]
    [InlineData("static bool Made<T>() => NinoHiddenMembers.HasConstructor<T>();", "PublicParameterlessConstructor", "NonPublicConstructors")]
    [InlineData("static bool Set<T>() => NinoHiddenMembers<T>.HasSetter(\"A\");", "PublicProperties", "NonPublicProperties", "NonPublicFields")]
    [InlineData("static bool Set<T>() => NinoHiddenMembers<T>.HasField(\"A\");", "PublicProperties", "NonPublicProperties", "NonPublicFields")]
    [InlineData("static object Look<T>() => new NinoHiddenMembers<T>([], new NinoSeenMembers());", "PublicProperties", "NonPublicProperties", "NonPublicFields")]
    [InlineData("static object Call<T>() => new NinoHiddenCallbacks<T>([], []);", "NonPublicMethods")]
    public async Task WhatLooksForHiddenMembersAsksForThem(string method, params string[] kept)
    {
        CSharpCompilation compilation = GeneratorHarness.Compile($"public static class Program {{ {method} }}");
        Diagnostic told = Assert.Single(await AnalyzeAsync(compilation));
        Assert.Equal("IL2091", told.Id);
        Assert.All(kept, one => Assert.Contains("DynamicallyAccessedMemberTypes." + one, told.GetMessage()));
    }

    /// <summary>Named by its own name, generated from a model of a library that hides its members, setter and constructor.</summary>
    [Fact]
    public async Task GeneratedCodeThatDoesSoIsNotWarned()
    {
        const string Library = """
            namespace Lib
            {
                [DataContract] public class Base { [DataMember] public int A { get; private set; } [OnDeserialized] private void Read(StreamingContext context) { } }
                [DataContract] public sealed class Model : Base { private Model() { } [DataMember] public List<int> Many { get; private set; } = []; }
                [ProtoContract] public sealed class Box<T> { private Box() { } [ProtoMember(1)] public T? Value { get; } }
            }
            """;
        CSharpCompilation compilation = GeneratorHarness.CompileWithLibrary(ForeignAttributes.Usings + ForeignAttributes.Source + Library, "[assembly: NinoSerializable(typeof(Lib.Model))] [assembly: NinoSerializable(typeof(Lib.Box<string>))]", out string generated);
        Assert.All(new[] { "HasConstructor<global::Lib.Model>", "HasConstructor<global::Lib.Box<string>>", "HasSetter(\"Many\")", "HasSetter(\"Value\")", "NinoHiddenCallbacks<" }, part => Assert.Contains(part, generated));
        Assert.Empty(await AnalyzeAsync(compilation));
    }

    private static async Task<IEnumerable<Diagnostic>> AnalyzeAsync(CSharpCompilation compilation)
    {
        var analyzer = (DiagnosticAnalyzer)Activator.CreateInstance(Analyzers().GetType("ILLink.RoslynAnalyzer.DynamicallyAccessedMembersAnalyzer", throwOnError: true)!)!;
        var options = new CompilationWithAnalyzersOptions(new AnalyzerOptions([], new TrimOptions()), onAnalyzerException: null, concurrentAnalysis: false, logAnalyzerExecutionTime: false);
        ImmutableArray<Diagnostic> told = await compilation.WithAnalyzers([analyzer], options).GetAnalyzerDiagnosticsAsync();
        // One that failed would have nothing to say.
        return told.Where(static one => one.Id.StartsWith("IL", StringComparison.Ordinal) || one.Id.StartsWith("AD", StringComparison.Ordinal));
    }

    /// <summary>Restored with every project that may be trimmed, as those of the packages are.</summary>
    private static Assembly Analyzers()
    {
        string package = Path.Combine(PackageTests.GlobalPackages(), "microsoft.net.illink.tasks");
        string newest = Directory.EnumerateDirectories(package).OrderByDescending(static folder => Version.TryParse(Path.GetFileName(folder), out Version? version) ? version : new Version()).First();
        return Assembly.LoadFrom(Path.Combine(newest, "analyzers", "dotnet", "cs", "ILLink.RoslynAnalyzer.dll"));
    }

    private sealed class TrimOptions : AnalyzerConfigOptionsProvider
    {
        public override AnalyzerConfigOptions GlobalOptions { get; } = new Enabled();

        public override AnalyzerConfigOptions GetOptions(SyntaxTree tree) => GlobalOptions;

        public override AnalyzerConfigOptions GetOptions(AdditionalText textFile) => GlobalOptions;
    }

    private sealed class Enabled : AnalyzerConfigOptions
    {
        public override bool TryGetValue(string key, [NotNullWhen(true)] out string? value)
        {
            value = key == "build_property.EnableTrimAnalyzer" ? "true" : null;
            return value is not null;
        }
    }
}
