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

    /// <summary>How many places the table of a <see cref="System.Collections.Specialized.HybridDictionary"/> has while it grows, as far as keys are counted in it: it begins with others than a new <see cref="Hashtable"/>.</summary>
    public static ReadOnlySpan<int> OfHybrid => [1103, 2333, 4861, 10103, 21023, 43627, 90523, 187751, 389357, 807403, 1674319, 3471899];

    /// <summary>Counts what adding these keys one by one takes to a table that others made, without a capacity of their own: as it grows it has each of these numbers of places.</summary>
    /// <param name="reader">Counts for the record.</param>
    /// <param name="pairs">Them.</param>
    /// <param name="growing">The numbers; none for those of a new <see cref="Hashtable"/>.</param>
    /// <exception cref="NinoSerializationException">More than the record may take.</exception>
    public static void CheckGrowing(ref NinoReader reader, KeyValuePair<object, object>[] pairs, ReadOnlySpan<int> growing = default)
    {
        if (pairs.Length <= KeyChains.FreeKeys) return;
        uint[] codes = Array.ConvertAll(pairs, static pair => (uint)pair.Key.GetHashCode() & 0x7FFFFFFF);
        int places = 0;
        for (int i = 0, held = 0; held < codes.Length; i++)
        {
            places = growing.IsEmpty ? BucketCounts.AtLeast(places + 1) : i < growing.Length ? growing[i] : int.MaxValue;
            if (places > MaxPlaces)
            {
                // As in Room.
                reader.SpendKeyComparisons((long)pairs.Length * pairs.Length / 2);
                return;
            }

            held = Math.Min(codes.Length, (int)(places * Load));
            byte[] taken = ArrayPool<byte>.Shared.Rent(places);
            taken.AsSpan(0, places).Clear();
            foreach (uint code in codes.AsSpan(0, held))
            {
                int steps = Take(taken, (uint)places, code);
                if (steps > KeyChains.FreeLength) reader.SpendKeyComparisons(steps - KeyChains.FreeLength);
            }

            ArrayPool<byte>.Shared.Return(taken);
        }
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
