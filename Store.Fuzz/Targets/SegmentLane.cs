// One segment: as a stream of frames, read ahead and, as where a sector ahead cannot be read, piece by piece, and as a file that a tool looks into, forward and backward. All give the same records.

using Store.Framing;
using Store.Fuzz.Driver;
using Store.IO;
using Store.Log;
using Store.Tests.Log;
using Store.Tests.Simulation;
using Store.Tests.Snapshots;

namespace Store.Fuzz.Targets;

internal sealed class SegmentLane(bool seals) : FuzzLane("")
{
    private const string FileName = "segment-0000000000000001.log";

    public override int MaxLength => 16 * 1024;

    // A scanner has a buffer for reading ahead, and there are several.
    public override long MaxAllocation(int length) => 4 * 1024 * 1024 + (2048L * length);

    public override IEnumerable<byte[]> Seeds(int seed)
    {
        foreach ((int rounds, bool closes) in new[] { (1, true), (4, false), (4, true), (30, true) })
        {
            var directory = new SimDirectory();
            NinoStore store = Simulated.Open(directory, seed);
            for (int i = 0; i < rounds; i++)
            {
                store.Append(i);
                store.Append($"text {i}");
                if (i % 3 == 0) store.AppendBatch<long>([1, 2, 3]);
                if (i % 2 == 0) Simulated.Commit(store);
            }

            Simulated.Commit(store);
            if (closes) store.Dispose();
            yield return TrimZeros(FileBytes.Of(directory, FileName));
        }
    }

    public override void Run(byte[] input)
    {
        byte[] bytes = seals ? Seals.Segment(input) : input;
        var directory = new BytesDirectory { [FileName] = bytes };
        Scan(directory);
        Look(directory);
        if (directory.OpenMappings != 0) throw new LaneException("a mapping stays open");
    }

    private static void Scan(BytesDirectory directory)
    {
        using IStoreFile file = directory.OpenRead(FileName);
        if (SegmentHeader.TryRead(file, out SegmentHeader header) != SegmentHeaderStatus.Valid) return;
        string ahead = Scan(new SegmentScanner(file, header)), inPieces = Scan(new SegmentScanner(new NearFile(file), header));
        if (ahead != inPieces) throw new LaneException($"read ahead {ahead}, in pieces {inPieces}");
    }

    private static string Scan(SegmentScanner scanner)
    {
        int records = 0;
        uint checksum = 0;
        using (scanner)
        {
            try
            {
                FrameReadStatus status;
                while ((status = scanner.Next()) == FrameReadStatus.Frame)
                {
                    SegmentScanner.FrameRecords frame = scanner.Records();
                    while (frame.MoveNext(scanner.PayloadSpan))
                    {
                        (int start, int length) = frame.Place;
                        checksum = Crc32C.Append(checksum, scanner.PayloadSpan.Slice(start, length));
                        records++;
                    }

                    if (scanner.Frame.Kind == FrameKind.Footer) SegmentFooter.TryRead(scanner.PayloadSpan, out _);
                    if (scanner.Frame.Kind == FrameKind.Index) SegmentIndex.TryRead(scanner.PayloadSpan, scanner.FrameOffset, out _);
                }

                return $"{records} records {checksum:x8}, then {status} at {scanner.Offset}";
            }
            catch (StoreCorruptException e)
            {
                return $"{records} records {checksum:x8}, then {e.Offset}";
            }
        }
    }

    private static void Look(BytesDirectory directory)
    {
        StoreReader reader;
        try
        {
            reader = StoreReader.Open(directory, FileName, FileName, static _ => false);
        }
        catch (Exception e) when (e is NotAStoreException or StoreException)
        {
            return;
        }

        using (reader)
        {
            List<long> forward = Sequences(reader, newestFirst: false), backward = Sequences(reader, newestFirst: true);
            backward.Reverse();
            VerifyReport report = reader.Verify();
            if (report.Damage.Count == 0 && !forward.SequenceEqual(backward)) throw new LaneException($"forward {forward.Count} records, backward {backward.Count}, and nothing is damaged");
            if (forward.Count > 2) _ = reader.ReadRecords(new ReadOptions { FromSequence = forward[^1] }).Count();
        }
    }

    private static List<long> Sequences(StoreReader reader, bool newestFirst) => [.. reader.ReadRecords(new ReadOptions { NewestFirst = newestFirst }).Select(static record => record.Sequence)];

    private static byte[] TrimZeros(byte[] bytes) => bytes[..Math.Min(bytes.Length, bytes.AsSpan().LastIndexOfAnyExcept((byte)0) + 64)];

    // Refuses to read ahead: more at once than any frame of an input is long.
    private sealed class NearFile(IStoreFile inner) : PassThroughFile(inner)
    {
        private const int LongestRead = 64 * 1024;

        public override int Read(Span<byte> destination, long offset) => destination.Length <= LongestRead ? base.Read(destination, offset) : throw new IOException("More than is near.");
    }
}
