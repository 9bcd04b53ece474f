// The facade's appending members: serialize outside the log's gate, hand the bytes on, wait as asked.

using System.IO.Pipelines;
using System.Runtime.InteropServices;
using Store.Buffers;
using Store.Log;
using Store.Serialization;

namespace Store;

public sealed partial class NinoStore
{
    /// <summary>
    /// Appends a record to the buffer and returns its sequence: at once, unless <see cref="NinoStoreOptions.BufferSizeBytes"/> are full, and then when the disk has taken some. Written to the operating system within
    /// <see cref="NinoStoreOptions.FlushIntervalMs"/>, durable after the next commit. Allocates nothing.
    /// </summary>
    /// <param name="value">The record; may change as soon as the call returns. An array or a list is one record, of its own type, which reading its elements' type does not give: a record of each is <see cref="AppendBatch{T}(ReadOnlySpan{T})"/>'s.</param>
    /// <exception cref="ArgumentNullException">The value is null.</exception>
    /// <exception cref="NinoTypeNotRegisteredException">No generated code knows the type.</exception>
    /// <exception cref="RecordTooLargeException">Larger than <see cref="NinoStoreOptions.MaxRecordSizeBytes"/>.</exception>
    /// <exception cref="NinoSerializationException">The value has no encoding, for example because it contains itself.</exception>
    /// <exception cref="StoreFailedException">A write failed earlier.</exception>
    /// <exception cref="StoreReadOnlyException">The store is open for reading only.</exception>
    /// <exception cref="ObjectDisposedException">The store is disposed.</exception>
    /// <exception cref="InvalidOperationException">Records of the type are those of a state or keyed state that is open, which alone appends them.</exception>
    /// <exception cref="ThreadInterruptedException">The thread was interrupted (<see cref="Thread.Interrupt"/>) while it waited for room in <see cref="NinoStoreOptions.BufferSizeBytes"/>. Nothing was appended, and the store goes on.</exception>
    public long Append<T>(T value) => AppendCore(in value, 0);

    /// <summary>As <see cref="Append{T}(T)"/>, only if the record gets the given sequence: for writers that decided on what the log held before it.</summary>
    /// <param name="value">The record.</param>
    /// <param name="expectedSequence">From 1 on: one more than the last sequence that was taken into account.</param>
    /// <exception cref="SequenceConflictException">Somebody appended since. Nothing was appended.</exception>
    /// <inheritdoc cref="Append{T}(T)" path="/exception"/>
    public long Append<T>(T value, long expectedSequence)
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(expectedSequence, 1);
        return AppendCore(in value, expectedSequence);
    }

    /// <summary>Appends a record that is already serialized. The bytes are copied; that they are a record of the schema is not checked.</summary>
    /// <inheritdoc cref="Append{T}(T)" path="/exception"/>
    public long AppendRecord(NinoSchema schema, ReadOnlySpan<byte> record)
    {
        ArgumentNullException.ThrowIfNull(schema);
        return Log.Append(schema, record);
    }

    /// <summary>As <see cref="AppendRecord(NinoSchema, ReadOnlySpan{byte})"/>, only if the record gets the given sequence.</summary>
    /// <inheritdoc cref="Append{T}(T, long)" path="/param"/>
    /// <exception cref="SequenceConflictException">Somebody appended since. Nothing was appended.</exception>
    /// <inheritdoc cref="AppendRecord(NinoSchema, ReadOnlySpan{byte})" path="/exception"/>
    public long AppendRecord(NinoSchema schema, ReadOnlySpan<byte> record, long expectedSequence)
    {
        ArgumentNullException.ThrowIfNull(schema);
        ArgumentOutOfRangeException.ThrowIfLessThan(expectedSequence, 1);
        return Log.Append(schema, record, expectedSequence);
    }

    /// <summary>
    /// Appends records as one frame: after a crash all of them are there, or none. As durable as <see cref="Append{T}(T)"/>. Returns the sequence of the first;
    /// of an empty batch, the sequence that the next record will get.
    /// </summary>
    /// <exception cref="ArgumentNullException">A value is null; nothing was appended.</exception>
    /// <exception cref="RecordTooLargeException">A record is too large, or all together exceed 256 MiB; nothing was appended.</exception>
    /// <inheritdoc cref="Append{T}(T)" path="/exception"/>
    public long AppendBatch<T>(ReadOnlySpan<T> values) => AppendBatchCore(values, 0);

    /// <summary>As <see cref="AppendBatch{T}(ReadOnlySpan{T})"/>, only if the first record gets the given sequence.</summary>
    /// <exception cref="SequenceConflictException">Somebody appended since. Nothing was appended.</exception>
    /// <inheritdoc cref="AppendBatch{T}(ReadOnlySpan{T})" path="/exception"/>
    public long AppendBatch<T>(ReadOnlySpan<T> values, long expectedSequence)
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(expectedSequence, 1);
        return AppendBatchCore(values, expectedSequence);
    }

    /// <inheritdoc cref="AppendBatch{T}(ReadOnlySpan{T})"/>
    public long AppendBatch<T>(IReadOnlyList<T> values) => AppendBatchCore(values, 0);

    /// <inheritdoc cref="AppendBatch{T}(ReadOnlySpan{T}, long)"/>
    public long AppendBatch<T>(IReadOnlyList<T> values, long expectedSequence)
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(expectedSequence, 1);
        return AppendBatchCore(values, expectedSequence);
    }

    /// <summary>
    /// As <see cref="AppendBatch{T}(ReadOnlySpan{T})"/>, completing when the records are as durable as <see cref="NinoStoreOptions.Durability"/> says (default: on the disk); concurrent callers share one
    /// sync. The values are read before this returns. Cancelling gives up the wait, never the write.
    /// </summary>
    /// <returns>The sequence of the first record.</returns>
    /// <inheritdoc cref="AppendBatch{T}(ReadOnlySpan{T})" path="/exception"/>
    public ValueTask<long> AppendBatchAsync<T>(ReadOnlySpan<T> values, CancellationToken cancellationToken = default)
    {
        cancellationToken.ThrowIfCancellationRequested();
        return WhenDurable(AppendBatchCore(values, 0), cancellationToken);
    }

    /// <summary>As <see cref="AppendBatchAsync{T}(ReadOnlySpan{T}, CancellationToken)"/>, only if the first record gets the given sequence.</summary>
    /// <exception cref="SequenceConflictException">Somebody appended since. Nothing was appended.</exception>
    /// <inheritdoc cref="AppendBatchAsync{T}(ReadOnlySpan{T}, CancellationToken)"/>
    public ValueTask<long> AppendBatchAsync<T>(ReadOnlySpan<T> values, long expectedSequence, CancellationToken cancellationToken = default)
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(expectedSequence, 1);
        cancellationToken.ThrowIfCancellationRequested();
        return WhenDurable(AppendBatchCore(values, expectedSequence), cancellationToken);
    }

    /// <inheritdoc cref="AppendBatchAsync{T}(ReadOnlySpan{T}, CancellationToken)"/>
    public ValueTask<long> AppendBatchAsync<T>(IReadOnlyList<T> values, CancellationToken cancellationToken = default)
    {
        cancellationToken.ThrowIfCancellationRequested();
        return WhenDurable(AppendBatchCore(values, 0), cancellationToken);
    }

    /// <inheritdoc cref="AppendBatchAsync{T}(ReadOnlySpan{T}, long, CancellationToken)"/>
    public ValueTask<long> AppendBatchAsync<T>(IReadOnlyList<T> values, long expectedSequence, CancellationToken cancellationToken = default)
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(expectedSequence, 1);
        cancellationToken.ThrowIfCancellationRequested();
        return WhenDurable(AppendBatchCore(values, expectedSequence), cancellationToken);
    }

    private long AppendBatchCore<T>(IReadOnlyList<T> values, long expectedSequence)
    {
        ArgumentNullException.ThrowIfNull(values);
        if (values is T[] array) return AppendBatchCore(new ReadOnlySpan<T>(array), expectedSequence);
        if (values is List<T> list) return AppendBatchCore<T>(CollectionsMarshal.AsSpan(list), expectedSequence);
        NinoCodec<T> codec = NinoCodec<T>.Default;
        RecordBuffer buffer = RecordBuffer.Rent(MaxBatchBytes, "batch");
        try
        {
            int prefix = 1;
            int count = values.Count;
            for (int i = 0; i < count; i++)
            {
                T value = values[i];
                prefix = AddToBatch(buffer, codec, in value, prefix);
            }

            return Log.AppendBatch(codec.Schema, buffer.WrittenWithinLimit, count, expectedSequence);
        }
        finally
        {
            buffer.Return();
        }
    }

    /// <summary>
    /// Appends a record and completes when it is as durable as <see cref="NinoStoreOptions.Durability"/> says (default: on the disk); concurrent callers share
    /// one sync. Cancelling gives up the wait, never the write. While the buffer is full, the call itself blocks as <see cref="Append{T}(T)"/> does, and is not cancelled. Await what is returned, or turn it into a task and look at that: of a failure that only a dropped value task could have told <see cref="Dispose"/> tells, of one in a dropped
    /// task <see cref="TaskScheduler.UnobservedTaskException"/>.
    /// </summary>
    /// <returns>The sequence of the record.</returns>
    /// <inheritdoc cref="Append{T}(T)" path="/exception"/>
    public ValueTask<long> AppendAsync<T>(T value, CancellationToken cancellationToken = default) => AppendCoreAsync(in value, 0, cancellationToken);

    /// <summary>As <see cref="AppendAsync{T}(T, CancellationToken)"/>, only if the record gets the given sequence: for writers that decided on what the log held before it.</summary>
    /// <inheritdoc cref="Append{T}(T, long)" path="/param"/>
    /// <exception cref="SequenceConflictException">Somebody appended since. Nothing was appended.</exception>
    /// <inheritdoc cref="Append{T}(T)" path="/exception"/>
    public ValueTask<long> AppendAsync<T>(T value, long expectedSequence, CancellationToken cancellationToken = default)
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(expectedSequence, 1);
        return AppendCoreAsync(in value, expectedSequence, cancellationToken);
    }

    /// <summary>
    /// The log as a plain <see cref="PipeWriter"/>, for bytes that are nobody's type: what is written between two flushes is one record, which <c>Read&lt;byte[]&gt;</c> gives back. A flush completes
    /// when the record is as durable as <see cref="NinoStoreOptions.Durability"/> says. Any number of writers at a time, each for one thread; completing one leaves the store open.
    /// Completing appends what was not flushed, durable after the next commit; completing with an exception drops it. <see cref="Stream.CopyToAsync(Stream)"/> to its stream, <c>CopyToAsync</c> of a stream or pipe to it and <see cref="PipeWriter.WriteAsync"/> flush by themselves, after
    /// each piece: each is a record.
    /// </summary>
    /// <exception cref="ObjectDisposedException">The store is disposed.</exception>
    public PipeWriter OpenPipe()
    {
        ObjectDisposedException.ThrowIf(_disposed != 0, this);
        return new RecordPipeWriter(Log, _options.MaxRecordSizeBytes, _options.Durability);
    }

    /// <summary>A faster way in for one thread that appends many records of one type: <c>using var appender = store.OpenAppender&lt;Trade&gt;();</c>. Any number at a time.</summary>
    /// <exception cref="NinoTypeNotRegisteredException">No generated code knows the type.</exception>
    /// <exception cref="ObjectDisposedException">The store is disposed.</exception>
    /// <exception cref="StoreReadOnlyException">The store is open for reading only.</exception>
    public LogAppender<T> OpenAppender<T>()
    {
        ObjectDisposedException.ThrowIf(_disposed != 0, this);
        return new LogAppender<T>(Log, _options.MaxRecordSizeBytes, _options.RecordLimits);
    }

    /// <summary>Completes when everything appended before the call is on the disk; concurrent callers share one sync. A thread of the store writes and syncs, or, for one who waits alone on a disk that takes no more than some milliseconds, one of the pool. Cancelling gives up the wait, never the write. Of a failure that nobody looks at tells what <see cref="AppendAsync{T}(T, CancellationToken)"/> says.</summary>
    /// <exception cref="StoreFailedException">A write failed: what was not yet acknowledged may be lost.</exception>
    public ValueTask CommitAsync(CancellationToken cancellationToken = default)
    {
        cancellationToken.ThrowIfCancellationRequested();
        return Log.CommitAsync(cancellationToken);
    }

    /// <summary>
    /// As <see cref="CommitAsync"/>, blocking. The calling thread writes and syncs itself unless that is under way, which is the quickest way to the disk for a single writer.
    /// </summary>
    /// <exception cref="StoreFailedException">A write failed: what was not yet acknowledged may be lost.</exception>
    /// <exception cref="ThreadInterruptedException">
    /// The thread was interrupted (<see cref="Thread.Interrupt"/>) while it waited for a write or sync of somebody else's, which goes on. Whether the records are on the disk is not said: they stay in the log, and another commit tells. Writing and
    /// syncing by itself it is not interrupted: the interruption is kept for the thread's next wait.
    /// </exception>
    public void Commit() => Log.Wait(Durability.Disk);

    private long AppendBatchCore<T>(ReadOnlySpan<T> values, long expectedSequence)
    {
        NinoCodec<T> codec = NinoCodec<T>.Default;
        if (BytesBatch.IsOf(codec)) return Log.AppendBatch(codec.Schema, new BytesBatch(BytesBatch.Cast(values), _options.MaxRecordSizeBytes), expectedSequence);
        RecordBuffer buffer = RecordBuffer.Rent(MaxBatchBytes, "batch");
        try
        {
            int prefix = 1;
            foreach (ref readonly T value in values) prefix = AddToBatch(buffer, codec, in value, prefix);
            return Log.AppendBatch(codec.Schema, buffer.WrittenWithinLimit, values.Length, expectedSequence);
        }
        finally
        {
            buffer.Return();
        }
    }

    private long AppendCore<T>(in T value, long expectedSequence)
    {
        NinoCodec<T> codec = NinoCodec<T>.Default;
        RecordBuffer buffer = RecordBuffer.Rent(_options.MaxRecordSizeBytes, typeName: codec.Schema.Name);
        try
        {
            codec.Encode(buffer, in value, _options.RecordLimits);
            return Log.Append(codec.Schema, buffer.Written, expectedSequence);
        }
        finally
        {
            buffer.Return();
        }
    }

    private ValueTask<long> AppendCoreAsync<T>(in T value, long expectedSequence, CancellationToken cancellationToken)
    {
        cancellationToken.ThrowIfCancellationRequested();
        NinoCodec<T> codec = NinoCodec<T>.Default;
        RecordBuffer buffer = RecordBuffer.Rent(_options.MaxRecordSizeBytes, typeName: codec.Schema.Name);
        try
        {
            codec.Encode(buffer, in value, _options.RecordLimits);
            return Log.AppendAsync(codec.Schema, buffer.Written, _options.Durability, expectedSequence, cancellationToken);
        }
        finally
        {
            buffer.Return();
        }
    }

    // What was appended in between is waited for too: it goes to the disk in the same order.
    private ValueTask<long> WhenDurable(long sequence, CancellationToken cancellationToken) => Log.WaitAsync(_options.Durability, sequence, cancellationToken, isAppended: true);

    internal int AddToBatch<T>(RecordBuffer buffer, NinoCodec<T> codec, in T value, int prefix)
    {
        int start = buffer.BeginRecord(prefix);
        codec.Encode(buffer, in value, _options.RecordLimits);
        int length = buffer.Written.Length - start;
        if (length > _options.MaxRecordSizeBytes) throw RecordTooLargeException.InBatch(codec.Schema.Name, length, _options.MaxRecordSizeBytes);
        return buffer.EndRecord(start, prefix);
    }
}
