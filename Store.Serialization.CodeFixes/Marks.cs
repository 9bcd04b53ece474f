// The attributes of a declaration as they are written, told by what they are and not by how they are spelled.

using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace Store.Serialization.CodeFixes;

/// <param name="Name">Without <c>Attribute</c> behind it.</param>
/// <param name="IsOurs">It is of this package.</param>
internal sealed record Mark(AttributeSyntax Written, string Name, bool IsOurs)
{
    /// <summary><c>[field: ...]</c>.</summary>
    public bool IsOfField => Written.Parent is AttributeListSyntax { Target.Identifier.RawKind: (int)SyntaxKind.FieldKeyword };
}

internal static class Marks
{
    /// <summary>All that are written at one declaration, whatever they are put on by it.</summary>
    public static IEnumerable<Mark> At(SyntaxNode declaration, SemanticModel model, CancellationToken cancellation)
    {
        SyntaxList<AttributeListSyntax> lists = declaration switch
        {
            MemberDeclarationSyntax member => member.AttributeLists,
            ParameterSyntax parameter => parameter.AttributeLists,
            _ => default,
        };
        foreach (AttributeSyntax attribute in lists.SelectMany(static list => list.Attributes))
        {
            if (Of(attribute, model, cancellation) is { } mark) yield return mark;
        }
    }

    /// <summary>One attribute; null where nobody knows it.</summary>
    public static Mark? Of(AttributeSyntax attribute, SemanticModel model, CancellationToken cancellation)
    {
        const string Suffix = "Attribute";
        if (model.GetSymbolInfo(attribute, cancellation).Symbol?.ContainingType is not { } type) return null;
        string name = type.Name.EndsWith(Suffix, StringComparison.Ordinal) ? type.Name.Substring(0, type.Name.Length - Suffix.Length) : type.Name;
        return new Mark(attribute, name, type.ContainingNamespace.ToDisplayString() == Edits.Namespace);
    }

    /// <summary>Those of this package on a type, in whichever part.</summary>
    public static IEnumerable<AttributeSyntax> On(INamedTypeSymbol type, string attribute, CancellationToken cancellation) =>
        Edits.AttributesOf(type, attribute).Select(data => data.ApplicationSyntaxReference?.GetSyntax(cancellation)).OfType<AttributeSyntax>();
}
