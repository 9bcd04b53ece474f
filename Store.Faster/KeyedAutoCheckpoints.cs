// When does a keyed state write a checkpoint by itself? After so many changes, bytes of them, or so much time. Counted in the stripes, whose locks every change holds anyway, and added up
// only now and then: the count costs a change no locked instruction.

using System.Numerics;
using Microsoft.Extensions.Logging;

namespace Store.Faster;

/// <summary>The automatic checkpoints of one keyed state. Safe for any number of threads.</summary>
internal sealed partial class KeyedAutoCheckpoints
{
    private readonly KeyedCore _core;
    private readonly KeyedCheckpoints _checkpoints;
    private readonly TimeProvider _time;
    private readonly bool _runsInline;
    private readonly long _looksMask;
    private long _changesBefore;
    private long _bytesBefore;
    private long _lastTicks;
    private int _isRunning;

    /// <param name="core">The state.</param>
    /// <param name="checkpoints">Its checkpoints.</param>
    /// <param name="replayed">Changes that opening read from the log: no checkpoint has them.</param>
    /// <param name="time">The clock.</param>
    /// <param name="runsInline">Checkpoints run on the thread whose change made them due: for simulators.</param>
    public KeyedAutoCheckpoints(KeyedCore core, KeyedCheckpoints checkpoints, long replayed, TimeProvider time, bool runsInline)
    {
        (_core, _checkpoints, _time, _runsInline, _changesBefore) = (core, checkpoints, time, runsInline, -replayed);

        // All stripes together overshoot by a quarter at most. A power of two, so that a change costs no division.
        int looksEvery = core.Options.CheckpointEvery == TimeSpan.MaxValue ? (int)Math.Clamp(core.Options.CheckpointEveryChanges / (4 * StripedLocks.Count), 1, 64) : 1;
        _looksMask = (1L << BitOperations.Log2((uint)looksEvery)) - 1;
        _lastTicks = time.GetTimestamp();
        checkpoints.CutLocked = CountFromHereLocked;
        checkpoints.Written = () => Failure = null;
    }

    /// <summary>What failed when a checkpoint was due, or null: none was, or one was written since.</summary>
    public Exception? Failure { get; private set; }

    /// <summary>Counts a change, under its stripe's lock.</summary>
    /// <returns>True when <see cref="StartIfDue"/> should be called, with no lock held.</returns>
    public bool NoteLocked(ref Stripe stripe, int lengthBytes)
    {
        stripe.Bytes += lengthBytes;
        return (++stripe.Changes & _looksMask) == 0;
    }

    /// <summary>Starts a checkpoint in the background when one is due and none is under way.</summary>
    public void StartIfDue()
    {
        if (!IsDue() || Interlocked.Exchange(ref _isRunning, 1) != 0) return;
        if (_runsInline) RunAsync().GetAwaiter().GetResult();
        else _ = Task.Run(RunAsync);
    }

    private bool IsDue()
    {
        (long changes, long bytes) = _core.Stripes.Totals();
        changes -= Volatile.Read(ref _changesBefore);
        if (changes <= 0) return false;
        return changes >= _core.Options.CheckpointEveryChanges || bytes - Volatile.Read(ref _bytesBefore) >= _core.Options.CheckpointEveryBytes
            || (_core.Options.CheckpointEvery != TimeSpan.MaxValue && _time.GetElapsedTime(Volatile.Read(ref _lastTicks)) >= _core.Options.CheckpointEvery);
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

            // Not again at once: after as many changes as before, or as much time.
            CountFromHereLocked();
        }
        finally
        {
            Volatile.Write(ref _isRunning, 0);
        }
    }

    // Closed meanwhile is none.
    private void KeepFailure(Exception failure) => Failure = failure is ObjectDisposedException && _core.Health.IsClosed ? Failure : failure;

    private void CountFromHereLocked()
    {
        (long changes, long bytes) = _core.Stripes.Totals();
        Volatile.Write(ref _changesBefore, changes);
        Volatile.Write(ref _bytesBefore, bytes);
        Volatile.Write(ref _lastTicks, _time.GetTimestamp());
    }

    [LoggerMessage(1, LogLevel.Warning, "An automatic checkpoint of the keyed state '{Name}' failed; the changes are in the log, and the next one tries again.")]
    private static partial void LogFailure(ILogger logger, Exception exception, string name);
}
