// The way into a store's files for everybody who does not write them: tools, other processes, tests. Opening reads headers only.

using System.Buffers.Binary;
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
    private readonly string? _fileName;
    private readonly Func<string, bool> _isBeingWritten;
    private readonly List<StoreDamage> _openingDamage = [];
    private readonly List<StoreFile> _files = [];
    private readonly List<SegmentHeader> _segments = [];
    private readonly List<SnapshotInfo> _snapshots = [];

    private StoreReader(IStoreDirectory directory, string path, string? fileName, Func<string, bool> isBeingWritten)
    {
        _directory = directory;
        _fileName = fileName;
        _isBeingWritten = isBeingWritten;
        Path = path;
    }

    /// <summary>Opens a path.</summary>
    /// <param name="path">A store folder, or one of: a segment, a one-file log, a snapshot.</param>
    /// <exception cref="IOException">It cannot be read; <see cref="FileNotFoundException"/> and <see cref="DirectoryNotFoundException"/> when it is not there.</exception>
    /// <exception cref="UnauthorizedAccessException">The folder may not be listed.</exception>
    /// <exception cref="NotAStoreException">It is there and is nothing of NinoStore's.</exception>
    /// <exception cref="StoreVersionException">A newer NinoStore wrote it.</exception>
    /// <remarks>Damage is no exception here: it is in <see cref="Verify"/>.</remarks>
    public static StoreReader Open(string path)
    {
        ArgumentException.ThrowIfNullOrEmpty(path);
        string full = System.IO.Path.GetFullPath(path);
        bool isFolder = Directory.Exists(full);
        if (!isFolder && !File.Exists(full)) throw new FileNotFoundException($"There is no file or folder '{path}'.", path);
        DiskDirectory directory = DiskDirectory.OpenReadOnly(isFolder ? full : System.IO.Path.GetDirectoryName(full)!);
        try
        {
            return Open(directory, full, isFolder ? null : System.IO.Path.GetFileName(full), name => DateTime.UtcNow - File.GetLastWriteTimeUtc(System.IO.Path.Combine(directory.Name, name)) < RecentlyWritten);
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
    internal static StoreReader Open(IStoreDirectory directory, string path, string? fileName, Func<string, bool> isBeingWritten)
    {
        var reader = new StoreReader(directory, path, fileName, isBeingWritten);
        if (fileName is null) reader.AddFolder();
        else reader.AddFile(fileName, directory.List().First(f => f.Name == fileName).LengthBytes, isAlone: true);
        return reader;
    }

    /// <summary>The full path that was opened.</summary>
    public string Path { get; }

    /// <summary>True for a store folder, false for one file.</summary>
    public bool IsFolder => _fileName is null;

    /// <summary>Identity of the store that wrote the files; null when no header can be read.</summary>
    public Guid? StoreId { get; private set; }

    /// <summary>The files by name, as they were when this was opened.</summary>
    public IReadOnlyList<StoreFile> Files => _files;

    /// <summary>The snapshots whose header verifies, oldest first.</summary>
    public IReadOnlyList<SnapshotInfo> Snapshots => _snapshots;

    /// <summary>Bytes that <see cref="Verify"/> will read: the length of all segments and snapshots.</summary>
    public long LengthBytes => _files.Where(static f => f.Kind != StoreFileKind.Other).Sum(static f => f.LengthBytes);

    /// <summary>
    /// Reads the log's records in order, over damaged places. Of a snapshot file: its state as one record, with the sequence it covers.
    /// </summary>
    /// <param name="range">Which; all when null. What lies before it is neither read nor verified as far as an index tells where it begins.</param>
    /// <param name="onDamage">Told about each damaged place that was passed, when it is passed. What a segment's link to the one before says is checked by <see cref="Verify"/> only.</param>
    /// <returns>Records whose payload is valid until the enumeration moves on. Each enumeration reads the files anew.</returns>
    /// <exception cref="IOException">A file cannot be read.</exception>
    /// <exception cref="LogTruncatedException">A live store's retention has removed a segment since this was opened.</exception>
    public IEnumerable<LogRecord> Records(ReadOptions? range = null, Action<StoreDamage>? onDamage = null)
    {
        range ??= ReadOptions.All;
        if (range.NewestFirst) throw new ArgumentException("A StoreReader goes forward only: it reads over damaged places, which can only be told from the front. A NinoStore opened with NinoStoreOptions.ReadOnly reads the newest record first.", nameof(range));
        onDamage ??= static _ => { };
        if (range.DurableOnly && _segments.Count > 0) range = range with { ToSequence = Math.Min(range.ToSequence, DurableThrough()) };
        return !IsFolder && _segments.Count == 0 && _snapshots.Count == 1 ? StateAsRecord(range) : LogRecords(range, onDamage);
    }

    /// <summary>
    /// Follows the log of a live store from another process: returns the records that are there and then those that come, in order, without gap or duplicate, as
    /// soon as they are in the files, durable or not. A frame that is not whole yet is waited for. Told of changes by the operating system where it can; looks by
    /// itself at distances from 1 ms, growing to 64 ms (500 ms where it is told) while nothing happens. Never ends by itself, unless the range does.
    /// </summary>
    /// <param name="range">Which records; all when null.</param>
    /// <param name="cancellationToken">Ends the following with an <see cref="OperationCanceledException"/>.</param>
    /// <exception cref="InvalidOperationException">There is no log here that could grow: a snapshot, or one segment of a folder.</exception>
    /// <exception cref="LogTruncatedException">Retention removed what follows.</exception>
    /// <exception cref="StoreCorruptException">A segment is damaged that another one follows.</exception>
    /// <exception cref="IOException">A file cannot be read.</exception>
    public async IAsyncEnumerable<LogRecord> TailAsync(ReadOptions? range = null, [EnumeratorCancellation] CancellationToken cancellationToken = default)
    {
        range ??= ReadOptions.All;
        if (range.NewestFirst) throw new ArgumentException("Following goes forward only.", nameof(range));
        if (_segments.Count == 0 || (!IsFolder && !_segments[0].IsOneFile)) throw new InvalidOperationException($"'{Path}' is no log that can be followed: open a store folder or a one-file log.");
        using FolderWatch? watch = _directory is DiskDirectory ? FolderWatch.TryCreate(_directory.Name) : null;
        await foreach (LogRecord record in new FileFollower(_directory, _fileName, watch).FollowAsync(range, RecordScan.FirstSegment(_segments, range), cancellationToken).ConfigureAwait(false)) yield return record;
    }

    /// <summary>As <see cref="TailAsync(ReadOptions?, CancellationToken)"/>, the records of one type, decoded.</summary>
    /// <exception cref="SchemaMismatchException">Records of the type are stored in another shape than it has now.</exception>
    /// <inheritdoc cref="TailAsync(ReadOptions?, CancellationToken)" path="/exception"/>
    public async IAsyncEnumerable<LogRecord<T>> TailAsync<T>(ReadOptions? range = null, [EnumeratorCancellation] CancellationToken cancellationToken = default)
    {
        range = (range ?? ReadOptions.All) with { Types = NinoCodec<T>.Default.Schema.Names };
        await foreach (LogRecord record in TailAsync(range, cancellationToken).ConfigureAwait(false)) yield return new LogRecord<T>(record.Sequence, record.Timestamp, record.As<T>());
    }

    /// <summary>Reads every byte of the log and of the snapshots and checks every checksum, order and link.</summary>
    /// <param name="progress">Told the bytes read so far, about once a MiB, on the calling thread.</param>
    /// <param name="cancellationToken">Stops the reading.</param>
    /// <exception cref="IOException">A file cannot be read.</exception>
    /// <exception cref="OperationCanceledException">The token was cancelled.</exception>
    public VerifyReport Verify(IProgress<long>? progress = null, CancellationToken cancellationToken = default) =>
        new StoreVerifier(this, progress, cancellationToken).Run();

    /// <summary>Closes the folder.</summary>
    public void Dispose() => _directory.Dispose();

    internal IStoreDirectory FilesOf => _directory;

    internal IReadOnlyList<StoreDamage> OpeningDamage => _openingDamage;

    /// <summary>Headers that verify, oldest first.</summary>
    internal IReadOnlyList<SegmentHeader> Segments => _segments;

    internal string NameOf(SegmentHeader header) => _fileName ?? SegmentFormat.Name(header.Number);

    /// <summary>True when a file that was listed is there no more: its removal is the owner's doing and no damage.</summary>
    internal bool IsGone(string name) => _directory.List().All(f => f.Name != name);

    internal SegmentWalk Walk(int index, Action<StoreDamage> report)
    {
        SegmentHeader header = _segments[index];
        string name = NameOf(header);
        try
        {
            return new SegmentWalk(_directory.OpenRead(name), header, IsLast(index), PatienceFor(name), report);
        }
        catch (FileNotFoundException) when (IsFolder && LogStart.Read(_directory, out _) is { } start && start.Segment > header.Number)
        {
            throw new LogTruncatedException($"{_directory.Name}: {name} is no longer in the log, which begins with record {start.Sequence}: retention has removed what is before. Open the folder again.", _directory.Name, start.Sequence);
        }
    }

    // What the last frames say. A segment that has a successor is durable.
    private long DurableThrough()
    {
        long durable = _segments[^1].FirstSequence - 1;
        using SegmentWalk walk = Walk(_segments.Count - 1, static _ => { });
        while (walk.MoveNext()) durable = Math.Max(durable, walk.Scanner.Frame.SyncedThrough);
        return durable;
    }

    // A segment that was opened alone is not the last one when its folder holds the next.
    private bool IsLast(int index) => index == _segments.Count - 1
        && (IsFolder || _segments[index].IsOneFile || !_directory.List().Any(f => f.Name == SegmentFormat.Name(_segments[index].Number + 1)));

    // A frame that a live writer has begun to write looks torn for a moment.
    private Func<bool> PatienceFor(string name)
    {
        const int MaxWaits = 10;
        int waits = 0;
        return () =>
        {
            if (!_isBeingWritten(name) || waits++ == MaxWaits) return false;
            Thread.Sleep(20);
            return true;
        };
    }

    private IEnumerable<LogRecord> LogRecords(ReadOptions range, Action<StoreDamage> onDamage)
    {
        foreach (StoreDamage damage in _openingDamage) onDamage(damage);
        for (int i = 0; i < _segments.Count; i++)
        {
            SegmentHeader? next = i + 1 < _segments.Count ? _segments[i + 1] : null;
            if (next?.FirstSequence <= range.FromSequence || next?.CreatedTicks < range.FromTime.UtcTicks) continue;
            if (_segments[i].FirstSequence > range.ToSequence) yield break;
            using SegmentWalk walk = Walk(i, onDamage);
            if (next is { } successor) walk.SkipTo(range, successor);
            while (walk.MoveNext())
            {
                FrameHeader frame = walk.Scanner.Frame;
                if (frame.FirstSequence > range.ToSequence || frame.TimeTicks > range.ToTime.UtcTicks) yield break;
                if (frame.Kind != FrameKind.Records || frame.LastSequence < range.FromSequence || frame.TimeTicks < range.FromTime.UtcTicks) continue;
                SegmentScanner.FrameRecords records = walk.Scanner.Records();
                var timestamp = new DateTimeOffset(frame.TimeTicks, TimeSpan.Zero);
                while (MoveNext(walk, ref records))
                {
                    if (records.Sequence < range.FromSequence) continue;
                    if (records.Sequence > range.ToSequence) yield break;
                    if (!range.Wants(records.Schema)) continue;
                    yield return new LogRecord(records.Sequence, timestamp, records.Schema, records.Payload);
                }
            }
        }
    }

    /// <summary>Moves to the frame's next record; a record that is not what the frame says ends the frame and is reported.</summary>
    internal static bool MoveNext(SegmentWalk walk, ref SegmentScanner.FrameRecords records)
    {
        try
        {
            return records.MoveNext();
        }
        catch (StoreCorruptException e)
        {
            walk.ReportFrame(e);
            return false;
        }
    }

    private IEnumerable<LogRecord> StateAsRecord(ReadOptions range)
    {
        SnapshotInfo info = _snapshots[0];
        if (info.Sequence < range.FromSequence || info.Sequence > range.ToSequence || info.Timestamp < range.FromTime || info.Timestamp > range.ToTime) yield break;
        using SnapshotFile snapshot = SnapshotFile.Open(_directory, info.FileName);
        foreach (SnapshotPart part in snapshot.Parts)
        {
            if (!part.HasItems) yield return Record(part, part.UseData(0, checked((int)part.DataLengthBytes), 0, static (bytes, _) => bytes.ToArray()));
            for (long i = 0; part.HasItems && i < part.ItemCount; i++) yield return Record(part, part.UseItem(i, 0, static (bytes, _) => bytes.ToArray()));
        }

        LogRecord Record(SnapshotPart part, byte[] bytes) => new(info.Sequence, info.Timestamp, part.Schema, bytes);
    }

    private void AddFolder()
    {
        foreach (StoreFileEntry entry in _directory.List())
        {
            try
            {
                AddFile(entry.Name, entry.LengthBytes, isAlone: false);
            }
            catch (FileNotFoundException) when (IsGone(entry.Name))
            {
                // A live store has removed an old snapshot since the folder was listed.
            }
        }

        CheckStart();
        if (_files.Any(static f => f.Kind != StoreFileKind.Other)) return;
        string found = _files.Count == 0 ? "it is empty" : $"it holds {_files.Count} other files, {_files[0].Name} first";
        throw new NotAStoreException($"'{Path}' is no NinoStore folder: there is no segment or snapshot in it ({found}). A one-file log is opened by its own path.", Path);
    }

    // After the segments were looked at: a live store moves the mark before it removes a segment. What is below the mark is no part of the log.
    private void CheckStart()
    {
        LogStart? start = LogStart.Read(_directory, out string? problem);
        if (problem is not null) _openingDamage.Add(new StoreDamage(LogStart.FileName, 0, 0, StoreDamageKind.Corruption, problem));
        long first = start?.Segment ?? 1;
        foreach (SegmentHeader retired in _segments.Where(s => s.Number < first).ToArray())
        {
            _segments.Remove(retired);
            int at = _files.FindIndex(f => f.Name == NameOf(retired));
            _files[at] = _files[at] with { Kind = StoreFileKind.Other };
        }

        if (_segments.Count == 0 || _segments[0].Number == first) return;
        _openingDamage.Insert(0, new StoreDamage(NameOf(_segments[0]), 0, 0, StoreDamageKind.Corruption, $"segments {first} to {_segments[0].Number - 1}, with records {start?.Sequence ?? 1} to {_segments[0].FirstSequence - 1}, are missing"));
    }

    private void AddFile(string name, long length, bool isAlone)
    {
        bool isSegmentName = SegmentFormat.TryParseName(name, out long number), isSnapshotName = SnapshotName.TryParse(name, out _);
        if (!isAlone && !isSegmentName && !isSnapshotName)
        {
            _files.Add(new StoreFile { Name = name, Kind = StoreFileKind.Other, LengthBytes = length });
            return;
        }

        using IStoreFile file = _directory.OpenRead(name);
        SegmentHeaderStatus status = SegmentHeader.TryRead(file, out SegmentHeader header);
        if (isSnapshotName || (status == SegmentHeaderStatus.NotASegment && StartsLikeSnapshot(file))) AddSnapshot(name, length);
        else if (status == SegmentHeaderStatus.Valid) AddSegment(name, file, header, isAlone ? header.Number : number);
        else if (status == SegmentHeaderStatus.NewerVersion) throw new StoreVersionException($"'{Path}': {name} was written by a newer version of NinoStore. Use a newer 'inspect'.", Path);
        else if (!isSegmentName && status is (SegmentHeaderStatus.NotASegment or SegmentHeaderStatus.Empty))
            throw new NotAStoreException($"'{Path}' is no NinoStore file: {(length == 0 ? "it is empty" : "it starts neither like a segment nor like a snapshot")}. If it should be one, its first 8 bytes are damaged.", Path);
        else AddDamagedSegment(name, length, number, status);
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
        using IStoreFile file = _directory.OpenRead(_files[at].Name);
        if (header.StoreId != previous.StoreId)
            _openingDamage.Add(new StoreDamage(name, 16, 16, StoreDamageKind.Corruption, $"the segment belongs to the store {header.StoreId}, not to {previous.StoreId}"));
        else if (header.Number != previous.Number + 1)
            _openingDamage.Add(new StoreDamage(name, 0, 0, StoreDamageKind.Corruption, $"segments {previous.Number + 1} to {header.Number - 1} before it are missing or unreadable"));
        else if (SegmentEnd.ReadFooter(file, previous, header.PreviousLength) is { } footer)
            _files[at] = _files[at] with { IsSealed = true, LastSequence = footer.LastSequence };
    }

    private void AddDamagedSegment(string name, long length, long number, SegmentHeaderStatus status)
    {
        string what = status switch
        {
            SegmentHeaderStatus.Empty => "the file holds no segment header, only zeros",
            SegmentHeaderStatus.TooShort => $"the file of {length} bytes is too short for a segment header",
            SegmentHeaderStatus.NotASegment => "the file does not start with a segment header",
            _ => "the segment header's checksum does not match",
        };
        _openingDamage.Add(new StoreDamage(name, 0, Math.Min(length, SegmentFormat.HeaderSize), StoreDamageKind.Corruption, $"{what}, so no frame in the file can be checked"));
        _files.Add(new StoreFile { Name = name, Kind = StoreFileKind.Segment, LengthBytes = length, SegmentNumber = number });
    }

    private void AddSnapshot(string name, long length)
    {
        using SnapshotFile? snapshot = SnapshotFile.TryOpen(_directory, name, SnapshotVerification.OnFirstTouch, out SnapshotFailure? failure);
        if (snapshot is null)
        {
            if (failure!.Kind == SnapshotFailureKind.NewerVersion) throw failure.ToException(_directory.Name);
            if (failure.Kind == SnapshotFailureKind.Unreadable) throw new IOException($"'{System.IO.Path.Combine(_directory.Name, name)}' cannot be read: {failure.Message}", failure.Cause);
            _openingDamage.Add(failure.ToDamage());
            _files.Add(new StoreFile { Name = name, Kind = StoreFileKind.Snapshot, LengthBytes = length });
            return;
        }

        if (IsFolder && StoreId is { } id && snapshot.StoreId != id)
            _openingDamage.Add(new StoreDamage(name, 32, 16, StoreDamageKind.Corruption, $"the snapshot belongs to the store {snapshot.StoreId}, not to {id}"));
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
