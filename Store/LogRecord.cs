using Store.Serialization;

namespace Store;

/// <summary>One record of the log with its value.</summary>
/// <typeparam name="T">Type of the value.</typeparam>
/// <param name="Sequence">Its number: dense, the first is 1.</param>
/// <param name="Timestamp">When it was appended (UTC): the time of its frame, never less than that of the record before.</param>
/// <param name="Value">The value; owned by the caller.</param>
public readonly record struct LogRecord<T>(long Sequence, DateTimeOffset Timestamp, T Value);

/// <summary>One record of the log as it is stored, of any type.</summary>
/// <param name="Sequence">Its number: dense, the first is 1.</param>
/// <param name="Timestamp">When it was appended (UTC).</param>
/// <param name="Schema">What describes its bytes.</param>
/// <param name="Payload">Its bytes. Valid until the reader moves on: copy what is to be kept.</param>
public readonly record struct LogRecord(long Sequence, DateTimeOffset Timestamp, NinoSchema Schema, ReadOnlyMemory<byte> Payload)
{
    /// <summary>True when the record is of type <typeparamref name="T"/> (by schema name).</summary>
    public bool Is<T>() => Is(NinoCodec<T>.Default.Schema);

    /// <summary>Decodes the record.</summary>
    /// <exception cref="SchemaMismatchException">The stored schema is not the one <typeparamref name="T"/> has now.</exception>
    /// <exception cref="NinoSerializationException">The bytes are damaged.</exception>
    public T As<T>() => Decode<T>(Sequence, Schema, Payload.Span);

    internal static T Decode<T>(long sequence, NinoSchema schema, ReadOnlySpan<byte> payload)
    {
        NinoCodec<T> codec = NinoCodec<T>.Default;
        if (schema.Fingerprint != codec.Schema.Fingerprint || !IsSame(schema, codec.Schema))
            throw new SchemaMismatchException($"Record {sequence} is stored as '{schema.Name}' with the schema {schema.Fingerprint:x16}; the type '{codec.Schema.Name}' has the schema {codec.Schema.Fingerprint:x16} now. Read it as LogRecord and decode it by its stored schema, or use the type as it was when it was written ('inspect schema' shows it).");
        return codec.Decode(payload);
    }

    internal bool Is(NinoSchema schema) => IsSame(Schema, schema);

    internal static bool IsSame(NinoSchema stored, NinoSchema schema) => ReferenceEquals(stored, schema) || stored.Name == schema.Name;
}
