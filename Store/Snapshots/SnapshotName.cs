// How are snapshot files called? So that an ordinal listing of the folder shows them from oldest to newest: docs/formats/snapshot.md, "files".
// The name is only a hint: what a snapshot is, its header says.

using System.Globalization;
using Store.IO;

namespace Store.Snapshots;

/// <param name="Sequence">Last sequence whose effect the snapshot holds.</param>
/// <param name="Generation">1, 2, … among snapshots of the same sequence.</param>
internal readonly record struct SnapshotName(long Sequence, uint Generation)
{
    /// <summary>Ends the name of a snapshot that covered records the log had lost. Never read; kept for whoever looks into it.</summary>
    public const string AheadSuffix = ".ahead";

    private const string Prefix = "snapshot-";
    private const string Extension = ".nino";
    private const int SequenceDigits = 16;
    private const int GenerationDigits = 8;

    public override string ToString() => string.Create(CultureInfo.InvariantCulture, $"{Prefix}{Sequence:x16}-{Generation:x8}{Extension}");

    /// <summary>Only names that <see cref="ToString"/> gives are snapshots.</summary>
    public static bool TryParse(string fileName, out SnapshotName name)
    {
        name = default;
        if (fileName.Length != Prefix.Length + SequenceDigits + 1 + GenerationDigits + Extension.Length) return false;
        if (!long.TryParse(fileName.AsSpan(Prefix.Length, SequenceDigits), NumberStyles.AllowHexSpecifier, CultureInfo.InvariantCulture, out long sequence) || sequence < 0) return false;
        if (!uint.TryParse(fileName.AsSpan(Prefix.Length + SequenceDigits + 1, GenerationDigits), NumberStyles.AllowHexSpecifier, CultureInfo.InvariantCulture, out uint generation)) return false;
        name = new SnapshotName(sequence, generation);
        return name.ToString() == fileName;
    }

    /// <summary>As <see cref="TryParse"/>, for a snapshot that is still being written or was set aside.</summary>
    public static bool TryParseUnused(string fileName, out SnapshotName name) => TryParseTemporary(fileName, out name) || TryParseBefore(AheadSuffix, fileName, out name);

    /// <summary>As <see cref="TryParse"/>, for a snapshot that is still being written.</summary>
    public static bool TryParseTemporary(string fileName, out SnapshotName name) => TryParseBefore(AtomicFile.TemporarySuffix, fileName, out name);

    private static bool TryParseBefore(string suffix, string fileName, out SnapshotName name)
    {
        name = default;
        return fileName.EndsWith(suffix, StringComparison.Ordinal) && TryParse(fileName[..^suffix.Length], out name);
    }
}
