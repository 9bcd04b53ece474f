// Is this the log that a snapshot was taken of? One that lost records and grew over their sequences with others gives the same numbers again: the record that the snapshot stands behind tells them apart. A snapshot says where that
// record's frame is, and the header of a frame is bound to its place, its segment and all its bytes: where it is still there, 48 bytes have told, however large the frame is. Where it is not (the log was written anew by a salvage, or
// is another history), or cannot be read, the record itself is looked for, and its mark decides.

using Store.Framing;
using Store.IO;
using Store.Log;
using Store.Snapshots;

namespace Store.Reading;

/// <summary>Records of a log as snapshots know them. Safe for any number of threads.</summary>
/// <param name="reading">The log.</param>
/// <param name="durableOnly">True for a log that is being written. The record that a snapshot stands behind is on the disk before the snapshot is, so asking for it flushes nothing and waits for nobody; and a failure of the log, which its next caller or closing it has to tell, is not met here.</param>
internal sealed class LogHistory(LogReading reading, bool durableOnly) : ISnapshotHistory
{
    public RecordTie TieOf(long sequence) => Find(sequence) ?? default;

    public bool Has(long sequence, in RecordTie tie) => tie.Mark == SnapshotFormat.NoMark || IsInItsFrame(sequence, in tie) || Find(sequence) is not { } found || found.Mark == tie.Mark;

    private bool IsInItsFrame(long sequence, in RecordTie tie)
    {
        if (tie.Segment <= 0 || tie.FrameOffset < SegmentFormat.HeaderSize) return false;
        try
        {
            IReadOnlyList<SegmentHeader> segments = reading.Files.Segments;
            long at = tie.Segment - segments[0].Number;
            if (at < 0 || at >= segments.Count) return false;
            SegmentHeader segment = segments[(int)at];

            // What lies behind the end of a segment is none of the log's.
            if (at + 1 < segments.Count && tie.FrameOffset > segments[(int)at + 1].PreviousLength - FrameFormat.HeaderSize) return false;
            using IStoreFile? file = reading.Files.TryOpen(segment);
            Span<byte> header = stackalloc byte[FrameFormat.HeaderSize];
            return file is not null && file.Read(header, tie.FrameOffset) == header.Length
                && FrameHeader.TryRead(header, segment.SegmentId, tie.FrameOffset, out FrameHeader frame) && FrameHeader.StoredChecksum(header) == tie.FrameChecksum
                && frame.Kind == FrameKind.Records && frame.FirstSequence <= sequence && sequence <= frame.LastSequence;
        }
        catch (Exception e) when (e is IOException or StoreException)
        {
            // The record may be readable all the same, or say nothing.
            return false;
        }
    }

    private RecordTie? Find(long sequence)
    {
        if (sequence == 0) return null;
        try
        {
            using RecordScan scan = reading.Frames(new ReadOptions { FromSequence = sequence, ToSequence = sequence, DurableOnly = durableOnly }, mustReachBack: false);
            while (scan.NextFrame())
            {
                SegmentScanner scanner = scan.Scanner;
                SegmentScanner.FrameRecords records = scanner.Records();
                if (scan.TryNext(ref records, out LogRecord record)) return new RecordTie(RecordMark.Of(in record), scanner.Header.Number, scanner.FrameOffset, scanner.FrameChecksum);
            }

            return null;
        }
        catch (Exception e) when (e is IOException or StoreException)
        {
            // What is wrong with the log is told to whoever reads it; of the snapshot it says nothing.
            return null;
        }
    }
}
