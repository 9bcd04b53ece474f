// What other generators make of a type. No generator sees what another one writes, but the marks that ask for it are there.

using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace Store.Serialization.Generator.Parser;

internal static class GeneratedProperties
{
    // Those of the framework, of editors and of serializers, whose generators add code to a type and no state.
    private static readonly string[] s_withoutState = ["System", "Microsoft", "JetBrains", "PolyType", "Nerdbank", "MessagePack", "MemoryPack", "ProtoBuf", "Orleans", "Newtonsoft"];

    /// <summary>The attribute that has a public property made of a field, or null; also where <c>[property: NinoIgnore]</c> leaves that out.</summary>
    public static string? MarkOf(ISymbol field)
    {
        if (field is not IFieldSymbol) return null;
        foreach (AttributeData attribute in field.GetAttributes())
        {
            if (attribute.AttributeClass is { } mark && TypeNames.Metadata(mark) is "CommunityToolkit.Mvvm.ComponentModel.ObservablePropertyAttribute" or "ReactiveUI.SourceGenerators.ReactiveAttribute" or "PropertyChanged.SourceGenerator.NotifyAttribute")
                return IsLeftOut(field) ? null : $"[{mark.Name.Replace("Attribute", "")}]";
        }

        return null;
    }

    /// <summary>An attribute on a partial type that may have another generator write the rest of it (a value object such as <c>[ValueObject&lt;int&gt;] partial struct Id;</c>), or null.</summary>
    public static string? MayGetState(INamedTypeSymbol type)
    {
        if (!type.DeclaringSyntaxReferences.Any(static reference => reference.Read() is TypeDeclarationSyntax declaration && declaration.Modifiers.Any(SyntaxKind.PartialKeyword))) return null;
        string? name = type.GetAttributes().Select(static attribute => attribute.AttributeClass).FirstOrDefault(static attribute => attribute is not null && !s_withoutState.Contains(Root(attribute)) && !TypeNames.Metadata(attribute).StartsWith("Store.Serialization.", StringComparison.Ordinal))?.Name;
        return name?.EndsWith("Attribute", StringComparison.Ordinal) == true ? name.Substring(0, name.Length - "Attribute".Length) : name;
    }

    private static string Root(INamedTypeSymbol type)
    {
        INamespaceSymbol space = type.ContainingNamespace;
        while (space.ContainingNamespace is { IsGlobalNamespace: false } outer) space = outer;
        return space.Name;
    }

    // On a field the compiler knows no property that this could be for; those generators hand it on.
    private static bool IsLeftOut(ISymbol field) =>
        field.DeclaringSyntaxReferences.Any(static reference => reference.Read().FirstAncestorOrSelf<FieldDeclarationSyntax>() is { } declaration
            && declaration.AttributeLists.Any(static list => list.Target?.Identifier.IsKind(SyntaxKind.PropertyKeyword) == true
                && list.Attributes.Any(static attribute => attribute.Name.ToString() is var name && (name.EndsWith("NinoIgnore", StringComparison.Ordinal) || name.EndsWith("NinoIgnoreAttribute", StringComparison.Ordinal)))));
}
