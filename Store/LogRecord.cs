using Store.Reading;
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
    /// <summary>True when the record is of type <typeparamref name="T"/>: by its schema name or a former one (<see cref="NinoFormerNameAttribute"/>), whatever its shape.</summary>
    public bool Is<T>() => Is(NinoCodec<T>.Default.Schema);

    /// <summary>Decodes the record. One that was stored in an earlier or later shape of the type is read into the present one (docs/evolution.md).</summary>
    /// <exception cref="SchemaMismatchException">It is of another type, or its shape cannot be read as the one that <typeparamref name="T"/> has now.</exception>
    /// <exception cref="NinoSerializationException">The bytes are damaged, or hold a value that the type cannot.</exception>
    public T As<T>() => Decode<T>(Sequence, Schema, Payload.Span);

    internal static T Decode<T>(long sequence, NinoSchema schema, ReadOnlySpan<byte> payload)
    {
        NinoCodec<T> codec = NinoCodec<T>.Default;
        try
        {
            return codec.IsEncodedAlike(schema) ? codec.Decode(payload, StoredLimits.Default) : DecodeOther(codec, sequence, schema, payload);
        }
        catch (NinoSerializationException error)
        {
            throw At(sequence, error);
        }
    }

    /// <summary>Decodes a record of a schema that is not encoded as the type's own. The caller says which record it is that is refused (<see cref="At"/>).</summary>
    internal static T DecodeOther<T>(NinoCodec<T> codec, long sequence, NinoSchema schema, ReadOnlySpan<byte> payload)
    {
        if (!IsSame(schema, codec.Schema))
            throw new SchemaMismatchException($"Record {sequence} is of type '{schema.Name}' and not '{codec.Schema.Name}'. Ask Is<T>() first, and read it as its own type{FormerName.IfRenamed(schema, codec.Schema)}.");
        try
        {
            return codec.Decode(payload, schema, StoredLimits.Default);
        }
        catch (NinoSchemaMismatchException error)
        {
            throw Mismatch(sequence, error);
        }
    }

    /// <summary>As the engine said it, with the record: it is one of many, and whoever is told which finds it with 'inspect'.</summary>
    internal static NinoSerializationException At(long sequence, NinoSerializationException error) =>
        new($"Record {sequence} of the log: {error.Message}", error) { TypeName = error.TypeName, MemberPath = error.MemberPath, ByteOffset = error.ByteOffset };

    internal static SchemaMismatchException Mismatch(long sequence, NinoSchemaMismatchException error) =>
        new($"Record {sequence}: {error.Message} 'inspect schema' shows what is stored; ReadRecords gives the records as they are.", null, error);

    internal bool Is(NinoSchema schema) => IsSame(Schema, schema);

    internal static bool IsSame(NinoSchema stored, NinoSchema schema) => ReferenceEquals(stored, schema) || schema.IsNamed(stored.Name);
}
