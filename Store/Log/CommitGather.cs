// How long may a sync be held back for more to join it? Until the delay is over, counted from the first who waits, or until there are bytes enough.

namespace Store.Log;

/// <summary>The delay of group commit (<see cref="NinoStoreOptions.CommitDelayMs"/>, <see cref="NinoStoreOptions.CommitBytes"/>). Every member is called under the log's gate.</summary>
internal sealed class CommitGather(NinoStoreOptions options)
{
    // By the store's clock; null when nobody has come, and when the clock failed.
    private long? _firstCame;

    /// <summary>Somebody waits for the disk, and nobody did before.</summary>
    public void FirstCame()
    {
        if (options.CommitDelayMs > 0) _firstCame = Now();
    }

    /// <summary>What is left of the delay when so many bytes wait to be written; 0 when the sync is to begin.</summary>
    public int RemainingMs(long waitingBytes)
    {
        if (options.CommitDelayMs == 0 || waitingBytes >= options.CommitBytes || _firstCame is not { } first || Now() is not { } now) return 0;
        double passedMs = options.TimeProvider.GetElapsedTime(first, now).TotalMilliseconds;
        return passedMs >= options.CommitDelayMs ? 0 : (int)Math.Ceiling(Math.Min(options.CommitDelayMs, options.CommitDelayMs - passedMs));
    }

    // The clock is the caller's code and may throw. The record is appended by then, and only a delay rests on it: without the time there is none.
    private long? Now()
    {
        try
        {
            return options.TimeProvider.GetTimestamp();
        }
        catch (Exception)
        {
            return null;
        }
    }
}
