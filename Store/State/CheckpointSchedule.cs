// When is a checkpoint of the program's own state due? Told by the log's flushes how far it has come, so that an append costs nothing; asleep while every record is covered.

using Microsoft.Extensions.Logging;
using Store.Log;
using Store.Snapshots;
using Store.Threading;

namespace Store.State;

/// <summary>
/// Writes checkpoints by a <see cref="CheckpointPolicy"/> until it is disposed. Made by <see cref="CheckpointScheduleExtensions.CheckpointEvery(NinoStore, CheckpointPolicy, Func{StateCapture})"/>.
/// Safe for any number of threads; disposed before its store, or by it.
/// </summary>
public sealed partial class CheckpointSchedule : IAsyncDisposable, IDisposable, IStoreCompanion
{
    /// <summary>So often at most it looks how far the log has come while records flow: what is due is noticed so much later.</summary>
    private static readonly TimeSpan Pace = TimeSpan.FromMilliseconds(20);

    // A timer of the system takes 49 days at most.
    private static readonly TimeSpan LongestWait = TimeSpan.FromDays(30);

    // Whose callback this is, in whatever thread or task that has gone on.
    private static readonly AsyncLocal<Call?> Inside = new();

    private readonly NinoStore _store;
    private readonly CheckpointPolicy _policy;
    private readonly Func<CancellationToken, ValueTask<SnapshotInfo>> _checkpoint;
    private readonly bool _endsWhenDisposed;
    private readonly LogProgress _progress;
    private readonly TimeProvider _clock;
    private readonly ILogger _logger;
    private readonly AsyncMutex _writing = new();
    private readonly SnapshotHold _hold;
    private readonly CancellationTokenSource _closing = new();
    private Task _running = Task.CompletedTask;
    private long _covered;
    private long _countedFrom;
    private long _countedBytes;
    private int _closed;

    /// <param name="store">The store.</param>
    /// <param name="policy">When.</param>
    /// <param name="endsWhenDisposed">True when an automatic one under way is cancelled then; false when it is waited for.</param>
    /// <param name="checkpoint">Writes one.</param>
    internal CheckpointSchedule(NinoStore store, CheckpointPolicy policy, bool endsWhenDisposed, Func<CancellationToken, ValueTask<SnapshotInfo>> checkpoint)
    {
        (_store, _policy, _checkpoint, _progress, _clock) = (store, policy, checkpoint, store.Opened.Log.Progress, store.Options.TimeProvider);
        _endsWhenDisposed = endsWhenDisposed;
        _logger = UnfailingLogger.Of<CheckpointSchedule>(store.Options.LoggerFactory);
        _covered = _countedFrom = store.OwnRestore?.Behind ?? store.LastSequence;
        _countedBytes = _progress.WrittenBytes - (store.OwnRestore?.Bytes ?? 0);

        // Everything, until two snapshots of its type are counted as whole, one of them its own: what the state was restored from is not known here, the last restore may have been another's.
        _hold = store.HoldLog("checkpoints of a state of the program's own");
    }

    /// <summary>The last automatic checkpoint's failure, or null when it succeeded or there was none. The log is not concerned; the next one, as much later, tries again.</summary>
    public Exception? CheckpointFailure { get; private set; }

    /// <summary>The last checkpoint it wrote, or null.</summary>
    public SnapshotInfo? Last { get; private set; }

    /// <summary>Writes a checkpoint now, after the one under way. Durable on return.</summary>
    /// <param name="cancellationToken">Cancelling before the snapshot is complete leaves nothing behind.</param>
    /// <exception cref="ObjectDisposedException">The schedule is disposed.</exception>
    /// <exception cref="IOException">Writing failed; earlier snapshots stay.</exception>
    public async ValueTask<SnapshotInfo> CheckpointAsync(CancellationToken cancellationToken = default)
    {
        ObjectDisposedException.ThrowIf(Volatile.Read(ref _closed) != 0, this);
        using AsyncMutex.Scope turn = await _writing.EnterAsync(cancellationToken).ConfigureAwait(false);
        ObjectDisposedException.ThrowIf(Volatile.Read(ref _closed) != 0, this);
        return await WriteAsync(cancellationToken).ConfigureAwait(false);
    }

    /// <summary>
    /// Waits for the checkpoint under way (with <see cref="CheckpointPolicy.OnDispose"/>, writes one), and ends. A callback that writes by itself is told through its token, so that one that waits for items need not be waited for; a
    /// state that was captured is written to its end. Not inside the callback, nor under a lock that the callback takes. The store stays open.
    /// </summary>
    /// <exception cref="IOException">The last checkpoint failed; the schedule is closed all the same.</exception>
    /// <exception cref="InvalidOperationException">Called inside the callback, or in what that has started while it runs: it would wait for the callback to end. Nothing was closed.</exception>
    public void Dispose()
    {
        ThrowIfInsideCallback();
        if (Interlocked.Exchange(ref _closed, 1) != 0) return;
        try
        {
            _closing.Cancel();
            Uninterrupted.Await(_running);
            using (_writing.Enter())
            {
                if (_policy.OnDispose && _store.LastSequence > Volatile.Read(ref _covered)) Uninterrupted.Await(WriteAsync(CancellationToken.None).AsTask());
            }
        }
        finally
        {
            _hold.Dispose();
            _store.Companions.Remove(this);
        }
    }

    /// <inheritdoc cref="Dispose"/>
    public ValueTask DisposeAsync()
    {
        ThrowIfInsideCallback();
        if (!_store.Options.RunsInline) return new ValueTask(Task.Run(Dispose));
        Dispose();
        return ValueTask.CompletedTask;
    }

    bool IStoreCompanion.IsClosed => Volatile.Read(ref _closed) != 0;

    string IStoreCompanion.Title => "a schedule of checkpoints";

    // Its callback is to ask the store for a checkpoint: that is what it is for.
    bool IStoreCompanion.IsInsideCallback => false;

    bool IStoreCompanion.IsClosingForbidden => IsInsideCallback;

    private bool IsInsideCallback
    {
        get
        {
            for (Call? call = Inside.Value; call is not null; call = call.Outer)
                if (call.Schedule == this && !call.HasEnded) return true;
            return false;
        }
    }

    private void ThrowIfInsideCallback()
    {
        if (IsInsideCallback) throw new InvalidOperationException("The callback of a schedule of checkpoints disposes it, which would wait for the callback to end. Do it afterwards.");
    }

    // What the callback writes is a checkpoint of the store, which asks its companions for theirs: answering with another one would never end.
    ValueTask IStoreCompanion.CheckpointAsync(CancellationToken cancellationToken) => ValueTask.CompletedTask;

    /// <summary>The store knows it and closes it. A simulator has one thread, on which nothing runs by itself.</summary>
    internal void Start()
    {
        if (!_store.Options.RunsInline) _running = Task.Run(RunAsync);
    }

    private async Task RunAsync()
    {
        CancellationToken closing = _closing.Token;
        try
        {
            while (!_progress.HasEnded)
            {
                await _progress.WaitAsync(Volatile.Read(ref _covered), durable: false, closing).ConfigureAwait(false);
                await UntilDueAsync(closing).ConfigureAwait(false);
                if (!_progress.HasEnded) await TryWriteAsync(closing).ConfigureAwait(false);
            }
        }
        catch (OperationCanceledException) when (closing.IsCancellationRequested)
        {
            // Disposed.
        }
    }

    private async Task UntilDueAsync(CancellationToken closing)
    {
        long begun = _clock.GetTimestamp();
        while (!_progress.HasEnded)
        {
            long seen = _progress.FlushedThrough;
            TimeSpan left = _policy.Every == TimeSpan.MaxValue ? TimeSpan.MaxValue : _policy.Every - _clock.GetElapsedTime(begun);
            if (left <= TimeSpan.Zero || seen - Volatile.Read(ref _countedFrom) >= _policy.EveryRecords || _progress.WrittenBytes - Volatile.Read(ref _countedBytes) >= _policy.EveryBytes) return;

            // Somebody has written one meanwhile: the time begins with the next record.
            if (seen <= Volatile.Read(ref _covered)) return;
            await ForNewsOrTimeAsync(seen, left, closing).ConfigureAwait(false);
            await Task.Delay(Pace, closing).ConfigureAwait(false);
        }
    }

    private async Task ForNewsOrTimeAsync(long seen, TimeSpan left, CancellationToken closing)
    {
        using var over = CancellationTokenSource.CreateLinkedTokenSource(closing);
        Task news = _progress.WaitAsync(seen, durable: false, over.Token).AsTask();
        if (left == TimeSpan.MaxValue)
        {
            await news.ConfigureAwait(false);
            return;
        }

        Task time = Task.Delay(left < LongestWait ? left : LongestWait, _clock, over.Token);
        await Task.WhenAny(news, time).ConfigureAwait(false);
        await over.CancelAsync().ConfigureAwait(false);
        closing.ThrowIfCancellationRequested();
    }

    // The one place where a failure is nobody's to catch: it is kept, logged, and costs a longer replay, no record.
    private async Task TryWriteAsync(CancellationToken closing)
    {
        using AsyncMutex.Scope turn = await _writing.EnterAsync(closing).ConfigureAwait(false);
        try
        {
            if (_progress.FlushedThrough > Volatile.Read(ref _covered)) await WriteAsync(_endsWhenDisposed ? closing : CancellationToken.None).ConfigureAwait(false);
        }
        catch (OperationCanceledException) when (closing.IsCancellationRequested)
        {
            // Disposed: what it would have covered is in the log, and OnDispose writes it.
        }
        catch (Exception e)
        {
            CheckpointFailure = e;
            LogFailure(e, _store.Path);
            _store.Opened.Log.Failure.WasOnlyLogged();

            // Not again at once: after as many records as before, or as much time.
            CountFromHere();
        }
    }

    private async ValueTask<SnapshotInfo> WriteAsync(CancellationToken cancellationToken)
    {
        (long bytes, long through) = (_progress.WrittenBytes, _progress.FlushedThrough);

        // It may wait for the disk where it is called: not on the thread of who asked.
        ValueTask<SnapshotInfo> write = _store.Options.RunsInline ? CallAsync(cancellationToken) : new(Task.Run(() => CallAsync(cancellationToken).AsTask(), CancellationToken.None));
        SnapshotInfo info = await write.ConfigureAwait(false) ?? throw new InvalidOperationException("The callback of a checkpoint that was due wrote none.");
        Volatile.Write(ref _countedBytes, bytes);
        Volatile.Write(ref _countedFrom, Math.Max(info.Sequence, through));

        // A state that stands where it stood has nothing to do with the records that came since: waiting for it to go on would be writing it for ever.
        Volatile.Write(ref _covered, Last is { } last && last.Sequence == info.Sequence ? Math.Max(info.Sequence, through) : info.Sequence);

        // One that is damaged or that nobody has counted releases nothing: this one may turn out to be damaged too.
        if (_store.SnapshotReachOf(info.TypeName) is { } reach) _hold.Sequence = Math.Max(_hold.Sequence, reach);
        Last = info;
        CheckpointFailure = null;
        return info;
    }

    // What is set here is seen by the callback and what it starts, and by nobody else.
    private async ValueTask<SnapshotInfo> CallAsync(CancellationToken cancellationToken)
    {
        var call = new Call(this, Inside.Value is { HasEnded: true } ended ? ended.Outer : Inside.Value);
        Inside.Value = call;
        try
        {
            return await _checkpoint(cancellationToken).ConfigureAwait(false);
        }
        finally
        {
            call.HasEnded = true;
        }
    }

    private void CountFromHere()
    {
        Volatile.Write(ref _countedFrom, _progress.FlushedThrough);
        Volatile.Write(ref _countedBytes, _progress.WrittenBytes);
    }

    [LoggerMessage(1, LogLevel.Warning, "{Path}: an automatic checkpoint failed; the records are in the log, and the next one tries again.")]
    private partial void LogFailure(Exception exception, string path);

    /// <summary>One call of a callback. What it has started and goes on afterwards is not inside it any more.</summary>
    private sealed class Call(CheckpointSchedule schedule, Call? outer)
    {
        private volatile bool _hasEnded;

        public CheckpointSchedule Schedule => schedule;

        public Call? Outer => outer;

        public bool HasEnded
        {
            get => _hasEnded;
            set => _hasEnded = value;
        }
    }
}
