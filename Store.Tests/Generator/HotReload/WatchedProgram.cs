// A program of its own, outside of the repository, that dotnet watch runs and changes while it runs: the tools as a developer has them.

using System.Diagnostics;
using System.Text;
using Store.Tests.Log;
using Store.Tests.Packaging;

namespace Store.Tests.Generator.HotReload;

/// <summary>A running <c>dotnet watch</c>.</summary>
internal sealed class WatchedProgram : IDisposable
{
    private static readonly TimeSpan Patience = TimeSpan.FromMinutes(2);

    private readonly TemporaryFolder _folder = new();
    private readonly StringBuilder _printed = new();
    private readonly Process _watch;

    /// <param name="files">Names and texts of its files.</param>
    public WatchedProgram(params (string Name, string Text)[] files)
    {
        string here = AppContext.BaseDirectory;
        Write("Watched.csproj", $"""
            <Project Sdk="Microsoft.NET.Sdk">
              <PropertyGroup>
                <OutputType>Exe</OutputType>
                <TargetFramework>net10.0</TargetFramework>
                <Nullable>enable</Nullable>
                <ImplicitUsings>enable</ImplicitUsings>
                <UseSharedCompilation>false</UseSharedCompilation>
              </PropertyGroup>
              <ItemGroup>
                <Reference Include="{Path.Combine(here, "NinoStore.Serialization.dll")}" />
                <Analyzer Include="{Path.Combine(here, "NinoStore.Serialization.Generator.dll")}" />
              </ItemGroup>
            </Project>
            """);
        foreach ((string name, string text) in files) Write(name, text);
        var start = new ProcessStartInfo("dotnet", ["watch", "--non-interactive", "run"]) { WorkingDirectory = _folder.Path, RedirectStandardInput = true, RedirectStandardOutput = true, RedirectStandardError = true };
        DotnetCommand.Isolate(start);
        start.Environment["DOTNET_CLI_TELEMETRY_OPTOUT"] = "1";
        start.Environment["DOTNET_NOLOGO"] = "1";
        _watch = Process.Start(start)!;
        _watch.OutputDataReceived += (_, line) => Keep(line.Data);
        _watch.ErrorDataReceived += (_, line) => Keep(line.Data);
        _watch.BeginOutputReadLine();
        _watch.BeginErrorReadLine();
    }

    /// <summary>Everything that was printed, by the program and about it.</summary>
    public string Printed
    {
        get
        {
            lock (_printed) return _printed.ToString();
        }
    }

    /// <summary>Saves a file.</summary>
    public void Write(string name, string text) => File.WriteAllText(_folder[name], text);

    /// <summary>Waits for a line of the program.</summary>
    /// <returns>The line.</returns>
    public string WaitFor(Func<string, bool> line)
    {
        long start = Stopwatch.GetTimestamp();
        while (Stopwatch.GetElapsedTime(start) < Patience && !_watch.HasExited)
        {
            if (Printed.Split('\n').FirstOrDefault(line) is { } found) return found;
            Thread.Sleep(50);
        }

        throw new TimeoutException("What was waited for was not printed:\n" + Printed);
    }

    public void Dispose()
    {
        _watch.Kill(entireProcessTree: true);
        _watch.WaitForExit();
        _watch.Dispose();
        for (int attempt = 1; ; attempt++)
        {
            try
            {
                _folder.Dispose();
                return;
            }
            catch (IOException) when (attempt < 50)
            {
                // The last of the tree may still be writing.
                Thread.Sleep(100);
            }
        }
    }

    private void Keep(string? line)
    {
        lock (_printed) _printed.Append(line).Append('\n');
    }
}
