namespace Store.Serialization;

/// <summary>
/// Names a codec that you wrote: on a member for that member alone, on a type of your own wherever it is reached. For types of other assemblies use
/// <see cref="NinoSerializableAttribute.Codec"/>. A codec that does not fit is a compile-time error (NINO050).
/// </summary>
/// <param name="codec">A struct that implements <see cref="INinoCodec{T}"/> of exactly the member's or type's type. Of a generic type it may be open, with the same parameters.</param>
[AttributeUsage(AttributeTargets.Field | AttributeTargets.Property | AttributeTargets.Parameter | AttributeTargets.Class | AttributeTargets.Struct | AttributeTargets.Enum | AttributeTargets.Interface, Inherited = false)]
public sealed class NinoCodecAttribute(Type codec) : Attribute
{
    /// <summary>The codec.</summary>
    public Type Codec { get; } = codec;
}
