using Store.Serialization;
using Store.Tests.Log;
using Store.Tests.Simulation;

[assembly: NinoSerializable(typeof(Dictionary<long, int>))]

namespace Store.Tests.Reading;

/// <summary>What a program could write it can restore, whatever its keys cost: the limit of comparisons is for strangers' bytes.</summary>
public class StoredLimitsTests
{
    [Fact]
    public async Task WhatAStoreWroteItReadsHoweverItsKeysFallTogether()
    {
        // One hash code, and more comparisons than a record of a stranger may take.
        Dictionary<long, int> state = Enumerable.Range(0, 24_000).ToDictionary(static x => ((long)x << 32) | (uint)x);
        byte[] bytes = NinoSerializer.Serialize(state);
        Assert.Contains("MaxKeyComparisons", Assert.Throws<NinoSerializationException>(() => NinoSerializer.Deserialize<Dictionary<long, int>>(bytes)).Message, StringComparison.Ordinal);

        using NinoStore store = Simulated.Open(new SimDirectory(), change: static o => o with { FirstSegmentSizeBytes = 1 << 20, SegmentSizeBytes = 1 << 20, BufferSizeBytes = 4 << 20 });
        store.Append(state);
        await store.CheckpointAsync(state);

        Assert.Equal(state.Count, store.Read<Dictionary<long, int>>().Single().Value.Count);
        Dictionary<long, int> restored = await store.RestoreAsync<Dictionary<long, int>, int>(static (held, _) => held);
        Assert.Equal(state.Count, restored.Count);
    }
}
