// The cursors of one open store: their files, and what they hold back.

using Store.IO;
using Store.Log;

namespace Store.Retention;

/// <summary>Opens, lists and deletes cursors. Safe for any number of threads.</summary>
/// <param name="directory">The folder.</param>
/// <param name="storeId">Identity of the store.</param>
/// <param name="log">The log.</param>
/// <param name="options">The clock, and whether everything runs inline.</param>
internal sealed class CursorStore(IStoreDirectory directory, Guid storeId, AppendLog log, NinoStoreOptions options)
{
    private readonly Dictionary<string, LogCursor> _open = new(StringComparer.Ordinal);

    /// <summary>Held while cursors appear, vanish or go back, and while the beginning of the log is removed.</summary>
    public Lock Gate { get; } = new();

    public string Path => directory.Name;

    public long Ticks => options.TimeProvider.GetUtcNow().UtcTicks;

    /// <summary>Opens a cursor or creates it, durable on return. Two openings of a name give the same cursor.</summary>
    public LogCursor Open(string name, MarkerKind kind, long? position = null)
    {
        string file = CursorName.FileOf(name, kind);
        lock (Gate)
        {
            if (_open.TryGetValue(file, out LogCursor? cursor)) return cursor;
            long first = log.Segments[0].FirstSequence;
            Marker marker;
            bool wasAhead = false;
            if (Exists(file))
            {
                MarkerContent content = MarkerFile.Read(directory, file);
                if (Problem(content, kind, storeId) is { } problem) throw new StoreCorruptException($"{directory.Name}: the cursor '{name}' ({file}): {problem}. Delete the cursor and open it anew, or restore the file from a backup.", directory.Name);
                marker = content.Newest!.Value;
                long last = log.LastSequence;
                wasAhead = marker.Sequence > last;

                // Written anew: the newest slot may be in the system's cache only, and retention is about to rest on it.
                marker = marker with { Generation = marker.Generation + 1, Sequence = Math.Min(marker.Sequence, last) };
            }
            else
            {
                marker = new Marker { Kind = kind, StoreId = storeId, Generation = 1, Sequence = position ?? first - 1, Ticks = Ticks, Name = name };
                if (position is { } asked) CheckPosition(asked);
            }

            log.Wait(Durability.Disk);
            MarkerFile.Publish(directory, file, marker);
            return _open[file] = new LogCursor(this, marker, wasAhead);
        }
    }

    /// <summary>Removes a cursor; durable on return. False when there is none.</summary>
    public bool Delete(string name, MarkerKind kind)
    {
        string file = CursorName.FileOf(name, kind);
        lock (Gate)
        {
            if (_open.TryGetValue(file, out LogCursor? cursor)) cursor.MarkDeleted();
            _open.Remove(file);
            bool exists = Exists(file);
            if (exists) directory.Delete(file);
            directory.SyncDirectory();
            return exists;
        }
    }

    /// <summary>All cursors by file name, keyed states' ones apart.</summary>
    public IReadOnlyList<(CursorInfo Info, MarkerKind Kind)> List()
    {
        lock (Gate) return List(directory, storeId, this);
    }

    /// <summary>The cursors of a folder.</summary>
    /// <param name="directory">The folder.</param>
    /// <param name="storeId">Identity of the store.</param>
    /// <param name="store">Knows the positions of those that are open; null when nobody has them open here.</param>
    public static IReadOnlyList<(CursorInfo Info, MarkerKind Kind)> List(IStoreDirectory directory, Guid storeId, CursorStore? store)
    {
        List<(CursorInfo, MarkerKind)> all = [];
        foreach (StoreFileEntry entry in directory.List())
        {
            if (!CursorName.IsCursor(entry.Name)) continue;
            MarkerKind kind = entry.Name.StartsWith("keyed-", StringComparison.Ordinal) ? MarkerKind.KeyedState : MarkerKind.Cursor;
            MarkerContent content = MarkerFile.Read(directory, entry.Name);
            string? problem = Problem(content, kind, storeId);
            Marker marker = content.Newest ?? default;
            long position = problem is not null ? 0 : store is not null && store._open.TryGetValue(entry.Name, out LogCursor? open) ? open.Position : content.LowestSequence;
            all.Add((new CursorInfo(string.IsNullOrEmpty(marker.Name) ? entry.Name : marker.Name, position, new DateTimeOffset(marker.Ticks, TimeSpan.Zero), problem), kind));
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
        if (sequence <= log.DurableSequence) return default;
        ValueTask commit = log.CommitAsync();
        return !cancellationToken.CanBeCanceled || commit.IsCompleted ? commit : new ValueTask(commit.AsTask().WaitAsync(cancellationToken));
    }

    public void Write(Marker marker) => MarkerFile.Update(directory, CursorName.FileOf(marker.Name, marker.Kind), marker);

    public ValueTask<T> RunAsync<T>(Func<T> work, CancellationToken cancellationToken)
    {
        cancellationToken.ThrowIfCancellationRequested();
        return options.RunsInline ? new ValueTask<T>(work()) : new ValueTask<T>(Task.Run(work, CancellationToken.None));
    }

    private static string? Problem(MarkerContent content, MarkerKind kind, Guid storeId)
    {
        if (content.Newest is not { } marker) return content.IsNewerVersion ? "it has a newer format version than this NinoStore reads" : "neither of its two copies verifies";
        if (marker.StoreId != storeId) return $"it belongs to the store {marker.StoreId}, not to {storeId}";
        return marker.Kind == kind ? null : "it is another kind of marker";
    }

    private bool Exists(string file) => directory.List().Any(f => f.Name == file);
}
