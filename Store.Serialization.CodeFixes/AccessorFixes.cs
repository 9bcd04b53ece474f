// What can be done to a property that only has `get;`: give it an accessor by which reading sets it.

using System.Collections.Immutable;
using System.Composition;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CodeFixes;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace Store.Serialization.CodeFixes;

/// <summary>Gives an auto-property without a setter one.</summary>
public abstract class AddAccessorFix : CodeFixProvider
{
    private readonly string _title;

    private protected AddAccessorFix(string title, params string[] ids)
    {
        _title = title;
        FixableDiagnosticIds = [.. ids];
    }

    /// <inheritdoc/>
    public sealed override ImmutableArray<string> FixableDiagnosticIds { get; }

    /// <inheritdoc/>
    public sealed override FixAllProvider? GetFixAllProvider() => WellKnownFixAllProviders.BatchFixer;

    /// <summary>The accessor, or null where the compiler would refuse it.</summary>
    private protected abstract string? Accessor(IPropertySymbol property, PropertyDeclarationSyntax declaration, SemanticModel model);

    /// <inheritdoc/>
    public sealed override async Task RegisterCodeFixesAsync(CodeFixContext context)
    {
        if (await Place.FindAsync(context).ConfigureAwait(false) is not { Declaration: PropertyDeclarationSyntax { ExplicitInterfaceSpecifier: null, AccessorList.Accessors: { Count: 1 } accessors } declaration } place) return;
        // What is overridden has no setter either; the other part of a partial property would need one, too.
        if (accessors[0] is not { RawKind: (int)SyntaxKind.GetAccessorDeclaration, Body: null, ExpressionBody: null } getter || place.Model.GetDeclaredSymbol(declaration, context.CancellationToken) is not { IsStatic: false, IsAbstract: false, IsOverride: false } property || declaration.Modifiers.Any(SyntaxKind.PartialKeyword)) return;
        if (Accessor(property, declaration, place.Model) is { } accessor) Edits.OfferInsert(context, place.Document, _title, getter.Span.End, " " + accessor);
    }

    /// <summary>A setter that is no <c>init</c> would change what cannot change.</summary>
    private protected static bool IsReadOnly(IPropertySymbol property, PropertyDeclarationSyntax declaration) => property.ContainingType.IsReadOnly || declaration.Modifiers.Any(SyntaxKind.ReadOnlyKeyword) || declaration.AccessorList!.Accessors[0].Modifiers.Any(SyntaxKind.ReadOnlyKeyword);
}

/// <summary>Lets reading set a member that is marked to be stored: <c>private set;</c>.</summary>
[ExportCodeFixProvider(LanguageNames.CSharp), Shared]
public sealed class AddSetterFix() : AddAccessorFix("Let reading set the property with a private setter", "NINO010")
{
    /// <inheritdoc/>
    private protected override string? Accessor(IPropertySymbol property, PropertyDeclarationSyntax declaration, SemanticModel model)
    {
        // An error of the compiler where the mark stores nothing all the same; and one that may be overridden cannot be private.
        bool isMarked = Marks.At(declaration, model, default).Any(static mark => mark is { IsOurs: true, IsOfField: false, Name: "NinoInclude" or "NinoMember" });
        if (!isMarked || property.IsVirtual || Marks.At(declaration, model, default).Any(static mark => mark is { IsOurs: true, Name: "NinoIgnore" })) return null;
        string accessor = IsReadOnly(property, declaration) ? "init;" : "set;";
        return property.DeclaredAccessibility == Accessibility.Private ? accessor : "private " + accessor;
    }
}

/// <summary>Lets what was stored have the last word over a constructor that changes it: <c>init;</c>.</summary>
[ExportCodeFixProvider(LanguageNames.CSharp), Shared]
public sealed class AddInitFix() : AddAccessorFix("Let reading set the property with init", "NINO029")
{
    /// <inheritdoc/>
    private protected override string? Accessor(IPropertySymbol property, PropertyDeclarationSyntax declaration, SemanticModel model) => property.DeclaredAccessibility == Accessibility.Public ? "init;" : null;
}
