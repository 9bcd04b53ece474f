// Fields of which another generator makes properties. No generator sees what another one writes, but the mark on the field is there.

using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace Store.Serialization.Generator.Parser;

internal static class GeneratedProperties
{
    /// <summary>The attribute that has a public property made of a field, or null; also where <c>[property: NinoIgnore]</c> leaves that out.</summary>
    public static string? MarkOf(ISymbol field)
    {
        if (field is not IFieldSymbol) return null;
        foreach (AttributeData attribute in field.GetAttributes())
        {
            if (TypeNames.Metadata(attribute.AttributeClass!) is "CommunityToolkit.Mvvm.ComponentModel.ObservablePropertyAttribute" or "ReactiveUI.SourceGenerators.ReactiveAttribute" or "PropertyChanged.SourceGenerator.NotifyAttribute")
                return IsLeftOut(field) ? null : $"[{attribute.AttributeClass!.Name.Replace("Attribute", "")}]";
        }

        return null;
    }

    // On a field the compiler knows no property that this could be for; those generators hand it on.
    private static bool IsLeftOut(ISymbol field) =>
        field.DeclaringSyntaxReferences.Any(static reference => reference.GetSyntax().FirstAncestorOrSelf<FieldDeclarationSyntax>() is { } declaration
            && declaration.AttributeLists.Any(static list => list.Target?.Identifier.IsKind(SyntaxKind.PropertyKeyword) == true
                && list.Attributes.Any(static attribute => attribute.Name.ToString() is var name && (name.EndsWith("NinoIgnore", StringComparison.Ordinal) || name.EndsWith("NinoIgnoreAttribute", StringComparison.Ordinal)))));
}
