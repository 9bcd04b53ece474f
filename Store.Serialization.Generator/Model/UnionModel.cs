// A polymorphic base with its cases, as the emitter prints it.

namespace Store.Serialization.Generator.Model;

/// <param name="TypeName">The C# name of the base.</param>
/// <param name="CodecName">Name of the generated struct, unique in the assembly.</param>
/// <param name="HintName">Name of the generated file, unique in the assembly without regard to case.</param>
/// <param name="SchemaName">The name records carry in files.</param>
/// <param name="HasExplicitTags">[NinoUnion] gives the tags; else they are hashes of the cases' schema names.</param>
/// <param name="SkipsUnknown">The length of each case is stored.</param>
/// <param name="KeepsReferences">Objects are numbered, here and not by the codecs of the cases.</param>
/// <param name="UsesObsolete">The base or a case is [Obsolete] as an error: only what is obsolete may name it.</param>
/// <param name="FormerNames">Names that records of the base carry in older files.</param>
/// <param name="Cases">The cases by tag.</param>
internal sealed record UnionModel(
    string TypeName,
    string CodecName,
    string HintName,
    string SchemaName,
    bool HasExplicitTags,
    bool SkipsUnknown,
    bool KeepsReferences,
    bool UsesObsolete,
    EquatableArray<string> FormerNames,
    EquatableArray<CaseModel> Cases);

/// <param name="Tag">What tells the case from the others.</param>
/// <param name="Codec">How an object of exactly this type is encoded.</param>
/// <param name="SchemaName">The name records carry in files.</param>
/// <param name="Shape">Which methods of the codec are called.</param>
internal sealed record CaseModel(uint Tag, CodecModel Codec, string SchemaName, CaseShape Shape);

internal enum CaseShape
{
    /// <summary>A class: its body, without presence byte.</summary>
    Class,

    /// <summary>A struct behind an interface.</summary>
    Struct,

    /// <summary>A class that keeps references although the base does not: its own reference stands in front.</summary>
    Numbered,
}
