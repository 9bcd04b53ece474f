// What a table was measured on. Nothing that identifies the machine: no name, no user, no path.

using System.Runtime;
using System.Runtime.InteropServices;
using System.Runtime.Intrinsics;

namespace Store.Bench.Harness;

/// <summary>Hardware and runtime of a run.</summary>
public sealed record MachineInfo(string Cpu, int Cores, string Vectors, long MemoryMiB, string Os, string Runtime, string Gc, DateTimeOffset At)
{
    public static MachineInfo Here() => new(
        CpuName(),
        Environment.ProcessorCount,
        Vector512.IsHardwareAccelerated ? "512 bit" : Vector256.IsHardwareAccelerated ? "256 bit" : "128 bit",
        GC.GetGCMemoryInfo().TotalAvailableMemoryBytes >> 20,
        $"{RuntimeInformation.OSDescription}, {RuntimeInformation.OSArchitecture}",
        RuntimeInformation.FrameworkDescription,
        GCSettings.IsServerGC ? "server" : "workstation",
        DateTimeOffset.UtcNow);

    /// <summary>One line for the head of a table.</summary>
    public override string ToString() => $"{Cpu}, {Cores} cores, vectors {Vectors}, {MemoryMiB} MiB, {Os}, {Runtime}, GC {Gc}, {At:yyyy-MM-dd HH:mm} UTC";

    private static string CpuName()
    {
        const string CpuInfo = "/proc/cpuinfo";
        string? line = File.Exists(CpuInfo) ? File.ReadLines(CpuInfo).FirstOrDefault(l => l.StartsWith("model name", StringComparison.Ordinal)) : null;
        return line?[(line.IndexOf(':') + 1)..].Trim() ?? RuntimeInformation.ProcessArchitecture.ToString();
    }
}
