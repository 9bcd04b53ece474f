// From a type argument to its codec: one static field per T. Generated code fills the registry from a module initializer.

namespace Store.Serialization;

/// <summary>The codec of one record type as an object: what a store holds on to. One virtual call a record; inside, everything is direct. Safe for any number of threads.</summary>
/// <typeparam name="T">The record type.</typeparam>
public abstract class NinoCodec<T>
{
    private static NinoCodec<T>? _default;
    private NinoSchema? _schema;

    private protected NinoCodec() { }

    /// <summary>The registered codec of <typeparamref name="T"/>.</summary>
    /// <exception cref="NinoTypeNotRegisteredException">No generated code registered the type.</exception>
    public static NinoCodec<T> Default => _default ?? Find();

    /// <summary>The schema of the records.</summary>
    public NinoSchema Schema => _schema ??= NinoSchema.Create(Describe());

    /// <summary>The exact number of bytes of every record, or 0 where records differ.</summary>
    public abstract int FixedSize { get; }

    /// <summary>Writes a record. A record is never null.</summary>
    /// <exception cref="ArgumentNullException">The value is null.</exception>
    /// <exception cref="NinoSerializationException">The value has no encoding or exceeds a limit.</exception>
    public abstract void WriteRecord(ref NinoWriter writer, in T value);

    /// <summary>Reads a record. The caller checks that nothing is left after it.</summary>
    /// <exception cref="NinoSerializationException">The bytes are no record of this type.</exception>
    public abstract T ReadRecord(ref NinoReader reader);

    private protected abstract SchemaNode Describe();

    internal static void SetDefault(NinoCodec<T> codec) => _default ??= codec;

    private static NinoCodec<T> Find()
    {
        NinoRegistry.Prepare(typeof(T));
        return _default ?? throw new NinoTypeNotRegisteredException(typeof(T));
    }
}

/// <summary>A record type for which no generated code exists.</summary>
public sealed class NinoTypeNotRegisteredException : InvalidOperationException
{
    internal NinoTypeNotRegisteredException(Type type)
        : base($"The type '{type}' is not registered. Put [NinoType] on it, or [assembly: NinoSerializable(typeof(...))] for a type you cannot change, in a project that references the NinoStore package (which brings the generator).")
        => Type = type;

    /// <summary>The type.</summary>
    public Type Type { get; }
}
