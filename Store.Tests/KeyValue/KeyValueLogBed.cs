using Store.KeyValue;
using Store.KeyValue.Changes;
using Store.Tests.Simulation;

namespace Store.Tests.KeyValue;

/// <summary>Logs of keyed state with an engine that holds nothing.</summary>
internal static class KeyValueLogBed
{
    public static NinoStore Open(SimDirectory directory, NinoStoreOptions? options = null) => NinoStore.Open("sim", (options ?? new NinoStoreOptions()) with { Directory = directory });

    /// <summary>A log that an engine is attached to, and changes may be appended to.</summary>
    public static KeyValueLog<TKey, TValue> Attached<TKey, TValue>(NinoStore store, string name)
    {
        KeyValueLog<TKey, TValue> log = KeyValueLog.Open<TKey, TValue>(store, name);
        Assert.Empty(log.ReadChanges());
        log.Attach(new CountingEngine<TKey, TValue>());
        return log;
    }

    public static long Append(KeyValueLog<int, string> log, int key)
    {
        using KeyValueChanges<int, string> changes = log.NewChanges();
        changes.Put(key, $"value {key}");
        return log.Append(changes);
    }

    /// <summary>A record of a state that did not come through its log.</summary>
    public static void Put(NinoStore store, string name, int key)
    {
        var format = new ChangeFormat<int, string>(name);
        var bytes = new System.Buffers.ArrayBufferWriter<byte>();
        format.EncodePut(bytes, key, "x");
        store.AppendRecord(format.Schema, bytes.WrittenSpan);
    }
}
