// Has something in a folder changed? The operating system tells, where it can; nobody rests on it, because it may lose notices or have none.

namespace Store.IO;

/// <summary>Notices of changes in a folder of the disk. Safe for any number of threads.</summary>
internal sealed class FolderWatch : IFolderWatch
{
    private readonly FileSystemWatcher _watcher;
    private volatile bool _hasTold;
    private volatile bool _isDead;
    private TaskCompletionSource _changed = new(TaskCreationOptions.RunContinuationsAsynchronously);

    private FolderWatch(string path)
    {
        _watcher = new FileSystemWatcher(path) { NotifyFilter = NotifyFilters.LastWrite | NotifyFilters.FileName | NotifyFilters.Size };
        _watcher.Changed += (_, _) => Tell();
        _watcher.Created += (_, _) => Tell();
        _watcher.Renamed += (_, _) => Tell();
        _watcher.Error += (_, e) => Failed(e.GetException());
        try
        {
            _watcher.EnableRaisingEvents = true;
        }
        catch
        {
            _watcher.Dispose();
            throw;
        }
    }

    /// <summary>Watches a folder; null where the system has no more watches, or none at all.</summary>
    public static FolderWatch? TryCreate(string path)
    {
        try
        {
            return new FolderWatch(path);
        }
        catch (Exception e) when (e is IOException or PlatformNotSupportedException or UnauthorizedAccessException or ArgumentException)
        {
            // Whoever asked looks for itself from time to time in any case.
            return null;
        }
    }

    /// <inheritdoc/>
    public bool HasTold => _hasTold;

    /// <inheritdoc/>
    public bool IsDead => _isDead;

    /// <inheritdoc/>
    public Task Changed => Volatile.Read(ref _changed).Task;

    /// <inheritdoc/>
    public void Dispose() => _watcher.Dispose();

    private void Tell()
    {
        _hasTold = true;
        Wake();
    }

    // Too many changes at once lose notices and no more. On Linux it is told in this way, and not when the watch is made, that the system has none left.
    private void Failed(Exception e)
    {
        if (e is not InternalBufferOverflowException) _isDead = true;
        Wake();
    }

    private void Wake() => Interlocked.Exchange(ref _changed, new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously)).TrySetResult();
}
