// A Hashtable has no chains: a key that finds its place taken steps on by a width of its own, until one is free. Which keys meet follows from all that are
// there, so the steps are walked over the places alone. BucketTests compares them with those of a Hashtable.

using System.Buffers;
using System.Collections;

namespace Store.Serialization.Codecs;

internal static class HashtableProbes
{
    // Above that, what a Hashtable makes of a number cannot be told beforehand.
    private const int MaxPlaces = 5_999_471;

    private const float Load = 0.72f;

    /// <summary>Counts what adding these keys to a <see cref="Hashtable"/> takes, and tells what to make room for in it. Nothing is counted for few of them.</summary>
    /// <exception cref="NinoSerializationException">More than the record may take.</exception>
    public static int Room(ref NinoReader reader, KeyValuePair<object, object>[] pairs)
    {
        if (pairs.Length <= KeyChains.FreeKeys) return 0;
        int places = BucketCounts.AtLeast((int)Math.Min(pairs.Length / Load + 2, BucketCounts.Max));
        if (places > MaxPlaces)
        {
            // All are taken for keys that meet.
            reader.SpendKeyComparisons((long)pairs.Length * pairs.Length / 2);
            return 0;
        }

        byte[] taken = ArrayPool<byte>.Shared.Rent(places);
        taken.AsSpan(0, places).Clear();
        foreach (ref readonly KeyValuePair<object, object> pair in pairs.AsSpan())
        {
            int steps = Take(taken, (uint)places, (uint)pair.Key.GetHashCode() & 0x7FFFFFFF);
            if (steps > KeyChains.FreeLength) reader.SpendKeyComparisons(steps - KeyChains.FreeLength);
        }

        ArrayPool<byte>.Shared.Return(taken);
        return (int)(places * Load);
    }

    /// <summary>Takes the place of a key.</summary>
    /// <returns>How many were taken before.</returns>
    private static int Take(byte[] taken, uint places, uint hash)
    {
        uint width = 1 + hash * 101 % (places - 1), place = hash % places;
        int steps = 0;
        while (taken[place] != 0)
        {
            place = (uint)(((ulong)place + width) % places);
            steps++;
        }

        taken[place] = 1;
        return steps;
    }
}
