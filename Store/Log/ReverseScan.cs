// Reads records newest first. Frames can only be followed forward, so a stretch between two entries of the index is read forward and returned backward.

using System.Globalization;
using Store.Framing;
using Store.IO;

namespace Store.Log;

/// <summary>A backward pass over records. Not thread-safe.</summary>
/// <param name="files">The log.</param>
/// <param name="options">Which records.</param>
/// <param name="span">The log at the moment the reading began; its records are in the files by now.</param>
internal sealed class ReverseScan(ILogFiles files, ReadOptions options, LogSpan span)
{
    private readonly ReverseStretch _stretch = new();
    private readonly long _to = Math.Min(span.LastSequence, options.ToSequence);

    /// <summary>The records, newest first; payloads are valid until the enumerator moves on.</summary>
    /// <exception cref="StoreCorruptException">A record of the range cannot be read.</exception>
    /// <exception cref="LogTruncatedException">Retention has removed all that was to be read before anything of it was.</exception>
    public IEnumerable<LogRecord> Records()
    {
        IReadOnlyList<SegmentHeader> segments = span.Segments;
        bool anyOpened = false;
        for (int i = segments.Count - 1; i >= 0; i--)
        {
            SegmentHeader header = segments[i];
            SegmentHeader? successor = i + 1 < segments.Count ? segments[i + 1] : null;

            // No record of a segment is older than it, unless it is the first of all: old records may be imported into a new log, and a clock set back.
            if (header.FirstSequence > _to || (header.Number > 1 && header.CreatedTicks > options.ToTime.UtcTicks)) continue;
            long last = Math.Min(_to, successor?.FirstSequence - 1 ?? long.MaxValue);
            if (last < options.FromSequence || successor?.CreatedTicks < options.FromTime.UtcTicks) yield break;
            using IStoreFile? file = files.TryOpen(header);
            if (file is null)
            {
                // Retention removed it: what is newer has been returned, and nothing older is kept. Where nothing was, all that was to be read is gone.
                if (anyOpened) yield break;
                throw Truncated(last);
            }

            anyOpened = true;
            SegmentIndex index = files.IndexOf(file, header, successor) ?? SegmentEnd.BuildIndex(file, header);
            var declared = new DeclaredSchemas();
            bool isBuilt = false;

            // Stretch 0 is what lies before the first entry: nothing, unless the index could not be made to its beginning because of damage there, which is told by reading over it.
            for (int stretch = index.Entries.Length; stretch >= 0; stretch--)
            {
                IndexEntry? from = stretch > 0 ? index.Entries[stretch - 1] : null;
                long first = from?.Sequence ?? header.FirstSequence;
                long end = stretch < index.Entries.Length ? Math.Min(last, index.Entries[stretch].Sequence - 1) : last;
                if (first > end) continue;
                if (from?.Ticks > options.ToTime.UtcTicks)
                {
                    last = first - 1;
                    continue;
                }

                if (end < options.FromSequence || (stretch < index.Entries.Length && index.Entries[stretch].Ticks < options.FromTime.UtcTicks)) yield break;
                if (!TryReadStretch(file, header, declared, index, from, end))
                {
                    // The index is wrong: one made from the frames is not. Where the place does not hold for that one either, everything before it is read from the segment's start.
                    index = isBuilt ? new SegmentIndex(default, default) : SegmentEnd.BuildIndex(file, header);
                    isBuilt = true;
                    stretch = CountThrough(index, end) + 1;
                    continue;
                }

                foreach (LogRecord record in _stretch.NewestFirst()) yield return record;

                // An index that is made anew has its entries elsewhere: nothing is returned twice.
                last = (_stretch.HasOlder ? _stretch.FirstSequence : first) - 1;
                if (_stretch.HasOlder) stretch++;
            }
        }
    }

    private static int CountThrough(SegmentIndex index, long sequence)
    {
        int count = index.Entries.Length;
        while (count > 0 && index.Entries[count - 1].Sequence > sequence) count--;
        return count;
    }

    private LogTruncatedException Truncated(long wanted)
    {
        long first = files.Segments[0].FirstSequence;
        return new LogTruncatedException(string.Create(CultureInfo.InvariantCulture, $"{files.Directory.Name}: record {wanted} is no longer in the log, which begins with {first}: retention has removed everything that was to be read. Read again."), files.Directory.Name, first);
    }

    // Reads from an entry, or the segment's start, to a sequence; false when the entry is wrong.
    private bool TryReadStretch(IStoreFile file, SegmentHeader header, DeclaredSchemas declared, SegmentIndex index, IndexEntry? from, long end)
    {
        _stretch.Clear();
        using var scanner = new SegmentScanner(file, header, declared);
        if (from is { } entry && !scanner.TryStartAt(entry, index.Schemas)) return false;
        while (scanner.NextSequence <= end)
        {
            FrameReadStatus status = scanner.Next();
            if (status != FrameReadStatus.Frame)
                throw new StoreCorruptException($"{file.Name}, offset {scanner.Offset}: {scanner.Problem ?? "the segment ends"}, but records {scanner.NextSequence} to {end} should follow. Run 'inspect verify', and open with RecoveryMode.Salvage to keep what is before the damage.", file.Name) { Offset = scanner.Offset };
            FrameHeader frame = scanner.Frame;
            if (frame.Kind != FrameKind.Records || frame.LastSequence < options.FromSequence || frame.TimeTicks < options.FromTime.UtcTicks || frame.TimeTicks > options.ToTime.UtcTicks) continue;
            SegmentScanner.FrameRecords records = scanner.Records();
            while (records.MoveNext())
            {
                if (records.Sequence < options.FromSequence || records.Sequence > end || !options.Wants(records.Schema)) continue;
                _stretch.Add(records.Sequence, frame.TimeTicks, records.Schema, records.Payload.Span);
            }
        }

        return true;
    }
}
