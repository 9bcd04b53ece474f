// What does a log of many segments cost where another one is begun, where it is opened, and where it is read backwards? What the newest segment costs, and of the others a look at each at opening.

using Store.Reading;
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

    /// <summary>Each file is opened once and read once; and to find what is known of one, not all of them are gone through.</summary>
    [Fact]
    public void VerifyingLooksAtEachSegmentOnce()
    {
        (VerifyCost few, VerifyCost some, VerifyCost many) = (CostOf(20), CostOf(40), CostOf(60));
        Assert.Equal((some.Opens - few.Opens, some.Looks - few.Looks), (many.Opens - some.Opens, many.Looks - some.Looks));
        Assert.Equal((20, 0, 40), (many.Opens - some.Opens, many.Lists, many.Looks - some.Looks));
        Assert.InRange(many.BytesRead, many.LengthBytes, many.LengthBytes + (60 * 8 * 1024));

        static VerifyCost CostOf(int segments)
        {
            var directory = new SimDirectory();
            using (NinoStore store = Simulated.Open(directory, change: static o => o with { FirstSegmentSizeBytes = SegmentBytes, SegmentSizeBytes = SegmentBytes })) Roll(store, segments);
            var counting = new CountingDirectory(directory);
            using StoreReader reader = StoreReader.Open(counting, "sim", null, static _ => false);
            var files = new CountingList<StoreFile>(reader.Files);
            (long opens, long lists, long read) = (counting.OpensForReading, counting.Lists, counting.BytesRead);
            VerifyReport report = new StoreVerifier(reader, files, null, CancellationToken.None).Run();
            Assert.Empty(report.Damage);
            Assert.True(report.Files.Count > segments);
            return new VerifyCost(counting.OpensForReading - opens, counting.Lists - lists, counting.BytesRead - read, files.Looks, reader.LengthBytes);
        }
    }

    private sealed record VerifyCost(long Opens, long Lists, long BytesRead, long Looks, long LengthBytes);

    /// <summary>Counts the items that it hands out.</summary>
    private sealed class CountingList<T>(IReadOnlyList<T> inner) : IReadOnlyList<T>
    {
        public long Looks { get; private set; }

        public int Count => inner.Count;

        public T this[int index]
        {
            get
            {
                Looks++;
                return inner[index];
            }
        }

        public IEnumerator<T> GetEnumerator()
        {
            for (int i = 0; i < inner.Count; i++) yield return this[i];
        }

        System.Collections.IEnumerator System.Collections.IEnumerable.GetEnumerator() => GetEnumerator();
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
                foreach (LogRecord _ in reader.ReadRecords(newest)) seen++;
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
