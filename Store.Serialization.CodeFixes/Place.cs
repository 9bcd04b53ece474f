using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CodeFixes;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;
using Microsoft.CodeAnalysis.Text;

namespace Store.Serialization.CodeFixes;

/// <summary>Where a diagnostic points.</summary>
/// <param name="Declaration">The member, parameter of a record, or type there.</param>
/// <param name="Span">Of what is reported.</param>
internal sealed record Place(Document Document, SyntaxNode Declaration, SemanticModel Model, TextSpan Span)
{
    public static Task<Place?> FindAsync(CodeFixContext context) => FindAsync(context.Document, context.Span, context.CancellationToken);

    public static async Task<Place?> FindAsync(Document document, TextSpan span, CancellationToken cancellation)
    {
        SyntaxNode? root = await document.GetSyntaxRootAsync(cancellation).ConfigureAwait(false);
        SemanticModel? model = await document.GetSemanticModelAsync(cancellation).ConfigureAwait(false);
        return root is not null && model is not null && Edits.DeclarationAt(root, span) is { } declaration ? new Place(document, declaration, model, span) : null;
    }

    /// <summary>What is declared there.</summary>
    public ISymbol? Symbol(CancellationToken cancellation) =>
        Model.GetDeclaredSymbol(Declaration is BaseFieldDeclarationSyntax field ? field.Declaration.Variables.FirstOrDefault(one => one.Span.Contains(Span)) ?? field.Declaration.Variables[0] : Declaration, cancellation);
}
