// What another serializer's contract stores of a type of another assembly and no compiler shows: private and internal members. Of a whole assembly they are known, and told when the type is compiled in; reference
// assemblies, which builds of projects hand on, have none of them: there what is marked is looked for when the program runs (HiddenLevels).

using Microsoft.CodeAnalysis;
using Store.Serialization.Generator.Diagnostics;

namespace Store.Serialization.Generator.Parser;

internal static class UnseenMembers
{
    /// <summary>Reports them.</summary>
    /// <returns>One is known that its serializer stores by a mark, which is an error.</returns>
    public static bool Report(ParsedType type, TypeGraph graph)
    {
        if (type.Case is not null || NinoAttributes.IsNinoType(type.Symbol)) return false;
        bool any = false;
        foreach (INamedTypeSymbol level in LevelsOf(type.Symbol))
        {
            List<ForeignContract> contracts = [.. ForeignContract.OfLevel(level, type.Symbol)];
            any |= ReportMarked(type.Symbol, level, contracts, type.Origin, graph);
            if (contracts.Find(one => one.AllOf(level) is not null) is { } contract) WarnOfAll(type, level, contract.AllOf(level)!, contract, graph);
        }

        return any;
    }

    /// <summary>As <see cref="Report"/>, of a collection, whose elements are stored and nothing else.</summary>
    public static bool ReportBeside(INamedTypeSymbol collection, Origin origin, TypeGraph graph)
    {
        if (OwnCollections.StoresMembers(collection, ForeignContract.Of(collection)) is not { } mark) return false;
        var contract = ForeignContract.OfHidden(collection);
        bool any = false, isKnown = true;
        foreach (INamedTypeSymbol level in LevelsOf(collection))
        {
            any |= ReportMarked(collection, level, [contract], origin, graph);
            // What has a mark is told by it.
            isKnown &= level.IsValueType || (CompiledMembers.Hidden(level, graph.Compilation) is { } hidden && !hidden.Any(member => contract.Includes(member) && contract.MarkOf(member) is null && !contract.LeavesOut(member)));
        }

        if (!isKnown) LostState.WarnUnseen(collection, origin, collection, $"is a collection of which its serializer stores the members ({mark}), and those that are not public are not seen in another assembly: its elements are stored, and unless it has no such member, that is lost", graph);
        return any;
    }

    private static IEnumerable<INamedTypeSymbol> LevelsOf(INamedTypeSymbol type) => Derivations.BasesOf(type).Where(static level => level.TypeKind != TypeKind.Interface && HiddenLevels.IsUnseen(level));

    private static bool ReportMarked(INamedTypeSymbol type, INamedTypeSymbol level, List<ForeignContract> contracts, Origin origin, TypeGraph graph)
    {
        Dictionary<string, string> marked = [];
        foreach (ForeignContract contract in contracts)
        {
            foreach (string name in contract.NamedBy(level).Where(name => level.GetMembers(name).IsEmpty)) marked[name] = contract.NamingMark;
            foreach (ISymbol member in CompiledMembers.Hidden(level, graph.Compilation) ?? [])
            {
                if (contract.MarkOf(member) is { } mark && !contract.LeavesOut(member) && !contracts[0].Excludes(member) && !NinoAttributes.IsIgnored(member)) marked[member.Name] = mark;
            }
        }

        foreach (KeyValuePair<string, string> one in marked)
        {
            graph.Diagnostics.Report(NinoDiagnostics.HiddenMember, DiagnosticSink.Place(type, origin.Location), TypeNames.Message(type), $"'{TypeNames.Message(level)}.{one.Key}'", $"{one.Value} stores", level.ContainingAssembly.Name,
                $"public there, or internal with [InternalsVisibleTo] for this assembly, or {TypeNames.OwnCodec(type)}");
        }

        return marked.Count > 0;
    }

    private static void WarnOfAll(ParsedType type, INamedTypeSymbol level, string all, ForeignContract contract, TypeGraph graph)
    {
        // Every compiler sees the fields of a struct; those of properties that it does not see stand for these.
        IEnumerable<string>? hidden = CompiledMembers.Hidden(level, graph.Compilation)?.Where(member => contract.Includes(member) && contract.MarkOf(member) is null && !contract.LeavesOut(member) && !NinoAttributes.IsIgnored(member)).Select(static member => member.Name)
            ?? (level.IsValueType ? level.GetMembers().OfType<IFieldSymbol>().Where(static field => CompilerFields.IsHidden(field) && field.Type.TypeKind != TypeKind.Delegate).Select(static field => CompilerFields.OwnerOf(field)!) : null);
        if (hidden is null) LostState.WarnUnseen(type, level, $"stores all its {all}, of which those that are not public are not seen in another assembly: unless it has none, they are lost", graph);
        else if (string.Join(", ", hidden.Select(static name => $"'{name}'")) is { Length: > 0 } names) LostState.WarnUnseen(type, level, $"stores all its {all}, of which {names} cannot be seen outside of its assembly: what that holds is lost", graph);
    }
}
