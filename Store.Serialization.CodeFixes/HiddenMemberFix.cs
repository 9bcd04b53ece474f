using System.Collections.Immutable;
using System.Composition;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CodeFixes;

namespace Store.Serialization.CodeFixes;

/// <summary>Leaves the member of a base out that one of a derived class hides; of two private ones either.</summary>
[ExportCodeFixProvider(LanguageNames.CSharp), Shared]
public sealed class HiddenMemberFix : CodeFixProvider
{
    /// <inheritdoc/>
    public override ImmutableArray<string> FixableDiagnosticIds { get; } = ["NINO014"];

    /// <inheritdoc/>
    public override FixAllProvider? GetFixAllProvider() => WellKnownFixAllProviders.BatchFixer;

    /// <inheritdoc/>
    public override async Task RegisterCodeFixesAsync(CodeFixContext context)
    {
        if (!context.Diagnostics[0].Properties.TryGetValue("member", out string? meant) || await Place.FindAsync(context).ConfigureAwait(false) is not { } place || place.Symbol(context.CancellationToken) is not { ContainingType: { } type } hiding) return;
        // In a model of another serializer it is left out by that one's attribute.
        if (!Edits.Has(type, "NinoType") || Hidden(type, hiding.Name, meant!) is not { } hidden) return;
        await OfferAsync(context, hidden, "Leave the member of the base out").ConfigureAwait(false);
        if (hiding.DeclaredAccessibility == Accessibility.Private && hidden.DeclaredAccessibility == Accessibility.Private) await OfferAsync(context, hiding, "Leave the member of the derived class out").ConfigureAwait(false);
    }

    private static async Task OfferAsync(CodeFixContext context, ISymbol member, string kind)
    {
        // Of `int X, Y` the other one would be left out, too.
        if (await Declared.FindAsync(member, context.Document.Project, context.CancellationToken).ConfigureAwait(false) is not { IsShared: false } declared || LeavingOut.Changes(declared.Declaration, declared.Model, context.CancellationToken) is not { } changes) return;
        Edits.Offer(context, $"Leave '{member.ContainingType.Name}.{member.Name}' out with [NinoIgnore]", [.. changes.Select(change => (declared.Document, change))], kind);
    }

    private static ISymbol? Hidden(INamedTypeSymbol type, string name, string meant)
    {
        List<ISymbol> hidden = [];
        for (INamedTypeSymbol? level = type.BaseType; level is not null; level = level.BaseType)
            hidden.AddRange(level.GetMembers(name).Where(static member => member is IFieldSymbol { IsStatic: false } or IPropertySymbol { IsStatic: false }));

        // Of a generic base the construction may be another one there.
        return hidden.Find(member => Edits.InMessage(member.ContainingType) + "." + member.Name == meant) ?? (hidden.Count == 1 ? hidden[0] : null);
    }
}
