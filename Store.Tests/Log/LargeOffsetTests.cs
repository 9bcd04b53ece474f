using Microsoft.Extensions.Logging.Abstractions;
using Store.Framing;
using Store.IO;
using Store.Log;
using Store.Reading;
using Store.Recovery;
using Store.Serialization;
using Store.Tests.Reading;
using Store.Tests.Simulation;

namespace Store.Tests.Log;

/// <summary>A log of more than 2^31 bytes whose process was killed: torn tails, followers and newest-first readings behind the limit of an int.</summary>
public sealed class LargeOffsetTests(LargeOffsetTests.LargeLog log) : IClassFixture<LargeOffsetTests.LargeLog>
{
    private const string Name = "log.bin";
    private const long Limit = 1L << 31;

    /// <summary>Written once: 34 records of 64 MiB of zeros, which take no memory here, and behind them the numbers 1 to 100, each of which is its sequence less 34.</summary>
    public sealed class LargeLog : IDisposable
    {
        private const int RecordBytes = 64 * 1024 * 1024;

        public LargeLog()
        {
            var file = new SparseDirectory();
            byte[] zeros = new byte[RecordBytes];
            Live = StoreOpener.Open(Name, Options(file), mustBeNewFile: true);
            for (int i = 0; i < Big; i++) Live.AppendRecord(NinoCodec<byte[]>.Default.Schema, zeros);
            for (long i = 1; i <= Numbers; i++)
            {
                Live.Append(i);
                if (i % 10 == 0) Live.Commit();
            }

            Files = file;
            Killed = file.KillProcess();
        }

        public static int Big => 34;

        public static int Numbers => 100;

        public static long Last => Big + Numbers;

        /// <summary>The open store; records may be appended behind the last.</summary>
        internal NinoStore Live { get; }

        /// <summary>Its files.</summary>
        internal SparseDirectory Files { get; }

        /// <summary>What its process left, had it been killed then; to be copied by whoever changes it.</summary>
        internal SparseDirectory Killed { get; }

        public void Dispose() => Live.Dispose();

        internal static NinoStoreOptions Options(SparseDirectory directory) => new() { Directory = directory, RunsInline = true, MaxRecordSizeBytes = RecordBytes + 16, BufferSizeBytes = 256 * 1024 };
    }

    private static (LogTail Tail, RecoveryReport Report) Recover(SparseDirectory directory) => new RecoveryRunner(directory, LargeLog.Options(directory), Name).Run();

    private static SegmentHeader HeaderOf(SparseDirectory directory)
    {
        using IStoreFile file = directory.OpenRead(Name);
        Assert.Equal(SegmentHeaderStatus.Valid, SegmentHeader.TryRead(file, out SegmentHeader header));
        return header;
    }

    // The frame with a record: where it is, and how long.
    private static (long Offset, FrameHeader Frame) FrameOf(SparseDirectory directory, long sequence)
    {
        using IStoreFile file = directory.OpenRead(Name);
        using var scanner = new SegmentScanner(file, HeaderOf(directory));
        while (scanner.Next() == FrameReadStatus.Frame)
        {
            if (scanner.Frame.Kind == FrameKind.Records && scanner.NextSequence > sequence) return (scanner.FrameOffset, scanner.Frame);
        }

        throw new InvalidOperationException($"no frame has record {sequence}");
    }

    private static void Damage(SparseDirectory directory, long offset)
    {
        using IStoreFile file = directory.OpenWrite(Name);
        byte[] one = new byte[1];
        Assert.Equal(1, file.Read(one, offset));
        one[0] ^= 1;
        file.Write(one, offset);
    }

    [Fact]
    public void ATornTailBehindTwoGigabytesIsCutThereAndNothingBefore()
    {
        SparseDirectory directory = log.Killed.KillProcess();
        (long offset, FrameHeader frame) = FrameOf(directory, LargeLog.Last);
        Assert.True(offset > Limit);
        Damage(directory, offset + FrameFormat.HeaderSize + 1);

        (LogTail tail, RecoveryReport report) = Recover(directory);

        StoreDamage damage = Assert.Single(report.Damage);
        Assert.Equal((Name, offset, StoreDamageKind.TornTail), (damage.File, damage.Offset, damage.Kind));
        Assert.True(report.BytesCut >= frame.PayloadLength, $"{report.BytesCut} bytes were cut");
        Assert.Equal((frame.FirstSequence, frame.FirstSequence - 1), (tail.NextSequence, report.LastSequence));

        // Twice is as once, and the records before are as they were.
        (LogTail again, report) = Recover(directory);
        Assert.Empty(report.Damage);
        Assert.Equal((tail.NextSequence, tail.Offset), (again.NextSequence, again.Offset));
        Assert.True(again.Offset > Limit);
        using StoreReader reader = StoreReader.Open(directory, Name, Name, static _ => false);
        Assert.Equal(Enumerable.Range(1, (int)frame.FirstSequence - 1 - LargeLog.Big).Select(static n => (long)n), reader.ReadRecords(new ReadOptions { FromSequence = LargeLog.Big + 1 }).Select(static r => r.As<long>()));
    }

    [Fact]
    public void AcknowledgedRecordsLostBehindTwoGigabytesAreNotCut()
    {
        SparseDirectory directory = log.Killed.KillProcess();
        (long offset, _) = FrameOf(directory, LargeLog.Last - 25);
        Damage(directory, offset + FrameFormat.HeaderSize + 1);

        Assert.Equal(offset, Assert.Throws<StoreCorruptException>(() => Recover(directory)).Offset);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void NewestFirstIsTurnedAroundBehindTwoGigabytesAndBeforeThem(bool closes)
    {
        SparseDirectory directory = log.Killed.KillProcess();
        if (closes) new AppendLog(directory, LargeLog.Options(directory), Recover(directory).Tail, Name, NullLogger.Instance).Dispose();
        long[] expected = [.. Enumerable.Range(0, LargeLog.Numbers).Select(static n => (long)(LargeLog.Numbers - n))];
        var range = new ReadOptions { FromSequence = LargeLog.Big + 1, NewestFirst = true };

        // From outside, with the index of a closed log and without one.
        using (StoreReader reader = StoreReader.Open(directory, Name, Name, static _ => false))
        {
            Assert.Equal(closes, Assert.Single(reader.Files).IsSealed);
            Assert.Equal(expected, reader.ReadRecords(range).Select(static r => r.As<long>()));
            Assert.Equal(expected.Skip(60), reader.ReadRecords(range with { ToSequence = LargeLog.Last - 60 }).Select(static r => r.As<long>()));
            Assert.Equal([LargeLog.Big + 1L, LargeLog.Big, LargeLog.Big - 1], reader.ReadRecords(range with { FromSequence = LargeLog.Big - 1, ToSequence = LargeLog.Big + 1 }).Select(static r => r.Sequence));
        }

        range = range with { ToSequence = LargeLog.Last };
        Assert.Equal(expected, log.Live.Read<long>(range).Select(static r => r.Value));
        Assert.Equal(expected.Reverse(), log.Live.Read<long>(range with { NewestFirst = false }).Select(static r => r.Value));
    }

    [Fact]
    public async Task AFollowerFromOutsideGoesOnBehindTwoGigabytes()
    {
        NinoStore store = log.Live;
        var time = new Ticking(mostWaits: 60)
        {
            OnWait = wait =>
            {
                if (wait is < 10 or > 14) return;
                store.Append(store.LastSequence + 1 - LargeLog.Big);
                store.Commit();
            },
        };
        List<(long, long)> seen = [];

        await Assert.ThrowsAnyAsync<OperationCanceledException>(async () =>
        {
            await foreach (LogRecord record in new FileFollower(log.Files, Name, null, time).FollowAsync(new ReadOptions { FromSequence = LargeLog.Last - 20 }, HeaderOf(log.Files), time.Stop)) seen.Add((record.Sequence, record.As<long>()));
        });

        Assert.Equal(Enumerable.Range((int)LargeLog.Last - 20, 26).Select(static n => ((long)n, (long)n - LargeLog.Big)), seen);
    }

    [Fact]
    public async Task AFollowerFromOutsideNamesDamageBehindTwoGigabytes()
    {
        SparseDirectory directory = log.Killed.KillProcess();
        (long offset, FrameHeader frame) = FrameOf(directory, LargeLog.Last - 25);
        Damage(directory, offset + FrameFormat.HeaderSize + 1);
        var time = new Ticking(mostWaits: 60);
        List<long> seen = [];

        StoreCorruptException corrupt = await Assert.ThrowsAsync<StoreCorruptException>(async () =>
        {
            await foreach (LogRecord record in new FileFollower(directory, Name, null, time).FollowAsync(new ReadOptions { FromSequence = LargeLog.Big + 1 }, HeaderOf(directory), time.Stop)) seen.Add(record.Sequence);
        });

        Assert.Equal(offset, corrupt.Offset);
        Assert.Equal(frame.FirstSequence - 1, seen[^1]);
    }
}
