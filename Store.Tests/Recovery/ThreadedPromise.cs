// What had the threads of a log been told when the power failed? Kept under the lock of the simulated disk, so that every call of the disk has either happened before somebody was told of something, or after it.

using Store.Tests.Simulation;

namespace Store.Tests.Recovery;

/// <summary>The promises of one moment: between them every state after a crash must lie.</summary>
/// <param name="Durable">The last sequence that survives a power failure for certain.</param>
/// <param name="InFiles">The last sequence that survives the end of the process for certain, where it is the higher one.</param>
/// <param name="Removed">The log begins here or later.</param>
/// <param name="MayBeRemoved">The log begins here or earlier: nothing more was given up by anybody.</param>
/// <param name="Closed">The last sequence when the log was closed, as far as an opening has found it again, with or without a torn tail behind its closing mark; null when it was not.</param>
/// <param name="Closing">The last sequence while the log is being closed, and afterwards.</param>
internal sealed record ThreadedPromise(long Durable, long InFiles, long Removed, long MayBeRemoved, long? Closed = null, long? Closing = null)
{
    /// <summary>Of a log that does not exist yet.</summary>
    public static ThreadedPromise Nothing { get; } = new(0, 0, 1, 1);
}

/// <summary>The disk before one of its calls, and what was promised then.</summary>
/// <param name="Operation">The number of the call.</param>
/// <param name="What">The call.</param>
/// <param name="By">Whose thread makes it.</param>
/// <param name="Image">What a power failure would find instead of it.</param>
/// <param name="Killed">The folder when the process was killed instead of it, for some of the calls.</param>
/// <param name="Promise">What had been promised by then.</param>
internal sealed record ThreadedMoment(long Operation, string What, string By, CrashImage Image, SimDirectory? Killed, ThreadedPromise Promise);

/// <summary>What has been promised so far, by one opening of a log. Any thread.</summary>
/// <param name="directory">The disk, whose lock it is kept under.</param>
/// <param name="before">What was promised by the openings before.</param>
internal sealed class ThreadedPromises(SimDirectory directory, ThreadedPromise before)
{
    private ThreadedPromise _now = before;

    /// <summary>The promises of this moment.</summary>
    public ThreadedPromise Now
    {
        get
        {
            lock (directory.Gate) return _now;
        }
    }

    /// <summary>The log was opened: what was found is on the disk. Where all that came after a closing mark was torn and is cut, the log ends with that mark again, as it did when it was closed.</summary>
    public void Opened(NinoStore store) => Change(now => now with
    {
        Durable = store.LastSequence,
        InFiles = store.LastSequence,
        Closed = store.Recovery.CleanClose || now.Closed == store.LastSequence || now.Closing == store.LastSequence ? store.LastSequence : null,
        Closing = null,
    });

    /// <summary>Somebody was told that everything up to a sequence is on the disk.</summary>
    public void Durable(long sequence) => Change(now => now with { Durable = Math.Max(now.Durable, sequence) });

    /// <summary>Somebody was told that the operating system has everything up to a sequence, or has read it from there.</summary>
    public void InFiles(long sequence) => Change(now => now with { InFiles = Math.Max(now.InFiles, sequence) });

    /// <summary>Somebody asks for the removal of what comes before a sequence.</summary>
    public void Truncating(long before) => Change(now => now with { MayBeRemoved = Math.Max(now.MayBeRemoved, before) });

    /// <summary>Somebody was told that the log begins with a sequence.</summary>
    public void Truncated(long first) => Change(now => now with { Removed = Math.Max(now.Removed, first) });

    /// <summary>The log is about to be closed.</summary>
    public void Closing(long last) => Change(now => now with { Closing = last });

    private void Change(Func<ThreadedPromise, ThreadedPromise> change)
    {
        lock (directory.Gate) _now = change(_now);
    }
}
