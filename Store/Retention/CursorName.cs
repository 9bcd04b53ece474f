using System.Globalization;
using System.Security.Cryptography;
using System.Text;
using Store.IO;

namespace Store.Retention;

/// <summary>File names of cursors: everything but small letters, digits, '-' and '_' is written as '%' and two hexadecimal digits a byte, so that no two names share a file on any file system.</summary>
internal static class CursorName
{
    private const string Extension = ".nino";

    // Each may take three characters of the file's name.
    private const int MostStateChars = 70;

    /// <summary>The file of a cursor.</summary>
    public static string FileOf(string name, MarkerKind kind)
    {
        ArgumentException.ThrowIfNullOrEmpty(name);
        byte[] bytes = Utf8Of(name);
        string file = PositionKind.Of(kind).Prefix + Encode(bytes) + Extension;
        if (bytes.Length > MarkerFile.MaxNameBytes || file.Length > 240)
            throw new ArgumentException($"The name '{name}' is too long: up to {MarkerFile.MaxNameBytes} bytes of UTF-8, of which other than small letters, digits, '-' and '_' count three times against 228.", nameof(name));
        return file;
    }

    private static byte[] Utf8Of(string name)
    {
        try
        {
            return new UTF8Encoding(false, throwOnInvalidBytes: true).GetBytes(name);
        }
        catch (EncoderFallbackException e)
        {
            throw new ArgumentException($"The name is no text that UTF-8 can hold: the character at index {e.Index} is one half of a pair without the other.", nameof(name), e);
        }
    }

    /// <summary>A name as part of a file's: no two are the same, not even where capitals count for small letters.</summary>
    public static string Encode(ReadOnlySpan<byte> name)
    {
        var text = new StringBuilder();
        foreach (byte b in name)
        {
            if (b is (>= (byte)'a' and <= (byte)'z') or (>= (byte)'0' and <= (byte)'9') or (byte)'-' or (byte)'_') text.Append((char)b);
            else text.Append(CultureInfo.InvariantCulture, $"%{b:x2}");
        }

        return text.ToString();
    }

    /// <summary>True for the files that <see cref="FileOf"/> gives.</summary>
    public static bool IsCursor(string fileName) => PositionKind.OfFile(fileName) is not null && fileName.EndsWith(Extension, StringComparison.Ordinal);

    /// <summary>What a file of <see cref="FileOf"/> is about.</summary>
    public static MarkerKind KindOf(string fileName) => PositionKind.OfFile(fileName)!.Kind;

    /// <summary>The name under which the mark of a state is kept: its type's, or a digest of that where it is too long for a file.</summary>
    public static string OfState(string typeName) =>
        typeName.Length <= MostStateChars && Ascii.IsValid(typeName) ? typeName : Convert.ToHexStringLower(SHA256.HashData(Encoding.UTF8.GetBytes(typeName)).AsSpan(0, 16));

    /// <summary>True for a cursor or a mark of the log's start or end that was not published.</summary>
    public static bool IsUnfinished(string fileName) => fileName.EndsWith(AtomicFile.TemporarySuffix, StringComparison.Ordinal)
        && fileName[..^AtomicFile.TemporarySuffix.Length] is var name && (name is LogStart.FileName or LogEnd.FileName || IsCursor(name));
}
