// Reads records newest first. Frames can only be followed forward, so a stretch between two entries of the index is read forward and returned backward.

using System.Buffers;
using System.Globalization;
using Store.Framing;
using Store.IO;
using Store.Serialization;

namespace Store.Log;

/// <summary>A backward pass over records. Not thread-safe.</summary>
/// <param name="files">The log.</param>
/// <param name="options">Which records.</param>
/// <param name="span">The log at the moment the reading began; its records are in the files by now.</param>
internal sealed class ReverseScan(ILogFiles files, ReadOptions options, LogSpan span)
{
    private readonly ArrayBufferWriter<byte> _bytes = new();
    private readonly List<Place> _stretch = [];
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
            if (header.FirstSequence > _to) continue;
            long last = Math.Min(_to, successor?.FirstSequence - 1 ?? long.MaxValue);
            if (last < options.FromSequence || successor?.CreatedTicks < options.FromTime.UtcTicks) yield break;
            using IStoreFile? file = TryOpen(header);
            if (file is null)
            {
                // Retention removed it: what is newer has been returned, and nothing older is kept. Where nothing was, all that was to be read is gone.
                if (anyOpened) yield break;
                throw Truncated(last);
            }

            anyOpened = true;
            SegmentIndex index = files.IndexOf(file, header, successor) ?? SegmentEnd.BuildIndex(file, header);
            for (int stretch = index.Entries.Length - 1; stretch >= 0; stretch--)
            {
                IndexEntry from = index.Entries[stretch];
                long end = stretch + 1 < index.Entries.Length ? Math.Min(last, index.Entries[stretch + 1].Sequence - 1) : last;
                if (from.Sequence > last || from.Ticks > options.ToTime.UtcTicks) continue;
                if (end < options.FromSequence) yield break;
                if (!TryReadStretch(file, header, index, from, end))
                {
                    // The index is wrong: one made from the frames is not.
                    index = SegmentEnd.BuildIndex(file, header);
                    stretch = LastBefore(index, end) + 1;
                    continue;
                }

                for (int at = _stretch.Count - 1; at >= 0; at--)
                {
                    Place place = _stretch[at];
                    yield return new LogRecord(place.Sequence, new DateTimeOffset(place.Ticks, TimeSpan.Zero), place.Schema, _bytes.WrittenMemory.Slice(place.Start, place.Length));
                }
            }
        }
    }

    private static int LastBefore(SegmentIndex index, long sequence)
    {
        int at = index.Entries.Length - 1;
        while (at > 0 && index.Entries[at].Sequence > sequence) at--;
        return at;
    }

    private IStoreFile? TryOpen(SegmentHeader header)
    {
        try
        {
            return files.Directory.OpenRead(files.NameOf(header));
        }
        catch (FileNotFoundException) when (files.IsRetired(header))
        {
            return null;
        }
    }

    private LogTruncatedException Truncated(long wanted)
    {
        long first = files.Segments[0].FirstSequence;
        return new LogTruncatedException(string.Create(CultureInfo.InvariantCulture, $"{files.Directory.Name}: record {wanted} is no longer in the log, which begins with {first}: retention has removed everything that was to be read. Read again."), files.Directory.Name, first);
    }

    private bool TryReadStretch(IStoreFile file, SegmentHeader header, SegmentIndex index, IndexEntry from, long end)
    {
        _stretch.Clear();
        _bytes.ResetWrittenCount();
        using var scanner = new SegmentScanner(file, header);
        if (!scanner.TryStartAt(from, index.Schemas)) return false;
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
                _stretch.Add(new Place(records.Sequence, frame.TimeTicks, records.Schema, _bytes.WrittenCount, records.Payload.Length));
                _bytes.Write(records.Payload.Span);
            }
        }

        return true;
    }

    private readonly record struct Place(long Sequence, long Ticks, NinoSchema Schema, int Start, int Length);
}
