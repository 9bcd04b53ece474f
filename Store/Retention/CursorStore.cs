// The cursors of one open store: their files, and what they hold back.

using Store.IO;
using Store.Log;
using Store.Threading;

namespace Store.Retention;

/// <summary>Opens, lists and deletes cursors. Safe for any number of threads.</summary>
/// <param name="directory">The folder.</param>
/// <param name="storeId">Identity of the store.</param>
/// <param name="log">The log.</param>
/// <param name="options">The clock, and whether everything runs inline.</param>
internal sealed class CursorStore(IStoreDirectory directory, Guid storeId, AppendLog log, NinoStoreOptions options)
{
    private readonly Dictionary<string, LogCursor> _open = new(StringComparer.Ordinal);

    private bool _closed;

    /// <summary>Held while cursors appear, vanish or go back, and while the beginning of the log is removed.</summary>
    public Lock Gate { get; } = new();

    public string Path => directory.Name;

    public long Ticks => options.TimeProvider.GetUtcNow().UtcTicks;

    /// <summary>Opens a cursor or creates it, durable on return. Two openings of a name give the same cursor.</summary>
    /// <param name="name">Its name.</param>
    /// <param name="kind">What it is of.</param>
    /// <param name="position">Where a new one stands; null for the log's beginning.</param>
    /// <param name="since">Of a new one of a state: <see cref="Marker.Since"/>.</param>
    public LogCursor Open(string name, MarkerKind kind, long? position = null, long since = 0)
    {
        string file = CursorName.FileOf(name, kind);
        lock (Gate)
        {
            ObjectDisposedException.ThrowIf(_closed, typeof(NinoStore));
            if (_open.TryGetValue(file, out LogCursor? cursor)) return cursor;
            long first = log.Segments[0].FirstSequence;
            Marker marker;
            Marker? was = null;
            if (Exists(file))
            {
                var mark = new CursorMark(file, kind, MarkerFile.Read(directory, file));
                if (mark.Problem(storeId) is { } problem) throw new StoreCorruptException($"{directory.Name}: the mark of the {PositionKind.Of(kind).What} '{name}' ({file}): {problem}. Restore the file from a backup; or remove it ({PositionKind.Of(kind).Remover}) and open it anew.", directory.Name);
                was = mark.Content.Newest!.Value;

                // Written anew: the newest slot may be in the system's cache only, and retention is about to rest on it. Ahead of the log it can only be when somebody put its file back meanwhile.
                marker = was.Value.Within(first, log.LastSequence) with { Generation = was.Value.Generation + 1 };
            }
            else
            {
                marker = new Marker { Kind = kind, StoreId = storeId, Generation = 1, Sequence = position ?? first - 1, Since = since, Ticks = Ticks, Name = name };
                if (position is { } asked) CheckPosition(asked);
            }

            log.Wait(Durability.Disk);
            if (was is { } before) marker = MarkerFile.Replace(directory, file, before, marker);
            else MarkerFile.Publish(directory, file, marker);
            return _open[file] = new LogCursor(this, marker);
        }
    }

    /// <summary>Removes a cursor; durable on return. False when there is none.</summary>
    public bool Delete(string name, MarkerKind kind)
    {
        string file = CursorName.FileOf(name, kind);
        lock (Gate)
        {
            ObjectDisposedException.ThrowIf(_closed, typeof(NinoStore));
            if (_open.TryGetValue(file, out LogCursor? cursor)) cursor.MarkDeleted();
            _open.Remove(file);
            bool exists = Exists(file);
            if (exists) directory.Delete(file);
            directory.SyncDirectory();
            return exists;
        }
    }

    /// <summary>Waits for positions that are being written; none is written afterwards.</summary>
    public void Close()
    {
        using (Uninterrupted.Enter(Gate))
        {
            _closed = true;
            foreach (LogCursor cursor in _open.Values) cursor.MarkClosed();
        }
    }

    /// <summary>All cursors by file name, keyed states' ones apart. What each holds of the log is what follows its position, or, of one that is not open, the lower of the two in its file: the newer may be in the system's cache only.</summary>
    public IReadOnlyList<(CursorInfo Info, MarkerKind Kind, long Held)> List()
    {
        lock (Gate) return List(directory, storeId, this);
    }

    /// <summary>The cursors of a folder.</summary>
    /// <param name="directory">The folder.</param>
    /// <param name="storeId">Identity of the store.</param>
    /// <param name="store">Knows the positions of those that are open; null when nobody has them open here.</param>
    public static IReadOnlyList<(CursorInfo Info, MarkerKind Kind, long Held)> List(IStoreDirectory directory, Guid storeId, CursorStore? store)
    {
        List<(CursorInfo, MarkerKind, long)> all = [];
        foreach (CursorMark mark in CursorMarks.Read(directory))
        {
            string? problem = mark.Problem(storeId);
            Marker marker = mark.Content.Newest ?? default;
            (long position, long held) = problem is not null ? (0, 0) : (marker.Sequence, mark.Content.LowestSequence);
            if (problem is null && store is not null && store._open.TryGetValue(mark.FileName, out LogCursor? open)) position = held = open.Held;
            all.Add((new CursorInfo(string.IsNullOrEmpty(marker.Name) ? mark.FileName : marker.Name, position, new DateTimeOffset(marker.Ticks, TimeSpan.Zero), problem), mark.Kind, held));
        }

        return all;
    }

    public void CheckPosition(long sequence)
    {
        long first = log.Segments[0].FirstSequence;
        ArgumentOutOfRangeException.ThrowIfNegative(sequence);
        ArgumentOutOfRangeException.ThrowIfGreaterThan(sequence, log.LastSequence);
        if (sequence < first - 1) throw new LogTruncatedException($"{directory.Name}: a cursor cannot go back to {sequence}: the log begins with {first}, retention has removed what is before.", directory.Name, first);
    }

    public ValueTask MakeDurableAsync(long sequence, CancellationToken cancellationToken)
    {
        return sequence <= log.DurableSequence ? default : log.CommitAsync(cancellationToken);
    }

    public void Write(Marker marker) => MarkerFile.Update(directory, CursorName.FileOf(marker.Name, marker.Kind), marker);

    /// <summary>Writes a position into both copies of a new file, in the place of the one there is.</summary>
    public void Replace(Marker marker) => MarkerFile.Publish(directory, CursorName.FileOf(marker.Name, marker.Kind), marker);

    public ValueTask<T> RunAsync<T>(Func<T> work, CancellationToken cancellationToken)
    {
        cancellationToken.ThrowIfCancellationRequested();
        return options.RunsInline ? new ValueTask<T>(work()) : new ValueTask<T>(Task.Run(work, CancellationToken.None));
    }

    private bool Exists(string file) => directory.Find(file) is not null;
}
