using System.Collections.Immutable;
using System.Composition;
using System.Globalization;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CodeFixes;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;
using Microsoft.CodeAnalysis.Text;

namespace Store.Serialization.CodeFixes;

/// <summary>Gives a case the next tag that no case of its base has.</summary>
[ExportCodeFixProvider(LanguageNames.CSharp), Shared]
public sealed class FreeTagFix : CodeFixProvider
{
    /// <inheritdoc/>
    public override ImmutableArray<string> FixableDiagnosticIds { get; } = ["NINO030"];

    // One at a time: two cases must not get the same next tag.
    /// <inheritdoc/>
    public override FixAllProvider? GetFixAllProvider() => null;

    /// <inheritdoc/>
    public override async Task RegisterCodeFixesAsync(CodeFixContext context)
    {
        SyntaxNode? root = await context.Document.GetSyntaxRootAsync(context.CancellationToken).ConfigureAwait(false);
        SemanticModel? model = await context.Document.GetSemanticModelAsync(context.CancellationToken).ConfigureAwait(false);
        // Where the hashes of two names are one, no attribute is meant: whether the cases get tags or a type another name is a choice.
        if (model is null || root?.FindNode(context.Span).FirstAncestorOrSelf<AttributeSyntax>() is not { ArgumentList: not null } attribute || Marks.Of(attribute, model, context.CancellationToken) is not { IsOurs: true, Name: "NinoUnion" }) return;
        if (attribute.FirstAncestorOrSelf<BaseTypeDeclarationSyntax>() is not { } declared || model.GetDeclaredSymbol(declared, context.CancellationToken) is not { } type) return;
        if (TagOf(attribute) is not { } tag) return;
        string next = Edits.Next(Edits.AttributesOf(type, "NinoUnion").Select(static one => Edits.Argument(one, 0) is int number ? number : 0), least: 0).ToString(CultureInfo.InvariantCulture);
        Offer(attribute, tag);
        // Whose tag the records have that are stored is a choice: the compiler tells of the one that stands behind.
        if (model.GetConstantValue(tag.Expression, context.CancellationToken) is not { HasValue: true, Value: int same } || same < 0) return;
        foreach (AttributeSyntax other in declared.AttributeLists.SelectMany(static list => list.Attributes))
        {
            if (other != attribute && Marks.Of(other, model, context.CancellationToken) is { IsOurs: true, Name: "NinoUnion" } && TagOf(other) is { } its && model.GetConstantValue(its.Expression, context.CancellationToken) is { HasValue: true, Value: int number } && number == same) Offer(other, its);
        }

        void Offer(AttributeSyntax one, AttributeArgumentSyntax its)
        {
            string name = one.ArgumentList!.Arguments.Select(static argument => argument.Expression).OfType<TypeOfExpressionSyntax>().FirstOrDefault()?.Type.ToString() ?? "the case";
            Edits.Offer(context, context.Document, $"Give {name} the tag {next}", new TextChange(its.Expression.Span, next));
        }
    }

    private static AttributeArgumentSyntax? TagOf(AttributeSyntax attribute) =>
        attribute.ArgumentList?.Arguments is not { } arguments ? null
        : arguments.FirstOrDefault(static argument => argument.NameColon?.Name.Identifier.ValueText == "tag") ?? arguments.FirstOrDefault(static argument => argument.NameColon is null);
}
