// Goes through files newest record first, over damaged places. Frames, and what damage between them means, can only be told from the front: so a segment is taken in
// stretches, the last one first, and each is walked forward and returned backward.

using Store.Framing;
using Store.Log;

namespace Store.Reading;

/// <summary>A backward pass over the log a <see cref="StoreReader"/> looks into. Not thread-safe.</summary>
/// <param name="reader">The files.</param>
/// <param name="range">Which records.</param>
/// <param name="onDamage">Told about each damaged place, before the records of the stretch it lies in are returned.</param>
internal sealed class ReverseWalk(StoreReader reader, ReadOptions range, Action<StoreDamage> onDamage)
{
    private readonly ReverseStretch _records = new();
    private readonly List<StoreDamage> _damage = [];

    // Last sequence that has not been returned yet.
    private long _through = range.ToSequence;

    /// <summary>True when something of the range could be read.</summary>
    public bool HasOpened { get; private set; }

    /// <summary>The records, newest first; payloads are valid until the enumerator moves on.</summary>
    public IEnumerable<LogRecord> Records()
    {
        for (int i = reader.Segments.Count - 1; i >= 0; i--)
        {
            SegmentHeader header = reader.Segments[i];
            SegmentHeader? next = i + 1 < reader.Segments.Count ? reader.Segments[i + 1] : null;

            // No record of a segment is older than it, unless it is the first of all: old records may be imported into a new log, and a clock set back.
            if (header.FirstSequence > range.ToSequence || (header.Number > 1 && header.CreatedTicks > range.ToTime.UtcTicks) || next?.FirstSequence <= range.FromSequence || next?.CreatedTicks < range.FromTime.UtcTicks) continue;
            foreach (LogRecord record in Segment(i, next)) yield return record;
        }
    }

    private IEnumerable<LogRecord> Segment(int segment, SegmentHeader? next)
    {
        // Beside a writer the end of the last segment moves on: what was walked is the end. One byte behind it, so that damage which begins there is told.
        long limit = long.MaxValue;
        bool isWalked = false, again = false;
        var declared = new DeclaredSchemas();
        if (StoredIndex(segment, next) is not { } index) index = WalkedIndex(segment, out limit);

        // Stretch 0 is what lies before the first entry: schemas, and damage.
        for (int stretch = index.Entries.Length; stretch >= 0; stretch--)
        {
            IndexEntry? from = stretch == 0 ? null : index.Entries[stretch - 1];
            IndexEntry? after = stretch < index.Entries.Length ? index.Entries[stretch] : null;
            if (after is { } behind && (behind.Sequence <= range.FromSequence || behind.Ticks < range.FromTime.UtcTicks)) yield break;
            if (from is not { } first || (first.Sequence <= range.ToSequence && first.Ticks <= range.ToTime.UtcTicks))
            {
                if (!TryRead(segment, declared, from, index, limit, mustSeek: !isWalked))
                {
                    // The index is wrong: one made from the frames is not.
                    (index, isWalked) = (WalkedIndex(segment, out _), true);
                    stretch = CountBelow(index, limit) + 1;
                    continue;
                }

                HasOpened = true;

                // A stretch that is read again, for older records, tells nothing again.
                if (!again) foreach (StoreDamage damage in _damage) onDamage(damage);
                foreach (LogRecord record in _records.NewestFirst()) yield return record;
                again = _records.HasOlder;
                if (again)
                {
                    _through = _records.FirstSequence - 1;
                    stretch++;
                    continue;
                }
            }

            limit = from?.Offset ?? 0;
        }
    }

    private SegmentIndex? StoredIndex(int segment, SegmentHeader? next)
    {
        if (next is not { } successor) return null;
        using SegmentWalk walk = reader.Walk(segment, static _ => { });
        return walk.ReadIndex(successor);
    }

    private SegmentIndex WalkedIndex(int segment, out long limit)
    {
        var builder = new SegmentIndexBuilder();
        using SegmentWalk walk = reader.Walk(segment, static _ => { });
        while (walk.MoveNext()) builder.Add(walk.Scanner.Frame.Kind, walk.Scanner.FrameOffset, walk.Scanner.Frame.FirstSequence, walk.Scanner.Frame.TimeTicks);
        limit = walk.Scanner.Offset + 1;
        return builder.ToIndex();
    }

    private static int CountBelow(SegmentIndex index, long offset)
    {
        int count = index.Entries.Length;
        while (count > 0 && index.Entries[count - 1].Offset >= offset) count--;
        return count;
    }

    // Reads what begins at an entry and ends before an offset; false when the entry is wrong. Where it must not be trusted either, the segment is walked from its start.
    private bool TryRead(int segment, DeclaredSchemas declared, IndexEntry? from, SegmentIndex index, long limit, bool mustSeek)
    {
        _records.Clear();
        _damage.Clear();
        SegmentWalk walk = reader.Walk(segment, Keep, declared);
        try
        {
            if (from is { } entry && !walk.TryStartAt(entry, index.Schemas))
            {
                if (mustSeek) return false;
                walk.Dispose();
                walk = reader.Walk(segment, Keep, declared);
            }

            while (walk.Scanner.Offset < limit && walk.MoveNext() && walk.Scanner.FrameOffset < limit)
            {
                if (walk.Scanner.FrameOffset >= (from?.Offset ?? 0)) Take(walk);
            }

            return true;
        }
        finally
        {
            walk.Dispose();
        }

        void Keep(StoreDamage damage)
        {
            if (damage.Offset >= (from?.Offset ?? 0) && damage.Offset < limit) _damage.Add(damage);
        }
    }

    private void Take(SegmentWalk walk)
    {
        FrameHeader frame = walk.Scanner.Frame;
        if (frame.Kind != FrameKind.Records || frame.LastSequence < range.FromSequence || frame.FirstSequence > _through || frame.TimeTicks < range.FromTime.UtcTicks || frame.TimeTicks > range.ToTime.UtcTicks) return;
        SegmentScanner.FrameRecords records = walk.Scanner.Records();
        while (StoreReader.MoveNext(walk, ref records))
        {
            if (records.Sequence < range.FromSequence || records.Sequence > _through || !range.Wants(records.Schema)) continue;
            _records.Add(records.Sequence, frame.TimeTicks, records.Schema, records.Payload.Span);
        }
    }
}
