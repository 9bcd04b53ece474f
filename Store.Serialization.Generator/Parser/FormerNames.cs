// Whether the former names of a type's members tell stored members apart: a name goes to the member that has it now before one that had it.

using Store.Serialization.Generator.Diagnostics;

namespace Store.Serialization.Generator.Parser;

internal static class FormerNames
{
    public static void Check(ParsedType type, TypeGraph graph)
    {
        foreach (ParsedMember member in type.Members)
        {
            foreach (string former in member.FormerNames)
            {
                if (type.Members.Find(other => other != member && other.SchemaName == former) is { } present) Report(type, member, former, $"'{present.Name}' has that name now, so what is stored under it becomes '{present.Name}' and '{member.Name}' stays empty; give the new member another name", [], graph);
                else if (type.Members.Find(other => other != member && other.FormerNames.Contains(former)) is { } same && string.CompareOrdinal(same.Name, member.Name) < 0) Report(type, member, former, $"'{same.Name}' says that it had that name too", [same.Name], graph);
            }
        }
    }

    private static void Report(ParsedType type, ParsedMember member, string former, string problem, string[] others, TypeGraph graph)
    {
        graph.Diagnostics.ReportTelling(NinoDiagnostics.FormerNameTaken, DiagnosticSink.Place(member.Symbol, type.Origin.Location), others, former, TypeNames.Message(type.Symbol) + "." + member.Name, problem);
        type.IsInvalid = true;
    }
}
