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

    [LibraryImport("libc", EntryPoint = "fdatasync", SetLastError = true)]
    private static partial int FDataSync(SafeFileHandle file);
}
