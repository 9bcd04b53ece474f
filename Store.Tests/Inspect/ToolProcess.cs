using System.Diagnostics;
using System.Globalization;
using System.Runtime.InteropServices;
using Store.Inspect;

namespace Store.Tests.Inspect;

/// <summary>The tool as a process of its own: for what only a process has.</summary>
internal static class ToolProcess
{
    /// <summary>The program that runs it; its first argument is <see cref="Assembly"/>.</summary>
    public static string Host { get; } = Environment.ProcessPath is { } host && Path.GetFileNameWithoutExtension(host) == "dotnet" ? host : Path.Combine(RuntimeEnvironment.GetRuntimeDirectory(), "..", "..", "..", "dotnet");

    public static string Assembly { get; } = typeof(InspectTool).Assembly.Location;

    /// <summary>Starts it with its streams redirected.</summary>
    public static Process Start(string workingDirectory, params string[] args) => Run(workingDirectory, Host, [Assembly, .. args]);

    /// <summary>Starts an export that goes on when its input is closed.</summary>
    public static Process StartPausedExport(string store, string target) => Run(null, Host, PausedExport.Arguments(store, target));

    /// <summary>As <see cref="StartPausedExport"/>, with interrupts ignored, as a shell without job control starts what is to run in the background.</summary>
    public static Process StartPausedExportIgnoringInterrupts(string store, string target) =>
        Run(null, "/bin/sh", ["-c", "trap '' INT; exec \"$0\" \"$@\"", Host, .. PausedExport.Arguments(store, target)]);

    /// <summary>True when this process ignores interrupts, and so does whatever it starts.</summary>
    public static bool IgnoresInterrupts()
    {
        const ulong Interrupt = 1 << 1;
        return OperatingSystem.IsLinux() && File.ReadLines("/proc/self/status").Single(static line => line.StartsWith("SigIgn:", StringComparison.Ordinal)) is var line
            && (ulong.Parse(line["SigIgn:".Length..].Trim(), NumberStyles.HexNumber, CultureInfo.InvariantCulture) & Interrupt) != 0;
    }

    /// <summary>Sends a signal by its name.</summary>
    public static void Signal(Process process, string signal)
    {
        using Process kill = Process.Start("/bin/sh", ["-c", $"kill -s {signal} {process.Id.ToString(CultureInfo.InvariantCulture)}"]);
        kill.WaitForExit();
        Assert.Equal(0, kill.ExitCode);
    }

    private static Process Run(string? workingDirectory, string program, string[] args) =>
        Process.Start(new ProcessStartInfo(program, args) { WorkingDirectory = workingDirectory, RedirectStandardInput = true, RedirectStandardOutput = true, RedirectStandardError = true })!;
}
