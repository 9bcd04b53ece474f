// What is at a path? Nothing, a file or a folder; and where the way there cannot be gone, that, which is not the same as nothing.

namespace Store.IO;

/// <summary>What is at a path.</summary>
internal enum PathKind
{
    Nothing,
    File,
    Folder,
}

/// <summary>Looks at paths. <see cref="Directory.Exists"/> and <see cref="File.Exists"/> say of a folder behind one that may not be searched that there is none.</summary>
internal static class PathLook
{
    /// <summary>What is at a path; of a symbolic link what it leads to, and a file where that is nothing.</summary>
    /// <exception cref="IOException">The path cannot be looked at: a folder on the way may not be searched, its links lead in a circle, the disk fails.</exception>
    public static PathKind At(string path)
    {
        try
        {
            return File.GetAttributes(path).HasFlag(FileAttributes.Directory) ? PathKind.Folder : PathKind.File;
        }
        catch (Exception e) when (e is FileNotFoundException or DirectoryNotFoundException)
        {
            return PathKind.Nothing;
        }
        catch (UnauthorizedAccessException e)
        {
            throw IoFailure.FromFramework("look at", path, e);
        }
    }
}
