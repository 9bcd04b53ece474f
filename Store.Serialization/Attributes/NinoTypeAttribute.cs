namespace Store.Serialization;

/// <summary>
/// Marks a class, struct, record or record struct of your own as a record type: the generator writes its codec at compile time.
/// A member that cannot be serialized is a compile-time error, never silence.
/// </summary>
[AttributeUsage(AttributeTargets.Class | AttributeTargets.Struct | AttributeTargets.Interface, Inherited = false)]
public sealed class NinoTypeAttribute : Attribute
{
    /// <summary>The name written into schemas instead of the type's full name. Set it when the type moves to another namespace but old files must stay readable.</summary>
    public string? Name { get; init; }
}
