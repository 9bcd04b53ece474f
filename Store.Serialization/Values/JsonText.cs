// Text as JSON without a string in between. Utf8JsonWriter would replace half surrogate pairs by U+FFFD and refuses values beyond 166 million
// characters: those go through escapes and segments.

using System.Buffers;
using System.Runtime.InteropServices;
using System.Text;
using System.Text.Json;

namespace Store.Serialization.Values;

/// <summary>Writes a record's strings and byte lists with a <see cref="Utf8JsonWriter"/>.</summary>
internal static class JsonText
{
    /// <summary>Longest name a map's key becomes, in characters.</summary>
    public const int MaxNameLength = 100_000;

    private const int SegmentLength = 1024;
    private const int Base64SegmentBytes = 3 * 4096;
    private const int EscapedLength = 6;

    public static void WriteLatin1(Utf8JsonWriter writer, ReadOnlySpan<byte> characters)
    {
        if (characters.Length <= SegmentLength && Ascii.IsValid(characters))
        {
            writer.WriteStringValue(characters);
            return;
        }

        Span<char> segment = stackalloc char[SegmentLength];
        do
        {
            int length = Math.Min(SegmentLength, characters.Length);
            Encoding.Latin1.GetChars(characters[..length], segment);
            characters = characters[length..];
            writer.WriteStringValueSegment(segment[..length], isFinalSegment: characters.IsEmpty);
        }
        while (!characters.IsEmpty);
    }

    public static void WriteUtf16(Utf8JsonWriter writer, ReadOnlySpan<byte> characters)
    {
        ReadOnlySpan<char> text = MemoryMarshal.Cast<byte, char>(characters);
        if (HasHalfPair(text))
        {
            WriteEscaped(writer, text);
            return;
        }

        if (text.Length <= SegmentLength)
        {
            writer.WriteStringValue(text);
            return;
        }

        while (text.Length > SegmentLength)
        {
            // A pair stays in one segment.
            int length = char.IsHighSurrogate(text[SegmentLength - 1]) ? SegmentLength - 1 : SegmentLength;
            writer.WriteStringValueSegment(text[..length], isFinalSegment: false);
            text = text[length..];
        }

        writer.WriteStringValueSegment(text, isFinalSegment: true);
    }

    /// <summary>Writes a property name. The caller knows that it has no half pair and at most <see cref="MaxNameLength"/> characters.</summary>
    public static void WriteName(Utf8JsonWriter writer, ReadOnlySpan<byte> characters, bool isUtf16)
    {
        if (isUtf16)
        {
            writer.WritePropertyName(MemoryMarshal.Cast<byte, char>(characters));
            return;
        }

        if (Ascii.IsValid(characters))
        {
            writer.WritePropertyName(characters);
            return;
        }

        char[] rented = ArrayPool<char>.Shared.Rent(characters.Length);
        Encoding.Latin1.GetChars(characters, rented);
        writer.WritePropertyName(rented.AsSpan(0, characters.Length));
        ArrayPool<char>.Shared.Return(rented);
    }

    public static void WriteBase64(Utf8JsonWriter writer, ReadOnlySpan<byte> bytes)
    {
        if (bytes.Length <= Base64SegmentBytes)
        {
            writer.WriteBase64StringValue(bytes);
            return;
        }

        while (bytes.Length > Base64SegmentBytes)
        {
            writer.WriteBase64StringSegment(bytes[..Base64SegmentBytes], isFinalSegment: false);
            bytes = bytes[Base64SegmentBytes..];
        }

        writer.WriteBase64StringSegment(bytes, isFinalSegment: true);
    }

    /// <summary>True when a surrogate stands without its other half.</summary>
    public static bool HasHalfPair(ReadOnlySpan<char> text)
    {
        while (true)
        {
            int at = text.IndexOfAnyInRange('\uD800', '\uDFFF');
            if (at < 0) return false;
            if (at + 1 >= text.Length || !char.IsSurrogatePair(text[at], text[at + 1])) return true;
            text = text[(at + 2)..];
        }
    }

    private static void WriteEscaped(Utf8JsonWriter writer, ReadOnlySpan<char> text)
    {
        if (text.Length > int.MaxValue / EscapedLength - 2)
            throw new NinoSerializationException($"A string of {text.Length} characters with half surrogate pairs is too long to be escaped as JSON.");
        byte[] rented = ArrayPool<byte>.Shared.Rent(text.Length * EscapedLength + 2);
        int length = 0;
        rented[length++] = (byte)'"';
        foreach (char c in text)
        {
            if (c is ' ' || char.IsAsciiLetterOrDigit(c))
            {
                rented[length++] = (byte)c;
                continue;
            }

            rented[length++] = (byte)'\\';
            rented[length++] = (byte)'u';
            for (int shift = 12; shift >= 0; shift -= 4) rented[length++] = "0123456789ABCDEF"u8[(c >> shift) & 0xF];
        }

        rented[length++] = (byte)'"';
        writer.WriteRawValue(rented.AsSpan(0, length), skipInputValidation: true);
        ArrayPool<byte>.Shared.Return(rented);
    }
}
