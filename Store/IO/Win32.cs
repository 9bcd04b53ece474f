// Which system calls does the store make itself on Windows? The same jobs as Posix.cs. Compiled everywhere, not run by this project's tests so far.

using System.Runtime.InteropServices;
using System.Runtime.Versioning;
using Microsoft.Win32.SafeHandles;

namespace Store.IO;

/// <summary>kernel32. Every failure becomes an <see cref="IOException"/>, at once or, where somebody else has the file open, after the waits of <see cref="SharingPatience"/>. Paths may have any length (<see cref="ExtendedPath"/>).</summary>
[SupportedOSPlatform("windows")]
internal static partial class Win32
{
    // Of the rights that GENERIC_WRITE stands for, a flush asks for one of these two: Microsoft's [MS-SMB2] 3.3.5.11. What a folder is flushed after takes the same right.
    private const uint AddFile = 2, AddFolder = 4; // FILE_ADD_FILE, FILE_ADD_SUBDIRECTORY
    private const uint DeleteRight = 0x0001_0000; // DELETE, which renaming takes
    private const uint ShareAll = 1 | 2 | 4; // read, write, delete
    private const uint OpenExisting = 3;
    private const uint BackupSemantics = 0x0200_0000; // what opens a folder
    private const uint OfLinkItself = 0x0020_0000; // FILE_FLAG_OPEN_REPARSE_POINT
    private const uint FileWriteThrough = 0x8000_0000; // FILE_FLAG_WRITE_THROUGH: a rename by this handle is flushed before it returns
    private const uint ReplaceExisting = 1, WriteThrough = 8; // MOVEFILE_…, without COPY_ALLOWED: never copies
    private const int RenameInformation = 22; // FileRenameInfoEx

    /// <summary>Makes a file's, or through a folder's handle its entries', bytes durable (FlushFileBuffers).</summary>
    public static void Flush(SafeFileHandle handle, string path)
    {
        if (!FlushFileBuffers(handle))
            throw IoFailure.FromSystem("sync", path, Marshal.GetLastPInvokeError());
    }

    /// <summary>Opens a folder, to flush it after files of it were created, renamed and removed.</summary>
    public static SafeFileHandle OpenFolder(string path) => OpenFolder(path, AddFile);

    /// <summary>Opens a folder, to flush it after a folder was created in it.</summary>
    public static SafeFileHandle OpenFolderOfFolders(string path) => OpenFolder(path, AddFolder);

    /// <summary>Renames, replacing; returns when the rename is on the disk. Where the system and the file system can (NTFS from Windows 10, version 1607, on), also a file that others have open and share for deletion.</summary>
    public static void Rename(string path, string newPath)
    {
        string from = ExtendedPath.Of(path), to = ExtendedPath.Of(newPath);
        byte[] request = RenameRequest.Replacing(to, nint.Size);

        // Whatever keeps the first way from being gone, the second tells what is wrong: neither has done anything when it fails.
        Throw(SharingPatience.Try(() => TryReplaceOpen(from, request) || MoveFileEx(from, to, ReplaceExisting | WriteThrough) ? 0 : Marshal.GetLastPInvokeError(), SharingPatience.IsOfReplacing), $"rename to '{newPath}' the file", path);
    }

    /// <summary>Renames to a name that no file has; returns when the rename is on the disk.</summary>
    public static void RenameNew(string path, string newPath)
    {
        string from = ExtendedPath.Of(path), to = ExtendedPath.Of(newPath);
        Throw(SharingPatience.Try(() => MoveFileEx(from, to, WriteThrough) ? 0 : Marshal.GetLastPInvokeError(), SharingPatience.IsOfReplacing), $"rename to '{newPath}' the file", path);
    }

    /// <summary>Removes a file. Fails while it is mapped.</summary>
    public static void Delete(string path)
    {
        string extended = ExtendedPath.Of(path);
        Throw(SharingPatience.Try(() => DeleteFile(extended) ? 0 : Marshal.GetLastPInvokeError(), SharingPatience.IsOfSharing), "remove", path);
    }

    private static unsafe bool TryReplaceOpen(string path, byte[] request)
    {
        using SafeFileHandle file = CreateFile(path, DeleteRight, ShareAll, 0, OpenExisting, OfLinkItself | FileWriteThrough, 0);
        if (file.IsInvalid)
            return false;

        // Bound: the system reads what it is told of the request's length.
        fixed (byte* bytes = request)
            return SetFileInformationByHandle(file, RenameInformation, bytes, (uint)request.Length);
    }

    private static SafeFileHandle OpenFolder(string path, uint access)
    {
        var handle = CreateFile(ExtendedPath.Of(path), access, ShareAll, 0, OpenExisting, BackupSemantics, 0);
        if (!handle.IsInvalid)
            return handle;
        var error = Marshal.GetLastPInvokeError();
        handle.Dispose();
        throw IoFailure.FromSystem("open the folder", path, error);
    }

    private static void Throw(int error, string operation, string path)
    {
        if (error != 0)
            throw IoFailure.FromSystem(operation, path, error);
    }

    [LibraryImport("kernel32", SetLastError = true)]
    [return: MarshalAs(UnmanagedType.Bool)]
    private static partial bool FlushFileBuffers(SafeFileHandle handle);

    [LibraryImport("kernel32", EntryPoint = "CreateFileW", SetLastError = true, StringMarshalling = StringMarshalling.Utf16)]
    private static partial SafeFileHandle CreateFile(string path, uint access, uint share, nint security, uint disposition, uint flags, nint template);

    [LibraryImport("kernel32", SetLastError = true)]
    [return: MarshalAs(UnmanagedType.Bool)]
    private static unsafe partial bool SetFileInformationByHandle(SafeFileHandle file, int informationClass, byte* information, uint size);

    [LibraryImport("kernel32", EntryPoint = "MoveFileExW", SetLastError = true, StringMarshalling = StringMarshalling.Utf16)]
    [return: MarshalAs(UnmanagedType.Bool)]
    private static partial bool MoveFileEx(string path, string newPath, uint flags);

    [LibraryImport("kernel32", EntryPoint = "DeleteFileW", SetLastError = true, StringMarshalling = StringMarshalling.Utf16)]
    [return: MarshalAs(UnmanagedType.Bool)]
    private static partial bool DeleteFile(string path);
}
