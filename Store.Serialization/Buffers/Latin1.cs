// Narrowing UTF-16 to one byte a char, telling whether every char fitted. The framework's own Latin-1 encoder replaces what does not fit.

using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using System.Runtime.Intrinsics;
using System.Runtime.Intrinsics.X86;

namespace Store.Serialization;

internal static class Latin1
{
    /// <summary>The most chars that <see cref="TryNarrowFew"/> takes.</summary>
    public const int MaxFewChars = 32;

    /// <summary>
    /// Stores the low byte of every char at <paramref name="destination"/>, which has room for <c>chars.Length</c> bytes. False when some char is
    /// above U+00FF: the bytes stored are then of no use. Bound: loads inside <paramref name="chars"/>, stores inside those bytes; where
    /// vectors do not divide the length, the last one overlaps the one before it.
    /// </summary>
    public static bool TryNarrow(ReadOnlySpan<char> chars, ref byte destination)
    {
        if (chars.Length <= MaxFewChars) return TryNarrowFew(chars, ref destination);

        ref ushort source = ref Unsafe.As<char, ushort>(ref MemoryMarshal.GetReference(chars));
        Vector128<ushort> all = Vector128<ushort>.Zero;
        nuint lastStart = (nuint)chars.Length - 16;
        for (nuint i = 0; ; i = Math.Min(i + 16, lastStart))
        {
            all |= NarrowSixteen(ref source, i, ref destination);
            if (i == lastStart) return !HasHighByte(all);
        }
    }

    /// <summary>As <see cref="TryNarrow"/>, of at most <see cref="MaxFewChars"/> chars and without a loop or a call, for where it is compiled into.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static bool TryNarrowFew(ReadOnlySpan<char> chars, ref byte destination)
    {
        ref ushort source = ref Unsafe.As<char, ushort>(ref MemoryMarshal.GetReference(chars));
        nuint length = (nuint)chars.Length;
        if (length >= 16)
        {
            Vector128<ushort> all = NarrowSixteen(ref source, 0, ref destination) | NarrowSixteen(ref source, length - 16, ref destination);
            return !HasHighByte(all);
        }

        if (length >= 4) return TryNarrowFourToSixteen(chars, ref destination);

        if (length == 0) return true;
        // One, two or three: the middle one is one of the others where there are fewer.
        uint start = source, middle = Unsafe.Add(ref source, length >> 1), end = Unsafe.Add(ref source, length - 1);
        destination = (byte)start;
        Unsafe.Add(ref destination, length >> 1) = (byte)middle;
        Unsafe.Add(ref destination, length - 1) = (byte)end;
        return (start | middle | end) <= 0xFF;
    }

    /// <summary>The most chars that <see cref="TryNarrowFourToSixteen"/> takes.</summary>
    public const int MostUsualChars = 16;

    /// <summary>True for four to sixteen chars.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static bool IsFourToSixteen(int length) => (uint)length - 4 <= MostUsualChars - 4;

    /// <summary>As <see cref="TryNarrow"/>, of four to sixteen chars, short enough to be compiled into each place that writes strings.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static bool TryNarrowFourToSixteen(ReadOnlySpan<char> chars, ref byte destination)
    {
        ref ushort source = ref Unsafe.As<char, ushort>(ref MemoryMarshal.GetReference(chars));
        nuint length = (nuint)chars.Length;
        if (length >= 8)
        {
            Vector128<ushort> first = Vector128.LoadUnsafe(ref source);
            Vector128<ushort> last = Vector128.LoadUnsafe(ref source, length - 8);
            Vector128<ulong> narrow = Narrow(first, last).AsUInt64();
            Unsafe.WriteUnaligned(ref destination, narrow.ToScalar());
            Unsafe.WriteUnaligned(ref Unsafe.Add(ref destination, length - 8), narrow.GetElement(1));
            return !HasHighByte(first | last);
        }
        else
        {
            Vector128<ushort> both = Vector128.Create(LoadFour(ref source), LoadFour(ref Unsafe.Add(ref source, length - 4))).AsUInt16();
            Vector128<uint> narrow = Narrow(both, both).AsUInt32();
            Unsafe.WriteUnaligned(ref destination, narrow.ToScalar());
            Unsafe.WriteUnaligned(ref Unsafe.Add(ref destination, length - 4), narrow.GetElement(1));
            return !HasHighByte(both);
        }
    }

    /// <summary>Stores a char for every byte. Bound: loads inside <paramref name="bytes"/>, stores inside as many chars at <paramref name="destination"/>; vectors overlap as in <see cref="TryNarrow"/>.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static void Widen(ReadOnlySpan<byte> bytes, ref char destination)
    {
        ref byte source = ref MemoryMarshal.GetReference(bytes);
        ref ushort target = ref Unsafe.As<char, ushort>(ref destination);
        nuint length = (nuint)bytes.Length;
        if (length >= 16)
        {
            nuint last = length - 16;
            for (nuint i = 0; ; i = Math.Min(i + 16, last))
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
        Vector128<ushort> all = Vector128<ushort>.Zero;
        for (; length - i >= 8; i += 8) all |= Vector128.LoadUnsafe(ref source, i);
        if (HasHighByte(all)) return false;
        for (; i < length; i++)
        {
            if (Unsafe.Add(ref source, i) > 0xFF) return false;
        }

        return true;
    }

    // Returns all bits of the chars. Bound: sixteen chars and bytes from offset on.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static Vector128<ushort> NarrowSixteen(ref ushort source, nuint offset, ref byte destination)
    {
        Vector128<ushort> low = Vector128.LoadUnsafe(ref source, offset);
        Vector128<ushort> high = Vector128.LoadUnsafe(ref source, offset + 8);
        Narrow(low, high).StoreUnsafe(ref destination, offset);
        return low | high;
    }

    // One instruction where there is one that saturates, because nobody reads what becomes of chars that do not fit: the one that cuts is six (docs/performance.md).
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static Vector128<byte> Narrow(Vector128<ushort> low, Vector128<ushort> high) =>
        Sse2.IsSupported ? Sse2.PackUnsignedSaturate(low.AsInt16(), high.AsInt16()) : Vector128.Narrow(low, high);

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static bool HasHighByte(Vector128<ushort> chars) => (chars & Vector128.Create((ushort)0xFF00)) != Vector128<ushort>.Zero;

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
