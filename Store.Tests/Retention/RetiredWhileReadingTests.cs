using Store.Log;
using Store.Tests.Log;
using Store.Tests.Simulation;
using static Store.Tests.Retention.RetentionTests;

namespace Store.Tests.Retention;

/// <summary>Retention under readers: a scan, a follower or another process whose records are removed is told so, and sees no wrong record.</summary>
public sealed class RetiredWhileReadingTests
{
    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void ItIsToldThatItsRecordsAreGoneAndNotThatTheyWereLost(bool newestFirst)
    {
        var directory = new SimDirectory();
        using NinoStore writer = Grown(directory, 4);
        using NinoStore reader = Simulated.Open(directory, 2, static o => o with { ReadOnly = true });
        using IEnumerator<LogRecord> records = reader.ReadRecords(new ReadOptions { NewestFirst = newestFirst }).GetEnumerator();
        Assert.True(records.MoveNext());

        long known = Segments(directory)[^1];
        Grow(writer, directory, Segments(directory).Length + 3);
        writer.TruncateBefore(First(directory, known + 2));
        Assert.True(Segments(directory)[0] > known);

        // Backwards there is nothing older any more, which is the end.
        Action readOn = () =>
        {
            while (records.MoveNext())
            {
            }
        };
        if (newestFirst) readOn();
        else Assert.Throws<LogTruncatedException>(readOn);
    }

    [Fact]
    public void AReaderAtWorkEndsItsSegmentAndIsToldWhereTheLogBegins()
    {
        var directory = new SimDirectory();
        using NinoStore store = Grown(directory, segments: 5);
        long second = First(directory, 2);
        using IEnumerator<LogRecord<int>> reader = store.Read<int>().GetEnumerator();
        Assert.True(reader.MoveNext());
        store.TruncateBefore(long.MaxValue);

        long read = 1;
        LogTruncatedException e = Assert.Throws<LogTruncatedException>(() =>
        {
            while (reader.MoveNext()) Assert.Equal(++read, reader.Current.Sequence);
        });

        Assert.Equal(second - 1, read);
        Assert.Equal(store.FirstSequence, e.FirstSequence);
        Assert.Equal(store.LastSequence - store.FirstSequence + 1, store.Read<int>().Count());
    }

    [Fact]
    public void AReadThatRetentionOvertookRightUpToItsLastRecordIsToldAndNotEmpty()
    {
        var directory = new SimDirectory();
        using NinoStore store = Grown(directory, segments: 4);
        using NinoStore resting = Simulated.Open(directory, seed: 2, o => o with { ReadOnly = true });
        ILogFiles files = store.Opened.Files;
        LogSpan before = files.Span(durableOnly: false);
        // Fits no segment that has something in it, so the next one begins with it.
        store.AppendBatch<int>(new int[40_000]);
        Simulated.Commit(store);

        store.TruncateBefore(long.MaxValue);

        Assert.Equal(before.LastSequence + 1, store.FirstSequence);
        using var forward = new RecordScan(files, ReadOptions.All, before);
        Assert.Equal(store.FirstSequence, Assert.Throws<LogTruncatedException>(() => forward.NextFrame()).FirstSequence);
        Assert.Equal(store.FirstSequence, Assert.Throws<LogTruncatedException>(() => new ReverseScan(files, new ReadOptions { NewestFirst = true }, before).Records().Count()).FirstSequence);
        Assert.Equal(store.FirstSequence, Assert.Throws<LogTruncatedException>(() => resting.ReadRecords().Count()).FirstSequence);
        Assert.Equal(40_000, store.Read<int>().Count());
    }

    /// <summary>It waits behind the log's end, and is held up when records come: also one that takes the first record there is has begun by then. Whether it knows of the records already when they are removed, or not.</summary>
    [Theory]
    [InlineData(0, true, false)]
    [InlineData(3, true, false)]
    [InlineData(3, true, true)]
    [InlineData(0, false, false)]
    [InlineData(3, false, false)]
    [InlineData(3, false, true)]
    public void AFollowerIsToldWhatWasRemovedBeforeItLooked(int segments, bool mustReachBack, bool knows)
    {
        var directory = new SimDirectory();
        using NinoStore store = Grown(directory, segments);
        LogSpan before = store.Opened.Files.Span(durableOnly: false);
        using var waiting = new RecordScan(store.Opened.Files, new ReadOptions { FromSequence = before.LastSequence + 1 }, before, mustReachBack);
        Assert.False(waiting.NextFrame());
        Grow(store, directory, segments: 5);
        if (knows) waiting.Extend(store.Opened.Files.Span(durableOnly: false));
        store.TruncateBefore(long.MaxValue);
        Assert.True(store.FirstSequence > before.LastSequence + 1);

        LogTruncatedException e = Assert.Throws<LogTruncatedException>(() =>
        {
            if (!knows) waiting.Extend(store.Opened.Files.Span(durableOnly: false));
            waiting.NextFrame();
        });
        Assert.Equal(store.FirstSequence, e.FirstSequence);
    }

    /// <summary>It waits for the first record of a log whose earlier ones are removed: it has begun, although nothing was there.</summary>
    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void AFollowerThatWaitsInATruncatedLogWithoutRecordsIsToldWhatComesAndGoesMeanwhile(bool knows)
    {
        var directory = new SimDirectory();
        using NinoStore store = Grown(directory, segments: 3);
        using RecordScan waiting = WaitingInATruncatedLogWithoutRecords(store, out long before);
        Grow(store, directory, segments: 5);
        if (knows) waiting.Extend(store.Opened.Files.Span(durableOnly: false));
        store.TruncateBefore(long.MaxValue);
        Assert.True(store.FirstSequence > before + 1);

        LogTruncatedException e = Assert.Throws<LogTruncatedException>(() =>
        {
            if (!knows) waiting.Extend(store.Opened.Files.Span(durableOnly: false));
            waiting.NextFrame();
        });
        Assert.Equal(store.FirstSequence, e.FirstSequence);
    }

    /// <summary>Nothing was removed that it waits for.</summary>
    [Fact]
    public void AFollowerThatWaitsInATruncatedLogWithoutRecordsReadsWhatComes()
    {
        var directory = new SimDirectory();
        using NinoStore store = Grown(directory, segments: 3);
        using RecordScan waiting = WaitingInATruncatedLogWithoutRecords(store, out long before);

        waiting.Extend(store.Opened.Files.Span(durableOnly: false));
        Assert.True(waiting.NextFrame());
        Assert.Equal(before + 1, waiting.Scanner.Frame.FirstSequence);
    }

    /// <summary>What is removed before the record that it waits for is nothing to it.</summary>
    [Fact]
    public void AFollowerThatBeginsFarBehindTheLogsEndMissesNothing()
    {
        var directory = new SimDirectory();
        using NinoStore store = Grown(directory, segments: 3);
        LogSpan before = store.Opened.Files.Span(durableOnly: false);
        using var waiting = new RecordScan(store.Opened.Files, new ReadOptions { FromSequence = before.LastSequence + 100_000 }, before);
        Assert.False(waiting.NextFrame());
        while (store.LastSequence < before.LastSequence + 100_000) store.AppendBatch<int>(new int[20_000]);
        Simulated.Commit(store);
        store.TruncateBefore(long.MaxValue);
        Assert.True(store.FirstSequence > before.LastSequence + 1);

        waiting.Extend(store.Opened.Files.Span(durableOnly: false));
        Assert.True(waiting.NextFrame());
        Assert.True(waiting.Scanner.Frame.LastSequence >= before.LastSequence + 100_000);
    }

    [Fact]
    public void AReaderOfAnotherProcessIsToldToo()
    {
        var directory = new SimDirectory();
        using NinoStore store = Grown(directory, segments: 5);
        StoreReader reader = Look(directory);
        store.TruncateBefore(long.MaxValue);

        Assert.Equal(store.FirstSequence, Assert.Throws<LogTruncatedException>(() => reader.ReadRecords().Count()).FirstSequence);
        Assert.False(reader.Verify().IsCorrupt);
        StoreReader again = Look(directory);
        Assert.Empty(again.Verify().Damage);
        Assert.Equal(store.FirstSequence, again.ReadRecords().First().Sequence);
    }

    [Fact]
    public void ReadersUnderATruncatingWriterSeeNoWrongRecordAndNoCrash()
    {
        using var folder = new TemporaryFolder();
        using NinoStore store = NinoStore.Open(folder["store"], new NinoStoreOptions { FirstSegmentSizeBytes = 64 * 1024, SegmentSizeBytes = 64 * 1024, Retention = new RetentionPolicy { MaxBytes = 256 * 1024 } });
        using var stop = new CancellationTokenSource();
        long scanned = 0, read = 0;
        Thread[] readers = [.. Enumerable.Range(0, 2).Select(i => new Thread(() => Read(scanning: i == 0)))];
        Exception? failure = null;
        foreach (Thread reader in readers) reader.Start();

        // And on until retention, which has a thread of the pool, has had its turn, and both readers have had theirs.
        long until = Environment.TickCount64 + 60_000;
        for (int i = 1; failure is null && (i <= 200_000 || ((store.FirstSequence == 1 || Interlocked.Read(ref scanned) == 0 || Interlocked.Read(ref read) == 0) && Environment.TickCount64 < until)); i++)
        {
            store.Append((long)i);
            if (i % 2000 == 0) store.Commit();
        }

        stop.Cancel();
        foreach (Thread reader in readers) reader.Join();
        Assert.Null(failure);
        Assert.True(store.FirstSequence > 1);
        Assert.True(scanned > 0 && read > 0, $"{scanned} records were scanned and {read} read");

        void Read(bool scanning)
        {
            try
            {
                while (!stop.IsCancellationRequested)
                {
                    try
                    {
                        long next = 0;
                        if (scanning)
                        {
                            foreach (ScannedRecord record in store.Scan())
                            {
                                if (record.As<long>() != record.Sequence || (next != 0 && next != record.Sequence)) throw new InvalidOperationException($"record {record.Sequence} is wrong");
                                next = record.Sequence + 1;
                                Interlocked.Increment(ref scanned);
                            }
                        }
                        else
                        {
                            foreach (LogRecord<long> record in store.Read<long>())
                            {
                                if (record.Value != record.Sequence || (next != 0 && next != record.Sequence)) throw new InvalidOperationException($"record {record.Sequence} is wrong");
                                next = record.Sequence + 1;
                                Interlocked.Increment(ref read);
                            }
                        }
                    }
                    catch (LogTruncatedException)
                    {
                        // The writer was faster; the next pass begins where the log begins now.
                    }
                }
            }
            catch (Exception e)
            {
                failure = e;
            }
        }
    }

    /// <summary>Its earlier segments are gone, and it looks as when the next one had been begun and nothing flushed to it. What comes begins behind <paramref name="before"/>.</summary>
    private static RecordScan WaitingInATruncatedLogWithoutRecords(NinoStore store, out long before)
    {
        before = store.LastSequence;
        // Fits no segment that has something in it, so the next one begins with it.
        store.AppendBatch<int>(new int[40_000]);
        Simulated.Commit(store);
        store.TruncateBefore(long.MaxValue);
        Assert.Equal(before + 1, store.FirstSequence);
        var waiting = new RecordScan(store.Opened.Files, ReadOptions.All, new LogSpan(store.Opened.Files.Segments, before));
        Assert.False(waiting.NextFrame());
        return waiting;
    }
}
