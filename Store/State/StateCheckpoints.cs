// When is a checkpoint due, and how is it written beside the events that go on? Counted by events, bytes and time; one at a time; how long the state stands still for it is
// the cut's matter (StateCut.cs).

using Microsoft.Extensions.Logging;
using Store.Serialization;
using Store.Snapshots;
using Store.Threading;

namespace Store.State;

/// <summary>The checkpoints of one state. Safe for any number of threads; <see cref="Note"/> by the thread that holds the state's lock.</summary>
internal sealed partial class StateCheckpoints<TState> where TState : class
{
    private readonly StateStore<TState> _state;
    private readonly NinoStore _store;
    private readonly StateOptions _options;
    private readonly StateOpening _opening;
    private readonly ILogger _logger;
    private readonly NinoCodec<TState> _codec = NinoCodec<TState>.Default;
    private readonly AsyncMutex _writing = new();
    private readonly SerializingThread _serializing = new();
    private readonly Countdown _timer;
    private long _events;
    private long _bytes;

    // Events behind the last snapshot; those above are counted from the last attempt.
    private long _unsaved;

    // By the last cut; for who has the turn to write.
    private long _heldBytes;

    // The next opening need not look at the log for what this one has looked for, once a checkpoint says so.
    private bool _isOwed;
    private int _isRunning;
    private int _isMissed;
    private int _isClosing;
    private int _isClosed;

    /// <param name="state">The state.</param>
    /// <param name="store">Its store.</param>
    /// <param name="options">When a checkpoint is due.</param>
    /// <param name="opening">What the state holds of the store.</param>
    public StateCheckpoints(StateStore<TState> state, NinoStore store, StateOptions options, StateOpening opening)
    {
        (_state, _store, _options, _opening, _events, _bytes, _unsaved) = (state, store, options, opening, opening.Replayed, opening.ReplayedBytes, opening.Replayed);
        _isOwed = opening.OwesCheckpoint;
        _logger = UnfailingLogger.Of(store.Options.LoggerFactory, "NinoStore.State");
        _timer = new Countdown(store.Options.TimeProvider, options.CheckpointEvery, store.Options.RunsInline, StartIfUnsaved);
    }

    /// <summary>What failed when a checkpoint was due, or behind the last one that was written; null: none was due, or one was written since.</summary>
    public Exception? Failure { get; private set; }

    /// <summary>From here on the time counts, and what opening replayed may make one due. Called once, when the state can be closed by its store.</summary>
    public void Start()
    {
        _timer.Open();
        if (Interlocked.Read(ref _unsaved) > 0) _timer.Begin();
        if (Volatile.Read(ref _isOwed)) StartUnlessRunning();
        else StartIfDue();
    }

    /// <summary>Counts events that were applied.</summary>
    public void Note(long events, long bytes)
    {
        Interlocked.Add(ref _events, events);
        Interlocked.Add(ref _bytes, bytes);

        // The first one that no snapshot covers: whoever has just covered the ones before has seen it, or it sees that there are none.
        if (Interlocked.Add(ref _unsaved, events) == events && events > 0) _timer.Begin();
    }

    /// <summary>True on the thread that serializes a state of which events go on: code of the state's own is running.</summary>
    public bool IsSerializing => _serializing.IsThisOne;

    /// <summary>True when no checkpoint is written any more but the last one.</summary>
    public bool IsClosed => Volatile.Read(ref _isClosed) != 0;

    /// <summary>Starts a checkpoint in the background when one is due and none is under way. Never waits, except in a simulator, where it runs here.</summary>
    public void StartIfDue()
    {
        if (IsDue()) StartUnlessRunning();
    }

    /// <summary>Writes a checkpoint, after the one under way.</summary>
    public async ValueTask<SnapshotInfo> WriteAsync(IProgress<SnapshotProgress>? progress, CancellationToken cancellationToken) => (await WriteAsync(isAutomatic: false, progress, cancellationToken).ConfigureAwait(false))!;

    // The time is over, and the timer does not run again by itself: one that is under way may have its cut behind it, so it looks for this when it ends.
    private void StartIfUnsaved()
    {
        Volatile.Write(ref _isMissed, 1);
        if (Interlocked.Read(ref _unsaved) > 0) StartUnlessRunning();
    }

    private void StartUnlessRunning()
    {
        if (IsClosing || IsClosed || Interlocked.Exchange(ref _isRunning, 1) != 0) return;
        Volatile.Write(ref _isMissed, 0);
        if (_store.Options.RunsInline) RunAsync().AsTask().GetAwaiter().GetResult();
        else _ = Task.Run(() => RunAsync().AsTask());
    }

    /// <returns>Null when it is automatic, and everything was covered, or the state is being closed, when it had its turn.</returns>
    private async ValueTask<SnapshotInfo?> WriteAsync(bool isAutomatic, IProgress<SnapshotProgress>? progress, CancellationToken cancellationToken)
    {
        ObjectDisposedException.ThrowIf(Volatile.Read(ref _isClosed) != 0, _state);
        using AsyncMutex.Scope turn = await _writing.EnterAsync(cancellationToken).ConfigureAwait(false);
        try
        {
            ObjectDisposedException.ThrowIf(Volatile.Read(ref _isClosed) != 0, _state);
            if (isAutomatic && (IsClosing || (Interlocked.Read(ref _unsaved) == 0 && !Volatile.Read(ref _isOwed)))) return null;
            return await _store.RunAsync(() => Write(progress, cancellationToken), cancellationToken).ConfigureAwait(false);
        }
        catch (Exception e) when (isAutomatic && !(e is ObjectDisposedException && IsClosed))
        {
            // Before the next one may begin: one that is written clears it, in this order, and counts off what this one leaves.
            Failure = e;

            // Not again at once: after as many events as before, or as much time.
            Reset(Interlocked.Read(ref _events), Interlocked.Read(ref _bytes));
            Volatile.Write(ref _isMissed, 0);
            _timer.Begin();
            throw;
        }
    }

    // Somebody waits to close it: whoever goes on applying makes the next one due before the one under way has ended, and turns come in no order.
    private bool IsClosing => Volatile.Read(ref _isClosing) != 0;

    /// <summary>Waits for the checkpoint under way, and for no automatic one that becomes due meanwhile; writes the last one when that is asked for.</summary>
    /// <param name="writesLast">False: not even then.</param>
    /// <returns>False when it was closed before.</returns>
    public bool Close(bool writesLast)
    {
        Volatile.Write(ref _isClosing, 1);
        using (_writing.Enter())
        {
            if (Interlocked.Exchange(ref _isClosed, 1) != 0) return false;
            _timer.Dispose();
            if (writesLast && _options.CheckpointOnDispose && Interlocked.Read(ref _unsaved) > 0) Write(null, CancellationToken.None);
            return true;
        }
    }

    private bool IsDue()
    {
        long events = Interlocked.Read(ref _events);
        return events >= _options.CheckpointEveryEvents || (events > 0 && Interlocked.Read(ref _bytes) >= _options.CheckpointEveryBytes) || (_timer.IsOverInline && Interlocked.Read(ref _unsaved) > 0);
    }

    // The one place where a failure is nobody's to catch: it is kept, logged, and costs a longer replay, no event.
    private async ValueTask RunAsync()
    {
        try
        {
            await WriteAsync(isAutomatic: true, null, CancellationToken.None).ConfigureAwait(false);
        }
        catch (ObjectDisposedException) when (Volatile.Read(ref _isClosed) != 0)
        {
            // It was closed before its turn came: closing wrote the last one, if that was asked for.
        }
        catch (Exception e)
        {
            LogFailure(e, _store.Path, _codec.Schema.Name);
            _store.Opened.Log.Failure.WasOnlyLogged();
        }
        finally
        {
            Interlocked.Exchange(ref _isRunning, 0);
            StartIfMissed();
        }
    }

    // What became due while one was written found it running and went away. Looked at behind a barrier: whoever comes later finds none running.
    private void StartIfMissed()
    {
        // Inline nothing comes while one is written.
        if (_store.Options.RunsInline) return;
        if (IsDue() || (Volatile.Read(ref _isMissed) != 0 && Interlocked.Read(ref _unsaved) > 0)) StartUnlessRunning();
    }

    private SnapshotInfo Write(IProgress<SnapshotProgress>? progress, CancellationToken cancellationToken)
    {
        using IStateCut<TState> cut = _options.StateIsImmutable ? new ReferredState<TState>(_codec, _serializing) : new SerializedState<TState>(_codec, _store.Options.SnapshotLimits, _heldBytes);
        long events = 0, bytes = 0, saved = 0;
        long sequence = _state.Capture(state =>
        {
            cut.Take(state);
            (events, bytes, saved) = (Interlocked.Read(ref _events), Interlocked.Read(ref _bytes), Interlocked.Read(ref _unsaved));
        });
        _heldBytes = cut.HeldBytes;
        cut.Content.Events = _opening.EventsThrough(sequence);
        SnapshotInfo info = Uninterrupted.Await(_store.WriteSnapshotAsync([cut.Content], sequence, progress, cancellationToken, isOfOpenState: true).AsTask());
        Volatile.Write(ref _isOwed, false);
        Reset(events, bytes);
        if (Interlocked.Add(ref _unsaved, -saved) > 0) _timer.Begin();
        Failure = Release(info);
        return info;
    }

    // The snapshot is in force: that the log is kept longer than it need be is told, and no failure of the checkpoint.
    private Exception? Release(SnapshotInfo info)
    {
        try
        {
            _opening.Advance(info.TypeName);
            return null;
        }
        catch (Exception e) when (e is IOException or StoreException)
        {
            LogUnreleased(e, _store.Path, _codec.Schema.Name);
            return e;
        }
    }

    private void Reset(long events, long bytes)
    {
        Interlocked.Add(ref _events, -events);
        Interlocked.Add(ref _bytes, -bytes);
    }

    [LoggerMessage(2, LogLevel.Warning, "{Path}: a checkpoint of '{State}' was written, but that the log before the one before it is not needed any more could not be noted: it stays.")]
    private partial void LogUnreleased(Exception exception, string path, string state);

    [LoggerMessage(1, LogLevel.Warning, "{Path}: an automatic checkpoint of '{State}' failed; the events are in the log, and the next one tries again.")]
    private partial void LogFailure(Exception exception, string path, string state);
}
