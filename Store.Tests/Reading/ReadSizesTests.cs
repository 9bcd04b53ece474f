// How much is asked of the disk at once: a little where reading begins, twice as much each time it goes on, half as much where a sector fails. Calls are counted, so nothing here depends on a clock.

using Store.IO;
using Store.Log;
using Store.Tests.Log;
using Store.Tests.Simulation;

namespace Store.Tests.Reading;

public class ReadSizesTests
{
    private const int Least = 128 * 1024, Most = 1024 * 1024;

    private static NinoStore Open(IStoreDirectory directory, int segmentBytes, int seed = 1) =>
        Simulated.Open(directory, seed, o => o with { FirstSegmentSizeBytes = segmentBytes, SegmentSizeBytes = segmentBytes, BufferSizeBytes = 16 * 1024 * 1024 });

    private static void Append(NinoStore store, int records, int bytes)
    {
        byte[] record = new byte[bytes];
        for (int i = 0; i < records; i++)
        {
            store.Append(record);
            Simulated.Commit(store);
        }
    }

    // A disk may take seconds to give up a sector: each failing call is such a wait.
    [Fact]
    public void ABadSectorFailsFewReadsAndThoseBehindItAreReadFromThere()
    {
        const int SectorBytes = 512, Records = 3000, Sector = 800, IndexedBytes = 32 * 1024;
        using var sim = new SimDirectory();
        using (NinoStore store = Open(sim, 1 << 20)) Append(store, Records, 100);
        string name = SegmentFormat.Name(1);
        List<PlacedFrame> frames = Frames.WithPlaces(sim, 1);
        long before = frames.Last(static frame => frame.End <= Sector * SectorBytes && frame.Header.RecordCount > 0).Header.LastSequence;
        long behind = frames.First(static frame => frame.Offset >= (Sector * SectorBytes) + IndexedBytes && frame.Header.RecordCount > 0).Header.LastSequence;
        var disk = new BadSectorDirectory(sim, SectorBytes);
        using NinoStore again = Open(disk, 1 << 20, 2);
        disk.Spoil(name, Sector * SectorBytes);

        int scanned = 0;
        IOException failure = Assert.ThrowsAny<IOException>(() =>
        {
            foreach (ScannedRecord record in again.Scan()) Assert.Equal(++scanned, record.Sequence);
        });

        Assert.Equal(before, scanned);
        Assert.Contains(name, failure.Message, StringComparison.Ordinal);
        Assert.Contains($"{Sector * SectorBytes}", failure.Message, StringComparison.Ordinal);
        Assert.InRange(disk.FailedReads, 1, 60);

        int failed = disk.FailedReads;
        Assert.Equal(Sequences(behind, Records), again.ReadRecords(behind).Select(static record => record.Sequence));
        Assert.Equal(failed, disk.FailedReads);
    }

    [Fact]
    public void AScanBeginsWithALittleAndReadsTwiceAsMuchEachTimeUpToAMebibyte()
    {
        var disk = new AskedDirectory(new SimDirectory());
        using NinoStore store = Open(disk, 8 << 20);
        Append(store, 5000, 1000);
        long frame = Frames.Of(disk, 1).Max(static header => header.FrameLength);
        disk.Asked.Clear();

        Assert.Equal(5000, Count(store.Scan()));

        AreSteps([Least, 2 * Least, 4 * Least, Most, Most, Most, Most, Most], disk.Asked, frame);
    }

    [Fact]
    public async Task AFollowerBeginsAnewWithALittleWhereItHasCaughtUp()
    {
        var disk = new AskedDirectory(new SimDirectory());
        using NinoStore store = Open(disk, 8 << 20);
        Append(store, 1500, 1000);
        long frame = Frames.Of(disk, 1).Max(static header => header.FrameLength);
        disk.Asked.Clear();
        await using IAsyncEnumerator<LogRecord> follower = store.TailRecordsAsync(new ReadOptions { FromSequence = 1 }).GetAsyncEnumerator();
        for (int i = 0; i < 1500; i++) Assert.True(await follower.MoveNextAsync());
        AreSteps([Least, 2 * Least, 4 * Least, Most], disk.Asked, frame);

        // Everything runs on this thread: it is waiting by now, and goes on inside the commit.
        ValueTask<bool> next = follower.MoveNextAsync();
        Assert.False(next.IsCompleted);
        disk.Asked.Clear();
        Append(store, 1, 1000);
        Assert.True(await next);

        AreSteps([Least], disk.Asked, frame);
    }

    // What was read and not looked at yet is kept: a frame at most that lies across the end of what was read.
    private static void AreSteps(int[] steps, List<int> asked, long frame)
    {
        Assert.True(steps.Length == asked.Count, $"asked for {string.Join(", ", asked)}");
        for (int i = 0; i < steps.Length; i++) Assert.InRange(asked[i], steps[i] - frame, steps[i]);
        Assert.Equal(steps[0], asked[0]);
    }

    private static int Count(LogScan scan)
    {
        int count = 0;
        foreach (ScannedRecord _ in scan) count++;
        return count;
    }

    private static IEnumerable<long> Sequences(long from, long to) => Enumerable.Range(0, (int)(to - from + 1)).Select(i => from + i);

    // What is asked for by each read of a segment that was opened for reading.
    private sealed class AskedDirectory(IStoreDirectory inner) : PassThroughDirectory(inner)
    {
        public List<int> Asked { get; } = [];

        public override IStoreFile OpenRead(string name) => new AskedFile(this, base.OpenRead(name));

        private sealed class AskedFile(AskedDirectory directory, IStoreFile inner) : PassThroughFile(inner)
        {
            public override int Read(Span<byte> destination, long offset)
            {
                if (SegmentFormat.TryParseName(Name, out _)) directory.Asked.Add(destination.Length);
                return base.Read(destination, offset);
            }
        }
    }
}
