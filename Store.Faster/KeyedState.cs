// How do the log and the engine stay one state? A change is appended first and applied then, both under the lock of its key's stripe, so that changes of one
// key reach the engine in the order of their sequences. A checkpoint holds all stripes while it takes the state over: it has exactly the changes up to a sequence.
// What an engine lost, the log has; what the log lost, no engine may keep (KeyedStateOpening.cs).

using Store.Faster.Changes;
using Store.Faster.Checkpoints;
using Store.Faster.Engine;
using Store.Framing;
using Store.IO;
using Store.KeyValue;

namespace Store.Faster;

/// <summary>A keyed state of encoded keys and values. Safe for any number of threads.</summary>
internal sealed class KeyedState : IDisposable
{
    private readonly IChangeLog _log;
    private readonly ChangeFormat _format;
    private readonly FasterOptions _options;
    private readonly bool _runsInline;
    private readonly IStoreDirectory _directory;
    private readonly CheckpointCatalog _catalog;
    private readonly FasterEngine _engine;
    private readonly StripedLocks _stripes = new();
    private readonly SemaphoreSlim _checkpointing = new(1);
    private long _count;
    private long _checkpointSequence;
    private (long Sequence, uint Checksum) _anchor;
    private Exception? _failure;
    private volatile bool _disposed;

    /// <param name="log">The log its changes go to.</param>
    /// <param name="format">What they look like there.</param>
    /// <param name="directory">Where the engine keeps its files; disposed with this.</param>
    /// <param name="options">Memory settings.</param>
    /// <param name="runsInline">Checkpoints block their caller instead of a thread of the pool: the same order of calls every time, for simulators.</param>
    public KeyedState(IChangeLog log, ChangeFormat format, IStoreDirectory directory, FasterOptions options, bool runsInline = false)
    {
        (_log, _format, _directory, _options, _runsInline) = (log, format, directory, options, runsInline);
        _catalog = new CheckpointCatalog(directory, options);
        OpenedState opened = KeyedStateOpening.Open(log, format, directory, options, _catalog);
        (_engine, _count, Recovery, _checkpointSequence) = (opened.Engine, opened.Count, opened.Recovery, opened.Recovery.CheckpointSequence);
        _stripes.SetLastChange(opened.LastChange);
        _anchor = opened.Anchor;
    }

    public KeyValueRecovery Recovery { get; }

    public FasterEngine Engine => _engine;

    public long Count
    {
        get
        {
            ObjectDisposedException.ThrowIf(_disposed, typeof(IKeyValueStore<,>));
            return Interlocked.Read(ref _count);
        }
    }

    public long Put(ReadOnlySpan<byte> record, ReadOnlySpan<byte> key, ReadOnlySpan<byte> value)
    {
        if (!_engine.Fits(key.Length, value.Length))
        {
            throw new RecordTooLargeException($"A key of {key.Length} and a value of {value.Length} bytes do not fit a page of '{_format.Name}' ({_options.PageSizeBytes} bytes). "
                + $"Raise {nameof(FasterOptions)}.{nameof(FasterOptions.PageSizeBytes)}; nothing was appended.");
        }

        ref Stripe stripe = ref _stripes.Of(KeyHash.Compute(key));
        lock (stripe.Lock)
        {
            ThrowIfUnusable();
            bool existed = Contains(key);
            long sequence = stripe.LastChange = _log.Append(_format.Schema, record);
            try
            {
                _engine.Upsert(key, value);
            }
            catch (Exception e)
            {
                throw Fail(e);
            }

            if (!existed) Interlocked.Increment(ref _count);
            return sequence;
        }
    }

    public bool Delete(ReadOnlySpan<byte> record, ReadOnlySpan<byte> key)
    {
        ref Stripe stripe = ref _stripes.Of(KeyHash.Compute(key));
        lock (stripe.Lock)
        {
            ThrowIfUnusable();
            if (!Contains(key)) return false;
            stripe.LastChange = _log.Append(_format.Schema, record);
            try
            {
                _engine.Delete(key);
            }
            catch (Exception e)
            {
                throw Fail(e);
            }

            Interlocked.Decrement(ref _count);
            return true;
        }
    }

    /// <summary>Reads a value into a buffer of the shared array pool, which the caller returns.</summary>
    public bool TryRead(ReadOnlySpan<byte> key, out ReadResult result)
    {
        ThrowIfUnusable();
        try
        {
            return _engine.TryRead(key, out result);
        }
        catch (Exception e) when (e is not ObjectDisposedException)
        {
            throw Fail(e);
        }
    }

    public async ValueTask CheckpointAsync(CancellationToken cancellationToken)
    {
        await _checkpointing.WaitAsync(cancellationToken).ConfigureAwait(false);
        try
        {
            ThrowIfUnusable();
            if (_log.LastSequence == _checkpointSequence) return;

            // Copying and syncing block: not on the caller's thread.
            Cut cut = _runsInline ? TakeCut() : await Task.Run(TakeCut, cancellationToken).ConfigureAwait(false);
            try
            {
                await _log.CommitAsync(cancellationToken).ConfigureAwait(false);
                if (_runsInline) Complete(cut);
                else await Task.Run(() => Complete(cut), cancellationToken).ConfigureAwait(false);
            }
            catch (Exception failure)
            {
                cut.Close();
                if (!cut.IsPublished) Withdraw(cut, failure);
                throw;
            }

            cut.Close();
            _checkpointSequence = cut.Sequence;
        }
        finally
        {
            _checkpointing.Release();
        }
    }

    /// <summary>Waits for what is under way and releases the engine. Writes nothing.</summary>
    public void Dispose()
    {
        _checkpointing.Wait();
        try
        {
            if (_disposed) return;
            _disposed = true;

            // Every change under way holds a stripe, every read a session of the engine, which waits for them.
            _stripes.EnterAll();
            _stripes.ExitAll();
            try
            {
                _engine.Dispose();
            }
            finally
            {
                _directory.Dispose();
            }
        }
        finally
        {
            _checkpointing.Release();
        }
    }

    private Cut TakeCut()
    {
        long generation = _catalog.NextGeneration();
        _stripes.EnterAll();
        try
        {
            // Appends of other records go on: the sequence is read first, so it covers no change that is not applied, because there is none.
            long sequence = _log.LastSequence;
            CapturedCheckpoint captured = _engine.Capture(generation, CheckpointCookie.Encode(_log.StoreId, sequence, _format.Name));
            return new Cut(generation, sequence, Interlocked.Read(ref _count), _stripes.LastChange(), captured);
        }
        catch (Exception e)
        {
            // FASTER's state machine may be left half way: no later checkpoint can be trusted.
            throw Fail(e);
        }
        finally
        {
            _stripes.ExitAll();
        }
    }

    private void Complete(Cut cut)
    {
        try
        {
            _engine.Log.Sync();
        }
        catch (Exception e)
        {
            throw Fail(e);
        }

        // A failure of these two costs this checkpoint; the state itself is well.
        cut.Captured.Index.Sync();
        cut.Captured.Snapshot.Sync();
        if (cut.LastChange != _anchor.Sequence) _anchor = (cut.LastChange, ChecksumOf(cut.LastChange));
        CheckpointManifest manifest = new()
        {
            PageSizeBytes = _options.PageSizeBytes,
            StoreId = _log.StoreId,
            Token = cut.Captured.Token,
            Generation = cut.Generation,
            Sequence = cut.Sequence,
            Count = cut.Count,
            AnchorSequence = cut.LastChange,
            AnchorChecksum = _anchor.Checksum,
            LogEndAddress = cut.Captured.LogEndAddress,
            Name = _format.Name,
            KeySchema = _format.KeySchema.CanonicalBytes.ToArray(),
            ValueSchema = _format.ValueSchema.CanonicalBytes.ToArray(),
            IndexMetadata = cut.Captured.IndexMetadata,
            LogMetadata = cut.Captured.LogMetadata,
            LogBlocks = _engine.Log.BlocksBelow(cut.Captured.LogEndAddress),
            SnapshotBlocks = cut.Captured.Snapshot.BlocksBelow(long.MaxValue),
            IndexBlocks = cut.Captured.Index.BlocksBelow(long.MaxValue),
        };
        if (!manifest.CoversLog) throw new InvalidOperationException($"FASTER's record log up to {manifest.LogEndAddress} was not written in whole pages; the checkpoint was given up.");
        _catalog.Publish(manifest);
        cut.IsPublished = true;

        // Only now may older ones go. This one and the one before stay.
        HashSet<long> kept = [.. _catalog.Generations().Take(CheckpointCatalog.KeptGenerations)];
        _catalog.RemoveExcept(kept.Contains);
    }

    // Asked once a change, and kept: retention may take the record away while no other change comes.
    private uint ChecksumOf(long sequence)
    {
        foreach (LogRecord record in _log.Read(sequence))
        {
            if (record.Sequence == sequence) return Crc32C.Compute(record.Payload.Span);
            break;
        }

        throw new StoreCorruptException($"Record {sequence} of the log, the last change of '{_format.Name}', is not there any more; the checkpoint was given up.", _directory.Name);
    }

    /// <summary>Takes away what a checkpoint that was given up has written, or it would stay until the next one succeeds: on a full disk, never.</summary>
    private void Withdraw(Cut cut, Exception failure)
    {
        try
        {
            _catalog.RemoveExcept(generation => generation != cut.Generation);
        }
        catch (IOException second)
        {
            failure.Data[$"Could not remove checkpoint {cut.Generation}"] = second.Message;
        }
    }

    private bool Contains(ReadOnlySpan<byte> key)
    {
        try
        {
            return _engine.Contains(key);
        }
        catch (Exception e) when (e is not ObjectDisposedException)
        {
            throw Fail(e);
        }
    }

    private void ThrowIfUnusable()
    {
        ObjectDisposedException.ThrowIf(_disposed, typeof(IKeyValueStore<,>));
        if (_failure is { } failure) throw Failed(failure);
    }

    /// <summary>Remembers the first failure for good: memory, engine and log may differ from here on.</summary>
    private StoreFailedException Fail(Exception e)
    {
        Interlocked.CompareExchange(ref _failure, e, null);
        return Failed(_failure);
    }

    private StoreFailedException Failed(Exception cause) =>
        new($"The keyed state '{_format.Name}' failed and accepts nothing more: {cause.Message} No change is lost that the log has. Dispose it and open it again; that reads the log.", _directory.Name, cause);

    private sealed record Cut(long Generation, long Sequence, long Count, long LastChange, CapturedCheckpoint Captured)
    {
        /// <summary>True when the manifest is durable: from then on the checkpoint is in force, whatever fails behind it.</summary>
        public bool IsPublished { get; set; }

        public void Close()
        {
            Captured.Index.Close();
            Captured.Snapshot.Close();
        }
    }
}
