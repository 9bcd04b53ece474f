// Was everything that a test saw acknowledged really synced before? The trace of all file calls, in order, answers.

namespace Store.Tests.Simulation;

internal enum IoOperation
{
    List,
    Create,
    OpenWrite,
    OpenRead,
    Rename,
    Delete,
    SyncDirectory,
    TryLock,
    Read,
    Write,
    SyncData,
    StartWriteback,
    Truncate,
    Map,
}

/// <summary>One file call.</summary>
/// <param name="Operation">What was called.</param>
/// <param name="File">The file's name at the call; of a folder call, the folder's.</param>
/// <param name="FileId">The same for one file whatever its name; 0 for the folder.</param>
/// <param name="Offset">Of a read, write or part of a mapping.</param>
/// <param name="LengthBytes">Of a read, write or cut.</param>
/// <param name="Start">Time of the call, in calls and returns since the trace began.</param>
internal sealed record IoCall(IoOperation Operation, string File, int FileId, long Offset, long LengthBytes, long Start)
{
    /// <summary>Time of the return; <see cref="long.MaxValue"/> before it.</summary>
    public long End { get; set; } = long.MaxValue;

    /// <summary>What it failed with, or null.</summary>
    public Exception? Failure { get; set; }

    public bool ChangesBytes => Operation is IoOperation.Write or IoOperation.Truncate;

    public bool ChangesNames => Operation is IoOperation.Create or IoOperation.Rename or IoOperation.Delete;
}

/// <summary>All calls of one folder and its files. Thread-safe.</summary>
internal sealed class IoTrace
{
    private readonly Lock _gate = new();
    private readonly List<IoCall> _calls = [];
    private readonly Dictionary<string, int> _ids = [];
    private long _clock;
    private int _lastId;

    /// <summary>The time now, for <see cref="UnsyncedFiles"/>.</summary>
    public long Now
    {
        get
        {
            lock (_gate)
                return _clock;
        }
    }

    /// <summary>The calls so far.</summary>
    public IoCall[] Calls
    {
        get
        {
            lock (_gate)
                return [.. _calls];
        }
    }

    public IoCall Begin(IoOperation operation, string file, int fileId, long offset, long lengthBytes)
    {
        lock (_gate)
        {
            var call = new IoCall(operation, file, fileId, offset, lengthBytes, ++_clock);
            _calls.Add(call);
            return call;
        }
    }

    public void Finish(IoCall call, Exception? failure)
    {
        lock (_gate)
        {
            call.Failure = failure;
            call.End = ++_clock;
        }
    }

    /// <summary>The number of the file that has this name now.</summary>
    public int IdOf(string name)
    {
        lock (_gate)
            return _ids.TryGetValue(name, out var id) ? id : _ids[name] = ++_lastId;
    }

    public void Renamed(string name, string newName)
    {
        lock (_gate)
        {
            if (_ids.Remove(name, out var id))
                _ids[newName] = id;
        }
    }

    public void Deleted(string name)
    {
        lock (_gate)
            _ids.Remove(name);
    }

    /// <summary>
    /// Files with a write that had begun before <paramref name="writtenBefore"/> and that no sync, begun after the write returned, had covered by
    /// <paramref name="syncedBy"/>. Empty means: what was acknowledged at that time was durable.
    /// </summary>
    public string[] UnsyncedFiles(long writtenBefore, long syncedBy)
    {
        var calls = Calls;
        return [.. calls.Where(c => c.ChangesBytes && c.Start <= writtenBefore && !IsCovered(calls, c, IoOperation.SyncData, syncedBy)).Select(c => c.File).Distinct()];
    }

    /// <summary>The same for names: creations, renames and removals that no sync of their folder had covered.</summary>
    public string[] UnsyncedNames(long changedBefore, long syncedBy)
    {
        var calls = Calls;
        return [.. calls.Where(c => c.ChangesNames && c.Failure is null && c.Start <= changedBefore && !IsCovered(calls, c, IoOperation.SyncDirectory, syncedBy)).Select(c => c.File).Distinct()];
    }

    private static bool IsCovered(IoCall[] calls, IoCall change, IoOperation sync, long syncedBy) => calls.Any(c =>
        c.Operation == sync && c.Failure is null && c.Start > change.End && c.End <= syncedBy && (sync == IoOperation.SyncDirectory ? SimDirectory.FolderOf(c.File) == SimDirectory.FolderOf(change.File) : c.FileId == change.FileId));
}
