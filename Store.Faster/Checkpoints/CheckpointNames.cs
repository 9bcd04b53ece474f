// Which file is which in the folder of a keyed state? Format page: docs/formats/key-value-checkpoint.md.

using System.Globalization;

namespace Store.Faster.Checkpoints;

/// <summary>Names of the files: <c>records-00000000</c>… (FASTER's record log, shared by all checkpoints) and per checkpoint <c>checkpoint-0000000000000001.index</c>, <c>.snapshot</c> and <c>.manifest</c>.</summary>
internal static class CheckpointNames
{
    private const string LogPrefix = "records-";
    private const string Prefix = "checkpoint-";
    private const string ManifestSuffix = ".manifest";

    public static string LogSegment(int segment) => string.Create(CultureInfo.InvariantCulture, $"{LogPrefix}{segment:D8}");

    public static string Index(long generation) => Of(generation, ".index");

    public static string Snapshot(long generation) => Of(generation, ".snapshot");

    public static string Manifest(long generation) => Of(generation, ManifestSuffix);

    public static bool TryParseLogSegment(string name, out int segment)
    {
        segment = 0;
        return name.StartsWith(LogPrefix, StringComparison.Ordinal) && int.TryParse(name.AsSpan(LogPrefix.Length), NumberStyles.None, CultureInfo.InvariantCulture, out segment);
    }

    /// <summary>The generation of any file of a checkpoint, also of one left unfinished.</summary>
    public static bool TryParseGeneration(string name, out long generation)
    {
        generation = 0;
        if (!name.StartsWith(Prefix, StringComparison.Ordinal)) return false;
        ReadOnlySpan<char> rest = name.AsSpan(Prefix.Length);
        int dot = rest.IndexOf('.');
        return dot > 0 && long.TryParse(rest[..dot], NumberStyles.None, CultureInfo.InvariantCulture, out generation);
    }

    public static bool IsManifest(string name) => name.EndsWith(ManifestSuffix, StringComparison.Ordinal) && TryParseGeneration(name, out _);

    private static string Of(long generation, string suffix) => string.Create(CultureInfo.InvariantCulture, $"{Prefix}{generation:D16}{suffix}");
}
