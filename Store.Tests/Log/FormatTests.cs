using Store.Framing;
using Store.Log;
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
            Assert.NotEqual(SegmentHeaderStatus.Valid, SegmentHeader.TryRead(bytes, out _));
            bytes[bit / 8] ^= (byte)(1 << (bit % 8));
        }
    }
}
