// Which types hold objects to which references are kept: a part of such a record cannot be read by itself, so they have no view. What other assemblies keep
// inside their own types cannot be seen from here; the engine looks at the schema before it reads a part (NinoViews).

using Microsoft.CodeAnalysis;

namespace Store.Serialization.Generator.Parser;

internal sealed class ReferenceHolders(TypeGraph graph, List<ParsedUnion> unions)
{
    private readonly Dictionary<string, ParsedUnion> _unions = unions.ToDictionary(static union => union.Key);

    /// <summary>Types that keep references, and all that reach one, through object members too.</summary>
    public HashSet<ParsedType> Find(List<ParsedType> types)
    {
        List<ParsedType> nodes = [.. types];
        if (graph.Objects is { Node: { IsInvalid: false } objects }) nodes.Add(objects);
        IEnumerable<ParsedType> found =
        [
            .. nodes.Where(type => type.KeepsReferences || type.Members.Exists(IsHeld)),
            .. _unions.Values.Where(static union => union.KeepsReferences).SelectMany(static union => union.Reaches),
        ];
        return Reaching.WithUsers(found, nodes);
    }

    /// <summary>Objects of the type, elements of it or cases of it are numbered, wherever their codec is.</summary>
    public bool IsHeld(ITypeSymbol type)
    {
        if (type is IArrayTypeSymbol array) return IsHeld(array.ElementType);
        if (type is not INamedTypeSymbol named || graph.UserCodecs.Of(named) is not null) return false;
        return graph.References.AreKept(named)
            || named.TypeArguments.Any(IsHeld)
            || (_unions.TryGetValue(TypeNames.Source(named), out ParsedUnion union) && union.Cases.Exists(static one => one.KeepsReferences));
    }

    private bool IsHeld(ParsedMember member) => NinoAttributes.Codec(member.Symbol) is null && IsHeld(member.Type);
}
