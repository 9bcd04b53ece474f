// The verbs for values whose type is known at run time only. The bytes are those of the typed verbs: nothing in them names a type.

using System.Buffers;
using System.Diagnostics.CodeAnalysis;
using System.IO.Pipelines;
using Store.Serialization.Streaming;

namespace Store.Serialization;

/// <content>Values whose type is known at run time only.</content>
public static partial class NinoSerializer
{
    /// <summary>
    /// Serializes a value as its own type, whatever it is declared as; an object of a class that the framework hides as the one that it shows (<c>IPAddress.Loopback</c> as an <c>IPAddress</c>), and any exception as an <see cref="Exception"/>. (To write it as a base, so that the bytes tell which case it is, name the base:
    /// <see cref="Serialize(object, Type, NinoHeader, NinoLimits?)"/>.) The type has to be registered; whoever reads has to know it.
    /// </summary>
    /// <inheritdoc cref="Serialize{T}(in T, NinoLimits?)" path="/exception"/>
    public static byte[] Serialize(object value, NinoLimits? limits = null)
    {
        ArgumentNullException.ThrowIfNull(value);
        return UntypedRecord.OfValue(value).Serialize(value, NinoHeader.None, limits);
    }

    /// <summary>Serializes a value as a type: its own, or a base that is registered.</summary>
    /// <param name="value">The value.</param>
    /// <param name="type">A registered type, or an array or list of one.</param>
    /// <param name="header">What stands in front of the record.</param>
    /// <param name="limits">Other limits than the default ones.</param>
    /// <exception cref="ArgumentException">The value is not of that type.</exception>
    /// <inheritdoc cref="Serialize{T}(in T, NinoHeader, NinoLimits?)" path="/exception"/>
    public static byte[] Serialize(object value, Type type, NinoHeader header = NinoHeader.None, NinoLimits? limits = null) => UntypedRecord.Of(type).Serialize(value, header, limits);

    /// <summary>As <see cref="Serialize(object, Type, NinoHeader, NinoLimits?)"/>, into a buffer writer. Returns the number of bytes.</summary>
    /// <inheritdoc cref="Serialize(object, Type, NinoHeader, NinoLimits?)" path="/exception"/>
    public static long Serialize(IBufferWriter<byte> output, object value, Type type, NinoHeader header = NinoHeader.None, NinoLimits? limits = null)
    {
        ArgumentNullException.ThrowIfNull(output);
        return UntypedRecord.Of(type).Serialize(output, value, header, limits);
    }

    /// <summary>As <see cref="Serialize(object, Type, NinoHeader, NinoLimits?)"/>, into memory of the caller.</summary>
    /// <param name="value">The value.</param>
    /// <param name="type">A registered type, or an array or list of one.</param>
    /// <param name="destination">Where the record is stored, from the first byte on. Nothing of it is touched when the record does not fit.</param>
    /// <param name="written">Length of the record with its header, or 0 when it does not fit.</param>
    /// <param name="header">What stands in front of the record.</param>
    /// <param name="limits">Other limits than the default ones.</param>
    /// <returns>False when the destination is too short.</returns>
    /// <inheritdoc cref="Serialize(object, Type, NinoHeader, NinoLimits?)" path="/exception"/>
    public static bool TrySerialize(object value, Type type, Span<byte> destination, out int written, NinoHeader header = NinoHeader.None, NinoLimits? limits = null) =>
        UntypedRecord.Of(type).TrySerialize(value, destination, out written, header, limits);

    /// <summary>As <see cref="Serialize(object, Type, NinoHeader, NinoLimits?)"/>, to a stream in one write. Returns the number of bytes. The stream is not flushed. Nothing is written when the value has no encoding.</summary>
    /// <inheritdoc cref="Serialize(object, Type, NinoHeader, NinoLimits?)" path="/exception"/>
    /// <exception cref="IOException">The stream fails: how much of the record it has, it knows itself.</exception>
    public static long Serialize(Stream output, object value, Type type, NinoHeader header = NinoHeader.None, NinoLimits? limits = null)
    {
        ArgumentNullException.ThrowIfNull(output);
        ContiguousBuffer buffer = ContiguousBuffer.Rent();
        try
        {
            long length = UntypedRecord.Of(type).Serialize(buffer, value, header, limits);
            output.Write(buffer.Written);
            return length;
        }
        finally
        {
            buffer.Return();
        }
    }

    /// <summary>As <see cref="Serialize(Stream, object, Type, NinoHeader, NinoLimits?)"/>. The value is serialized before the call returns: it may change afterwards.</summary>
    /// <inheritdoc cref="Serialize(Stream, object, Type, NinoHeader, NinoLimits?)" path="/exception"/>
    /// <exception cref="OperationCanceledException">The token was cancelled: before the call, and nothing is written; or during the one write, which the stream gave up: how much of the record it has, it knows itself.</exception>
    public static async ValueTask<long> SerializeAsync(Stream output, object value, Type type, NinoHeader header = NinoHeader.None, NinoLimits? limits = null, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(output);
        cancellationToken.ThrowIfCancellationRequested();
        ContiguousBuffer buffer = ContiguousBuffer.Rent();
        try
        {
            long length = UntypedRecord.Of(type).Serialize(buffer, value, header, limits);
            await output.WriteAsync(buffer.WrittenMemory, cancellationToken).ConfigureAwait(false);
            return length;
        }
        finally
        {
            buffer.Return();
        }
    }

    /// <summary>As <see cref="Serialize(IBufferWriter{byte}, object, Type, NinoHeader, NinoLimits?)"/> into a pipe, which is flushed. After a serialization error the pipe may hold part of a record, which is not flushed.</summary>
    /// <exception cref="IOException">The reader of the pipe has completed: nobody will read the record.</exception>
    /// <exception cref="OperationCanceledException">The token was cancelled before the call: nothing is in the pipe. Or the flush was, by the token or by <see cref="PipeWriter.CancelPendingFlush"/>: the pipe holds the record.</exception>
    /// <inheritdoc cref="Serialize(object, Type, NinoHeader, NinoLimits?)" path="/exception"/>
    public static async ValueTask<long> SerializeAsync(PipeWriter output, object value, Type type, NinoHeader header = NinoHeader.None, NinoLimits? limits = null, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(output);
        cancellationToken.ThrowIfCancellationRequested();
        long length = UntypedRecord.Of(type).Serialize(output, value, header, limits);
        await Pipes.FlushAsync(output, "the record was", cancellationToken).ConfigureAwait(false);
        return length;
    }

    /// <summary>Reads the value that <paramref name="source"/> is, from its first byte to its last. Nothing of the source is kept.</summary>
    /// <param name="type">The type it was written as.</param>
    /// <param name="source">The bytes.</param>
    /// <param name="header">What stands in front of the record.</param>
    /// <param name="limits">Other limits than the default ones.</param>
    /// <inheritdoc cref="Deserialize{T}(ReadOnlySpan{byte}, NinoHeader, NinoLimits?)" path="/exception"/>
    public static object Deserialize(Type type, ReadOnlySpan<byte> source, NinoHeader header = NinoHeader.None, NinoLimits? limits = null) => UntypedRecord.Of(type).Deserialize(source, header, limits);

    /// <inheritdoc cref="Deserialize(Type, ReadOnlySpan{byte}, NinoHeader, NinoLimits?)"/>
    public static object Deserialize(Type type, in ReadOnlySequence<byte> source, NinoHeader header = NinoHeader.None, NinoLimits? limits = null) => UntypedRecord.Of(type).Deserialize(in source, header, limits);

    /// <summary>Reads the value that a stream is, from its position to its end. The stream stays open.</summary>
    /// <inheritdoc cref="Deserialize(Type, ReadOnlySpan{byte}, NinoHeader, NinoLimits?)" path="/param"/>
    /// <inheritdoc cref="Deserialize{T}(Stream, NinoHeader, NinoLimits?)" path="/exception"/>
    public static object Deserialize(Type type, Stream source, NinoHeader header = NinoHeader.None, NinoLimits? limits = null)
    {
        ArgumentNullException.ThrowIfNull(source);
        UntypedRecord verbs = UntypedRecord.Of(type);
        ContiguousBuffer buffer = ContiguousBuffer.Rent();
        try
        {
            StreamRecords.ReadToEnd(source, buffer, header, limits, verbs);
            return verbs.Deserialize(buffer.Written, header, limits);
        }
        finally
        {
            buffer.Return();
        }
    }

    /// <summary>As <see cref="Deserialize(Type, Stream, NinoHeader, NinoLimits?)"/>.</summary>
    /// <inheritdoc cref="Deserialize(Type, ReadOnlySpan{byte}, NinoHeader, NinoLimits?)" path="/param"/>
    /// <inheritdoc cref="DeserializeAsync{T}(Stream, NinoHeader, NinoLimits?, CancellationToken)" path="/exception"/>
    public static async ValueTask<object> DeserializeAsync(Type type, Stream source, NinoHeader header = NinoHeader.None, NinoLimits? limits = null, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(source);
        UntypedRecord verbs = UntypedRecord.Of(type);
        ContiguousBuffer buffer = ContiguousBuffer.Rent();
        try
        {
            await StreamRecords.ReadToEndAsync(source, buffer, header, limits, verbs, cancellationToken).ConfigureAwait(false);
            return verbs.Deserialize(buffer.Written, header, limits);
        }
        finally
        {
            buffer.Return();
        }
    }

    /// <summary>Reads the value that a pipe holds when its writer has completed it. Consumes all of it, unless the value cannot be read; does not complete the reader.</summary>
    /// <inheritdoc cref="Deserialize(Type, ReadOnlySpan{byte}, NinoHeader, NinoLimits?)" path="/param"/>
    /// <inheritdoc cref="DeserializeAsync{T}(PipeReader, NinoHeader, NinoLimits?, CancellationToken)" path="/exception"/>
    public static async ValueTask<object> DeserializeAsync(Type type, PipeReader source, NinoHeader header = NinoHeader.None, NinoLimits? limits = null, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(source);
        UntypedRecord verbs = UntypedRecord.Of(type);
        ReadOnlySequence<byte> bytes = await StreamRecords.ReadToEndAsync(source, header, limits, verbs, cancellationToken).ConfigureAwait(false);
        SequencePosition consumed = bytes.Start;
        try
        {
            object value = verbs.Deserialize(in bytes, header, limits);
            consumed = bytes.End;
            return value;
        }
        finally
        {
            source.AdvanceTo(consumed);
        }
    }

    /// <summary>
    /// Reads a record over the object that the variable holds, as <see cref="Deserialize{T}(ReadOnlySpan{byte}, ref T, NinoLimits?)"/> does (docs/reading-into.md); a struct, which is in a box, is made anew.
    /// </summary>
    /// <param name="type">The type it was written as.</param>
    /// <param name="source">The bytes.</param>
    /// <param name="value">Null, or a value of that type, which nobody else uses. After an exception it may hold part of what was read.</param>
    /// <param name="header">What stands in front of the record.</param>
    /// <param name="limits">Other limits than the default ones.</param>
    /// <exception cref="ArgumentException">The variable holds a value of another type.</exception>
    /// <inheritdoc cref="Deserialize{T}(ReadOnlySpan{byte}, NinoHeader, NinoLimits?)" path="/exception"/>
    public static void Deserialize(Type type, ReadOnlySpan<byte> source, [NotNull] ref object? value, NinoHeader header = NinoHeader.None, NinoLimits? limits = null) =>
        UntypedRecord.Of(type).Deserialize(source, ref value, header, limits);

    /// <summary>How many bytes <see cref="Serialize(object, Type, NinoHeader, NinoLimits?)"/> takes for a value, with its header.</summary>
    /// <inheritdoc cref="Serialize(object, Type, NinoHeader, NinoLimits?)" path="/exception"/>
    public static long GetSize(object value, Type type, NinoHeader header = NinoHeader.None, NinoLimits? limits = null) => UntypedRecord.Of(type).GetSize(value, header, limits);

    /// <summary>A deep copy of a value as its own type, whatever it is declared as; of an exception, one of what it tells (docs/types.md, "Exceptions").</summary>
    /// <inheritdoc cref="Clone{T}(in T, NinoLimits?)" path="/exception"/>
    public static object Clone(object value, NinoLimits? limits = null)
    {
        ArgumentNullException.ThrowIfNull(value);
        return UntypedRecord.OfValue(value).Clone(value, limits);
    }

    /// <summary>The schema of a type's records.</summary>
    /// <inheritdoc cref="SchemaOf{T}()" path="/exception"/>
    public static NinoSchema SchemaOf(Type type) => UntypedRecord.Of(type).Schema;
}
