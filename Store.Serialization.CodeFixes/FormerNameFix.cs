using System.Collections.Immutable;
using System.Composition;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CodeFixes;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;
using Microsoft.CodeAnalysis.Text;

namespace Store.Serialization.CodeFixes;

/// <summary>Writes the former name of a type as records have it: in full.</summary>
[ExportCodeFixProvider(LanguageNames.CSharp), Shared]
public sealed class FormerNameFix : CodeFixProvider
{
    /// <inheritdoc/>
    public override ImmutableArray<string> FixableDiagnosticIds { get; } = ["NINO025"];

    /// <inheritdoc/>
    public override FixAllProvider? GetFixAllProvider() => WellKnownFixAllProviders.BatchFixer;

    /// <inheritdoc/>
    public override async Task RegisterCodeFixesAsync(CodeFixContext context)
    {
        SyntaxNode? root = await context.Document.GetSyntaxRootAsync(context.CancellationToken).ConfigureAwait(false);
        // An attribute argument of one expression has the same span as that.
        if (root?.FindNode(context.Span).FirstAncestorOrSelf<AttributeArgumentSyntax>() is null || !context.Diagnostics[0].Properties.TryGetValue("name", out string? name)) return;
        Edits.Offer(context, context.Document, $"Write '{name}'", new TextChange(context.Span, SymbolDisplay.FormatLiteral(name!, quote: true)));
    }
}
