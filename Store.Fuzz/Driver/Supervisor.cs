// The parent: starts the instrumented copy and stays outside. An overflowing stack, a killed process, memory without end and a loop without end are seen from here only; the input that did it is in the
// memory that both share. What is left to be fuzzed goes on in another child.

using System.Diagnostics;
using System.Globalization;
using Store.Fuzz.Targets;

namespace Store.Fuzz.Driver;

internal sealed class Supervisor(FuzzOptions options)
{
    // Far above what any input takes on a busy machine.
    private static readonly TimeSpan LongestRun = TimeSpan.FromSeconds(60);

    private const long HeapBytes = 1L << 30;
    private const long ProcessBytes = 4 * HeapBytes;

    private readonly FindingLog _findings = new(options.Findings);

    /// <returns>0, or 1 when there was a finding.</returns>
    public int Run()
    {
        DirectoryInfo folder = Directory.CreateTempSubdirectory("ninostore-fuzz-");
        try
        {
            string copy = Path.Combine(folder.FullName, "program");
            int types = Instrumentation.Copy(AppContext.BaseDirectory, copy);
            Console.WriteLine($"seed {options.Seed}, {types} types instrumented");
            List<string> left = [.. options.Targets.Count > 0 ? options.Targets : TargetList.Default.Select(static target => target.Name)];
            bool isFound = false;
            while (left.Count > 0)
            {
                string heartbeat = Path.Combine(folder.FullName, $"heartbeat-{left.Count}");
                int done = RunChild(copy, left, heartbeat, out bool found);
                isFound |= found;
                left.RemoveRange(0, done);
            }

            return isFound ? 1 : 0;
        }
        finally
        {
            folder.Delete(recursive: true);
        }
    }

    /// <returns>How many targets are over.</returns>
    private int RunChild(string copy, IReadOnlyList<string> targets, string heartbeatPath, out bool isFound)
    {
        using var heartbeat = new Heartbeat(heartbeatPath);
        var start = new ProcessStartInfo("dotnet", [Path.Combine(copy, "NinoStore.Fuzz.dll"), .. options.ToArguments(targets, heartbeatPath)]);
        start.Environment["DOTNET_GCHeapHardLimit"] = HeapBytes.ToString("x", CultureInfo.InvariantCulture);
        start.Environment["DOTNET_TieredPGO"] = "0";
        using Process child = Process.Start(start)!;
        string? killed = Watch(child, heartbeat);
        isFound = child.ExitCode != 0;
        if (killed is null && child.ExitCode is 0 or 1) return targets.Count;
        if (killed is null && child.ExitCode == Program.Misuse) throw new UsageException("The child refused its arguments.");
        if (child.ExitCode == Program.Failure || heartbeat.Runs == 0) throw new InvalidOperationException($"The child ended with {child.ExitCode}, and not by an input.");

        FuzzTargetKind target = TargetList.All[heartbeat.Target];
        string lane = target.Lanes()[heartbeat.Lane].Name;
        _findings.Add(target.Name, lane, heartbeat.Input, $"process {killed ?? child.ExitCode.ToString(CultureInfo.InvariantCulture)} {heartbeat.Runs}", killed ?? $"the process ended with {child.ExitCode}");
        return Math.Max(1, targets.ToList().IndexOf(target.Name) + 1);
    }

    /// <returns>Why it was killed; null when it ended by itself.</returns>
    private static string? Watch(Process child, Heartbeat heartbeat)
    {
        long runs = -1;
        var since = Stopwatch.StartNew();
        while (!child.WaitForExit(TimeSpan.FromMilliseconds(200)))
        {
            if (runs != heartbeat.Runs)
            {
                runs = heartbeat.Runs;
                since.Restart();
            }

            long bytes = MemoryOf(child);
            bool isLarge = bytes > ProcessBytes;
            if (!isLarge && since.Elapsed < LongestRun) continue;
            string why = isLarge ? $"the process took {bytes} bytes" : $"the input was not over after {LongestRun.TotalSeconds} seconds";
            child.Kill();
            child.WaitForExit();
            return why;
        }

        return null;
    }

    private static long MemoryOf(Process child)
    {
        try
        {
            child.Refresh();
            return child.WorkingSet64;
        }
        catch (InvalidOperationException) when (child.HasExited)
        {
            // Just now: the next wait for it ends at once.
            return 0;
        }
    }
}
