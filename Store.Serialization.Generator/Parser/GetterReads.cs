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
        var reads = new GetterReads(bodies.Count > 0 && bodies.TrueForAll(body => body is not AccessorDeclarationSyntax { Body: null, ExpressionBody: null } && !body.DescendantNodes().Any(IsWholeObject)));
        HashSet<string> done = [];
        foreach (ExpressionSyntax mention in bodies.SelectMany(static body => AccessorCode.Mentions(body)))
        {
            string name = AccessorCode.NameOf(mention);
            bool isOfBase = AccessorCode.IsOfBase(mention);
            if (done.Add(isOfBase ? "base." + name : name)) reads.Add(property, isOfBase ? property.ContainingType.BaseType?.OriginalDefinition : property.ContainingType, name, mention is MemberAccessExpressionSyntax, IsStored);
        }

        // What a local hides, and what another object of the class has, is no mention. Where that has the name of state nothing is known.
        if (bodies.SelectMany(static body => body.DescendantNodes()).Select(static node => node is SimpleNameSyntax used ? used.Identifier.ValueText : null).OfType<string>().Distinct().Any(name => !done.Contains(name) && IsState(property.ContainingType, name, IsStored))) reads.IsAllSeen = false;
        return reads;

        bool IsStored(ISymbol member) => MemberParser.IsMarked(member) || PlainModels.Stores(member, type, contract) || (member is IFieldSymbol && NonPublicState.IsKept(member));
    }

    // `this` and `base`, but not in front of a member.
    private static bool IsWholeObject(SyntaxNode node) =>
        node is ThisExpressionSyntax or BaseExpressionSyntax && !(node.Parent is MemberAccessExpressionSyntax access && access.Expression == node);

    private void Add(IPropertySymbol property, INamedTypeSymbol? type, string name, bool isAccess, Predicate<ISymbol> isStored)
    {
        List<ISymbol> members = [.. Find(type, name)];
        // What the compiler keeps for code that names it, or a method that takes the object.
        if (members.Count == 0 && (isAccess || IsInHead(property.ContainingType, name))) IsAllSeen = false;
        foreach (ISymbol member in members)
        {
            // What it overrides is stored as this one, or not at all.
            if (IsSeen(member, isStored) && member.Name != property.Name) continue;
            IsAllSeen = false;
            if (member is IFieldSymbol || (member is IPropertySymbol other && MemberParser.IsAutoProperty(other))) _hidden.Add(name);
        }
    }

    private static bool IsSeen(ISymbol member, Predicate<ISymbol> isStored) =>
        member.IsStatic && member is not IMethodSymbol || member is INamedTypeSymbol || isStored(member) || NinoAttributes.IsIgnored(member)
        || member is IPropertySymbol { GetMethod.DeclaredAccessibility: Accessibility.Public } or IFieldSymbol { DeclaredAccessibility: Accessibility.Public }
        || member is IMethodSymbol { IsStatic: true };

    // A generic method is no mention either.
    private static bool IsState(INamedTypeSymbol type, string name, Predicate<ISymbol> isStored) => IsInHead(type, name) || Find(type, name).Any(member => !IsSeen(member, isStored));

    private static bool IsInHead(INamedTypeSymbol type, string name) => Find(type, name).All(static member => member is IMethodSymbol) && ConstructorParser.Primary(type)?.Parameters.Any(parameter => parameter.Name == name) == true;

    private static IEnumerable<ISymbol> Find(INamedTypeSymbol? type, string name)
    {
        for (INamedTypeSymbol? level = type; level is not null; level = level.BaseType?.OriginalDefinition)
        {
            List<ISymbol> members = [.. level.GetMembers(name).Where(member => member.DeclaredAccessibility != Accessibility.Private || SymbolEqualityComparer.Default.Equals(level, type))];
            if (members.Count > 0) return members;
        }

        return [];
    }
}
