// Is FASTER's memory where we think it is? The names of fields that are not public, and the layout of its index, are those of one version. When this fails after another one was taken, a put is slower and nothing
// else is wrong.

using System.Runtime.Intrinsics.X86;
using Store.Faster;
using Store.Faster.Engine;
using Store.Tests.Simulation;

namespace Store.Tests.KeyValue;

public class EngineMemoryTests
{
    private const int Keys = 500;

    // Everything stays in memory.
    private static readonly FasterOptions Roomy = KeyValueBed.Tiny with { IndexSizeBytes = 16 * 1024, MemorySizeBytes = 64 * 1024 };

    [Fact]
    public void AnEngineIsAskedForMemoryAhead()
    {
        using var engine = new FasterEngine(new SimDirectory(), Roomy);
        Assert.Equal(Sse.IsSupported, new MemoryPrefetch(engine.Memory).IsActive);
    }

    [Fact]
    public void EveryKeyIsInTheBucketAndTheRecordThatAreAskedFor()
    {
        using var engine = new FasterEngine(new SimDirectory(), Roomy);
        for (int key = 0; key < Keys; key++) engine.Put(BitConverter.GetBytes(key), BitConverter.GetBytes(~key));
        AssertFound(engine.Memory!, Roomy.IndexSizeBytes / FasterOptions.HashBucketBytes);
    }

    [Fact]
    public async Task TheyAreFoundAgainAfterRecoveryWithAnotherIndexSize()
    {
        var log = new MemoryChangeLog();
        var directory = new SimDirectory();
        using (FasterKeyValueStore<int, int> state = KeyValueBed.Open<int, int>(log, directory, Roomy))
        {
            for (int key = 0; key < Keys; key++) state.Put(key, ~key);
            await state.CheckpointAsync();
        }

        using FasterKeyValueStore<int, int> again = KeyValueBed.Open<int, int>(log, directory, Roomy with { IndexSizeBytes = 2 * Roomy.IndexSizeBytes });
        Assert.False(again.Recovery.RebuiltFromLog);
        again.Put(1, ~1);

        // The checkpoint brought its own index along.
        AssertFound(again.State.Engine.Memory!, Roomy.IndexSizeBytes / FasterOptions.HashBucketBytes);
    }

    [Fact]
    public void AskingForWhateverIsNotThereChangesNothing()
    {
        using var engine = new FasterEngine(new SimDirectory(), KeyValueBed.Tiny);
        var prefetch = new MemoryPrefetch(engine.Memory);
        ulong hash = 1;
        for (int key = 0; key < 20 * Keys; key++)
        {
            // Most records are on the disk before long: their places in memory are others' or nobody's.
            engine.Put(BitConverter.GetBytes(key), BitConverter.GetBytes(~key));
            hash *= 0x9E37_79B9_7F4A_7C15;
            prefetch.Bucket(hash);
            prefetch.Record(hash, int.MaxValue - 64);
            prefetch.Record(KeyHash.Compute(BitConverter.GetBytes(key / 2)), 0);
        }

        Assert.True(engine.HeadAddress > 0);
        Assert.True(engine.Reads.TryRead(BitConverter.GetBytes(3), out ReadResult result));
        Assert.Equal(BitConverter.GetBytes(~3), result.Value.ToArray());
        result.Release();
    }

    [Fact]
    public void WithoutAnyMemoryToAskNothingIsAsked()
    {
        var prefetch = new MemoryPrefetch(null);
        prefetch.Bucket(1);
        prefetch.Record(1, 100);
        LargePages.AskFor(null);
        Assert.False(prefetch.IsActive);
    }

    private static unsafe void AssertFound(EngineMemory memory, long bucketCount)
    {
        Assert.Equal(bucketCount, memory.BucketCount);
        int found = 0;
        for (int key = 0; key < Keys; key++)
        {
            byte[] bytes = BitConverter.GetBytes(key);
            ulong hash = KeyHash.Compute(bytes);
            ulong* bucket = memory.Buckets + ((long)(hash % (ulong)memory.BucketCount) * EngineMemory.BucketWords);
            ulong entry = 0;
            for (int i = 0; i < EngineMemory.BucketWords - 1 && entry == 0; i++)
                if (((bucket[i] >> 48) & 0x3FFF) == hash >> 50) entry = bucket[i];
            if (entry == 0) continue; // In a bucket behind the first: 500 keys in few buckets.

            long address = (long)(entry & 0xFFFF_FFFF_FFFF);
            byte* record = (byte*)memory.Pages[(address >> memory.PageSizeBits) % memory.Pages.Length] + (address & ((1L << memory.PageSizeBits) - 1));

            // FASTER's header, the key's length, the key.
            Assert.Equal(4, *(int*)(record + 8));
            if (new ReadOnlySpan<byte>(record + 12, 4).SequenceEqual(bytes)) found++;
        }

        Assert.InRange(found, Keys * 9 / 10, Keys);
    }
}
