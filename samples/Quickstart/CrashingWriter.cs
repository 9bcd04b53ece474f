// The child process that the sample kills: it appends one flight after the other, and after every durable append tells its parent the sequence.

using System.Diagnostics;
using System.Globalization;
using Store;

namespace Quickstart;

internal static class CrashingWriter
{
    public const string Argument = "--append-until-killed";

    /// <summary>In the child: appends for ever, starting over with the first flight after the last.</summary>
    public static async Task RunAsync(string folder)
    {
        List<Flight> flights = FlightData.Load();
        await using NinoStore store = NinoStore.Open(folder);
        using Stream output = Console.OpenStandardOutput();
        while (true)
        {
            long sequence = await store.AppendAsync(flights[(int)(store.LastSequence % flights.Count)]);
            output.Write(BitConverter.GetBytes(sequence));
            output.Flush();
        }
    }

    /// <summary>In the parent: starts the child, kills it after so many acknowledged appends, and returns the last sequence it acknowledged.</summary>
    public static long KillAfter(string folder, int appends)
    {
        using Process child = Process.Start(new ProcessStartInfo(Environment.ProcessPath!, [.. Host(), Argument, folder]) { RedirectStandardOutput = true })
            ?? throw new InvalidOperationException("The child process did not start.");
        byte[] message = new byte[sizeof(long)];
        Stream told = child.StandardOutput.BaseStream;
        long acknowledged = 0;
        for (int i = 0; i < appends; i++)
        {
            told.ReadExactly(message);
            acknowledged = BitConverter.ToInt64(message);
        }

        child.Kill();
        child.WaitForExit();
        // What it still told before it died counts too.
        while (told.ReadAtLeast(message, message.Length, throwOnEndOfStream: false) == message.Length) acknowledged = BitConverter.ToInt64(message);
        return acknowledged;
    }

    // Started by 'dotnet run' the process is the apphost itself; started by 'dotnet Quickstart.dll' it is dotnet, which needs the assembly's name.
    private static string[] Host() =>
        string.Equals(Path.GetFileNameWithoutExtension(Environment.ProcessPath), "dotnet", StringComparison.OrdinalIgnoreCase) ? [string.Create(CultureInfo.InvariantCulture, $"{AppContext.BaseDirectory}Quickstart.dll")] : [];
}
