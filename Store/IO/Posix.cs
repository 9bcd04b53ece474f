// Which system calls does the store make itself on Linux, Apple's systems and FreeBSD? Those whose failure the framework hides or that it does not offer:
// it swallows EROFS, EINVAL and ENOTSUP of a sync, cannot open a folder, skips file locks on request, and may copy instead of renaming.

using System.Runtime.InteropServices;
using Microsoft.Win32.SafeHandles;

namespace Store.IO;

/// <summary>
/// libc. Every error number is final and becomes an <see cref="IOException"/>; the one exception is EINTR, where the call did not happen and is made again.
/// Linux runs the tests; what is of Apple's systems and FreeBSD was compiled and not run. What differs between them is in <see cref="PosixNumbers"/>; the other numbers here are the same on all.
/// </summary>
internal static partial class Posix
{
    private const int Interrupted = 4; // EINTR
    private const int ReadOnly = 0, ReadWrite = 2; // O_RDONLY, O_RDWR
    private const int CanWrite = 2, IsThere = 0; // W_OK, F_OK
    private const int NotPermitted = 1; // EPERM
    private const int BadHandle = 9; // EBADF
    private const int CurrentFolder = -100, EmptyPath = 0x1000, OfLinkItself = 0x100, AskTheServer = 0x2000; // AT_FDCWD, AT_EMPTY_PATH, AT_SYMLINK_NOFOLLOW, AT_STATX_FORCE_SYNC of Linux
    private const int LockExclusiveNonBlocking = 2 | 4; // LOCK_EX | LOCK_NB
    private const int FullSync = 51; // F_FULLFSYNC of Apple's systems
    private const uint WritebackWaitBefore = 1, WritebackStart = 2; // SYNC_FILE_RANGE_WAIT_BEFORE, SYNC_FILE_RANGE_WRITE of Linux

    private static PosixNumbers Numbers => PosixNumbers.Current;

    /// <summary>Throws where the numbers that files are synced and locked by are not known.</summary>
    /// <exception cref="PlatformNotSupportedException">They are not.</exception>
    public static void ThrowIfUnknown() => _ = Numbers;

    /// <summary>Makes a file's data and length durable, by the call that does so on this system.</summary>
    public static void SyncData(SafeFileHandle file, string path)
    {
        while (Numbers.DataSync switch { DataSyncCall.Drive => FileControl(file, FullSync), DataSyncCall.Data => DataSync(file), _ => Sync(file) } != 0)
            ThrowUnlessInterrupted("sync", path);
    }

    /// <summary>Makes a folder's entries durable.</summary>
    public static void SyncFolder(SafeFileHandle folder, string path)
    {
        while ((Numbers.DataSync == DataSyncCall.Drive ? FileControl(folder, FullSync) : Sync(folder)) != 0)
            ThrowUnlessInterrupted("sync the folder", path);
    }

    /// <summary>
    /// Waits for what of a range is being written back, and starts with the rest, on Linux; nothing elsewhere. A write-back error that the wait meets, whatever its number, is told here and to no later <see cref="SyncData"/>
    /// of this handle, so it is thrown. Where the system lacks the call, or refuses it for such a file, asking for neither a wait nor a write fails too, which takes no error away: then nobody was helped, and nothing is wrong.
    /// </summary>
    public static void StartWriteback(SafeFileHandle file, string path, long offset, long lengthBytes)
    {
        if (!OperatingSystem.IsLinux())
            return;
        if (SyncFileRange(file, offset, lengthBytes, WritebackWaitBefore | WritebackStart) == 0)
            return;
        var error = Marshal.GetLastPInvokeError();
        if (SyncFileRange(file, offset, lengthBytes, 0) == 0)
            throw IoFailure.FromSystem("write back", path, error);
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
            if (Marshal.GetLastPInvokeError() == Numbers.WouldBlock)
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
            if (error == Numbers.WouldBlock)
                return false;
            if (error is BadHandle or IoFailure.InvalidArgument || Numbers.IsUnsupported(error))
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
            return PosixNumbers.Linux.NoSuchCall;
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

    /// <summary>
    /// Renames to a name that no file has: it gets the new name beside the old one, which fails where there is a file of that name, and then loses the old one. A network file system may make the call twice, when the
    /// answer to the first was lost, and then says of what the first has done that there is such a file: it is looked whether that is this one (on Linux).
    /// </summary>
    public static void RenameNew(string path, string newPath)
    {
        while (Link(path, newPath) != 0)
        {
            var error = Marshal.GetLastPInvokeError();
            if (error == NotPermitted || Numbers.IsUnsupported(error))
            {
                // A file system without second names (FAT): a look before is all there is.
                if (Access(newPath, IsThere) == 0) throw IoFailure.FromSystem($"rename to '{newPath}' the file", path, IoFailure.Exists);
                Rename(path, newPath);
                return;
            }

            if (error == IoFailure.Exists && HasBothNames(path, newPath)) break;
            if (error != Interrupted) throw IoFailure.FromSystem($"rename to '{newPath}' the file", path, error);
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

    // The same file, by two names: one that a file system takes for the other, as capitals for small letters, is one name, and removing it would remove the file.
    private static unsafe bool HasBothNames(string path, string newPath)
    {
        if (!OperatingSystem.IsLinux() || path == newPath) return false;
        byte* bytes = stackalloc byte[2 * FileIdentity.StatusSize];
        try
        {
            if (Status(CurrentFolder, path, OfLinkItself | AskTheServer, FileIdentity.WantedWithNames, bytes) != 0
                || Status(CurrentFolder, newPath, OfLinkItself | AskTheServer, FileIdentity.WantedWithNames, bytes + FileIdentity.StatusSize) != 0)
                return false;
        }
        catch (EntryPointNotFoundException)
        {
            // A C library from before the call: then the system's word counts, as it did before anybody looked.
            return false;
        }

        ReadOnlySpan<byte> ours = new(bytes, FileIdentity.StatusSize), there = new(bytes + FileIdentity.StatusSize, FileIdentity.StatusSize);
        return FileIdentity.From(ours) == FileIdentity.From(there) && FileIdentity.NamesFrom(there) > 1;
    }

    private static SafeFileHandle OpenExisting(string path, int access, string operation)
    {
        while (true)
        {
            var descriptor = Open(path, access | Numbers.CloseOnExec);
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
