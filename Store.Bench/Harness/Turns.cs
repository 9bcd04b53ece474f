// In which order do peers take their turns? Not in one that goes round: there each would always come after the same other one, and begin with the caches, the disk queue and the background work that it leaves.

namespace Store.Bench.Harness;

/// <summary>Orders of turns: the same in every run, and of every round another one.</summary>
public static class Turns
{
    private const ulong SeedOfFirsts = 1UL << 63;

    /// <summary>The order of one round. In as many rounds as there are peers each is first once; who comes before whom is left to chance.</summary>
    /// <param name="round">Its number, from 0.</param>
    /// <param name="count">How many peers there are.</param>
    public static int[] Order(long round, int count)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(round);
        ArgumentOutOfRangeException.ThrowIfNegativeOrZero(count);
        int first = Shuffled(SeedOfFirsts | (ulong)(round / count), count)[round % count];
        int[] order = Shuffled((ulong)round, count);
        int at = Array.IndexOf(order, first);
        (order[0], order[at]) = (order[at], order[0]);
        return order;
    }

    // Fisher and Yates, from numbers that do not resemble those of the round before, as those of Random with the next seed would.
    private static int[] Shuffled(ulong seed, int count)
    {
        int[] order = [.. Enumerable.Range(0, count)];
        ulong state = Mixed(seed);
        for (int i = count - 1; i > 0; i--)
        {
            state = Mixed(state);
            int other = (int)(state % (ulong)(i + 1));
            (order[i], order[other]) = (order[other], order[i]);
        }
        return order;
    }

    // SplitMix64 (Steele, Lea, Flood: Fast splittable pseudorandom number generators, 2014).
    private static ulong Mixed(ulong value)
    {
        value += 0x9E3779B97F4A7C15;
        value = (value ^ (value >> 30)) * 0xBF58476D1CE4E5B9;
        value = (value ^ (value >> 27)) * 0x94D049BB133111EB;
        return value ^ (value >> 31);
    }
}
