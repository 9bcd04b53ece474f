// How do the log and the engine stay one state? A change is appended first and applied then, both under the lock of its key's stripe, so that changes of one
// key reach the engine in the order of their sequences. What an engine lost, the log has; what the log lost, no engine may keep (KeyedStateOpening.cs).

using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Logging.Abstractions;
using Store.Faster.Changes;
using Store.Faster.Checkpoints;
using Store.Faster.Engine;
using Store.IO;
using Store.KeyValue;
using Store.KeyValue.Changes;

namespace Store.Faster;

/// <summary>A keyed state of encoded keys and values. Safe for any number of threads.</summary>
internal sealed class KeyedState : IDisposable
{
    private readonly KeyedCore _core;
    private readonly IChangeLog _log;
    private readonly ChangeFormat _format;
    private readonly FasterEngine _engine;
    private readonly StripedLocks _stripes;
    private readonly KeyedHealth _health;
    private readonly IStoreDirectory _directory;
    private readonly KeyedScans _scans;
    private readonly KeyedWriter _writer;
    private readonly KeyedBatches _batches;
    private readonly KeyedCheckpoints _checkpoints;
    private readonly KeyedAutoCheckpoints _automatic;

    /// <param name="log">The log its changes go to.</param>
    /// <param name="format">What they look like there.</param>
    /// <param name="directory">Where the engine keeps its files; disposed with this.</param>
    /// <param name="options">Memory settings, and when checkpoints are written.</param>
    /// <param name="runsInline">Checkpoints and scans block their caller instead of a thread of the pool: the same order of calls every time, for simulators.</param>
    /// <param name="time">The clock of automatic checkpoints; the system's when null.</param>
    /// <param name="logger">Where background trouble is told.</param>
    /// <param name="callbacksOf">As whose callbacks its own are known to the store; this, where there is none.</param>
    /// <param name="progress">Told how far opening is; null for nobody.</param>
    /// <param name="cancellationToken">Gives opening up.</param>
    public KeyedState(IChangeLog log, ChangeFormat format, IStoreDirectory directory, FasterOptions options, bool runsInline = false, TimeProvider? time = null, ILogger? logger = null, object? callbacksOf = null,
        IProgress<KeyValueOpeningProgress>? progress = null, CancellationToken cancellationToken = default)
    {
        (_log, _format, _directory, RunsInline) = (log, format, directory, runsInline);
        var catalog = new CheckpointCatalog(directory, options);
        var watch = new OpeningWatch(progress, cancellationToken) { Time = time ?? TimeProvider.System, Logger = logger ?? NullLogger.Instance };
        OpenedState opened = new KeyedStateOpening(log, format, directory, options, catalog, watch).Open();
        (_engine, Recovery) = (opened.Engine, opened.Recovery);
        try
        {
            Prefetch = new MemoryPrefetch(_engine.Memory);
            _stripes = new StripedLocks();
            _stripes.SetLastChange(opened.LastChange);
            _health = new KeyedHealth(format.Name, directory.Name, callbacksOf ?? this);
            _core = new KeyedCore(log, format, options, _engine, _stripes, _health, watch.Logger);
            _scans = new KeyedScans(_core, runsInline);
            _writer = new KeyedWriter(_core, _scans, opened.Count);
            _checkpoints = new KeyedCheckpoints(_core, new KeyedCompaction(_core, _scans, opened.CompactedBytes), opened.Checkpoints, () => _writer.Count, runsInline);
            _automatic = new KeyedAutoCheckpoints(_core, _checkpoints, opened.Uncovered, opened.CheckpointFailure, watch.Time, runsInline);
            _batches = new KeyedBatches(_core, _writer, _automatic, Prefetch);
        }
        catch
        {
            // A clock of somebody else's, say: the folder is given free with no file of it open.
            _engine.Dispose();
            throw;
        }
    }

    public KeyValueRecovery Recovery { get; }

    /// <summary>True where what blocks does so on the thread of the caller: in simulators.</summary>
    public bool RunsInline { get; }

    public FasterEngine Engine => _engine;

    /// <summary>Asked for what an operation will need, as soon as its key is known.</summary>
    public MemoryPrefetch Prefetch { get; }

    /// <summary>How many reads from the disk one call may have under way: not all sessions, others read too.</summary>
    public int ReadsAtOnce => Math.Clamp(_core.Options.MaxSessions / 2, 1, 16);

    public KeyedHealth Health => _health;

    public KeyedScans Scans => _scans;

    /// <summary>What went wrong with a checkpoint that nobody was told of by an exception.</summary>
    public Exception? CheckpointFailure => _automatic.Failure ?? _checkpoints.TidyingFailure;

    public long Count
    {
        get
        {
            _health.ThrowIfClosed();
            return _writer.Count;
        }
    }

    /// <param name="record">The change record.</param>
    /// <param name="key">The key in it.</param>
    /// <param name="value">The value in it.</param>
    /// <param name="seen">What was found of the key before; used when it still holds.</param>
    /// <param name="isNoted">True when <see cref="CheckpointIfDue"/> should be called, with no lock held.</param>
    /// <returns>Sequence of the change.</returns>
    public long Put(ReadOnlySpan<byte> record, ReadOnlySpan<byte> key, ReadOnlySpan<byte> value, in KeySighting seen, out bool isNoted)
    {
        _health.ThrowIfInCallback();
        _core.CheckRoom();
        _core.CheckFits(record.Length);
        _core.CheckFits(key.Length, value.Length);
        ulong hash = KeyHash.Compute(key);
        ref Stripe stripe = ref _stripes.Of(hash);
        lock (stripe.Lock)
        {
            _health.ThrowIfUnusable();
            Prefetch.Record(hash, key.Length + value.Length + FasterEngine.RecordOverheadBytes);
            long sequence = stripe.LastChange = _log.Append(_format.Schema, record);
            try
            {
                _writer.PutLocked(hash, key, value, seen);
            }
            catch (Exception e)
            {
                throw _health.Fail(e);
            }

            isNoted = _automatic.NoteLocked(ref stripe, record.Length);
            return sequence;
        }
    }

    /// <inheritdoc cref="Put" path="/param"/>
    /// <returns>Sequence of the change, or 0 when the key was not there.</returns>
    public long Delete(ReadOnlySpan<byte> record, ReadOnlySpan<byte> key, in KeySighting seen, out bool isNoted)
    {
        _health.ThrowIfInCallback();
        _core.CheckRoom();
        _core.CheckFits(record.Length);
        isNoted = false;
        ulong hash = KeyHash.Compute(key);
        ref Stripe stripe = ref _stripes.Of(hash);
        lock (stripe.Lock)
        {
            _health.ThrowIfUnusable();
            KeySighting now = seen.Version == _stripes.VersionOf(hash) ? seen : _writer.LookLocked(key);
            if (!now.IsThere) return 0;
            long sequence = stripe.LastChange = _log.Append(_format.Schema, record);
            try
            {
                _writer.DeleteLocked(key, now);
            }
            catch (Exception e)
            {
                throw _health.Fail(e);
            }

            isNoted = _automatic.NoteLocked(ref stripe, record.Length);
            return sequence;
        }
    }

    /// <inheritdoc cref="KeyedBatches.Put"/>
    public long PutBatch(ReadOnlySpan<byte> records, int count) => _batches.Put(records, count);

    /// <inheritdoc cref="KeyedBatches.Delete"/>
    public int DeleteBatch(ReadOnlySpan<byte> records) => _batches.Delete(records);

    /// <summary>Starts a checkpoint in the background when one is due. With no lock held.</summary>
    public void CheckpointIfDue() => _automatic.StartIfDue();

    /// <summary>The lock that every change of a key takes. Whoever holds it may call <see cref="Put"/> and <see cref="Delete"/> for that key.</summary>
    public Lock LockOf(ReadOnlySpan<byte> key) => _core.LockOf(key);

    /// <summary>How far a key's stripe has come, asked before a lookup: <see cref="StripedLocks.VersionOf"/>.</summary>
    public long VersionOf(ReadOnlySpan<byte> key) => _stripes.VersionOf(KeyHash.Compute(key));

    /// <summary>Completes with a sequence when everything appended so far is as durable as the store's options say.</summary>
    public ValueTask<long> WaitAsync(long sequence, CancellationToken cancellationToken = default) => _log.WaitAsync(sequence, cancellationToken);

    /// <summary>Reads a value, into the array that the result has when there is room. The caller releases the result.</summary>
    public bool TryRead(ReadOnlySpan<byte> key, ref ReadResult result)
    {
        _health.ThrowIfUnusable();
        try
        {
            return _engine.Reads.TryReadInto(key, ref result);
        }
        catch (Exception e) when (e is not (ObjectDisposedException or ValueMemoryException))
        {
            throw _health.Fail(e);
        }
    }

    /// <summary>As <see cref="TryRead"/>, completing on another thread when the record is on the disk.</summary>
    public async ValueTask<EngineRead> TryReadAsync(ReadOnlyMemory<byte> key, ReadMode mode)
    {
        _health.ThrowIfUnusable();
        try
        {
            return await _engine.Reads.TryReadAsync(key.Span, mode).ConfigureAwait(false);
        }
        catch (Exception e) when (e is not (ObjectDisposedException or ValueMemoryException))
        {
            throw _health.Fail(e);
        }
    }

    /// <summary>Writes a checkpoint: durable on return.</summary>
    public async ValueTask CheckpointAsync(CancellationToken cancellationToken)
    {
        _health.ThrowIfWouldWaitForItself("asks for a checkpoint of");
        try
        {
            await _checkpoints.WriteAsync(cancellationToken).ConfigureAwait(false);
        }
        catch when (_health.IsUsable)
        {
            // What came meanwhile did not count alone, and does together with what it was to cover.
            _automatic.StartIfDueAlready();
            throw;
        }
    }

    /// <inheritdoc cref="KeyedCheckpoints.Hold"/>
    public IKeyValueCheckpointHold? HoldCheckpoint() => _checkpoints.Hold();

    /// <summary>Starts a checkpoint in the background when what opening replayed makes one due. Called once, when the state can be closed by its store.</summary>
    public void CheckpointIfReplayMakesOneDue() => _automatic.StartIfDueAlready();

    /// <inheritdoc cref="Close"/>
    public void Dispose() => Close(writesLast: true);

    /// <summary>Waits for what is under way and releases the engine. Writes nothing, unless a last checkpoint was asked for. Several threads may: all return when it is closed.</summary>
    /// <param name="writesLast">False where none is to be written, whatever the options say.</param>
    public void Close(bool writesLast) => _checkpoints.Close(Release, writesLast && _core.Options.CheckpointOnDispose);

    private void Release()
    {
        if (_health.IsClosed) return;
        _health.Close();
        _automatic.Dispose();

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
}
