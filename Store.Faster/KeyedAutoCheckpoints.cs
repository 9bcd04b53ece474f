// When does a keyed state write a checkpoint by itself? After so many changes, bytes of them, or so much time. Counted in the stripes, whose locks every change holds anyway, and added up
// only now and then: the count costs a change no locked instruction.

using System.Numerics;
using Microsoft.Extensions.Logging;
using Store.Faster.Engine;
using Store.Threading;

namespace Store.Faster;

/// <summary>The automatic checkpoints of one keyed state. Safe for any number of threads.</summary>
internal sealed partial class KeyedAutoCheckpoints : IDisposable
{
    private readonly KeyedCore _core;
    private readonly KeyedCheckpoints _checkpoints;
    private readonly Countdown _timer;
    private readonly bool _isTimed;
    private readonly bool _runsInline;
    private readonly long _looksMask;
    private readonly int _looksShift;
    private long _changesBefore;
    private long _bytesBefore;

    // As they were before the line of the checkpoint under way; for who has the turn to write.
    private long _changesBeforeLine;
    private long _bytesBeforeLine;
    private int _isRunning;

    // 1 from the first change that no checkpoint covers on, while the time counts.
    private int _isCounting;

    // 1 when the time was over while one was under way: one comes when that ends, unless the time began anew meanwhile.
    private int _isOver;

    /// <param name="core">The state.</param>
    /// <param name="checkpoints">Its checkpoints.</param>
    /// <param name="replayed">What opening read from the log and no checkpoint has.</param>
    /// <param name="failure">Why the last checkpoint that was due while it was opened was not written, or null.</param>
    /// <param name="time">The clock.</param>
    /// <param name="runsInline">Checkpoints run on the thread whose change made them due: for simulators.</param>
    public KeyedAutoCheckpoints(KeyedCore core, KeyedCheckpoints checkpoints, ReplayedChanges replayed, Exception? failure, TimeProvider time, bool runsInline)
    {
        (_core, _checkpoints, _runsInline, _changesBefore, _bytesBefore, Failure) = (core, checkpoints, runsInline, -replayed.Changes, -replayed.Bytes, failure);
        _isTimed = core.Options.CheckpointEvery != TimeSpan.MaxValue;

        // All stripes together overshoot by a quarter at most. A power of two, so that a change costs no division.
        int looksEvery = !_isTimed || !runsInline ? (int)Math.Clamp(core.Options.CheckpointEveryChanges / (4 * KeyStripe.Count), 1, 64) : 1;
        _looksMask = (1L << BitOperations.Log2((uint)looksEvery)) - 1;
        _looksShift = BitOperations.Log2((ulong)Math.Max(1, core.Options.CheckpointEveryBytes / (4 * KeyStripe.Count)));
        checkpoints.CutLocked = CountFromLine;
        checkpoints.Written = Cover;
        checkpoints.GivenUp = CountAgain;
        _timer = new Countdown(time, core.Options.CheckpointEvery, runsInline, StartIfMissed);
        _timer.Open();

        // Also where none of them is to be counted: the last one that was replayed made one due, and it failed.
        if (replayed.Changes > 0 || checkpoints.MissesChanges) BeginTime();
    }

    /// <summary>What failed when a checkpoint was due, or null: none was, or one was written since.</summary>
    public Exception? Failure { get; private set; }

    /// <summary>Counts a change, under its stripe's lock.</summary>
    /// <returns>True when <see cref="StartIfDue"/> should be called, with no lock held.</returns>
    public bool NoteLocked(ref Stripe stripe, int lengthBytes)
    {
        long before = stripe.Bytes, bytes = before + lengthBytes;
        stripe.Bytes = bytes;

        // Whoever reads it without the lock sees the change that it counts.
        long changes = stripe.Changes + 1;
        Volatile.Write(ref stripe.Changes, changes);
        return (changes & _looksMask) == 0 || before >> _looksShift != bytes >> _looksShift || (_isTimed && Volatile.Read(ref _isCounting) == 0);
    }

    /// <summary>Starts a checkpoint in the background when one is due and none is under way. Called behind a change.</summary>
    public void StartIfDue()
    {
        BeginTime();
        StartIfDueAlready();
    }

    /// <summary>As <see cref="StartIfDue"/>, where there may have been no change: what opening replayed makes one due too, and what a checkpoint was to cover that was given up.</summary>
    public void StartIfDueAlready()
    {
        if (IsDue()) StartUnlessRunning();
    }

    /// <summary>No more by time.</summary>
    public void Dispose() => _timer.Dispose();

    private bool IsDue()
    {
        (long changes, long bytes) = _core.Stripes.Totals();
        changes -= Volatile.Read(ref _changesBefore);
        return changes > 0 && (changes >= _core.Options.CheckpointEveryChanges || bytes - Volatile.Read(ref _bytesBefore) >= _core.Options.CheckpointEveryBytes || _timer.IsOverInline);
    }

    private void BeginTime()
    {
        if (_isTimed && Interlocked.Exchange(ref _isCounting, 1) == 0) _timer.Begin();
    }

    // The time is over. Noted before one that is under way is looked at: either this finds none, or that one finds the note when it ends.
    private void StartIfMissed()
    {
        if (_core.Health.IsClosed) return;
        if (_checkpoints.MissesChanges)
        {
            Interlocked.Exchange(ref _isOver, 1);
            StartUnlessRunning();
            return;
        }

        EndTime();
    }

    // A change that came while it counted still has not begun the time, nor has one that came behind the line of a checkpoint that took longer than the time: looked at once more behind a barrier.
    private void EndTime()
    {
        if (!_isTimed || _core.Health.IsClosed) return;
        Volatile.Write(ref _isOver, 0);
        Interlocked.Exchange(ref _isCounting, 0);
        if (_checkpoints.MissesChanges) BeginTime();
    }

    private void StartUnlessRunning()
    {
        if (Interlocked.Exchange(ref _isRunning, 1) != 0) return;
        Volatile.Write(ref _isOver, 0);
        if (_runsInline) RunAsync().GetAwaiter().GetResult();
        else _ = Task.Run(RunAsync);
    }

    // The one place where a failure is nobody's to catch: it is kept, logged, and costs a longer replay, no change.
    private async Task RunAsync()
    {
        try
        {
            await _checkpoints.WriteAsync(CancellationToken.None, KeepFailure).ConfigureAwait(false);
        }
        catch (ObjectDisposedException) when (_core.Health.IsClosed)
        {
            // Closed meanwhile: what it would have covered is in the log.
        }
        catch (Exception e)
        {
            LogFailure(_core.Logger, e, _core.Format.Name);
            _core.Log.FailureWasOnlyLogged();

            // Not again at once: after as many changes as before, or as much time.
            CountFromHere();
            EndTime();
        }
        finally
        {
            // Not the time of what came behind its line, which began with it: removing old files may take long.
            Interlocked.Exchange(ref _isRunning, 0);
            StartIfMissedMeanwhile();
        }
    }

    // What became due while one was written found it running and went away. Looked at behind a barrier: whoever comes later finds none running. Inline nothing comes while one is written.
    private void StartIfMissedMeanwhile()
    {
        if (_runsInline || !_core.Health.IsUsable) return;
        if ((IsDue() || Volatile.Read(ref _isOver) != 0) && _checkpoints.MissesChanges) StartUnlessRunning();
    }

    // Closed meanwhile is none.
    private void KeepFailure(Exception failure) => Failure = failure is ObjectDisposedException && _core.Health.IsClosed ? Failure : failure;

    // With every stripe held. What the checkpoint is to cover counts no more, or every change would ask for another one while it is written; until it is in force it may have to count again.
    private void CountFromLine()
    {
        (_changesBeforeLine, _bytesBeforeLine) = (Volatile.Read(ref _changesBefore), Volatile.Read(ref _bytesBefore));
        CountFromHere();
    }

    // It is in force. Of what came behind its line the time begins now.
    private void Cover()
    {
        Failure = null;
        EndTime();
    }

    // It was given up behind its line: nothing is covered. Its time goes on, too.
    private void CountAgain()
    {
        Volatile.Write(ref _changesBefore, _changesBeforeLine);
        Volatile.Write(ref _bytesBefore, _bytesBeforeLine);
    }

    private void CountFromHere()
    {
        (long changes, long bytes) = _core.Stripes.Totals();
        Volatile.Write(ref _changesBefore, changes);
        Volatile.Write(ref _bytesBefore, bytes);
    }

    [LoggerMessage(1, LogLevel.Warning, "An automatic checkpoint of the keyed state '{Name}' failed; the changes are in the log, and the next one tries again.")]
    private static partial void LogFailure(ILogger logger, Exception exception, string name);
}
