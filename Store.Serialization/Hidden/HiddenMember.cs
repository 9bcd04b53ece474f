// A member that generated code does not see: its attributes, as far as they mean the same whichever serializer they are of.

using System.Collections;
using System.Reflection;

namespace Store.Serialization;

/// <param name="member">A field or property.</param>
/// <param name="hasField">It is a property to which the compiler gave a field.</param>
internal sealed class HiddenMember(MemberInfo member, bool hasField)
{
    // Leaves a member out of what serializers store that have no contract of the type.
    private const string XmlIgnore = "System.Xml.Serialization.XmlIgnoreAttribute";

    // Another one, which does not count in a [Serializable] type (docs/models-of-others.md).
    private const string IgnoreDataMember = "System.Runtime.Serialization.IgnoreDataMemberAttribute";

    // By its name, as the generator has it: an assembly without a reference to this one may declare it.
    private const string NinoIgnore = "Store.Serialization.NinoIgnoreAttribute";

    // Odin's, which stores a field that Unity is told to leave out.
    private static readonly string[] s_odin = ["Sirenix.Serialization.OdinSerializeAttribute", "OdinSerializer.OdinSerializeAttribute"];

    // Leave a member out of what attributes of their own namespace number.
    private static readonly string[] s_ignoringNumbers = [XmlIgnore, "ProtoBuf.ProtoIgnoreAttribute", "Newtonsoft.Json.JsonIgnoreAttribute", "MongoDB.Bson.Serialization.Attributes.BsonIgnoreAttribute"];

    public string Name => member.Name;

    /// <summary>Its own.</summary>
    /// <exception cref="IOException">One cannot be loaded, which hides all others; so does a <see cref="BadImageFormatException"/> or <see cref="TypeLoadException"/>.</exception>
    public CustomAttributeData[] Attributes { get; } = [.. member.CustomAttributes];

    /// <summary>[NinoIgnore] on it or what it overrides leaves it out, whoever marks it.</summary>
    public bool IsIgnored => Carries(NinoIgnore) || Attribute.IsDefined(member, typeof(NinoIgnoreAttribute), inherit: true);

    /// <summary>It holds something: it is not computed, nor another name under which something is only read.</summary>
    public bool IsState => member is FieldInfo declared ? !IsNotSerialized(declared) || Array.Exists(s_odin, Carries) : member is PropertyInfo { CanRead: true } property && (property.CanWrite || (hasField && IsCollection(property)));

    /// <summary>It is left out of what serializers store that have no contract of the type.</summary>
    public bool IsLeftOutOfPlain => Carries(XmlIgnore) || (Carries(IgnoreDataMember) && !IsSerializable(member.DeclaringType!));

    /// <summary>An attribute beside one that gives it a number leaves it out of those.</summary>
    public bool IsLeftOutOf(CustomAttributeData numbering) =>
        Array.Exists(Attributes, one => one.AttributeType.Namespace == numbering.AttributeType.Namespace && Array.IndexOf(s_ignoringNumbers, one.AttributeType.FullName) >= 0);

    /// <summary>The number that an attribute gives, or -1.</summary>
    public static int NumberOf(CustomAttributeData mark) => Option(mark, "Order") as int? ?? -1;

    public static bool IsOfFramework(CustomAttributeData attribute) => attribute.AttributeType.Namespace?.StartsWith("System.", StringComparison.Ordinal) == true;

    /// <summary>A mark that says of itself that it stores nothing.</summary>
    public static bool IsIgnoring(CustomAttributeData mark) => Option(mark, "Ignore") is true;

    /// <summary>[JsonIgnore(Condition = ...)] other than Always stores the member, in some cases.</summary>
    public static bool IsConditional(CustomAttributeData ignore) => Option(ignore, "Condition") is int and not 1;

    private bool Carries(string attribute) => Array.Exists(Attributes, one => one.AttributeType.FullName == attribute);

    /// <summary>One without a setter is what its object has made.</summary>
    private static bool IsCollection(PropertyInfo property) => property.PropertyType != typeof(string) && typeof(IEnumerable).IsAssignableFrom(property.PropertyType);

    private static object? Option(CustomAttributeData attribute, string name) => attribute.NamedArguments.FirstOrDefault(argument => argument.MemberName == name).TypedValue.Value;

#pragma warning disable SYSLIB0050 // The formatters are obsolete; what they leave out still is left out.
    private static bool IsSerializable(Type type) => type.IsSerializable;

    private static bool IsNotSerialized(FieldInfo field) => field.IsNotSerialized;
#pragma warning restore SYSLIB0050
}
