// The verbs that read into what is there: the rest of NinoSerializer, in a file of its own for its length. What is kept and what is made anew: docs/reading-into.md.

using System.Buffers;
using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;
using Store.Serialization.Streaming;

namespace Store.Serialization;

public static partial class NinoSerializer
{
    /// <summary>
    /// As <see cref="Deserialize{T}(ReadOnlySpan{byte}, NinoLimits?)"/>, into what the variable holds: objects, arrays of the same length, lists, sets, dictionaries
    /// and equal strings are used again (docs/reading-into.md). Allocates nothing when the shapes repeat. Members that are not stored keep what they have.
    /// </summary>
    /// <param name="source">The record, all of it. Nothing of it is kept.</param>
    /// <param name="value">
    /// What to fill, or null. Afterwards the same object or another one: what can only be made by a constructor or <c>init</c> is made anew. No object in it may
    /// occur twice, and nobody else may use it meanwhile. After an exception it is a mixture of what it held and what was read, fit only to be filled again.
    /// </param>
    /// <param name="limits">Other limits than the default ones.</param>
    /// <inheritdoc cref="Deserialize{T}(ReadOnlySpan{byte}, NinoLimits?)" path="/exception"/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static void Deserialize<T>(ReadOnlySpan<byte> source, [NotNull] ref T? value, NinoLimits? limits = null)
    {
        NinoCodec<T>.Settle();
        NinoCodec<T>.Settled.Codec.Decode(source, ref value, limits);
    }

    /// <summary>As <see cref="Deserialize{T}(ReadOnlySpan{byte}, ref T, NinoLimits?)"/>. Several segments are first copied together into pooled memory.</summary>
    /// <inheritdoc cref="Deserialize{T}(ReadOnlySpan{byte}, ref T, NinoLimits?)" path="/param|/exception"/>
    public static void Deserialize<T>(in ReadOnlySequence<byte> source, [NotNull] ref T? value, NinoLimits? limits = null) => Deserialize(in source, NinoHeader.None, ref value, limits);

    /// <summary>As <see cref="Deserialize{T}(ReadOnlySpan{byte}, NinoHeader, NinoLimits?)"/>, into what the variable holds.</summary>
    /// <param name="source">Header and record, all of it. Nothing of it is kept.</param>
    /// <param name="header">What is in front of the record.</param>
    /// <param name="value">As in <see cref="Deserialize{T}(ReadOnlySpan{byte}, ref T, NinoLimits?)"/>.</param>
    /// <param name="limits">Other limits than the default ones.</param>
    /// <inheritdoc cref="Deserialize{T}(ReadOnlySpan{byte}, NinoHeader, NinoLimits?)" path="/exception"/>
    public static void Deserialize<T>(ReadOnlySpan<byte> source, NinoHeader header, [NotNull] ref T? value, NinoLimits? limits = null)
    {
        NinoCodec<T> codec = NinoCodec<T>.Default;
        NinoSchema stored = RecordHeader.Read(source, header, codec, out ReadOnlySpan<byte> record);
        codec.Decode(record, stored, ref value, limits);
    }

    /// <inheritdoc cref="Deserialize{T}(ReadOnlySpan{byte}, NinoHeader, ref T, NinoLimits?)"/>
    public static void Deserialize<T>(in ReadOnlySequence<byte> source, NinoHeader header, [NotNull] ref T? value, NinoLimits? limits = null)
    {
        if (source.IsSingleSegment)
        {
            Deserialize(source.FirstSpan, header, ref value, limits);
            return;
        }

        StreamRecords.CheckLength(source.Length, header, limits, NinoCodec<T>.Default);
        byte[] copy = ArrayPool<byte>.Shared.Rent((int)source.Length);
        try
        {
            source.CopyTo(copy);
            Deserialize(copy.AsSpan(0, (int)source.Length), header, ref value, limits);
        }
        finally
        {
            ArrayPool<byte>.Shared.Return(copy);
        }
    }

    /// <summary>Reads the value that a stream is, from its position to its end, into what the variable holds. The stream stays open.</summary>
    /// <inheritdoc cref="Deserialize{T}(ReadOnlySpan{byte}, ref T, NinoLimits?)" path="/param|/exception"/>
    /// <exception cref="IOException">The stream fails; the value is as it was.</exception>
    public static void Deserialize<T>(Stream source, [NotNull] ref T? value, NinoLimits? limits = null) => Deserialize(source, NinoHeader.None, ref value, limits);

    /// <summary>As <see cref="Deserialize{T}(Stream, ref T, NinoLimits?)"/>, of a record with a header in front.</summary>
    /// <inheritdoc cref="Deserialize{T}(ReadOnlySpan{byte}, NinoHeader, ref T, NinoLimits?)" path="/param|/exception"/>
    /// <exception cref="IOException">The stream fails; the value is as it was.</exception>
    public static void Deserialize<T>(Stream source, NinoHeader header, [NotNull] ref T? value, NinoLimits? limits = null)
    {
        ArgumentNullException.ThrowIfNull(source);
        ContiguousBuffer buffer = ContiguousBuffer.Rent();
        try
        {
            StreamRecords.ReadToEnd(source, buffer, header, limits, NinoCodec<T>.Default);
            Deserialize(buffer.Written, header, ref value, limits);
        }
        finally
        {
            buffer.Return();
        }
    }
}
