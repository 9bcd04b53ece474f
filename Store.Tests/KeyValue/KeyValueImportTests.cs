// Changes of a keyed state that come from another store: not beside the state, which would not see them, and never as a state that has lost its beginning.

using Store.Faster;
using Store.KeyValue;
using Store.Serialization;
using Store.Tests.Log;
using Store.Tests.Retention;
using Store.Tests.Simulation;

namespace Store.Tests.KeyValue;

public sealed class KeyValueImportTests : IDisposable
{
    private readonly SimDirectory _source = new();
    private readonly SimDirectory _directory = new();

    public void Dispose()
    {
        _source.Dispose();
        _directory.Dispose();
    }

    [Fact]
    public async Task ChangesAreNotImportedBesideTheOpenState()
    {
        using NinoStore source = Simulated.Open(_source, 7);
        using IKeyValueStore<int, string> there = Open(source);
        there.Put(1, "one");
        using NinoStore follower = Simulated.Open(_directory);
        await ImportAsync(source, follower);
        there.Put(2, "two");
        using (IKeyValueStore<int, string> here = Open(follower))
        {
            Assert.Equal(1, here.Count);
            InvalidOperationException refused = await Assert.ThrowsAsync<InvalidOperationException>(() => ImportAsync(source, follower));
            Assert.Contains("the keyed state 'orders'", refused.Message, StringComparison.Ordinal);
            Assert.Equal(1, follower.LastSequence);
            await here.CheckpointAsync();
        }

        await ImportAsync(source, follower);
        using IKeyValueStore<int, string> again = Open(follower);
        Assert.Equal("two", again.TryGet(2, out string? value) ? value : null);
    }

    /// <summary>Its records are the state's: a stored one that somebody appends by hand would be in the log, and not in the state.</summary>
    [Fact]
    public void NobodyElseAppendsItsRecords()
    {
        using NinoStore store = Simulated.Open(_directory);
        NinoSchema schema;
        byte[] record;
        using (IKeyValueStore<int, string> kv = Open(store))
        {
            kv.Put(1, "one");
            LogRecord change = store.ReadRecords().Single();
            (schema, record) = (change.Schema, change.Payload.ToArray());
            Assert.Throws<InvalidOperationException>(() => store.AppendRecord(schema, record));
            kv.Put(2, "two");
            kv.PutBatch([new(3, "three"), new(4, "four")]);
            Assert.Equal((4, 4), (kv.Count, store.LastSequence));
        }

        Assert.Equal(5, store.AppendRecord(schema, record));
    }

    [Fact]
    public async Task AFollowerThatHasCutItsChangesAwayDoesNotBeginAnEmptyState()
    {
        using (NinoStore source = Simulated.Open(_source, 7))
        {
            using (IKeyValueStore<int, string> there = Open(source))
            {
                for (int i = 0; i < 40; i++) there.Put(i, "lost");
            }

            RetentionTests.Grow(source, _source, segments: 5);
            using NinoStore follower = Simulated.Open(_directory);
            await ImportAsync(source, follower);
            RetentionTests.Grow(source, _source, segments: 7);
            await ImportAsync(source, follower);
            Assert.True(follower.TruncateBefore(long.MaxValue).FirstSequence > 41);
        }

        using NinoStore promoted = Simulated.Open(_directory, 2);
        Assert.Throws<StoreCorruptException>(() => Open(promoted));
    }

    private static IKeyValueStore<int, string> Open(NinoStore store) => store.OpenKeyValue<int, string>("orders", KeyValueBed.Tiny);

    private static async Task ImportAsync(NinoStore source, NinoStore follower)
    {
        source.Commit();
        using var shipment = new MemoryStream();
        await source.ShipToAsync(shipment, follower.LastSequence + 1);
        shipment.Position = 0;
        await follower.ImportAsync(shipment);
    }
}
