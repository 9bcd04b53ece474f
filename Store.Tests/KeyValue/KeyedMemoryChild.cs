// What does a process hold for a keyed state? This is the process: it opens one, fills it beyond its memory, reads, changes and scans it, and says what the system counts as its own.

using System.Globalization;
using Store.Faster;

namespace Store.Tests.KeyValue;

/// <summary>The child of <see cref="KeyValueProcessMemoryTests"/>.</summary>
internal static class KeyedMemoryChild
{
    public const string Argument = "keyed-memory";

    public static FasterOptions Options { get; } = new() { IndexSizeBytes = 4 << 20, PageSizeBytes = 256 * 1024, MemorySizeBytes = 16 << 20 };

    /// <summary>Prints, for each of before, full and full five times over, the bytes that are the process's own, those of them that the runtime's heap has taken, and those that are in use there.</summary>
    public static async Task RunAsync(string folder)
    {
        await using NinoStore store = NinoStore.Open(folder, new NinoStoreOptions { SegmentSizeBytes = 8 << 20, BufferSizeBytes = 4 << 20 });
        store.Append(0);
        store.Commit();
        Tell();
        using (var kv = (FasterKeyValueStore<int, byte[]>)store.OpenKeyValue<int, byte[]>("x", Options))
        {
            byte[] value = new byte[2000];
            int keys = 0;
            await UseAsync(2 * Options.MemorySizeBytes);
            await UseAsync(10 * Options.MemorySizeBytes);

            async Task UseAsync(long stateBytes)
            {
                while (kv.State.Engine.TailAddress < stateBytes) kv.Put(keys++, value);
                var random = new Random(1);
                for (int i = 0; i < 5000; i++) Check(kv.TryGet(random.Next(keys), out _));

                // A few at a time: each that waits for the disk has a buffer, and what is kept of those depends on how many there were at once.
                foreach (int[] some in Enumerable.Range(0, 500).Chunk(10)) await Task.WhenAll(some.Select(i => kv.UpdateAsync(i * 7 % keys, static old => old!).AsTask()));
                long scanned = 0;
                await foreach (KeyValuePair<int, byte[]> _ in kv.ScanAsync()) scanned++;
                Check(scanned == keys);
                Tell();
            }
        }
    }

    private static void Check(bool holds)
    {
        if (!holds) throw new InvalidOperationException("The state is not what was put.");
    }

    private static void Tell()
    {
        GC.Collect(GC.MaxGeneration, GCCollectionMode.Aggressive, blocking: true, compacting: true);
        string status = File.ReadAllText("/proc/self/status");
        const string name = "RssAnon:";
        string kibibytes = status[(status.IndexOf(name, StringComparison.Ordinal) + name.Length)..].TrimStart().Split(' ')[0];
        Console.WriteLine($"{long.Parse(kibibytes, CultureInfo.InvariantCulture) * 1024} {GC.GetGCMemoryInfo().TotalCommittedBytes} {GC.GetTotalMemory(forceFullCollection: true)}");
    }
}
