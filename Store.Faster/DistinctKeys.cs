// Which keys of a batch come again? Places in the batch's bytes, in a table with open addressing and at most half full, in an array of the shared pool: a batch allocates nothing.

using System.Buffers;
using System.Numerics;
using Store.Faster.Engine;

namespace Store.Faster;

/// <summary>The different keys of one batch, met one after another. Used by one thread; whoever made it disposes it.</summary>
internal ref struct DistinctKeys
{
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
        for (int at = (int)KeyHash.Compute(key) & _mask; ; at = (at + 1) & _mask)
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

    public readonly void Dispose() => ArrayPool<(int, int)>.Shared.Return(_places);
}
