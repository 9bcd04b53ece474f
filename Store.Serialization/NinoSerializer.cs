// The engine on its own: the static verbs. What they add to a codec is memory for the bytes and the name of the type in errors.

using System.Buffers;

namespace Store.Serialization;

/// <summary>
/// Serializes records to bytes and back. Works for every type that generated code registered ([NinoType] or [NinoSerializable]), for primitives, strings,
/// and for arrays and lists of these. The bytes are the bare record: the reader has to know the type. All members are safe for any number of threads,
/// as long as nobody changes a value while it is written.
/// </summary>
public static class NinoSerializer
{
    /// <summary>Serializes a value into a new array of exactly its length. Allocates nothing else once a thread has done it before.</summary>
    /// <exception cref="ArgumentNullException">The value is null.</exception>
    /// <exception cref="NinoTypeNotRegisteredException">No generated code registered the type.</exception>
    /// <exception cref="NinoSerializationException">The value has no encoding or exceeds a limit.</exception>
    public static byte[] Serialize<T>(in T value, NinoLimits? limits = null) => NinoCodec<T>.Default.EncodeToArray(in value, limits);

    /// <summary>Serializes a value into a buffer writer and returns the number of bytes. Allocates nothing. After an exception the buffer writer may hold part of a record.</summary>
    /// <inheritdoc cref="Serialize{T}(in T, NinoLimits?)" path="/exception"/>
    public static long Serialize<T>(IBufferWriter<byte> output, in T value, NinoLimits? limits = null)
    {
        ArgumentNullException.ThrowIfNull(output);
        return NinoCodec<T>.Default.Encode(output, in value, limits);
    }

    /// <summary>Serializes a value into memory of the caller.</summary>
    /// <param name="value">The value.</param>
    /// <param name="destination">Where the record is stored, from the first byte on. Nothing of it is touched when the record does not fit.</param>
    /// <param name="written">Length of the record, or 0 when it does not fit.</param>
    /// <param name="limits">Other limits than the default ones.</param>
    /// <returns>False when the destination is too short.</returns>
    /// <inheritdoc cref="Serialize{T}(in T, NinoLimits?)" path="/exception"/>
    public static bool TrySerialize<T>(in T value, Span<byte> destination, out int written, NinoLimits? limits = null)
    {
        // By way of the scratch memory: how long a record gets is known when it is written.
        NinoCodec<T> codec = NinoCodec<T>.Default;
        ScratchBuffer scratch = ScratchBuffer.Rent();
        try
        {
            long length = codec.Encode(scratch, in value, limits);
            written = length <= destination.Length ? (int)length : 0;
            if (length > destination.Length) return false;
            scratch.CopyTo(destination);
            return true;
        }
        finally
        {
            scratch.Return();
        }
    }

    /// <summary>Reads the value that <paramref name="source"/> is, from its first byte to its last. Nothing of the source is kept.</summary>
    /// <exception cref="NinoTypeNotRegisteredException">No generated code registered the type.</exception>
    /// <exception cref="NinoSerializationException">The bytes are no record of this type, or something follows it, or a constructor or setter of the type threw, which is then the inner exception: with type name, member path and byte offset.</exception>
    public static T Deserialize<T>(ReadOnlySpan<byte> source, NinoLimits? limits = null) => NinoCodec<T>.Default.Decode(source, limits);

    /// <summary>As <see cref="Deserialize{T}(ReadOnlySpan{byte}, NinoLimits?)"/>. Several segments are first copied together into pooled memory.</summary>
    /// <inheritdoc cref="Deserialize{T}(ReadOnlySpan{byte}, NinoLimits?)" path="/exception"/>
    public static T Deserialize<T>(in ReadOnlySequence<byte> source, NinoLimits? limits = null)
    {
        NinoCodec<T> codec = NinoCodec<T>.Default;
        if (source.IsSingleSegment) return codec.Decode(source.FirstSpan, limits);

        int maxBytes = (limits ?? NinoLimits.Default).MaxRecordBytes;
        if (source.Length > maxBytes) Throw.RecordTooLarge(maxBytes);
        byte[] copy = ArrayPool<byte>.Shared.Rent((int)source.Length);
        try
        {
            source.CopyTo(copy);
            return codec.Decode(copy.AsSpan(0, (int)source.Length), limits);
        }
        finally
        {
            ArrayPool<byte>.Shared.Return(copy);
        }
    }

    /// <summary>The schema of a type's records.</summary>
    /// <exception cref="NinoTypeNotRegisteredException">No generated code registered the type.</exception>
    public static NinoSchema SchemaOf<T>() => NinoCodec<T>.Default.Schema;
}
