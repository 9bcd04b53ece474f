// The names that another serializer's attributes give to members, where they tell stored members apart.

namespace Store.Serialization.Generator.Parser;

internal static class ContractNames
{
    /// <summary>
    /// Gives each member a name of its own in the schema. Two that have one name there, as a class and its base may, go by their names in C#. What a member is called in C#, and by attributes of serializers whose names do not
    /// count, finds what was stored before it had another name, or before those of another serializer counted, if that is the name of no other.
    /// </summary>
    public static void Settle(ParsedType type)
    {
        List<ParsedMember> members = type.Members;
        while (members.GroupBy(static member => member.SchemaName).Where(static same => same.Count() > 1).SelectMany(static same => same).Where(static member => member.SchemaName != member.Name).ToList() is { Count: > 0 } twice)
        {
            foreach (ParsedMember member in twice) member.SchemaName = member.Name;
        }

        foreach (ParsedMember member in members)
        {
            if (member.SchemaName != member.Name && !IsOfAnother(member, member.Name)) member.FormerNames.Add(member.Name);
        }

        if (NinoAttributes.IsNinoType(type.Symbol)) return;
        List<(ParsedMember Member, string Name)> given = [.. members.SelectMany(static member => ForeignContract.NamesGiven(member.Symbol).Distinct().Select(name => (member, name)))];
        foreach ((ParsedMember member, string name) in given)
        {
            if (member.SchemaName != name && !member.FormerNames.Contains(name) && !IsOfAnother(member, name) && !given.Exists(other => other.Member != member && other.Name == name)) member.FormerNames.Add(name);
        }

        bool IsOfAnother(ParsedMember member, string name) => members.Exists(other => other != member && (other.SchemaName == name || other.FormerNames.Contains(name)));
    }
}
