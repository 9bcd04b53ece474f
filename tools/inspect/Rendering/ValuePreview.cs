using System.Text;
using System.Text.Json;
using Store.Serialization;

namespace Store.Inspect.Rendering;

/// <summary>A record too large to be decoded for a line of a table: its size and the beginning of its JSON. All of it is gone through, and none of it is held.</summary>
internal static class ValuePreview
{
    /// <summary>Decoded, a record takes a multiple of its bytes: larger ones are shown by their beginning.</summary>
    public const int LargestDecodedBytes = 64 * 1024;

    private const int ShownBytes = 120;

    /// <exception cref="NinoSerializationException">The record does not decode.</exception>
    public static StyledText Of(LogRecord record)
    {
        var beginning = new BeginningBuffer(ShownBytes);
        using (var writer = new Utf8JsonWriter(beginning, FileLimits.Json))
            NinoJson.Write(writer, record.Schema, record.Payload.Span, FileLimits.Default);
        string text = Encoding.UTF8.GetString(Whole(beginning.Kept));
        return new StyledText($"({Format.Size(record.Payload.Length)}) ", Theme.Quiet).Add(text).Add(beginning.IsCut ? "…" : "", Theme.Quiet);
    }

    // Without a character that is cut off.
    private static ReadOnlySpan<byte> Whole(ReadOnlySpan<byte> utf8)
    {
        int start = utf8.Length;
        while (start > 0 && (utf8[start - 1] & 0xC0) == 0x80) start--;
        if (start == 0 || utf8[start - 1] < 0x80) return utf8;
        int wanted = utf8[start - 1] switch { >= 0xF0 => 3, >= 0xE0 => 2, _ => 1 };
        return utf8.Length - start >= wanted ? utf8 : utf8[..(start - 1)];
    }
}
