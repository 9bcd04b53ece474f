// Which keys of a batch come again? Places in the batch's bytes, in a table with open addressing and at most half full, in an array of the shared pool: a batch allocates nothing.

using System.Buffers;
using System.Numerics;
using System.Runtime.InteropServices;

namespace Store.Faster;

/// <summary>The different keys of one batch, met one after another. Used by one thread; whoever made it disposes it.</summary>
internal ref struct DistinctKeys
{
    private const int OddByteFactor = 0x1E35_A7BD;

    private readonly ReadOnlySpan<byte> _bytes;
    private readonly (int Start, int LengthBytes)[] _places;
    private readonly int _mask;

    /// <param name="bytes">The batch.</param>
    /// <param name="mostKeys">How many it has at most.</param>
    public DistinctKeys(ReadOnlySpan<byte> bytes, int mostKeys)
    {
        int length = checked((int)BitOperations.RoundUpToPowerOf2((uint)Math.Max(1, mostKeys)) * 2);
        _bytes = bytes;
        _mask = length - 1;
        _places = ArrayPool<(int, int)>.Shared.Rent(length);
        _places.AsSpan(0, length).Clear();
    }

    /// <summary>Adds the key at a place.</summary>
    /// <param name="start">Where it begins: never at the batch's first byte, where the length of a record is.</param>
    /// <param name="lengthBytes">Its length.</param>
    /// <returns>False when an equal one was added before.</returns>
    public readonly bool TryAdd(int start, int lengthBytes)
    {
        ReadOnlySpan<byte> key = _bytes.Slice(start, lengthBytes);
        for (int at = HashOf(key) & _mask; ; at = (at + 1) & _mask)
        {
            ref (int Start, int LengthBytes) place = ref _places[at];
            if (place.Start == 0)
            {
                place = (start, lengthBytes);
                return true;
            }

            if (place.LengthBytes == lengthBytes && key.SequenceEqual(_bytes.Slice(place.Start, lengthBytes))) return false;
        }
    }

    /// <summary>Another one in each process (Marvin), of which nobody can choose keys that meet: with those of the engine's hash a batch, under the locks of its stripes, would take the square of its keys.</summary>
    public static int HashOf(ReadOnlySpan<byte> key)
    {
        int hash = string.GetHashCode(MemoryMarshal.Cast<byte, char>(key));

        // The cast leaves out the last of an odd number of bytes.
        return (key.Length & 1) == 0 ? hash : hash + ((key[^1] + 1) * OddByteFactor);
    }

    public readonly void Dispose() => ArrayPool<(int, int)>.Shared.Return(_places);
}
