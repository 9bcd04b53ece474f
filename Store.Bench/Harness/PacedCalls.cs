// How long does a caller wait who comes when he comes? Calls are due at a fixed rate, whatever the ones before took, and each is timed from when it was due: one that is held up delays those behind it, and they
// count as late too. A loop that waits for each call before it makes the next would count a pause once, however many it would have met.

using System.Diagnostics;

namespace Store.Bench.Harness;

/// <summary>Calls something at a fixed rate on the calling thread, and keeps how long after its time each call was through, in microseconds.</summary>
/// <param name="call">What is called, with the number of the call: 0, 1, 2, … over all stretches.</param>
/// <param name="expectedCalls">So many are added without allocating.</param>
public sealed class PacedCalls(Action<long> call, int expectedCalls = 0)
{
    /// <summary>How many are due in a second.</summary>
    public const int PerSecond = 10_000;

    private static readonly double TicksPerUs = Stopwatch.Frequency / 1e6;

    /// <summary>Calls made, over all stretches.</summary>
    public long Count { get; private set; }

    /// <summary>One of each call.</summary>
    public Samples Waits { get; } = new(expectedCalls);

    /// <summary>The longest of each stretch.</summary>
    public Samples Longest { get; } = new();

    /// <summary>Makes what is due until it ends, and at least one call.</summary>
    /// <param name="goesOn">Asked before each call but the first.</param>
    /// <returns>How long it took.</returns>
    public TimeSpan RunWhile(Func<bool> goesOn)
    {
        long started = Stopwatch.GetTimestamp();
        double longest = 0;
        for (long i = 0; i == 0 || goesOn(); i++)
        {
            long due = started + (i * Stopwatch.Frequency / PerSecond);
            WaitUntil(due);
            call(Count++);
            double wait = (Stopwatch.GetTimestamp() - due) / TicksPerUs;
            Waits.Add(wait);
            longest = Math.Max(longest, wait);
        }

        Longest.Add(longest);
        return Stopwatch.GetElapsedTime(started);
    }

    /// <summary>As the other form, for so long.</summary>
    public void RunFor(TimeSpan time)
    {
        long started = Stopwatch.GetTimestamp();
        RunWhile(() => Stopwatch.GetElapsedTime(started) < time);
    }

    /// <summary>The row of all calls.</summary>
    public StoreRow ToRow(StoreTable table, string row, string peer) => StoreRow.Of(table, row, peer, Waits) with { Min = null, Max = Waits.Percentile(100) };

    /// <summary>The row of the longest of each stretch.</summary>
    public StoreRow ToLongestRow(StoreTable table, string row, string peer) => StoreRow.Of(table, row, peer, Longest) with { Min = null, Max = Longest.Percentile(100) };

    // Neither asleep nor yielding: both come back when the system likes.
    private static void WaitUntil(long due)
    {
        while (Stopwatch.GetTimestamp() < due) Thread.SpinWait(8);
    }
}
