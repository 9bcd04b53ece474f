// How do the log and the engine stay one state? A change is appended first and applied then, both under the lock of its key's stripe, so that changes of one
// key reach the engine in the order of their sequences. What an engine lost, the log has; what the log lost, no engine may keep (KeyedStateOpening.cs).

using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Logging.Abstractions;
using Store.Faster.Changes;
using Store.Faster.Checkpoints;
using Store.Faster.Engine;
using Store.IO;
using Store.KeyValue;
using Store.Serialization;

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
    private readonly KeyedCheckpoints _checkpoints;
    private readonly KeyedAutoCheckpoints _automatic;
    private long _count;

    /// <param name="log">The log its changes go to.</param>
    /// <param name="format">What they look like there.</param>
    /// <param name="directory">Where the engine keeps its files; disposed with this.</param>
    /// <param name="options">Memory settings, and when checkpoints are written.</param>
    /// <param name="runsInline">Checkpoints block their caller instead of a thread of the pool: the same order of calls every time, for simulators.</param>
    /// <param name="time">The clock of automatic checkpoints; the system's when null.</param>
    /// <param name="logger">Where background trouble is told.</param>
    public KeyedState(IChangeLog log, ChangeFormat format, IStoreDirectory directory, FasterOptions options, bool runsInline = false, TimeProvider? time = null, ILogger? logger = null)
    {
        (_log, _format, _directory) = (log, format, directory);
        var catalog = new CheckpointCatalog(directory, options);

        // Checkpoints found on the disk need not be whole: until the next one the log is kept as it is.
        log.Keep(format.Name, 0);
        OpenedState opened = KeyedStateOpening.Open(log, format, directory, options, catalog);
        (_engine, _count, Recovery) = (opened.Engine, opened.Count, opened.Recovery);
        _stripes = new StripedLocks();
        _stripes.SetLastChange(opened.LastChange);
        _health = new KeyedHealth(format.Name, directory.Name);
        _core = new KeyedCore(log, format, options, _engine, _stripes, _health, logger ?? NullLogger.Instance);
        _scans = new KeyedScans(_core);
        _checkpoints = new KeyedCheckpoints(_core, new KeyedCompaction(_core, _scans, opened.CompactedBytes), directory, catalog, opened, () => Interlocked.Read(ref _count), runsInline);
        _automatic = new KeyedAutoCheckpoints(_core, _checkpoints, opened.Recovery.ChangesReplayed, time ?? TimeProvider.System, runsInline);
    }

    public KeyValueRecovery Recovery { get; }

    public FasterEngine Engine => _engine;

    public KeyedHealth Health => _health;

    public KeyedScans Scans => _scans;

    /// <summary>What went wrong with a checkpoint that nobody was told of by an exception.</summary>
    public Exception? CheckpointFailure => _automatic.Failure ?? _checkpoints.TidyingFailure;

    public long Count
    {
        get
        {
            _health.ThrowIfClosed();
            return Interlocked.Read(ref _count);
        }
    }

    /// <param name="record">The change record.</param>
    /// <param name="key">The key in it.</param>
    /// <param name="value">The value in it.</param>
    /// <param name="isNoted">True when <see cref="CheckpointIfDue"/> should be called, with no lock held.</param>
    /// <returns>Sequence of the change.</returns>
    public long Put(ReadOnlySpan<byte> record, ReadOnlySpan<byte> key, ReadOnlySpan<byte> value, out bool isNoted)
    {
        _health.ThrowIfInCallback();
        CheckFits(key.Length, value.Length);
        ref Stripe stripe = ref _stripes.Of(KeyHash.Compute(key));
        lock (stripe.Lock)
        {
            _health.ThrowIfUnusable();
            long sequence = stripe.LastChange = _log.Append(_format.Schema, record);
            bool existed;
            try
            {
                // One lookup finds the place, tells whether the key was there, and writes.
                _scans.NoteChange(key);
                existed = _engine.Put(key, value);
            }
            catch (Exception e)
            {
                throw _health.Fail(e);
            }

            if (!existed) Interlocked.Increment(ref _count);
            isNoted = _automatic.NoteLocked(ref stripe, record.Length);
            return sequence;
        }
    }

    /// <inheritdoc cref="Put" path="/param"/>
    /// <returns>Sequence of the change, or 0 when the key was not there.</returns>
    public long Delete(ReadOnlySpan<byte> record, ReadOnlySpan<byte> key, out bool isNoted)
    {
        _health.ThrowIfInCallback();
        isNoted = false;
        ref Stripe stripe = ref _stripes.Of(KeyHash.Compute(key));
        lock (stripe.Lock)
        {
            _health.ThrowIfUnusable();
            if (!Contains(key)) return 0;
            long sequence = stripe.LastChange = _log.Append(_format.Schema, record);
            try
            {
                _scans.NoteChange(key);
                _engine.Delete(key);
            }
            catch (Exception e)
            {
                throw _health.Fail(e);
            }

            Interlocked.Decrement(ref _count);
            isNoted = _automatic.NoteLocked(ref stripe, record.Length);
            return sequence;
        }
    }

    /// <summary>Applies changes that set values as one step.</summary>
    /// <param name="records">The change records, each with its length in front, as the log takes a batch.</param>
    /// <param name="count">How many.</param>
    /// <returns>Sequence of the first.</returns>
    public long PutBatch(ReadOnlySpan<byte> records, int count)
    {
        _health.ThrowIfInCallback();
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
            _health.ThrowIfUnusable();
            long first = _log.AppendBatch(_format.Schema, records, count);
            if (count == 0) return first;
            last = first + count - 1;
            try
            {
                for (ReadOnlySpan<byte> rest = records; !rest.IsEmpty;)
                {
                    ReadOnlySpan<byte> record = TakeRecord(ref rest);
                    Change change = _format.Parse(record);
                    _scans.NoteChange(change.Key);
                    if (!_engine.Put(change.Key, change.Value)) Interlocked.Increment(ref _count);
                    _automatic.NoteLocked(ref _stripes.Of(KeyHash.Compute(change.Key)), record.Length);
                }
            }
            catch (Exception e)
            {
                throw _health.Fail(e);
            }

            return first;
        }
        finally
        {
            _stripes.Exit(stripes, last);
        }
    }

    /// <summary>Starts a checkpoint in the background when one is due. With no lock held.</summary>
    public void CheckpointIfDue() => _automatic.StartIfDue();

    /// <summary>The lock that every change of a key takes. Whoever holds it may call <see cref="Put"/> and <see cref="Delete"/> for that key.</summary>
    public Lock LockOf(ReadOnlySpan<byte> key) => _core.LockOf(key);

    /// <summary>Completes with a sequence when everything appended so far is as durable as the store's options say.</summary>
    public ValueTask<long> WaitAsync(long sequence) => _log.WaitAsync(sequence);

    /// <summary>Reads a value, into the array that the result has when there is room. The caller releases the result.</summary>
    public bool TryRead(ReadOnlySpan<byte> key, ref ReadResult result)
    {
        _health.ThrowIfUnusable();
        try
        {
            return _engine.TryReadInto(key, ref result);
        }
        catch (Exception e) when (e is not ObjectDisposedException)
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
            return await _engine.TryReadAsync(key.Span, mode).ConfigureAwait(false);
        }
        catch (Exception e) when (e is not ObjectDisposedException)
        {
            throw _health.Fail(e);
        }
    }

    /// <summary>Writes a checkpoint: durable on return.</summary>
    public ValueTask CheckpointAsync(CancellationToken cancellationToken) => _checkpoints.WriteAsync(cancellationToken);

    /// <summary>Waits for what is under way and releases the engine. Writes nothing, unless a last checkpoint was asked for.</summary>
    public void Dispose()
    {
        try
        {
            if (_core.Options.CheckpointOnDispose && !_health.IsClosed && _checkpoints.MissesChanges) _checkpoints.WriteAsync(CancellationToken.None).AsTask().GetAwaiter().GetResult();
        }
        finally
        {
            _checkpoints.Without(Close);
        }
    }

    private void Close()
    {
        if (_health.IsClosed) return;
        _health.Close();

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

    private bool Contains(ReadOnlySpan<byte> key)
    {
        try
        {
            return _engine.Contains(key);
        }
        catch (Exception e) when (e is not ObjectDisposedException)
        {
            throw _health.Fail(e);
        }
    }

    private void CheckFits(int keyBytes, int valueBytes)
    {
        if (_engine.Fits(keyBytes, valueBytes)) return;
        throw new RecordTooLargeException($"A key of {keyBytes} and a value of {valueBytes} bytes do not fit a page of '{_format.Name}' ({_core.Options.PageSizeBytes} bytes). "
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
}
