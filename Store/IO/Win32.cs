// Which system calls does the store make itself on Windows? The same jobs as Posix.cs. Compiled everywhere, not run by this project's tests so far.

using System.Runtime.InteropServices;
using System.Runtime.Versioning;
using Microsoft.Win32.SafeHandles;

namespace Store.IO;

/// <summary>kernel32. Every failure is final and becomes an <see cref="IOException"/>.</summary>
[SupportedOSPlatform("windows")]
internal static partial class Win32
{
    private const uint GenericWrite = 0x4000_0000;
    private const uint ShareAll = 1 | 2 | 4; // read, write, delete
    private const uint OpenExisting = 3;
    private const uint BackupSemantics = 0x0200_0000; // what opens a folder
    private const uint ReplaceExisting = 1, WriteThrough = 8; // without COPY_ALLOWED: never copies

    /// <summary>Makes a file's, or through a folder's handle its entries', bytes durable (FlushFileBuffers).</summary>
    public static void Flush(SafeFileHandle handle, string path)
    {
        if (!FlushFileBuffers(handle))
            throw IoFailure.FromSystem("sync", path, Marshal.GetLastPInvokeError());
    }

    /// <summary>Opens a folder, to flush it.</summary>
    public static SafeFileHandle OpenFolder(string path)
    {
        var handle = CreateFile(path, GenericWrite, ShareAll, 0, OpenExisting, BackupSemantics, 0);
        if (!handle.IsInvalid)
            return handle;
        var error = Marshal.GetLastPInvokeError();
        handle.Dispose();
        throw IoFailure.FromSystem("open the folder", path, error);
    }

    /// <summary>Renames, replacing; returns when the rename is on the disk.</summary>
    public static void Rename(string path, string newPath)
    {
        if (!MoveFileEx(path, newPath, ReplaceExisting | WriteThrough))
            throw IoFailure.FromSystem($"rename to '{newPath}' the file", path, Marshal.GetLastPInvokeError());
    }

    /// <summary>Renames to a name that no file has; returns when the rename is on the disk.</summary>
    public static void RenameNew(string path, string newPath)
    {
        if (!MoveFileEx(path, newPath, WriteThrough))
            throw IoFailure.FromSystem($"rename to '{newPath}' the file", path, Marshal.GetLastPInvokeError());
    }

    /// <summary>Removes a file. Fails while it is mapped.</summary>
    public static void Delete(string path)
    {
        if (!DeleteFile(path))
            throw IoFailure.FromSystem("remove", path, Marshal.GetLastPInvokeError());
    }

    [LibraryImport("kernel32", SetLastError = true)]
    [return: MarshalAs(UnmanagedType.Bool)]
    private static partial bool FlushFileBuffers(SafeFileHandle handle);

    [LibraryImport("kernel32", EntryPoint = "CreateFileW", SetLastError = true, StringMarshalling = StringMarshalling.Utf16)]
    private static partial SafeFileHandle CreateFile(string path, uint access, uint share, nint security, uint disposition, uint flags, nint template);

    [LibraryImport("kernel32", EntryPoint = "MoveFileExW", SetLastError = true, StringMarshalling = StringMarshalling.Utf16)]
    [return: MarshalAs(UnmanagedType.Bool)]
    private static partial bool MoveFileEx(string path, string newPath, uint flags);

    [LibraryImport("kernel32", EntryPoint = "DeleteFileW", SetLastError = true, StringMarshalling = StringMarshalling.Utf16)]
    [return: MarshalAs(UnmanagedType.Bool)]
    private static partial bool DeleteFile(string path);
}
