// What stays of the log for a keyed state whose checkpoints turn out to be worth nothing?

using Store.KeyValue;
using Store.Tests.Log;
using Store.Tests.Simulation;
using static Store.Tests.KeyValue.KeyValueHoldBed;

namespace Store.Tests.KeyValue;

public class KeyValueRejectedTests
{
    [Fact]
    public async Task WhereAllCheckpointsAreRejectedTheWholeLogIsNeededAgainUntilThereAreTwo()
    {
        SimDirectory directory = await WithCheckpointsAsync(3);
        Damage(directory, ".manifest");
        Dictionary<int, string> expected;
        using (NinoStore store = Simulated.Open(directory, 2))
        {
            using IKeyValueStore<int, string> kv = Open(store);
            Assert.True(kv.Recovery.RebuiltFromLog);
            expected = Content(kv);
            Assert.Equal(0, Mark.Read(directory));
            TruncateResult held = store.TruncateBefore(long.MaxValue);
            Assert.Equal(1, held.FirstSequence);
            Assert.Contains("the keyed state 'state', after record 0", held.HeldBy, StringComparison.Ordinal);
        }

        // Nobody has written a checkpoint since: the log is all there is.
        using NinoStore again = Simulated.Open(directory, 3);
        using IKeyValueStore<int, string> reopened = Open(again);
        Assert.Equal(expected, Content(reopened));
        long covered = again.LastSequence;
        await reopened.CheckpointAsync();
        reopened.Put(1, "later");
        await reopened.CheckpointAsync();
        Assert.Equal(covered, Mark.Read(directory));
    }

    [Fact]
    public async Task WhereTheNewestCheckpointIsRejectedTheLogIsKeptBehindTheOneThatIsUsed()
    {
        SimDirectory directory = await WithCheckpointsAsync(3);
        string newest = directory.List().Select(static f => f.Name).Where(static f => f.EndsWith(".manifest", StringComparison.Ordinal)).Max(StringComparer.Ordinal)!;
        Damage(directory, newest);
        using NinoStore store = Simulated.Open(directory, 2);
        using IKeyValueStore<int, string> kv = Open(store);
        Assert.Single(kv.Recovery.Rejected);
        Assert.False(kv.Recovery.RebuiltFromLog);
        Assert.Equal(kv.Recovery.CheckpointSequence, Mark.Read(directory));
    }
}
