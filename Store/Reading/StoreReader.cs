// The way into a store's files for everybody who does not write them: tools, other processes, tests. Opening reads headers only.

using System.Runtime.CompilerServices;
using Store.Framing;
using Store.IO;
using Store.Log;
using Store.Reading;
using Store.Retention;
using Store.Serialization;
using Store.Snapshots;

namespace Store;

/// <summary>
/// Looks into a store folder, a segment, a one-file log or a snapshot: live or at rest, whole or damaged. Never writes, takes no lock, keeps no file
/// open between calls. Sees what has reached the files when it reads them; of a live log, up to the last whole frame. Safe for any number of threads.
/// </summary>
public sealed class StoreReader : IDisposable
{
    private static readonly TimeSpan RecentlyWritten = TimeSpan.FromSeconds(1);

    private readonly IStoreDirectory _directory;
    private readonly SalvagingDirectory _salvaged;
    private readonly string? _fileName;
    private readonly Func<string, bool> _isBeingWritten;
    private readonly StoreSurvey _survey;
    private readonly IReadOnlyList<SegmentHeader> _segments;

    private StoreReader(IStoreDirectory directory, string path, string? fileName, Func<string, bool> isBeingWritten)
    {
        _survey = new StoreSurvey(directory, path, fileName).Run();
        _segments = _survey.Segments;
        _directory = directory;
        _salvaged = new SalvagingDirectory(directory);
        _fileName = fileName;
        _isBeingWritten = isBeingWritten;
        Path = path;
    }

    /// <summary>Opens a path.</summary>
    /// <param name="path">A store folder, or one of: a segment, a one-file log, a snapshot.</param>
    /// <exception cref="IOException">It cannot be read, or its folder may not be searched or listed; <see cref="FileNotFoundException"/> when it is not there.</exception>
    /// <exception cref="NotAStoreException">It is there and is nothing of NinoStore's.</exception>
    /// <exception cref="StoreVersionException">A newer NinoStore wrote it.</exception>
    /// <remarks>Damage is no exception here: it is in <see cref="Verify"/>.</remarks>
    public static StoreReader Open(string path)
    {
        ArgumentException.ThrowIfNullOrEmpty(path);
        string full = System.IO.Path.GetFullPath(path);
        PathKind kind = PathLook.At(full);
        if (kind == PathKind.Nothing) throw new FileNotFoundException($"There is no file or folder '{path}'.", path);
        bool isFolder = kind == PathKind.Folder;
        DiskDirectory directory = DiskDirectory.OpenReadOnly(isFolder ? full : System.IO.Path.GetDirectoryName(full)!);
        try
        {
            return Open(directory, full, isFolder ? null : System.IO.Path.GetFileName(full), name => DateTime.UtcNow - directory.LastWriteTime(name) < RecentlyWritten);
        }
        catch
        {
            directory.Dispose();
            throw;
        }
    }

    /// <summary>Opens files that need not be on a disk.</summary>
    /// <param name="directory">The folder; closed by <see cref="Dispose"/>.</param>
    /// <param name="path">What messages call it.</param>
    /// <param name="fileName">The one file to look at; null for the folder.</param>
    /// <param name="isBeingWritten">True when a file was written to just now.</param>
    internal static StoreReader Open(IStoreDirectory directory, string path, string? fileName, Func<string, bool> isBeingWritten) => new(directory, path, fileName, isBeingWritten);

    /// <summary>The full path that was opened.</summary>
    public string Path { get; }

    /// <summary>True for a store folder, false for one file.</summary>
    public bool IsFolder => _fileName is null;

    /// <summary>True for a snapshot file whose header verifies, opened by its own path.</summary>
    public bool IsSnapshot => !IsFolder && _segments.Count == 0 && Snapshots.Count == 1;

    /// <summary>Identity of the store that wrote the files; null when no header can be read.</summary>
    public Guid? StoreId => _survey.StoreId;

    /// <summary>The files by name, as they were when this was opened.</summary>
    public IReadOnlyList<StoreFile> Files => _survey.Files;

    /// <summary>The snapshots whose header verifies, oldest first.</summary>
    public IReadOnlyList<SnapshotInfo> Snapshots => _survey.Snapshots;

    /// <summary>Bytes that <see cref="Verify"/> will read: the length of all segments and snapshots.</summary>
    public long LengthBytes => Files.Where(static f => f.Kind != StoreFileKind.Other).Sum(static f => f.LengthBytes);

    /// <summary>
    /// Reads the log's records in order, oldest or newest first, over damaged places. Of a snapshot file: what <see cref="SnapshotRecords"/> gives, each value and item as a record with the
    /// sequence that the snapshot covers.
    /// </summary>
    /// <param name="options">Which; all when null. What lies before it is neither read nor verified as far as an index tells where it begins.</param>
    /// <param name="onDamage">Told about each damaged place that was passed, when it is passed; newest first a little earlier, and of a place across an entry of the index in two parts. What a segment's link to the one before says is checked by <see cref="Verify"/> only.</param>
    /// <returns>Records whose payload is valid until the enumeration moves on. Each enumeration reads the files anew.</returns>
    /// <exception cref="IOException">A file cannot be opened or read at all. A sector that the disk cannot read is damage.</exception>
    /// <exception cref="LogTruncatedException">A live store's retention has removed a segment since this was opened. Reading may go on from <see cref="LogTruncatedException.FirstSequence"/>. Newest first, reading ends there without an exception, unless everything that was to be read is gone.</exception>
    public IEnumerable<LogRecord> ReadRecords(ReadOptions? options = null, Action<StoreDamage>? onDamage = null)
    {
        options ??= ReadOptions.All;
        onDamage ??= static _ => { };
        if (options.DurableOnly && _segments.Count > 0) options = options with { ToSequence = Math.Min(options.ToSequence, DurableThrough()) };
        if (IsSnapshot) return SnapshotRecords(null, options, onDamage).Select(static record => record.Record);
        return options.NewestFirst ? Backward(options, onDamage) : LogRecords(options, onDamage);
    }

    /// <summary>As <see cref="ReadRecords"/>, the records of one type, decoded. The objects are the caller's.</summary>
    /// <param name="options">Which; all of the type when null.</param>
    /// <param name="onDamage">As of <see cref="ReadRecords"/>.</param>
    /// <exception cref="SchemaMismatchException">Records of the type are stored in another shape than it has now, which cannot be read as it.</exception>
    /// <inheritdoc cref="ReadRecords" path="/exception"/>
    public IEnumerable<LogRecord<T>> Read<T>(ReadOptions? options = null, Action<StoreDamage>? onDamage = null) =>
        ReadRecords((options ?? ReadOptions.All) with { Types = NinoCodec<T>.Default.Schema.Names }, onDamage).Select(static record => new LogRecord<T>(record.Sequence, record.Timestamp, record.As<T>()));

    /// <summary>
    /// Reads the values and items of a snapshot file, part by part in the order of the file (whatever <see cref="ReadOptions.NewestFirst"/> says), over damaged places: a value with a damaged byte is
    /// lost, of a stream of items those on the damaged page.
    /// </summary>
    /// <param name="part">Only the part of this name; all when null.</param>
    /// <param name="options">Which types; and all or nothing by the sequence it covers and the time it was written.</param>
    /// <param name="onDamage">Told about each damaged place that was passed, with the items that are lost by it.</param>
    /// <returns>Records whose payload is valid until the enumeration moves on. Each enumeration reads the file anew.</returns>
    /// <exception cref="InvalidOperationException">What was opened is no snapshot file.</exception>
    /// <exception cref="KeyNotFoundException">There is no part of that name.</exception>
    /// <exception cref="IOException">The file cannot be read.</exception>
    public IEnumerable<SnapshotRecord> SnapshotRecords(string? part = null, ReadOptions? options = null, Action<StoreDamage>? onDamage = null)
    {
        if (!IsSnapshot) throw new InvalidOperationException($"'{Path}' is no snapshot: open the file of one by its own path.");
        if (part is not null)
        {
            using SnapshotFile snapshot = SnapshotFile.Open(_directory, Snapshots[0].FileName);
            snapshot.Part(part);
        }

        return WalkSnapshot(part, options ?? ReadOptions.All, onDamage ?? (static _ => { }));
    }

    /// <summary>
    /// Follows the log of a live store from another process: returns the records that are there and then those that come, in order, without gap or duplicate, as
    /// soon as they are in the files, durable or not. A frame that is not whole yet is waited for. Told of changes by the operating system where it can; looks by
    /// itself at distances from 1 ms, growing to 64 ms (500 ms where it is told) while nothing happens. Never ends by itself, unless the options have an end.
    /// </summary>
    /// <param name="options">Which records; all when null.</param>
    /// <param name="cancellationToken">Ends the following with an <see cref="OperationCanceledException"/>.</param>
    /// <exception cref="ArgumentException">The options ask for the newest record first, or for durable records only: what is durable is known to the store that writes.</exception>
    /// <exception cref="InvalidOperationException">There is no log here that could grow: a snapshot, or one segment of a folder.</exception>
    /// <exception cref="LogTruncatedException">Retention removed what follows.</exception>
    /// <exception cref="StoreCorruptException">A frame is damaged, and the log goes on behind it: in the next segment, or in the same file, as frames say that were written later. Or a segment is missing, cannot be told from its first bytes, or is not the one that continues the log; or the one that is followed was exchanged for one that does not hold what was returned, because the store was put back from a backup.</exception>
    /// <exception cref="IOException">A file cannot be read.</exception>
    public async IAsyncEnumerable<LogRecord> TailRecordsAsync(ReadOptions? options = null, [EnumeratorCancellation] CancellationToken cancellationToken = default)
    {
        options ??= ReadOptions.All;
        options.ThrowUnlessFollowedFromOutside(nameof(options));
        if (_segments.Count == 0 || (!IsFolder && !_segments[0].IsOneFile)) throw new InvalidOperationException($"'{Path}' is no log that can be followed: open a store folder or a one-file log.");
        using FolderWatch? watch = _directory is DiskDirectory ? FolderWatch.TryCreate(_directory.Name) : null;
        await foreach (LogRecord record in TailRecordsAsync(new FileFollower(_directory, _fileName, watch), options, cancellationToken).ConfigureAwait(false)) yield return record;
    }

    /// <summary>As <see cref="TailRecordsAsync(ReadOptions?, CancellationToken)"/>, the records of one type, decoded.</summary>
    /// <exception cref="SchemaMismatchException">Records of the type are stored in another shape than it has now.</exception>
    /// <inheritdoc cref="TailRecordsAsync(ReadOptions?, CancellationToken)" path="/exception"/>
    public async IAsyncEnumerable<LogRecord<T>> TailAsync<T>(ReadOptions? options = null, [EnumeratorCancellation] CancellationToken cancellationToken = default)
    {
        options = (options ?? ReadOptions.All) with { Types = NinoCodec<T>.Default.Schema.Names };
        await foreach (LogRecord record in TailRecordsAsync(options, cancellationToken).ConfigureAwait(false)) yield return new LogRecord<T>(record.Sequence, record.Timestamp, record.As<T>());
    }

    /// <summary>
    /// Reads every byte of the log and of the snapshots and checks every checksum, order and link; and that no snapshot, cursor or keyed state is ahead of the log. What the disk cannot read is damage;
    /// files that a live store has removed since this was opened are left out.
    /// </summary>
    /// <param name="progress">Told the bytes read so far, about once a MiB, on the calling thread.</param>
    /// <param name="cancellationToken">Stops the reading.</param>
    /// <exception cref="IOException">A file cannot be opened or read at all.</exception>
    /// <exception cref="OperationCanceledException">The token was cancelled.</exception>
    public VerifyReport Verify(IProgress<long>? progress = null, CancellationToken cancellationToken = default) =>
        new StoreVerifier(this, Files, progress, cancellationToken).Run();

    /// <summary>Closes the folder.</summary>
    public void Dispose() => _directory.Dispose();

    /// <summary>As the public ones, by a follower of these files.</summary>
    internal IAsyncEnumerable<LogRecord> TailRecordsAsync(FileFollower follower, ReadOptions options, CancellationToken cancellationToken)
    {
        if (_survey.MissingBefore is { } missing && options.FromSequence < _segments[0].FirstSequence)
            throw new StoreCorruptException($"{Path}: {missing.Message}. Run 'inspect verify', and restore them from a backup, or follow from record {_segments[0].FirstSequence} on.", Path);
        return follower.FollowAsync(options, RecordScan.FirstSegment(_segments, options), cancellationToken);
    }

    internal IStoreDirectory FilesOf => _directory;

    internal IReadOnlyList<StoreDamage> OpeningDamage => _survey.OpeningDamage;

    /// <summary>A sequence up to which the log was on the disk, as the mark of its end says.</summary>
    internal long MarkedThrough => _survey.DurableThrough;

    /// <summary>Cursors and keyed states of a folder, as they were before the log was looked at.</summary>
    internal IReadOnlyList<CursorMark> CursorMarks => _survey.Cursors;

    /// <summary>Headers that verify, oldest first.</summary>
    internal IReadOnlyList<SegmentHeader> Segments => _segments;

    internal string NameOf(SegmentHeader header) => _fileName ?? SegmentFormat.Name(header.Number);

    /// <summary>True when a file that was listed is there no more: its removal is the owner's doing and no damage.</summary>
    internal bool IsGone(string name) => _directory.Find(name) is null;

    internal SegmentWalk Walk(int index, Action<StoreDamage> report, DeclaredSchemas? declared = null)
    {
        SegmentHeader header = _segments[index];
        string name = NameOf(header);
        try
        {
            return new SegmentWalk(_salvaged.OpenRead(name), header, IsLast(index), MarkedThrough, new WriterPatience(() => _isBeingWritten(name)), report, declared);
        }
        catch (FileNotFoundException) when (IsFolder && LogStart.Read(_salvaged, out _) is { } start && start.Segment > header.Number)
        {
            throw new LogTruncatedException($"{_directory.Name}: {name} is no longer in the log, which begins with record {start.Sequence}: retention has removed what is before. Open the folder again.", _directory.Name, start.Sequence);
        }
    }

    // What the last frames say. A segment that has a successor is durable.
    private long DurableThrough()
    {
        long durable = Math.Max(_segments[^1].FirstSequence - 1, MarkedThrough);
        using SegmentWalk walk = Walk(_segments.Count - 1, static _ => { });
        while (walk.MoveNext()) durable = Math.Max(durable, walk.Scanner.Frame.SyncedThrough);
        return durable;
    }

    // A segment that was opened alone is not the last one when its folder holds the next.
    private bool IsLast(int index) => index == _segments.Count - 1
        && (IsFolder || _segments[index].IsOneFile || _directory.Find(SegmentFormat.Name(_segments[index].Number + 1)) is null);

    private IEnumerable<LogRecord> Backward(ReadOptions options, Action<StoreDamage> onDamage)
    {
        foreach (StoreDamage damage in OpeningDamage) onDamage(damage);
        var walk = new ReverseWalk(this, options, onDamage);
        using IEnumerator<LogRecord> records = walk.Records().GetEnumerator();
        while (MoveNext()) yield return records.Current;

        // As in the process of the writer: where retention removed what follows, what is newer has been returned, and nothing older is kept. Where nothing was, all that was to be read is gone.
        bool MoveNext()
        {
            try
            {
                return records.MoveNext();
            }
            catch (LogTruncatedException) when (walk.HasOpened)
            {
                return false;
            }
        }
    }

    private IEnumerable<LogRecord> LogRecords(ReadOptions options, Action<StoreDamage> onDamage)
    {
        foreach (StoreDamage damage in OpeningDamage) onDamage(damage);
        for (int i = 0; i < _segments.Count; i++)
        {
            SegmentHeader? next = i + 1 < _segments.Count ? _segments[i + 1] : null;
            if (next?.FirstSequence <= options.FromSequence || next?.CreatedTicks < options.FromTime.UtcTicks) continue;
            if (_segments[i].FirstSequence > options.ToSequence) yield break;
            using SegmentWalk walk = Walk(i, onDamage);
            if (next is { } successor) walk.SkipTo(options, successor);
            while (walk.MoveNext())
            {
                FrameHeader frame = walk.Scanner.Frame;
                if (frame.FirstSequence > options.ToSequence) yield break;

                // Only records have times: what else is in a follower of another log may be younger than the records behind it.
                if (frame.Kind != FrameKind.Records) continue;
                if (frame.TimeTicks > options.ToTime.UtcTicks) yield break;
                if (frame.LastSequence < options.FromSequence || frame.TimeTicks < options.FromTime.UtcTicks) continue;
                SegmentScanner.FrameRecords records = walk.Scanner.Records();
                var timestamp = new DateTimeOffset(frame.TimeTicks, TimeSpan.Zero);
                while (MoveNext(walk, ref records))
                {
                    if (records.Sequence < options.FromSequence) continue;
                    if (records.Sequence > options.ToSequence) yield break;
                    if (!options.Wants(records.Schema)) continue;
                    yield return new LogRecord(records.Sequence, timestamp, records.Schema, records.Payload);
                }
            }
        }
    }

    /// <summary>Moves to the frame's next record. One whose schema is lost is reported and passed over where each has its own; any other that is not what the frame says is reported and ends the frame.</summary>
    internal static bool MoveNext(SegmentWalk walk, ref SegmentScanner.FrameRecords records)
    {
        while (true)
        {
            try
            {
                return records.MoveNext();
            }
            catch (StoreCorruptException e)
            {
                walk.ReportFrame(e);
                if (!records.WasPassed) return false;
            }
        }
    }

    private IEnumerable<SnapshotRecord> WalkSnapshot(string? part, ReadOptions options, Action<StoreDamage> onDamage)
    {
        SnapshotInfo info = Snapshots[0];
        if (info.Sequence < options.FromSequence || info.Sequence > options.ToSequence || info.Timestamp < options.FromTime || info.Timestamp > options.ToTime) yield break;
        using SnapshotFile snapshot = SnapshotFile.Open(_directory, info.FileName);
        var walk = new SnapshotWalk(snapshot, options, onDamage);
        foreach (SnapshotPart one in snapshot.Parts)
        {
            if (part is not null && one.Name != part) continue;
            foreach (SnapshotRecord record in walk.Records(one)) yield return record;
        }
    }
}
