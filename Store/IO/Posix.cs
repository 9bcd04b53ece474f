// Which system calls does the store make itself on Linux and macOS? Those whose failure the framework hides or that it does not offer:
// it swallows EROFS, EINVAL and ENOTSUP of a sync, cannot open a folder, skips file locks on request, and may copy instead of renaming.

using System.Runtime.InteropServices;
using Microsoft.Win32.SafeHandles;

namespace Store.IO;

/// <summary>
/// libc. Every error number is final and becomes an <see cref="IOException"/>; the one exception is EINTR, where the call did not happen and is made again.
/// Linux runs the tests; the macOS branches are compiled but were not run.
/// </summary>
internal static partial class Posix
{
    private const int Interrupted = 4; // EINTR
    private const int ReadOnly = 0, ReadWrite = 2; // O_RDONLY, O_RDWR
    private const int CanWrite = 2, IsThere = 0; // W_OK, F_OK
    private const int NotPermitted = 1, NoSuchCall = 38, NoSuchCallOnMac = 78, NotSupported = 95, NotSupportedOnMac = 45, OperationNotSupportedOnMac = 102; // EPERM, ENOSYS, ENOTSUP, EOPNOTSUPP
    private const int BadHandle = 9; // EBADF
    private const int CurrentFolder = -100, EmptyPath = 0x1000; // AT_FDCWD, AT_EMPTY_PATH of Linux
    private const int LockExclusiveNonBlocking = 2 | 4; // LOCK_EX | LOCK_NB
    private const int FullSync = 51; // F_FULLFSYNC of macOS
    private const uint WritebackStart = 2; // SYNC_FILE_RANGE_WRITE of Linux

    private static readonly int CloseOnExec = OperatingSystem.IsMacOS() ? 0x100_0000 : 0x8_0000; // O_CLOEXEC
    private static readonly int WouldBlock = OperatingSystem.IsMacOS() ? 35 : 11; // EWOULDBLOCK

    /// <summary>Makes a file's data and length durable: fdatasync on Linux; on macOS F_FULLFSYNC, because fsync there leaves the data in the drive's cache.</summary>
    public static void SyncData(SafeFileHandle file, string path)
    {
        while ((OperatingSystem.IsMacOS() ? FileControl(file, FullSync) : DataSync(file)) != 0)
            ThrowUnlessInterrupted("sync", path);
    }

    /// <summary>Makes a folder's entries durable.</summary>
    public static void SyncFolder(SafeFileHandle folder, string path)
    {
        while ((OperatingSystem.IsMacOS() ? FileControl(folder, FullSync) : Sync(folder)) != 0)
            ThrowUnlessInterrupted("sync the folder", path);
    }

    /// <summary>
    /// Starts writing back a range on Linux; nothing elsewhere. Its result is not looked at: without a wait flag the kernel keeps a write-back error
    /// for the next <see cref="SyncData"/> of the file, which reports it.
    /// </summary>
    public static void StartWriteback(SafeFileHandle file, long offset, long lengthBytes)
    {
        if (OperatingSystem.IsLinux())
            _ = SyncFileRange(file, offset, lengthBytes, WritebackStart);
    }

    /// <summary>Opens a folder, to sync it.</summary>
    public static SafeFileHandle OpenFolder(string path) => OpenExisting(path, ReadOnly, "open the folder");

    /// <summary>Opens an existing file without the shared lock that the framework takes on what it opens.</summary>
    public static SafeFileHandle OpenFile(string path) => OpenExisting(path, ReadWrite, "open");

    /// <summary>Whether this process may create and remove files in a folder.</summary>
    public static bool CanWriteTo(string path)
    {
        while (Access(path, CanWrite) != 0)
        {
            if (Marshal.GetLastPInvokeError() != Interrupted)
                return false;
        }
        return true;
    }

    /// <summary>Takes the exclusive advisory lock of an open file. It belongs to the open file description: it ends with the handle, at the latest with the process.</summary>
    /// <returns>False when another open file description, of this or another process, holds it.</returns>
    public static bool TryLock(SafeFileHandle file, string path)
    {
        while (FileLock(file, LockExclusiveNonBlocking) != 0)
        {
            if (Marshal.GetLastPInvokeError() == WouldBlock)
                return false;
            ThrowUnlessInterrupted("lock", path);
        }
        return true;
    }

    /// <summary>As <see cref="TryLock"/>, of an open folder; null where the file system cannot lock folders.</summary>
    public static bool? TryLockFolder(SafeFileHandle folder, string path)
    {
        while (FileLock(folder, LockExclusiveNonBlocking) != 0)
        {
            var error = Marshal.GetLastPInvokeError();
            if (error == WouldBlock)
                return false;
            if (error is BadHandle or IoFailure.InvalidArgument or NoSuchCall or NoSuchCallOnMac or NotSupported or NotSupportedOnMac or OperationNotSupportedOnMac)
                return null;
            ThrowUnlessInterrupted("lock the folder of", path);
        }
        return true;
    }

    /// <summary>Which file is open, or has a path: <see cref="IdentityCall"/>. On Linux (statx, from 4.11 on).</summary>
    public static unsafe int Identify(SafeFileHandle? file, string path, out FileIdentity identity)
    {
        identity = default;
        if (!OperatingSystem.IsLinux())
            return NoSuchCall;
        var bytes = stackalloc byte[FileIdentity.StatusSize];
        if ((file is null ? Status(CurrentFolder, path, 0, FileIdentity.Wanted, bytes) : Status(file, "", EmptyPath, FileIdentity.Wanted, bytes)) != 0)
            return Marshal.GetLastPInvokeError();
        identity = FileIdentity.From(new ReadOnlySpan<byte>(bytes, FileIdentity.StatusSize));
        return 0;
    }

    /// <summary>Renames, replacing. Never copies.</summary>
    public static void Rename(string path, string newPath)
    {
        while (RenameFile(path, newPath) != 0)
            ThrowUnlessInterrupted($"rename to '{newPath}' the file", path);
    }

    /// <summary>Renames to a name that no file has: it gets the new name beside the old one, which fails where there is a file of that name, and then loses the old one.</summary>
    public static void RenameNew(string path, string newPath)
    {
        while (Link(path, newPath) != 0)
        {
            if (Marshal.GetLastPInvokeError() is NotPermitted or NoSuchCall or NoSuchCallOnMac or NotSupported or NotSupportedOnMac or OperationNotSupportedOnMac)
            {
                // A file system without second names (FAT): a look before is all there is.
                if (Access(newPath, IsThere) == 0) throw IoFailure.FromSystem($"rename to '{newPath}' the file", path, IoFailure.Exists);
                Rename(path, newPath);
                return;
            }

            ThrowUnlessInterrupted($"rename to '{newPath}' the file", path);
        }

        while (Unlink(path) != 0)
        {
            // Somebody who cleans up was faster with the old name; the file has the new one.
            if (Marshal.GetLastPInvokeError() == IoFailure.NoEntry) return;
            ThrowUnlessInterrupted("remove the old name", path);
        }
    }

    /// <summary>Removes a file's name; the file lives on while it is open or mapped.</summary>
    public static void Delete(string path)
    {
        while (Unlink(path) != 0)
            ThrowUnlessInterrupted("remove", path);
    }

    private static SafeFileHandle OpenExisting(string path, int access, string operation)
    {
        while (true)
        {
            var descriptor = Open(path, access | CloseOnExec);
            if (descriptor >= 0)
                return new SafeFileHandle(descriptor, ownsHandle: true);
            ThrowUnlessInterrupted(operation, path);
        }
    }

    private static void ThrowUnlessInterrupted(string operation, string path)
    {
        var error = Marshal.GetLastPInvokeError();
        if (error != Interrupted)
            throw IoFailure.FromSystem(operation, path, error);
    }

    [LibraryImport("libc", EntryPoint = "fdatasync", SetLastError = true)]
    private static partial int DataSync(SafeFileHandle file);

    [LibraryImport("libc", EntryPoint = "fsync", SetLastError = true)]
    private static partial int Sync(SafeFileHandle file);

    // fcntl and open are variadic in C; called without their variable argument, the plain calling convention is the same.
    [LibraryImport("libc", EntryPoint = "fcntl", SetLastError = true)]
    private static partial int FileControl(SafeFileHandle file, int command);

    [LibraryImport("libc", EntryPoint = "open", SetLastError = true, StringMarshalling = StringMarshalling.Utf8)]
    private static partial int Open(string path, int flags);

    [LibraryImport("libc", EntryPoint = "sync_file_range", SetLastError = true)]
    private static partial int SyncFileRange(SafeFileHandle file, long offset, long lengthBytes, uint flags);

    [LibraryImport("libc", EntryPoint = "access", SetLastError = true, StringMarshalling = StringMarshalling.Utf8)]
    private static partial int Access(string path, int mode);

    [LibraryImport("libc", EntryPoint = "flock", SetLastError = true)]
    private static partial int FileLock(SafeFileHandle file, int operation);

    [LibraryImport("libc", EntryPoint = "statx", SetLastError = true, StringMarshalling = StringMarshalling.Utf8)]
    private static unsafe partial int Status(SafeFileHandle folder, string path, int flags, uint wanted, byte* status);

    [LibraryImport("libc", EntryPoint = "statx", SetLastError = true, StringMarshalling = StringMarshalling.Utf8)]
    private static unsafe partial int Status(int folder, string path, int flags, uint wanted, byte* status);

    [LibraryImport("libc", EntryPoint = "rename", SetLastError = true, StringMarshalling = StringMarshalling.Utf8)]
    private static partial int RenameFile(string path, string newPath);

    [LibraryImport("libc", EntryPoint = "link", SetLastError = true, StringMarshalling = StringMarshalling.Utf8)]
    private static partial int Link(string path, string newPath);

    [LibraryImport("libc", EntryPoint = "unlink", SetLastError = true, StringMarshalling = StringMarshalling.Utf8)]
    private static partial int Unlink(string path);
}
