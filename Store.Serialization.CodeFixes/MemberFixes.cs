// What can be done to the member that a diagnostic names: leave it out, store it, or give it an id of its own.

using System.Collections.Immutable;
using System.Composition;
using System.Globalization;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CodeFixes;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;
using Microsoft.CodeAnalysis.Text;

namespace Store.Serialization.CodeFixes;

/// <summary>Puts an attribute on the member that a diagnostic names.</summary>
public abstract class MemberAttributeFix : CodeFixProvider
{
    private readonly string _attribute;
    private readonly string _title;

    private protected MemberAttributeFix(string attribute, string title, params string[] ids)
    {
        _attribute = attribute;
        _title = title;
        FixableDiagnosticIds = [.. ids];
    }

    /// <inheritdoc/>
    public sealed override ImmutableArray<string> FixableDiagnosticIds { get; }

    /// <inheritdoc/>
    public sealed override FixAllProvider? GetFixAllProvider() => WellKnownFixAllProviders.BatchFixer;

    /// <summary>Whether the attribute helps there.</summary>
    private protected virtual bool IsOffered(Diagnostic diagnostic, Place place) => true;

    /// <inheritdoc/>
    public sealed override async Task RegisterCodeFixesAsync(CodeFixContext context)
    {
        if (await Place.FindAsync(context).ConfigureAwait(false) is not { } place || !Edits.IsStoredMember(place.Declaration) || !IsOffered(context.Diagnostics[0], place)) return;
        if (Changes(place, context.CancellationToken) is { } changes) Edits.Offer(context, _title, [.. changes.Select(change => (place.Document, change))]);
    }

    /// <summary>What is written.</summary>
    private protected virtual List<TextChange>? Changes(Place place, CancellationToken cancellation)
    {
        (int position, string text) = Edits.Attribute(place.Declaration, _attribute, place.Model);
        return [new TextChange(new TextSpan(position, 0), text)];
    }
}

/// <summary>Leaves a member out that cannot be stored, or is not meant to be: <c>[NinoIgnore]</c>.</summary>
[ExportCodeFixProvider(LanguageNames.CSharp), Shared]
public sealed class IgnoreMemberFix() : MemberAttributeFix("NinoIgnore", "Leave the member out with [NinoIgnore]", "NINO001", "NINO002", "NINO008", "NINO009", "NINO011", "NINO016", "NINO017", "NINO024", "NINO026", "NINO027")
{
    /// <inheritdoc/>
    private protected override List<TextChange>? Changes(Place place, CancellationToken cancellation) => LeavingOut.Changes(place.Declaration, place.Model, cancellation);
}

/// <summary>Stores the private state that a computed property reads, a member that only non-public code sets, or one that is stored although it may not be meant to be: <c>[NinoInclude]</c> on it.</summary>
[ExportCodeFixProvider(LanguageNames.CSharp), Shared]
public sealed class IncludeStateFix() : MemberAttributeFix("NinoInclude", "Store the member with [NinoInclude]", "NINO009", "NINO017", "NINO026", "NINO027", "NINO028", "NINO029")
{
    /// <inheritdoc/>
    private protected override bool IsOffered(Diagnostic diagnostic, Place place) => diagnostic.Id is "NINO017" or "NINO026" or "NINO027" or "NINO028" or "NINO029" || (CanBeSet(place.Declaration) && IsOfNinoType(place));

    // What has neither a setter nor is a field has to get one.
    private static bool CanBeSet(SyntaxNode declaration) => declaration switch
    {
        FieldDeclarationSyntax => true,
        PropertyDeclarationSyntax { ExplicitInterfaceSpecifier: null, AccessorList: { } list } => list.Accessors.Any(static accessor => accessor.IsKind(SyntaxKind.SetAccessorDeclaration) || accessor.IsKind(SyntaxKind.InitAccessorDeclaration)),
        _ => false,
    };

    // A model of another serializer has the mark of that.
    private static bool IsOfNinoType(Place place) =>
        place.Declaration.FirstAncestorOrSelf<TypeDeclarationSyntax>() is { } declared && place.Model.GetDeclaredSymbol(declared) is { } type && Edits.Has(type, "NinoType");
}

/// <summary>Gives a member the next id that no member of its type has.</summary>
[ExportCodeFixProvider(LanguageNames.CSharp), Shared]
public sealed class MemberIdFix : CodeFixProvider
{
    /// <inheritdoc/>
    public override ImmutableArray<string> FixableDiagnosticIds { get; } = ["NINO007"];

    // One at a time: two members must not get the same next id.
    /// <inheritdoc/>
    public override FixAllProvider? GetFixAllProvider() => null;

    /// <inheritdoc/>
    public override async Task RegisterCodeFixesAsync(CodeFixContext context)
    {
        if (await Place.FindAsync(context).ConfigureAwait(false) is not { } place) return;
        AttributeSyntax? mark = place.Declaration.DescendantNodes().OfType<AttributeSyntax>().FirstOrDefault(static a => a.Name.ToString().Split('.').Last() is "NinoMember" or "NinoMemberAttribute");
        if (mark?.ArgumentList?.Arguments.FirstOrDefault()?.Expression is not { } argument) return;
        TypeDeclarationSyntax? declared = place.Declaration.FirstAncestorOrSelf<TypeDeclarationSyntax>();
        if (declared is null || place.Model.GetDeclaredSymbol(declared, context.CancellationToken) is not INamedTypeSymbol type) return;

        string next = Edits.Next(Ids(type), least: 1).ToString(CultureInfo.InvariantCulture);
        Edits.Offer(context, place.Document, $"Give the member the id {next}", new TextChange(argument.Span, next));
    }

    private static IEnumerable<int> Ids(INamedTypeSymbol type)
    {
        for (INamedTypeSymbol? level = type; level is not null; level = level.BaseType)
        {
            IEnumerable<ISymbol> members = level.GetMembers().Concat(level.InstanceConstructors.SelectMany(static constructor => constructor.Parameters));
            foreach (AttributeData mark in members.SelectMany(static member => Edits.AttributesOf(member, "NinoMember")))
            {
                if (Edits.Argument(mark, 0) is int id) yield return id;
            }
        }
    }
}
