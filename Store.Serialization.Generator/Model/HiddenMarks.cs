// By which attributes a serializer stores members of a class that no compiler sees: NinoHiddenMarks of the engine, as generated code fills it in.

namespace Store.Serialization.Generator.Model;

/// <param name="Namespace">The namespace of the serializer's attributes.</param>
/// <param name="Stores">The attribute of members that are stored.</param>
/// <param name="LeavesOut">The attribute of members that are not.</param>
/// <param name="LeavesOutMarked">That leaves out what is marked to be stored, too.</param>
/// <param name="LeftOutByClass">Members that the class leaves out.</param>
/// <param name="LeftOutByDerived">Full names of attributes by which the type's own serializer leaves members out, where this is the contract of a base.</param>
/// <param name="NumberedBy">Full names of attributes of others that mark members, too, by numbers.</param>
/// <param name="LeastNumber">The least number that counts.</param>
/// <param name="NotNumbered">Members that the class leaves out of those numbers.</param>
internal sealed record HiddenMarks(string Namespace, string Stores, string LeavesOut, bool LeavesOutMarked, EquatableArray<string> LeftOutByClass, EquatableArray<string> LeftOutByDerived, EquatableArray<string> NumberedBy, int LeastNumber, EquatableArray<string> NotNumbered);
