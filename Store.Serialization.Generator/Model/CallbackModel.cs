// Methods that are called around writing and reading.

namespace Store.Serialization.Generator.Model;

internal enum CallbackTime
{
    Serializing,
    Serialized,
    Deserializing,
    Deserialized,
}

/// <param name="Time">When it is called.</param>
/// <param name="Name">The name as C# source spells it.</param>
/// <param name="MetadataName">The name itself.</param>
/// <param name="DeclaringType">The type that declares it: as generated code names it, or with an accessor as seen inside the holder.</param>
/// <param name="Holder">The class that holds its accessor, or null when generated code can call it by name.</param>
/// <param name="DeclaredInStruct">Structs are passed by reference.</param>
/// <param name="Parameter">The type of what it is given, the default value of that; null where it is given nothing.</param>
/// <param name="IsAlternative">Called only where no method that no compiler sees is called for an attribute.</param>
/// <param name="Hidden">No method: those of <paramref name="DeclaringType"/> are called that no compiler sees; else null.</param>
internal sealed record CallbackModel(CallbackTime Time, string Name, string MetadataName, string DeclaringType, AccessorHolder? Holder, bool DeclaredInStruct, string? Parameter = null, bool IsAlternative = false, HiddenCallbacks? Hidden = null);

/// <param name="Spaces">The namespaces whose attributes count.</param>
/// <param name="Known">Names of methods that generated code calls itself, or through what they override.</param>
internal sealed record HiddenCallbacks(EquatableArray<string> Spaces, EquatableArray<string> Known);
