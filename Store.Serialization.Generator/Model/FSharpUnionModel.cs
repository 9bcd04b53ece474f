// A union of F#, as the emitter prints it. Its cases are types of the model like any other (TypeModel.IsCase), whose codecs write and read the union itself, and which nobody else names: they are in its file.

namespace Store.Serialization.Generator.Model;

/// <param name="TypeName">The C# name of the union.</param>
/// <param name="CodecName">Name of the generated struct, unique in the assembly.</param>
/// <param name="HintName">Name of the generated file, unique in the assembly without regard to case.</param>
/// <param name="SchemaName">The name records carry in files.</param>
/// <param name="IsStruct">The union is a struct.</param>
/// <param name="IsNullCase">Null is one of the cases.</param>
/// <param name="SkipsUnknown">The length of each case is stored.</param>
/// <param name="FormerNames">Names that records of the union carry in older files.</param>
/// <param name="Cases">The cases by tag.</param>
internal sealed record FSharpUnionModel(
    string TypeName,
    string CodecName,
    string HintName,
    string SchemaName,
    bool IsStruct,
    bool IsNullCase,
    bool SkipsUnknown,
    EquatableArray<string> FormerNames,
    EquatableArray<FSharpCaseModel> Cases);

/// <param name="Tag">The hash of the case's name.</param>
/// <param name="Index">What the union's own Tag says of an object of the case: its place in the declaration.</param>
/// <param name="Type">The case as a type.</param>
internal sealed record FSharpCaseModel(uint Tag, int Index, TypeModel Type)
{
    /// <summary>The C# name of its codec, as the file of the union says it.</summary>
    public string Codec => Type.CodecName;

    /// <summary>The name in files.</summary>
    public string SchemaName => Type.SchemaName;
}
