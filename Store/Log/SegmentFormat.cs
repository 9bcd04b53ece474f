// Constants and names of segment files. Format page: docs/formats/segment.md. It lists what is edited together.

using System.Globalization;
using Store.Framing;
using Store.IO;

namespace Store.Log;

internal static class SegmentFormat
{
    public const int HeaderSize = 128;
    public const int Version = 1;

    /// <summary>Room every segment keeps for its footer.</summary>
    public const int FooterFrameSize = FrameFormat.HeaderSize + SegmentFooter.Size;

    public const string LockName = "store.lock";

    private const string Prefix = "segment-";
    private const string Suffix = ".log";
    private const string Prepared = "prepared";

    /// <summary>
    /// Zeros are written ahead in a file of this name, which becomes the next segment. A one-file log has a name of its own for it: others may lie in the
    /// same folder and be written at the same time. In a store the name has the writer's number: one that does not know yet that it has lost the log writes into nobody else's.
    /// </summary>
    public static string PreparedName(string? oneFileName, ulong writer) =>
        oneFileName is null ? string.Create(CultureInfo.InvariantCulture, $"{Prefix}{Prepared}-{writer:x16}{AtomicFile.TemporarySuffix}") : $"{oneFileName}.{Prepared}{AtomicFile.TemporarySuffix}";

    /// <summary>True for a prepared file, whoever prepared it.</summary>
    public static bool IsPrepared(string name, string? oneFileName) =>
        oneFileName is null ? name.StartsWith(Prefix + Prepared, StringComparison.Ordinal) && name.EndsWith(AtomicFile.TemporarySuffix, StringComparison.Ordinal) : name == PreparedName(oneFileName, 0);

    /// <summary>File name of a segment: its number in 16 digits, so that names order as numbers do.</summary>
    public static string Name(long number) => string.Create(CultureInfo.InvariantCulture, $"{Prefix}{number:D16}{Suffix}");

    /// <summary>The number in a segment's file name.</summary>
    public static bool TryParseName(string name, out long number)
    {
        number = 0;
        return name.Length == Prefix.Length + 16 + Suffix.Length
            && name.StartsWith(Prefix, StringComparison.Ordinal) && name.EndsWith(Suffix, StringComparison.Ordinal)
            && long.TryParse(name.AsSpan(Prefix.Length, 16), NumberStyles.None, CultureInfo.InvariantCulture, out number);
    }
}
