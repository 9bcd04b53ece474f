// How do the log and the engine stay one state? A change is appended first and applied then, both under the lock of its key's stripe, so that changes of one
// key reach the engine in the order of their sequences. A checkpoint holds all stripes while it takes the state over: it has exactly the changes up to a sequence.
// What an engine lost, the log has; what the log lost, no engine may keep (KeyedStateOpening.cs).

using System.Buffers;
using Store.Faster.Changes;
using Store.Faster.Checkpoints;
using Store.Faster.Engine;
using Store.Framing;
using Store.IO;
using Store.KeyValue;
using Store.Serialization;

namespace Store.Faster;

/// <summary>A keyed state of encoded keys and values. Safe for any number of threads.</summary>
internal sealed class KeyedState : IDisposable
{
    [ThreadStatic] private static KeyedState? _callbackOf;

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
    private long _compactedBytes;
    private long _giveUpBelow;
    private volatile KeyedScan[] _scans = [];
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

        // Checkpoints found on the disk need not be whole: until the next one the log is kept as it is.
        log.Keep(format.Name, 0);
        OpenedState opened = KeyedStateOpening.Open(log, format, directory, options, _catalog);
        (_engine, _count, Recovery, _checkpointSequence) = (opened.Engine, opened.Count, opened.Recovery, opened.Recovery.CheckpointSequence);
        _stripes.SetLastChange(opened.LastChange);
        _anchor = opened.Anchor;
        _compactedBytes = opened.CompactedBytes;
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
        ThrowIfInCallback();
        CheckFits(key.Length, value.Length);
        ref Stripe stripe = ref _stripes.Of(KeyHash.Compute(key));
        lock (stripe.Lock)
        {
            ThrowIfUnusable();
            bool existed = Contains(key);
            long sequence = stripe.LastChange = _log.Append(_format.Schema, record);
            try
            {
                NoteChange(key);
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

    /// <returns>Sequence of the change, or 0 when the key was not there.</returns>
    public long Delete(ReadOnlySpan<byte> record, ReadOnlySpan<byte> key)
    {
        ThrowIfInCallback();
        ref Stripe stripe = ref _stripes.Of(KeyHash.Compute(key));
        lock (stripe.Lock)
        {
            ThrowIfUnusable();
            if (!Contains(key)) return 0;
            long sequence = stripe.LastChange = _log.Append(_format.Schema, record);
            try
            {
                NoteChange(key);
                _engine.Delete(key);
            }
            catch (Exception e)
            {
                throw Fail(e);
            }

            Interlocked.Decrement(ref _count);
            return sequence;
        }
    }

    /// <summary>Applies changes that set values as one step.</summary>
    /// <param name="records">The change records, each with its length in front, as the log takes a batch.</param>
    /// <param name="count">How many.</param>
    /// <returns>Sequence of the first.</returns>
    public long PutBatch(ReadOnlySpan<byte> records, int count)
    {
        ThrowIfInCallback();
        UInt128 stripes = 0;
        for (ReadOnlySpan<byte> rest = records; !rest.IsEmpty;)
        {
            Change change = _format.Parse(TakeRecord(ref rest));
            CheckFits(change.Key.Length, change.Value.Length);
            stripes |= UInt128.One << StripedLocks.IndexOf(KeyHash.Compute(change.Key));
        }

        long last = 0;
        _stripes.Enter(stripes);
        try
        {
            ThrowIfUnusable();
            long first = _log.AppendBatch(_format.Schema, records, count);
            if (count == 0) return first;
            last = first + count - 1;
            try
            {
                for (ReadOnlySpan<byte> rest = records; !rest.IsEmpty;)
                {
                    Change change = _format.Parse(TakeRecord(ref rest));
                    bool existed = _engine.Contains(change.Key);
                    NoteChange(change.Key);
                    _engine.Upsert(change.Key, change.Value);
                    if (!existed) Interlocked.Increment(ref _count);
                }
            }
            catch (Exception e)
            {
                throw Fail(e);
            }

            return first;
        }
        finally
        {
            _stripes.Exit(stripes, last);
        }
    }

    /// <summary>The lock that every change of a key takes. Whoever holds it may call <see cref="Put"/> and <see cref="Delete"/> for that key.</summary>
    public object LockOf(ReadOnlySpan<byte> key) => _stripes.Of(KeyHash.Compute(key)).Lock;

    /// <summary>Marks this thread as being inside a callback, which must not change the state: it holds a lock already, and another could wait for it.</summary>
    public void EnterCallback()
    {
        ThrowIfInCallback();
        _callbackOf = this;
    }

    public static void ExitCallback() => _callbackOf = null;

    /// <summary>Completes with a sequence when everything appended so far is as durable as the store's options say.</summary>
    public ValueTask<long> WaitAsync(long sequence) => _log.WaitAsync(sequence);

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

    /// <summary>As <see cref="TryRead"/>, completing on another thread when the record is on the disk.</summary>
    public async ValueTask<EngineRead> TryReadAsync(ReadOnlyMemory<byte> key, ReadMode mode)
    {
        ThrowIfUnusable();
        try
        {
            return await _engine.TryReadAsync(key.Span, mode).ConfigureAwait(false);
        }
        catch (Exception e) when (e is not ObjectDisposedException)
        {
            throw Fail(e);
        }
    }

    /// <summary>Begins to read everything. Changes stand still while it is noted where they are.</summary>
    public KeyedScan Scan()
    {
        ThrowIfInCallback();
        _stripes.EnterAll();
        try
        {
            ThrowIfUnusable();
            var scan = new KeyedScan(this, _engine.Scan(_engine.TailAddress));
            _scans = [.. _scans, scan];
            return scan;
        }
        finally
        {
            _stripes.ExitAll();
        }
    }

    /// <summary>Called by a scan that is disposed.</summary>
    public void EndScan(KeyedScan scan)
    {
        _stripes.EnterAll();
        try
        {
            _scans = [.. _scans.Where(other => other != scan)];
            if (_disposed) return;
            scan.Records.Dispose();
            GiveUpWhenNobodyScansLocked();
        }
        finally
        {
            _stripes.ExitAll();
        }
    }

    /// <summary>The next key and value of a scan, in buffers of the shared array pool, which the caller returns.</summary>
    public bool TryNext(KeyedScan scan, out ReadResult key, out ReadResult value)
    {
        ThrowIfInCallback();
        ThrowIfUnusable();
        try
        {
            return scan.TryNext(out key, out value);
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

            // Compacting, copying and syncing block: not on the caller's thread.
            if (_runsInline) CompactIfDue();
            else await Task.Run(CompactIfDue, cancellationToken).ConfigureAwait(false);
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

            // This checkpoint and the one before are kept, so the log is needed from the one before on.
            long needed = _checkpointSequence;
            _checkpointSequence = cut.Sequence;
            if (_runsInline) _log.Keep(_format.Name, needed);
            else await Task.Run(() => _log.Keep(_format.Name, needed), CancellationToken.None).ConfigureAwait(false);
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
            LogBeginAddress = cut.Captured.LogBeginAddress,
            CompactedBytes = _compactedBytes,
            LogBlocks = _engine.Log.BlocksBetween(cut.Captured.LogBeginAddress - (cut.Captured.LogBeginAddress % _options.PageSizeBytes), cut.Captured.LogEndAddress),
            SnapshotBlocks = cut.Captured.Snapshot.BlocksBetween(0, long.MaxValue),
            IndexBlocks = cut.Captured.Index.BlocksBetween(0, long.MaxValue),
        };
        if (!manifest.CoversLog) throw new InvalidOperationException($"FASTER's record log up to {manifest.LogEndAddress} was not written in whole pages; the checkpoint was given up.");
        _catalog.Publish(manifest);
        cut.IsPublished = true;

        // Only now may older ones go. This one and the one before stay.
        HashSet<long> kept = [.. _catalog.Generations().Take(CheckpointCatalog.KeptGenerations)];
        _catalog.RemoveExcept(kept.Contains);
        _engine.Log.Forget(_catalog.RemoveLogSegmentsNobodyNeeds());
    }

    // Twice what lived after the last compaction, and memory: so what is copied never exceeds what was changed, and the files stay below four times what lives, for two checkpoints.
    private void CompactIfDue()
    {
        if (_giveUpBelow > 0) return;
        long length = _engine.TailAddress - _engine.BeginAddress;
        if (length <= 2 * (_compactedBytes + _options.MemorySizeBytes)) return;
        try
        {
            Compact(_engine.SettledAddress);
        }
        catch (Exception e) when (e is not ObjectDisposedException)
        {
            throw Fail(e);
        }
    }

    /// <summary>
    /// Moves what lives below an address to the end of the record log and gives up the rest: it is in no later checkpoint, and its files go when no earlier one needs them. Reads and changes go
    /// on; while a scan runs nothing is given up. FASTER's own compaction is not used: it decides what lives without our locks.
    /// </summary>
    private void Compact(long until)
    {
        if (until <= _engine.BeginAddress) return;
        using (EngineScan records = _engine.Scan(until))
        {
            while (records.TryNext(out ReadResult key, out long address))
            {
                MoveIfLive(key.Bytes.AsSpan(0, key.LengthBytes), address);
                ArrayPool<byte>.Shared.Return(key.Bytes!);
            }
        }

        _stripes.EnterAll();
        try
        {
            _giveUpBelow = until;
            GiveUpWhenNobodyScansLocked();
        }
        finally
        {
            _stripes.ExitAll();
        }
    }

    // With every stripe held. A scan walks over what was moved away, so what it still needs is given up when it ends.
    private void GiveUpWhenNobodyScansLocked()
    {
        if (_giveUpBelow == 0 || _scans.Length > 0) return;
        _engine.GiveUpBelow(_giveUpBelow);
        _compactedBytes = _engine.TailAddress - _giveUpBelow;
        _giveUpBelow = 0;
    }

    private void MoveIfLive(ReadOnlySpan<byte> key, long address)
    {
        lock (LockOf(key))
        {
            ThrowIfUnusable();
            bool isThere = _engine.TryFind(key, ReadMode.Value, out ReadResult value, out long current);
            if (isThere && current == address)
            {
                NoteChange(key);
                _engine.Upsert(key, value.Bytes.AsSpan(0, value.LengthBytes));
            }

            if (value.Bytes is { } bytes) ArrayPool<byte>.Shared.Return(bytes);
        }
    }

    // Under the key's lock, before it changes: a scan that has not reached it must not miss it.
    private void NoteChange(ReadOnlySpan<byte> key)
    {
        KeyedScan[] scans = _scans;
        if (scans.Length == 0 || !_engine.TryFind(key, ReadMode.Presence, out _, out long address)) return;
        foreach (KeyedScan scan in scans) scan.NoteChange(key, address);
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

    private void CheckFits(int keyBytes, int valueBytes)
    {
        if (_engine.Fits(keyBytes, valueBytes)) return;
        throw new RecordTooLargeException($"A key of {keyBytes} and a value of {valueBytes} bytes do not fit a page of '{_format.Name}' ({_options.PageSizeBytes} bytes). "
            + $"Raise {nameof(FasterOptions)}.{nameof(FasterOptions.PageSizeBytes)}; nothing was appended.");
    }

    private static ReadOnlySpan<byte> TakeRecord(ref ReadOnlySpan<byte> rest)
    {
        var reader = new NinoReader(rest);
        uint length = reader.ReadCompact();
        ReadOnlySpan<byte> record = rest.Slice(reader.Position, checked((int)length));
        rest = rest[(reader.Position + record.Length)..];
        return record;
    }

    private void ThrowIfInCallback()
    {
        if (ReferenceEquals(_callbackOf, this)) throw new InvalidOperationException($"A callback of '{_format.Name}' changes the keyed state that it is called by. Return the change instead; nothing was appended.");
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
