// Which state a collection of the user's has beside its elements, which are all that is stored of it. A guess from the syntax of its code, as that of other types (LostState).

using Microsoft.CodeAnalysis;

namespace Store.Serialization.Generator.Parser;

internal static class CollectionState
{
    /// <summary>Tells what a collection has beside the elements that one of the framework keeps for it. Of one that keeps them itself, its fields are the elements, but for those that nothing names by which it is filled, emptied, searched or counted.</summary>
    public static void ReportBeside(INamedTypeSymbol type, Origin origin, TypeGraph graph)
    {
        List<INamedTypeSymbol> levels = [.. LostState.Levels(type)];
        if (levels.Count == 0 || levels[levels.Count - 1].BaseType is not { } root || !Framework.Has(root)) return;
        HashSet<string> elements = root.SpecialType == SpecialType.None ? [] : Keeping(type);
        LostState.Report(levels, [], static _ => "", showsElements: false, state => elements.Contains(state.Name), origin, graph, advice: "mark it with [NinoIgnore] when it may be lost, or store a type that holds the collection and this");
    }

    /// <summary>Code by which a collection that keeps its elements itself shows these names a member: that holds them, or where they are.</summary>
    public static bool ShowsElements(INamedTypeSymbol type, string member) =>
        Implementing(type, static one => one is IPropertySymbol or IMethodSymbol { Name: "GetEnumerator" or "CopyTo" or "Contains" or "ContainsKey" or "TryGetValue" })
            .Any(one => AccessorCode.Bodies(one, onlyGetter: true).Any(body => AccessorCode.Mentions(body, member).Any()));

    /// <summary>What the code names that a collection has for the interfaces of the framework, and the methods and properties of its own that this code leads to; not its indexer, which may give something else where there is no element.</summary>
    private static HashSet<string> Keeping(INamedTypeSymbol type)
    {
        ILookup<string, ISymbol> all = LostState.Levels(type).SelectMany(static level => level.GetMembers()).Where(static one => one is IMethodSymbol or IPropertySymbol).ToLookup(static one => one.Name);
        HashSet<string> names = [];
        Queue<ISymbol> code = new(Implementing(type, static one => one is IMethodSymbol { MethodKind: MethodKind.Ordinary } or IPropertySymbol { IsIndexer: false } && one.ContainingNamespace.ToDisplayString().StartsWith("System.Collections", StringComparison.Ordinal)));
        while (code.Count > 0)
        {
            foreach (string name in AccessorCode.Bodies(code.Dequeue(), onlyGetter: true).SelectMany(static body => AccessorCode.Mentions(body)).Select(AccessorCode.NameOf))
            {
                if (!names.Add(name)) continue;
                foreach (ISymbol named in all[name]) code.Enqueue(named);
            }
        }

        return names;
    }

    /// <summary>What implements members of the framework's interfaces, overrides of it among them.</summary>
    private static IEnumerable<ISymbol> Implementing(INamedTypeSymbol type, Func<ISymbol, bool> select)
    {
        List<ISymbol> shown = [.. type.AllInterfaces.Where(Framework.Has).SelectMany(static one => one.GetMembers()).Where(select).Select(type.FindImplementationForInterfaceMember).OfType<ISymbol>()];
        return LostState.Levels(type).SelectMany(static level => level.GetMembers()).Where(one => shown.Exists(other => SymbolEqualityComparer.Default.Equals(one, other) || Declarations.Overrides(one, other)));
    }
}
