using Store.Log;
using Store.Reading;
using Store.Tests.Log;
using Store.Tests.Retention;
using Store.Tests.Simulation;

namespace Store.Tests.Reading;

/// <summary>A follower from outside goes on into the segment that continues the one it read, and into no other; and it notices when the one it reads is another file by now.</summary>
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
        await using IAsyncEnumerator<LogRecord> follower = RetentionTests.Look(directory).TailRecordsAsync((ReadOptions?)null, stop.Token).GetAsyncEnumerator(CancellationToken.None);
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

    /// <summary>The file that it has open grows no more: it would wait for ever.</summary>
    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task AStoreThatIsPutBackFromABackupEndsAFollowerThatHasReturnedMore(bool inPlace)
    {
        var directory = new SimDirectory();
        Append(directory, 5, seed: 1);
        Dictionary<string, byte[]> backup = Files(directory);
        Append(directory, 5, seed: 2);
        var time = new Ticking(mostWaits: 1000);
        await using IAsyncEnumerator<LogRecord> follower = Follow(directory, time);
        for (long n = 1; n <= 10; n++) await IsNextAsync(follower, n);

        PutBack(directory, backup, inPlace);

        StoreCorruptException e = await Assert.ThrowsAsync<StoreCorruptException>(async () => await follower.MoveNextAsync());
        Assert.Contains(SegmentFormat.Name(1), e.Message, StringComparison.Ordinal);
        Assert.Contains("record 11", e.Message, StringComparison.Ordinal);
        Assert.Contains("backup", e.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task AFollowerGoesOnInTheFileThatWasPutBackWhereThatHoldsWhatItReturned()
    {
        var directory = new SimDirectory();
        Append(directory, 10, seed: 1);
        var time = new Ticking(mostWaits: 1000);
        await using IAsyncEnumerator<LogRecord> follower = Follow(directory, time);
        for (long n = 1; n <= 10; n++) await IsNextAsync(follower, n);

        PutBack(directory, Files(directory), inPlace: false);
        Append(directory, 3, seed: 2);

        for (long n = 11; n <= 13; n++) await IsNextAsync(follower, n);
    }

    private static void Append(SimDirectory directory, int records, int seed)
    {
        using NinoStore store = Simulated.Open(directory, seed);
        for (int i = 0; i < records; i++)
        {
            store.Append((int)store.LastSequence + 1);
            Simulated.Commit(store);
        }
    }

    private static IAsyncEnumerator<LogRecord> Follow(SimDirectory directory, Ticking time) =>
        RetentionTests.Look(directory).TailRecordsAsync(new FileFollower(directory, null, null, time), ReadOptions.All, time.Stop).GetAsyncEnumerator(CancellationToken.None);

    private static async Task IsNextAsync(IAsyncEnumerator<LogRecord> follower, long sequence)
    {
        Assert.True(await follower.MoveNextAsync());
        Assert.Equal((sequence, (int)sequence), (follower.Current.Sequence, follower.Current.As<int>()));
    }

    private static Dictionary<string, byte[]> Files(SimDirectory directory) => directory.List().ToDictionary(static file => file.Name, file => FileBytes.Of(directory, file.Name));

    private static void PutBack(SimDirectory directory, Dictionary<string, byte[]> files, bool inPlace)
    {
        if (!inPlace)
        {
            foreach (string name in files.Keys) directory.Delete(name);
        }

        foreach ((string name, byte[] bytes) in files) FileBytes.Put(directory, name, bytes);
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
