namespace Store.Serialization;

/// <summary>
/// Registers a type that carries no attribute of its own: a class of another library, or a closed collection used as a whole record.
/// Put it on the assembly, or on a class that serves as the list of such types.
/// </summary>
/// <param name="type">The type to serialize.</param>
[AttributeUsage(AttributeTargets.Assembly | AttributeTargets.Class, AllowMultiple = true, Inherited = false)]
public sealed class NinoSerializableAttribute(Type type) : Attribute
{
    /// <summary>The registered type.</summary>
    public Type Type { get; } = type;

    /// <summary>A codec that you wrote for the type, used wherever this assembly reaches it: a struct that implements <see cref="INinoCodec{T}"/> of it. Null: one is generated.</summary>
    public Type? Codec { get; init; }

    /// <summary>
    /// With <c>typeof(object)</c>: a value declared as object whose type the reading program does not know is read as null instead of being an error. Costs a
    /// length in front of each such value in this assembly. Changing it changes the format.
    /// </summary>
    public bool SkipUnknownCases { get; init; }

    /// <summary>
    /// Of a class or base: an object that occurs again in a record is written as a reference and read as the same object, as with <see cref="NinoTypeAttribute.References"/>. Models whose own
    /// serializer is told so by an attribute keep references without it. Changing it changes the format; all assemblies that register the type have to say the same.
    /// </summary>
    public bool References { get; init; }
}
