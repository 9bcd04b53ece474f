// Stores whose keyed state rests on what retention keeps, for the tests of holding, of first openings and of rejected checkpoints.

using Store.Faster;
using Store.KeyValue;
using Store.Retention;
using Store.Tests.Log;
using Store.Tests.Retention;
using Store.Tests.Simulation;

namespace Store.Tests.KeyValue;

internal static class KeyValueHoldBed
{
    public const string Name = "state";

    public static IKeyValueStore<int, string> Open(NinoStore store) => store.OpenKeyValue<int, string>(Name, KeyValueBed.Tiny);

    public static void Fill(IKeyValueStore<int, string> kv, string what)
    {
        for (int i = 0; i < 40; i++) kv.Put(i, $"{what} {i}");
    }

    public static Dictionary<int, string> Content(IKeyValueStore<int, string> kv) => new(kv.Scan());

    public static NinoStore Truncated(SimDirectory directory)
    {
        NinoStore store = RetentionTests.Grown(directory, segments: 4);
        Assert.True(store.TruncateBefore(long.MaxValue).FirstSequence > 1);
        return store;
    }

    /// <summary>A closed store with a keyed state of 40 keys and so many checkpoints, records of another kind between them.</summary>
    public static async Task<SimDirectory> WithCheckpointsAsync(int checkpoints)
    {
        var directory = new SimDirectory();
        using NinoStore store = Simulated.Open(directory);
        using IKeyValueStore<int, string> kv = Open(store);
        for (int i = 0; i < checkpoints; i++)
        {
            Fill(kv, $"value {i} of");
            RetentionTests.Grow(store, directory, RetentionTests.Segments(directory).Length + 1);
            await kv.CheckpointAsync();
        }

        Simulated.Commit(store);
        return directory;
    }

    public static string[] Files(SimDirectory directory) => [.. directory.List().Select(static f => f.Name).Where(static f => f.StartsWith("kv-", StringComparison.Ordinal))];

    public static void Damage(SimDirectory directory, string part)
    {
        foreach (string file in Files(directory).Where(file => file.EndsWith(part, StringComparison.Ordinal)))
        {
            byte[] bytes = directory.Bytes(file);
            bytes[^1] ^= 1;
            directory.Replace(file, bytes);
        }
    }

    /// <summary>Up to where the log is let go for it.</summary>
    public static class Mark
    {
        public static long Read(SimDirectory directory) => MarkerFile.Read(directory, CursorName.FileOf(Name, MarkerKind.KeyedState)).Newest!.Value.Sequence;
    }
}
