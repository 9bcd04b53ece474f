// Narrowing UTF-16 to one byte a char, telling whether every char fitted. The framework's own Latin-1 encoder replaces what does not fit.

using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using System.Runtime.Intrinsics;
using System.Runtime.Intrinsics.X86;

namespace Store.Serialization;

internal static class Latin1
{
    /// <summary>
    /// Stores the low byte of every char at <paramref name="destination"/>, which has room for <c>chars.Length</c> bytes. False when some char is
    /// above U+00FF: the bytes stored are then of no use. Bound: loads inside <paramref name="chars"/>, stores inside those bytes; where
    /// vectors do not divide the length, the last one overlaps the one before it.
    /// </summary>
    public static bool TryNarrow(ReadOnlySpan<char> chars, ref byte destination)
    {
        ref ushort source = ref Unsafe.As<char, ushort>(ref MemoryMarshal.GetReference(chars));
        if (chars.Length < 16)
        {
            int bits = 0;
            for (int at = 0; at < chars.Length; at++)
            {
                bits |= chars[at];
                Unsafe.Add(ref destination, at) = (byte)chars[at];
            }

            return bits <= 0xFF;
        }

        nuint i = 0, length = (nuint)chars.Length, lastStart = length - 16;
        for (; Vector256.IsHardwareAccelerated && length - i >= 32; i += 32)
        {
            Vector256<ushort> low = Vector256.LoadUnsafe(ref source, i);
            Vector256<ushort> high = Vector256.LoadUnsafe(ref source, i + 16);
            if (HasHighByte(low | high)) return false;
            Vector256.Narrow(low, high).StoreUnsafe(ref destination, i);
        }

        if (i == length) return true;
        for (i = Math.Min(i, lastStart); ; i = Math.Min(i + 16, lastStart))
        {
            Vector128<ushort> low = Vector128.LoadUnsafe(ref source, i);
            Vector128<ushort> high = Vector128.LoadUnsafe(ref source, i + 8);
            if (HasHighByte(low | high)) return false;
            Narrow(low, high).StoreUnsafe(ref destination, i);
            if (i == lastStart) return true;
        }
    }

    /// <summary>Stores chars as they are, two bytes each. Bound: as <see cref="TryNarrow"/>, of twice as many bytes.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static void StoreWide(ReadOnlySpan<char> chars, ref byte destination)
    {
        ref ushort source = ref Unsafe.As<char, ushort>(ref MemoryMarshal.GetReference(chars));
        if (chars.Length < 16)
        {
            for (int i = 0; i < chars.Length; i++) Unsafe.WriteUnaligned(ref Unsafe.Add(ref destination, 2 * i), chars[i]);
            return;
        }

        nuint lastStart = (nuint)chars.Length - 16;
        for (nuint i = 0; ; i = Math.Min(i + 16, lastStart))
        {
            Vector128.LoadUnsafe(ref source, i).AsByte().StoreUnsafe(ref destination, 2 * i);
            Vector128.LoadUnsafe(ref source, i + 8).AsByte().StoreUnsafe(ref destination, (2 * i) + 16);
            if (i == lastStart) return;
        }
    }

    /// <summary>The most chars that <see cref="StoreFew"/> takes.</summary>
    public const int MaxFewChars = 32;

    /// <summary>Stores chars as <see cref="StoreFourToSixteen"/> does, at most <see cref="MaxFewChars"/>, without a loop or a call.</summary>
    /// <inheritdoc cref="StoreFourToSixteen"/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static bool StoreFew(ReadOnlySpan<char> chars, ref byte destination)
    {
        ref ushort source = ref Unsafe.As<char, ushort>(ref MemoryMarshal.GetReference(chars));
        nuint length = (nuint)chars.Length;
        if (length >= 16)
        {
            Vector128<ushort> first = Vector128.LoadUnsafe(ref source), second = Vector128.LoadUnsafe(ref source, 8);
            Vector128<ushort> third = Vector128.LoadUnsafe(ref source, length - 16), last = Vector128.LoadUnsafe(ref source, length - 8);
            if (HasHighByte(first | second | third | last))
            {
                first.AsByte().StoreUnsafe(ref destination);
                second.AsByte().StoreUnsafe(ref destination, 16);
                third.AsByte().StoreUnsafe(ref destination, (2 * length) - 32);
                last.AsByte().StoreUnsafe(ref destination, (2 * length) - 16);
                return false;
            }

            Narrow(first, second).StoreUnsafe(ref destination);
            Narrow(third, last).StoreUnsafe(ref destination, length - 16);
            return true;
        }

        if (length >= 4) return StoreFourToSixteen(chars, ref destination);

        if (length == 0) return true;
        // One, two or three: the middle one is one of the others where there are fewer.
        nuint middleAt = length >> 1, endAt = length - 1;
        ushort start = source, middle = Unsafe.Add(ref source, middleAt), end = Unsafe.Add(ref source, endAt);
        if ((start | middle | end) > 0xFF)
        {
            Unsafe.WriteUnaligned(ref destination, start);
            Unsafe.WriteUnaligned(ref Unsafe.Add(ref destination, 2 * middleAt), middle);
            Unsafe.WriteUnaligned(ref Unsafe.Add(ref destination, 2 * endAt), end);
            return false;
        }

        destination = (byte)start;
        Unsafe.Add(ref destination, middleAt) = (byte)middle;
        Unsafe.Add(ref destination, endAt) = (byte)end;
        return true;
    }

    /// <summary>The most chars that <see cref="StoreFourToSixteen"/> takes.</summary>
    public const int MostUsualChars = 16;

    /// <summary>True for four to sixteen chars.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static bool IsFourToSixteen(int length) => (uint)length - 4 <= MostUsualChars - 4;

    /// <summary>
    /// Stores four to sixteen chars, one byte each where all fit and else two: both from what is loaded once, so a column of wider chars takes no longer. Short enough to be compiled into each place that
    /// writes strings. Bound: loads inside <paramref name="chars"/>, stores inside as many bytes as it says, at most two a char; halves overlap as in <see cref="TryNarrow"/>.
    /// </summary>
    /// <returns>True when a char takes one byte.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static bool StoreFourToSixteen(ReadOnlySpan<char> chars, ref byte destination)
    {
        ref ushort source = ref Unsafe.As<char, ushort>(ref MemoryMarshal.GetReference(chars));
        nuint length = (nuint)chars.Length;
        if (length >= 8)
        {
            Vector128<ushort> first = Vector128.LoadUnsafe(ref source);
            Vector128<ushort> last = Vector128.LoadUnsafe(ref source, length - 8);
            if (HasHighByte(first | last))
            {
                first.AsByte().StoreUnsafe(ref destination);
                last.AsByte().StoreUnsafe(ref destination, (2 * length) - 16);
                return false;
            }

            Vector128<ulong> narrow = Narrow(first, last).AsUInt64();
            Unsafe.WriteUnaligned(ref destination, narrow.ToScalar());
            Unsafe.WriteUnaligned(ref Unsafe.Add(ref destination, length - 8), narrow.GetElement(1));
            return true;
        }
        else
        {
            Vector128<ushort> both = Vector128.Create(LoadFour(ref source), LoadFour(ref Unsafe.Add(ref source, length - 4))).AsUInt16();
            if (HasHighByte(both))
            {
                Unsafe.WriteUnaligned(ref destination, both.AsUInt64().ToScalar());
                Unsafe.WriteUnaligned(ref Unsafe.Add(ref destination, (2 * length) - 8), both.AsUInt64().GetElement(1));
                return false;
            }

            Vector128<uint> narrow = Narrow(both, both).AsUInt32();
            Unsafe.WriteUnaligned(ref destination, narrow.ToScalar());
            Unsafe.WriteUnaligned(ref Unsafe.Add(ref destination, length - 4), narrow.GetElement(1));
            return true;
        }
    }

    // Fewer are widened by halves of 32.
    private const nuint ManyBytes = 64;

    /// <summary>Stores a char for every byte. Bound: loads inside <paramref name="bytes"/>, stores inside as many chars at <paramref name="destination"/>; vectors overlap as in <see cref="TryNarrow"/>.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static void Widen(ReadOnlySpan<byte> bytes, ref char destination)
    {
        ref byte source = ref MemoryMarshal.GetReference(bytes);
        ref ushort target = ref Unsafe.As<char, ushort>(ref destination);
        nuint length = (nuint)bytes.Length;
        if (length >= 16)
        {
            nuint i = 0, last = length - 16;
            for (; Vector256.IsHardwareAccelerated && last - i >= ManyBytes; i += 32)
            {
                (Vector256<ushort> lower, Vector256<ushort> upper) = Vector256.Widen(Vector256.LoadUnsafe(ref source, i));
                lower.StoreUnsafe(ref target, i);
                upper.StoreUnsafe(ref target, i + 16);
            }

            for (; ; i = Math.Min(i + 16, last))
            {
                Vector128<byte> narrow = Vector128.LoadUnsafe(ref source, i);
                Vector128.WidenLower(narrow).StoreUnsafe(ref target, i);
                Vector128.WidenUpper(narrow).StoreUnsafe(ref target, i + 8);
                if (i == last) return;
            }
        }

        if (length >= 8)
        {
            WidenEight(ref source, ref target, 0);
            WidenEight(ref source, ref target, length - 8);
        }
        else if (length >= 4)
        {
            WidenFour(ref source, ref target, 0);
            WidenFour(ref source, ref target, length - 4);
        }
        else
        {
            for (nuint i = 0; i < length; i++) Unsafe.Add(ref target, i) = Unsafe.Add(ref source, i);
        }
    }

    /// <summary>True when no char is above U+00FF. Bound: loads inside <paramref name="chars"/>.</summary>
    public static bool Fits(ReadOnlySpan<char> chars)
    {
        ref ushort source = ref Unsafe.As<char, ushort>(ref MemoryMarshal.GetReference(chars));
        nuint length = (nuint)chars.Length;
        nuint i = 0;
        // Wide text is mostly wide at its beginning.
        for (; Vector256.IsHardwareAccelerated && length - i >= 32; i += 32)
        {
            if (HasHighByte(Vector256.LoadUnsafe(ref source, i) | Vector256.LoadUnsafe(ref source, i + 16))) return false;
        }

        for (; length - i >= 8; i += 8)
        {
            if (HasHighByte(Vector128.LoadUnsafe(ref source, i))) return false;
        }

        for (; i < length; i++)
        {
            if (Unsafe.Add(ref source, i) > 0xFF) return false;
        }

        return true;
    }

    // One instruction where there is one that saturates, because nobody reads what becomes of chars that do not fit: the one that cuts is six (docs/performance.md).
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static Vector128<byte> Narrow(Vector128<ushort> low, Vector128<ushort> high) =>
        Sse2.IsSupported ? Sse2.PackUnsignedSaturate(low.AsInt16(), high.AsInt16()) : Vector128.Narrow(low, high);

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static bool HasHighByte(Vector128<ushort> chars) => (chars & Vector128.Create((ushort)0xFF00)) != Vector128<ushort>.Zero;

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static bool HasHighByte(Vector256<ushort> chars) => (chars & Vector256.Create((ushort)0xFF00)) != Vector256<ushort>.Zero;

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static ulong LoadFour(ref ushort source) => Unsafe.ReadUnaligned<ulong>(ref Unsafe.As<ushort, byte>(ref source));

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static void WidenEight(ref byte source, ref ushort target, nuint offset) =>
        Vector128.WidenLower(Vector128.CreateScalarUnsafe(Unsafe.ReadUnaligned<ulong>(ref Unsafe.Add(ref source, offset))).AsByte()).StoreUnsafe(ref target, offset);

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static void WidenFour(ref byte source, ref ushort target, nuint offset)
    {
        Vector128<ushort> wide = Vector128.WidenLower(Vector128.CreateScalarUnsafe(Unsafe.ReadUnaligned<uint>(ref Unsafe.Add(ref source, offset))).AsByte());
        Unsafe.WriteUnaligned(ref Unsafe.As<ushort, byte>(ref Unsafe.Add(ref target, offset)), wide.AsUInt64().ToScalar());
    }
}
