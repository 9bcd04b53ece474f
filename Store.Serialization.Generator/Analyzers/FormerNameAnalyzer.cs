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
        string full = WithoutArity(former);
        if (Nested(full, type) is { } nested) return nested;
        if (full.Split('<')[0].Contains('.') || type.ContainingNamespace is not { IsGlobalNamespace: false } space) return full;
        // What is named by [NinoType(Name = ...)] without a dot may have had such a name before. What is inside of it goes by that.
        if (type.ContainingType is { } containing && !full.Contains('+') && NinoAttributes.SchemaName(type) is null) return TypeNames.Bare(containing) + "+" + full;
        return TypeNames.Bare(type).Contains('.') ? TypeNames.Space(space) + "." + full : full;
    }

    /// <summary>A name that begins like that of a type around, under its present name or the one that it has in C#, has '+' behind it and not '.'. Null where it does not, or has.</summary>
    private static string? Nested(string former, INamedTypeSymbol type)
    {
        string bare = former.Split('<')[0];
        for (INamedTypeSymbol? level = type.ContainingType; level is not null; level = level.ContainingType)
        {
            foreach (string outside in new[] { TypeNames.Bare(level), WithoutArity(TypeNames.Metadata(level)) })
            {
                // A type may have been called as its namespace is.
                if (!Begins(bare, outside) || Begins(TypeNames.Space(type.ContainingNamespace) + ".", outside)) continue;
                string full = outside + "+" + bare.Substring(outside.Length + 1).Replace('.', '+') + former.Substring(bare.Length);
                return full == former ? null : full;
            }
        }

        return null;
    }

    private static bool Begins(string name, string outside) => name.Replace('+', '.').StartsWith(outside.Replace('+', '.') + ".", StringComparison.Ordinal);

    // As reflection has the names of generic types.
    private static string WithoutArity(string name) => Regex.Replace(name, "`[0-9]+", "");
}
