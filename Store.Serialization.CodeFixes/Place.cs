using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CodeFixes;

namespace Store.Serialization.CodeFixes;

/// <summary>Where a diagnostic points.</summary>
/// <param name="Declaration">The member, parameter of a record, or type there.</param>
internal sealed record Place(Document Document, SyntaxNode Declaration, SemanticModel Model)
{
    public static async Task<Place?> FindAsync(CodeFixContext context)
    {
        SyntaxNode? root = await context.Document.GetSyntaxRootAsync(context.CancellationToken).ConfigureAwait(false);
        SemanticModel? model = await context.Document.GetSemanticModelAsync(context.CancellationToken).ConfigureAwait(false);
        return root is not null && model is not null && Edits.DeclarationAt(root, context.Span) is { } declaration ? new Place(context.Document, declaration, model) : null;
    }
}
