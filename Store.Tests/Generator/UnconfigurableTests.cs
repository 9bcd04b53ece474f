// Which errors stay errors whatever a project says: those behind which there would be a codec that loses data, or that lets bytes end the process. In a driver, whose diagnostics are filtered as the compiler's.

using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Store.Serialization.Generator.Diagnostics;

namespace Store.Tests.Generator;

public class UnconfigurableTests
{
    private const string TwoOfOneName = """[NinoType(Name = "trade")] public class Trade { public int Id; } [NinoType(Name = "trade")] public class OldTrade { public int Id; }""";
    private const string LoopingKey = "[NinoType(References = true)] public sealed record Node(int Id) { public Node? Next { get; set; } } [NinoType] public class Graph { public HashSet<Node>? Nodes; }";
    private const string TwoReleases = """[NinoType] public class Old { public int Id; } [NinoType, NinoFormerName("Old")] public class New { public int Id; }""";

    public static TheoryData<Way> Ways => [.. Enum.GetValues<Way>()];

    [Theory]
    [MemberData(nameof(Ways))]
    public void WhatWouldLoseDataOrEndTheProcessCannotBeTurnedOff(Way way) => Assert.All(["NINO013", "NINO022"], id =>
    {
        Diagnostic error = Assert.Single(Diagnose(id, way));
        Assert.Equal((id, DiagnosticSeverity.Error, false), (error.Id, error.Severity, error.IsSuppressed));
    });

    /// <summary>So the ways are ones.</summary>
    [Theory]
    [MemberData(nameof(Ways))]
    public void WhatAProgramMayWantCan(Way way) => Assert.DoesNotContain(Diagnose("NINO021", way), static diagnostic => diagnostic is { Severity: DiagnosticSeverity.Error, IsSuppressed: false });

    /// <summary>All others leave what they are about without a codec, or are about one that does what it can.</summary>
    [Fact]
    public void NoOthersAreSo() =>
        Assert.Equal(["NINO013", "NINO022"], NinoDiagnostics.All.Where(static one => one.CustomTags.Contains(WellKnownDiagnosticTags.NotConfigurable)).Select(static one => one.Id));

    public enum Way
    {
        Pragma,
        NoWarn,
        AsWarning,
        EditorConfig,
        GlobalConfig,
        Attribute,
        AttributeOfTheAssembly,
    }

    private static IEnumerable<Diagnostic> Diagnose(string id, Way way)
    {
        string source = id switch { "NINO013" => TwoOfOneName, "NINO022" => LoopingKey, _ => TwoReleases };
        string suppress = $"System.Diagnostics.CodeAnalysis.SuppressMessage(\"NinoStore.Serialization\", \"{id}\"";
        source = way switch
        {
            Way.Pragma => $"\n#pragma warning disable {id}\n{source}",
            Way.Attribute => source.Replace("[NinoType", $"[{suppress}), NinoType", StringComparison.Ordinal),
            Way.AttributeOfTheAssembly => $"[assembly: {suppress}, Scope = \"module\")]\n{source}",
            _ => source,
        };
        CSharpCompilation compilation = GeneratorHarness.Compile(source);
        CSharpCompilationOptions options = compilation.Options;
        options = way switch
        {
            Way.NoWarn => options.WithSpecificDiagnosticOptions(options.SpecificDiagnosticOptions.SetItem(id, ReportDiagnostic.Suppress)),
            Way.AsWarning => options.WithGeneralDiagnosticOption(ReportDiagnostic.Default).WithSpecificDiagnosticOptions(options.SpecificDiagnosticOptions.SetItem(id, ReportDiagnostic.Warn)),
            Way.EditorConfig => options.WithSyntaxTreeOptionsProvider(new Config(id, isGlobal: false)),
            Way.GlobalConfig => options.WithSyntaxTreeOptionsProvider(new Config(id, isGlobal: true)),
            _ => options,
        };
        GeneratorHarness.Driver().RunAbroad(compilation.WithOptions(options), out _, out System.Collections.Immutable.ImmutableArray<Diagnostic> diagnostics);
        return diagnostics;
    }

    /// <summary>As a file that says <c>dotnet_diagnostic.ID.severity = none</c>.</summary>
    private sealed class Config(string id, bool isGlobal) : SyntaxTreeOptionsProvider
    {
        public override GeneratedKind IsGenerated(SyntaxTree tree, CancellationToken cancellationToken) => GeneratedKind.Unknown;

        public override bool TryGetDiagnosticValue(SyntaxTree tree, string diagnosticId, CancellationToken cancellationToken, out ReportDiagnostic severity) => Of(diagnosticId, isHere: !isGlobal, out severity);

        public override bool TryGetGlobalDiagnosticValue(string diagnosticId, CancellationToken cancellationToken, out ReportDiagnostic severity) => Of(diagnosticId, isHere: isGlobal, out severity);

        private bool Of(string diagnosticId, bool isHere, out ReportDiagnostic severity)
        {
            severity = ReportDiagnostic.Suppress;
            return isHere && diagnosticId == id;
        }
    }
}
