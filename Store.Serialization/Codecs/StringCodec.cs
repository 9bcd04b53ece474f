// How text is stored:
//
//   header  compact number: 0 = null, else ((length << 1) | isUtf16) + 1, length in chars
//   chars   isUtf16 = 0: one byte a char (Latin-1, all chars <= U+00FF)     isUtf16 = 1: two bytes a char, little-endian
//
// Two-byte form only when some char needs it, so every string has one encoding. Chars are kept as they are, lone surrogates too.
// Format page: docs/formats/record.md, "string".

using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace Store.Serialization.Codecs;

/// <summary>A string or null.</summary>
public readonly struct StringCodec : INinoCodec<string>
{
    // Longest string whose header is one byte in either form: ((125 << 1) | 1) + 1 = 252.
    internal const int MaxShortLength = 125;

    private const int ChunkChars = 4096;

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
            // Codes, flags and grades are one char, and the call costs more than the char.
            ref byte start = ref writer.Take(2);
            start = (1 << 1) + 1;
            Unsafe.Add(ref start, 1) = (byte)text[0];
        }
        else if (text.Length <= MaxShortLength)
        {
            ref byte start = ref writer.Open(out int room);
            if (room > 2 * text.Length) writer.MoveOver(WriteAnyAt(ref start, text));
            else WriteIntoRest(ref writer, text);
        }
        else
        {
            WriteLong(ref writer, text);
        }
    }

    /// <summary>In front of at most <see cref="MaxShortLength"/> chars of one byte each.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static byte ShortHeader(int length) => (byte)((length << 1) + 1);

    // In front of at most MaxShortLength chars of two bytes each.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static byte WideHeader(int length) => (byte)((length << 1) + 2);

    // More than any room, also when eight of them are added up.
    private const long NoRoom = 1L << 40;

    /// <summary>How many bytes <see cref="WriteAt"/> may store; more than there ever are for a long string, which it cannot write.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static long RoomFor(string? text) => text is null ? 1 : text.Length <= MaxShortLength ? 1 + (2 * (long)(uint)text.Length) : NoRoom;

    /// <summary>Stores a string. Bound: <see cref="RoomFor"/> bytes can be stored at <paramref name="destination"/>.</summary>
    /// <returns>How many bytes it takes.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static int WriteAt(ref byte destination, string? text)
    {
        if (text is not null)
        {
            if (text.Length == 1 && text[0] <= 0xFF)
            {
                destination = (1 << 1) + 1;
                Unsafe.Add(ref destination, 1) = (byte)text[0];
                return 2;
            }

            if (Latin1.IsFourToSixteen(text.Length)) return WriteUsualAt(ref destination, text);
        }

        return WriteAnyAt(ref destination, text);
    }

    /// <summary>The most bytes that <see cref="WriteUsualAt"/> stores.</summary>
    internal const int UsualRoom = 1 + (2 * Latin1.MostUsualChars);

    /// <summary>Stores a string of four to sixteen chars. Bound: one byte and two a char can be stored at <paramref name="destination"/>.</summary>
    /// <returns>How many bytes it takes.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static int WriteUsualAt(ref byte destination, string text)
    {
        // Two ways out and no number chosen: what follows does not wait for the chars, because the processor foretells which it is.
        if (Latin1.StoreFourToSixteen(text, ref Unsafe.Add(ref destination, 1)))
        {
            destination = ShortHeader(text.Length);
            return 1 + text.Length;
        }

        destination = WideHeader(text.Length);
        return 1 + (2 * text.Length);
    }

    /// <summary>Finds a string that is null, empty or short and of one byte a char.</summary>
    /// <param name="source">The first byte of what is read.</param>
    /// <param name="length">How many bytes it has.</param>
    /// <param name="position">Where the string begins, at least 0; then where it ends.</param>
    /// <param name="text">The string.</param>
    /// <returns>False when something else is there.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static bool TryReadAt(ref readonly byte source, int length, ref int position, out string text)
    {
        text = null!;
        if (position >= length) return false;
        int header = Unsafe.Add(ref Unsafe.AsRef(in source), position);
        if ((header & 1) == 0 || header >= CompactNumber.Marker16) return header == 0 && ++position > 0;
        int first = position + 1, chars = header >> 1;
        if (chars > length - first) return false;
        position = first + chars;
        text = chars == 0 ? string.Empty : Latin1Strings.Of(MemoryMarshal.CreateReadOnlySpan(in Unsafe.Add(ref Unsafe.AsRef(in source), first), chars));
        return true;
    }

    // One pass: few chars are loaded once for either form, many are narrowed on trial into their place. One method for all short strings, and nothing it calls but at its ends: so it saves no
    // registers, and is the same code whatever the program wrote first (docs/performance.md, "Strings and dictionaries"). Bound: as WriteAt, at most MaxShortLength chars.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private static int WriteAnyAt(ref byte destination, string? text)
    {
        if (text is null)
        {
            destination = 0;
            return 1;
        }

        int length = text.Length;
        if (length > Latin1.MaxFewChars) return WriteManyCharsAt(ref destination, text);
        if (Latin1.StoreFew(text, ref Unsafe.Add(ref destination, 1)))
        {
            destination = ShortHeader(length);
            return 1 + length;
        }

        destination = WideHeader(length);
        return 1 + (2 * length);
    }

    // Bound: as WriteAnyAt.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private static int WriteManyCharsAt(ref byte destination, string text)
    {
        if (!Latin1.TryNarrow(text, ref Unsafe.Add(ref destination, 1))) return WriteWideAt(ref destination, text);
        destination = ShortHeader(text.Length);
        return 1 + text.Length;
    }

    // Bound: at most MaxShortLength chars; stores one byte and two for each char.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private static int WriteWideAt(ref byte destination, string text)
    {
        destination = WideHeader(text.Length);
        Latin1.StoreWide(text, ref Unsafe.Add(ref destination, 1));
        return 1 + (2 * text.Length);
    }

    // Where what is left of a span may hold the short form and not the other.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void WriteIntoRest(ref NinoWriter writer, string text)
    {
        ref byte start = ref writer.Reserve(1 + text.Length);
        if (Latin1.TryNarrow(text, ref Unsafe.Add(ref start, 1)))
        {
            start = ShortHeader(text.Length);
            writer.MoveOver(1 + text.Length);
        }
        else
        {
            WriteWideAt(ref writer.Take(1 + (2 * text.Length)), text);
        }
    }

    /// <inheritdoc/>
    public string Read(ref NinoReader reader)
    {
        ref readonly byte start = ref reader.TakeShortText(0, out int length);
        return length > 0 ? OfShort(ref reader, in start, length) : ReadAny(ref reader);
    }

    /// <summary>Moves over bytes of a fixed number and reads the string behind them, in one step of the cursor where the string is a usual one.</summary>
    /// <param name="reader">In front of the bytes.</param>
    /// <param name="size">How many.</param>
    /// <param name="text">The string.</param>
    /// <returns>The first of the bytes. Bound: the caller loads at most <paramref name="size"/>.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static ref readonly byte ReadBehind(ref NinoReader reader, int size, out string text)
    {
        ref readonly byte start = ref reader.TakeShortText(size, out int length);
        if (length > 0)
        {
            text = OfShort(ref reader, in Unsafe.Add(ref Unsafe.AsRef(in start), size), length);
            return ref start;
        }

        start = ref reader.Take(size);
        text = ReadAny(ref reader);
        return ref start;
    }

    // Of what TakeShortText took.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static string OfShort(ref NinoReader reader, ref readonly byte header, int length) =>
        length == 1 ? Latin1Strings.OneChar[Unsafe.Add(ref Unsafe.AsRef(in header), 1)]
        : reader.Texts.IsTried ? reader.Texts.OfLatin1(in header, length) : Latin1Strings.Of(RepeatedTexts.CharsOf(in header, length));

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static string ReadAny(ref NinoReader reader)
    {
        uint header = reader.ReadCompact();
        if (header <= 1) return header == 0 ? null! : string.Empty;

        int length = (int)((header - 1) >> 1);
        if (((header - 1) & 1) != 0) return ReadUtf16(ref reader, length);

        // Longer than what is looked for among the strings read last.
        return Latin1Strings.Of(reader.TakeSpan(length));
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
        else if (length > Latin1Strings.MaxLength) Throw.StringTooLong(length);
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
        if (length > Latin1Strings.MaxLength) Throw.StringTooLong(length);
        return chars;
    }

    // Where there is room at hand: narrowed on trial into its place, in one pass instead of two. Nothing is written when it is false: what was stored lies behind the cursor.
    private static bool TryWriteNarrow(ref NinoWriter writer, ReadOnlySpan<char> chars)
    {
        uint header = ((uint)chars.Length << 1) + 1;
        int headerSize = CompactNumber.SizeOf(header);
        ref byte start = ref writer.Open(out int room);
        if (room < headerSize + chars.Length || !Latin1.TryNarrow(chars, ref Unsafe.Add(ref start, headerSize))) return false;
        writer.WriteCompact(header);
        writer.MoveOver(chars.Length);
        return true;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void WriteLong(ref NinoWriter writer, string text)
    {
        ReadOnlySpan<char> chars = text;
        if (TryWriteNarrow(ref writer, chars)) return;
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
}
