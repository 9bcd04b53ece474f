// How long may a sync be held back for more to join it? Until the delay is over, counted from the first who waits, or until there are bytes enough.

namespace Store.Log;

/// <summary>The delay of group commit (<see cref="NinoStoreOptions.CommitDelayMs"/>, <see cref="NinoStoreOptions.CommitBytes"/>). Every member is called under the log's gate.</summary>
internal sealed class CommitGather(NinoStoreOptions options)
{
    // By the store's clock; null when nobody has come, and when the clock failed.
    private long? _firstCame;

    private bool _hasBegun;

    /// <summary>True when there is a delay.</summary>
    public bool Delays => options.CommitDelayMs > 0;

    /// <summary>Somebody waits for the disk. The first since the last sync began begins the delay.</summary>
    public void Came()
    {
        if (options.CommitDelayMs == 0 || _hasBegun) return;
        _hasBegun = true;
        _firstCame = Now();
    }

    /// <summary>A sync begins, which serves everybody who came so far.</summary>
    public void SyncBegins() => (_hasBegun, _firstCame) = (false, null);

    /// <summary>What is left of the delay when so many bytes wait to be written; 0 when the sync is to begin.</summary>
    public int RemainingMs(long waitingBytes)
    {
        if (options.CommitDelayMs == 0 || waitingBytes >= options.CommitBytes || _firstCame is not { } first || PassedMs(first) is not { } passedMs) return 0;
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

    // As above: how fast its timestamps run is the clock's to say, too.
    private double? PassedMs(long first)
    {
        try
        {
            return options.TimeProvider.GetElapsedTime(first, options.TimeProvider.GetTimestamp()).TotalMilliseconds;
        }
        catch (Exception)
        {
            return null;
        }
    }
}
