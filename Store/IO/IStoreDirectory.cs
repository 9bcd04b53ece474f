// The only way the store touches files. The disk, the crash simulator and the fault injector stand behind it, so the code that is tested is the code that runs.

namespace Store.IO;

/// <summary>
/// A flat folder of files. What a call has made durable is stated per call; everything else may be lost, in any order and in part, when the
/// power fails. Failures are <see cref="IOException"/> (or a derived type) with the file's name; nothing is retried that may have been done in part. Safe for any number of threads.
/// </summary>
public interface IStoreDirectory : IDisposable
{
    /// <summary>What messages call this folder: its path.</summary>
    string Name { get; }

    /// <summary>True when files can only be read.</summary>
    bool IsReadOnly { get; }

    /// <summary>Names and lengths of all files, ordered by name (ordinal).</summary>
    IReadOnlyList<StoreFileEntry> List();

    /// <summary>One file by its name; null where there is none. Unless a folder says otherwise, it looks through <see cref="List"/>, which takes longer the more files there are.</summary>
    StoreFileEntry? Find(string name)
    {
        foreach (StoreFileEntry entry in List())
        {
            if (entry.Name == name) return entry;
        }

        return null;
    }

    /// <summary>Creates a file that does not exist yet. Its name is durable only after <see cref="SyncDirectory()"/>.</summary>
    IStoreFile Create(string name);

    /// <summary>Opens an existing file for reading and writing.</summary>
    IStoreFile OpenWrite(string name);

    /// <summary>Opens an existing file for reading. The file may grow, be renamed or be removed meanwhile; what is open stays readable.</summary>
    IStoreFile OpenRead(string name);

    /// <summary>Renames a file, replacing one of the new name. Atomic; durable only after <see cref="SyncDirectory()"/>.</summary>
    void Rename(string name, string newName);

    /// <summary>
    /// Renames a file to a name that no file has. Of two that do it for one name at the same time, one succeeds, on the folders that come with the store; unless a folder says otherwise, it looks first and
    /// renames then. Durable only after <see cref="SyncDirectory()"/>; a power failure before may leave the file under both names.
    /// </summary>
    /// <exception cref="IOException">There is a file of the new name. Nothing was changed.</exception>
    void RenameNew(string name, string newName)
    {
        if (List().Any(file => file.Name == newName)) throw IoFailure.AlreadyExists(newName);
        Rename(name, newName);
    }

    /// <summary>Removes a file. Durable only after <see cref="SyncDirectory()"/>.</summary>
    void Delete(string name);

    /// <summary>Makes creations, renames and removals so far durable.</summary>
    void SyncDirectory();

    /// <summary>As <see cref="SyncDirectory()"/>, of the files whose names begin with a prefix: a keyed state has its files under one, where there are no folders inside this one. Unless a folder says otherwise, it is the same.</summary>
    void SyncDirectory(string prefix) => SyncDirectory();

    /// <summary>Takes the folder for one writer, until the result is disposed or the process ends.</summary>
    /// <returns>The lock, or null when another writer, in this or another process, holds it.</returns>
    IDisposable? TryLock(string name);

    /// <summary>As <see cref="TryLock"/>, for a writer that uses the folder alone: where the folder can be locked itself, that is done as well, so that whoever removes the lock's file lets nobody in. Unless a folder says otherwise, it is the same.</summary>
    /// <returns>The lock, or null when another writer, in this or another process, holds one of the two.</returns>
    IDisposable? TryLockFolder(string name) => TryLock(name);
}

/// <summary>A file of a <see cref="IStoreDirectory"/> listing.</summary>
/// <param name="Name">Name without a path.</param>
/// <param name="LengthBytes">Length in bytes.</param>
public readonly record struct StoreFileEntry(string Name, long LengthBytes);
