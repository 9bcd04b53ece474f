// The engine on its own: the static verbs. What they add to a codec is memory for the bytes and the name of the type in errors.

using System.Buffers;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using Store.Serialization.Streaming;

namespace Store.Serialization;

/// <summary>
/// Serializes records to bytes and back. Works for every type that generated code registered ([NinoType] or [NinoSerializable]), for primitives, strings,
/// and for arrays and lists of these. The bytes are the bare record: the reader has to know the type. All members are safe for any number of threads,
/// as long as nobody changes a value while it is written.
/// </summary>
/// <remarks>
/// The exceptions that each member states, and besides: a stream, pipe, buffer writer, type or sequence of items that is null is an <see cref="ArgumentNullException"/>. What code of the value's type (a getter, a callback, a codec of your
/// own), a buffer writer or the source of items throws while something is written comes through as it is; what code of the type throws while something is read is the inner exception of a <see cref="NinoSerializationException"/>.
/// </remarks>
public static partial class NinoSerializer
{
    /// <summary>Serializes a value into a new array of exactly its length. Allocates nothing else once a thread has done it before, but for what the value itself makes to be looked at: enumerators of collections behind interfaces, sorted and of your own, moments of concurrent ones, the texts of a <c>Version</c> or <c>Uri</c>.</summary>
    /// <exception cref="ArgumentNullException">The value is null.</exception>
    /// <exception cref="NinoTypeNotRegisteredException">No generated code registered the type.</exception>
    /// <exception cref="NinoSerializationException">The value has no encoding or exceeds a limit.</exception>
    /// <exception cref="InvalidOperationException">A collection was changed while it was written, by code that ran for what is in it or by another thread; a codec contradicts the schema that it describes, or the codecs of two assemblies one another; or the buffer writer gives less room than it was asked for.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static byte[] Serialize<T>(in T value, NinoLimits? limits = null)
    {
        NinoCodec<T>.Settle();
        return typeof(T).IsValueType ? NinoCodec<T>.Settled.Codec.EncodeValueToArray(in value, limits) : NinoCodec<T>.Settled.Codec.EncodeToArray(in value, limits);
    }

    /// <summary>Serializes a value into a buffer writer and returns the number of bytes. Allocates as <see cref="Serialize{T}(in T, NinoLimits?)"/>, without the array. Nobody else writes into it until the call returns, code of the value (callbacks, getters, codecs) included: it would write into the memory that the record is written into. After an exception the buffer writer may hold part of a record.</summary>
    /// <inheritdoc cref="Serialize{T}(in T, NinoLimits?)" path="/exception"/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static long Serialize<T>(IBufferWriter<byte> output, in T value, NinoLimits? limits = null)
    {
        ArgumentNullException.ThrowIfNull(output);
        NinoCodec<T>.Settle();
        return typeof(T).IsValueType ? NinoCodec<T>.Settled.Codec.EncodeValue(output, in value, limits) : NinoCodec<T>.Settled.Codec.Encode(output, in value, limits);
    }

    /// <summary>Serializes a value into memory of the caller.</summary>
    /// <param name="value">The value.</param>
    /// <param name="destination">Where the record is stored, from the first byte on. Nothing of it is touched when the record does not fit.</param>
    /// <param name="written">Length of the record, or 0 when it does not fit.</param>
    /// <param name="limits">Other limits than the default ones.</param>
    /// <returns>False when the destination is too short.</returns>
    /// <inheritdoc cref="Serialize{T}(in T, NinoLimits?)" path="/exception"/>
    public static bool TrySerialize<T>(in T value, Span<byte> destination, out int written, NinoLimits? limits = null) => TrySerialize(in value, destination, out written, NinoHeader.None, limits);

    /// <summary>Reads the value that <paramref name="source"/> is, from its first byte to its last. Nothing of the source is kept.</summary>
    /// <exception cref="NinoTypeNotRegisteredException">No generated code registered the type.</exception>
    /// <exception cref="NinoSerializationException">The bytes are no record of this type, or something follows it, or code of the type threw (a constructor, setter, callback or codec of your own), which is then the inner exception: with type name, member path and byte offset.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static T Deserialize<T>(ReadOnlySpan<byte> source, NinoLimits? limits = null)
    {
        NinoCodec<T>.Settle();
        return NinoCodec<T>.Settled.Codec.Decode(source, limits);
    }

    /// <summary>As <see cref="Deserialize{T}(ReadOnlySpan{byte}, NinoLimits?)"/>. Several segments are first copied together into pooled memory.</summary>
    /// <inheritdoc cref="Deserialize{T}(ReadOnlySpan{byte}, NinoLimits?)" path="/exception"/>
    public static T Deserialize<T>(in ReadOnlySequence<byte> source, NinoLimits? limits = null)
    {
        NinoCodec<T> codec = NinoCodec<T>.Default;
        if (source.IsSingleSegment) return codec.Decode(source.FirstSpan, limits);

        StreamRecords.CheckLength(source.Length, NinoHeader.None, limits, codec);
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

    // ---- With a header in front

    /// <summary>As <see cref="Serialize{T}(in T, NinoLimits?)"/>, with a header in front.</summary>
    /// <exception cref="ArgumentOutOfRangeException">There is no such header.</exception>
    /// <inheritdoc cref="Serialize{T}(in T, NinoLimits?)" path="/exception"/>
    public static byte[] Serialize<T>(in T value, NinoHeader header, NinoLimits? limits = null)
    {
        ScratchBuffer scratch = ScratchBuffer.Rent();
        try
        {
            Serialize(scratch, in value, header, limits);
            return scratch.ToArray();
        }
        finally
        {
            scratch.Return();
        }
    }

    /// <summary>As <see cref="TrySerialize{T}(in T, Span{byte}, out int, NinoLimits?)"/>, with a header in front, which counts in the length.</summary>
    /// <param name="value">The value.</param>
    /// <param name="destination">Where header and record are stored, from the first byte on. Nothing of it is touched when they do not fit.</param>
    /// <param name="written">Length of both, or 0 when they do not fit.</param>
    /// <param name="header">What stands in front of the record.</param>
    /// <param name="limits">Other limits than the default ones.</param>
    /// <returns>False when the destination is too short.</returns>
    /// <inheritdoc cref="Serialize{T}(in T, NinoHeader, NinoLimits?)" path="/exception"/>
    public static bool TrySerialize<T>(in T value, Span<byte> destination, out int written, NinoHeader header, NinoLimits? limits = null)
    {
        int size = header == NinoHeader.None && !LiesIn(in value, destination) ? NinoCodec<T>.Default.SizeIfCertain(in value, limits) : 0;
        if (size > 0)
        {
            written = size <= destination.Length ? size : 0;
            if (size > destination.Length) return false;
            NinoCodec<T>.Default.EncodeCertain(destination, in value);
            return true;
        }

        // By way of the scratch memory: how long a record gets is known when it is written.
        ScratchBuffer scratch = ScratchBuffer.Rent();
        try
        {
            long length = Serialize(scratch, in value, header, limits);
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

    // A struct may be looked at where its record is to be: it would change while it is stored.
    private static bool LiesIn<T>(in T value, Span<byte> memory) =>
        !RuntimeHelpers.IsReferenceOrContainsReferences<T>() && MemoryMarshal.CreateReadOnlySpan(ref Unsafe.As<T, byte>(ref Unsafe.AsRef(in value)), Unsafe.SizeOf<T>()).Overlaps(memory);

    /// <summary>As <see cref="Serialize{T}(IBufferWriter{byte}, in T, NinoLimits?)"/>, with a header in front, which counts in the number of bytes returned.</summary>
    /// <inheritdoc cref="Serialize{T}(in T, NinoHeader, NinoLimits?)" path="/exception"/>
    public static long Serialize<T>(IBufferWriter<byte> output, in T value, NinoHeader header, NinoLimits? limits = null)
    {
        ArgumentNullException.ThrowIfNull(output);
        NinoCodec<T> codec = NinoCodec<T>.Default;
        if (header == NinoHeader.None) return codec.Encode(output, in value, limits);
        var writer = new NinoWriter(output);
        RecordHeader.Write(ref writer, codec.Schema, header);
        writer.Flush();
        return writer.BytesWritten + codec.Encode(output, in value, limits);
    }

    /// <summary>Reads what <see cref="Serialize{T}(in T, NinoHeader, NinoLimits?)"/> wrote with the same header.</summary>
    /// <exception cref="NinoSchemaMismatchException">The record has another schema: with a fingerprint in front any other, with a schema one that cannot be read as the type has it now.</exception>
    /// <exception cref="ArgumentOutOfRangeException">There is no such header.</exception>
    /// <inheritdoc cref="Deserialize{T}(ReadOnlySpan{byte}, NinoLimits?)" path="/exception"/>
    public static T Deserialize<T>(ReadOnlySpan<byte> source, NinoHeader header, NinoLimits? limits = null)
    {
        NinoCodec<T> codec = NinoCodec<T>.Default;
        NinoSchema stored = RecordHeader.Read(source, header, codec, out ReadOnlySpan<byte> record);
        return codec.Decode(record, stored, limits);
    }

    /// <inheritdoc cref="Deserialize{T}(ReadOnlySpan{byte}, NinoHeader, NinoLimits?)"/>
    public static T Deserialize<T>(in ReadOnlySequence<byte> source, NinoHeader header, NinoLimits? limits = null)
    {
        if (source.IsSingleSegment) return Deserialize<T>(source.FirstSpan, header, limits);
        StreamRecords.CheckLength(source.Length, header, limits, NinoCodec<T>.Default);
        byte[] copy = ArrayPool<byte>.Shared.Rent((int)source.Length);
        try
        {
            source.CopyTo(copy);
            return Deserialize<T>(copy.AsSpan(0, (int)source.Length), header, limits);
        }
        finally
        {
            ArrayPool<byte>.Shared.Return(copy);
        }
    }

    // ---- Size and copy

    /// <summary>How many bytes <see cref="Serialize{T}(in T, NinoLimits?)"/> takes for a value: known at once where all values of a type have one size and none can be refused (plain fields), else by writing it to nowhere. What cannot be written has no size: the exception is the one that writing it throws. Allocates as <see cref="Serialize{T}(in T, NinoLimits?)"/>, without the array.</summary>
    /// <inheritdoc cref="Serialize{T}(in T, NinoLimits?)" path="/exception"/>
    public static long GetSize<T>(in T value, NinoLimits? limits = null)
    {
        NinoCodec<T> codec = NinoCodec<T>.Default;
        int size = codec.SizeIfCertain(in value, limits);
        if (size > 0) return size;
        CountingWriter counter = CountingWriter.Rent();
        try
        {
            return codec.Encode(counter, in value, limits);
        }
        finally
        {
            counter.Return();
        }
    }

    /// <summary>As <see cref="GetSize{T}(in T, NinoLimits?)"/>, with a header in front, which counts.</summary>
    /// <inheritdoc cref="Serialize{T}(in T, NinoHeader, NinoLimits?)" path="/exception"/>
    public static long GetSize<T>(in T value, NinoHeader header, NinoLimits? limits = null)
    {
        if (header == NinoHeader.None) return GetSize(in value, limits);
        CountingWriter counter = CountingWriter.Rent();
        try
        {
            return Serialize(counter, in value, header, limits);
        }
        finally
        {
            counter.Return();
        }
    }

    /// <summary>A deep copy: the value written and read again. An object that occurs twice in it is two in the copy, as in every record, unless its type keeps references (<see cref="NinoTypeAttribute.References"/>).</summary>
    /// <exception cref="ArgumentNullException">The value is null.</exception>
    /// <exception cref="NinoTypeNotRegisteredException">No generated code registered the type.</exception>
    /// <exception cref="NinoSerializationException">The value has no encoding or exceeds a limit, or cannot be read again: the comparer, keys or elements of a collection are refused, or code of the type threw, which is then the inner exception.</exception>
    /// <exception cref="InvalidOperationException">As <see cref="Serialize{T}(in T, NinoLimits?)"/>.</exception>
    public static T Clone<T>(in T value, NinoLimits? limits = null)
    {
        NinoCodec<T> codec = NinoCodec<T>.Default;
        ContiguousBuffer buffer = ContiguousBuffer.Rent();
        try
        {
            codec.Encode(buffer, in value, limits);
            return codec.Decode(buffer.Written, limits);
        }
        finally
        {
            buffer.Return();
        }
    }

    /// <summary>The schema of a type's records.</summary>
    /// <exception cref="NinoTypeNotRegisteredException">No generated code registered the type.</exception>
    /// <exception cref="InvalidOperationException">A codec contradicts the schema that it describes, or the codecs of two assemblies one another.</exception>
    /// <exception cref="NinoSerializationException">The type hides members that its marks store, so that it cannot be stored.</exception>
    public static NinoSchema SchemaOf<T>() => NinoCodec<T>.Default.Schema;
}
