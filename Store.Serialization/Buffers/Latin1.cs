// Narrowing UTF-16 to one byte a char, telling whether every char fitted. The framework's own Latin-1 encoder replaces what does not fit.

using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using System.Runtime.Intrinsics;

namespace Store.Serialization;

internal static class Latin1
{
    private const ulong HighBytes = 0xFF00_FF00_FF00_FF00;

    /// <summary>
    /// Stores the low byte of every char at <paramref name="destination"/>, which has room for <c>chars.Length</c> bytes. False when some char is
    /// above U+00FF: the bytes stored are then of no use. Bound: loads inside <paramref name="chars"/>, stores inside those bytes; where
    /// vectors do not divide the length, the last one overlaps the one before it.
    /// </summary>
    public static bool TryNarrow(ReadOnlySpan<char> chars, ref byte destination)
    {
        ref ushort source = ref Unsafe.As<char, ushort>(ref MemoryMarshal.GetReference(chars));
        nuint length = (nuint)chars.Length;
        if (length >= 16) return NarrowVectors(ref source, ref destination, length);

        if (length >= 8)
        {
            Vector128<ushort> first = Vector128.LoadUnsafe(ref source);
            Vector128<ushort> last = Vector128.LoadUnsafe(ref source, length - 8);
            if (HasHighByte(first | last)) return false;
            Unsafe.WriteUnaligned(ref destination, Vector128.Narrow(first, first).AsUInt64().ToScalar());
            Unsafe.WriteUnaligned(ref Unsafe.Add(ref destination, length - 8), Vector128.Narrow(last, last).AsUInt64().ToScalar());
            return true;
        }

        if (length >= 4)
        {
            ulong first = LoadFour(ref source);
            ulong last = LoadFour(ref Unsafe.Add(ref source, length - 4));
            if (((first | last) & HighBytes) != 0) return false;
            Unsafe.WriteUnaligned(ref destination, NarrowFour(first));
            Unsafe.WriteUnaligned(ref Unsafe.Add(ref destination, length - 4), NarrowFour(last));
            return true;
        }

        int all = 0;
        for (nuint i = 0; i < length; i++)
        {
            ushort c = Unsafe.Add(ref source, i);
            all |= c;
            Unsafe.Add(ref destination, i) = (byte)c;
        }

        return all <= 0xFF;
    }

    /// <summary>True when no char is above U+00FF. Bound: loads inside <paramref name="chars"/>.</summary>
    public static bool Fits(ReadOnlySpan<char> chars)
    {
        ref ushort source = ref Unsafe.As<char, ushort>(ref MemoryMarshal.GetReference(chars));
        nuint length = (nuint)chars.Length;
        nuint i = 0;
        Vector128<ushort> all = Vector128<ushort>.Zero;
        for (; length - i >= 8; i += 8) all |= Vector128.LoadUnsafe(ref source, i);
        if (HasHighByte(all)) return false;
        for (; i < length; i++)
        {
            if (Unsafe.Add(ref source, i) > 0xFF) return false;
        }

        return true;
    }

    // Bound: length is at least 16.
    private static bool NarrowVectors(ref ushort source, ref byte destination, nuint length)
    {
        Vector128<ushort> all = Vector128<ushort>.Zero;
        nuint lastStart = length - 16;
        for (nuint i = 0; ; i = Math.Min(i + 16, lastStart))
        {
            Vector128<ushort> low = Vector128.LoadUnsafe(ref source, i);
            Vector128<ushort> high = Vector128.LoadUnsafe(ref source, i + 8);
            all |= low | high;
            Vector128.Narrow(low, high).StoreUnsafe(ref destination, i);
            if (i == lastStart) return !HasHighByte(all);
        }
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static bool HasHighByte(Vector128<ushort> chars) => (chars & Vector128.Create((ushort)0xFF00)) != Vector128<ushort>.Zero;

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static ulong LoadFour(ref ushort source) => Unsafe.ReadUnaligned<ulong>(ref Unsafe.As<ushort, byte>(ref source));

    // Bytes 0, 2, 4, 6 of the word to its low half.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static uint NarrowFour(ulong chars)
    {
        Vector128<ushort> vector = Vector128.CreateScalarUnsafe(chars).AsUInt16();
        return Vector128.Narrow(vector, vector).AsUInt32().ToScalar();
    }
}
