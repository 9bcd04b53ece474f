using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace Store.Serialization.Generator.Parser;

/// <summary>What the code of members names, each member's walked once (<see cref="AccessorCode.Mentions"/>).</summary>
internal sealed class AccessorNames
{
    private readonly Dictionary<ISymbol, HashSet<string>> _named = new(SymbolEqualityComparer.Default);
    private readonly Dictionary<ISymbol, (HashSet<string> Named, HashSet<string> Set)> _getters = new(SymbolEqualityComparer.Default);

    /// <summary>By all accessors.</summary>
    public HashSet<string> Named(ISymbol member)
    {
        if (!_named.TryGetValue(member, out HashSet<string>? names)) _named.Add(member, names = [.. AccessorCode.Bodies(member, onlyGetter: false).SelectMany(static body => AccessorCode.Mentions(body)).Select(AccessorCode.NameOf)]);
        return names;
    }

    /// <summary>By the getter, or the code of a method.</summary>
    public HashSet<string> NamedByGetter(ISymbol member) => OfGetter(member).Named;

    /// <summary>Set by the getter, or the code of a method.</summary>
    public HashSet<string> SetByGetter(ISymbol member) => OfGetter(member).Set;

    private (HashSet<string> Named, HashSet<string> Set) OfGetter(ISymbol member)
    {
        if (_getters.TryGetValue(member, out (HashSet<string> Named, HashSet<string> Set) names)) return names;
        names = ([], []);
        foreach (ExpressionSyntax mention in AccessorCode.Bodies(member, onlyGetter: true).SelectMany(static body => AccessorCode.Mentions(body)))
        {
            names.Named.Add(AccessorCode.NameOf(mention));
            if (AccessorCode.IsSet(mention)) names.Set.Add(AccessorCode.NameOf(mention));
        }

        _getters.Add(member, names);
        return names;
    }
}
