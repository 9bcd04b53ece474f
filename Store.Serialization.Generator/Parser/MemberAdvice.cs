// What diagnostics advise to do with a member: who may change it, and by which attributes, depends on where it is declared and on whose attributes are read of the type that is stored. A model of
// another assembly has its own serializer's, which need no reference to this package.

using Microsoft.CodeAnalysis;

namespace Store.Serialization.Generator.Parser;

internal static class MemberAdvice
{
    /// <summary>What to do about a type without a mark that a member leads to.</summary>
    public static string Mark(INamedTypeSymbol type, Origin origin, TypeGraph graph)
    {
        string? leaveOut = origin.Member is { } member ? LeaveOut(member.Type, member.Symbol, graph, "the member") : null;
        string mark = $"put [NinoType] on '{type.Name}'", register = $"add {TypeNames.Registration(type)}";
        return !graph.TakesMark(type) ? register + (leaveOut is null ? "" : $", or {leaveOut}")
            : origin.IsOfRegistered ? $"{register}, {mark}, or {leaveOut}"
            : mark + (leaveOut is null ? "" : $", or {leaveOut}");
    }

    /// <summary>The attribute that stores a member that is not public, or whose setter is not.</summary>
    public static string Include(INamedTypeSymbol type, ISymbol member, TypeGraph graph) =>
        NinoAttributes.IsNinoType(type) ? "[NinoInclude]"
        : ForeignContract.Of(type) is { } contract ? contract.IncludeMark
        : graph.IsLocal(member) ? "[NinoInclude]"
        : $"[NinoInclude] or {AttributeReading.Mark(ForeignSerializer.Json.Include)}";

    /// <summary>How a member is left out, for the middle of a sentence.</summary>
    public static string LeaveOut(INamedTypeSymbol type, ISymbol member, TypeGraph graph, string name = "it")
    {
        ForeignContract? contract = ForeignContract.Of(type);
        bool isLocal = graph.IsLocal(member);
        string there = isLocal ? "" : " there";
        if (contract?.MarksThatStore(member) is { } marks) return $"take {marks} off {name}{there}";
        string ignore = NinoAttributes.IsNinoType(type) || (contract is null && isLocal) ? "[NinoIgnore]"
            // What takes the fields of a class heeds no attribute of its properties.
            : contract?.TakesFieldsOf(member.ContainingType) ?? member.ContainingType.IsSerializable ? member is IFieldSymbol ? "[NonSerialized]" : contract is null ? "[XmlIgnore]" : "[NinoIgnore]"
            : contract is null ? "[IgnoreDataMember]"
            : isLocal ? $"{contract.IgnoreMark} or [NinoIgnore]"
            : contract.IgnoreMark;
        return $"leave {name} out with {ignore}{there}";
    }

    /// <summary>The end of a list of what can be done: <see cref="LeaveOut"/>, and for a type of another assembly what can be done from outside.</summary>
    public static string OrLeaveOut(INamedTypeSymbol type, ISymbol member, TypeGraph graph) =>
        graph.IsLocal(type) ? $"or {LeaveOut(type, member, graph)}" : $"{LeaveOut(type, member, graph)}, or {TypeNames.OwnCodec(type)}";
}
