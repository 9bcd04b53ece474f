// The least a durable write can cost: one pwrite and one fdatasync.

using System.Runtime.InteropServices;
using Microsoft.Win32.SafeHandles;

namespace Store.Bench.Harness.Stores;

/// <summary>Raw file calls.</summary>
internal static partial class Disk
{
    /// <summary>Makes written data durable; not more metadata than reading it back needs, where the system distinguishes.</summary>
    /// <exception cref="IOException">The system call failed.</exception>
    public static void SyncData(SafeFileHandle file)
    {
        if (!OperatingSystem.IsLinux())
        {
            RandomAccess.FlushToDisk(file);
            return;
        }
        if (FDataSync(file) != 0) throw new IOException($"fdatasync failed: {Marshal.GetLastPInvokeErrorMessage()}");
    }

    /// <summary>Creates a file whose blocks have all been written once and are durable.</summary>
    public static SafeFileHandle CreateZeroWritten(string path, long length)
    {
        SafeFileHandle file = File.OpenHandle(path, FileMode.Create, FileAccess.ReadWrite);
        byte[] zeros = new byte[1 << 20];
        for (long at = 0; at < length; at += zeros.Length) RandomAccess.Write(file, zeros.AsSpan(0, (int)Math.Min(zeros.Length, length - at)), at);
        SyncData(file);
        return file;
    }

    /// <summary>Has the system begin to write what it still holds of a range, and does not wait for it; elsewhere than on Linux nothing.</summary>
    /// <exception cref="IOException">The system call failed.</exception>
    public static void BeginWritingBack(SafeFileHandle file, long offset, long length)
    {
        const uint Write = 2;
        if (!OperatingSystem.IsLinux()) return;
        if (SyncFileRange(file, offset, length, Write) != 0) throw new IOException($"sync_file_range failed: {Marshal.GetLastPInvokeErrorMessage()}");
    }

    [LibraryImport("libc", EntryPoint = "sync_file_range", SetLastError = true)]
    private static partial int SyncFileRange(SafeFileHandle file, long offset, long lengthBytes, uint flags);

    [LibraryImport("libc", EntryPoint = "fdatasync", SetLastError = true)]
    private static partial int FDataSync(SafeFileHandle file);
}
