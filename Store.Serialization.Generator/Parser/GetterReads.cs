// What a getter with code reads of the object: whether all of that is stored or shown itself, so that nothing of the property's own could be lost, or which state behind it is neither. A guess from the syntax, without semantic
// model: this runs at every key stroke.

using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace Store.Serialization.Generator.Parser;

internal sealed class GetterReads
{
    private readonly List<string> _hidden = [];

    private GetterReads(bool isAllSeen) => IsAllSeen = isAllSeen;

    /// <summary>It names public members, those with a mark, and what belongs to no object; no method, parameter or the object as a whole, of which nothing is known.</summary>
    public bool IsAllSeen { get; private set; }

    /// <summary>Fields and auto-properties that it names, which are not public and have no mark.</summary>
    public IReadOnlyList<string> Hidden => _hidden;

    /// <param name="property">The property.</param>
    /// <param name="type">The type that is stored; the property may be of a base.</param>
    public static GetterReads Of(IPropertySymbol property, INamedTypeSymbol type)
    {
        ForeignContract? contract = ForeignContract.Of(type);
        property = property.OriginalDefinition;
        List<SyntaxNode> bodies = [.. AccessorCode.Bodies(property, onlyGetter: true)];
        var reads = new GetterReads(bodies.Count > 0 && bodies.TrueForAll(static body => body is not AccessorDeclarationSyntax { Body: null, ExpressionBody: null } && !body.DescendantNodes().Any(IsWholeObject)));
        foreach (string name in bodies.SelectMany(static body => AccessorCode.Mentions(body)).Select(AccessorCode.NameOf).Distinct()) reads.Add(property.ContainingType, name, IsStored);
        return reads;

        bool IsStored(ISymbol member) => MemberParser.IsMarked(member) || PlainModels.Stores(member, type, contract);
    }

    // `this` and `base`, but not in front of a member.
    private static bool IsWholeObject(SyntaxNode node) =>
        node is ThisExpressionSyntax or BaseExpressionSyntax && !(node.Parent is MemberAccessExpressionSyntax access && access.Expression == node);

    private void Add(INamedTypeSymbol type, string name, Predicate<ISymbol> isStored)
    {
        if (Find(type, name) is { } member)
        {
            if (member.IsStatic || member is INamedTypeSymbol || isStored(member) || NinoAttributes.IsIgnored(member)) return;
            if (member is IPropertySymbol { GetMethod.DeclaredAccessibility: Accessibility.Public } or IFieldSymbol { DeclaredAccessibility: Accessibility.Public }) return;
            IsAllSeen = false;
            if (member is IFieldSymbol || (member is IPropertySymbol property && MemberParser.IsAutoProperty(property))) _hidden.Add(name);
        }
        // What the compiler keeps for code that names it.
        else if (ConstructorParser.Primary(type)?.Parameters.Any(parameter => parameter.Name == name) == true)
            IsAllSeen = false;
    }

    private static ISymbol? Find(INamedTypeSymbol type, string name)
    {
        for (INamedTypeSymbol? level = type; level is not null; level = level.BaseType?.OriginalDefinition)
        {
            if (level.GetMembers(name).FirstOrDefault() is { } member) return member;
        }

        return null;
    }
}
