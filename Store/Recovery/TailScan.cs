// Reads the last segment to its end and tells how it ends. Reads only.

using System.Buffers;
using Store.Framing;
using Store.IO;
using Store.Log;
using Store.Retention;

namespace Store.Recovery;

/// <summary>What a full scan of one segment found.</summary>
internal sealed record TailScan
{
    public required RecoveryCase Case { get; init; }

    /// <summary>The state of the segment up to its last good frame.</summary>
    public required LogTail Tail { get; init; }

    /// <summary>Where only zeros follow: the end of what has to be cut. Equal to the tail's offset when there is nothing to cut.</summary>
    public required long EndOfBytes { get; init; }

    /// <summary>True when the log was closed here and not written since: everything was synced then, and no crash left anything behind the last frame. Nobody looked there.</summary>
    public bool IsClean { get; init; }

    /// <summary>What is wrong with the first bytes that do not verify.</summary>
    public string? Problem { get; init; }

    /// <summary>Highest sequence that any frame of the segment says was durable.</summary>
    public required long SyncedThrough { get; init; }

    /// <summary>End of the last frame of records that a later frame says were durable, or of one before it (<see cref="UnprovenFrames"/>). What lies between here and the tail's offset may be in the system's cache only.</summary>
    public required long DurableOffset { get; init; }

    /// <summary>Scans a segment whose header is verified.</summary>
    /// <param name="file">The segment.</param>
    /// <param name="header">Its header.</param>
    /// <param name="segments">Headers of all segments, this one last.</param>
    /// <param name="mark">The mark of the log's end, when there is one that can be read.</param>
    public static TailScan Run(IStoreFile file, SegmentHeader header, IReadOnlyList<SegmentHeader> segments, LogEnd? mark)
    {
        using var scanner = new SegmentScanner(file, header);
        var summary = new SegmentFooter(header.FirstSequence, header.FirstSequence - 1, 0, 0, 0, 0);
        var index = new SegmentIndexBuilder();
        bool closed = false;
        uint? footer = null;
        var unproven = new UnprovenFrames();
        FrameReadStatus status;
        while ((status = scanner.Next()) == FrameReadStatus.Frame)
        {
            FrameHeader frame = scanner.Frame;
            index.Add(frame.Kind, scanner.FrameOffset, frame.FirstSequence, frame.TimeTicks);
            closed = (frame.Flags & FrameFormat.ClosedFlag) != 0;
            footer = frame.Kind == FrameKind.Footer ? scanner.FrameChecksum : null;
            summary = summary with
            {
                LastSequence = frame.LastSequence,
                Records = summary.Records + frame.RecordCount,
                Frames = summary.Frames + 1,
                FirstTicks = frame.RecordCount > 0 && summary.FirstTicks == 0 ? frame.TimeTicks : summary.FirstTicks,
                LastTicks = frame.RecordCount > 0 ? frame.TimeTicks : summary.LastTicks,
            };
            SegmentScanner.FrameRecords records = scanner.Records();
            while (records.MoveNext()) { }
            if (frame.RecordCount > 0) unproven.Add(scanner.Offset, frame.LastSequence);
            unproven.Prove(scanner.SyncedThrough);
            if (footer is not null && !header.IsOneFile) break;
        }

        // The mark of the end was made when all was synced, and is taken back, on the disk, before anything else is written: behind the last frame there cannot be what a crash leaves.
        bool isComplete = footer is not null && !header.IsOneFile;
        bool isClean = closed && (status == FrameReadStatus.End || isComplete) && mark is { IsClosed: true } said && said.StoreId == header.StoreId && said.Segment == header.Number && said.Sequence == scanner.NextSequence - 1;
        long end = isClean ? scanner.Offset : LastNonZero(file, scanner.Offset);
        long synced = scanner.SyncedThrough;
        RecoveryCase found;
        string? problem = scanner.Problem;
        if (end == scanner.Offset)
        {
            found = isComplete ? RecoveryCase.EndsWithFooter : closed ? RecoveryCase.Closed : RecoveryCase.EndsInZeros;
        }
        else
        {
            problem ??= "zeros where a frame should be, with bytes after them";
            synced = Math.Max(synced, HighestSynced(file, header, scanner.Offset, end));
            found = synced >= scanner.NextSequence ? RecoveryCase.AcknowledgedLost : RecoveryCase.TornTail;
        }

        return new TailScan
        {
            Case = found,
            IsClean = isClean,
            Problem = problem,
            EndOfBytes = end,
            SyncedThrough = synced,
            DurableOffset = unproven.DurableOffset,
            Tail = new LogTail
            {
                StoreId = header.StoreId,
                Segments = segments,
                NextSequence = scanner.NextSequence,
                SyncedThrough = Math.Max(scanner.SyncedThrough, header.FirstSequence - 1),
                Offset = scanner.Offset,
                CapacityBytes = file.LengthBytes,
                Summary = summary,
                Index = index,
                LastTicks = scanner.LastTicks == 0 ? header.CreatedTicks : scanner.LastTicks,
                FooterChecksum = footer,
                IsClosed = closed,
                Schemas = new Dictionary<int, Serialization.NinoSchema>(scanner.Schemas),
                Epoch = segments.Max(static s => s.Epoch),
            },
        };
    }

    /// <summary>The offset after the last byte that is not zero; <paramref name="from"/> when there is none.</summary>
    public static long LastNonZero(IStoreFile file, long from)
    {
        byte[] buffer = ArrayPool<byte>.Shared.Rent(64 * 1024);
        long end = from;
        try
        {
            for (long offset = from; ;)
            {
                int read = file.Read(buffer, offset);
                if (read == 0) return end;
                int last = buffer.AsSpan(0, read).LastIndexOfAnyExcept((byte)0);
                if (last >= 0) end = offset + last + 1;
                offset += read;
            }
        }
        finally
        {
            ArrayPool<byte>.Shared.Return(buffer);
        }
    }

    /// <summary>Looks at every aligned offset for a frame header of this segment (its checksum is bound to the place, so nothing else is taken for one) and returns the highest sequence that one says was durable.</summary>
    public static long HighestSynced(IStoreFile file, SegmentHeader header, long from, long to)
    {
        byte[] buffer = new byte[64 * 1024 + FrameFormat.HeaderSize];
        long highest = 0;
        long start = (from + FrameFormat.Alignment - 1) & ~(long)(FrameFormat.Alignment - 1);
        while (start < to)
        {
            int read = file.Read(buffer, start);
            int at = 0;
            for (; at + FrameFormat.HeaderSize <= read; at += FrameFormat.Alignment)
            {
                if (!FrameHeader.CouldBe(buffer.AsSpan(at))) continue;
                if (FrameHeader.TryRead(buffer.AsSpan(at), header.SegmentId, start + at, out FrameHeader frame) && frame.IsPlausible)
                    highest = Math.Max(highest, frame.SyncedThrough);
            }

            if (read < buffer.Length) break;
            start += at;
        }

        return highest;
    }
}
