using Store.Log;
using Store.Tests.Log;
using Store.Tests.Retention;
using Store.Tests.Simulation;

namespace Store.Tests.Reading;

/// <summary>A follower from outside goes on into the segment that continues the one it read, and into no other.</summary>
public class ExchangedSegmentTests
{
    public static TheoryData<string> Exchanges => ["another log's under this one's name", "another end", "another store", "another number"];

    [Theory]
    [MemberData(nameof(Exchanges))]
    public async Task TheNextSegmentIsExchangedUnderAFollower(string exchange)
    {
        var directory = new SimDirectory();
        RetentionTests.Grown(directory, segments: 3).Dispose();
        string name = SegmentFormat.Name(2);
        byte[] bytes = FileBytes.Of(directory, name);
        Assert.Equal(SegmentHeaderStatus.Valid, SegmentHeader.TryRead(bytes, out SegmentHeader header));
        using var stop = new CancellationTokenSource(TimeSpan.FromSeconds(20));
        await using IAsyncEnumerator<LogRecord> follower = RetentionTests.Look(directory).TailAsync((ReadOptions?)null, stop.Token).GetAsyncEnumerator(CancellationToken.None);
        List<long> seen = [];
        Assert.True(await follower.MoveNextAsync());
        seen.Add(follower.Current.Sequence);

        switch (exchange)
        {
            case "another end":
                (header with { PreviousChecksum = header.PreviousChecksum ^ 1 }).Write(bytes);
                break;
            case "another store":
                (header with { StoreId = Guid.NewGuid() }).Write(bytes);
                break;
            case "another number":
                (header with { Number = 3 }).Write(bytes);
                break;
            default:
                bytes = OfAnotherLog(name, header);
                break;
        }

        FileBytes.Put(directory, name, bytes);
        StoreCorruptException e = await Assert.ThrowsAsync<StoreCorruptException>(async () =>
        {
            while (await follower.MoveNextAsync()) seen.Add(follower.Current.Sequence);
        });

        Assert.Equal(Enumerable.Range(1, (int)header.FirstSequence - 1).Select(static n => (long)n), seen);
        Assert.Contains(name, e.Message, StringComparison.Ordinal);
        Assert.Contains("inspect verify", e.Message, StringComparison.Ordinal);
    }

    // It begins later, and all its frames verify: nothing but the link says that it is another's.
    private static byte[] OfAnotherLog(string name, SegmentHeader header)
    {
        var other = new SimDirectory();
        NinoStore store = Simulated.Open(other, 7, static o => o with { FirstSegmentSizeBytes = 8192 });
        RetentionTests.Grow(store, other, 3);
        store.Dispose();
        byte[] bytes = FileBytes.Of(other, name);
        Assert.Equal(SegmentHeaderStatus.Valid, SegmentHeader.TryRead(bytes, out SegmentHeader theirs));
        Assert.True(theirs.FirstSequence > header.FirstSequence);
        (theirs with { StoreId = header.StoreId }).Write(bytes);
        return bytes;
    }
}
