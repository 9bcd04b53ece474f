// Everything one run of the generator has to print or report.

namespace Store.Serialization.Generator.Model;

/// <param name="Types">Types that get a codec of their own, ordered by name.</param>
/// <param name="Registrations">Types that users may pass to the serializer, ordered by name.</param>
/// <param name="Diagnostics">Everything that cannot be serialized.</param>
internal sealed record GenerationModel(
    EquatableArray<TypeModel> Types,
    EquatableArray<RegistrationModel> Registrations,
    EquatableArray<DiagnosticModel> Diagnostics);

/// <summary>A type and the codec that the module initializer registers for it.</summary>
internal sealed record RegistrationModel(string TypeName, string Codec);
