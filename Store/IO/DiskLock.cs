// How is a second writer kept out? By the operating system's lock on a file that stays, on the folder itself where it is one writer's alone, and by a list of the locks of this process.

using Microsoft.Win32.SafeHandles;
using Store.Threading;

namespace Store.IO;

/// <summary>
/// An exclusive lock on a file. The system's lock (flock; a handle that shares nothing on Windows) ends with the process, however it ends. The list is
/// for network file systems, where the lock belongs to the process and so cannot tell two stores of one process apart.
/// </summary>
/// <remarks>
/// The file is left behind: removing it would let one process lock the removed file and another a new one. flock is called directly because the framework's
/// own lock (<see cref="FileShare.None"/>) is skipped when the environment says so. Whoever removes the file all the same, as people do with what they take for a lock that was left behind, removes no lock of the folder:
/// that one lies on what the files are in.
/// </remarks>
internal sealed class DiskLock : IWatchedLock
{
    // Somebody removes the file again and again between opening and locking it.
    private const int MostTries = 8;

    private const int SharingViolation = 32; // ERROR_SHARING_VIOLATION

    // Where capitals may be small letters, the same file goes by both.
    private static readonly HashSet<string> Held = new(OperatingSystem.IsLinux() || OperatingSystem.IsAndroid() || OperatingSystem.IsFreeBSD() ? StringComparer.Ordinal : StringComparer.OrdinalIgnoreCase);

    private readonly SafeFileHandle _handle;
    private readonly SafeFileHandle? _folder;
    private readonly string _path;
    private readonly string _key;
    private readonly FileLook _look;
    private readonly FileIdentity? _identity;
    private int _released;

    private DiskLock(SafeFileHandle handle, SafeFileHandle? folder, string path, string key, FileLook look, FileIdentity? identity)
    {
        (_look, _identity) = (look, identity);
        _handle = handle;
        _folder = folder;
        _path = path;
        _key = key;
    }

    /// <inheritdoc/>
    public bool IsInPlace => _look.IsNamed(_identity, _path);

    /// <summary>Takes the lock, or returns null when this or another process holds it.</summary>
    /// <param name="path">Full path of the lock file; created when missing.</param>
    /// <param name="withFolder">True to lock its folder as well, where the file system can: the folder is one writer's alone.</param>
    /// <param name="look">Looks whether it is still the file of that path; null for the system's own.</param>
    /// <exception cref="IOException">The file cannot be opened, or its file system has no locks.</exception>
    public static DiskLock? TryTake(string path, bool withFolder, FileLook? look = null)
    {
        look ??= FileLook.OfSystem;
        var key = KeyOf(path);
        lock (Held)
        {
            // Not even opened when held here: on some file systems closing any handle of a file drops the process's locks on it.
            if (Held.Contains(key))
                return null;
            if (TryOpen(path, look, out var identity) is not { } handle)
                return null;
            var taken = false;
            try
            {
                taken = TryLockFolder(path, withFolder, out var folder);
                if (!taken)
                    return null;
                Held.Add(key);
                return new DiskLock(handle, folder, path, key, look, identity);
            }
            finally
            {
                if (!taken)
                    handle.Dispose();
            }
        }
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        if (Interlocked.Exchange(ref _released, 1) != 0)
            return;
        using (Uninterrupted.EnterMonitor(Held))
        {
            _folder?.Dispose();
            _handle.Dispose();
            Held.Remove(_key);
        }
    }

    private static SafeFileHandle? TryOpen(string path, FileLook look, out FileIdentity? identity)
    {
        identity = null;
        try
        {
            // On Windows nobody can remove it.
            return OperatingSystem.IsWindows() ? TryOpenAlone(path) : TryOpenLocked(path, look, out identity);
        }
        catch (UnauthorizedAccessException e)
        {
            throw IoFailure.FromFramework("lock", path, e);
        }
    }

    private static SafeFileHandle? TryOpenAlone(string path)
    {
        try
        {
            return File.OpenHandle(path, FileMode.OpenOrCreate, FileAccess.ReadWrite, FileShare.None);
        }
        catch (IOException e) when ((e.HResult & 0xFFFF) == SharingViolation)
        {
            return null;
        }
    }

    // Not on Windows: the lock's file cannot be removed there while it is held.
    private static bool TryLockFolder(string path, bool withFolder, out SafeFileHandle? folder)
    {
        folder = null;
        if (!withFolder || OperatingSystem.IsWindows())
            return true;
        var handle = Posix.OpenFolder(Path.GetDirectoryName(path)!);
        bool? locked = null;
        try
        {
            locked = Posix.TryLockFolder(handle, path);
            folder = locked is true ? handle : null;
            return locked is not false;
        }
        finally
        {
            if (locked is not true)
                handle.Dispose();
        }
    }

    // Between opening and locking it the file may have been removed: then others lock another one.
    private static SafeFileHandle? TryOpenLocked(string path, FileLook look, out FileIdentity? identity)
    {
        identity = null;
        for (var tries = 0; tries < MostTries; tries++)
        {
            if (TryOpenLockedOnce(path) is not { } handle)
                return null;
            var isNamed = false;
            try
            {
                identity = look.Identify(handle, path);
                isNamed = look.IsNamed(identity, path);
                if (isNamed)
                    return handle;
            }
            finally
            {
                if (!isNamed)
                    handle.Dispose();
            }
        }

        throw new IOException($"'{path}' is removed again and again while it is being locked. Leave the lock's file alone.");
    }

    private static SafeFileHandle? TryOpenLockedOnce(string path)
    {
        // Opened by a plain system call: the framework takes a shared lock on whatever it opens, which fails while another process holds ours
        // and makes two processes that open at once refuse each other.
        CreateIfMissing(path);
        var handle = Posix.OpenFile(path);
        var locked = false;
        try
        {
            locked = Posix.TryLock(handle, path);
            return locked ? handle : null;
        }
        finally
        {
            if (!locked)
                handle.Dispose();
        }
    }

    private static void CreateIfMissing(string path)
    {
        if (File.Exists(path))
            return;
        try
        {
            File.OpenHandle(path, FileMode.CreateNew, FileAccess.ReadWrite, FileShare.ReadWrite | FileShare.Delete).Dispose();
        }
        catch (IOException) when (File.Exists(path))
        {
            // Another process created it first; the lock decides.
        }
    }

    /// <summary>The path with a symbolic link of the folder resolved; other aliases of one file are left to the system's lock.</summary>
    private static string KeyOf(string path)
    {
        var folder = Path.GetDirectoryName(path)!;
        return Path.Combine(Directory.ResolveLinkTarget(folder, returnFinalTarget: true)?.FullName ?? folder, Path.GetFileName(path));
    }
}
