// Numbers that attributes of the framework's serializers give to members, which protobuf-net takes for its own on classes that carry both marks.

using Microsoft.CodeAnalysis;

namespace Store.Serialization.Generator.Parser;

internal static class NumbersOfOthers
{
    private const string DataContract = "DataContractAttribute";

    // The mark of the class, and the attributes of members. Namespaces innermost first.
    private static readonly (string[] Space, string Mark, string[] Members)[] s_numbered =
    [
        (["Serialization", "Runtime", "System"], DataContract, ["DataMemberAttribute"]),
        (["Serialization", "Xml", "System"], "XmlTypeAttribute", ["XmlElementAttribute", "XmlArrayAttribute"]),
    ];

    /// <summary>The full names of the attributes that number members of a class.</summary>
    /// <param name="level">The class.</param>
    /// <param name="mark">What marks it for protobuf-net.</param>
    public static IEnumerable<string> AttributesOf(INamedTypeSymbol level, AttributeData mark) =>
        In(level, mark).SelectMany(static numbered => numbered.Members.Select(member => AttributeReading.Joined(numbered.Space) + "." + member));

    /// <summary>The least number that counts: -1, that of a member without one, where numbers are given by name.</summary>
    public static int Least(AttributeData mark) => AttributeReading.IsSet(mark, "InferTagFromName") ? -1 : 1;

    /// <summary>The number of a member; 0 where it has one by its name; null where there is none.</summary>
    public static int? Of(ISymbol member, AttributeData mark)
    {
        foreach ((string[] space, string onType, string[] onMembers) in In(member.ContainingType, mark))
        {
            // In the namespace of XML only.
            if (AttributeReading.Has(member, "XmlIgnoreAttribute", space)) continue;
            foreach (AttributeData one in Declarations.PlacesOf(member).SelectMany(static place => place.GetAttributes()).Where(one => onMembers.Contains(one.AttributeClass?.Name) && AttributeReading.IsIn(one.AttributeClass, space)))
            {
                int order = Named(one, "Order") ?? -1;
                if (order < Least(mark)) continue;
                return order < 1 ? 0 : order + (onType == DataContract ? Named(mark, "DataMemberOffset") ?? 0 : 0);
            }
        }

        return null;
    }

    /// <summary>The attribute that numbers a member, as source has it.</summary>
    public static string? MarkOf(ISymbol member) =>
        s_numbered.SelectMany(static numbered => numbered.Members.Select(name => (numbered.Space, Name: name))).Where(one => Declarations.PlacesOf(member).Any(place => AttributeReading.Has(place, one.Name, one.Space)))
            .Select(static one => $"[{one.Name.Replace("Attribute", "")}]").FirstOrDefault();

    // None where the class says that protobuf-net's own alone count.
    private static IEnumerable<(string[] Space, string Mark, string[] Members)> In(INamedTypeSymbol level, AttributeData mark) =>
        AttributeReading.IsSet(mark, "UseProtoMembersOnly") ? []
        : s_numbered.Where(numbered => AttributeReading.Has(level, numbered.Mark, numbered.Space));

    private static int? Named(AttributeData attribute, string name) => AttributeReading.Option(attribute, name) as int?;
}
