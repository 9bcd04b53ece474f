namespace Store.Reading;

/// <summary>What bytes are that do not verify at the end of a log.</summary>
internal enum TailAnswer
{
    /// <summary>They may be whole by now.</summary>
    LookAgain,

    /// <summary>Nobody is writing them.</summary>
    Damage,

    /// <summary>The log has gone on for as long as it was waited for: what its writer is at just now, unless there is a frame behind it.</summary>
    Written,
}

/// <summary>
/// One walk's waits for frames that a live writer has begun to write, which look torn for a moment. So often at one place, and again at the next when the frame became whole; and not for ever,
/// for the writer may never rest.
/// </summary>
/// <param name="isBeingWritten">True when the file was written to just now.</param>
internal sealed class WriterPatience(Func<bool> isBeingWritten)
{
    private const int WaitsAtOnePlace = 10, WaitsInAll = 100, WaitMs = 20;

    private long _place = -1;
    private int _waits;
    private int _all;

    /// <summary>A frame verifies: the one that was waited for, or another.</summary>
    public void Met(long offset)
    {
        if (offset == _place) _waits = 0;
    }

    /// <summary>Waits a moment, where that may help.</summary>
    public TailAnswer At(long offset)
    {
        _place = offset;
        if (_waits == WaitsAtOnePlace || !isBeingWritten()) return TailAnswer.Damage;
        if (_all == WaitsInAll) return TailAnswer.Written;
        _waits++;
        _all++;
        Thread.Sleep(WaitMs);
        return TailAnswer.LookAgain;
    }
}
