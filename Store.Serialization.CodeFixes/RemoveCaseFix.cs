using System.Composition;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CodeFixes;
using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace Store.Serialization.CodeFixes;

/// <summary>Takes the attribute off a base that names a type which cannot be a case of it.</summary>
[ExportCodeFixProvider(LanguageNames.CSharp), Shared]
public sealed class RemoveCaseFix() : RemoveMarkFix("NINO031")
{
    /// <inheritdoc/>
    private protected override async Task<IReadOnlyList<Removal>> RemovalsAsync(Document document, Diagnostic diagnostic, CancellationToken cancellation)
    {
        SyntaxNode? root = await document.GetSyntaxRootAsync(cancellation).ConfigureAwait(false);
        SemanticModel? model = await document.GetSemanticModelAsync(cancellation).ConfigureAwait(false);
        // For a model of another assembly it stands at the [NinoSerializable] that registers it.
        if (model is null || root?.FindNode(diagnostic.Location.SourceSpan).FirstAncestorOrSelf<AttributeSyntax>() is not { } attribute || Marks.Of(attribute, model, cancellation) is not { } mark || mark is { IsOurs: true, Name: not "NinoUnion" }) return [];
        TypeOfExpressionSyntax? named = attribute.ArgumentList?.Arguments.Select(static argument => argument.Expression).OfType<TypeOfExpressionSyntax>().FirstOrDefault();
        // One without type arguments may be a case once it has them.
        if (named is null || model.GetTypeInfo(named.Type, cancellation).Type is not { } type || type is INamedTypeSymbol { IsUnboundGenericType: true }) return [];
        return [new Removal($"Remove [{mark.Name}] of '{type.ToMinimalDisplayString(model, attribute.SpanStart)}'", "Remove what names no case", [attribute])];
    }
}
