// The names that another serializer's attributes give to members, where they tell stored members apart.

using Microsoft.CodeAnalysis;

namespace Store.Serialization.Generator.Parser;

internal static class ContractNames
{
    /// <summary>
    /// Gives each member a name of its own in the schema. Two that have one name there, as a class and its base may, go by their names in C#. Its name in C#, and those that attributes of other rows of
    /// <see cref="ForeignSerializer"/> give it, are former ones, unless another member has them: it may have been stored under them before the present row counted.
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
            if (member.SchemaName != member.Name && !member.FormerNames.Contains(member.Name) && !IsOfAnother(member, member.Name)) member.FormerNames.Add(member.Name);
        }

        if (NinoAttributes.IsNinoType(type.Symbol)) return;
        List<(ParsedMember Member, string Name)> given = [.. members.SelectMany(static member => ForeignContract.NamesGiven(member.Symbol).Distinct().Select(name => (member, name)))];
        foreach ((ParsedMember member, string name) in given)
        {
            if (member.SchemaName != name && !member.FormerNames.Contains(name) && !IsOfAnother(member, name) && !IsDeclaredByAnother(member, name) && !given.Exists(other => other.Member != member && other.Name == name)) member.FormerNames.Add(name);
        }

        // Not stored now, it may have been: what is of another meaning is not to be taken for this one.
        bool IsDeclaredByAnother(ParsedMember member, string name) =>
            Derivations.BasesOf(type.Symbol).Any(level => level.GetMembers(name).Any(one => one is IFieldSymbol or IPropertySymbol && !Declarations.Of(member.Symbol).Contains(one, SymbolEqualityComparer.Default)));

        bool IsOfAnother(ParsedMember member, string name) => members.Exists(other => other != member && (other.SchemaName == name || other.FormerNames.Contains(name)));
    }
}
