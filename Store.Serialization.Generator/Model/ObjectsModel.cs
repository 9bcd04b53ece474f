// What may stand where object is declared, as the emitter prints it.

namespace Store.Serialization.Generator.Model;

/// <param name="Assembly">Name of the assembly, which tells its list from those of others.</param>
/// <param name="SkipsUnknown">The length of a value is stored.</param>
/// <param name="UsesObsolete">One of the types is [Obsolete] as an error: only what is obsolete may name it.</param>
/// <param name="Cases">The types by name.</param>
/// <param name="Bases">Those without objects of their own, by name; none where nothing is declared as Type.</param>
internal sealed record ObjectsModel(string Assembly, bool SkipsUnknown, bool UsesObsolete, EquatableArray<ObjectCaseModel> Cases, EquatableArray<ObjectBaseModel> Bases);

/// <param name="Codec">How an object of exactly this type is encoded.</param>
/// <param name="Names">The name records carry in files, then its former ones.</param>
/// <param name="IsUnion">A union of F#: its objects are of classes derived from it.</param>
internal sealed record ObjectCaseModel(CodecModel Codec, EquatableArray<string> Names, bool IsUnion);

/// <param name="TypeName">An abstract class or interface.</param>
/// <param name="Names">Its name in schemas, then its former ones.</param>
internal sealed record ObjectBaseModel(string TypeName, EquatableArray<string> Names);
