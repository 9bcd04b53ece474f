// What does a keyed state ask of its keys' type? That it is encoded. Only who scans is given keys, and only there the type can refuse one.

using Store.Faster;
using Store.KeyValue;
using Store.Serialization;
using Store.Tests.Log;
using Store.Tests.Simulation;

namespace Store.Tests.KeyValue;

/// <summary>A key that can be made and written, and refuses to be read.</summary>
[NinoType]
public sealed class UnreadableKey
{
    public UnreadableKey(string name, int part) => (Name, Part) = (name, part);

    public string Name { get; }

    public int Part { get; }

    [NinoConstructor]
    public static UnreadableKey Read(string name, int part) => throw new InvalidOperationException($"Nobody asked for the key {name}, {part}.");
}

public class UnreadableKeyTests
{
    [Fact]
    public async Task AStateWhoseKeysTheirTypeRefusesIsChangedOpenedAndReadAllTheSame()
    {
        var directory = new SimDirectory();
        using (NinoStore store = Simulated.Open(directory))
        {
            using IKeyValueStore<UnreadableKey, string> kv = Open(store);
            for (int i = 0; i < 5; i++) kv.Put(Key(i), $"put {i}");
            kv.PutBatch([.. Enumerable.Range(5, 5).Select(static i => new KeyValuePair<UnreadableKey, string>(Key(i), $"put {i}"))]);
            await kv.PutBatchAsync(new KeyValuePair<UnreadableKey, string>[] { new(Key(10), "put 10"), new(Key(11), "put 11") });
            Assert.Equal(2, kv.DeleteBatch([Key(0), Key(5), Key(0), Key(99)]));
            Assert.Equal(1, await kv.DeleteBatchAsync(new[] { Key(10), Key(10) }));
            kv.Update(Key(1), static value => value + "!");
            AssertHolds(kv);
        }

        for (int opening = 0; opening < 2; opening++)
        {
            using NinoStore store = Simulated.Open(directory);
            using IKeyValueStore<UnreadableKey, string> kv = Open(store);
            Assert.Equal(opening == 0, kv.Recovery.RebuiltFromLog);
            AssertHolds(kv);
            var refused = Assert.Throws<NinoSerializationException>(() => kv.Scan().ToList());
            Assert.IsType<InvalidOperationException>(refused.InnerException);
            await kv.CheckpointAsync();
            AssertHolds(kv);
        }
    }

    private static void AssertHolds(IKeyValueStore<UnreadableKey, string> kv)
    {
        Assert.Equal(9, kv.Count);
        for (int i = 0; i < 12; i++)
        {
            Assert.Equal(i is not (0 or 5 or 10), kv.TryGet(Key(i), out string? value));
            Assert.Equal(i switch { 0 or 5 or 10 => null, 1 => "put 1!", _ => $"put {i}" }, value);
        }
    }

    private static UnreadableKey Key(int i) => new($"name {i % 3}", i);

    private static IKeyValueStore<UnreadableKey, string> Open(NinoStore store) => store.OpenKeyValue<UnreadableKey, string>("keys", KeyValueBed.Tiny);
}
