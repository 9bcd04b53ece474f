// What can be done to an option of [NinoType] or [NinoSerializable] that does not fit: take it out, or say that no view is wanted.

using System.Collections.Immutable;
using System.Composition;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CodeFixes;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;
using Microsoft.CodeAnalysis.Text;

namespace Store.Serialization.CodeFixes;

/// <summary>Takes an option out that does not fit the type. Which name a type has instead of one that is none, only a person knows.</summary>
[ExportCodeFixProvider(LanguageNames.CSharp), Shared]
public sealed class RemoveOptionFix : CodeFixProvider
{
    private const string Union = "[NinoUnion]";
    private const string References = "References";
    private const string SkipUnknownCases = "SkipUnknownCases";

    /// <inheritdoc/>
    public override ImmutableArray<string> FixableDiagnosticIds { get; } = ["NINO033"];

    /// <inheritdoc/>
    public override FixAllProvider? GetFixAllProvider() => WellKnownFixAllProviders.BatchFixer;

    /// <inheritdoc/>
    public override async Task RegisterCodeFixesAsync(CodeFixContext context)
    {
        if (!context.Diagnostics[0].Properties.TryGetValue("option", out string? option) || await context.Document.GetSyntaxRootAsync(context.CancellationToken).ConfigureAwait(false) is not { } root) return;
        if (root.FindNode(context.Span).FirstAncestorOrSelf<AttributeSyntax>() is { } registering)
        {
            Offer(context, registering, option!);
            return;
        }

        if (await Place.FindAsync(context).ConfigureAwait(false) is not { Declaration: BaseTypeDeclarationSyntax declared } place || place.Model.GetDeclaredSymbol(declared, context.CancellationToken) is not { } type) return;
        if (option == Union)
        {
            OfferUnions(context, [.. Marks.On(type, "NinoUnion", context.CancellationToken)]);
        }
        else if (option is References or SkipUnknownCases && Marks.On(type, "NinoType", context.CancellationToken).FirstOrDefault() is { } mark)
        {
            Offer(context, mark, option);
            // The two do not go together: either may go.
            if (option == SkipUnknownCases && !type.IsValueType && !type.IsSealed) Offer(context, mark, References);
        }
    }

    private static void Offer(CodeFixContext context, AttributeSyntax attribute, string option)
    {
        if (Edits.Written(context.Document.Project, attribute.SyntaxTree) is { } document && AttributeOptions.Without(attribute, option) is { } changes) Edits.Offer(context, $"Remove {option}", [.. changes.Select(change => (document, change))]);
    }

    private static void OfferUnions(CodeFixContext context, List<AttributeSyntax> attributes)
    {
        List<(Document, TextChange)> all = [];
        foreach (IGrouping<SyntaxTree, AttributeSyntax> file in attributes.GroupBy(static attribute => attribute.SyntaxTree))
        {
            if (Edits.Written(context.Document.Project, file.Key) is not { } document || AttributeRemoval.Of(file) is not { } changes) return;
            all.AddRange(changes.Select(change => (document, change)));
        }

        if (all.Count > 0) Edits.Offer(context, "Remove " + Union, all);
    }
}

/// <summary>Says that a type has no view: <c>[NinoType(View = false)]</c>.</summary>
[ExportCodeFixProvider(LanguageNames.CSharp), Shared]
public sealed class NoViewFix : CodeFixProvider
{
    /// <inheritdoc/>
    public override ImmutableArray<string> FixableDiagnosticIds { get; } = ["NINO070"];

    /// <inheritdoc/>
    public override FixAllProvider? GetFixAllProvider() => WellKnownFixAllProviders.BatchFixer;

    /// <inheritdoc/>
    public override async Task RegisterCodeFixesAsync(CodeFixContext context)
    {
        if (await Place.FindAsync(context).ConfigureAwait(false) is not { Declaration: BaseTypeDeclarationSyntax declared } place || place.Model.GetDeclaredSymbol(declared, context.CancellationToken) is not { } type) return;
        // Of what is only registered the attributes of another serializer are read, which the mark would end.
        if (Marks.On(type, "NinoType", context.CancellationToken).FirstOrDefault() is { } mark && Edits.Written(context.Document.Project, mark.SyntaxTree) is { } document) Edits.Offer(context, document, "Write [NinoType(View = false)]", AttributeOptions.Set(mark, "View", "false"));
    }
}
