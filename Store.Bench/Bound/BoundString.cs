// Strings of the bound: a header byte with the length and an encoding bit, then one byte a char where every char is Latin-1, else UTF-16.
//
//   header 0            null
//   header 2..253       ((length + 1) << 1) | wide
//   header 254, 255     wide, narrow with the length as int32 behind it

using System.Buffers.Binary;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using System.Runtime.Intrinsics;
using System.Runtime.Intrinsics.X86;
using System.Text;

namespace Store.Bench.Bound;

/// <summary>Writes and reads strings.</summary>
internal static class BoundString
{
    private const byte LongWide = 254, LongNarrow = 255;
    private const int MaxShortLength = 125;
    private static readonly string[] OneChar = [.. Enumerable.Range(0, 256).Select(c => ((char)c).ToString())];

    /// <summary>What <see cref="Write"/> may touch at most.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static int MaxSize(string? text) => text is null ? 1 : checked(5 + (2 * text.Length));

    /// <summary>Writes a string and returns the number of bytes. Bound: <see cref="MaxSize"/> bytes are reserved at <paramref name="to"/>.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static int Write(ref byte to, string? text)
    {
        if (text is null)
        {
            to = 0;
            return 1;
        }
        if (text.Length == 1 && text[0] < 256)
        {
            to = (1 + 1) << 1;
            Unsafe.Add(ref to, 1) = (byte)text[0];
            return 2;
        }
        if ((uint)text.Length - 4 <= 12 && TryNarrowWord(ref Unsafe.As<char, ushort>(ref MemoryMarshal.GetReference(text.AsSpan())), ref Unsafe.Add(ref to, 1), text.Length))
        {
            to = (byte)((text.Length + 1) << 1);
            return 1 + text.Length;
        }
        return WriteMany(ref to, text);
    }

    // Bound: reads length chars, writes length bytes, four to sixteen; the second half overlaps the first.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static bool TryNarrowWord(ref ushort from, ref byte to, int length)
    {
        if (length < 8) return Narrow4(ref from, ref to, 0) && Narrow4(ref from, ref to, length - 4);
        Vector128<ushort> low = Vector128.LoadUnsafe(ref from), high = Vector128.LoadUnsafe(ref from, (nuint)length - 8);
        Vector128<ulong> narrow = Narrow(low, high).AsUInt64();
        Unsafe.WriteUnaligned(ref to, narrow.ToScalar());
        Unsafe.WriteUnaligned(ref Unsafe.Add(ref to, length - 8), narrow.GetElement(1));
        return ((low | high) & Vector128.Create((ushort)0xFF00)) == Vector128<ushort>.Zero;
    }

    // Chars that do not fit become something else than by Vector128.Narrow; nobody uses it.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static Vector128<byte> Narrow(Vector128<ushort> low, Vector128<ushort> high) =>
        Sse2.IsSupported ? Sse2.PackUnsignedSaturate(low.AsInt16(), high.AsInt16()) : Vector128.Narrow(low, high);

    // Bound: as Write.
    private static int WriteMany(ref byte to, string text)
    {
        int length = text.Length;
        int header = 1;
        if (length > MaxShortLength)
        {
            Unsafe.WriteUnaligned(ref Unsafe.Add(ref to, 1), length);
            header = 5;
        }
        ref char from = ref MemoryMarshal.GetReference(text.AsSpan());
        ref byte body = ref Unsafe.Add(ref to, header);
        bool narrow = TryNarrow(ref Unsafe.As<char, ushort>(ref from), ref body, length);
        if (!narrow) Unsafe.CopyBlockUnaligned(ref body, ref Unsafe.As<char, byte>(ref from), (uint)length * 2);
        to = header == 5 ? (narrow ? LongNarrow : LongWide) : (byte)(((length + 1) << 1) | (narrow ? 0 : 1));
        return header + (narrow ? length : length * 2);
    }

    // Bound: reads length chars, writes length bytes and no more; the vectors at the end overlap what is already done.
    private static bool TryNarrow(ref ushort from, ref byte to, int length)
    {
        if (length >= 8)
        {
            int i = 0;
            for (; i <= length - 16; i += 16)
            {
                Vector128<ushort> low = Vector128.LoadUnsafe(ref from, (nuint)i), high = Vector128.LoadUnsafe(ref from, (nuint)i + 8);
                if (((low | high) & Vector128.Create((ushort)0xFF00)) != Vector128<ushort>.Zero) return false;
                Narrow(low, high).StoreUnsafe(ref to, (nuint)i);
            }
            if (i < length && !Narrow8(ref from, ref to, Math.Min(i, length - 8))) return false;
            return i >= length - 8 || Narrow8(ref from, ref to, length - 8);
        }
        if (length >= 4) return Narrow4(ref from, ref to, 0) && Narrow4(ref from, ref to, length - 4);
        int bits = 0;
        for (int i = 0; i < length; i++)
        {
            int c = Unsafe.Add(ref from, i);
            bits |= c;
            Unsafe.Add(ref to, i) = (byte)c;
        }
        return bits < 256;
    }

    // Bound: eight chars and bytes from offset on.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static bool Narrow8(ref ushort from, ref byte to, int offset)
    {
        Vector128<ushort> chars = Vector128.LoadUnsafe(ref from, (nuint)offset);
        if ((chars & Vector128.Create((ushort)0xFF00)) != Vector128<ushort>.Zero) return false;
        Unsafe.WriteUnaligned(ref Unsafe.Add(ref to, offset), Narrow(chars, chars).AsUInt64().ToScalar());
        return true;
    }

    // Bound: four chars and bytes from offset on.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static bool Narrow4(ref ushort from, ref byte to, int offset)
    {
        ulong chars = Unsafe.ReadUnaligned<ulong>(ref Unsafe.As<ushort, byte>(ref Unsafe.Add(ref from, offset)));
        if ((chars & 0xFF00_FF00_FF00_FF00) != 0) return false;
        Vector128<ushort> vector = Vector128.CreateScalar(chars).AsUInt16();
        Unsafe.WriteUnaligned(ref Unsafe.Add(ref to, offset), Narrow(vector, vector).AsUInt32().ToScalar());
        return true;
    }

    /// <summary>Reads a string at <paramref name="position"/> and moves it on. Every index is checked.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static string? Read(ReadOnlySpan<byte> data, ref int position)
    {
        int header = data[position];
        if (header == (1 + 1) << 1)
        {
            byte c = data[position + 1];
            position += 2;
            return OneChar[c];
        }
        return ReadMany(data, ref position, header);
    }

    private static string? ReadMany(ReadOnlySpan<byte> data, ref int position, int header)
    {
        int length = (header >> 1) - 1;
        bool narrow = (header & 1) == 0;
        position++;
        if (header >= LongWide)
        {
            length = BinaryPrimitives.ReadInt32LittleEndian(data[position..]);
            narrow = header == LongNarrow;
            position += 4;
        }
        else if (header < 2)
        {
            return header == 0 ? null : throw new InvalidDataException("Bad string header.");
        }
        ReadOnlySpan<byte> body = data.Slice(position, narrow ? length : checked(length * 2));
        position += body.Length;
        return narrow ? Encoding.Latin1.GetString(body) : new string(MemoryMarshal.Cast<byte, char>(body));
    }
}
