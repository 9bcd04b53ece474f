using System.Diagnostics;

namespace Store.Tests;

/// <summary>A process that ran to its end, and what it told.</summary>
internal sealed record EndedProcess(int ExitCode, string Text, string Errors)
{
    // Only bounds a hang: the longest of them are builds, which take two minutes on a busy machine.
    private static readonly TimeSpan s_patience = TimeSpan.FromMinutes(15);

    // What it told is there when it has ended, unless something that it left behind holds the pipe.
    private static readonly TimeSpan s_pipesPatience = TimeSpan.FromMinutes(1);

    /// <summary>Runs a program with these arguments.</summary>
    public static EndedProcess Of(string program, params string[] arguments) => Of(new ProcessStartInfo(program, arguments));

    /// <summary>Runs a process. One that hangs is killed, with all that it started, and fails the test.</summary>
    /// <param name="start">What to run; both outputs are redirected here.</param>
    public static EndedProcess Of(ProcessStartInfo start)
    {
        start.RedirectStandardOutput = true;
        start.RedirectStandardError = true;
        using Process process = Process.Start(start)!;
        Task<string> text = process.StandardOutput.ReadToEndAsync(), errors = process.StandardError.ReadToEndAsync();
        bool hasEnded = process.WaitForExit(s_patience);
        if (!hasEnded) process.Kill(entireProcessTree: true);
        bool isTold = Task.WaitAll([text, errors], s_pipesPatience);
        string command = $"{start.FileName} {string.Join(' ', start.ArgumentList)}";
        Assert.True(hasEnded, $"{command} has not ended after {s_patience}: it hangs, or is slow beyond measure.\n{(isTold ? text.Result + errors.Result : "")}");
        Assert.True(isTold, $"{command} has ended, and something that it started holds its outputs open.");
        return new(process.ExitCode, text.Result, errors.Result);
    }
}
