// A string as UTF-8, where [NinoUtf8] asks for it:
//
//   header  compact number: 0 = null, else ((length << 1) | isUtf16) + 1, length in bytes
//   bytes   isUtf16 0: UTF-8, always valid; 1: UTF-16, for a string that UTF-8 cannot hold because half of a surrogate pair stands alone in it
//
// So no string is changed or refused, and every string has one encoding. Format page: docs/formats/record.md, "strings".

using System.Buffers;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using System.Text;
using System.Text.Unicode;

namespace Store.Serialization.Codecs;

/// <summary>A string or null, as UTF-8.</summary>
public readonly struct Utf8StringCodec : INinoCodec<string>
{
    private const int MaxChars = 0x3FFF_FFDF;

    // A bit of the header is the form.
    private const int MaxBytes = int.MaxValue / 2;

    // A char becomes at most three bytes, and their number must be an int.
    private const int MaxCounted = int.MaxValue / 3;

    // Longer ones are converted in pooled memory, so that no buffer writer is asked for very much at once.
    private const int MaxDirectBytes = 1 << 16;

    /// <inheritdoc/>
    public static int MinSize => 1;

    /// <inheritdoc/>
    public static SchemaNode Describe(SchemaBuilder builder) => SchemaNode.Primitive(SchemaKind.Utf8String);

    /// <inheritdoc/>
    public void Write(ref NinoWriter writer, in string value)
    {
        string? text = value;
        if (text is null)
        {
            writer.Take(1) = 0;
            return;
        }

        long length = text.Length <= MaxCounted ? Encoding.UTF8.GetByteCount(text) : CountLong(text);
        if (length > MaxBytes) Throw.Utf8StringTooLong(text.Length);
        if (length > MaxDirectBytes)
        {
            WriteLong(ref writer, text, (int)length);
            return;
        }

        uint header = ((uint)length << 1) + 1;
        int headerSize = CompactNumber.SizeOf(header);
        ref byte start = ref writer.Reserve(headerSize + (int)length);
        if (Utf8.FromUtf16(text, MemoryMarshal.CreateSpan(ref Unsafe.Add(ref start, headerSize), (int)length), out _, out int written, replaceInvalidSequences: false) == OperationStatus.Done && written == length)
        {
            writer.WriteCompact(header);
            writer.MoveOver((int)length);
        }
        else
        {
            WriteUtf16(ref writer, text);
        }
    }

    /// <inheritdoc/>
    public string Read(ref NinoReader reader)
    {
        ReadOnlySpan<byte> bytes = Take(ref reader, out bool isUtf16, out bool isNull);
        if (isNull) return null!;
        return isUtf16 ? new string(MemoryMarshal.Cast<byte, char>(bytes)) : Encoding.UTF8.GetString(bytes);
    }

    /// <inheritdoc/>
    public static bool CanReadInto => true;

    /// <summary>A string that is stored already is kept.</summary>
    public void ReadInto(ref NinoReader reader, ref string value) => StringReuse.ReadUtf8(ref reader, ref value);

    /// <summary>Moves over a string and returns its bytes, valid UTF-8 or UTF-16 that needs to be.</summary>
    internal static ReadOnlySpan<byte> Take(scoped ref NinoReader reader, out bool isUtf16, out bool isNull)
    {
        uint header = reader.ReadCompact();
        isNull = header == 0;
        isUtf16 = false;
        if (header <= 1) return default;

        isUtf16 = ((header - 1) & 1) != 0;
        ReadOnlySpan<byte> bytes = reader.TakeSpan((int)((header - 1) >> 1));
        if (isUtf16)
        {
            if ((bytes.Length & 1) != 0 || !HasHalfPair(MemoryMarshal.Cast<byte, char>(bytes))) Throw.NotShortestString();
        }
        else if (!Utf8.IsValid(bytes))
        {
            Throw.BadUtf8();
        }

        if (bytes.Length > MaxChars && Encoding.UTF8.GetCharCount(bytes) > MaxChars) Throw.StringTooLong(bytes.Length);
        return bytes;
    }

    /// <summary>The bytes of a string that may take more than an int says, each half counted by itself.</summary>
    internal static long CountLong(string text)
    {
        int half = text.Length / 2;
        if (half > 0 && char.IsSurrogatePair(text[half - 1], text[half])) half--;
        return (long)Encoding.UTF8.GetByteCount(text.AsSpan(0, half)) + Encoding.UTF8.GetByteCount(text.AsSpan(half));
    }

    private static void WriteLong(ref NinoWriter writer, string text, int length)
    {
        byte[] rented = ArrayPool<byte>.Shared.Rent(length);
        try
        {
            if (Utf8.FromUtf16(text, rented, out _, out int written, replaceInvalidSequences: false) != OperationStatus.Done)
            {
                WriteUtf16(ref writer, text);
                return;
            }

            writer.WriteCompact(((uint)written << 1) + 1);
            writer.WriteBytes(rented.AsSpan(0, written));
        }
        finally
        {
            ArrayPool<byte>.Shared.Return(rented);
        }
    }

    private static void WriteUtf16(ref NinoWriter writer, string text)
    {
        if (text.Length > MaxBytes / 2) Throw.Utf8StringTooLong(text.Length);
        writer.WriteCompact(((uint)(2 * text.Length) << 1) + 2);
        writer.WriteBytes(MemoryMarshal.AsBytes(text.AsSpan()));
    }

    private static bool HasHalfPair(ReadOnlySpan<char> text)
    {
        while (true)
        {
            int at = text.IndexOfAnyInRange('\uD800', '\uDFFF');
            if (at < 0) return false;
            if (at + 1 >= text.Length || !char.IsSurrogatePair(text[at], text[at + 1])) return true;
            text = text[(at + 2)..];
        }
    }
}
