// Which of a million changes is it that the types of this release have no place for? The message says so, and does not call damaged what is whole.

using Store.Faster;
using Store.KeyValue;
using Store.Serialization;
using Store.Tests.KeyValue;
using Store.Tests.Log;
using Store.Tests.Simulation;

namespace Store.Tests.Evolution;

public class KeyedRefusalTests
{
    /// <summary>A change stores an <c>int</c> as it stores an <c>int?</c>, so that no schema tells that there may be a null.</summary>
    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task ANullOfATypeThatHadOneIsNoDamage(bool withCheckpoint)
    {
        using NinoStore store = Simulated.Open(new SimDirectory());
        using (IKeyValueStore<int, int?> old = store.OpenKeyValue<int, int?>("scores", KeyValueBed.Tiny))
        {
            old.Put(1, 5);
            old.Put(2, null);
            if (withCheckpoint) await old.CheckpointAsync();
        }

        var refused = Assert.Throws<NinoSerializationException>(() => store.OpenKeyValue<int, int>("scores", KeyValueBed.Tiny));
        foreach (string said in new[] { "Record 2 of the log: ", "the keyed state 'scores' sets a value that is null", "'Int32'", "an 'int?'", "Open it with the types" }) Assert.Contains(said, refused.Message, StringComparison.Ordinal);
        Assert.Equal(("KeyValue:scores", "Value"), (refused.TypeName, refused.MemberPath));

        // Nothing is lost by the attempt; and what is no null is read.
        using (IKeyValueStore<int, int?> back = store.OpenKeyValue<int, int?>("scores", KeyValueBed.Tiny))
        {
            Assert.Equal(2, back.Count);
            Assert.False(back.TryGet(2, out int? none) && none is not null);
        }
    }

    [Fact]
    public void AChangeWithoutAPlaceIsToldWithItsRecordByEveryEngine()
    {
        using NinoStore store = Simulated.Open(new SimDirectory());
        store.Append("of somebody else");
        using (IKeyValueStore<long, string> old = store.OpenKeyValue<long, string>("names", KeyValueBed.Tiny))
        {
            old.Put(1, "a");
            old.Put(1L << 40, "b");
        }

        var byFaster = Assert.Throws<NinoSerializationException>(() => store.OpenKeyValue<int, string>("names", KeyValueBed.Tiny));
        using KeyValueLog<int, string> log = KeyValueLog.Open<int, string>(store, "names");
        var byAnother = Assert.Throws<NinoSerializationException>(() => log.ReadChanges().Count());
        foreach (NinoSerializationException refused in new[] { byFaster, byAnother })
        {
            Assert.StartsWith("Record 3 of the log: Record 'KeyValue:names', member Key, byte 1: The stored number 1099511627776", refused.Message, StringComparison.Ordinal);
            Assert.Equal(("KeyValue:names", "Key", 1L), (refused.TypeName, refused.MemberPath, refused.ByteOffset));
        }
    }
}
