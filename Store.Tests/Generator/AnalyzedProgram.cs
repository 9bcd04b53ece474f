using System.Collections.Immutable;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.Diagnostics;

namespace Store.Tests.Generator;

/// <summary>A program that uses the store, as an analyzer of calls sees it: with its generated code.</summary>
internal static class AnalyzedProgram
{
    public static Task<ImmutableArray<Diagnostic>> DiagnoseAsync(string source, DiagnosticAnalyzer analyzer)
    {
        GeneratorHarness.Driver().RunAbroad(GeneratorHarness.Compile(source).AddReferences(GeneratorHarness.StoreReference), out Compilation generated, out _);
        Assert.DoesNotContain(generated.GetDiagnostics(), static diagnostic => diagnostic is { Severity: DiagnosticSeverity.Error, IsWarningAsError: false });
        return GeneratorHarness.AnalyzeAsync(generated, analyzer);
    }

    /// <summary>The diagnostic points at what stands between ‹ and › in the source.</summary>
    public static void AssertPlace(string source, Diagnostic diagnostic)
    {
        int start = GeneratorHarness.Usings.Length + source.IndexOf('‹');
        Assert.Equal((start, start + source.IndexOf('›') - 1 - source.IndexOf('‹')), (diagnostic.Location.SourceSpan.Start, diagnostic.Location.SourceSpan.End));
    }
}
