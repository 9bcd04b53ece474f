// What files are there, and what do their first bytes say? Opening a StoreReader looks at headers only; what is wrong with them is kept as damage.

using System.Buffers.Binary;
using Store.IO;
using Store.Log;
using Store.Retention;
using Store.Snapshots;

namespace Store.Reading;

/// <summary>The files of a store folder, or one file, as they were when they were looked at. Reads only.</summary>
/// <param name="directory">The folder.</param>
/// <param name="path">What messages call it.</param>
/// <param name="fileName">The one file to look at; null for the folder.</param>
internal sealed class StoreSurvey(IStoreDirectory directory, string path, string? fileName)
{
    // For all but snapshots, which tell themselves what cannot be read.
    private readonly SalvagingDirectory _salvaged = new(directory);
    private readonly List<StoreDamage> _openingDamage = [];
    private readonly List<StoreFile> _files = [];
    private readonly List<SegmentHeader> _segments = [];

    // What is wrong between a segment and the one before it, whose number it is.
    private readonly List<(StoreDamage Damage, long Before)> _order = [];
    private readonly List<SnapshotInfo> _snapshots = [];

    /// <summary>Identity of the store; null when no header can be read.</summary>
    public Guid? StoreId { get; private set; }

    /// <summary>What is wrong with what was looked at.</summary>
    public IReadOnlyList<StoreDamage> OpeningDamage => _openingDamage;

    /// <summary>That the first segments of the log are not among <see cref="Segments"/>; null when they are.</summary>
    public StoreDamage? MissingBefore { get; private set; }

    /// <summary>The files by name.</summary>
    public IReadOnlyList<StoreFile> Files => _files;

    /// <summary>Headers of the log's segments that verify, oldest first.</summary>
    public IReadOnlyList<SegmentHeader> Segments => _segments;

    /// <summary>The snapshots whose header verifies, oldest first.</summary>
    public IReadOnlyList<SnapshotInfo> Snapshots => _snapshots;

    /// <summary>A sequence up to which the log was on the disk, as the mark of its end says; 0 when nothing says so.</summary>
    public long DurableThrough { get; private set; }

    /// <summary>Cursors and keyed states of the folder, as they were before the log was looked at.</summary>
    public IReadOnlyList<CursorMark> Cursors { get; private set; } = [];

    private bool IsFolder => fileName is null;

    /// <summary>Looks.</summary>
    /// <exception cref="NotAStoreException">There is nothing of NinoStore's.</exception>
    /// <exception cref="StoreVersionException">A newer NinoStore wrote it.</exception>
    public StoreSurvey Run()
    {
        if (fileName is not null) AddFile(fileName, LengthOf(fileName), isAlone: true);
        else
        {
            while (!TryAddFolder())
            {
            }
        }

        return this;
    }

    // False when a live store has gone on so far since the folder was listed that every segment of the list is removed by now.
    private bool TryAddFolder()
    {
        _openingDamage.Clear();
        _files.Clear();
        _segments.Clear();
        _snapshots.Clear();
        _order.Clear();

        // Before the log: a position is committed only after the records up to it.
        Cursors = CursorMarks.Read(_salvaged);

        // Before the listing: a live store moves the mark behind a segment that is there.
        LogEnd? end = LogEnd.Read(_salvaged, out string? endProblem);
        IReadOnlyList<StoreFileEntry> listed = directory.List();
        foreach (StoreFileEntry entry in listed)
        {
            try
            {
                AddFile(entry.Name, entry.LengthBytes, isAlone: false);
            }
            catch (FileNotFoundException e)
            {
                // A live store has removed an old snapshot or segment since the folder was listed. Or it is a link whose target is gone.
                if (directory.List().Any(f => f.Name == entry.Name)) AddUnopenable(entry, e.Message);
            }
        }

        CheckStart();
        if (_segments.Count == 0 && Newest(listed) is var newest and > 0 && Newest(directory.List()) > newest) return false;
        CheckEnd(end, endProblem);
        if (_files.Any(static f => f.Kind != StoreFileKind.Other)) return true;
        string found = _files.Count == 0 ? "it is empty" : $"it holds {_files.Count} other files, {_files[0].Name} first";
        throw new NotAStoreException($"'{path}' is no NinoStore folder: there is no segment or snapshot in it ({found}). A one-file log is opened by its own path.", path);
    }

    private static long Newest(IReadOnlyList<StoreFileEntry> listed) => listed.Select(static f => SegmentFormat.TryParseName(f.Name, out long number) ? number : 0).DefaultIfEmpty(0).Max();

    // After the segments were looked at: a live store moves the mark before it removes a segment. What is below the mark is no part of the log.
    private void CheckStart()
    {
        LogStart? start = LogStart.Read(_salvaged, out string? problem);
        if (problem is not null) _openingDamage.Add(new StoreDamage(LogStart.FileName, 0, 0, StoreDamageKind.Corruption, problem));
        long first = start?.Segment ?? 1;
        foreach (SegmentHeader retired in _segments.Where(s => s.Number < first).ToArray())
        {
            _segments.Remove(retired);
            int at = _files.FindIndex(f => f.Name == SegmentFormat.Name(retired.Number));
            _files[at] = _files[at] with { Kind = StoreFileKind.Other };
        }

        // Nor is what is missing behind one that was removed meanwhile: so is that.
        foreach ((StoreDamage damage, long before) in _order)
        {
            if (before < first) _openingDamage.Remove(damage);
        }

        if (_segments.Count == 0 || _segments[0].Number == first) return;
        MissingBefore = new StoreDamage(SegmentFormat.Name(_segments[0].Number), 0, 0, StoreDamageKind.Corruption, $"segments {first} to {_segments[0].Number - 1}, with records {start?.Sequence ?? 1} to {_segments[0].FirstSequence - 1}, are missing");
        _openingDamage.Insert(0, MissingBefore);
    }

    private void CheckEnd(LogEnd? end, string? problem)
    {
        if (problem is not null) _openingDamage.Add(new StoreDamage(LogEnd.FileName, 0, 0, StoreDamageKind.Corruption, problem));
        if (end is not { } mark || _segments.Count == 0) return;
        SegmentHeader last = _segments[^1];
        if (mark.StoreId != last.StoreId)
        {
            _openingDamage.Add(new StoreDamage(LogEnd.FileName, 0, 0, StoreDamageKind.Corruption, $"the mark of the log's end belongs to the store {mark.StoreId}, not to {last.StoreId}"));
            return;
        }

        DurableThrough = mark.Sequence;
        long newest = _files.Max(static file => SegmentFormat.TryParseName(file.Name, out long number) ? number : 0);
        if (mark.Segment > newest) _openingDamage.Add(new StoreDamage(SegmentFormat.Name(last.Number), 0, 0, StoreDamageKind.Corruption, $"segments {newest + 1} to {mark.Segment} behind it are missing: {LogEnd.FileName} says that they were begun"));
    }

    private void AddFile(string name, long length, bool isAlone)
    {
        bool isSegmentName = SegmentFormat.TryParseName(name, out long number), isSnapshotName = SnapshotName.TryParse(name, out _);
        if (!isAlone && !isSegmentName && !isSnapshotName)
        {
            _files.Add(new StoreFile { Name = name, Kind = StoreFileKind.Other, LengthBytes = length });
            return;
        }

        if (isSnapshotName)
        {
            AddSnapshot(name, length);
            return;
        }

        using SalvagingFile file = _salvaged.OpenRead(name);
        SegmentHeaderStatus status = SegmentHeader.TryRead(file, out SegmentHeader header);
        if (file.FirstUnreadable(0, SegmentFormat.HeaderSize) is { } unreadable)
        {
            if (!isSegmentName) throw new IOException($"'{path}': {unreadable.Problem}, which say what the file is.");
            AddDamagedSegment(name, length, number, unreadable.Problem);
        }
        else if (status == SegmentHeaderStatus.NotASegment && StartsLikeSnapshot(file)) AddSnapshot(name, length);
        else if (status == SegmentHeaderStatus.Valid) AddSegment(name, file, header, isAlone ? header.Number : number);
        else if (status == SegmentHeaderStatus.NewerVersion) throw new StoreVersionException($"'{path}': {name} was written by a newer version of NinoStore. Use a newer 'inspect'.", path);
        else if (!isSegmentName && status is (SegmentHeaderStatus.NotASegment or SegmentHeaderStatus.Empty))
            throw new NotAStoreException($"'{path}' is no NinoStore file: {(length == 0 ? "it is empty" : "it starts neither like a segment nor like a snapshot")}. If it should be one, its first 8 bytes are damaged.", path);
        else AddDamagedSegment(name, length, number, WhatIsWrong(status, length));
    }

    // Not from the folder's list: where names of other case are the same file, it has another name there, and the folder need not be listed.
    private long LengthOf(string name)
    {
        try
        {
            using IStoreFile file = directory.OpenRead(name);
            return file.LengthBytes;
        }
        catch (NotSupportedException e)
        {
            throw new NotAStoreException($"'{path}' is no NinoStore file: it is no regular file, so it cannot be read from any place ({e.Message}).", path);
        }
    }

    private static bool StartsLikeSnapshot(IStoreFile file)
    {
        Span<byte> start = stackalloc byte[sizeof(ulong)];
        return file.Read(start, 0) == start.Length && BinaryPrimitives.ReadUInt64LittleEndian(start) == SnapshotFormat.Magic;
    }

    private void AddSegment(string name, IStoreFile file, SegmentHeader header, long numberInName)
    {
        SegmentFooter? footer = null;
        if (IsFolder && _segments.Count > 0) CheckOrder(_segments[^1], header, name);
        if (IsFolder && (header.IsOneFile || header.Number != numberInName))
        {
            _openingDamage.Add(new StoreDamage(name, 0, SegmentFormat.HeaderSize, StoreDamageKind.Corruption, $"the file holds segment {header.Number}{(header.IsOneFile ? " of a one-file log" : "")}, not the one its name says; it is left out"));
            _files.Add(new StoreFile { Name = name, Kind = StoreFileKind.Segment, LengthBytes = file.LengthBytes });
            return;
        }

        if (header.IsOneFile) footer = SegmentEnd.ReadFooter(file, header, file.LengthBytes);
        StoreId ??= header.StoreId;
        _segments.Add(header);
        _files.Add(new StoreFile
        {
            Name = name,
            Kind = header.IsOneFile ? StoreFileKind.OneFileLog : StoreFileKind.Segment,
            LengthBytes = file.LengthBytes,
            IsReadable = true,
            SegmentNumber = header.Number,
            FirstSequence = header.FirstSequence,
            LastSequence = footer?.LastSequence,
            IsSealed = footer is not null,
            CreatedAt = new DateTimeOffset(header.CreatedTicks, TimeSpan.Zero),
        });
    }

    // The header of a segment says where its predecessor ended.
    private void CheckOrder(SegmentHeader previous, SegmentHeader header, string name)
    {
        int at = _files.FindLastIndex(static f => f.Kind == StoreFileKind.Segment && f.IsReadable);
        if (header.StoreId != previous.StoreId)
            Add(new StoreDamage(name, 16, 16, StoreDamageKind.Corruption, $"the segment belongs to the store {header.StoreId}, not to {previous.StoreId}"));
        else if (header.Number != previous.Number + 1)
            Add(new StoreDamage(name, 0, 0, StoreDamageKind.Corruption, $"segments {previous.Number + 1} to {header.Number - 1} before it are missing or unreadable"));
        else if (FooterOf(_files[at].Name, previous, header.PreviousLength) is { } footer)
            _files[at] = _files[at] with { IsSealed = true, LastSequence = footer.LastSequence };

        void Add(StoreDamage damage)
        {
            _openingDamage.Add(damage);
            _order.Add((damage, previous.Number));
        }
    }

    // Null also of a segment that a live store has removed since its header was read: the mark of the log's start, which is read last, leaves it out.
    private SegmentFooter? FooterOf(string name, SegmentHeader header, long length)
    {
        try
        {
            using SalvagingFile file = _salvaged.OpenRead(name);
            return SegmentEnd.ReadFooter(file, header, length);
        }
        catch (FileNotFoundException) when (directory.Find(name) is null)
        {
            return null;
        }
    }

    private static string WhatIsWrong(SegmentHeaderStatus status, long length) => status switch
    {
        SegmentHeaderStatus.Empty => "the file holds no segment header, only zeros",
        SegmentHeaderStatus.TooShort => $"the file of {length} bytes is too short for a segment header",
        SegmentHeaderStatus.NotASegment => "the file does not start with a segment header",
        _ => "the segment header's checksum does not match",
    };

    private void AddDamagedSegment(string name, long length, long number, string what)
    {
        _openingDamage.Add(new StoreDamage(name, 0, Math.Min(length, SegmentFormat.HeaderSize), StoreDamageKind.Corruption, $"{what}, so no frame in the file can be checked"));
        _files.Add(new StoreFile { Name = name, Kind = StoreFileKind.Segment, LengthBytes = length, SegmentNumber = number });
    }

    private void AddUnopenable(StoreFileEntry entry, string why)
    {
        _openingDamage.Add(new StoreDamage(entry.Name, 0, 0, StoreDamageKind.Corruption, $"the name leads to no file ({why})"));
        bool isSegment = SegmentFormat.TryParseName(entry.Name, out long number);
        _files.Add(new StoreFile { Name = entry.Name, Kind = isSegment ? StoreFileKind.Segment : StoreFileKind.Snapshot, LengthBytes = entry.LengthBytes, SegmentNumber = isSegment ? number : 0 });
    }

    private void AddSnapshot(string name, long length)
    {
        using SnapshotFile? snapshot = SnapshotFile.TryOpen(directory, name, SnapshotVerification.OnFirstTouch, out SnapshotFailure? failure);
        if (snapshot is null)
        {
            // Of a folder it is one file that cannot be looked at; the log and the others can be.
            if (!IsFolder && failure!.Kind == SnapshotFailureKind.NewerVersion) throw failure.ToException(directory.Name);

            // A place in it is damage like any other; without any place nothing of it can be looked at.
            if (!IsFolder && failure!.Kind == SnapshotFailureKind.Unreadable && failure.LengthBytes == 0) throw new IOException($"'{Path.Combine(directory.Name, name)}' cannot be read: {failure.Message}", failure.Cause);
            _openingDamage.Add(failure!.ToDamage());
            _files.Add(new StoreFile { Name = name, Kind = StoreFileKind.Snapshot, LengthBytes = length });
            return;
        }

        if (IsFolder && StoreId is { } id && snapshot.StoreId != id)
            _openingDamage.Add(new StoreDamage(name, 32, 16, StoreDamageKind.Corruption, $"the snapshot belongs to the store {snapshot.StoreId}, not to {id}") { SnapshotFailure = SnapshotFailureKind.ForeignStore });
        StoreId ??= snapshot.StoreId;
        SnapshotInfo info = snapshot.Info;
        _snapshots.Add(info);
        _files.Add(new StoreFile
        {
            Name = name,
            Kind = StoreFileKind.Snapshot,
            LengthBytes = length,
            IsReadable = true,
            IsSealed = true,
            FirstSequence = info.Sequence,
            LastSequence = info.Sequence,
            CreatedAt = info.Timestamp,
        });
    }
}
