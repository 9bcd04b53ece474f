using System.Collections;
using Microsoft.Extensions.Logging.Abstractions;
using Store.Buffers;
using Store.Framing;
using Store.IO;
using Store.Log;
using Store.Serialization;
using Store.Tests.Simulation;

namespace Store.Tests.Log;

/// <summary>Failures in unlucky places: in the middle of a batch, at the limits, in the middle of a read.</summary>
public class FailureTests
{
    [Fact]
    public async Task EveryRecordBeforeTheDamageIsReturned()
    {
        var directory = new SimDirectory();
        using (NinoStore store = Simulated.Open(directory))
        {
            for (int i = 1; i <= 5_000; i++) store.Append(i);
        }

        // The middle of a sealed segment: opening does not read it.
        string name = SegmentFormat.Name(2);
        byte[] bytes = FileBytes.Of(directory, name);
        int at = bytes.Length - 3000;
        long before = Frames.WithPlaces(directory, 2).Single(frame => frame.Offset <= at && at < frame.End).Header.FirstSequence - 1;
        bytes[at] ^= 1;
        FileBytes.Put(directory, name, bytes);
        await using NinoStore damaged = Simulated.Open(directory, seed: 2);

        List<int> read = [], readAsync = [];
        Assert.Throws<StoreCorruptException>(() =>
        {
            foreach (LogRecord<int> record in damaged.Read<int>()) read.Add(record.Value);
        });
        await Assert.ThrowsAsync<StoreCorruptException>(async () =>
        {
            await foreach (LogRecord<int> record in damaged.ReadAsync<int>()) readAsync.Add(record.Value);
        });

        Assert.NotEqual(0, read.Count % 256);
        Assert.Equal(Enumerable.Range(1, (int)before), read);
        Assert.Equal(read, readAsync);
    }

    /// <summary>It may have been told what the next sync of that file is not told again: so none follows, and nothing behind it is acknowledged.</summary>
    [Theory]
    [InlineData(nameof(FaultKind.IoError))]
    [InlineData(nameof(FaultKind.NoSpace))]
    public void AFailedWritebackIsFinalAsAFailedSyncIs(string kind)
    {
        var disk = new SimDirectory();
        var faulty = new FaultDirectory(disk);
        NinoStore store = Simulated.Open(faulty, change: static o => o with { FirstSegmentSizeBytes = 32 << 20, SegmentSizeBytes = 32 << 20 });
        byte[] record = new byte[1 << 20];
        store.Append(record);
        store.Commit();
        int before = faulty.Trace.Calls.Length;
        faulty.Fault = new Fault(1, Enum.Parse<FaultKind>(kind), Strikes: static operation => operation is IoOperation.StartWriteback);

        Assert.Throws<StoreFailedException>(() =>
        {
            for (int i = 0; i < 16; i++) store.Append(record);
            store.Commit();
        });
        Assert.Equal(1, faulty.Failures);
        Assert.Throws<StoreFailedException>(store.Commit);
        Record.Exception(store.Dispose);
        Assert.DoesNotContain(faulty.Trace.Calls.Skip(before), static call => call.Operation is IoOperation.SyncData && call.File == SegmentFormat.Name(1));

        using NinoStore reopened = Simulated.Open(disk, seed: 2);
        Assert.InRange(reopened.LastSequence, 1, 17);
        Assert.All(reopened.Read<byte[]>(), static one => Assert.Equal(1 << 20, one.Value.Length));
    }

    [Fact]
    public void ABackupOfWhichAWritebackFailsIsRefusedAndTheNextOneIsWhole()
    {
        using NinoStore store = Simulated.Open(new SimDirectory(), change: static o => o with { FirstSegmentSizeBytes = 4 << 20, SegmentSizeBytes = 4 << 20 });
        for (int i = 0; i < 12; i++) store.Append(new byte[1 << 20]);
        store.Commit();
        using var copy = new SimDirectory();
        var faulty = new FaultDirectory(copy) { Fault = new Fault(3, FaultKind.IoError, Strikes: static operation => operation is IoOperation.StartWriteback) };
        Assert.Throws<InjectedFault>(() => { store.BackupTo(faulty); });
        Assert.Equal(1, faulty.Failures);

        faulty.Fault = null;
        store.BackupTo(faulty);
        using NinoStore restored = Simulated.Open(copy.KillProcess(), seed: 2);
        Assert.Equal(12, restored.Read<byte[]>().Count(static one => one.Value.Length == 1 << 20));
    }

    [Fact]
    public async Task ReadingAheadIsBoundedByBytesToo()
    {
        var faulty = new FaultDirectory(new SimDirectory());
        // One segment: the last one is read by calls that can be counted, sealed ones are mapped.
        await using NinoStore store = Simulated.Open(faulty, change: o => o with { FirstSegmentSizeBytes = 24 << 20, SegmentSizeBytes = 24 << 20 });
        for (int i = 0; i < 40; i++) store.Append(new string('x', 500_000));
        store.Commit();
        int before = faulty.Trace.Calls.Length;

        await using IAsyncEnumerator<LogRecord<string>> records = store.ReadAsync<string>().GetAsyncEnumerator();
        Assert.True(await records.MoveNextAsync());

        Assert.InRange(faulty.Trace.Calls.Skip(before).Where(static c => c.Operation == IoOperation.Read).Sum(static c => c.LengthBytes), 500_000, 5_000_000);
        int count = 1;
        while (await records.MoveNextAsync()) count++;
        Assert.Equal(40, count);
    }

    [Fact]
    public void ABatchThatThrowsInTheMiddleAppendsNothing()
    {
        var directory = new SimDirectory();
        using NinoStore store = Simulated.Open(directory);
        store.Append("kept");

        Assert.Throws<NotSupportedException>(() => store.AppendBatch(new Throwing(["a", "b", "c"])));
        Assert.Equal(1, store.LastSequence);
        Assert.Equal(2, store.AppendBatch<string>(["d", "e"]));

        Assert.Equal(["kept", "d", "e"], store.Read<string>().Select(static r => r.Value));
    }

    [Fact]
    public void AnAppendInTheMiddleOfABatchHasABufferOfItsOwn()
    {
        using NinoStore store = Simulated.Open(new SimDirectory());

        Assert.Equal(2, store.AppendBatch(new Throwing(["a", "b"], before: i => { if (i == 1) store.Append("nested"); }, count: 2)));

        Assert.Equal(["nested", "a", "b"], store.Read<string>().Select(static r => r.Value));
    }

    [Fact]
    public void ABufferTakesNoMoreThanItsLimit()
    {
        const int Limit = 100_000;
        RecordBuffer buffer = RecordBuffer.Rent(Limit, "batch");
        try
        {
            Write(buffer, Limit);
            Assert.Equal(Limit, buffer.WrittenWithinLimit.Length);

            Write(buffer, 1);
            Assert.Throws<RecordTooLargeException>(() => buffer.WrittenWithinLimit.Length);
            // A buffer that was used before may have more room than the limit, of 1 MiB at most.
            Assert.Throws<RecordTooLargeException>(() => Write(buffer, 2_000_000));
        }
        finally
        {
            buffer.Return();
        }
    }

    [Fact]
    public void AReadThatFailedOnceIsReadAgainAndIsNoDamage()
    {
        var faulty = new FaultDirectory(new SimDirectory());
        using (NinoStore store = Simulated.Open(faulty, change: static o => o with { FirstSegmentSizeBytes = 4 << 20, SegmentSizeBytes = 4 << 20 }))
        {
            for (int i = 0; i < 1_000; i++) store.Append(new string('x', 1_000));
        }

        int failed = 0;
        for (long at = 1; ; at++)
        {
            faulty.Fault = new Fault(at, FaultKind.IoError, Strikes: static operation => operation is IoOperation.Read);
            using IStoreFile file = faulty.OpenRead(SegmentFormat.Name(1));
            if (at == 1) Assert.Throws<InjectedFault>(() => SegmentHeader.TryRead(file, out _));
            Assert.Equal(SegmentHeaderStatus.Valid, SegmentHeader.TryRead(file, out SegmentHeader header));
            using var scanner = new SegmentScanner(file, header);
            int records = 0;
            while (true)
            {
                FrameReadStatus status;
                try
                {
                    status = scanner.Next();
                }
                catch (InjectedFault)
                {
                    continue;
                }

                if (status != FrameReadStatus.Frame) break;
                records += scanner.Frame.RecordCount;
            }

            Assert.Null(scanner.Problem);
            Assert.Equal(1_000, records);
            if (faulty.Failures == 0) break;
            failed++;
        }

        Assert.True(failed > 4, $"{failed} reads");
    }

    private static void Write(RecordBuffer buffer, int bytes)
    {
        for (; bytes > 0; bytes -= 1000)
        {
            int part = Math.Min(bytes, 1000);
            buffer.GetSpan(part)[..part].Fill(1);
            buffer.Advance(part);
        }
    }

    [Fact]
    public void WhoAsksForTheSegmentsGetsNoCopy()
    {
        var directory = new SimDirectory();
        using var log = new AppendLog(directory, Simulated.Options(directory), new LogTail { StoreId = Guid.NewGuid(), Segments = [], NextSequence = 1, Writer = 1 }, null, NullLogger.Instance);
        SegmentHeader[] first = log.Segments;
        Assert.Same(first, log.Span(durableOnly: true).Segments);
        for (int i = 0; i < 20; i++) log.Append(NinoSerializer.SchemaOf<byte[]>(), new byte[1000]);

        // What was given away says what was there then.
        Assert.Single(first);
        Assert.Equal(Enumerable.Range(1, log.Segments.Length), log.Segments.Select(static s => (int)s.Number));
        Assert.True(log.Segments.Length > 2);
        SegmentHeader[] all = log.Segments;
        log.Forget(2);
        Assert.Equal((1, 2), (all[0].Number, log.Segments[0].Number));
    }

    private sealed class Throwing(string[] values, Action<int>? before = null, int count = 4) : IReadOnlyList<string>
    {
        public int Count => count;

        public string this[int index]
        {
            get
            {
                before?.Invoke(index);
                return index < values.Length ? values[index] : throw new NotSupportedException("as asked");
            }
        }

        public IEnumerator<string> GetEnumerator() => throw new NotSupportedException();

        IEnumerator IEnumerable.GetEnumerator() => GetEnumerator();
    }
}
