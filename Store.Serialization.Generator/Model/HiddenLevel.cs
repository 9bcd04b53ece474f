// A class or struct of another assembly, a model of another serializer, that may mark members to be stored which no compiler sees.

namespace Store.Serialization.Generator.Model;

/// <param name="TypeName">The C# name.</param>
/// <param name="Space">The namespace of the serializer's attributes.</param>
/// <param name="Include">The attribute of members that are stored.</param>
/// <param name="Ignore">The attribute of members that are not.</param>
/// <param name="IsIgnoreHeeded">That leaves out what is marked to be stored, too.</param>
/// <param name="Numbering">Full names of attributes of others that mark members, too, by numbers.</param>
/// <param name="LeastNumber">The least number that counts.</param>
/// <param name="NotNumbered">Members that the type leaves out of those numbers.</param>
/// <param name="Known">Members with such an attribute that are seen, and were decided on, and those that the type itself leaves out.</param>
/// <param name="LeavingOut">Full names of attributes of the type's own serializer that leave a member out, where this is the contract of a base.</param>
/// <param name="Setters">Properties that are set by a setter which is not seen.</param>
/// <param name="Backed">Properties that are set by such a setter or, where they have none, by the fields that the compiler gave them.</param>
/// <param name="IsMade">Objects are made by a constructor without parameters which is not seen.</param>
/// <param name="IsEmpty">Nothing is stored, because there seems to be no state: whether there is some is not seen.</param>
internal sealed record HiddenLevel(string TypeName, string Space, string Include, string Ignore, bool IsIgnoreHeeded, EquatableArray<string> Numbering, int LeastNumber, EquatableArray<string> NotNumbered, EquatableArray<string> Known, EquatableArray<string> LeavingOut, EquatableArray<string> Setters, EquatableArray<string> Backed, bool IsMade, bool IsEmpty);
