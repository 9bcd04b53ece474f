// A member that a type stores or calls and that compilers of other assemblies do not see: they neither read private and internal members of assemblies nor find them in
// reference assemblies.

namespace Store.Serialization.Generator.Model;

/// <param name="TypeName">Metadata name of the type that declares it.</param>
/// <param name="Member">Its name.</param>
/// <param name="Kind">What it is to the type.</param>
internal sealed record HiddenModel(string TypeName, string Member, HiddenKind Kind);

/// <summary>As NinoHiddenKind of the engine.</summary>
internal enum HiddenKind
{
    State,
    Setter,
    Constructor,
    OnSerializing,
    OnSerialized,
    OnDeserializing,
    OnDeserialized,
    Computed,
    Kept,
}
