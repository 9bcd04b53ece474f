// Is everything that a reader found whole? Every byte of the log's segments and of the snapshots' parts is read and checked, and counted on the way.

using Store.Framing;
using Store.Log;
using Store.Retention;
using Store.Serialization;
using Store.Snapshots;

namespace Store.Reading;

/// <summary>Reads everything a <see cref="StoreReader"/> found and adds it up. One use.</summary>
/// <param name="reader">The reader.</param>
/// <param name="files">Its files: gone through twice, however many there are.</param>
/// <param name="progress">Told the bytes read so far.</param>
/// <param name="cancellationToken">Stops the reading.</param>
internal sealed class StoreVerifier(StoreReader reader, IReadOnlyList<StoreFile> files, IProgress<long>? progress, CancellationToken cancellationToken)
{
    private const long ReportEveryBytes = 1024 * 1024;

    private readonly List<StoreDamage> _damage = [.. reader.OpeningDamage];
    private readonly List<VerifiedFile> _verified = [];
    private readonly Dictionary<string, StoreFile> _files = files.ToDictionary(static f => f.Name, StringComparer.Ordinal);
    private readonly Dictionary<NinoSchema, TypeCount> _types = new(SameSchema.Comparer);
    private readonly Dictionary<NinoSchema, TypeCount> _typeOf = new(ReferenceEqualityComparer.Instance);

    // Of the records that snapshots stand behind.
    private readonly Dictionary<long, uint?> _marks = reader.Snapshots.Select(static s => s.Sequence).Distinct().ToDictionary(static s => s, static _ => (uint?)null);
    private long _bytesRead;
    private long _reported;

    public VerifyReport Run()
    {
        SegmentWalk? previous = null;
        long lastSequence = 0;
        for (int i = 0; i < reader.Segments.Count; i++)
        {
            SegmentHeader header = reader.Segments[i];
            if (TryWalk(i, ref lastSequence) is not { } opened) continue;
            using SegmentWalk walk = opened;
            if (previous is not null) CheckLink(previous, header);
            Segment(walk, _files[reader.NameOf(header)]);
            lastSequence = Math.Max(lastSequence, walk.Scanner.NextSequence - 1);
            previous = walk;
        }

        foreach (SnapshotInfo info in reader.Snapshots)
        {
            try
            {
                Snapshot(info, lastSequence);
            }
            catch (FileNotFoundException) when (reader.IsFolder && reader.IsGone(info.FileName))
            {
                // A live store has removed it since the reader was opened. Of a file that was asked for by its name nothing is known then.
            }
        }

        if (reader.StoreId is { } storeId && reader.Segments.Count > 0) CursorMarks.Report(reader.CursorMarks, storeId, lastSequence, _damage);
        foreach (StoreFile file in files)
        {
            if (!file.IsReadable && file.Kind != StoreFileKind.Other) _verified.Add(new VerifiedFile { File = file });
        }

        progress?.Report(_bytesRead);
        return new VerifyReport
        {
            Files = _verified,
            Types = [.. _types.Values.OrderByDescending(static t => t.Bytes).Select(static t => new VerifiedType(t.Schema, t.Records, t.Bytes, t.First, t.Last))],
            Damage = _damage,
            BytesRead = _bytesRead,
        };
    }

    // Null for a segment that a live store has removed since the reader was opened. The log has been further than what is left to be read of it.
    private SegmentWalk? TryWalk(int segment, ref long lastSequence)
    {
        try
        {
            return reader.Walk(segment, _damage.Add);
        }
        catch (LogTruncatedException e)
        {
            lastSequence = Math.Max(lastSequence, e.FirstSequence - 1);
            return null;
        }
    }

    private void Segment(SegmentWalk walk, StoreFile file)
    {
        List<NotedCheckpoint> noted = [];
        long frames = 0, records = 0, recordBytes = 0, first = 0, last = 0, firstTicks = 0, lastTicks = 0, before = _bytesRead;
        while (walk.MoveNext())
        {
            cancellationToken.ThrowIfCancellationRequested();
            FrameHeader frame = walk.Scanner.Frame;
            frames++;
            Advance(before + walk.UsedBytes);
            if (frame.Kind == FrameKind.Checkpoint && CheckpointNote.TryDecode(walk.Scanner.PayloadSpan, out CheckpointNote note)) noted.Add(new NotedCheckpoint(note.Sequence, note.SnapshotId, note.FileName));
            if (frame.Kind != FrameKind.Records) continue;
            SegmentScanner.FrameRecords all = walk.Scanner.Records();
            while (StoreReader.MoveNext(walk, ref all))
            {
                TypeCount type = CountOf(all.Schema, all.Sequence);
                type.Records++;
                type.Bytes += all.Payload.Length;
                type.Last = all.Sequence;
                if (_marks.ContainsKey(all.Sequence)) _marks[all.Sequence] = RecordMark.Of(new LogRecord(all.Sequence, new DateTimeOffset(frame.TimeTicks, TimeSpan.Zero), all.Schema, all.Payload));
                records++;
                recordBytes += all.Payload.Length;
                if (first == 0) (first, firstTicks) = (all.Sequence, frame.TimeTicks);
                (last, lastTicks) = (all.Sequence, frame.TimeTicks);
            }
        }

        Advance(before + file.LengthBytes);
        _verified.Add(new VerifiedFile
        {
            File = file,
            Frames = frames,
            Records = records,
            RecordBytes = recordBytes,
            Checkpoints = noted,
            UsedBytes = walk.UsedBytes,
            FirstSequence = first,
            LastSequence = last,
            FirstTime = records == 0 ? null : new DateTimeOffset(firstTicks, TimeSpan.Zero),
            LastTime = records == 0 ? null : new DateTimeOffset(lastTicks, TimeSpan.Zero),
            Schemas = [.. walk.Scanner.Schemas.OrderBy(static s => s.Key).Select(static s => s.Value)],
            IsSealed = walk.FooterChecksum is not null,
            IsClosed = walk.IsClosed,
        });
    }

    // A segment repeats the end of the one before it. Where that one is damaged, the damage has been reported.
    private void CheckLink(SegmentWalk previous, SegmentHeader header)
    {
        if (previous.Scanner.Header.Number + 1 != header.Number || previous.Scanner.Header.StoreId != header.StoreId) return;
        if (header.Epoch < previous.Scanner.Header.Epoch)
        {
            _damage.Add(new StoreDamage(reader.NameOf(header), 0, 0, StoreDamageKind.Corruption,
                $"the segment was begun by an opening with the epoch {header.Epoch}, and the one before it by a later opening, with the epoch {previous.Scanner.Header.Epoch}: a writer that had lost the log to another went on, or a file is of another copy of the store"));
            return;
        }

        if (previous.IsDamaged) return;
        if (previous.UsedBytes == header.PreviousLength && previous.FooterChecksum == header.PreviousChecksum
            && previous.Scanner.NextSequence == header.FirstSequence && header.PreviousLastSequence == header.FirstSequence - 1) return;
        _damage.Add(new StoreDamage(reader.NameOf(previous.Scanner.Header), previous.UsedBytes, 0, StoreDamageKind.Corruption,
            $"the segment ends at offset {previous.UsedBytes} with record {previous.Scanner.NextSequence - 1}, but the next one says that it ended at {header.PreviousLength} with record {header.PreviousLastSequence}: it was exchanged or cut"));
    }

    private void Snapshot(SnapshotInfo info, long lastSequence)
    {
        StoreFile file = _files[info.FileName];
        using SnapshotFile? snapshot = SnapshotFile.TryOpen(reader.FilesOf, info.FileName, SnapshotVerification.OnFirstTouch, out SnapshotFailure? failure);
        if (snapshot is null)
        {
            _damage.Add(failure!.ToDamage());
            _verified.Add(new VerifiedFile { File = file });
            return;
        }

        long before = _bytesRead;
        List<VerifiedPart> parts = [];
        using (snapshot.Use())
        {
            foreach (SnapshotPart part in snapshot.Parts)
            {
                StoreDamage[] damage = [.. part.Verify(read => Advance(_bytesRead + read), cancellationToken).Select(static failure => failure.ToDamage())];
                _damage.AddRange(damage);
                bool isCounted = part.HasItems && part.FindIndexDamage() is null;
                parts.Add(new VerifiedPart(part.Name, part.Schema, part.HasItems, isCounted ? part.ItemCount : null, part.DataLengthBytes, damage));
            }
        }

        if (reader.IsFolder && info.Sequence > lastSequence)
            _damage.Add(new StoreDamage(info.FileName, 0, 0, StoreDamageKind.Corruption, $"the snapshot covers records up to {info.Sequence}, but the log ends with {lastSequence}: the end of the log is lost") { SnapshotFailure = SnapshotFailureKind.AheadOfLog });
        else if (reader.IsFolder && snapshot.Tie.Mark != SnapshotFormat.NoMark && _marks[info.Sequence] is { } mark && mark != snapshot.Tie.Mark)
            _damage.Add(new StoreDamage(info.FileName, SnapshotFormat.RecordMarkOffset, SnapshotFormat.RecordMarkSize, StoreDamageKind.Corruption, $"the snapshot covers records up to {info.Sequence}, and record {info.Sequence} of the log is another one than when it was written: it belongs to another history of the log") { SnapshotFailure = SnapshotFailureKind.OtherHistory });
        Advance(before + info.LengthBytes);
        _verified.Add(new VerifiedFile { File = file, SnapshotId = info.SnapshotId, UsedBytes = info.LengthBytes, Schemas = [.. parts.Select(static part => part.Schema)], Parts = parts, IsSealed = true, IsClosed = true });
    }

    private TypeCount CountOf(NinoSchema schema, long sequence)
    {
        if (_typeOf.TryGetValue(schema, out TypeCount? known)) return known;
        if (!_types.TryGetValue(schema, out known)) _types.Add(schema, known = new TypeCount(schema) { First = sequence });
        _typeOf.Add(schema, known);
        return known;
    }

    private void Advance(long bytesRead)
    {
        _bytesRead = Math.Max(_bytesRead, bytesRead);
        if (progress is null || _bytesRead - _reported < ReportEveryBytes) return;
        _reported = _bytesRead;
        progress.Report(_bytesRead);
    }

    private sealed class TypeCount(NinoSchema schema)
    {
        public NinoSchema Schema { get; } = schema;
        public long Records { get; set; }
        public long Bytes { get; set; }
        public long First { get; init; }
        public long Last { get; set; }
    }
}
