// Is the string that is stored the one that is there already? Then it is kept, and reading allocates nothing. Every check of reading anew is made all the same.

using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using System.Runtime.Intrinsics;
using System.Text;
using System.Text.Unicode;

namespace Store.Serialization.Codecs;

internal static class StringReuse
{
    public static void Read(ref NinoReader reader, ref string value)
    {
        uint header = reader.ReadCompact();
        if (header <= 1)
        {
            value = header == 0 ? null! : string.Empty;
            return;
        }

        string? present = value;
        int length = (int)((header - 1) >> 1);
        if (((header - 1) & 1) != 0)
        {
            ReadOnlySpan<char> chars = StringCodec.TakeUtf16(ref reader, length);
            if (present is null || !chars.SequenceEqual(present)) value = new string(chars);
            return;
        }

        ReadOnlySpan<byte> bytes = reader.TakeSpan(length);
        if (present is null || !AreLatin1(bytes, present)) value = Latin1Strings.Of(bytes);
    }

    public static void ReadUtf8(ref NinoReader reader, ref string value)
    {
        ReadOnlySpan<byte> bytes = Utf8StringCodec.Take(ref reader, out bool isUtf16, out bool isNull);
        if (isNull) value = null!;
        else if (value is not null && (isUtf16 ? MemoryMarshal.Cast<byte, char>(bytes).SequenceEqual(value) : AreUtf8(bytes, value))) return;
        else value = isUtf16 ? new string(MemoryMarshal.Cast<byte, char>(bytes)) : Encoding.UTF8.GetString(bytes);
    }

    /// <summary>True when the bytes are these chars in Latin-1. Bound: loads inside the two spans, of which both have the same length; where vectors do not divide it, the last one overlaps the one before it.</summary>
    public static bool AreLatin1(ReadOnlySpan<byte> bytes, ReadOnlySpan<char> chars)
    {
        if (bytes.Length != chars.Length) return false;
        ref byte narrow = ref MemoryMarshal.GetReference(bytes);
        ref ushort wide = ref Unsafe.As<char, ushort>(ref MemoryMarshal.GetReference(chars));
        nuint length = (nuint)bytes.Length;
        if (length >= 8)
        {
            nuint last = length - 8;
            for (nuint i = 0; ; i = Math.Min(i + 8, last))
            {
                Vector128<byte> eight = Vector128.CreateScalarUnsafe(Unsafe.ReadUnaligned<ulong>(ref Unsafe.Add(ref narrow, i))).AsByte();
                if (Vector128.WidenLower(eight) != Vector128.LoadUnsafe(ref wide, i)) return false;
                if (i == last) return true;
            }
        }

        if (length >= 4)
        {
            nuint last = length - 4;
            return Widen(ref narrow) == LoadFour(ref wide) && Widen(ref Unsafe.Add(ref narrow, last)) == LoadFour(ref Unsafe.Add(ref wide, last));
        }

        for (nuint i = 0; i < length; i++)
        {
            if (Unsafe.Add(ref narrow, i) != Unsafe.Add(ref wide, i)) return false;
        }

        return true;
    }

    // Bound of both: four bytes, four chars.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static ulong Widen(ref byte four) => Vector128.WidenLower(Vector128.CreateScalarUnsafe(Unsafe.ReadUnaligned<uint>(ref four)).AsByte()).AsUInt64().ToScalar();

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static ulong LoadFour(ref ushort four) => Unsafe.ReadUnaligned<ulong>(ref Unsafe.As<ushort, byte>(ref four));

    /// <summary>True when the bytes, valid UTF-8, are these chars. Allocates nothing.</summary>
    public static bool AreUtf8(ReadOnlySpan<byte> bytes, ReadOnlySpan<char> chars)
    {
        // A char takes one to three bytes.
        if (chars.Length > bytes.Length || bytes.Length > 3L * chars.Length) return false;
        Span<char> part = stackalloc char[128];
        while (!bytes.IsEmpty)
        {
            Utf8.ToUtf16(bytes, part, out int read, out int written, replaceInvalidSequences: false);
            if (read == 0 || written > chars.Length || !part[..written].SequenceEqual(chars[..written])) return false;
            bytes = bytes[read..];
            chars = chars[written..];
        }

        return chars.IsEmpty;
    }
}
