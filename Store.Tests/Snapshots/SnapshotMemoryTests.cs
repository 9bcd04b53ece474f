// Is writing a stream of items bounded in memory where it is written as a program writes it: by a thread of its own, from items that are there and from items that are waited for?

using Store.Snapshots;
using Store.Tests.Log;

namespace Store.Tests.Snapshots;

/// <summary>Alone in the process: other threads work for it, so everything that is allocated counts.</summary>
[Collection("alone")]
public sealed class SnapshotMemoryTests
{
    private const int Items = 4_000_000;
    private const long MostBytes = 10 << 20;

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task AStreamOfItemsTakesTheMemoryOfAFewChunksWhateverItsLength(bool isWaitedFor)
    {
        using var folder = new TemporaryFolder();
        await using NinoStore store = NinoStore.Open(folder.Path);
        await WriteAsync(store, isWaitedFor, 1000);
        long before = GC.GetTotalAllocatedBytes(precise: true);
        SnapshotInfo info = await WriteAsync(store, isWaitedFor, Items);
        long allocated = GC.GetTotalAllocatedBytes(precise: true) - before;
        Assert.True(info.LengthBytes > 4 * MostBytes, $"{info.LengthBytes} bytes are no test");
        Assert.True(allocated < MostBytes, $"{allocated} bytes were allocated for {info.LengthBytes}");
    }

    private static async Task<SnapshotInfo> WriteAsync(NinoStore store, bool isWaitedFor, int count)
    {
        SnapshotParts parts = new SnapshotParts();
        parts = isWaitedFor ? parts.AddItems("items", LaterAsync(count)) : parts.AddItems("items", Numbers(count));
        return await store.CheckpointPartsAsync(parts);
    }

    private static IEnumerable<Score> Numbers(int count)
    {
        for (int i = 0; i < count; i++) yield return new Score(i);
    }

    // Now and then an item is not there yet.
    private static async IAsyncEnumerable<Score> LaterAsync(int count)
    {
        for (int i = 0; i < count; i++)
        {
            if (i % 100_000 == 0) await Task.Yield();
            yield return new Score(i);
        }
    }
}
