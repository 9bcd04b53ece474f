// NINO025: [NinoFormerName("Order")] on Shop.Purchase finds no record of Shop.Order. Names in schemas are full names, and nothing tells one that matches nothing from one whose records are all gone.

using System.Collections.Immutable;
using System.Text.RegularExpressions;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp.Syntax;
using Microsoft.CodeAnalysis.Diagnostics;
using Store.Serialization.Generator.Diagnostics;
using Store.Serialization.Generator.Parser;

namespace Store.Serialization.Generator.Analyzers;

/// <summary>Warns where the former name of a type is most likely not the one that its records have.</summary>
[DiagnosticAnalyzer(LanguageNames.CSharp)]
public sealed class FormerNameAnalyzer : DiagnosticAnalyzer
{
    // What the fix is told: the name to write.
    private const string NameProperty = "name";

    /// <inheritdoc/>
    public override ImmutableArray<DiagnosticDescriptor> SupportedDiagnostics { get; } = [NinoDiagnostics.FormerNameNotFull];

    /// <inheritdoc/>
    public override void Initialize(AnalysisContext context)
    {
        context.EnableConcurrentExecution();
        context.ConfigureGeneratedCodeAnalysis(GeneratedCodeAnalysisFlags.None);
        context.RegisterSymbolAction(Check, SymbolKind.NamedType);
    }

    private static void Check(SymbolAnalysisContext context)
    {
        var type = (INamedTypeSymbol)context.Symbol;
        foreach ((string former, AttributeData attribute) in NinoAttributes.FormerNameMarks(type))
        {
            string full = Full(former, type);
            if (full == former || attribute.ApplicationSyntaxReference?.GetSyntax(context.CancellationToken) is not AttributeSyntax { ArgumentList.Arguments: { Count: > 0 } arguments }) continue;
            ImmutableDictionary<string, string?> name = ImmutableDictionary<string, string?>.Empty.Add(NameProperty, full);
            context.ReportDiagnostic(Diagnostic.Create(NinoDiagnostics.FormerNameNotFull, arguments[0].Expression.GetLocation(), name, former, TypeNames.Message(type), full));
        }
    }

    /// <summary>The name that is meant, where the type is still in the namespace and in the type that it was in.</summary>
    private static string Full(string former, INamedTypeSymbol type)
    {
        // As reflection has the names of generic types.
        string full = Regex.Replace(former, "`[0-9]+", "");
        string outside = type.ContainingType is { } containing ? TypeNames.Bare(containing) : "";
        if (outside.Length > 0 && full.StartsWith(outside + ".", StringComparison.Ordinal)) return outside + "+" + full.Substring(outside.Length + 1);
        // What is named by [NinoType(Name = ...)] without a dot may have had such a name before.
        if (full.Split('<')[0].Contains('.') || type.ContainingNamespace is not { IsGlobalNamespace: false } space || !TypeNames.Bare(type).Contains('.')) return full;
        return (outside.Length > 0 && !full.Contains('+') ? outside + "+" : TypeNames.Space(space) + ".") + full;
    }
}
