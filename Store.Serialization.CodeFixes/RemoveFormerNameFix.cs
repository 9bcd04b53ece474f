using System.Composition;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CodeFixes;
using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace Store.Serialization.CodeFixes;

/// <summary>Of two members or types that give one former name, takes it off the one or the other.</summary>
[ExportCodeFixProvider(LanguageNames.CSharp), Shared]
public sealed class RemoveFormerNameFix() : RemoveMarkFix("NINO018", "NINO021")
{
    // Whose the stored values are is a choice.
    /// <inheritdoc/>
    public override FixAllProvider? GetFixAllProvider() => null;

    /// <inheritdoc/>
    private protected override async Task<IReadOnlyList<Removal>> RemovalsAsync(Document document, Diagnostic diagnostic, CancellationToken cancellation)
    {
        // Where another one has the name now, it is that which needs another.
        if (!diagnostic.Properties.TryGetValue("name", out string? name) || !diagnostic.Properties.TryGetValue("other", out string? other)) return [];
        if (await Place.FindAsync(document, diagnostic.Location.SourceSpan, cancellation).ConfigureAwait(false) is not { } place || place.Symbol(cancellation) is not { } here) return [];
        ISymbol? there = here is INamedTypeSymbol ? SourceTypes.Of(place.Model.Compilation).FirstOrDefault(type => Edits.InMessage(type) == other) : Member(here.ContainingSymbol, other!);
        List<Removal> removals = [];
        foreach (ISymbol one in there is null ? [here] : (ISymbol[])[here, there])
        {
            List<AttributeSyntax> marks = [.. Holders(one).SelectMany(static holder => Edits.AttributesOf(holder, "NinoFormerName")).Where(mark => Edits.Argument(mark, 0) as string == name).Select(mark => mark.ApplicationSyntaxReference?.GetSyntax(cancellation)).OfType<AttributeSyntax>()];
            // Of `int X, Y` it would be gone from both.
            if (marks.Exists(static mark => mark.Parent?.Parent is FieldDeclarationSyntax { Declaration.Variables.Count: > 1 })) continue;
            string title = $"Remove the former name '{name}' of '{one.Name}'";
            if (marks.Count > 0) removals.Add(new Removal(title, title, marks));
        }

        return removals;
    }

    /// <summary>Of the type around a member, or around the constructor whose parameter stands for one, or of its bases.</summary>
    private static ISymbol? Member(ISymbol holder, string name)
    {
        for (INamedTypeSymbol? level = holder as INamedTypeSymbol ?? holder.ContainingType; level is not null; level = level.BaseType)
        {
            if (level.GetMembers(name).FirstOrDefault(static member => member is IFieldSymbol or IPropertySymbol) is { } member) return member;
        }

        return null;
    }

    /// <summary>What the attributes of a member may be written on: itself, and what declares it in the head of a record.</summary>
    private static IEnumerable<ISymbol> Holders(ISymbol one) => one switch
    {
        IParameterSymbol parameter => parameter.ContainingType.GetMembers(parameter.Name).OfType<IPropertySymbol>().Prepend<ISymbol>(parameter),
        IPropertySymbol { ContainingType.IsRecord: true } property => property.ContainingType.InstanceConstructors.SelectMany(static constructor => constructor.Parameters).Where(parameter => parameter.Name == property.Name).Prepend<ISymbol>(property),
        _ => [one],
    };
}
