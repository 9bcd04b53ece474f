namespace Store.Serialization;

/// <summary>A record type for which no generated code exists.</summary>
public sealed class NinoTypeNotRegisteredException : InvalidOperationException
{
    internal NinoTypeNotRegisteredException(Type type)
        : base($"The type '{type}' is not registered. Put [NinoType] on it, or [assembly: NinoSerializable(typeof(...))] for a type you cannot change, in a project that references the NinoStore package (which brings the generator).")
        => Type = type;

    /// <summary>The type.</summary>
    public Type Type { get; }
}
