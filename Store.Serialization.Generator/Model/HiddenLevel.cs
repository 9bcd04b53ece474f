// A class or struct of another assembly, a model of another serializer, that may mark members to be stored which no compiler sees.

namespace Store.Serialization.Generator.Model;

/// <param name="TypeName">The C# name.</param>
/// <param name="Marks">Those of each serializer that stores members of it: that of the type, and its own where it is a base with another one.</param>
/// <param name="Known">Members with such an attribute that are seen, and were decided on, and those that the type itself leaves out.</param>
/// <param name="SetUnseen">Properties that are set by a setter which is not seen.</param>
/// <param name="SetUnseenOrBacked">Properties that are set by such a setter or, where they have none, by the fields that the compiler gave them.</param>
/// <param name="IsMadeUnseen">Objects are made by a constructor without parameters which is not seen.</param>
/// <param name="IsEmpty">Nothing is stored, because there seems to be no state: whether there is some is not seen.</param>
internal sealed record HiddenLevel(string TypeName, EquatableArray<HiddenMarks> Marks, EquatableArray<string> Known, EquatableArray<string> SetUnseen, EquatableArray<string> SetUnseenOrBacked, bool IsMadeUnseen, bool IsEmpty);
