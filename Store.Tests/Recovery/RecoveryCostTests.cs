using Store.Framing;
using Store.Log;
using Store.Tests.Log;
using Store.Tests.Retention;
using Store.Tests.Simulation;

namespace Store.Tests.Recovery;

/// <summary>What opening after a crash reads is the unsealed tail, and of each sealed segment its header and that of its footer: counted, not timed.</summary>
public sealed class RecoveryCostTests
{
    // What one sealed segment costs: its header, and the header of the frame that ends it, whose checksum its successor repeats.
    private const int SealedBytes = SegmentFormat.HeaderSize + FrameFormat.HeaderSize;

    private static readonly Func<NinoStoreOptions, NinoStoreOptions> Small = static o => o with { FirstSegmentSizeBytes = 64 * 1024, SegmentSizeBytes = 64 * 1024 };

    // So many segments, the last one with one frame of one record; without power, with nothing lost that was synced.
    private static SimDirectory Crashed(int segments, bool kills)
    {
        var directory = new SimDirectory();
        NinoStore store = RetentionTests.Grown(directory, segments, change: Small);
        return kills ? directory.KillProcess() : directory.Crash(new Random(segments));
    }

    private static (long Bytes, long Opens, long Lists, long Maps) Opening(SimDirectory directory, int segments)
    {
        var counting = new CountingDirectory(directory);
        using NinoStore store = Simulated.Open(counting, seed: 2, Small);
        (long, long, long, long) cost = (counting.BytesRead, counting.OpensForReading, counting.Lists, counting.Maps);
        Assert.Equal(segments, RetentionTests.Segments(directory).Length);
        Assert.False(store.Recovery.CleanClose);
        RetentionTests.IsWhole(store);
        return cost;
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void OpeningAfterACrashReadsTheTailAndOfASealedSegmentTwoHeaders(bool kills)
    {
        (long bytes, long opens, long lists, long maps) = Opening(Crashed(3, kills), 3);
        (long manyBytes, long manyOpens, long manyLists, long manyMaps) = Opening(Crashed(40, kills), 40);

        Assert.Equal((40 - 3) * SealedBytes, manyBytes - bytes);
        Assert.InRange(manyOpens - opens, 40 - 3, 2 * (40 - 3));
        Assert.Equal((lists, maps), (manyLists, manyMaps));

        // And that tail is a segment, once or twice, not the log.
        Assert.InRange(bytes, 64 * 1024, 3 * 64 * 1024);
    }
}
