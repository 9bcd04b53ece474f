// What reading keeps in memory, whatever a frame holds or says that it holds.

using Store.Framing;
using Store.IO;
using Store.Log;
using Store.Tests.Log;
using Store.Tests.Retention;
using Store.Tests.Simulation;

namespace Store.Tests.Reading;

public class BoundedReadingTests
{
    private const int Records = 530_000;

    // One frame of very many records of two bytes each: more than twice as many as are held at a time.
    private static NinoStore OneFrame(SimDirectory directory)
    {
        NinoStore store = Simulated.Open(directory, change: static o => o with { BufferSizeBytes = 16 * 1024 * 1024 });
        store.Append("before");
        store.AppendBatch<bool>(new bool[Records]);
        store.Append("behind");
        Simulated.Commit(store);
        return store;
    }

    [Fact]
    public void NewestFirstHoldsABoundedNumberOfRecordsAndReturnsThemAll()
    {
        Assert.True(Records > 2 * ReverseStretch.MaxRecords);
        var directory = new SimDirectory();
        using NinoStore store = OneFrame(directory);
        StoreReader reader = RetentionTests.Look(directory);
        var newest = new ReadOptions { NewestFirst = true };
        foreach (Func<ReadOptions, IEnumerable<LogRecord>> read in new Func<ReadOptions, IEnumerable<LogRecord>>[] { store.ReadRecords, range => reader.ReadRecords(range) })
        {
            // Places of 32 bytes in a list that doubles, the bytes of the records in a buffer that does, and what reading a frame of 1.4 MB takes.
            Assert.InRange(Allocated.Least(() => IsComplete(read(newest), Records + 2, 1), runs: 1), 0, 40_000_000);
            IsComplete(read(newest with { FromSequence = 200_000, ToSequence = 500_000 }), 500_000, 200_000);
        }

        static void IsComplete(IEnumerable<LogRecord> records, long from, long to)
        {
            long next = from;
            foreach (LogRecord record in records)
            {
                if (record.Sequence != next--) Assert.Fail($"{record.Sequence} where {next + 1} was due");
            }

            Assert.Equal(to - 1, next);
        }
    }

    [Fact]
    public async Task AFollowerFromOutsideHoldsNoListOfAFramesRecords()
    {
        var directory = new SimDirectory();
        using NinoStore store = OneFrame(directory);
        long next = 1, atFirst = 0, most = 0;
        await foreach (LogRecord record in RetentionTests.Look(directory).TailRecordsAsync(new ReadOptions { ToSequence = Records + 2 }))
        {
            if (record.Sequence != next++) Assert.Fail($"{record.Sequence} where {next - 1} was due");

            // Inside the frame everything happens on one thread.
            if (record.Sequence == 2) atFirst = GC.GetAllocatedBytesForCurrentThread();
            if (record.Sequence == Records + 1) most = GC.GetAllocatedBytesForCurrentThread() - atFirst;
        }

        Assert.Equal(Records + 3, next);

        // A list would have taken some MB. A collection that another test causes gives up what is left of the thread's piece of the heap, which counts as allocated.
        Assert.InRange(most, 0, 1_000_000);
    }

    [Fact]
    public void AFrameLargerThanAnyThatIsWrittenIsNotTakenIntoMemory()
    {
        var header = new SegmentHeader { StoreId = Guid.NewGuid(), SegmentId = 5, Number = 1, FirstSequence = 1, Epoch = 1, CreatedTicks = 1 };
        foreach (int length in new[] { NinoStore.MaxBatchBytes + FrameBuilder.LongestPrefix + 1, 300_000_000, int.MaxValue - 100 })
        {
            using IStoreFile file = new SparseDirectory().Create("forged");
            byte[] bytes = new byte[FrameFormat.HeaderSize];
            new FrameHeader { Kind = FrameKind.Records, SchemaId = 1, RecordCount = length, PayloadLength = length, PayloadChecksum = 0, FirstSequence = 1, TimeTicks = 1, SyncedThrough = 0 }.Write(bytes, header.SegmentId, SegmentFormat.HeaderSize);
            file.Write(bytes, SegmentFormat.HeaderSize);
            file.Write([0], SegmentFormat.HeaderSize + FrameFormat.SizeOf(length));
            long before = GC.GetAllocatedBytesForCurrentThread();

            using var scanner = new SegmentScanner(file, header);

            Assert.Equal(FrameReadStatus.BadPayload, scanner.Next());
            Assert.Contains("larger than any", scanner.Problem, StringComparison.Ordinal);
            Assert.InRange(GC.GetAllocatedBytesForCurrentThread() - before, 0, 1_000_000);
        }
    }
}
