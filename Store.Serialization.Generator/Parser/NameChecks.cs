// Whether names tell the records of types apart: no two types have one, and none says that it had another's.

using Microsoft.CodeAnalysis;
using Store.Serialization.Generator.Diagnostics;
using Store.Serialization.Generator.Model;

namespace Store.Serialization.Generator.Parser;

internal static class NameChecks
{
    public static void Report(TypeGraph graph)
    {
        // A base that is a class of its own is a union and a type, of one name.
        List<Named> all = [.. All(graph).GroupBy(static one => one.Key).Select(static group => group.First()).OrderBy(static one => one.Key, StringComparer.Ordinal)];
        foreach (IGrouping<string, Named> group in all.GroupBy(static one => one.SchemaName))
        {
            Named first = group.First();
            foreach (Named other in group.Skip(1)) graph.Diagnostics.Report(NinoDiagnostics.SchemaNameCollision, other.Place, first.Message, other.Message, group.Key);
        }

        // Former names are given to a generic type once, whatever it is closed over.
        List<Named> definitions = [.. all.GroupBy(static one => TypeNames.Source(one.Symbol.OriginalDefinition) + "+" + one.Case?.Name).Select(static group => group.First())];
        ILookup<string, Named> present = definitions.ToLookup(static one => one.BareName);
        ILookup<string, Named> former = definitions.SelectMany(static one => one.FormerBareNames.Distinct().Select(name => (name, one))).ToLookup(static pair => pair.name, static pair => pair.one);
        foreach (IGrouping<string, Named> group in former)
        {
            Named? now = present[group.Key].FirstOrDefault();
            string name = group.Key.Substring(0, group.Key.LastIndexOf('`'));
            foreach (Named one in group)
            {
                if (one == now) continue;
                if (now is not null) graph.Diagnostics.Report(NinoDiagnostics.FormerTypeNameTaken, one.Place, name, one.Message, $"'{now.Message}' has that name now, so its records and snapshots would be taken for those of '{one.Message}'; give it another name with [NinoType(Name = ...)]");
                else if (one != group.First()) graph.Diagnostics.ReportTelling(NinoDiagnostics.FormerTypeNameTaken, one.Place, [group.First().Message], name, one.Message, $"'{group.First().Message}' says that it had that name too");
            }
        }
    }

    private static IEnumerable<Named> All(TypeGraph graph) =>
    [
        .. graph.Types.Select(static type => new Named(type.Key, type.Symbol, type.SchemaName, type.Case, DiagnosticSink.Place(type.Symbol, type.Origin.Location))),
        .. graph.Unions.Select(static union => new Named(union.Key, union.Symbol, union.SchemaName, null, DiagnosticSink.Place(union.Symbol, null))),
        .. graph.FSharpUnions.Select(static union => new Named(union.Key, union.Symbol, TypeNames.Schema(union.Symbol), null, DiagnosticSink.Place(union.Symbol, union.Cases[0].Type.Origin.Location))),
    ];

    /// <summary>Something with a name in schemas.</summary>
    /// <param name="Key">Equal exactly for what is one.</param>
    /// <param name="Symbol">The type; of a case of a union of F# the union.</param>
    /// <param name="SchemaName">The name.</param>
    /// <param name="Case">The case.</param>
    /// <param name="Place">Where what is wrong with the name is told.</param>
    private sealed record Named(string Key, INamedTypeSymbol Symbol, string SchemaName, FSharpCase? Case, LocationModel? Place)
    {
        public string Message => TypeNames.Message(Symbol) + (Case is null ? "" : "." + Case.Name);

        /// <summary>Without the names of type arguments, but with their number.</summary>
        public string BareName => Counted(Case is null ? TypeNames.Bare(Symbol) : TypeNames.Bare(Symbol) + "+" + Case.Name);

        public IEnumerable<string> FormerBareNames =>
            Case is null ? NinoAttributes.FormerNames(Symbol.OriginalDefinition).Select(Counted) : NinoAttributes.FormerNames(Case.Maker).Select(name => Counted(TypeNames.Bare(Symbol) + "+" + name));

        private string Counted(string name) => name + "`" + TypeNames.AllArguments(Symbol).Count();
    }
}
