// Everything one run of the generator has to print or report.

namespace Store.Serialization.Generator.Model;

/// <param name="Types">Types that get a codec in a file of its own, ordered by name.</param>
/// <param name="Unions">Polymorphic bases, ordered by name.</param>
/// <param name="FSharpUnions">Unions of F#, ordered by name, with their cases.</param>
/// <param name="UsesFSharp">Collections or options of F# are met: what takes them apart is printed.</param>
/// <param name="Views">Views over bytes, in the order of their types.</param>
/// <param name="UnionViews">Views over the bytes of polymorphic bases.</param>
/// <param name="Objects">What may stand where object is declared; null when nothing declares it.</param>
/// <param name="Registrations">Types that users may pass to the serializer, ordered by name.</param>
/// <param name="WrittenCodecs">Codecs that users wrote in the assembly, each with the hash of its code, in order.</param>
/// <param name="Diagnostics">Everything that cannot be serialized.</param>
internal sealed record GenerationModel(
    EquatableArray<TypeModel> Types,
    EquatableArray<UnionModel> Unions,
    EquatableArray<FSharpUnionModel> FSharpUnions,
    bool UsesFSharp,
    EquatableArray<ViewModel> Views,
    EquatableArray<UnionViewModel> UnionViews,
    ObjectsModel? Objects,
    EquatableArray<RegistrationModel> Registrations,
    EquatableArray<string> WrittenCodecs,
    EquatableArray<DiagnosticModel> Diagnostics);

/// <summary>A type, the codec that the module initializer registers for it (of an enum its number), and how.</summary>
internal sealed record RegistrationModel(string TypeName, string Codec, RegistrationKind Kind = RegistrationKind.Register);

/// <summary>Named as the method of NinoRegistry that is called.</summary>
internal enum RegistrationKind
{
    /// <summary>The codec of a type of this assembly, or of one that no assembly owns.</summary>
    Register,

    /// <summary>The codec of objects of exactly this type, where its registered codec is that of a base.</summary>
    RegisterExact,

    /// <summary>The codec of a base of which other assemblies may know other cases: of another assembly's base, or of a construction of a generic one.</summary>
    RegisterWider,

    /// <summary>No codec: an enum of another assembly must still be as wide as when this one was compiled.</summary>
    CheckEnum,
}
