// How one serializer tells which members of a class it stores. Generated code has it of the class's contract (ForeignContract of the generator), so that hidden members are told by the same rules as those that it sees.

using System.ComponentModel;
using System.Reflection;

namespace Store.Serialization;

/// <summary>The attributes by which a serializer stores members of a class and leaves them out. Used by generated code. Users do not use it.</summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public sealed class NinoHiddenMarks
{
    /// <summary>The namespace of its attributes.</summary>
    public required string Namespace { get; init; }

    /// <summary>The name of the one on members that are stored.</summary>
    public required string Stores { get; init; }

    /// <summary>The name of the one on members that are left out.</summary>
    public required string LeavesOut { get; init; }

    /// <summary>That counts on a member that is marked to be stored, too; so does what others have in its place.</summary>
    public bool LeavesOutMarked { get; init; }

    /// <summary>Names of members that the class leaves out.</summary>
    public string[] LeftOutByClass { get; init; } = [];

    /// <summary>Full names of attributes by which the serializer of a derived type leaves members of the class out, where that is another one.</summary>
    public string[] LeftOutByDerived { get; init; } = [];

    /// <summary>Full names of attributes of others that store a member too, by the number that they give it.</summary>
    public string[] NumberedBy { get; init; } = [];

    /// <summary>The least of such numbers that counts; -1 where none needs to be given.</summary>
    public int LeastNumber { get; init; }

    /// <summary>Names of members that the class leaves out of those numbers.</summary>
    public string[] NotNumbered { get; init; } = [];

    /// <summary>The attribute by which one of several serializers stores a member, the first of them first; null where none does.</summary>
    internal static string? Find(NinoHiddenMarks[] all, HiddenMember member)
    {
        foreach (NinoHiddenMarks marks in all)
        {
            if (marks.MarkOn(member) is { } mark) return Short(mark.AttributeType.Name);
        }

        return null;
    }

    /// <summary>An attribute as source has it.</summary>
    internal static string Short(string attribute) => $"[{attribute.Replace("Attribute", "", StringComparison.Ordinal)}]";

    private CustomAttributeData? MarkOn(HiddenMember member) =>
        Has(LeftOutByClass, member.Name) || Array.Exists(member.Attributes, IsLeavingOut) ? null
        : Array.Find(member.Attributes, attribute => IsOwn(attribute) ? attribute.AttributeType.Name == Stores : IsNumber(attribute, member));

    private bool IsLeavingOut(CustomAttributeData attribute) =>
        ((LeavesOutMarked && IsOwn(attribute) && attribute.AttributeType.Name == LeavesOut) || Has(LeftOutByDerived, attribute.AttributeType.FullName)) && !HiddenMember.IsConditional(attribute);

    /// <summary>An attribute of another serializer that gives a number which counts. Of most is read no more than that they store a member.</summary>
    private bool IsNumber(CustomAttributeData attribute, HiddenMember member) =>
        Has(NumberedBy, attribute.AttributeType.FullName) && !Has(NotNumbered, member.Name) && HiddenMember.NumberOf(attribute) >= LeastNumber && !member.IsLeftOutOf(attribute)
        && (HiddenMember.IsOfFramework(attribute) || (member.IsState && !HiddenMember.IsIgnoring(attribute) && !(LeavesOutMarked && member.IsLeftOutOfPlain)));

    private bool IsOwn(CustomAttributeData attribute) => attribute.AttributeType.Namespace == Namespace;

    private static bool Has(string[] names, string? name) => Array.IndexOf(names, name) >= 0;
}
