// This program again, as a process of its own: for what must not be disturbed by anything that ran before.

using System.Diagnostics;

namespace Store.Bench.Harness;

/// <summary>Starts children.</summary>
internal static class ChildProcess
{
    /// <summary>Runs a child and returns the words that it printed.</summary>
    /// <exception cref="InvalidDataException">It failed, or printed another number of words.</exception>
    public static string[] Run(int words, params ReadOnlySpan<string> arguments)
    {
        var start = new ProcessStartInfo(Environment.ProcessPath!) { RedirectStandardOutput = true };
        // Run through the host "dotnet", the program itself is its first argument.
        if (Path.GetFileNameWithoutExtension(Environment.ProcessPath) == "dotnet") start.ArgumentList.Add(Path.Combine(AppContext.BaseDirectory, "Store.Bench.dll"));
        foreach (string argument in arguments) start.ArgumentList.Add(argument);
        using Process child = Process.Start(start)!;
        string output = child.StandardOutput.ReadToEnd();
        child.WaitForExit();
        string[] printed = output.Split(' ', StringSplitOptions.TrimEntries | StringSplitOptions.RemoveEmptyEntries);
        return child.ExitCode == 0 && printed.Length == words ? printed : throw new InvalidDataException($"The process '{string.Join(' ', start.ArgumentList)}' ended with {child.ExitCode}: {output}");
    }
}
