// A view over the bytes of one type, as the emitter prints it.

namespace Store.Serialization.Generator.Model;

/// <param name="Head">Names, and where the view stands.</param>
/// <param name="Shape">Of the type.</param>
/// <param name="IsRecursive">Moving over a value counts depth.</param>
/// <param name="FixedBytes">Total size of the fixed-width members that come first.</param>
/// <param name="MinBytes">The least size of a value, or of a class's body.</param>
/// <param name="Members">In the order of the encoding.</param>
internal sealed record ViewModel(ViewHead Head, TypeShape Shape, bool IsRecursive, int FixedBytes, int MinBytes, EquatableArray<ViewMemberModel> Members)
{
    /// <summary>Every value, or body, has <see cref="MinBytes"/> bytes.</summary>
    public bool IsFixed => Shape == TypeShape.FixedStruct || (Shape == TypeShape.Class && Members.All(static member => member.Offset >= 0));
}

/// <param name="TypeName">The C# name of the type.</param>
/// <param name="Codec">The C# name of its codec.</param>
/// <param name="Name">Name of the view.</param>
/// <param name="Namespace">Its namespace, empty for the global one.</param>
/// <param name="IsPublic">Else internal.</param>
/// <param name="HintName">Name of the generated file, unique in the assembly without regard to case.</param>
/// <param name="SchemaName">The name records carry in files.</param>
internal sealed record ViewHead(string TypeName, string Codec, string Name, string Namespace, bool IsPublic, string HintName, string SchemaName)
{
    /// <summary>The type is [Obsolete] as an error, so that only what is obsolete may name it.</summary>
    public bool IsObsolete { get; init; }
}

/// <param name="Name">Name of the property, or of the method behind <c>Read</c>, as C# source spells it.</param>
/// <param name="IsPublic">Else internal.</param>
/// <param name="TypeName">The C# name of the member's type.</param>
/// <param name="Codec">How its value is encoded.</param>
/// <param name="Offset">Fixed-width members: the distance from the start of the body. Others: -1.</param>
/// <param name="View">The C# name of its view, or null: then it can only be read.</param>
/// <param name="IsObsolete">Its type is [Obsolete] as an error, so that only what is obsolete may name it.</param>
internal sealed record ViewMemberModel(string Name, bool IsPublic, string TypeName, string Codec, int Offset, string? View, bool IsObsolete);

/// <param name="Head">Names, and where the view stands.</param>
/// <param name="HasExplicitTags">As in the schema.</param>
/// <param name="SkipsUnknown">The length of each case is stored.</param>
/// <param name="Cases">The cases by tag.</param>
internal sealed record UnionViewModel(ViewHead Head, bool HasExplicitTags, bool SkipsUnknown, EquatableArray<ViewCaseModel> Cases);

/// <param name="Tag">As it is stored.</param>
/// <param name="TypeName">The C# name of the case.</param>
/// <param name="IsStruct">A struct: its value stands there, not a body.</param>
/// <param name="IsPublic">The case's view is.</param>
/// <param name="View">The C# name of its view, or null.</param>
/// <param name="IsObsolete">The case is [Obsolete] as an error, so that only what is obsolete may name it.</param>
internal sealed record ViewCaseModel(uint Tag, string TypeName, bool IsStruct, bool IsPublic, string? View, bool IsObsolete);
