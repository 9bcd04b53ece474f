using System.Globalization;
using System.Text;
using Store.IO;

namespace Store.Retention;

/// <summary>File names of cursors: everything but small letters, digits, '-' and '_' is written as '%' and two hexadecimal digits a byte, so that no two names share a file on any file system.</summary>
internal static class CursorName
{
    private const string Prefix = "cursor-";
    private const string KeyedPrefix = "keyed-";
    private const string Extension = ".nino";

    /// <summary>The file of a cursor.</summary>
    public static string FileOf(string name, MarkerKind kind)
    {
        ArgumentException.ThrowIfNullOrEmpty(name);
        byte[] bytes = new UTF8Encoding(false, throwOnInvalidBytes: true).GetBytes(name);
        var text = new StringBuilder(kind == MarkerKind.KeyedState ? KeyedPrefix : Prefix);
        foreach (byte b in bytes)
        {
            if (b is (>= (byte)'a' and <= (byte)'z') or (>= (byte)'0' and <= (byte)'9') or (byte)'-' or (byte)'_') text.Append((char)b);
            else text.Append(CultureInfo.InvariantCulture, $"%{b:x2}");
        }

        text.Append(Extension);
        if (bytes.Length > MarkerFile.MaxNameBytes || text.Length > 240)
            throw new ArgumentException($"The name '{name}' is too long: up to {MarkerFile.MaxNameBytes} bytes of UTF-8, of which other than small letters, digits, '-' and '_' count three times against 228.", nameof(name));
        return text.ToString();
    }

    /// <summary>True for the files that <see cref="FileOf"/> gives.</summary>
    public static bool IsCursor(string fileName) =>
        (fileName.StartsWith(Prefix, StringComparison.Ordinal) || fileName.StartsWith(KeyedPrefix, StringComparison.Ordinal)) && fileName.EndsWith(Extension, StringComparison.Ordinal);

    /// <summary>True for a cursor or a mark of the log's start or end that was not published.</summary>
    public static bool IsUnfinished(string fileName) => fileName.EndsWith(AtomicFile.TemporarySuffix, StringComparison.Ordinal)
        && fileName[..^AtomicFile.TemporarySuffix.Length] is var name && (name is LogStart.FileName or LogEnd.FileName || IsCursor(name));
}
