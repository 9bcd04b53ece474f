// What can be done to a call of the store.

using System.Collections.Immutable;
using System.Composition;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CodeFixes;
using Microsoft.CodeAnalysis.CSharp.Syntax;
using Microsoft.CodeAnalysis.Text;

namespace Store.Serialization.CodeFixes;

/// <summary>Appends the elements of a collection, not the collection as one record.</summary>
[ExportCodeFixProvider(LanguageNames.CSharp), Shared]
public sealed class AppendElementsFix : CodeFixProvider
{
    private const string ListName = "System.Collections.Generic.IReadOnlyList`1";

    /// <inheritdoc/>
    public override ImmutableArray<string> FixableDiagnosticIds { get; } = ["NINO080"];

    /// <inheritdoc/>
    public override FixAllProvider? GetFixAllProvider() => WellKnownFixAllProviders.BatchFixer;

    /// <inheritdoc/>
    public override async Task RegisterCodeFixesAsync(CodeFixContext context)
    {
        SyntaxNode? root = await context.Document.GetSyntaxRootAsync(context.CancellationToken).ConfigureAwait(false);
        SemanticModel? model = await context.Document.GetSemanticModelAsync(context.CancellationToken).ConfigureAwait(false);
        if (model is null || root?.FindNode(context.Span).FirstAncestorOrSelf<InvocationExpressionSyntax>() is not { } call) return;
        // An appender has no batch.
        if (model.GetSymbolInfo(call, context.CancellationToken).Symbol is not IMethodSymbol { TypeArguments.Length: 1 } method || ListedIn(method.TypeArguments[0], model.Compilation) is not { } element) return;
        SimpleNameSyntax? name = call.Expression switch
        {
            MemberAccessExpressionSyntax access => access.Name,
            MemberBindingExpressionSyntax binding => binding.Name,
            _ => null,
        };
        if (name is null) return;

        string batch = method.Name == "Append" ? "AppendBatch" : "AppendBatchAsync";
        List<TextChange> changes = [new(name.Identifier.Span, batch)];
        if (name is GenericNameSyntax { TypeArgumentList.Arguments: { Count: 1 } arguments }) changes.Add(new TextChange(arguments[0].Span, element.ToMinimalDisplayString(model, arguments[0].SpanStart)));
        if (call.ArgumentList.Arguments.FirstOrDefault(static one => one.NameColon?.Name.Identifier.ValueText == "value") is { } named) changes.Add(new TextChange(named.NameColon!.Name.Span, "values"));
        Edits.Offer(context, $"Append the elements with {batch}", [.. changes.Select(change => (context.Document, change))]);
    }

    /// <summary>The element of what a batch takes: an array, or an IReadOnlyList of one type.</summary>
    private static ITypeSymbol? ListedIn(ITypeSymbol type, Compilation compilation)
    {
        if (type is IArrayTypeSymbol array) return array.Rank == 1 ? array.ElementType : null;
        INamedTypeSymbol? list = compilation.GetTypeByMetadataName(ListName);
        List<INamedTypeSymbol> lists = [.. type.AllInterfaces.Concat(type is INamedTypeSymbol named ? [named] : []).Where(one => SymbolEqualityComparer.Default.Equals(one.OriginalDefinition, list))];
        return lists.Count == 1 ? lists[0].TypeArguments[0] : null;
    }
}
