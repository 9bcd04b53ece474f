// How text is stored:
//
//   header  compact number: 0 = null, else ((length << 1) | isUtf16) + 1, length in chars
//   chars   isUtf16 = 0: one byte a char (Latin-1, all chars <= U+00FF)     isUtf16 = 1: two bytes a char, little-endian
//
// Two-byte form only when some char needs it, so every string has one encoding. Chars are kept as they are, lone surrogates too.
// Format page: docs/formats/record.md, "string".

using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using System.Text;

namespace Store.Serialization.Codecs;

/// <summary>A string or null.</summary>
public readonly struct StringCodec : INinoCodec<string>
{
    // Longest string whose header is one byte in either form: ((125 << 1) | 1) + 1 = 252.
    internal const int MaxShortLength = 125;

    // The runtime's own limit on the length of a string.
    private const int MaxLength = 0x3FFF_FFDF;

    private const int ChunkChars = 4096;

    private static readonly string[] OneChar = CreateOneCharStrings();

    /// <inheritdoc/>
    public static int MinSize => 1;

    /// <inheritdoc/>
    public static SchemaNode Describe(SchemaBuilder builder) => SchemaNode.Primitive(SchemaKind.String);

    /// <inheritdoc/>
    public void Write(ref NinoWriter writer, in string value)
    {
        string? text = value;
        if (text is null)
        {
            writer.Take(1) = 0;
        }
        else if (text.Length == 1 && text[0] <= 0xFF)
        {
            // Codes, flags and grades are one char, and the loops of the general path cost more than the char.
            ref byte start = ref writer.Take(2);
            start = (1 << 1) + 1;
            Unsafe.Add(ref start, 1) = (byte)text[0];
        }
        else if (text.Length <= MaxShortLength)
        {
            // Narrowed on trial into its place: one pass for the usual string, and nothing is lost but time for the other.
            ref byte start = ref writer.Reserve(1 + text.Length);
            if (Latin1.TryNarrow(text, ref Unsafe.Add(ref start, 1)))
            {
                start = (byte)((text.Length << 1) + 1);
                writer.Advance(1 + text.Length);
            }
            else
            {
                start = ref writer.Take(1 + (2 * text.Length));
                start = (byte)((text.Length << 1) + 2);
                MemoryMarshal.AsBytes(text.AsSpan()).CopyTo(MemoryMarshal.CreateSpan(ref Unsafe.Add(ref start, 1), 2 * text.Length));
            }
        }
        else
        {
            WriteLong(ref writer, text);
        }
    }

    /// <summary>Writes a string in the short form of one byte a char, or returns false when it has none. Bound: at most <see cref="MaxShortLength"/> chars; stores inside one byte and one for each char.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static bool TryWriteShort(string text, ref byte destination)
    {
        destination = (byte)((text.Length << 1) + 1);
        if (text.Length != 1) return Latin1.TryNarrow(text, ref Unsafe.Add(ref destination, 1));
        Unsafe.Add(ref destination, 1) = (byte)text[0];
        return text[0] <= 0xFF;
    }

    /// <inheritdoc/>
    public string Read(ref NinoReader reader)
    {
        uint header = reader.ReadCompact();
        if (header <= 1) return header == 0 ? null! : string.Empty;

        int length = (int)((header - 1) >> 1);
        if (((header - 1) & 1) != 0) return ReadUtf16(ref reader, length);

        ReadOnlySpan<byte> bytes = reader.TakeSpan(length);
        return reader.Texts.IsTried ? reader.Texts.OfLatin1(bytes) : OfLatin1(bytes);
    }

    /// <summary>The string of so many bytes, at least one.</summary>
    internal static string OfLatin1(ReadOnlySpan<byte> bytes)
    {
        if (bytes.Length == 1) return OneChar[bytes[0]];
        if (bytes.Length > MaxLength) Throw.StringTooLong(bytes.Length);
        return Encoding.Latin1.GetString(bytes);
    }

    /// <inheritdoc/>
    public static bool CanReadInto => true;

    /// <summary>A string that is stored already is kept.</summary>
    public void ReadInto(ref NinoReader reader, ref string value) => StringReuse.Read(ref reader, ref value);

    /// <summary>Moves over a string, with every check of <see cref="Read"/> but without creating it.</summary>
    internal static void Skip(ref NinoReader reader)
    {
        uint header = reader.ReadCompact();
        if (header <= 1) return;

        int length = (int)((header - 1) >> 1);
        if (((header - 1) & 1) != 0) TakeUtf16(ref reader, length);
        else if (length > MaxLength) Throw.StringTooLong(length);
        else reader.TakeSpan(length);
    }

    private static string ReadUtf16(ref NinoReader reader, int length)
    {
        ReadOnlySpan<char> chars = TakeUtf16(ref reader, length);
        return reader.Texts.IsTried ? reader.Texts.OfUtf16(chars) : new string(chars);
    }

    // The span may start at an odd address: the targets of this engine load unaligned chars.
    internal static ReadOnlySpan<char> TakeUtf16(ref NinoReader reader, int length)
    {
        if (length > reader.Remaining / 2) Throw.EndOfInput(2L * length, reader.Remaining);
        ReadOnlySpan<char> chars = MemoryMarshal.Cast<byte, char>(reader.TakeSpan(2 * length));
        if (Latin1.Fits(chars)) Throw.NotShortestString();
        if (length > MaxLength) Throw.StringTooLong(length);
        return chars;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void WriteLong(ref NinoWriter writer, string text)
    {
        ReadOnlySpan<char> chars = text;
        if (!Latin1.Fits(chars))
        {
            writer.WriteCompact(((uint)chars.Length << 1) + 2);
            writer.WriteBytes(MemoryMarshal.AsBytes(chars));
            return;
        }

        writer.WriteCompact(((uint)chars.Length << 1) + 1);
        while (!chars.IsEmpty)
        {
            ReadOnlySpan<char> chunk = chars[..Math.Min(chars.Length, ChunkChars)];
            if (!Latin1.TryNarrow(chunk, ref writer.Take(chunk.Length))) throw new InvalidOperationException("A string changed while it was written.");
            chars = chars[chunk.Length..];
        }
    }

    private static string[] CreateOneCharStrings()
    {
        var strings = new string[256];
        for (int i = 0; i < strings.Length; i++) strings[i] = ((char)i).ToString();
        return strings;
    }
}
