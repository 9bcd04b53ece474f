using Store.Framing;
using Store.IO;
using Store.Log;
using Store.Tests.Log;
using Store.Tests.Simulation;
using Xunit.Abstractions;

namespace Store.Tests.Framing;

/// <summary>A segment with random bytes changed, with its old checksums or with right ones: the reader stops or reports, whatever it meets, and reads no wrong record under old checksums.</summary>
public class FrameReaderMutationTests(ITestOutputHelper output)
{
    [Fact]
    public void AnyBytesAreReadAsAFrameOrRefusedAndCostBoundedMemory()
    {
        byte[] whole = Segment();
        List<(int Start, int Length, int RecordsBefore)> frames = FramesOf(whole, out SegmentHeader header);
        List<string> records = [];
        Assert.Equal(FrameReadStatus.End, Read(whole, header, records));
        Assert.Equal(27, records.Count);
        int seed = Effort.DrawnSeed(quick: 20261123), count = Effort.Mutations(100_000) / 2, stopped = 0;
        var random = new Random(seed);
        for (int i = 0; i < count; i++)
        {
            byte[] bytes = [.. whole];
            bool reseals = i % 2 == 0;
            (int start, int length, int before) = frames[random.Next(frames.Count)];
            for (int edits = random.Next(1, 5); edits > 0; edits--) bytes[start + random.Next(4, length)] = (byte)random.Next(256);
            if (reseals) Reseal(bytes, header, start, length);
            List<string> read = [];
            long allocated = GC.GetAllocatedBytesForCurrentThread();
            bool isStopped;
            try
            {
                isStopped = Read(bytes, header, read) != FrameReadStatus.End;
            }
            catch (StoreCorruptException)
            {
                isStopped = true;
            }

            if (isStopped) stopped++;
            if (!reseals)
            {
                // Whatever differs, the zeros behind a payload too: the reader ends before that frame.
                bool isDamaged = !bytes.AsSpan().SequenceEqual(whole);
                Assert.True(isStopped == isDamaged && read.SequenceEqual(records.Take(isDamaged ? before : records.Count)), $"seed {seed}, input {i}: {read.Count} records of {records.Count}, {before} before the damage, stopped: {isStopped}");
            }

            Assert.True(GC.GetAllocatedBytesForCurrentThread() - allocated < 4 * 1024 * 1024, $"seed {seed}, input {i}: much memory");
        }

        Assert.True(stopped > count / 4, $"{stopped} of {count}");
        Effort.Tell(output, "mutated inputs", count, $"SEED={seed}", $"segments, {stopped} stopped the reader");
    }

    private static byte[] Segment()
    {
        var directory = new SimDirectory();
        using (NinoStore store = Simulated.Open(directory))
        {
            for (int i = 0; i < 12; i++)
            {
                store.Append(i);
                store.Append($"text {i}");
                if (i % 4 == 0) Simulated.Commit(store);
            }

            store.AppendBatch<long>([1, 2, 3]);
        }

        byte[] bytes = FileBytes.Of(directory, SegmentFormat.Name(1));
        return bytes[..(bytes.AsSpan().LastIndexOfAnyExcept((byte)0) + 64)];
    }

    private static FrameReadStatus Read(byte[] bytes, SegmentHeader header, List<string> records)
    {
        FrameReadStatus status;
        using var scanner = new SegmentScanner(new BytesFile(bytes), header);
        while ((status = scanner.Next()) == FrameReadStatus.Frame)
        {
            SegmentScanner.FrameRecords frame = scanner.Records();
            while (frame.MoveNext()) records.Add($"{frame.Sequence} {frame.Schema.Fingerprint:x} {Convert.ToHexString(frame.Payload.Span)}");
        }

        return status;
    }

    private static List<(int Start, int Length, int RecordsBefore)> FramesOf(byte[] bytes, out SegmentHeader header)
    {
        Assert.Equal(SegmentHeaderStatus.Valid, SegmentHeader.TryRead(bytes, out header));
        List<(int, int, int)> frames = [];
        using var scanner = new SegmentScanner(new BytesFile(bytes), header);
        while (scanner.Next() == FrameReadStatus.Frame) frames.Add(((int)scanner.FrameOffset, (int)scanner.Frame.FrameLength, (int)scanner.Frame.FirstSequence - 1));
        return frames;
    }

    private static void Reseal(byte[] bytes, SegmentHeader header, int at, int length)
    {
        // A length that leaves the frame keeps the payload's old checksum.
        int payload = BitConverter.ToInt32(bytes, at + 4);
        if (payload >= 0 && payload <= length - FrameFormat.HeaderSize) BitConverter.TryWriteBytes(bytes.AsSpan(at + 8), Crc32C.Compute(bytes.AsSpan(at + FrameFormat.HeaderSize, payload)));
        Span<byte> place = stackalloc byte[16];
        BitConverter.TryWriteBytes(place, header.SegmentId);
        BitConverter.TryWriteBytes(place[8..], (long)at);
        BitConverter.TryWriteBytes(bytes.AsSpan(at), Crc32C.Append(Crc32C.Compute(place), bytes.AsSpan(at + 4, FrameFormat.HeaderSize - 4)));
    }

    private sealed class BytesFile(byte[] bytes) : IStoreFile
    {
        public string Name => "bytes";

        public long LengthBytes => bytes.Length;

        public int Read(Span<byte> destination, long offset)
        {
            if (offset >= bytes.Length) return 0;
            int count = Math.Min(destination.Length, bytes.Length - (int)offset);
            bytes.AsSpan((int)offset, count).CopyTo(destination);
            return count;
        }

        public void Write(ReadOnlySpan<byte> source, long offset) => throw new NotSupportedException();

        public void SyncData() => throw new NotSupportedException();

        public void StartWriteback(long offset, long lengthBytes) => throw new NotSupportedException();

        public void Truncate(long lengthBytes) => throw new NotSupportedException();

        public IStoreMapping Map() => throw new NotSupportedException();

        public void Dispose() { }
    }
}
