// What models of other assemblies keep private, as their own serializer's attributes say: compilers read no private members, and reference assemblies have none, so nobody knows before
// the program runs whether a model has some. Looked for once a type; the trimmer keeps what is looked at because of the annotation.

using System.Collections;
using System.ComponentModel;
using System.Diagnostics.CodeAnalysis;
using System.Reflection;

namespace Store.Serialization;

/// <summary>What a type and its bases mark to be stored and generated code cannot reach, or reaches without having seen it. Used by generated code. Users do not use it.</summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public abstract class NinoHiddenMembers
{
    private protected NinoHiddenMembers() { }

    /// <summary>Names every such member, and says what to do; null where there is none.</summary>
    private protected string? Problem { get; set; }

    private protected string TypeName { get; set; } = "";

    /// <summary>Before an object is described, written or read.</summary>
    /// <exception cref="NinoSerializationException">A member would be lost, or no object could be made.</exception>
    public void Check()
    {
        if (Problem is not null) Refuse();
    }

    /// <summary>A type has a constructor without parameters, of whatever access.</summary>
    public static bool HasConstructor<[DynamicallyAccessedMembers(DynamicallyAccessedMemberTypes.PublicParameterlessConstructor | DynamicallyAccessedMemberTypes.NonPublicConstructors)] T>() =>
        typeof(T).GetConstructor(Type.EmptyTypes) is not null || typeof(T).GetConstructor(BindingFlags.Instance | BindingFlags.NonPublic, Type.EmptyTypes) is not null;

    /// <summary>The text of what is above.</summary>
    private protected static string? ProblemOf(NinoHiddenMembers? above) => above?.Problem;

    private void Refuse() => throw new NinoSerializationException(Problem!) { TypeName = TypeName, IsOfHiddenMembers = true };
}

/// <summary>Used by generated code. Users do not use it.</summary>
/// <typeparam name="T">The type that declares the members.</typeparam>
[EditorBrowsable(EditorBrowsableState.Never)]
public sealed class NinoHiddenMembers<[DynamicallyAccessedMembers(DynamicallyAccessedMemberTypes.NonPublicFields | DynamicallyAccessedMemberTypes.NonPublicProperties | DynamicallyAccessedMemberTypes.PublicProperties)] T> : NinoHiddenMembers
{
    private const BindingFlags Declared = BindingFlags.Instance | BindingFlags.NonPublic | BindingFlags.DeclaredOnly;

    // Leaves a member out of what serializers store that have no contract of the type.
    private const string LeavingOut = "System.Xml.Serialization.XmlIgnoreAttribute";

    // Leaves a member out whoever marks it.
    private const string LeftOut = "Store.Serialization.NinoIgnoreAttribute";

    // Another one, which does not count in a [Serializable] type (docs/types.md, "Models of other serializers").
    private const string LeavingOutPlain = "System.Runtime.Serialization.IgnoreDataMemberAttribute";

    // Attributes of others that leave a member out of what those of their own namespace number.
    private static readonly string[] s_ignoring = ["System.Xml.Serialization.XmlIgnoreAttribute", "ProtoBuf.ProtoIgnoreAttribute", "Newtonsoft.Json.JsonIgnoreAttribute", "MongoDB.Bson.Serialization.Attributes.BsonIgnoreAttribute"];

    /// <summary>Looks for the members.</summary>
    /// <param name="space">Attributes of this namespace count.</param>
    /// <param name="include">The attribute of members that are stored.</param>
    /// <param name="ignore">The attribute of members that are not.</param>
    /// <param name="isIgnoreHeeded">It, and what else leaves a member out that has no mark, leaves out a marked one, too.</param>
    /// <param name="numbering">Full names of attributes of others that mark a member, too, by the number that they give it.</param>
    /// <param name="leastNumber">The least of such numbers that counts; -1 where none needs to be given.</param>
    /// <param name="notNumbered">Names of members that the type leaves out of those numbers.</param>
    /// <param name="known">Names of members that generated code stores, and of those that the type itself leaves out.</param>
    /// <param name="leavingOut">Full names of attributes by which the serializer of a derived type leaves members out, where that is another one.</param>
    /// <param name="setters">Names of properties that generated code sets by setters that it does not see.</param>
    /// <param name="backed">Names of properties that generated code sets by such setters or, where they have none, by the fields that the compiler gave them.</param>
    /// <param name="canBeMade">False where generated code makes objects by a constructor without parameters that it does not see, and there is none (<see cref="NinoHiddenMembers.HasConstructor"/>).</param>
    /// <param name="isEmpty">Generated code stores nothing, because it sees nothing.</param>
    /// <param name="above">What was found in the bases. Null where there is none.</param>
    public NinoHiddenMembers(string space, string include, string ignore, bool isIgnoreHeeded, string[] numbering, int leastNumber, string[] notNumbered, string[] known, string[] leavingOut, string[] setters, string[] backed, bool canBeMade, bool isEmpty, NinoHiddenMembers? above = null)
    {
        string mark = Mark(include);
        List<(string Name, string Mark)> hidden = [];
        List<string> unknown = [];
        foreach (MemberInfo member in (MemberInfo[])[.. typeof(T).GetFields(Declared), .. typeof(T).GetProperties(Declared)])
        {
            if (Array.IndexOf(known, member.Name) >= 0) continue;
            List<CustomAttributeData> attributes;
            try
            {
                attributes = [.. member.CustomAttributes.Where(attribute => attribute.AttributeType.Namespace == space || Array.IndexOf(numbering, attribute.AttributeType.FullName) >= 0 || Array.IndexOf(s_ignoring, attribute.AttributeType.FullName) >= 0 || Array.IndexOf(leavingOut, attribute.AttributeType.FullName) >= 0 || attribute.AttributeType.FullName == LeftOut)];
            }
            catch (Exception error) when (error is IOException or BadImageFormatException or TypeLoadException)
            {
                // One that cannot be loaded hides all others of the member.
                unknown.Add($"'{typeof(T)}.{member.Name}' ({error.Message})");
                continue;
            }

            if (attributes.Exists(attribute => attribute.AttributeType.FullName == LeftOut || (Array.IndexOf(leavingOut, attribute.AttributeType.FullName) >= 0 && !IsConditional(attribute)))) continue;
            if (isIgnoreHeeded && attributes.Exists(attribute => attribute.AttributeType.Namespace == space && attribute.AttributeType.Name == ignore && !IsConditional(attribute))) continue;
            if (attributes.Find(attribute => attribute.AttributeType.Namespace == space ? attribute.AttributeType.Name == include
                : Array.IndexOf(notNumbered, member.Name) < 0 && Counts(attribute, leastNumber, attributes) && (IsOfFramework(attribute) || IsState(member, attribute, isIgnoreHeeded))) is { } found) hidden.Add(($"'{typeof(T)}.{member.Name}'", Mark(found.AttributeType.Name)));
        }

        // No lambda over the type: the trimmer goes by the annotation of this class.
        List<string> readOnly = [];
        foreach (string name in setters)
        {
            if (!HasSetter(name)) readOnly.Add($"'{typeof(T)}.{name}'");
        }

        foreach (string name in backed)
        {
            if (!HasSetter(name) && !HasField($"<{name}>k__BackingField")) readOnly.Add($"'{typeof(T)}.{name}'");
        }

        const string Codec = "or give the type a codec with [NinoSerializable(typeof(...), Codec = ...)]";
        List<string> problems = ProblemOf(above) is { } inherited ? [inherited] : [];
        foreach (IGrouping<string, string> same in hidden.GroupBy(static one => one.Mark, static one => one.Name)) problems.Add($"{string.Join(", ", same)}: marked with {same.Key} to be stored, and hidden from the assembly that has the codec, so it would be lost. Make it public, or internal with [InternalsVisibleTo] for that assembly, {Codec}.");
        if (unknown.Count > 0) problems.Add($"{string.Join(", ", unknown)}: hidden from the assembly that has the codec, and has an attribute that cannot be loaded, so whether it is marked with {mark} to be stored is not known. Deploy the assembly of the attribute, {Codec}.");
        if (readOnly.Count > 0) problems.Add($"{string.Join(", ", readOnly)}: marked with {mark} to be stored, and has no setter, so it could not be read. Give it one (a private one is enough), take the mark off, {Codec}.");
        if (!canBeMade) problems.Add($"'{typeof(T)}': it has no constructor without parameters, and none that the assembly that has the codec sees and could call, so it could not be read. Give it one (a private one is enough), {Codec}.");
        string[] state = isEmpty ? [.. typeof(T).GetFields(Declared).Select(static field => $"'{field.DeclaringType}.{field.Name}'")] : [];
        if (state.Length > 0) problems.Add($"{string.Join(", ", state)}: hidden from the assembly that has the codec, which sees nothing of the type that could be stored, so it would be lost. Convert it to a type of your own, {Codec}.");
        Problem = problems.Count > 0 ? string.Join(" ", problems) : null;
        TypeName = typeof(T).FullName!;
    }

    /// <summary>A property has a setter, of whatever access.</summary>
    /// <param name="name">Its name.</param>
    public static bool HasSetter(string name) => typeof(T).GetProperty(name, Declared | BindingFlags.Public) is { SetMethod: not null };

    /// <summary>The type declares a field that is not public.</summary>
    /// <param name="name">Its name.</param>
    public static bool HasField(string name) => typeof(T).GetField(name, Declared) is not null;

    /// <summary>An attribute of another serializer gives a number, and the member is not left out of that.</summary>
    private static bool Counts(CustomAttributeData attribute, int leastNumber, List<CustomAttributeData> beside) =>
        !beside.Exists(one => one.AttributeType.Namespace == attribute.AttributeType.Namespace && Array.IndexOf(s_ignoring, one.AttributeType.FullName) >= 0)
        && (attribute.NamedArguments.FirstOrDefault(static argument => argument.MemberName == "Order").TypedValue.Value as int? ?? -1) >= leastNumber;

    private static bool IsOfFramework(CustomAttributeData attribute) => attribute.AttributeType.Namespace!.StartsWith("System.", StringComparison.Ordinal);

    /// <summary>A mark of which no more is read than that it stores a member: not what is computed, another name under which something is only read, or left out beside it.</summary>
    private static bool IsState(MemberInfo member, CustomAttributeData mark, bool isIgnoreHeeded) =>
        (member is FieldInfo field ? !IsNotSerialized(field) : member is PropertyInfo { CanRead: true } property && (property.CanWrite || IsFilled(property)))
        && mark.NamedArguments.FirstOrDefault(static argument => argument.MemberName == "Ignore").TypedValue.Value is not true
        && !(isIgnoreHeeded && member.CustomAttributes.Any(static attribute => attribute.AttributeType.FullName is LeavingOut || (attribute.AttributeType.FullName is LeavingOutPlain && !IsSerializable)));

#pragma warning disable SYSLIB0050 // The formatters are obsolete; what they leave out still is left out.
    private static bool IsSerializable => typeof(T).IsSerializable;

    private static bool IsNotSerialized(FieldInfo field) => field.IsNotSerialized;
#pragma warning restore SYSLIB0050

    /// <summary>A collection that its object has made, behind an auto-property.</summary>
    private static bool IsFilled(PropertyInfo property) =>
        property.PropertyType != typeof(string) && typeof(IEnumerable).IsAssignableFrom(property.PropertyType) && HasField($"<{property.Name}>k__BackingField");

    /// <summary>[JsonIgnore(Condition = ...)] other than Always stores the member, in some cases.</summary>
    private static bool IsConditional(CustomAttributeData ignore) => ignore.NamedArguments.FirstOrDefault(static argument => argument.MemberName == "Condition").TypedValue.Value is int and not 1;

    private static string Mark(string attribute) => $"[{attribute.Replace("Attribute", "", StringComparison.Ordinal)}]";
}
