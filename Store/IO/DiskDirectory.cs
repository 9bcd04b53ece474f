// Where do the store's files live for real? In one folder of the disk. docs/durability.md says what each call means on each platform.

namespace Store.IO;

/// <summary>
/// A folder of the disk. Files are opened for sharing with other processes; only <see cref="TryLock"/> keeps a second writer out. Safe for any number of threads.
/// </summary>
internal sealed class DiskDirectory : IStoreDirectory
{
    private readonly Microsoft.Win32.SafeHandles.SafeFileHandle? _folder;
    private bool _disposed;

    private DiskDirectory(string path, bool readOnly)
    {
        Name = path;
        IsReadOnly = readOnly;
        // One handle for the folder's whole life: a write-back error of its entries is reported to handles that were open when it happened.
        if (!readOnly)
            _folder = OperatingSystem.IsWindows() ? Win32.OpenFolder(path) : Posix.OpenFolder(path);
    }

    /// <inheritdoc/>
    public string Name { get; }

    /// <inheritdoc/>
    public bool IsReadOnly { get; }

    /// <summary>Opens a folder for writing where the process may write to it, for reading otherwise (<see cref="IsReadOnly"/>).</summary>
    /// <param name="path">The folder.</param>
    /// <param name="create">Create the folder and those above it when missing. Each new folder's entry is durable when this returns.</param>
    /// <exception cref="DirectoryNotFoundException">The folder is missing and was not to be created.</exception>
    /// <exception cref="IOException">The folder cannot be created or opened.</exception>
    public static DiskDirectory Open(string path, bool create = false)
    {
        ArgumentException.ThrowIfNullOrEmpty(path);
        var full = Path.GetFullPath(path);
        if (create)
            CreateDurably(full);
        if (!Directory.Exists(full))
            throw new DirectoryNotFoundException($"There is no folder '{full}'.");
        return new DiskDirectory(full, readOnly: !CanWriteTo(full));
    }

    /// <summary>Opens a folder for reading: every call that would change something throws.</summary>
    /// <param name="path">The folder.</param>
    /// <exception cref="DirectoryNotFoundException">The folder is missing.</exception>
    public static DiskDirectory OpenReadOnly(string path)
    {
        ArgumentException.ThrowIfNullOrEmpty(path);
        var full = Path.GetFullPath(path);
        return Directory.Exists(full) ? new DiskDirectory(full, readOnly: true) : throw new DirectoryNotFoundException($"There is no folder '{full}'.");
    }

    /// <inheritdoc/>
    public IReadOnlyList<StoreFileEntry> List()
    {
        ThrowIfDisposed();
        var entries = new List<StoreFileEntry>();
        try
        {
            foreach (var info in new DirectoryInfo(Name).EnumerateFiles())
            {
                // A file that another process removed since it was enumerated is not there.
                if (info.Exists)
                    entries.Add(new StoreFileEntry(info.Name, LengthOf(info)));
            }
        }
        catch (UnauthorizedAccessException e)
        {
            throw IoFailure.FromFramework("list the folder", Name, e);
        }
        entries.Sort(static (a, b) => string.CompareOrdinal(a.Name, b.Name));
        return entries;
    }

    // Of a link that of the file: the framework gives that of the link's own text, or 0, and whoever opens it reads the file.
    private static long LengthOf(FileInfo info) =>
        info.Attributes.HasFlag(FileAttributes.ReparsePoint) && info.ResolveLinkTarget(returnFinalTarget: true) is FileInfo { Exists: true } target ? target.Length : info.Length;

    /// <inheritdoc/>
    public StoreFileEntry? Find(string name)
    {
        string path = PathOf(name);
        try
        {
            // What is there and cannot be looked at is an exception here; FileInfo.Exists would say that it is not.
            if (File.GetAttributes(path).HasFlag(FileAttributes.Directory)) return null;
            return new StoreFileEntry(name, LengthOf(new FileInfo(path)));
        }
        catch (Exception e) when (e is FileNotFoundException or DirectoryNotFoundException)
        {
            return null;
        }
        catch (UnauthorizedAccessException e)
        {
            throw IoFailure.FromFramework("look at", path, e);
        }
    }

    /// <inheritdoc/>
    public IStoreFile Create(string name)
    {
        var path = PathOf(name);
        ThrowIfReadOnly("create", path);
        return DiskFile.Open(path, name, FileMode.CreateNew, FileAccess.ReadWrite);
    }

    /// <inheritdoc/>
    public IStoreFile OpenWrite(string name)
    {
        var path = PathOf(name);
        ThrowIfReadOnly("open for writing", path);
        return DiskFile.Open(path, name, FileMode.Open, FileAccess.ReadWrite);
    }

    /// <inheritdoc/>
    public IStoreFile OpenRead(string name) => DiskFile.Open(PathOf(name), name, FileMode.Open, FileAccess.Read);

    /// <inheritdoc/>
    public void Rename(string name, string newName)
    {
        string path = PathOf(name), newPath = PathOf(newName);
        ThrowIfReadOnly("rename", path);
        if (OperatingSystem.IsWindows())
            Win32.Rename(path, newPath);
        else
            Posix.Rename(path, newPath);
    }

    /// <inheritdoc/>
    public void RenameNew(string name, string newName)
    {
        string path = PathOf(name), newPath = PathOf(newName);
        ThrowIfReadOnly("rename", path);
        if (OperatingSystem.IsWindows())
            Win32.RenameNew(path, newPath);
        else
            Posix.RenameNew(path, newPath);
    }

    /// <inheritdoc/>
    public void Delete(string name)
    {
        var path = PathOf(name);
        ThrowIfReadOnly("remove", path);
        if (OperatingSystem.IsWindows())
            Win32.Delete(path);
        else
            Posix.Delete(path);
    }

    /// <inheritdoc/>
    public void SyncDirectory()
    {
        ThrowIfDisposed();
        ThrowIfReadOnly("sync the folder", Name);
        if (OperatingSystem.IsWindows())
            Win32.Flush(_folder!, Name);
        else
            Posix.SyncFolder(_folder!, Name);
    }

    /// <inheritdoc/>
    public IDisposable? TryLock(string name)
    {
        var path = PathOf(name);
        ThrowIfReadOnly("lock", path);
        return DiskLock.TryTake(path, withFolder: false);
    }

    /// <inheritdoc/>
    public IDisposable? TryLockFolder(string name)
    {
        var path = PathOf(name);
        ThrowIfReadOnly("lock", path);
        return DiskLock.TryTake(path, withFolder: true);
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        Volatile.Write(ref _disposed, true);
        _folder?.Dispose();
    }

    /// <summary>Creates missing folders from the top, each synced into the one above it, so that a power failure cannot lose the folder with a store in it.</summary>
    private static void CreateDurably(string path)
    {
        var missing = new Stack<string>();
        for (var folder = path; folder is not null && !Directory.Exists(folder); folder = Path.GetDirectoryName(folder))
            missing.Push(folder);
        foreach (var folder in missing)
        {
            try
            {
                Directory.CreateDirectory(folder);
            }
            catch (UnauthorizedAccessException e)
            {
                throw IoFailure.FromFramework("create the folder", folder, e);
            }
            if (Path.GetDirectoryName(folder) is not { } parent)
                continue;
            using var handle = OperatingSystem.IsWindows() ? Win32.OpenFolder(parent) : Posix.OpenFolder(parent);
            if (OperatingSystem.IsWindows())
                Win32.Flush(handle, parent);
            else
                Posix.SyncFolder(handle, parent);
        }
    }

    private static bool CanWriteTo(string path)
    {
        if (!OperatingSystem.IsWindows())
            return Posix.CanWriteTo(path);
        try
        {
            // Windows answers only to an attempt: the access lists of a folder are no promise.
            using var probe = File.OpenHandle(Path.Combine(path, $".probe-{Guid.NewGuid():N}"), FileMode.CreateNew, FileAccess.Write, FileShare.Delete, FileOptions.DeleteOnClose);
            return true;
        }
        catch (UnauthorizedAccessException)
        {
            return false;
        }
        catch (IOException e) when ((e.HResult & 0xFFFF) == 19)
        {
            return false; // ERROR_WRITE_PROTECT
        }
    }

    private string PathOf(string name)
    {
        ThrowIfDisposed();
        StoreFileName.Validate(name);
        return Path.Combine(Name, name);
    }

    private void ThrowIfReadOnly(string operation, string path)
    {
        if (IsReadOnly)
            throw IoFailure.ReadOnly(operation, path);
    }

    private void ThrowIfDisposed() => ObjectDisposedException.ThrowIf(Volatile.Read(ref _disposed), this);
}
