using System.ComponentModel;

namespace Store.Serialization;

/// <summary>Written by generated code. Users do not write it: it says that a type stores a member, or calls one, that compilers of other assemblies do not see, or what its code shows.</summary>
/// <param name="type">Metadata name of the type that declares the member.</param>
/// <param name="member">Name of the member.</param>
/// <param name="kind">What it is to the type.</param>
[AttributeUsage(AttributeTargets.Assembly, AllowMultiple = true)]
[EditorBrowsable(EditorBrowsableState.Never)]
public sealed class NinoHiddenAttribute(string type, string member, NinoHiddenKind kind) : Attribute
{
    /// <summary>Metadata name of the type that declares the member.</summary>
    public string Type { get; } = type;

    /// <summary>Name of the member.</summary>
    public string Member { get; } = member;

    /// <summary>What it is to the type.</summary>
    public NinoHiddenKind Kind { get; } = kind;
}

/// <summary>What a hidden member is to its type.</summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public enum NinoHiddenKind
{
    /// <summary>It is stored.</summary>
    State,

    /// <summary>It is stored, and all but its setter is shown.</summary>
    Setter,

    /// <summary>It makes the objects.</summary>
    Constructor,

    /// <summary>It is called when writing begins.</summary>
    OnSerializing,

    /// <summary>It is called when writing ends.</summary>
    OnSerialized,

    /// <summary>It is called when reading begins.</summary>
    OnDeserializing,

    /// <summary>It is called when reading ends.</summary>
    OnDeserialized,

    /// <summary>It is a property that shows what is stored, and nothing else.</summary>
    Computed,

    /// <summary>It is a parameter in the head that the type keeps beside a member of its name, and shows.</summary>
    Kept,
}
