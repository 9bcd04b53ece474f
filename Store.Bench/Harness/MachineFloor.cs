// What the machine itself can do, measured at the head of every store run: without it no figure of a disk means anything.

using System.Diagnostics;
using System.Numerics;
using System.Runtime.InteropServices;
using Microsoft.Win32.SafeHandles;
using Store.Bench.Harness.Stores;

namespace Store.Bench.Harness;

/// <summary>The machine's own speed.</summary>
/// <param name="MemcpyGBs">Copying 4 MiB.</param>
/// <param name="Crc32CGBs">CRC-32C by the processor's instruction over 64 KiB, one stream.</param>
/// <param name="WriteGBs">1 MiB pwrites over blocks already written, into the page cache.</param>
/// <param name="SyncP50Us">4 KiB pwrite + fdatasync over blocks already written, median.</param>
/// <param name="SyncP99Us">The same, 99th percentile.</param>
/// <param name="GrowingSyncP50Us">4 KiB pwrite + fdatasync at the end of a growing file, median.</param>
public sealed record MachineFloor(double MemcpyGBs, double Crc32CGBs, double WriteGBs, double SyncP50Us, double SyncP99Us, double GrowingSyncP50Us)
{
    public static MachineFloor Measure(HarnessOptions options)
    {
        using var data = new BenchData(options.DataDirectory);
        int syncs = options.Short ? 100 : 600;
        const long Length = 64 << 20;
        using SafeFileHandle written = Disk.CreateZeroWritten(data.File("written.bin"), Length);
        double write = Best(5, () => WriteAll(written, Length), Length);
        Disk.SyncData(written);
        using SafeFileHandle growing = File.OpenHandle(data.File("growing.bin"), FileMode.Create, FileAccess.ReadWrite);
        Samples overwrite = new(), append = new();
        for (int i = 0; i < syncs; i++)
        {
            overwrite.Add(Sync(written, i * 4096L % Length));
            append.Add(Sync(growing, i * 4096L));
        }
        byte[] from = new byte[4 << 20], to = new byte[4 << 20];
        Random.Shared.NextBytes(from);
        double memcpy = Best(20, () => from.AsSpan().CopyTo(to), from.Length);
        double crc = Best(200, () => Crc(from.AsSpan(0, 64 * 1024)), 64 * 1024);
        return new MachineFloor(memcpy, crc, write, overwrite.Median, overwrite.Percentile(99), append.Median);
    }

    public override string ToString() =>
        $"memcpy {MemcpyGBs:0.0} GB/s, CRC-32C {Crc32CGBs:0.0} GB/s by one stream, pwrite {WriteGBs:0.0} GB/s, 4 KiB pwrite+fdatasync p50 {SyncP50Us:0} us p99 {SyncP99Us:0} us (zero-written file), p50 {GrowingSyncP50Us:0} us (growing file)";

    private static void WriteAll(SafeFileHandle file, long length)
    {
        byte[] block = new byte[1 << 20];
        for (long at = 0; at < length; at += block.Length) RandomAccess.Write(file, block, at);
    }

    private static double Sync(SafeFileHandle file, long offset)
    {
        Span<byte> block = stackalloc byte[4096];
        block.Fill((byte)(offset >> 12));
        long start = Stopwatch.GetTimestamp();
        RandomAccess.Write(file, block, offset);
        Disk.SyncData(file);
        return Stopwatch.GetElapsedTime(start).TotalMicroseconds;
    }

    private static uint Crc(ReadOnlySpan<byte> bytes)
    {
        uint crc = uint.MaxValue;
        foreach (ulong word in MemoryMarshal.Cast<byte, ulong>(bytes)) crc = BitOperations.Crc32C(crc, word);
        return ~crc;
    }

    private static double Best(int rounds, Action action, long bytes)
    {
        double best = double.MaxValue;
        for (int i = 0; i < rounds; i++)
        {
            long start = Stopwatch.GetTimestamp();
            action();
            best = Math.Min(best, Stopwatch.GetElapsedTime(start).TotalNanoseconds);
        }
        return bytes / best;
    }
}
