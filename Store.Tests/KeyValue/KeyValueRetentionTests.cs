using Store.Faster;
using Store.KeyValue;

namespace Store.Tests.KeyValue;

/// <summary>A keyed state keeps what it needs of the log, whether it is open or not.</summary>
public class KeyValueRetentionTests
{
    [Fact]
    public async Task WhatAKeyedStateNeedsStaysAlsoWhileItIsClosed()
    {
        using var folder = new TemporaryFolder();
        var options = new NinoStoreOptions { FirstSegmentSizeBytes = 16 * 1024, SegmentSizeBytes = 64 * 1024 };
        using (NinoStore store = NinoStore.Open(Path.Combine(folder.Path, "store"), options))
        {
            using (IKeyValueStore<int, string> state = store.OpenKeyValue<int, string>("names"))
            {
                for (int i = 0; i < 500; i++) state.Put(i, new string('x', 300));
            }

            store.Commit();
            TruncateResult held = store.TruncateBefore(long.MaxValue);
            Assert.Equal(1, held.FirstSequence);
            Assert.Contains("keyed state 'names'", held.HeldBy, StringComparison.Ordinal);
        }

        using NinoStore again = NinoStore.Open(Path.Combine(folder.Path, "store"), options);
        Assert.Equal(1, again.TruncateBefore(long.MaxValue).FirstSequence);
        Assert.Empty(again.Cursors);
        using (IKeyValueStore<int, string> state = again.OpenKeyValue<int, string>("names"))
        {
            Assert.Equal(500, state.Count);
            await state.CheckpointAsync();
            Assert.Equal(1, again.TruncateBefore(long.MaxValue).FirstSequence);
            for (int i = 0; i < 500; i++) state.Put(i, new string('y', 300));
            await state.CheckpointAsync();
            Assert.InRange(again.TruncateBefore(long.MaxValue).FirstSequence, 2, 501);
        }

        using (IKeyValueStore<int, string> state = again.OpenKeyValue<int, string>("names")) Assert.Equal(500, state.Count);
        Assert.True(again.ForgetKeyedState("names"));
        Assert.False(again.ForgetKeyedState("names"));
        Assert.Null(again.TruncateBefore(long.MaxValue).HeldBy);
    }
}
