// When is a checkpoint due, and how is it written beside the events that go on? Counted by events, bytes and time; one at a time; the state stands still only while
// it is serialized into memory.

using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Logging.Abstractions;
using Store.Serialization;
using Store.Snapshots;

namespace Store.State;

/// <summary>Takes what it needs of a state that stands still.</summary>
internal interface IStateCapture<TState>
{
    void Take(TState state);
}

/// <summary>The checkpoints of one state. Safe for any number of threads; <see cref="Note"/> by the thread that holds the state's lock.</summary>
internal sealed partial class StateCheckpoints<TState> where TState : class, new()
{
    private readonly StateStore<TState> _state;
    private readonly NinoStore _store;
    private readonly StateOptions _options;
    private readonly ILogger _logger;
    private readonly NinoCodec<TState> _codec = NinoCodec<TState>.Default;
    private readonly SemaphoreSlim _writing = new(1);
    private long _events;
    private long _bytes;

    // Events behind the last snapshot; those above are counted from the last attempt.
    private long _unsaved;
    private long _lastTicks;
    private int _isRunning;
    private int _isClosed;

    /// <param name="state">The state.</param>
    /// <param name="store">Its store.</param>
    /// <param name="options">When a checkpoint is due.</param>
    /// <param name="replayed">Records that opening has replayed: no snapshot covers them.</param>
    public StateCheckpoints(StateStore<TState> state, NinoStore store, StateOptions options, long replayed)
    {
        (_state, _store, _options, _events, _unsaved) = (state, store, options, replayed, replayed);
        _logger = store.Options.LoggerFactory?.CreateLogger("NinoStore.State") ?? NullLogger.Instance;
        if (options.CheckpointEvery != TimeSpan.MaxValue) _lastTicks = store.Options.TimeProvider.GetUtcNow().UtcTicks;
    }

    /// <summary>What failed when a checkpoint was due, or null: none was, or one was written since.</summary>
    public Exception? Failure { get; private set; }

    /// <summary>Counts events that were applied.</summary>
    public void Note(long events, long bytes)
    {
        Interlocked.Add(ref _events, events);
        Interlocked.Add(ref _unsaved, events);
        Interlocked.Add(ref _bytes, bytes);
    }

    /// <summary>Starts a checkpoint in the background when one is due and none is under way. Never waits, except in a simulator, where it runs here.</summary>
    public void StartIfDue()
    {
        if (!IsDue() || Interlocked.Exchange(ref _isRunning, 1) != 0) return;
        if (_store.Options.RunsInline) RunAsync().AsTask().GetAwaiter().GetResult();
        else _ = Task.Run(() => RunAsync().AsTask());
    }

    /// <summary>Writes a checkpoint, after the one under way.</summary>
    public ValueTask<SnapshotInfo> WriteAsync(CancellationToken cancellationToken) => WriteAsync(isAutomatic: false, cancellationToken);

    private async ValueTask<SnapshotInfo> WriteAsync(bool isAutomatic, CancellationToken cancellationToken)
    {
        ObjectDisposedException.ThrowIf(Volatile.Read(ref _isClosed) != 0, _state);
        await _writing.WaitAsync(cancellationToken).ConfigureAwait(false);
        try
        {
            ObjectDisposedException.ThrowIf(Volatile.Read(ref _isClosed) != 0, _state);
            return await _store.RunAsync(() => Write(cancellationToken), cancellationToken).ConfigureAwait(false);
        }
        catch (Exception e) when (isAutomatic)
        {
            // Before the next one may begin: one that is written clears it, in this order.
            Failure = e;
            throw;
        }
        finally
        {
            _writing.Release();
        }
    }

    /// <summary>Waits for the checkpoint under way; writes the last one when that is asked for.</summary>
    /// <returns>False when it was closed before.</returns>
    public bool Close()
    {
        _writing.Wait();
        try
        {
            if (Interlocked.Exchange(ref _isClosed, 1) != 0) return false;
            if (_options.CheckpointOnDispose && Interlocked.Read(ref _unsaved) > 0) Write(CancellationToken.None);
            return true;
        }
        finally
        {
            _writing.Release();
        }
    }

    private bool IsDue()
    {
        long events = Interlocked.Read(ref _events);
        if (events == 0) return false;
        return events >= _options.CheckpointEveryEvents || Interlocked.Read(ref _bytes) >= _options.CheckpointEveryBytes
            || (_options.CheckpointEvery != TimeSpan.MaxValue && _store.Options.TimeProvider.GetUtcNow().UtcTicks - Interlocked.Read(ref _lastTicks) >= _options.CheckpointEvery.Ticks);
    }

    // The one place where a failure is nobody's to catch: it is kept, logged, and costs a longer replay, no event.
    private async ValueTask RunAsync()
    {
        try
        {
            await WriteAsync(isAutomatic: true, CancellationToken.None).ConfigureAwait(false);
        }
        catch (Exception e)
        {
            LogFailure(e, _store.Path, _codec.Schema.Name);

            // Not again at once: after as many events as before, or as much time.
            Reset(Interlocked.Read(ref _events), Interlocked.Read(ref _bytes));
        }
        finally
        {
            Volatile.Write(ref _isRunning, 0);
        }
    }

    private SnapshotInfo Write(CancellationToken cancellationToken)
    {
        using var image = new StateImage();
        var capture = new Image(_codec, image);
        long events = 0, bytes = 0, saved = 0;
        capture.Taken = () => (events, bytes, saved) = (Interlocked.Read(ref _events), Interlocked.Read(ref _bytes), Interlocked.Read(ref _unsaved));
        long sequence = _state.Capture(capture);
        SnapshotInfo info = _store.WriteSnapshotAsync([new SnapshotImage("", _codec.Schema, image)], sequence, null, cancellationToken).AsTask().GetAwaiter().GetResult();
        Reset(events, bytes);
        Interlocked.Add(ref _unsaved, -saved);
        Failure = null;
        return info;
    }

    private void Reset(long events, long bytes)
    {
        Interlocked.Add(ref _events, -events);
        Interlocked.Add(ref _bytes, -bytes);
        if (_options.CheckpointEvery != TimeSpan.MaxValue) Interlocked.Exchange(ref _lastTicks, _store.Options.TimeProvider.GetUtcNow().UtcTicks);
    }

    [LoggerMessage(1, LogLevel.Warning, "{Path}: an automatic checkpoint of '{State}' failed; the events are in the log, and the next one tries again.")]
    private partial void LogFailure(Exception exception, string path, string state);

    private sealed class Image(NinoCodec<TState> codec, StateImage image) : IStateCapture<TState>
    {
        public Action? Taken { get; set; }

        public void Take(TState state)
        {
            var writer = new NinoWriter(image);
            codec.WriteRecord(ref writer, in state);
            writer.Flush();
            Taken?.Invoke();
        }
    }
}
