// Where a sample writes. What it made the time before is removed first; anything else that lies there, or a folder that no sample made, is left alone and the sample does not run.

namespace SampleTools;

/// <summary>A folder of a sample's own, known by a file in it.</summary>
internal static class SampleFolder
{
    private const string MarkName = "made-by-a-sample.txt";

    private static readonly EnumerationOptions Everything = new() { RecurseSubdirectories = true, AttributesToSkip = 0, IgnoreInaccessible = false };

    // What a store, and a log in one file, put into a folder.
    private static readonly string[] Beginnings = ["segment-", "snapshot-", "log-", "state-", "store.lock", "log.bin"];

    /// <summary>Makes the folder, empty but for the file that says whose it is.</summary>
    /// <param name="folder">Its path.</param>
    /// <param name="sample">Name of the sample.</param>
    /// <param name="inner">A folder in it that the sample makes; null when it makes none.</param>
    /// <returns>False, with a message on the error stream, when it is not the sample's to empty. Nothing was changed then.</returns>
    public static bool TryPrepare(string folder, string sample, string? inner = null)
    {
        if (Obstacle(folder, sample, inner) is { } obstacle)
        {
            Console.Error.WriteLine($"{sample} writes into a folder of its own and removes nothing that it did not make: {obstacle}. Give it the name of a folder that is not there or empty.");
            return false;
        }

        if (Directory.Exists(folder))
        {
            foreach (string file in Directory.EnumerateFiles(folder, "*", Everything).ToList()) File.Delete(file);
            foreach (string made in Directory.EnumerateDirectories(folder).ToList()) Directory.Delete(made);
        }

        Directory.CreateDirectory(folder);
        File.WriteAllText(Path.Combine(folder, MarkName), sample);
        return true;
    }

    private static string? Obstacle(string folder, string sample, string? inner)
    {
        if (File.Exists(folder)) return $"'{folder}' is a file";
        if (!Directory.Exists(folder) || !Directory.EnumerateFileSystemEntries(folder).Any()) return null;
        string mark = Path.Combine(folder, MarkName);
        if (!File.Exists(mark) || File.ReadAllText(mark) != sample) return $"'{folder}' is not empty, and {sample} did not make it";
        foreach (string entry in Directory.EnumerateFileSystemEntries(folder, "*", Everything))
        {
            FileAttributes attributes = File.GetAttributes(entry);
            bool isMade = !attributes.HasFlag(FileAttributes.ReparsePoint) && (attributes.HasFlag(FileAttributes.Directory)
                ? inner is not null && entry == Path.Combine(folder, inner)
                : entry == mark || Beginnings.Any(beginning => Path.GetFileName(entry).StartsWith(beginning, StringComparison.Ordinal)));
            if (!isMade) return $"'{entry}' is not {sample}'s";
        }

        return null;
    }
}
