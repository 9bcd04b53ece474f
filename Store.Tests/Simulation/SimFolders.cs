using System.Text;

namespace Store.Tests.Simulation;

/// <summary>Simulated folders for the tests of the simulator, and what is in them.</summary>
internal static class SimFolders
{
    public static SimDirectory WithSyncedFile(string name, string text)
    {
        var sim = new SimDirectory();
        using var file = sim.Create(name);
        file.Write(Encoding.UTF8.GetBytes(text), 0);
        file.SyncData();
        sim.SyncDirectory();
        return sim;
    }

    /// <summary>A few files, partly synced, with more unsynced changes than are enumerated.</summary>
    public static SimDirectory RandomFolder(int seed)
    {
        var random = new Random(seed);
        var sim = new SimDirectory();
        for (var i = 0; i < 4; i++)
        {
            using var file = sim.Create($"{i}.log");
            for (var n = 0; n < 6; n++)
            {
                var bytes = new byte[random.Next(1, 3000)];
                random.NextBytes(bytes);
                file.Write(bytes, random.Next(0, 16_000));
                if (n == 2)
                    file.SyncData();
            }
            if (i == 1)
                sim.SyncDirectory();
        }
        sim.Rename("0.log", "9.log");
        return sim;
    }

    public static byte[] Filled(char value, int length) => Encoding.UTF8.GetBytes(new string(value, length));

    /// <summary>The different contents that a file has in all crash states, null for a missing one.</summary>
    public static List<string?> ContentsAfterCrash(SimDirectory sim, string name) =>
        [.. sim.CrashStates(5000, 1).Select(state => ContentOf(state, name)).Distinct().Order(StringComparer.Ordinal)];

    public static string? ContentOf(SimDirectory sim, string name)
    {
        if (!sim.List().Any(e => e.Name == name))
            return null;
        using var file = sim.OpenRead(name);
        var bytes = new byte[file.LengthBytes];
        file.Read(bytes, 0);
        return Encoding.Latin1.GetString(bytes);
    }

    public static string Fingerprint(SimDirectory sim) => string.Join('\n', sim.List().Select(e => $"{e.Name} {e.LengthBytes} {Store.Framing.Crc32C.Compute(Encoding.Latin1.GetBytes(ContentOf(sim, e.Name)!)):x8}"));
}
