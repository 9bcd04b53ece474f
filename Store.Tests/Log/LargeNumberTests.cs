using Store.Serialization;
using Store.Log;
using Store.Recovery;
using Store.Retention;
using Store.Tests.Retention;
using Store.Tests.Shipping;
using Store.Tests.Simulation;

namespace Store.Tests.Log;

/// <summary>Sequences and offsets around 2^31 and 2^32, and at the end of what 64 bits count.</summary>
public class LargeNumberTests
{
    [Theory]
    [InlineData((1L << 31) - 500)]
    [InlineData((1L << 32) - 500)]
    [InlineData(1L << 40)]
    [InlineData(long.MaxValue - 2_000_000)]
    public void ALogGoesOnOverTheLimitsOfSmallerNumbers(long first)
    {
        SimDirectory directory = BeginningAt(first), copy = new();
        using (NinoStore store = Simulated.Open(directory, seed: 2))
        {
            Assert.Equal((first, first - 1), (store.FirstSequence, store.LastSequence));
            Append(store, 3000);
            Check(store, first);
            Simulated.Commit(store);
            LogCursor cursor = store.OpenCursor("reader");
            CursorTests.Commit(cursor, first + 2000);
            Assert.True(store.TruncateBefore(long.MaxValue).FirstSequence <= first + 2001);
            Assert.Equal(first + 2999, Assert.Throws<SequenceConflictException>(() => store.Append(1L, first)).NextSequence - 1);
            store.BackupTo(copy);
        }

        foreach (SimDirectory folder in (SimDirectory[])[directory, copy.KillProcess()])
        {
            using NinoStore store = Simulated.Open(folder, seed: 3);
            Assert.Equal(first + 2999, store.LastSequence);
            Check(store, store.FirstSequence);
            Assert.Equal(first + 2500, store.Read<long>(first + 2500).First().Value);
            Assert.Equal(first + 2999, store.Read<long>(new ReadOptions { NewestFirst = true }).First().Value);
            Assert.Equal(first + 2000, Assert.Single(store.Cursors).Position >= first - 1 ? store.OpenCursor("reader").Position : 0);
            Assert.Equal(store.LastSequence, store.ReadFrames(first + 2500).Last().LastSequence);
            SnapshotInfo snapshot = Shipped.Done(store.CheckpointAsync(new List<long> { 1 }));
            Assert.Equal(first + 2999, snapshot.Sequence);
        }
    }

    [Fact]
    public void AOneFileLogGrowsOverTwoGigabytesAndIsReadBehindThem()
    {
        // Zeros take no memory in this file; what is written of them is counted and checked as ever.
        const int RecordBytes = 64 * 1024 * 1024;
        var file = new SparseDirectory();
        var options = new NinoStoreOptions { Directory = file, RunsInline = true, MaxRecordSizeBytes = RecordBytes + 16, BufferSizeBytes = 256 * 1024 };
        byte[] zeros = new byte[RecordBytes];
        using (NinoStore store = StoreOpener.Open("log.bin", options, mustBeNewFile: true))
        {
            for (int i = 0; i < 34; i++)
            {
                store.AppendRecord(NinoCodec<byte[]>.Default.Schema, zeros);
                store.Append((long)i);
            }

            Simulated.Commit(store);
            for (long i = 34; i < 100; i++) store.Append(i);
            Assert.Equal([.. Enumerable.Range(20, 80).Select(static n => (long)n)], store.Read<long>(fromSequence: 42).Select(static r => r.Value));
            Assert.Equal([99L, 98L, 97L], store.Read<long>(new ReadOptions { NewestFirst = true, FromSequence = 132 }).Select(static r => r.Value));
        }

        Assert.True(file.List().Single(static f => f.Name == "log.bin").LengthBytes > 1L << 31);
        (LogTail tail, RecoveryReport report) = new RecoveryRunner(file, options, "log.bin").Run();
        Assert.True(report.CleanClose);
        Assert.Equal((135L, true), (tail.NextSequence, tail.Offset > 1L << 31));
        using StoreReader reader = StoreReader.Open(file, "log.bin", "log.bin", static _ => false);
        Assert.Equal([97L, 98L, 99L], reader.ReadRecords(new ReadOptions { FromSequence = 132 }).Select(static r => r.As<long>()));
        VerifyReport verified = reader.Verify();
        Assert.Empty(verified.Damage);
        Assert.Equal(134, verified.Records);
    }

    [Theory]
    [InlineData(1L << 31)]
    [InlineData(1L << 32)]
    [InlineData(1L << 40)]
    public void AnIndexKeepsSequencesAndOffsetsBehindTheLimitsOfSmallerNumbers(long limit)
    {
        var builder = new SegmentIndexBuilder();
        long offset = limit - (50 * 40_000), sequence = limit - 50;
        for (int i = 0; i < 100; i++, offset += 40_000, sequence++)
        {
            if (i % 10 == 0) builder.Add(Store.Framing.FrameKind.Schema, offset - 1000, sequence, limit);
            builder.Add(Store.Framing.FrameKind.Records, offset, sequence, limit + i);
        }

        Assert.True(SegmentIndex.TryRead(builder.ToPayload(), offset, out SegmentIndex index));
        Assert.Equal((100, 10), (index.Entries.Length, index.Schemas.Length));
        Assert.Equal(new IndexEntry(limit + 7, limit + 57, limit + (7 * 40_000)), index.FindSequence(limit + 7));
        Assert.Equal(limit + 6, index.FindTime(limit + 57)!.Value.Sequence);
        Assert.Equal(limit + 39_000, index.Schemas[5] + 40_000);
    }

    [Theory]
    [InlineData((1L << 31) - 500)]
    [InlineData((1L << 32) - 500)]
    [InlineData(long.MaxValue - 2_000_000)]
    public void AFollowerGoesOnOverTheLimitsOfSmallerNumbers(long first)
    {
        SimDirectory copy = new();
        using NinoStore source = Simulated.Open(BeginningAt(first), seed: 2);
        Append(source, 300);
        Simulated.Commit(source);
        source.BackupTo(copy);
        Append(source, 2000);
        Simulated.Commit(source);

        using NinoStore follower = Simulated.Open(copy, seed: 3);
        Shipped.Import(follower, Shipped.Shipment(source, follower.LastSequence + 1));
        Assert.Equal(source.LastSequence, follower.LastSequence);
        Check(follower, first);
        Append(source, 700);
        Simulated.Commit(source);
        Shipped.Follow(source, follower);
        Assert.Equal(first + 2999, follower.LastSequence);
        Check(follower, first);
        StoreReader reader = RetentionTests.Look(source.Opened.Directory);
        Assert.Equal(Enumerable.Range(0, 3000).Select(n => first + 2999 - n), reader.ReadRecords(new ReadOptions { NewestFirst = true }).Select(static r => r.As<long>()));
    }

    [Theory]
    [InlineData((1L << 31) - 500)]
    [InlineData((1L << 32) - 500)]
    [InlineData(long.MaxValue - 2_000_000)]
    public async Task TornTailsAndFollowersFromOutsideGoOnOverTheLimitsOfSmallerNumbers(long first)
    {
        SimDirectory live = BeginningAt(first);
        NinoStore store = Simulated.Open(live, seed: 2);
        Append(store, 450);
        Simulated.Commit(store);
        StoreReader reader = RetentionTests.Look(live);
        await using IAsyncEnumerator<LogRecord> follower = reader.TailRecordsAsync(new ReadOptions { FromSequence = first + 400 }).GetAsyncEnumerator();
        long followed = first + 400;
        async Task FollowTo(long last)
        {
            for (; followed <= last; followed++)
            {
                Assert.True(await follower.MoveNextAsync());
                Assert.Equal((followed, followed), (follower.Current.Sequence, follower.Current.As<long>()));
            }
        }

        await FollowTo(first + 449);
        Append(store, 2000);
        Simulated.Commit(store);
        await FollowTo(first + 2449);

        // Not acknowledged, and torn: what is behind the last commit goes, over the limit as before it.
        Append(store, 60);
        store.Opened.Log.Wait(Durability.PageCache);
        SimDirectory torn = live.KillProcess();
        string name = SegmentFormat.Name(RetentionTests.Segments(torn)[^1]);
        byte[] bytes = FileBytes.Of(torn, name);
        bytes[bytes.AsSpan().LastIndexOfAnyExcept((byte)0) - 20] ^= 1;
        FileBytes.Put(torn, name, bytes);
        using (NinoStore opened = Simulated.Open(torn, seed: 3))
        {
            Assert.Equal(StoreDamageKind.TornTail, Assert.Single(opened.Recovery.Damage).Kind);
            Assert.Equal(first + 2449, opened.LastSequence);
            Append(opened, 100);
            Check(opened, first);
            Assert.Equal(Enumerable.Range(0, 2550).Select(n => first + 2549 - n), opened.Read<long>(new ReadOptions { NewestFirst = true }).Select(static r => r.Value));
            Assert.Equal(Enumerable.Range(0, 90).Select(n => first + 499 - n), opened.Read<long>(new ReadOptions { NewestFirst = true, FromSequence = first + 410, ToSequence = first + 499 }).Select(static r => r.Value));
        }

        store.Dispose();
    }

    private static void Append(NinoStore store, int count)
    {
        for (int i = 0; i < count; i++) Assert.Equal(store.LastSequence + 1, store.Append(store.LastSequence + 1));
    }

    private static void Check(NinoStore store, long first)
    {
        long next = first;
        foreach (LogRecord<long> record in store.Read<long>()) Assert.Equal((next, next++), (record.Sequence, record.Value));
        Assert.Equal(store.LastSequence + 1, next);
    }

    // A log whose beginning was removed long ago.
    private static SimDirectory BeginningAt(long sequence)
    {
        var directory = new SimDirectory();
        byte[] bytes = new byte[64 * 1024];
        var header = new SegmentHeader { StoreId = Guid.Parse("00112233-4455-6677-8899-aabbccddeeff"), SegmentId = 77, Number = 5, FirstSequence = sequence, Epoch = 2, CreatedTicks = 638_000_000_000_000_000, PreviousLength = 4096, PreviousLastSequence = sequence - 1, PreviousChecksum = 1 };
        header.Write(bytes);
        FileBytes.Put(directory, SegmentFormat.Name(5), bytes);
        new LogStart(header.StoreId, 5, sequence).Publish(directory, ticks: 638_000_000_000_000_000);
        return directory;
    }
}
