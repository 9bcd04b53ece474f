// What does a log of many segments cost where another one is begun, where it is opened, and where it is read backwards? What the newest segment costs, and of the others a look at each at opening.

using Store.Serialization;
using Store.Tests.Retention;
using Store.Tests.Simulation;
using Store.Tests.Values;

namespace Store.Tests.Log;

public class ManySegmentsTests
{
    private const int SegmentBytes = 64 * 1024;

    [Fact]
    public void BeginningASegmentListsNoFolderWhereThePolicyRemovesNothing()
    {
        var counting = new CountingDirectory(new SimDirectory());
        using NinoStore store = Simulated.Open(counting, change: static o => o with { FirstSegmentSizeBytes = SegmentBytes, SegmentSizeBytes = SegmentBytes, Retention = new RetentionPolicy { MaxRecords = 10_000_000, MaxAge = TimeSpan.FromDays(1000) } });
        Roll(store, 3);

        long before = counting.Lists;
        Roll(store, 50);

        Assert.Equal(before, counting.Lists);
        Assert.True(store.Opened.Log.Segments.Length > 50);
    }

    // Also where a cursor holds what the policy would remove otherwise, and twice the same is said of it.
    [Fact]
    public void WhatHoldsTheLogIsNamedWhereSomethingWouldGoAndOnlyThere()
    {
        using NinoStore store = Simulated.Open(new SimDirectory(), change: static o => o with { FirstSegmentSizeBytes = SegmentBytes, SegmentSizeBytes = SegmentBytes });
        Roll(store, 5);
        store.OpenCursor("slow");
        long inTheFirst = store.Opened.Log.Segments[1].FirstSequence - 2;
        Assert.All(Enumerable.Range(0, 3), _ => Assert.Null(store.ApplyRetention(new RetentionPolicy { MaxRecords = store.LastSequence - inTheFirst + 1 }).HeldBy));
        Assert.All(Enumerable.Range(0, 3), _ => Assert.Contains("slow", store.ApplyRetention(new RetentionPolicy { MaxRecords = 10 }).HeldBy, StringComparison.Ordinal));
        Assert.Equal(1, store.FirstSequence);
    }

    [Fact]
    public void ThePolicyStillRemovesWhatIsTooMuchAndWhatCouldNotBeRemovedBefore()
    {
        var directory = new SimDirectory();
        var faulty = new FaultDirectory(directory, seed: 1);
        using NinoStore store = Simulated.Open(faulty, change: static o => o with { FirstSegmentSizeBytes = SegmentBytes, SegmentSizeBytes = SegmentBytes, Retention = new RetentionPolicy { MaxRecords = 40_000 } });
        Roll(store, 20);
        long kept = store.FirstSequence;
        Assert.InRange(store.LastSequence - kept + 1, 40_000, 60_000);

        faulty.Fault = new Fault(1, FaultKind.IoError, Strikes: static operation => operation is IoOperation.Delete);
        Roll(store, 2);
        Assert.True(faulty.Failures > 0);
        Assert.True(store.FirstSequence > kept);
        Roll(store, 2);

        // Files and segments are the same again.
        Assert.Equal(store.Opened.Log.Segments.Select(static s => s.Number), RetentionTests.Segments(directory));
    }

    [Fact]
    public void OpeningLooksAtEachSegmentOnce()
    {
        Assert.Equal(40, OpensOf(60) - OpensOf(20));

        static long OpensOf(int segments)
        {
            var directory = new SimDirectory();
            using (NinoStore store = Simulated.Open(directory, change: static o => o with { FirstSegmentSizeBytes = SegmentBytes, SegmentSizeBytes = SegmentBytes })) Roll(store, segments);
            var counting = new CountingDirectory(directory);
            using NinoStore again = Simulated.Open(counting, seed: 2);
            return counting.OpensForReading;
        }
    }

    [Fact]
    public void AgesOfSegmentsAreNotedOnceForEach()
    {
        var clock = new CountingClock();
        using NinoStore store = Simulated.Open(new SimDirectory(), change: o => o with { FirstSegmentSizeBytes = SegmentBytes, SegmentSizeBytes = SegmentBytes, TimeProvider = clock });
        Roll(store, 100);
        long before = clock.Timestamps;

        Roll(store, 100);

        Assert.InRange(clock.Timestamps - before, 100, 400);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void ReadingBackwardsReadsASchemaOnceHoweverManyThereAre(bool fromOutside)
    {
        (long one, long many) = (ReadsOf(1), ReadsOf(40));
        Assert.InRange(many, one, one + 40 + 60);

        long ReadsOf(int types)
        {
            var directory = new SimDirectory();
            using NinoStore store = Simulated.Open(directory, change: static o => o with { FirstSegmentSizeBytes = 4 * 1024 * 1024, SegmentSizeBytes = 4 * 1024 * 1024, BufferSizeBytes = 16 * 1024 * 1024 });
            NinoSchema[] schemas = [.. Enumerable.Range(0, types).Select(static i => NinoSchema.Create(Shapes.Class($"T{i}", ("N", Shapes.Of(SchemaKind.Int32)))))];
            byte[] record = new byte[1000];
            for (int i = 0; i < 3000; i++) store.AppendRecord(schemas[i % types], record);
            store.Commit();
            store.AppendBatch<byte[]>([.. Enumerable.Range(0, 1200).Select(static _ => new byte[1000])]);
            store.Commit();
            var counting = new CountingDirectory(directory);
            var newest = new ReadOptions { NewestFirst = true };
            long seen = 0;
            if (fromOutside)
            {
                // Not disposed, as in ReaderStores: it would close the folder under the store.
                StoreReader reader = StoreReader.Open(counting, "sim", null, static _ => false);
                foreach (LogRecord _ in reader.Records(newest)) seen++;
            }
            else
            {
                store.Dispose();
                using NinoStore again = Simulated.Open(counting, seed: 2);
                long before = counting.Reads;
                foreach (LogRecord _ in again.ReadRecords(newest)) seen++;
                Assert.Equal(4200, seen);
                return counting.Reads - before;
            }

            Assert.Equal(4200, seen);
            return counting.Reads;
        }
    }

    [Fact]
    public void TheNewestRecordBeforeATimeIsFoundWithoutOpeningWhatIsNewer()
    {
        var directory = new SimDirectory();
        DateTimeOffset early;
        using (NinoStore store = Simulated.Open(directory, change: static o => o with { FirstSegmentSizeBytes = SegmentBytes, SegmentSizeBytes = SegmentBytes }))
        {
            Roll(store, 3);
            early = store.ReadRecords(store.LastSequence).Single().Timestamp;
            Roll(store, 40);
        }

        var counting = new CountingDirectory(directory);
        using NinoStore again = Simulated.Open(counting, seed: 2);
        long before = counting.OpensForReading;
        LogRecord found = again.ReadRecords(new ReadOptions { NewestFirst = true, ToTime = early }).First();
        Assert.InRange(counting.OpensForReading - before, 1, 2);
        Assert.Equal(early, found.Timestamp);
        Assert.True(again.ReadRecords(found.Sequence + 1).First().Timestamp > early);
    }

    private static void Roll(NinoStore store, int segments)
    {
        long last = store.Opened.Log.Segments[^1].Number + segments;
        while (store.Opened.Log.Segments[^1].Number < last)
        {
            store.AppendBatch<int>([.. Enumerable.Range(0, 6000)]);
            store.Commit();
        }
    }

    private sealed class CountingClock : TimeProvider
    {
        private long _timestamps;

        public long Timestamps => Interlocked.Read(ref _timestamps);

        public override long GetTimestamp()
        {
            Interlocked.Increment(ref _timestamps);
            return base.GetTimestamp();
        }
    }
}
