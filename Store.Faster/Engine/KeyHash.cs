// How are keys hashed? FASTER's own hash takes two bytes a multiplication; this takes sixteen. The hash is stored nowhere but in FASTER's index, whose
// checkpoints are bound to it: changing it means a new manifest version (docs/formats/key-value-checkpoint.md).

using System.Buffers.Binary;
using System.Runtime.CompilerServices;
using FASTER.core;

namespace Store.Faster.Engine;

/// <summary>A multiply-and-fold hash of key bytes, the same on every machine and in every process. Not a defence against keys chosen to collide: those cost time, nothing else.</summary>
internal static class KeyHash
{
    // The first digits of pi and e as odd 64-bit numbers.
    private const ulong MixA = 0x243F_6A88_85A3_08D3;
    private const ulong MixB = 0xB7E1_5162_8AED_2A6B;

    public static ulong Compute(ReadOnlySpan<byte> key)
    {
        ulong hash = MixB ^ (ulong)key.Length;
        ReadOnlySpan<byte> rest = key;
        while (rest.Length > 16)
        {
            hash = Fold(Word(rest) ^ MixA, Word(rest[8..]) ^ hash);
            rest = rest[16..];
        }

        (ulong low, ulong high) = rest.Length switch
        {
            >= 8 => (Word(rest), Word(rest[^8..])),
            >= 4 => (BinaryPrimitives.ReadUInt32LittleEndian(rest), BinaryPrimitives.ReadUInt32LittleEndian(rest[^4..])),
            > 0 => ((ulong)rest[0] << 16 | (ulong)rest[rest.Length >> 1] << 8 | rest[^1], 0UL),
            _ => (0UL, 0UL),
        };
        return Fold(Fold(low ^ MixA, high ^ hash) ^ MixA, MixB);
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static ulong Word(ReadOnlySpan<byte> bytes) => BinaryPrimitives.ReadUInt64LittleEndian(bytes);

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static ulong Fold(ulong a, ulong b)
    {
        ulong high = Math.BigMul(a, b, out ulong low);
        return high ^ low;
    }
}

/// <summary>Keys are equal when their bytes are.</summary>
internal sealed class KeyComparer : IFasterEqualityComparer<SpanByte>
{
    public long GetHashCode64(ref SpanByte key) => (long)KeyHash.Compute(key.AsReadOnlySpan());

    public bool Equals(ref SpanByte left, ref SpanByte right) => left.AsReadOnlySpan().SequenceEqual(right.AsReadOnlySpan());
}
