// What else needs a mark because a type without one leads to it, so that not each level of it takes a build.

using Microsoft.CodeAnalysis;

namespace Store.Serialization.Generator.Parser;

/// <summary>What the types without a mark lead to, looked for when the first of them is met.</summary>
internal sealed class FurtherTypes(TypeGraph graph)
{
    // More names in a message than anybody reads.
    private const int Most = 30;

    private readonly TypeGraph _asIfMarked = graph.AsIfMarked();
    private readonly Dictionary<ITypeSymbol, string> _said = new(SymbolEqualityComparer.Default);

    /// <summary>The end of a message about a type; empty where it leads to none. Each is said with the first type that leads there.</summary>
    public string Of(INamedTypeSymbol type, Origin origin)
    {
        if (_said.TryGetValue(type, out string said)) return said;
        List<INamedTypeSymbol> unmarked = _asIfMarked.Unmarked!;
        int known = unmarked.Count;
        _asIfMarked.Resolve(type, origin);
        _asIfMarked.Visit();
        List<INamedTypeSymbol> further = [.. unmarked.Skip(known).Where(one => !SymbolEqualityComparer.Default.Equals(one, type))];
        IEnumerable<string> marks = further.Take(Most).Select(one => graph.TakesMark(one) && !origin.IsOfRegistered ? $"[NinoType] on '{TypeNames.Message(one)}'" : TypeNames.Registration(one));
        return _said[type] = further.Count == 0 ? "" : $"; what it leads to needs that too: {string.Join(", ", marks)}{(further.Count > Most ? $" and {further.Count - Most} more" : "")}";
    }
}
