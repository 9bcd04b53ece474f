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
        for (int i = 0; i < ordered.Count; i++)
        {
            ParsedMember member = ordered[i];
            if (!IsSetByCode(member) || NinoAttributes.IsIncluded(member.Symbol)) continue;
            HashSet<string> set = [.. AccessorCode.SetBy((IPropertySymbol)member.Symbol)];
            if (set.Count == 0 || ordered.Where((one, at) => one != member && (at < i || one.Set == MemberSet.Constructor) && one.Set != MemberSet.Fill).FirstOrDefault(one => HoldersOf(one).Any(set.Contains)) is not { } other) continue;
            graph.Diagnostics.Report(NinoDiagnostics.SetterOfOther, DiagnosticSink.Place(member.Symbol, type.Origin.Location), TypeNames.Message(type.Symbol) + "." + member.Name, other.Name,
                AtTheBeginning(MemberAdvice.LeaveOut(type.Symbol, member.Symbol, graph, "one of the two")));
        }
    }

    private static string AtTheBeginning(string sentence) => char.ToUpperInvariant(sentence[0]) + sentence.Substring(1);

    private static bool IsSetByCode(ParsedMember member) =>
        member is { Symbol: IPropertySymbol, IsBacked: false, Set: MemberSet.Initializer or MemberSet.Accessor or MemberSet.ConstructorAndInitializer or MemberSet.ConstructorAndAccessor } && !PlainMemory.IsStored(member.Symbol);

    /// <summary>What holds the value of a member: itself, or what its own setter sets.</summary>
    private static IEnumerable<string> HoldersOf(ParsedMember member) =>
        member.Symbol is IPropertySymbol property && !PlainMemory.IsStored(property) ? AccessorCode.SetBy(property).Prepend(property.Name) : [member.Symbol.Name];
}
