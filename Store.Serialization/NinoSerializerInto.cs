// The verbs that read into what is there: the rest of NinoSerializer, in a file of its own for its length. What is kept and what is made anew: docs/reading-into.md.

using System.Buffers;
using System.Diagnostics.CodeAnalysis;
using System.IO.Pipelines;
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

    // Behind the others where both fit: NinoSerializer.DeserializeAsync<T>(stream, default) is the call that it was before there were these.

    /// <summary>As <see cref="DeserializeAsync{T}(Stream, NinoHeader, NinoLimits?, CancellationToken)"/>, into an object that is there (docs/reading-into.md). The stream is read to its end before anything of the object is touched.</summary>
    /// <param name="source">The stream.</param>
    /// <param name="existing">What to fill, or null. No object in it may occur twice, and nobody else may use it until this has returned. After a <see cref="NinoSerializationException"/> it is, as in <see cref="Deserialize{T}(Stream, NinoHeader, ref T, NinoLimits?)"/>, a mixture of what it held and what was read, fit only to be filled again, and so it is after what the runtime throws while it is filled; after an exception of the stream, the token, an argument or a mismatch of schemas it is as it was.</param>
    /// <param name="header">What is in front of the record.</param>
    /// <param name="limits">Other limits than the default ones.</param>
    /// <param name="cancellationToken">Stops the wait for the stream.</param>
    /// <returns>The same object, filled, or another one: what can only be made by a constructor or <c>init</c> is made anew. A struct is nothing that could be filled: read it without this.</returns>
    /// <inheritdoc cref="Deserialize{T}(ReadOnlySpan{byte}, NinoHeader, NinoLimits?)" path="/exception"/>
    /// <exception cref="IOException">The stream fails, or says that it read more than it was asked for. What was read of it is lost.</exception>
    /// <exception cref="OperationCanceledException">The token was cancelled, and the stream gave up a read. What was read of it before is lost.</exception>
    [OverloadResolutionPriority(-1)]
    public static async ValueTask<T> DeserializeAsync<T>(Stream source, T? existing, NinoHeader header = NinoHeader.None, NinoLimits? limits = null, CancellationToken cancellationToken = default) where T : class
    {
        ArgumentNullException.ThrowIfNull(source);
        ContiguousBuffer buffer = ContiguousBuffer.Rent();
        try
        {
            await StreamRecords.ReadToEndAsync(source, buffer, header, limits, NinoCodec<T>.Default, cancellationToken).ConfigureAwait(false);
            Deserialize(buffer.Written, header, ref existing, limits);
            return existing;
        }
        finally
        {
            buffer.Return();
        }
    }

    /// <summary>As <see cref="DeserializeAsync{T}(PipeReader, NinoHeader, NinoLimits?, CancellationToken)"/>, into an object that is there (docs/reading-into.md). Nothing of the object is touched before the writer has completed the pipe.</summary>
    /// <param name="source">The pipe. All of it is consumed, unless the value cannot be read.</param>
    /// <param name="existing">As in <see cref="DeserializeAsync{T}(Stream, T, NinoHeader, NinoLimits?, CancellationToken)"/>.</param>
    /// <param name="header">What is in front of the record.</param>
    /// <param name="limits">Other limits than the default ones.</param>
    /// <param name="cancellationToken">Stops the wait for the pipe.</param>
    /// <returns>As <see cref="DeserializeAsync{T}(Stream, T, NinoHeader, NinoLimits?, CancellationToken)"/>.</returns>
    /// <inheritdoc cref="DeserializeAsync{T}(PipeReader, NinoHeader, NinoLimits?, CancellationToken)" path="/exception"/>
    [OverloadResolutionPriority(-1)]
    public static async ValueTask<T> DeserializeAsync<T>(PipeReader source, T? existing, NinoHeader header = NinoHeader.None, NinoLimits? limits = null, CancellationToken cancellationToken = default) where T : class
    {
        ArgumentNullException.ThrowIfNull(source);
        ReadOnlySequence<byte> bytes = await StreamRecords.ReadToEndAsync(source, header, limits, NinoCodec<T>.Default, cancellationToken).ConfigureAwait(false);
        SequencePosition consumed = bytes.Start;
        try
        {
            Deserialize(in bytes, header, ref existing, limits);
            consumed = bytes.End;
            return existing;
        }
        finally
        {
            source.AdvanceTo(consumed);
        }
    }
}
