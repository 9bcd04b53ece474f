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
        HashSet<string> stored = [.. ordered.Select(static member => member.Symbol.Name)];
        var methods = new CalledMethods(type.Symbol, stored.Contains);
        List<CalledMethods.Effects?> called = ordered.ConvertAll(member => WithCode(member) is { } property ? methods.Of(property) : null);
        List<string[]> sets = [.. ordered.Select((member, i) => called[i] is { } of ? [.. Sets(member).Union(of.Sets)] : Sets(member))];
        var names = new AccessorNames();
        // What its own getter names holds its value: `Values["Name"]`.
        List<string[]> changes = [.. ordered.Select((member, i) => WithCode(member) is { } property ? AccessorCode.ElementsChangedBy(property).Union(called[i]!.Changes).Where(name => !names.NamedByGetter(property).Contains(name)).ToArray() : [])];
        if (sets.TrueForAll(static one => one.Length == 0) && changes.TrueForAll(static one => one.Length == 0)) return;
        ILookup<string, int> holders = Holders(ordered, sets, names, static member => member.Set != MemberSet.Fill);
        for (int i = 0; i < ordered.Count; i++)
        {
            ParsedMember member = ordered[i];
            if (sets[i].Length + changes[i].Length == 0 || !IsSet(member) || NinoAttributes.IsIncluded(member.Symbol)) continue;
            // What is put back is so where it was replaced, and not where something was added to it.
            int other = sets[i].SelectMany(name => holders[name]).Where(at => !IsSetAgain(ordered, at) || FilledBeside.IsObject(ordered[at].Type)).Concat(changes[i].SelectMany(name => holders[name]))
                .Where(at => at != i && (at < i || ordered[at].Set == MemberSet.Constructor)).DefaultIfEmpty(-1).Min();
            if (other < 0) continue;
            bool byMethod = !AccessorCode.SetBy((IPropertySymbol)member.Symbol).Concat(AccessorCode.ElementsChangedBy((IPropertySymbol)member.Symbol)).Any(name => holders[name].Contains(other));
            graph.Diagnostics.Report(NinoDiagnostics.SetterOfOther, DiagnosticSink.Place(member.Symbol, type.Origin.Location), TypeNames.Message(type.Symbol) + "." + member.Name, ordered[other].Name,
                AtTheBeginning(MemberAdvice.LeaveOut(type.Symbol, member.Symbol, graph, "one of the two")), byMethod ? " by a method that it calls" : "");
        }
    }

    /// <summary>The members, by their places, that hold what has a name: those of that name, and those whose own setter sets what their getter shows. What several setters compute anew is held by none of them, and so is what they set single bits of.</summary>
    /// <param name="ordered">The members.</param>
    /// <param name="sets">What the setter of each sets.</param>
    /// <param name="names">What getters name.</param>
    /// <param name="takes">Those that count; null for all.</param>
    public static ILookup<string, int> Holders(List<ParsedMember> ordered, List<string[]> sets, AccessorNames names, Predicate<ParsedMember>? takes = null) =>
        Enumerable.Range(0, ordered.Count).Where(i => takes?.Invoke(ordered[i]) != false).SelectMany(i => sets[i].Where(name => names.NamedByGetter(ordered[i].Symbol).Contains(name) && !AccessorCode.SetsBitsOnly((IPropertySymbol)ordered[i].Symbol, name)).Prepend(ordered[i].Symbol.Name), static (i, name) => (Name: name, Index: i)).ToLookup(static one => one.Name, static one => one.Index);

    /// <summary>What the setter of a member sets of the object itself.</summary>
    public static string[] Sets(ParsedMember member) => WithCode(member) is { } property ? [.. AccessorCode.SetBy(property).Distinct()] : [];

    private static IPropertySymbol? WithCode(ParsedMember member) => member.Symbol is IPropertySymbol property && !PlainMemory.IsStored(property) ? property : null;

    /// <summary>Where a collection is filled, what is stored of a member has the last word: it is set again behind that, a setter with code until its getter gives it.</summary>
    public static bool IsSetAgain(List<ParsedMember> ordered, int at) =>
        ordered[at] is { IsInitOnly: false } member && IsSet(member) && ordered.Exists(static one => one.Set == MemberSet.Fill) && (PlainMemory.IsStored(member.Symbol) || FilledBeside.IsValue(member.Type) || FilledBeside.IsObject(member.Type));

    private static string AtTheBeginning(string sentence) => char.ToUpperInvariant(sentence[0]) + sentence.Substring(1);

    /// <summary>Reading calls its setter.</summary>
    public static bool IsSet(ParsedMember member) =>
        member is { IsBacked: false, Set: MemberSet.Initializer or MemberSet.Accessor or MemberSet.ConstructorAndInitializer or MemberSet.ConstructorAndAccessor };
}
