using System.Collections.Immutable;
using System.Composition;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CodeFixes;
using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace Store.Serialization.CodeFixes;

/// <summary>Makes a record of a type that a call stores: <c>[NinoType]</c> on it, or <c>[assembly: NinoSerializable]</c>, which a closed generic type needs.</summary>
[ExportCodeFixProvider(LanguageNames.CSharp), Shared]
public sealed class RegisterRecordFix : CodeFixProvider
{
    /// <inheritdoc/>
    public override ImmutableArray<string> FixableDiagnosticIds { get; } = ["NINO060"];

    // One at a time: two calls with one type must not register it twice.
    /// <inheritdoc/>
    public override FixAllProvider? GetFixAllProvider() => null;

    /// <inheritdoc/>
    public override async Task RegisterCodeFixesAsync(CodeFixContext context)
    {
        SyntaxNode? root = await context.Document.GetSyntaxRootAsync(context.CancellationToken).ConfigureAwait(false);
        SemanticModel? model = await context.Document.GetSemanticModelAsync(context.CancellationToken).ConfigureAwait(false);
        if (model is null || root?.FindNode(context.Span).FirstAncestorOrSelf<InvocationExpressionSyntax>() is not { } call) return;
        if (model.GetSymbolInfo(call, context.CancellationToken).Symbol is not IMethodSymbol { TypeArguments.Length: 1 } method || Inside(method.TypeArguments[0]) is not { IsAnonymousType: false } type || HiddenTypes.IsHidden(type)) return;
        // A base alone is no record: what is derived from it has to be marked with it.
        if (!type.IsGenericType && !type.IsAbstract) await MarkTypeFix.OfferMarksAsync(context, [type]).ConfigureAwait(false);
        if (root is CompilationUnitSyntax unit) Edits.OfferRegistration(context, context.Document, unit, model, type, type.ToDisplayString(SymbolDisplayFormat.MinimallyQualifiedFormat));
    }

    /// <summary>What arrays and lists are of.</summary>
    private static INamedTypeSymbol? Inside(ITypeSymbol type) => type switch
    {
        IArrayTypeSymbol array => Inside(array.ElementType),
        INamedTypeSymbol { MetadataName: "List`1", ContainingNamespace.Name: "Generic" } list => Inside(list.TypeArguments[0]),
        _ => type as INamedTypeSymbol,
    };
}
