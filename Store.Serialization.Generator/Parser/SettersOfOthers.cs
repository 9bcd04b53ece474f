// Properties whose setter sets another stored member, too. Reading calls it with what was stored, or, of a record of an older version that lacks it, with what a new object has: either replaces what was stored of the other.

using Microsoft.CodeAnalysis;
using Store.Serialization.Generator.Diagnostics;
using Store.Serialization.Generator.Model;

namespace Store.Serialization.Generator.Parser;

internal static class SettersOfOthers
{
    /// <summary>Tells of each that reading sets behind a member that it sets (NINO027). One in front of it does no harm: what was stored of that comes behind.</summary>
    /// <param name="type">The type.</param>
    /// <param name="ordered">Its members, in the order of the encoding.</param>
    /// <param name="graph">The graph.</param>
    public static void Report(ParsedType type, List<ParsedMember> ordered, TypeGraph graph)
    {
        if (type.Case is not null) return;
        // Found once, whatever sets or holds it: a type may have a thousand members.
        List<string[]> sets = ordered.ConvertAll(static member => member.Symbol is IPropertySymbol property && !PlainMemory.IsStored(property) ? AccessorCode.SetBy(property).Distinct().ToArray() : []);
        // What holds the value of a member: itself, or what its own setter sets.
        ILookup<string, int> holders = Enumerable.Range(0, ordered.Count).Where(i => ordered[i].Set != MemberSet.Fill).SelectMany(i => sets[i].Prepend(ordered[i].Symbol.Name), static (i, name) => (Name: name, Index: i)).ToLookup(static one => one.Name, static one => one.Index);
        for (int i = 0; i < ordered.Count; i++)
        {
            ParsedMember member = ordered[i];
            if (sets[i].Length == 0 || !IsSet(member) || NinoAttributes.IsIncluded(member.Symbol)) continue;
            int other = sets[i].SelectMany(name => holders[name]).Where(at => at != i && (at < i || ordered[at].Set == MemberSet.Constructor)).DefaultIfEmpty(-1).Min();
            if (other < 0) continue;
            graph.Diagnostics.Report(NinoDiagnostics.SetterOfOther, DiagnosticSink.Place(member.Symbol, type.Origin.Location), TypeNames.Message(type.Symbol) + "." + member.Name, ordered[other].Name,
                AtTheBeginning(MemberAdvice.LeaveOut(type.Symbol, member.Symbol, graph, "one of the two")));
        }
    }

    private static string AtTheBeginning(string sentence) => char.ToUpperInvariant(sentence[0]) + sentence.Substring(1);

    private static bool IsSet(ParsedMember member) =>
        member is { IsBacked: false, Set: MemberSet.Initializer or MemberSet.Accessor or MemberSet.ConstructorAndInitializer or MemberSet.ConstructorAndAccessor };
}
