// Marked types for which their own assembly writes no codec: generic ones that nobody closes there, and abstract classes from which nobody derives there. Another assembly that does sees neither code nor private members of theirs, and
// goes by the mark: that what they show was looked at where they are compiled. So what would be lost there is told here.

using Microsoft.CodeAnalysis;

namespace Store.Serialization.Generator.Parser;

internal static class Templates
{
    public static void Report(IReadOnlyList<INamedTypeSymbol> marked, TypeGraph graph)
    {
        bool hasFriends = HiddenMembers.HasFriends(graph.Compilation);
        HashSet<ISymbol> seen = new(graph.Types.SelectMany(static type => Derivations.BasesOf(type.Symbol)).Select(static level => level.OriginalDefinition), SymbolEqualityComparer.Default);
        List<INamedTypeSymbol> unseen = [.. marked.Where(type => type.TypeKind is TypeKind.Class or TypeKind.Struct && !seen.Contains(type) && (type.IsAbstract || Derivations.IsOpen(type)) && CustomCodecs.Of(type) is null && HiddenMembers.IsNeededElsewhere(type, hasFriends))];
        if (unseen.Count == 0) return;
        // What closing one may tell is told where it is closed, but for what is lost.
        TypeGraph silent = graph.AsIfMarked();
        foreach (INamedTypeSymbol type in unseen) MemberParser.LookAt(new ParsedType(type, TypeNames.Source(type), new Origin("[NinoType]", DiagnosticSink.Place(type, null))), silent, graph);
    }
}
