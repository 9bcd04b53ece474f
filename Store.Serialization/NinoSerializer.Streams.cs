// The verbs for streams, pipes and items.

using System.Buffers;
using System.IO.Pipelines;
using Store.Serialization.Streaming;

namespace Store.Serialization;

/// <content>Streams, pipes and items.</content>
public static partial class NinoSerializer
{
    // ---- Streams and pipes

    /// <summary>Serializes a value to a stream in one write and returns the number of bytes. The stream is not flushed. Nothing is written when the value has no encoding.</summary>
    /// <inheritdoc cref="Serialize{T}(in T, NinoHeader, NinoLimits?)" path="/exception"/>
    /// <exception cref="IOException">The stream fails: how much of the record it has, it knows itself.</exception>
    public static long Serialize<T>(Stream output, in T value, NinoHeader header = NinoHeader.None, NinoLimits? limits = null)
    {
        ArgumentNullException.ThrowIfNull(output);
        ContiguousBuffer buffer = ContiguousBuffer.Rent();
        try
        {
            long length = Serialize(buffer, in value, header, limits);
            output.Write(buffer.Written);
            return length;
        }
        finally
        {
            buffer.Return();
        }
    }

    /// <summary>As <see cref="Serialize{T}(Stream, in T, NinoHeader, NinoLimits?)"/>. The value is serialized before the call returns: it may change afterwards.</summary>
    /// <inheritdoc cref="Serialize{T}(Stream, in T, NinoHeader, NinoLimits?)" path="/exception"/>
    /// <exception cref="OperationCanceledException">The token was cancelled: before the call, and nothing is written; or during the one write, which the stream gave up: how much of the record it has, it knows itself.</exception>
    public static async ValueTask<long> SerializeAsync<T>(Stream output, T value, NinoHeader header = NinoHeader.None, NinoLimits? limits = null, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(output);
        cancellationToken.ThrowIfCancellationRequested();
        ContiguousBuffer buffer = ContiguousBuffer.Rent();
        try
        {
            long length = Serialize(buffer, in value, header, limits);
            await output.WriteAsync(buffer.WrittenMemory, cancellationToken).ConfigureAwait(false);
            return length;
        }
        finally
        {
            buffer.Return();
        }
    }

    /// <summary>Serializes a value into a pipe, flushes it and returns the number of bytes. After a serialization error the pipe may hold part of a record, which is not flushed.</summary>
    /// <exception cref="IOException">The reader of the pipe has completed: nobody will read the record.</exception>
    /// <exception cref="OperationCanceledException">The token was cancelled before the call: nothing is in the pipe. Or the flush was, by the token or by <see cref="PipeWriter.CancelPendingFlush"/>: the pipe holds the record.</exception>
    /// <inheritdoc cref="Serialize{T}(in T, NinoHeader, NinoLimits?)" path="/exception"/>
    public static async ValueTask<long> SerializeAsync<T>(PipeWriter output, T value, NinoHeader header = NinoHeader.None, NinoLimits? limits = null, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(output);
        cancellationToken.ThrowIfCancellationRequested();
        long length = Serialize(output, in value, header, limits);
        await Pipes.FlushAsync(output, "the record was", cancellationToken).ConfigureAwait(false);
        return length;
    }

    /// <summary>Reads the value that a stream is, from its position to its end. The stream stays open. Of a longer stream than the limit allows no more is read than tells it.</summary>
    /// <inheritdoc cref="Deserialize{T}(ReadOnlySpan{byte}, NinoHeader, NinoLimits?)" path="/exception"/>
    /// <exception cref="IOException">The stream fails, or says that it read more than it was asked for. What was read of it is lost.</exception>
    public static T Deserialize<T>(Stream source, NinoHeader header = NinoHeader.None, NinoLimits? limits = null)
    {
        ArgumentNullException.ThrowIfNull(source);
        ContiguousBuffer buffer = ContiguousBuffer.Rent();
        try
        {
            StreamRecords.ReadToEnd(source, buffer, header, limits, NinoCodec<T>.Default);
            return Deserialize<T>(buffer.Written, header, limits);
        }
        finally
        {
            buffer.Return();
        }
    }

    /// <summary>As <see cref="Deserialize{T}(Stream, NinoHeader, NinoLimits?)"/>.</summary>
    /// <inheritdoc cref="Deserialize{T}(Stream, NinoHeader, NinoLimits?)" path="/exception"/>
    /// <exception cref="OperationCanceledException">The token was cancelled, and the stream gave up a read. What was read of it before is lost.</exception>
    public static async ValueTask<T> DeserializeAsync<T>(Stream source, NinoHeader header = NinoHeader.None, NinoLimits? limits = null, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(source);
        ContiguousBuffer buffer = ContiguousBuffer.Rent();
        try
        {
            await StreamRecords.ReadToEndAsync(source, buffer, header, limits, NinoCodec<T>.Default, cancellationToken).ConfigureAwait(false);
            return Deserialize<T>(buffer.Written, header, limits);
        }
        finally
        {
            buffer.Return();
        }
    }

    /// <summary>Reads the value that a pipe holds when its writer has completed it. Consumes all of it, unless the value cannot be read; does not complete the reader.</summary>
    /// <inheritdoc cref="Deserialize{T}(ReadOnlySpan{byte}, NinoHeader, NinoLimits?)" path="/exception"/>
    /// <exception cref="OperationCanceledException">The read was cancelled, by the token or by <see cref="PipeReader.CancelPendingRead"/>: nothing is consumed.</exception>
    /// <exception cref="IOException">The stream behind the pipe fails. (What the writer completed the pipe with is thrown as it is, whatever it is.)</exception>
    public static async ValueTask<T> DeserializeAsync<T>(PipeReader source, NinoHeader header = NinoHeader.None, NinoLimits? limits = null, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(source);
        ReadOnlySequence<byte> bytes = await StreamRecords.ReadToEndAsync(source, header, limits, NinoCodec<T>.Default, cancellationToken).ConfigureAwait(false);
        SequencePosition consumed = bytes.Start;
        try
        {
            T value = Deserialize<T>(in bytes, header, limits);
            consumed = bytes.End;
            return value;
        }
        finally
        {
            source.AdvanceTo(consumed);
        }
    }

    // ---- Items

    /// <summary>
    /// Writes items, one after the other and with their schema in front (docs/formats/items.md), and returns how many. Their number need not be known; one is in
    /// memory at a time. What is written is flushed every 64 KiB, whenever the source makes wait, and at the end. Does not complete the pipe.
    /// </summary>
    /// <param name="output">The pipe.</param>
    /// <param name="items">The items, none of them null.</param>
    /// <param name="limits">Bounds of one item.</param>
    /// <param name="cancellationToken">Stops between items and during a flush; what was written is then no whole stream of items, which its reader notices.</param>
    /// <exception cref="IOException">The reader of the pipe completed before all was handed to it. In the last flush, of up to 64 KiB and the mark of the end, a reader that has read all is not told from one that has gone: then it returns.</exception>
    /// <exception cref="OperationCanceledException">The token was cancelled, or a flush by <see cref="PipeWriter.CancelPendingFlush"/>. The items before are in the pipe, and the mark for their end is not, unless it was the last flush.</exception>
    /// <exception cref="ArgumentNullException">An item is null. The items before it are in the pipe.</exception>
    /// <exception cref="NinoTypeNotRegisteredException">No generated code registered the type. Nothing is in the pipe.</exception>
    /// <exception cref="NinoSerializationException">An item has no encoding or exceeds a limit. The items before it are in the pipe, and nothing of itself.</exception>
    /// <exception cref="InvalidOperationException">As <see cref="Serialize{T}(in T, NinoLimits?)"/>.</exception>
    public static ValueTask<long> SerializeItemsAsync<T>(PipeWriter output, IAsyncEnumerable<T> items, NinoLimits? limits = null, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(output);
        ArgumentNullException.ThrowIfNull(items);
        return ItemWriter.WriteAsync(output, items, new TypedItemCodec<T>(NinoCodec<T>.Default), limits, cancellationToken);
    }

    /// <summary>As <see cref="SerializeItemsAsync{T}(PipeWriter, IAsyncEnumerable{T}, NinoLimits?, CancellationToken)"/>, to a stream, which stays open and is flushed. After an exception the stream lacks up to 64 KiB of the items before, and the mark for their end.</summary>
    /// <exception cref="IOException">The stream fails.</exception>
    /// <exception cref="OperationCanceledException">The token was cancelled.</exception>
    /// <exception cref="ArgumentNullException">An item is null.</exception>
    /// <exception cref="NinoTypeNotRegisteredException">No generated code registered the type.</exception>
    /// <exception cref="NinoSerializationException">An item has no encoding or exceeds a limit.</exception>
    /// <exception cref="InvalidOperationException">As <see cref="Serialize{T}(in T, NinoLimits?)"/>.</exception>
    public static ValueTask<long> SerializeItemsAsync<T>(Stream output, IAsyncEnumerable<T> items, NinoLimits? limits = null, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(output);
        ArgumentNullException.ThrowIfNull(items);
        return ItemWriter.WriteAsync(output, items, new TypedItemCodec<T>(NinoCodec<T>.Default), limits, cancellationToken);
    }

    /// <summary>
    /// Reads items that <see cref="SerializeItemsAsync{T}(PipeWriter, IAsyncEnumerable{T}, NinoLimits?, CancellationToken)"/> wrote, also those of an earlier shape of the
    /// type (docs/evolution.md). Memory holds what has arrived of one item. After the last item the pipe stands behind it; when the caller stops earlier, behind the
    /// item it has. Does not complete the pipe.
    /// </summary>
    /// <param name="source">The pipe.</param>
    /// <param name="limits">Bounds of one item: a longer one is refused before it is waited for.</param>
    /// <param name="cancellationToken">Stops the wait.</param>
    /// <exception cref="NinoSchemaMismatchException">The items have a shape that cannot be read as the type has it now.</exception>
    /// <exception cref="NinoSerializationException">The bytes are no items, or end before the mark for their end, or code of the type threw, which is then the inner exception; the items before have been returned.</exception>
    /// <exception cref="NinoTypeNotRegisteredException">No generated code registered the type: thrown by this call, before the first item is asked for.</exception>
    /// <exception cref="OperationCanceledException">The wait was cancelled, by the token or by <see cref="PipeReader.CancelPendingRead"/>: the pipe stands behind the last item that was returned.</exception>
    /// <exception cref="IOException">The stream behind the pipe fails. (What the writer completed the pipe with is thrown as it is, whatever it is.)</exception>
    public static IAsyncEnumerable<T> DeserializeItemsAsync<T>(PipeReader source, NinoLimits? limits = null, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(source);
        return ItemReader.ReadAsync<T, TypedItemCodec<T>>(source, new TypedItemCodec<T>(NinoCodec<T>.Default), limits, cancellationToken);
    }

    /// <summary>As <see cref="DeserializeItemsAsync{T}(PipeReader, NinoLimits?, CancellationToken)"/>, from a stream, which stays open. Its position afterwards may be behind the last item: the stream is read ahead.</summary>
    /// <exception cref="NinoSchemaMismatchException">The items have a shape that cannot be read as the type has it now.</exception>
    /// <exception cref="NinoSerializationException">The bytes are no items, or end before the mark for their end, or code of the type threw, which is then the inner exception; the items before have been returned.</exception>
    /// <exception cref="NinoTypeNotRegisteredException">No generated code registered the type: thrown by this call, before the first item is asked for.</exception>
    /// <exception cref="OperationCanceledException">The token was cancelled. What was read ahead is lost.</exception>
    /// <exception cref="IOException">The stream fails, or says that it read more than it was asked for. What was read ahead is lost.</exception>
    public static IAsyncEnumerable<T> DeserializeItemsAsync<T>(Stream source, NinoLimits? limits = null, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(source);
        return ItemReader.ReadAsync<T, TypedItemCodec<T>>(source, new TypedItemCodec<T>(NinoCodec<T>.Default), limits, cancellationToken);
    }
}
