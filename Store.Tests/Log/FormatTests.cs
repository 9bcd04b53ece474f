using Store.Framing;
using Store.IO;
using Store.Log;
using Store.Snapshots;
using Store.Tests.Shipping;
using Store.Tests.Simulation;
using Xunit.Abstractions;

namespace Store.Tests.Log;

/// <summary>Pins the bytes of a segment: the worked example of docs/formats is what the code writes, and the code reads what the page shows.</summary>
public class FormatTests(ITestOutputHelper output)
{
    private const string Name = "segment-0000000000000001.log";

    // The example: a new store, one batch of the integers 7 and 300, a commit, closed.
    private static byte[] Written()
    {
        var directory = new SimDirectory();
        using (NinoStore store = Simulated.Open(directory))
        {
            store.AppendBatch<int>([7, 300]);
        }

        byte[] bytes = FileBytes.Of(directory, Name);
        return bytes[..(bytes.AsSpan().LastIndexOfAnyExcept((byte)0) + 1 + 7 & ~7)];
    }

    [Fact]
    public void TheExampleOfThePagesIsWhatTheCodeWrites()
    {
        byte[] written = Written();
        output.WriteLine(Convert.ToHexStringLower(written)); // what the pages must show

        byte[] page = [.. Repository.HexBytes("docs/formats/segment.md", "## Example"), .. Repository.HexBytes("docs/formats/frame.md", "## Example")];
        Assert.Equal(Convert.ToHexString(page), Convert.ToHexString(written));
    }

    [Fact]
    public void TheExampleOfThePagesIsReadAsThePagesSay()
    {
        var directory = new SimDirectory();
        FileBytes.Put(directory, Name, [.. Repository.HexBytes("docs/formats/segment.md", "## Example"), .. Repository.HexBytes("docs/formats/frame.md", "## Example")]);

        using NinoStore store = Simulated.Open(directory, seed: 2);

        Assert.Equal([7, 300], store.Read<int>().Select(r => r.Value));
        Assert.True(store.Recovery.CleanClose);
    }

    // The second example: the same new store, a number in a frame of its own, a text and a number in one, a snapshot, and a batch for which there is no room any more, so that the segment is sealed.
    private static (byte[] Sealed, byte[] NextHeader) WrittenUntilSealed()
    {
        var directory = new SimDirectory();
        using NinoStore store = Simulated.Open(directory);
        store.Append(7);
        store.Append("ab");
        store.Append(8);
        store.Commit();
        Shipped.Done(store.CheckpointAsync(new List<int> { 7 }));
        store.AppendBatch<int>(new int[2000]);
        store.Commit();

        byte[] next = FileBytes.Of(directory, SegmentFormat.Name(2))[..SegmentFormat.HeaderSize];
        Assert.Equal(SegmentHeaderStatus.Valid, SegmentHeader.TryRead(next, out SegmentHeader header));
        return (FileBytes.Of(directory, Name)[..(int)header.PreviousLength], next);
    }

    // The pages show header, frames and end of the segment one after the other; its header is that of the first example.
    private static byte[] SealedOnThePages() =>
    [
        .. Repository.HexBytes("docs/formats/segment.md", "## Example"),
        .. Repository.HexBytes("docs/formats/frame.md", "## Second example"),
        .. Repository.HexBytes("docs/formats/segment.md", "## Example of an end"),
    ];

    [Fact]
    public void TheSealedSegmentOfThePagesIsWhatTheCodeWrites()
    {
        (byte[] written, byte[] next) = WrittenUntilSealed();
        output.WriteLine(Convert.ToHexStringLower(written)); // what the pages must show
        output.WriteLine(Convert.ToHexStringLower(next));

        Assert.Equal(Convert.ToHexString(SealedOnThePages()), Convert.ToHexString(written));
        Assert.Equal(Convert.ToHexString(Repository.HexBytes("docs/formats/segment.md", "## Example of a successor")), Convert.ToHexString(next));
    }

    [Fact]
    public void TheSealedSegmentOfThePagesIsReadAsThePagesSay()
    {
        byte[] page = SealedOnThePages();
        var directory = new SimDirectory();
        FileBytes.Put(directory, Name, page);
        using IStoreFile file = directory.OpenRead(Name);
        Assert.Equal(SegmentHeaderStatus.Valid, SegmentHeader.TryRead(file, out SegmentHeader header));
        using var scanner = new SegmentScanner(file, header);
        List<(FrameKind Kind, long Offset, long Sequence, int Schema, int Records)> frames = [];
        List<(long Sequence, string Schema, string Bytes)> records = [];
        List<long> ticks = [];
        SegmentIndex? index = null;
        SegmentFooter footer = default;
        while (scanner.Next() == FrameReadStatus.Frame)
        {
            FrameHeader frame = scanner.Frame;
            frames.Add((frame.Kind, scanner.FrameOffset, frame.FirstSequence, frame.SchemaId, frame.RecordCount));
            if (frame.Kind == FrameKind.Records) ticks.Add(frame.TimeTicks);
            SegmentScanner.FrameRecords each = scanner.Records();
            while (each.MoveNext()) records.Add((each.Sequence, each.Schema.Name, Convert.ToHexString(each.Payload.Span)));
            switch (frame.Kind)
            {
                case FrameKind.Checkpoint:
                    Assert.True(CheckpointNote.TryDecode(scanner.PayloadSpan, out CheckpointNote note));
                    Assert.Equal((3L, true), (note.Sequence, SnapshotName.TryParse(note.FileName, out _)));
                    Assert.NotEqual(0UL, note.SnapshotId);
                    break;
                case FrameKind.Index:
                    Assert.True(SegmentIndex.TryRead(scanner.PayloadSpan, scanner.FrameOffset, out index));
                    break;
                case FrameKind.Footer:
                    Assert.True(SegmentFooter.TryRead(scanner.PayloadSpan, out footer));
                    Assert.Equal(FrameFormat.ClosedFlag, frame.Flags);
                    break;
            }
        }

        Assert.Equal(page.Length, scanner.Offset);
        Assert.Equal([(1L, "Int32", "07000000"), (2L, "String", "056162"), (3L, "Int32", "08000000")], records);
        Assert.Equal([FrameKind.Schema, FrameKind.Records, FrameKind.Schema, FrameKind.Records, FrameKind.Checkpoint, FrameKind.Index, FrameKind.Footer], frames.Select(static f => f.Kind));
        Assert.Equal([(1L, 1, 1), (2L, 0, 2)], frames.Where(static f => f.Kind == FrameKind.Records).Select(static f => (f.Sequence, f.Schema, f.Records)));
        Assert.Equal([new IndexEntry(1, ticks[0], frames[1].Offset)], index!.Entries.ToArray());
        Assert.Equal(frames.Where(static f => f.Kind == FrameKind.Schema).Select(static f => f.Offset), index.Schemas.ToArray());
        Assert.Equal(new SegmentFooter(1, 3, 3, frames.Count - 1, ticks[0], ticks[1], frames.Single(static f => f.Kind == FrameKind.Index).Offset), footer);

        Assert.Equal(SegmentHeaderStatus.Valid, SegmentHeader.TryRead(Repository.HexBytes("docs/formats/segment.md", "## Example of a successor"), out SegmentHeader next));
        Assert.Equal((2L, 4L, page.LongLength, 3L, scanner.FrameChecksum), (next.Number, next.FirstSequence, next.PreviousLength, next.PreviousLastSequence, next.PreviousChecksum));
    }

    [Fact]
    public void ALogThatEndsWithTheSegmentsOfThePagesOpens()
    {
        var directory = new SimDirectory();
        FileBytes.Put(directory, Name, SealedOnThePages());
        FileBytes.Put(directory, SegmentFormat.Name(2), [.. Repository.HexBytes("docs/formats/segment.md", "## Example of a successor"), .. new byte[4096]]);

        using NinoStore store = Simulated.Open(directory, seed: 2);

        Assert.Empty(store.Recovery.Damage);
        Assert.Equal([7, 8], store.Read<int>().Select(static r => r.Value));
        Assert.Equal("ab", store.Read<string>().Single().Value);
        Assert.Equal(4, store.Append(9));
    }

    [Fact]
    public void AFrameHeaderComesBackAsItWasWrittenAndNowhereElse()
    {
        var header = new FrameHeader { Kind = FrameKind.Records, PayloadLength = 123, PayloadChecksum = 0xDEADBEEF, SchemaId = 7, RecordCount = 5, FirstSequence = 1L << 40, TimeTicks = 638_000_000_000_000_000, SyncedThrough = (1L << 40) - 1 };
        byte[] bytes = new byte[FrameFormat.HeaderSize];
        header.Write(bytes, segmentId: 42, offset: 4096);

        Assert.True(FrameHeader.TryRead(bytes, 42, 4096, out FrameHeader read));
        Assert.Equal(header, read);
        Assert.True(read.IsPlausible);
        Assert.False(FrameHeader.TryRead(bytes, 43, 4096, out _), "a frame of another segment verified");
        Assert.False(FrameHeader.TryRead(bytes, 42, 4104, out _), "a moved frame verified");
        Assert.False(FrameHeader.TryRead(bytes.AsSpan(0, 47), 42, 4096, out _));
        for (int bit = 0; bit < bytes.Length * 8; bit++)
        {
            bytes[bit / 8] ^= (byte)(1 << (bit % 8));
            Assert.False(FrameHeader.TryRead(bytes, 42, 4096, out _), $"flipping bit {bit} went unnoticed");
            bytes[bit / 8] ^= (byte)(1 << (bit % 8));
        }
    }

    [Theory]
    [InlineData(0, 48)]
    [InlineData(1, 56)]
    [InlineData(8, 56)]
    [InlineData(9, 64)]
    [InlineData(int.MaxValue, 48L + int.MaxValue + 1)]
    public void AFrameIsItsHeaderAndItsPayloadUpToAMultipleOfEight(int payload, long size) => Assert.Equal(size, FrameFormat.SizeOf(payload));

    [Fact]
    public void ZerosAreNeverAFrame()
    {
        var random = new Random(1);
        for (int i = 0; i < 10_000; i++) Assert.False(FrameHeader.TryRead(new byte[48], (ulong)random.NextInt64(), random.NextInt64(0, 1L << 40), out FrameHeader header) && header.IsPlausible);
    }

    [Fact]
    public void SegmentNamesOrderAsTheirNumbersDo()
    {
        long[] numbers = [1, 2, 9, 10, 99, 1000, 9_999_999_999_999_999];
        string[] names = [.. numbers.Select(SegmentFormat.Name)];
        Assert.Equal(names.Order(StringComparer.Ordinal), names);
        foreach ((long number, string name) in numbers.Zip(names))
        {
            Assert.True(SegmentFormat.TryParseName(name, out long parsed));
            Assert.Equal(number, parsed);
        }

        Assert.All(["segment-1.log", "segment-0000000000000001.log.salvaged", "segment-000000000000000x.log", "other"], name => Assert.False(SegmentFormat.TryParseName(name, out _)));
    }

    [Fact]
    public void ASegmentHeaderComesBackAndEveryFlippedBitIsNoticed()
    {
        var header = new SegmentHeader { StoreId = Guid.Parse("00112233-4455-6677-8899-aabbccddeeff"), SegmentId = 77, Number = 3, FirstSequence = 1000, Epoch = 2, CreatedTicks = 638_000_000_000_000_000, PreviousLength = 4096, PreviousLastSequence = 999, PreviousChecksum = 1, IsOneFile = true };
        byte[] bytes = new byte[SegmentFormat.HeaderSize];
        header.Write(bytes);

        Assert.Equal(SegmentHeaderStatus.Valid, SegmentHeader.TryRead(bytes, out SegmentHeader read));
        Assert.Equal(header, read);
        for (int bit = 0; bit < bytes.Length * 8; bit++)
        {
            bytes[bit / 8] ^= (byte)(1 << (bit % 8));
            Assert.DoesNotContain(SegmentHeader.TryRead(bytes, out _), (SegmentHeaderStatus[])[SegmentHeaderStatus.Valid, SegmentHeaderStatus.NewerVersion]);
            bytes[bit / 8] ^= (byte)(1 << (bit % 8));
        }
    }
}
