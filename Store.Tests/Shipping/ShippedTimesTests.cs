// A follower's records have the source's times, whatever its own clock says, and are found by them.

using Store.Framing;
using Store.Tests.Log;
using Store.Tests.Retention;
using Store.Tests.Simulation;

namespace Store.Tests.Shipping;

public class ShippedTimesTests
{
    [Theory]
    [InlineData("empty")]
    [InlineData("empty, opened before")]
    [InlineData("a backup, with a checkpoint of its own")]
    public async Task TimesAreTheSourcesAlsoWhereTheFollowersClockIsAhead(string beginning)
    {
        SimDirectory directory = new(), other = new();
        Func<NinoStoreOptions, NinoStoreOptions> ahead = static o => o with { TimeProvider = new ClockAt(new DateTimeOffset(2099, 1, 1, 0, 0, 0, TimeSpan.Zero)) };
        using NinoStore source = Shipped.Source(directory, rounds: 20);

        // Opened and closed before: its closing mark is younger than everything that comes.
        if (beginning.StartsWith("a backup", StringComparison.Ordinal))
        {
            SimDirectory copy = new();
            source.BackupTo(copy);
            other = copy.KillProcess();
            using NinoStore early = Simulated.Open(other, seed: 2, ahead);
            await early.CheckpointAsync(new List<int> { 1 });
            Shipped.Append(source, 20);
        }

        if (beginning == "empty, opened before") Simulated.Open(other, seed: 2, ahead).Dispose();
        for (int opening = 0; opening < 3; opening++)
        {
            using NinoStore follower = Simulated.Open(other, seed: 3 + opening, ahead);
            Shipped.Follow(source, follower);
            Simulated.Commit(follower);
            Shipped.AreEqual(source, follower);
            DateTimeOffset middle = Shipped.Records(source)[50].Time;
            Assert.Equal(source.ReadRecords(new ReadOptions { FromTime = middle }).Select(static r => r.Sequence), follower.ReadRecords(new ReadOptions { FromTime = middle }).Select(static r => r.Sequence));
            if (beginning.StartsWith("a backup", StringComparison.Ordinal))
            {
                // Something younger than every record lies before some of them.
                List<FrameHeader> frames = [.. RetentionTests.Segments(other).SelectMany(n => Frames.Of(other, n))];
                Assert.True(frames.FindIndex(static f => new DateTime(f.TimeTicks).Year == 2099) is var at and > 0 && frames.FindLastIndex(static f => f.Kind == FrameKind.Records) > at, string.Join('\n', frames.Select(static f => $"{f.Kind} {f.FirstSequence} {f.RecordCount} {new DateTime(f.TimeTicks):O}")));
            }

            foreach (int to in new[] { 0, 50, (int)source.LastSequence / 2, (int)source.LastSequence - 60 })
            {
                await TimesSelectTheSameAsync(source, follower, other, new ReadOptions { ToTime = Shipped.Records(source)[to].Time });
                await TimesSelectTheSameAsync(source, follower, other, new ReadOptions { FromTime = middle, ToTime = Shipped.Records(source)[to].Time });
            }

            Shipped.Append(source, 10);
        }
    }

    // Whoever reads the follower: the store itself, and from outside, either way and following.
    private static async Task TimesSelectTheSameAsync(NinoStore source, NinoStore follower, SimDirectory directory, ReadOptions range)
    {
        long[] expected = [.. source.ReadRecords(range).Select(static r => r.Sequence)], backward = [.. expected.Reverse()];
        ReadOptions newest = range with { NewestFirst = true };
        StoreReader reader = RetentionTests.Look(directory);
        Assert.Equal(expected, follower.ReadRecords(range).Select(static r => r.Sequence));
        Assert.Equal(backward, follower.ReadRecords(newest).Select(static r => r.Sequence));
        Assert.Equal(expected, reader.ReadRecords(range).Select(static r => r.Sequence));
        Assert.Equal(backward, reader.ReadRecords(newest).Select(static r => r.Sequence));
        Assert.Equal(expected, await SequencesAsync(follower.TailRecordsAsync(range)));
        Assert.Equal(expected, await SequencesAsync(reader.TailRecordsAsync(range)));

        static async Task<List<long>> SequencesAsync(IAsyncEnumerable<LogRecord> records)
        {
            List<long> sequences = [];
            await foreach (LogRecord record in records) sequences.Add(record.Sequence);
            return sequences;
        }
    }

    [Fact]
    public void RecordsThatAreOlderThanTheirLogAreFoundByTimeBothWays()
    {
        SimDirectory directory = new();
        var clock = new SettableClock { Now = new DateTimeOffset(2050, 1, 1, 0, 0, 0, TimeSpan.Zero) };
        using NinoStore store = Simulated.Open(directory, change: o => o with { TimeProvider = clock });
        clock.Now = new DateTimeOffset(2040, 1, 1, 0, 0, 0, TimeSpan.Zero);
        store.Append(1);
        Simulated.Commit(store);
        var range = new ReadOptions { ToTime = new DateTimeOffset(2045, 1, 1, 0, 0, 0, TimeSpan.Zero) };

        Assert.Equal(2040, Assert.Single(store.ReadRecords(range)).Timestamp.Year);
        Assert.Single(store.ReadRecords(range with { NewestFirst = true }));
        Assert.Single(RetentionTests.Look(directory).ReadRecords(range));
        Assert.Single(RetentionTests.Look(directory).ReadRecords(range with { NewestFirst = true }));
    }

    private sealed class SettableClock : TimeProvider
    {
        public DateTimeOffset Now { get; set; }

        public override DateTimeOffset GetUtcNow() => Now;
    }

    [Fact]
    public void AFollowerThatIsPromotedAppendsWithItsOwnTimes()
    {
        using NinoStore source = Shipped.Source(new SimDirectory(), rounds: 3);
        using NinoStore follower = Simulated.Open(new SimDirectory(), seed: 2, static o => o with { TimeProvider = new ClockAt(new DateTimeOffset(2099, 1, 1, 0, 0, 0, TimeSpan.Zero)) });
        Shipped.Follow(source, follower);

        follower.Append(1);

        Assert.Equal(2099, follower.ReadRecords(follower.LastSequence).Single().Timestamp.Year);
        Shipped.IsPrefix(follower, source);
    }

    private sealed class ClockAt(DateTimeOffset time) : TimeProvider
    {
        public override DateTimeOffset GetUtcNow() => time;
    }
}
