// When does a folder's own name survive a power failure? When the folder that it is in was synced after it got it. Who makes a folder does that. Who finds one with nothing in it cannot know whether it was
// made a moment ago, by hand or by a process that was killed before it could.

namespace Store.IO;

/// <summary>Makes folders, and their names durable. Safe for any number of threads.</summary>
/// <param name="syncFolder">Makes durable which folders there are in a folder.</param>
internal sealed class FolderNames(Action<string> syncFolder)
{
    /// <summary>On the disk.</summary>
    public static FolderNames OfDisk { get; } = new(Sync);

    /// <summary>Creates a folder and those above it, where they are missing.</summary>
    /// <returns>How many were missing: the folder itself and so many less one above it.</returns>
    /// <exception cref="IOException">One cannot be created, or there is a file in its place.</exception>
    public static int Make(string path)
    {
        var missing = new Stack<string>();
        for (string? folder = Path.TrimEndingDirectorySeparator(path); folder is not null && PathLook.At(folder) != PathKind.Folder; folder = Path.GetDirectoryName(folder))
            missing.Push(folder);
        foreach (string folder in missing)
        {
            try
            {
                Directory.CreateDirectory(folder);
            }
            catch (UnauthorizedAccessException e)
            {
                throw IoFailure.FromFramework("create the folder", folder, e);
            }
        }

        return missing.Count;
    }

    /// <summary>
    /// Makes the names of folders durable that may be new: of those that were made, of the folder when nothing is in it, and of those above as long as nothing is in them but the way here. Costs a look where there is something.
    /// </summary>
    /// <param name="path">The folder.</param>
    /// <param name="made">What <see cref="Make"/> returned.</param>
    /// <returns>Null, or why a name could not be made durable: this process has no right to look into the folder above, or that is of a file system, of which this folder is not, that syncs none.</returns>
    /// <exception cref="IOException">The sync failed otherwise.</exception>
    public IOException? Settle(string path, int made)
    {
        path = Path.TrimEndingDirectorySeparator(path);

        // Of a link, both have names: the link, and what it leads to.
        IOException? refusal = Directory.ResolveLinkTarget(path, returnFinalTarget: true) is { } target ? Settle(target.FullName, 0) : null;
        string? inner = null;
        for (string folder = path; Path.GetDirectoryName(folder) is { } parent; (inner, folder) = (folder, parent))
        {
            bool isMade = made-- > 0;
            if (!isMade && !HoldsNothingBut(folder, inner)) break;
            try
            {
                syncFolder(parent);
            }
            catch (IOException e) when (IoFailure.IsNotAllowed(e) || (!isMade && IoFailure.IsNoFolderSync(e)))
            {
                refusal ??= e;
            }
        }

        return refusal;
    }

    private static bool HoldsNothingBut(string folder, string? inner)
    {
        try
        {
            return Directory.EnumerateFileSystemEntries(folder).All(entry => string.Equals(entry, inner, StringComparison.OrdinalIgnoreCase));
        }
        catch (UnauthorizedAccessException)
        {
            // It may not be listed, so it is somebody else's, and no newer than what is known of it.
            return false;
        }
    }

    private static void Sync(string folder)
    {
        using var handle = OperatingSystem.IsWindows() ? Win32.OpenFolderOfFolders(folder) : Posix.OpenFolder(folder);
        if (OperatingSystem.IsWindows())
            Win32.Flush(handle, folder);
        else
            Posix.SyncFolder(handle, folder);
    }
}
