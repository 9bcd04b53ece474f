// What OpenAppender gives: a way into the log for a thread that appends much. The lease behind it does the work.

using System.Runtime.CompilerServices;
using Store.Buffers;
using Store.Log;
using Store.Serialization;

namespace Store;

/// <summary>
/// Appends records of one type from one thread, for small records at little more than half the price of <see cref="NinoStore.Append{T}(T)"/>: while no other thread uses the log, an append takes no lock. Everything
/// else is as there: any number of appenders, other threads and the same one may append, commit and read meanwhile, in one order of sequences; records are written within
/// <see cref="NinoStoreOptions.FlushIntervalMs"/> and durable after the next commit. It holds nothing: one that is idle or was never disposed is in nobody's way.
/// </summary>
/// <remarks>Worth it for runs of appends. Threads that append at the same time take the way in from each other; an appender that loses it soon goes through the lock for a while, as <see cref="NinoStore.Append{T}(T)"/> does.</remarks>
/// <typeparam name="T">A type that generated code knows.</typeparam>
public readonly ref struct LogAppender<T> : IDisposable
{
    private readonly LogLease _lease;
    private readonly RecordBuffer _buffer;
    private readonly NinoCodec<T>? _codec;
    private readonly int _maxRecordBytes;
    private readonly NinoLimits _limits;

    // The first length that is too large; 0 in one that OpenAppender did not give, which is what every length is compared with.
    private readonly uint _tooLongBytes;

    internal LogAppender(AppendLog log, int maxRecordBytes, NinoLimits limits)
    {
        _codec = NinoCodec<T>.Default;
        _lease = log.Lease(_codec.Schema);
        _buffer = new RecordBuffer { TypeName = _codec.Schema.Name };
        _maxRecordBytes = maxRecordBytes;
        _limits = limits;
        _tooLongBytes = (uint)maxRecordBytes + 1;
    }

    /// <summary>Appends a record and returns its sequence. Allocates nothing for records of up to 1 MiB.</summary>
    /// <param name="value">The record; may change as soon as the call returns.</param>
    /// <exception cref="ArgumentNullException">The value is null.</exception>
    /// <exception cref="RecordTooLargeException">Larger than <see cref="NinoStoreOptions.MaxRecordSizeBytes"/>.</exception>
    /// <exception cref="NinoSerializationException">The value has no encoding, for example because it contains itself.</exception>
    /// <exception cref="StoreFailedException">A write failed earlier.</exception>
    /// <exception cref="ThreadInterruptedException">The thread was interrupted while it waited for room in <see cref="NinoStoreOptions.BufferSizeBytes"/>. Nothing was appended, and the store goes on.</exception>
    /// <exception cref="ObjectDisposedException">The store or the appender is disposed.</exception>
    /// <exception cref="InvalidOperationException">It is no appender of a store: <c>default</c> was used instead of what <see cref="NinoStore.OpenAppender{T}"/> gives.</exception>
    public long Append(T value)
    {
        NinoCodec<T> codec = _codec ?? throw NoAppender();
        _buffer.Clear(_maxRecordBytes);
        codec.Encode(_buffer, in value, _limits);
        return AppendRecord(_buffer.Written);
    }

    /// <summary>Appends a record of the type that is already serialized. The bytes are copied; that they are one is not checked.</summary>
    /// <inheritdoc cref="Append" path="/exception"/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public long AppendRecord(ReadOnlySpan<byte> record) => (uint)record.Length < _tooLongBytes ? _lease.Append(record) : AppendTooLong(record);

    /// <summary>Ends it. What was appended stays appended, and is not committed by this.</summary>
    public void Dispose() => _lease?.End();

    private long AppendTooLong(ReadOnlySpan<byte> record) => (_lease ?? throw NoAppender()).AppendSlowly(record);

    private static InvalidOperationException NoAppender() => new($"This LogAppender<{typeof(T).Name}> belongs to no store, because it was not opened. Get one by store.OpenAppender<{typeof(T).Name}>().");
}
