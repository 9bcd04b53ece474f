using Store.Tests.Simulation;

namespace Store.Tests.Log;

/// <summary>What goes in comes out: order, sequences, batches, types, segments, reopening.</summary>
public class AppendAndReadTests
{
    [Fact]
    public void RecordsComeBackInOrderWithDenseSequencesFromOne()
    {
        using NinoStore store = Simulated.Open(new SimDirectory());
        for (int i = 1; i <= 1000; i++) Assert.Equal(i, store.Append($"record {i}"));

        LogRecord<string>[] read = [.. store.Read<string>()];

        Assert.Equal(Enumerable.Range(1, 1000).Select(i => ((long)i, $"record {i}")), read.Select(r => (r.Sequence, r.Value)));
    }

    [Fact]
    public void AnUncommittedAppendIsReadByItsOwnProcess()
    {
        using NinoStore store = Simulated.Open(new SimDirectory());
        store.Append("not committed");

        Assert.Equal("not committed", Assert.Single(store.Read<string>()).Value);
        Assert.Equal(0, store.DurableSequence);
    }

    [Fact]
    public void ReadingStartsAtTheSequenceAskedForAndEndsAtWhatWasAppendedWhenItBegan()
    {
        using NinoStore store = Simulated.Open(new SimDirectory());
        for (int i = 1; i <= 100; i++) store.Append(i);

        using IEnumerator<LogRecord<int>> records = store.Read<int>(40).GetEnumerator();
        Assert.True(records.MoveNext());
        Assert.Equal(40, records.Current.Sequence);
        store.Append(101);
        int count = 1;
        while (records.MoveNext()) count++;

        Assert.Equal(61, count);
    }

    [Fact]
    public void ATypedReadSkipsRecordsOfOtherTypes()
    {
        using NinoStore store = Simulated.Open(new SimDirectory());
        for (int i = 0; i < 100; i++)
        {
            store.Append(i);
            store.Append($"s{i}");
            if (i % 10 == 0) store.Append((double)i);
        }

        Assert.Equal(Enumerable.Range(0, 100), store.Read<int>().Select(r => r.Value));
        Assert.Equal(Enumerable.Range(0, 100).Select(i => $"s{i}"), store.Read<string>().Select(r => r.Value));
        Assert.Equal(10, store.Read<double>().Count());
        Assert.Equal(210, store.ReadRecords().Count());
    }

    [Fact]
    public void EverythingIsThereAfterReopening()
    {
        var directory = new SimDirectory();
        using (NinoStore store = Simulated.Open(directory))
        {
            for (int i = 1; i <= 500; i++) store.Append(i);
            store.AppendBatch<string>(["a", "b", "c"]);
        }

        using NinoStore reopened = Simulated.Open(directory, seed: 2);

        Assert.True(reopened.Recovery.CleanClose);
        Assert.Equal(503, reopened.LastSequence);
        Assert.Equal(503, reopened.DurableSequence);
        Assert.Equal(Enumerable.Range(1, 500), reopened.Read<int>().Select(r => r.Value));
        Assert.Equal(["a", "b", "c"], reopened.Read<string>().Select(r => r.Value));
        Assert.Equal(504, reopened.Append(7));
    }

    [Fact]
    public void OpeningAndClosingWithoutAppendsChangesNoFile()
    {
        var directory = new SimDirectory();
        using (NinoStore store = Simulated.Open(directory)) store.Append(1);
        byte[] before = FileBytes.Of(directory, "segment-0000000000000001.log");

        for (int i = 0; i < 3; i++) Simulated.Open(directory, seed: 10 + i).Dispose();

        Assert.Equal(before, FileBytes.Of(directory, "segment-0000000000000001.log"));
    }

    [Fact]
    public void ALogGrowsOverManySegmentsWhichDoubleUpToTheirSize()
    {
        var directory = new SimDirectory();
        string text = new('x', 100);
        using (NinoStore store = Simulated.Open(directory))
        {
            for (int i = 0; i < 5000; i++) store.Append($"{i} {text}");
        }

        long[] sizes = [.. directory.List().Where(f => f.Name.EndsWith(".log", StringComparison.Ordinal)).Select(f => f.LengthBytes)];
        Assert.Equal([4096L, 8192, 16384, 32768, 65536, 65536], sizes.Take(6));
        Assert.All(sizes.Skip(5), size => Assert.Equal(65536, size));
        using NinoStore reopened = Simulated.Open(directory, seed: 2);
        Assert.Equal(Enumerable.Range(0, 5000).Select(i => $"{i} {text}"), reopened.Read<string>().Select(r => r.Value));
        Assert.Equal(Enumerable.Range(4000, 1000).Select(i => $"{i} {text}"), reopened.Read<string>(4001).Select(r => r.Value));
    }

    [Fact]
    public void ARecordLargerThanASegmentGetsASegmentOfItsOwn()
    {
        var directory = new SimDirectory();
        string large = new('y', 300_000);
        using (NinoStore store = Simulated.Open(directory))
        {
            store.Append("before");
            store.Append(large);
            store.Append("after");
        }

        using NinoStore reopened = Simulated.Open(directory, seed: 2);
        Assert.Equal(["before", large, "after"], reopened.Read<string>().Select(r => r.Value));
    }

    [Fact]
    public void ABatchIsOneFrame()
    {
        var directory = new SimDirectory();
        using (NinoStore store = Simulated.Open(directory))
        {
            store.Append(0);
            Assert.Equal(2, store.AppendBatch<int>(Enumerable.Range(1, 1000).ToArray()));
            Assert.Equal(1002, store.AppendBatch<int>([.. Enumerable.Range(1, 3)]));
        }

        Assert.Equal([1, 1000, 3], Frames.Of(directory, 1).Concat(Frames.Of(directory, 2)).Where(f => f.RecordCount > 0).Select(f => f.RecordCount));
    }

    [Fact]
    public void AnEmptyBatchAppendsNothing()
    {
        using NinoStore store = Simulated.Open(new SimDirectory());
        store.Append(1);

        Assert.Equal(2, store.AppendBatch<int>(ReadOnlySpan<int>.Empty));
        Assert.Equal(1, store.LastSequence);
        Assert.Single(store.ReadRecords());
    }

    [Theory]
    [InlineData(1)]
    [InlineData(251)]
    [InlineData(252)]
    [InlineData(253)]
    [InlineData(65_535)]
    [InlineData(65_536)]
    public void BatchesOfRecordsOfVeryDifferentLengthsAreTakenApartAgain(int length)
    {
        using NinoStore store = Simulated.Open(new SimDirectory());
        string[] values = ["", new('a', length), "b", new('c', length), new('d', 300), "e"];

        store.AppendBatch<string>(values);

        Assert.Equal(values, store.Read<string>().Select(r => r.Value));
    }

    [Fact]
    public void ConsecutiveAppendsShareAFrame()
    {
        var directory = new SimDirectory();
        using (NinoStore store = Simulated.Open(directory))
        {
            for (int i = 0; i < 100; i++) store.Append(i);
        }

        Assert.Single(Frames.Of(directory, 1), f => f.RecordCount == 100);
    }

    [Fact]
    public void TypesThatAlternateShareFramesToo()
    {
        var directory = new SimDirectory();
        using (NinoStore store = Simulated.Open(directory))
        {
            for (int i = 0; i < 100; i++)
            {
                store.Append(i);
                store.Append((long)i);
            }
        }

        Assert.InRange(Frames.Of(directory, 1).Count(f => f.RecordCount > 0), 1, 5);
    }

    [Fact]
    public void TimesNeverGoBackwardsEvenWhenTheClockDoes()
    {
        var clock = new BackwardsClock();
        using NinoStore store = Simulated.Open(new SimDirectory(), change: o => o with { TimeProvider = clock });
        for (int i = 0; i < 50; i++)
        {
            store.AppendBatch<int>([i]);
        }

        DateTimeOffset[] times = [.. store.ReadRecords().Select(r => r.Timestamp)];
        Assert.Equal(times.Order(), times);
    }

    [Fact]
    public async Task ReadAsyncGivesWhatReadGives()
    {
        await using NinoStore store = Simulated.Open(new SimDirectory());
        for (int i = 1; i <= 1000; i++) store.Append(i);

        List<int> read = [];
        await foreach (LogRecord<int> record in store.ReadAsync<int>(500)) read.Add(record.Value);

        Assert.Equal(Enumerable.Range(500, 501), read);
    }

    [Fact]
    public void NoSegmentIsLargerThanTheOptionSaysEvenWhenTheFirstMayBe()
    {
        var directory = new SimDirectory();
        using (NinoStore store = Simulated.Open(directory, change: static o => o with { FirstSegmentSizeBytes = 1024 * 1024, SegmentSizeBytes = 64 * 1024 }))
        {
            for (int i = 0; i < 50_000; i++) store.Append(i);
        }

        Assert.All(directory.List().Where(static f => f.Name.EndsWith(".log", StringComparison.Ordinal)), static f => Assert.Equal(64 * 1024, f.LengthBytes));
    }

    private sealed class BackwardsClock : TimeProvider
    {
        private int _reads;

        public override DateTimeOffset GetUtcNow() => new DateTimeOffset(2026, 1, 1, 0, 0, 0, TimeSpan.Zero).AddSeconds(_reads++ % 7 * -10);
    }
}
