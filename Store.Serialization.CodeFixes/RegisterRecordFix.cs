using System.Collections.Immutable;
using System.Composition;
using System.Globalization;
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
        if (model is null || root is null || UnregisteredIn(root, context, model) is not { IsAnonymousType: false } type || HiddenTypes.NamesOne(type)) return;
        // A base alone is no record: what is derived from it has to be marked with it. An enum, and what others declare, takes no mark; with one the attributes of another serializer are not read.
        if (type is INamedTypeSymbol { IsGenericType: false, IsAbstract: false, TypeKind: not TypeKind.Enum } named && !context.Diagnostics[0].Properties.ContainsKey("model")) await MarkTypeFix.OfferMarksAsync(context, [named]).ConfigureAwait(false);
        if (root is CompilationUnitSyntax unit) Edits.OfferRegistration(context, context.Document, unit, model, type, type.ToDisplayString(SymbolDisplayFormat.MinimallyQualifiedFormat));
    }

    // The analyzer says which of the type arguments it is, and whether what that is an array or a list of.
    private static ITypeSymbol? UnregisteredIn(SyntaxNode root, CodeFixContext context, SemanticModel model)
    {
        ImmutableDictionary<string, string?> place = context.Diagnostics[0].Properties;
        if (root.FindNode(context.Span).FirstAncestorOrSelf<ExpressionSyntax>(static one => one is InvocationExpressionSyntax or MemberAccessExpressionSyntax { Parent: not InvocationExpressionSyntax }) is not { } call
            || !place.TryGetValue("argument", out string? argument)) return null;
        ImmutableArray<ITypeSymbol> arguments = model.GetSymbolInfo(call, context.CancellationToken).Symbol switch
        {
            IMethodSymbol method => method.TypeArguments,
            IPropertySymbol property => property.ContainingType.TypeArguments,
            _ => [],
        };
        int index = int.Parse(argument!, CultureInfo.InvariantCulture);
        if (index >= arguments.Length) return null;
        return !place.ContainsKey("element") ? arguments[index] : arguments[index] is IArrayTypeSymbol array ? array.ElementType : ((INamedTypeSymbol)arguments[index]).TypeArguments[0];
    }
}
