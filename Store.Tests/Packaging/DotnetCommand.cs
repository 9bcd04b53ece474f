// Runs the SDK, or a program that it made, as a user does at a shell.

using System.Diagnostics;
using Xunit.Abstractions;

namespace Store.Tests.Packaging;

internal sealed class DotnetCommand(ITestOutputHelper output)
{
    /// <summary>The configuration that the tests were built in: projects they publish must not build another one.</summary>
    public static string Configuration => AppContext.BaseDirectory.Contains($"{Path.DirectorySeparatorChar}Release{Path.DirectorySeparatorChar}", StringComparison.Ordinal) ? "Release" : "Debug";

    /// <summary>Runs <c>dotnet</c> and returns what it printed. Another exit code than 0 fails the test.</summary>
    public string Run(string folder, params string[] arguments) => RunProgram("dotnet", folder, arguments);

    /// <summary>As <see cref="Run"/>, any program.</summary>
    public string RunProgram(string program, string folder, params string[] arguments)
    {
        EndedProcess ended = Try(program, folder, arguments);
        Assert.True(ended.ExitCode == 0, $"{program} {string.Join(' ', arguments)} failed:\n{ended.Text}\n{ended.Errors}");
        return ended.Text;
    }

    /// <summary>Runs a program to its end, whatever its exit code.</summary>
    public EndedProcess Try(string program, string folder, params string[] arguments)
    {
        var start = new ProcessStartInfo(program, arguments) { WorkingDirectory = folder };
        Isolate(start);
        EndedProcess ended = EndedProcess.Of(start);
        output.WriteLine($"{program} {string.Join(' ', arguments)}\n{ended.Text}");
        return ended;
    }

    /// <summary>What the test host was started with must not steer the build of another project.</summary>
    public static void Isolate(ProcessStartInfo start)
    {
        foreach (string variable in start.Environment.Keys.Where(static name => name.StartsWith("MSBuild", StringComparison.OrdinalIgnoreCase) && name is not "MSBUILDDISABLENODEREUSE").ToList()) start.Environment.Remove(variable);
    }
}
