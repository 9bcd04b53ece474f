// Does a keyed state keep to its memory? The engine's own addresses say how many bytes of records are in memory, at every step; the heap says whether anything else grows with the state.

using Store.Faster;

namespace Store.Tests.KeyValue;

/// <summary>Alone in the process: the heap is everybody's.</summary>
[CollectionDefinition("alone", DisableParallelization = true)]
public sealed class Alone;

[Collection("alone")]
public class KeyValueMemoryTests
{
    /// <summary>What a state may take beside its records and its index: the log's buffers, FASTER's page tables and sessions, and what the heap has not cleared up.</summary>
    private const long OtherBytes = 24 << 20;

    [Theory]
    [InlineData(4096, 16 * 1024)]
    [InlineData(4096, 64 * 1024)]
    [InlineData(16 * 1024, 1 << 20)]
    public void RecordsInMemoryNeverExceedTheBudget(int pageSizeBytes, int memorySizeBytes)
    {
        using var folder = new TemporaryFolder();
        using NinoStore store = NinoStore.Open(folder.Path);
        using var kv = (FasterKeyValueStore<int, byte[]>)store.OpenKeyValue<int, byte[]>("x", new FasterOptions { IndexSizeBytes = 64 * 1024, PageSizeBytes = pageSizeBytes, MemorySizeBytes = memorySizeBytes });
        var random = new Random(5);
        long most = 0;
        for (int i = 0; kv.State.Engine.TailAddress < 10L * memorySizeBytes; i++)
        {
            int key = random.Next(2000);
            switch (random.Next(10))
            {
                case 0: kv.Delete(key); break;
                case 1: kv.TryGet(key, out _); break;
                case 2: kv.PutBatch([new(key, new byte[random.Next(900)]), new(key + 1, [])]); break;
                default: kv.Put(key, new byte[random.Next(1500)]); break;
            }

            most = Math.Max(most, kv.State.Engine.TailAddress - kv.State.Engine.HeadAddress);
            Assert.True(most <= memorySizeBytes, $"{most} bytes of records are in memory, {memorySizeBytes} are allowed");
        }

        // It is used, too.
        Assert.True(most > memorySizeBytes / 2, $"Of {memorySizeBytes} bytes {most} were used at most");
    }

    [Fact]
    public void AStateTenTimesAsLargeTakesNoMoreMemory()
    {
        FasterOptions options = new() { IndexSizeBytes = 1 << 20, PageSizeBytes = 64 * 1024, MemorySizeBytes = 4 << 20 };
        using var folder = new TemporaryFolder();
        long before = GC.GetTotalMemory(forceFullCollection: true);
        using NinoStore store = NinoStore.Open(folder.Path, new NinoStoreOptions { BufferSizeBytes = 1 << 20, SegmentSizeBytes = 8 << 20 });
        using var kv = (FasterKeyValueStore<int, byte[]>)store.OpenKeyValue<int, byte[]>("x", options);
        byte[] value = new byte[2000];
        int key = 0;
        long full = After(2 * options.MemorySizeBytes) - before, tenTimes = After(20 * options.MemorySizeBytes) - before;
        long allowed = options.MemorySizeBytes + options.IndexSizeBytes + OtherBytes;
        Assert.True(full <= allowed && tenTimes <= allowed, $"{full:N0} and {tenTimes:N0} bytes of the heap, {allowed:N0} are allowed");
        Assert.True(tenTimes - full < 4 << 20, $"{tenTimes - full:N0} bytes more for {18 * options.MemorySizeBytes:N0} bytes of state more");
        Assert.True(kv.TryGet(0, out byte[]? first) && first.Length == value.Length);

        long After(long stateBytes)
        {
            while (kv.State.Engine.TailAddress < stateBytes) kv.Put(key++, value);
            return GC.GetTotalMemory(forceFullCollection: true);
        }
    }
}
