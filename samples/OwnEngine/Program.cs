// An engine of one's own behind NinoStore's key-value interface: a dictionary, with the store's log behind it. It is used, it is opened again after a checkpoint, and it is asked everything that an engine must do.

using OwnEngine;
using Store;
using Store.Conformance;
using Store.KeyValue;

string folder = Directory.CreateTempSubdirectory("own-engine-").FullName;
try
{
    await using (NinoStore store = NinoStore.Open(Path.Combine(folder, "store")))
    {
        using IKeyValueStore<string, int> visits = store.OpenInMemory<string, int>("visits");
        visits.Put("ann", 1);
        await store.CheckpointAllAsync();
        visits.Update("ann", n => n + 1);
    }

    await using (NinoStore store = NinoStore.Open(Path.Combine(folder, "store")))
    {
        using IKeyValueStore<string, int> visits = store.OpenInMemory<string, int>("visits");
        visits.TryGet("ann", out int ann);
        Console.WriteLine($"ann was here {ann} times; opened from the checkpoint at record {visits.Recovery.CheckpointSequence} and {visits.Recovery.ChangesReplayed} change behind it");
    }

    foreach (ConformanceCase one in KeyValueConformance.Cases)
    {
        await one.Run(new MemoryEngine(), Directory.CreateDirectory(Path.Combine(folder, Guid.NewGuid().ToString("N"))).FullName);
        Console.WriteLine($"  {one.Name}");
    }

    Console.WriteLine($"{KeyValueConformance.Cases.Count} cases, all as they must be");
}
finally
{
    Directory.Delete(folder, recursive: true);
}
