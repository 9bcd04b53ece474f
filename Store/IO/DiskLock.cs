// How is a second writer kept out? By the operating system's lock on a file that stays, and by a list of the locks of this process.

using Microsoft.Win32.SafeHandles;
using Store.Threading;

namespace Store.IO;

/// <summary>
/// An exclusive lock on a file. The system's lock (flock; a handle that shares nothing on Windows) ends with the process, however it ends. The list is
/// for network file systems, where the lock belongs to the process and so cannot tell two stores of one process apart.
/// </summary>
/// <remarks>
/// The file is left behind: removing it would let one process lock the removed file and another a new one. flock is called directly because the framework's
/// own lock (<see cref="FileShare.None"/>) is skipped when the environment says so.
/// </remarks>
internal sealed class DiskLock : IDisposable
{
    private const int SharingViolation = 32; // ERROR_SHARING_VIOLATION

    private static readonly HashSet<string> Held = new(OperatingSystem.IsLinux() ? StringComparer.Ordinal : StringComparer.OrdinalIgnoreCase);

    private readonly SafeFileHandle _handle;
    private readonly string _key;
    private int _released;

    private DiskLock(SafeFileHandle handle, string key)
    {
        _handle = handle;
        _key = key;
    }

    /// <summary>Takes the lock, or returns null when this or another process holds it.</summary>
    /// <param name="path">Full path of the lock file; created when missing.</param>
    /// <exception cref="IOException">The file cannot be opened, or its file system has no locks.</exception>
    public static DiskLock? TryTake(string path)
    {
        var key = KeyOf(path);
        lock (Held)
        {
            // Not even opened when held here: on some file systems closing any handle of a file drops the process's locks on it.
            if (Held.Contains(key))
                return null;
            if (TryOpen(path) is not { } handle)
                return null;
            Held.Add(key);
            return new DiskLock(handle, key);
        }
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        if (Interlocked.Exchange(ref _released, 1) != 0)
            return;
        using (Uninterrupted.EnterMonitor(Held))
        {
            _handle.Dispose();
            Held.Remove(_key);
        }
    }

    private static SafeFileHandle? TryOpen(string path)
    {
        try
        {
            return OperatingSystem.IsWindows() ? TryOpenAlone(path) : TryOpenLocked(path);
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

    private static SafeFileHandle? TryOpenLocked(string path)
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
