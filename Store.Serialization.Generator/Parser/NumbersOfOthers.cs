// Numbers that attributes of the framework's serializers give to members, which protobuf-net takes for its own: on classes that carry both marks, and on those that only [XmlType] marks, which it takes for one of its own, too.

using Microsoft.CodeAnalysis;

namespace Store.Serialization.Generator.Parser;

internal static class NumbersOfOthers
{
    private const string DataContract = "DataContractAttribute", XmlType = "XmlTypeAttribute";

    private static readonly string[] s_xml = ["Serialization", "Xml", "System"], s_xmlMembers = ["XmlElementAttribute", "XmlArrayAttribute"];

    // The mark of the class, and the attributes of members. Namespaces innermost first.
    private static readonly (string[] Space, string Mark, string[] Members)[] s_numbered =
    [
        (["Serialization", "Runtime", "System"], DataContract, ["DataMemberAttribute"]),
        (s_xml, XmlType, s_xmlMembers),
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
            if (OrderOf(member, space, onMembers, Least(mark)) is { } order) return order < 1 ? 0 : order + (onType == DataContract ? Named(mark, "DataMemberOffset") ?? 0 : 0);
        }

        return null;
    }

    /// <summary>As <see cref="Of"/>, of a class that only [XmlType] marks for protobuf-net.</summary>
    public static int? OfXml(ISymbol member) => IsOfXml(member.ContainingType) && ForeignSerializer.Protobuf.Find(member, ForeignSerializer.Protobuf.Ignore) is null ? OrderOf(member, s_xml, s_xmlMembers, 1) : null;

    /// <summary>The full names of the attributes that number members of such a class; none where it is none.</summary>
    public static IEnumerable<string> AttributesOfXml(INamedTypeSymbol level) => IsOfXml(level) ? s_xmlMembers.Select(static name => AttributeReading.Joined(s_xml) + "." + name) : [];

    /// <summary>The attribute by which protobuf-net stores a member of such a class; null where there is none.</summary>
    public static (string[] Space, string Name)? MarkByXml(ISymbol member) =>
        !IsOfXml(member.ContainingType) ? null
        : OfXml(member) is not null ? (s_xml, s_xmlMembers.First(name => Declarations.PlacesOf(member).Any(place => AttributeReading.Has(place, name, s_xml))))
        : Declarations.PlacesOf(member).Any(static place => ForeignSerializer.Protobuf.Find(place, ForeignSerializer.Protobuf.Include) is not null) && ForeignSerializer.Protobuf.Find(member, ForeignSerializer.Protobuf.Ignore) is null ? (["ProtoBuf"], ForeignSerializer.Protobuf.Include)
        : null;

    /// <summary>protobuf-net takes the class for one of its own by [XmlType], and by no mark of its own.</summary>
    private static bool IsOfXml(INamedTypeSymbol level) => AttributeReading.Has(level, XmlType, s_xml) && ForeignSerializer.Protobuf.MarkOn(level) is null;

    private static int? OrderOf(ISymbol member, string[] space, string[] onMembers, int least) =>
        // In the namespace of XML only.
        AttributeReading.Has(member, "XmlIgnoreAttribute", space) ? null
        : Declarations.PlacesOf(member).SelectMany(static place => place.GetAttributes()).Where(one => onMembers.Contains(one.AttributeClass?.Name) && AttributeReading.IsIn(one.AttributeClass, space))
            .Select(static one => (int?)(Named(one, "Order") ?? -1)).FirstOrDefault(order => order >= least);

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
