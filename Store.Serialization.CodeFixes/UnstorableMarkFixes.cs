// What can be done to a mark that stores what cannot be stored: take it off, put it on the property and not on the field behind it, or give the property a setter.

using System.Collections.Immutable;
using System.Composition;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CodeFixes;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;
using Microsoft.CodeAnalysis.Text;

namespace Store.Serialization.CodeFixes;

/// <summary>Takes the mark off a member that is never stored or only computed, and one of the two where another mark leaves the member out.</summary>
[ExportCodeFixProvider(LanguageNames.CSharp), Shared]
public sealed class RemoveStoringMarkFix() : RemoveMarkFix("NINO010")
{
    /// <inheritdoc/>
    private protected override async Task<IReadOnlyList<Removal>> RemovalsAsync(Document document, Diagnostic diagnostic, CancellationToken cancellation)
    {
        SyntaxNode? root = await document.GetSyntaxRootAsync(cancellation).ConfigureAwait(false);
        SemanticModel? model = await document.GetSemanticModelAsync(cancellation).ConfigureAwait(false);
        if (root is null || model is null) return [];
        SyntaxNode? declaration = root.FindNode(diagnostic.Location.SourceSpan).FirstAncestorOrSelf<ParameterSyntax>() ?? Edits.DeclarationAt(root, diagnostic.Location.SourceSpan);
        if (declaration is null) return [];
        List<Mark> marks = [.. Marks.At(declaration, model, cancellation).Where(static mark => mark is { IsOurs: true, IsOfField: false })];
        List<Mark> storing = marks.FindAll(static mark => mark.Name is "NinoInclude" or "NinoMember");
        List<Mark> ignoring = marks.FindAll(static mark => mark.Name == "NinoIgnore");
        if (storing.Count > 0 && ignoring.Count > 0) return CanBeSet(declaration) ? [Remove(ignoring), Remove(storing)] : [Remove(storing)];
        if (declaration is ParameterSyntax parameter) return OfParameter(parameter, marks, model, cancellation);
        return storing.Count > 0 && IsNoState(declaration, model, cancellation) ? [Remove(storing)] : [];
    }

    /// <summary>Where the type or a base has a member of that name the attributes are meant for that.</summary>
    private static IReadOnlyList<Removal> OfParameter(ParameterSyntax declaration, List<Mark> marks, SemanticModel model, CancellationToken cancellation)
    {
        if (marks.Count == 0 || model.GetDeclaredSymbol(declaration, cancellation) is not IParameterSymbol parameter) return [];
        for (INamedTypeSymbol? level = parameter.ContainingType; level is not null; level = level.BaseType)
        {
            if (level.GetMembers().Any(member => member is IFieldSymbol or IPropertySymbol && string.Equals(member.Name.TrimStart('_'), parameter.Name.TrimStart('_'), StringComparison.OrdinalIgnoreCase))) return [];
        }

        return [Remove(marks)];
    }

    private static Removal Remove(List<Mark> marks)
    {
        string title = "Remove " + string.Join(" and ", marks.Select(static mark => $"[{mark.Name}]").Distinct());
        return new Removal(title, title, [.. marks.Select(static mark => mark.Written)]);
    }

    private static bool CanBeSet(SyntaxNode declaration) =>
        declaration is ParameterSyntax || (declaration is FieldDeclarationSyntax field && !field.Modifiers.Any(SyntaxKind.StaticKeyword) && !field.Modifiers.Any(SyntaxKind.ConstKeyword))
        || (declaration is PropertyDeclarationSyntax { ExplicitInterfaceSpecifier: null, AccessorList: { } list } property && !property.Modifiers.Any(SyntaxKind.StaticKeyword) && list.Accessors.Any(static accessor => !accessor.IsKind(SyntaxKind.GetAccessorDeclaration)));

    // Without its mark state would be the next error: that it cannot be set.
    private static bool IsNoState(SyntaxNode declaration, SemanticModel model, CancellationToken cancellation)
    {
        if (declaration is IndexerDeclarationSyntax) return true;
        if (declaration is FieldDeclarationSyntax field) return field.Modifiers.Any(SyntaxKind.StaticKeyword) || field.Modifiers.Any(SyntaxKind.ConstKeyword);
        if (declaration is not PropertyDeclarationSyntax written || model.GetDeclaredSymbol(written, cancellation) is not { } property) return false;
        if (property.IsStatic || property.ReturnsByRef || property.ReturnsByRefReadonly || property.GetMethod is null) return true;
        bool isComputed = written.ExpressionBody is not null || written.AccessorList?.Accessors.All(static accessor => accessor.Body is not null || accessor.ExpressionBody is not null) == true;
        bool isCollection = property.Type.SpecialType != SpecialType.System_String && property.Type.AllInterfaces.Concat([property.Type]).Any(static one => one.SpecialType == SpecialType.System_Collections_IEnumerable);
        return isComputed && (!isCollection || !property.ExplicitInterfaceImplementations.IsEmpty);
    }
}

/// <summary>Puts a mark that stands on the field behind a property on the property.</summary>
[ExportCodeFixProvider(LanguageNames.CSharp), Shared]
public sealed class MarkPropertyFix : CodeFixProvider
{
    /// <inheritdoc/>
    public override ImmutableArray<string> FixableDiagnosticIds { get; } = ["NINO010"];

    /// <inheritdoc/>
    public override FixAllProvider? GetFixAllProvider() => WellKnownFixAllProviders.BatchFixer;

    /// <inheritdoc/>
    public override async Task RegisterCodeFixesAsync(CodeFixContext context)
    {
        if (await Place.FindAsync(context).ConfigureAwait(false) is not { Declaration: PropertyDeclarationSyntax or ParameterSyntax } place) return;
        List<Mark> marks = [.. Marks.At(place.Declaration, place.Model, context.CancellationToken)];
        // What cannot be set, or is left out by another mark, would be the next error.
        if (marks.Exists(static mark => mark is { IsOurs: true, Name: "NinoIgnore" }) && marks.Exists(static mark => mark is { IsOurs: true, Name: "NinoInclude" or "NinoMember" })) return;
        if (place.Symbol(context.CancellationToken) is IPropertySymbol { SetMethod: null } property && !IsTakenOrFilled(property) && !marks.Exists(static mark => mark is { IsOurs: true, Name: "NinoIgnore" })) return;
        List<TextChange> changes = [];
        foreach (AttributeListSyntax list in marks.Where(static mark => mark is { IsOurs: true, IsOfField: true }).Select(static mark => (AttributeListSyntax)mark.Written.Parent!).Distinct())
        {
            // Something else in the list is meant for the field, or the property has the mark already.
            if (list.Attributes.Any(attribute => !marks.Exists(mark => mark.Written == attribute && mark.IsOurs && !marks.Exists(other => other != mark && other.Name == mark.Name && !other.IsOfField)))) return;
            changes.Add(place.Declaration is ParameterSyntax ? new TextChange(list.Target!.Identifier.Span, "property") : new TextChange(TextSpan.FromBounds(list.Target!.SpanStart, list.Attributes[0].SpanStart), ""));
        }

        if (changes.Count > 0) Edits.Offer(context, "Mark the property, not the field behind it", [.. changes.Select(change => (place.Document, change))]);
    }

    // By a constructor, or element by element.
    private static bool IsTakenOrFilled(IPropertySymbol property) =>
        property.ContainingType.InstanceConstructors.Any(constructor => constructor.Parameters.Any(parameter => string.Equals(parameter.Name, property.Name, StringComparison.OrdinalIgnoreCase)))
        || (property.Type is INamedTypeSymbol { SpecialType: not SpecialType.System_String } type && !type.Name.Contains("ReadOnly") && type.ContainingNamespace?.Name is not ("Immutable" or "Frozen")
            && (type.TypeKind == TypeKind.Class ? type.AllInterfaces.Any(static one => one.SpecialType == SpecialType.System_Collections_IEnumerable) : type.AllInterfaces.Concat([type]).Any(static one => one.OriginalDefinition.SpecialType == SpecialType.System_Collections_Generic_ICollection_T)));
}
