// The names that another serializer's attributes give to members, where they tell stored members apart.

namespace Store.Serialization.Generator.Parser;

internal static class ContractNames
{
    /// <summary>
    /// Gives each member a name of its own in the schema. Two that have one name there, as a class and its base may, go by their names in C#. What a member is called in C# finds what was stored before it had
    /// another name, if that is the name of no other.
    /// </summary>
    public static void Settle(List<ParsedMember> members)
    {
        while (members.GroupBy(static member => member.SchemaName).Where(static same => same.Count() > 1).SelectMany(static same => same).Where(static member => member.SchemaName != member.Name).ToList() is { Count: > 0 } twice)
        {
            foreach (ParsedMember member in twice) member.SchemaName = member.Name;
        }

        foreach (ParsedMember member in members)
        {
            if (member.SchemaName != member.Name && !members.Exists(other => other.SchemaName == member.Name || other.FormerNames.Contains(member.Name))) member.FormerNames.Add(member.Name);
        }
    }
}
