// The facade: checks arguments and hands on. No byte logic, no files. Opening, identity and closing are here; what can be done with an open store is in the
// NinoStore.*.cs beside it, by role.

using System.Runtime.ExceptionServices;
using Store.Log;
using Store.Reading;
using Store.Shipping;
using Store.Snapshots;
using Store.Threading;

namespace Store;

/// <summary>
/// An embedded store: an append log of typed records and snapshots of state in one folder. One writer at a time (a lock file); any number of
/// readers. All members are safe for any number of threads.
/// </summary>
public sealed partial class NinoStore : IAsyncDisposable, IDisposable
{
    internal const int MaxBatchBytes = 256 * 1024 * 1024;

    private readonly OpenedStore _opened;
    // Null in a store that is open for reading only.
    private readonly AppendLog? _log;
    private readonly SnapshotStore _snapshots;
    private readonly NinoStoreOptions _options;
    private readonly LogReading _reading;
    private readonly CancellationTokenSource _ended = new();
    private readonly Lock _restoring = new();

    // Set when everything is closed; the thread that closes it, which does not wait for itself.
    private readonly ManualResetEventSlim _isClosed = new();
    private int _closingThread;
    private int _disposed;

    internal NinoStore(OpenedStore opened, NinoStoreOptions options)
    {
        _opened = opened;
        _log = opened.Writing?.Log;
        _snapshots = opened.Snapshots;
        _options = options;
        _reading = new LogReading(opened.Files, HorizonOf, options.RunsInline);
        _snapshots.History = new LogHistory(_reading, durableOnly: _log is not null);
        if (_log is { } log) _snapshots.Syncs = () => log.Syncs;
        _importer = new Lazy<FrameImporter>(() => new FrameImporter(opened.Log, _reading.Files, new FollowedStore(opened.Directory, opened.StoreId, options)));
        Recovery = opened.Report;
    }

    /// <summary>
    /// Opens a store, creating it or recovering it after a crash. A path that names an existing file is a
    /// one-file log, which <see cref="NinoLog"/> has made; any other is a folder. A store that cannot be written is opened for reading only, without an exception: who must write looks at <see cref="IsReadOnly"/>.
    /// </summary>
    /// <param name="path">Folder or file.</param>
    /// <param name="options">Settings, or null for the defaults.</param>
    /// <exception cref="StoreInUseException">Somebody else has it open for writing.</exception>
    /// <exception cref="StoreCorruptException">Acknowledged records are damaged or missing, or the file is none of ours. Nothing was changed.</exception>
    /// <exception cref="StoreVersionException">A newer version wrote it. Nothing was changed.</exception>
    /// <exception cref="StoreReadOnlyException">The folder cannot be written, or <see cref="NinoStoreOptions.ReadOnly"/> is set, and there is no store in it.</exception>
    /// <exception cref="DirectoryNotFoundException"><see cref="NinoStoreOptions.ReadOnly"/> is set, and there is no folder.</exception>
    /// <exception cref="IOException">The disk fails.</exception>
    public static NinoStore Open(string path, NinoStoreOptions? options = null) => StoreOpener.Open(path, options ?? new NinoStoreOptions(), mustBeNewFile: false);

    /// <summary>What opening found and did; after a restore also what that did.</summary>
    public RecoveryReport Recovery { get; private set; }

    /// <summary>The folder or file.</summary>
    public string Path => _opened.Path;

    /// <summary>Identity of the store, written into every file.</summary>
    public Guid StoreId => _opened.StoreId;

    /// <summary>Sequence of the first record that is still in the log, whether it is there yet or not: 1 until retention removes something.</summary>
    public long FirstSequence => _reading.FirstSequence;

    /// <summary>Sequence of the last record appended, or there when it was opened for reading only; 0 when there is none.</summary>
    public long LastSequence => _log?.LastSequence ?? (_opened.Tail!.NextSequence - 1);

    /// <summary>Highest sequence known to survive a power failure; of a store that is open for reading only, as far as its files say so.</summary>
    public long DurableSequence => _log?.DurableSequence ?? _opened.Tail!.SyncedThrough;

    /// <summary>True when nothing can be changed: <see cref="NinoStoreOptions.ReadOnly"/> asked for it, or the folder cannot be written.</summary>
    public bool IsReadOnly => _log is null;

    /// <summary>The snapshots whose header, names and schemas are right, newest first. Their data is not read: whether it is whole, <see cref="OpenSnapshot(string?, SnapshotVerification)"/> tells.</summary>
    /// <exception cref="ObjectDisposedException">The store is disposed.</exception>
    public IReadOnlyList<SnapshotInfo> Snapshots
    {
        get
        {
            ObjectDisposedException.ThrowIf(_disposed != 0, this);
            return _snapshots.List();
        }
    }

    /// <summary>The folder's files, for engines that keep their own beside the log.</summary>
    internal OpenedStore Opened => _opened;

    internal NinoStoreOptions Options => _options;

    // Whoever changes something comes through here.
    private AppendLog Log => _log ?? _opened.Log;

    /// <summary>What was opened on this store: checkpointed with it and closed before its log.</summary>
    internal StoreCompanions Companions { get; } = new();

    /// <summary>
    /// Closes what was opened on it (keyed states, state holders), commits everything and closes. Afterwards members that read or write throw <see cref="ObjectDisposedException"/>. Called again it changes nothing, and throws nothing
    /// of what the first call throws; while another thread is closing the store it returns when that is done, so that whoever has disposed it may end the process or open it again. Inside code that closing itself calls (a logger), on its
    /// thread, it returns at once; a logger, or whoever is told of progress, that disposes the store on another thread waits for itself when it is being closed. <see cref="Thread.Interrupt"/> ends none of it: the interruption is kept for the next wait.
    /// </summary>
    /// <exception cref="StoreFailedException">
    /// A write failed, and nobody was told (a wait that was turned into a task, by <c>AsTask</c>, counts as told, because the task holds the exception: of one that is dropped <see cref="TaskScheduler.UnobservedTaskException"/> tells), or the last to hear of it was a checkpoint in the background, which can only log it; or every record is on the disk, and only what says that the log was closed could not be written, as the message says. The store is closed all the same.
    /// </exception>
    /// <exception cref="AggregateException">Something that was opened on it could not be closed as it should, such as a state whose last checkpoint failed: what that would have covered is in the log. The store is closed all the same.</exception>
    /// <exception cref="InvalidOperationException">Called inside a callback of something that is open on it, for whose end it would wait. Nothing was closed.</exception>
    public void Dispose()
    {
        Companions.ThrowIfClosingForbidden();
        if (Interlocked.Exchange(ref _disposed, 1) != 0)
        {
            if (Volatile.Read(ref _closingThread) != Environment.CurrentManagedThreadId) Uninterrupted.Wait(_isClosed, static closed => closed.Wait());
            return;
        }

        Volatile.Write(ref _closingThread, Environment.CurrentManagedThreadId);
        try
        {
            Close();
        }
        finally
        {
            _isClosed.Set();
        }
    }

    private void Close()
    {
        Exception? failure = null;

        // Each whatever becomes of the others: a caller's code may be among what ending calls.
        Action[] steps = [_ended.Cancel, DisposeImporter, Companions.Close];
        foreach (Action step in steps)
        {
            try
            {
                step();
            }
            catch (Exception e)
            {
                failure ??= e;
            }
        }

        try
        {
            _opened.Dispose();
        }
        catch (Exception e) when (failure is not null)
        {
            // That records are not on the disk is what the caller must know first.
            e.Data[$"Closing failed before: {failure.GetType().Name}"] = failure.Message;
            throw;
        }

        if (failure is not null) ExceptionDispatchInfo.Throw(failure);
    }

    private void DisposeImporter()
    {
        if (_importer.IsValueCreated) _importer.Value.Dispose();
    }

    /// <inheritdoc cref="Dispose"/>
    public ValueTask DisposeAsync()
    {
        Companions.ThrowIfClosingForbidden();
        return new(_options.RunsInline ? DisposeInline() : Task.Run(Dispose));
    }

    private Task DisposeInline()
    {
        Dispose();
        return Task.CompletedTask;
    }

    internal ValueTask<TResult> RunAsync<TResult>(Func<TResult> work, CancellationToken cancellationToken)
    {
        cancellationToken.ThrowIfCancellationRequested();
        return _options.RunsInline ? new ValueTask<TResult>(work()) : new ValueTask<TResult>(Task.Run(work, CancellationToken.None));
    }

    /// <exception cref="StoreReadOnlyException">It is.</exception>
    internal void ThrowIfReadOnly() => _ = Log;

    private void ThrowUnlessFolder(string what)
    {
        if (_opened.IsOneFile) throw new InvalidOperationException($"{Path}: a one-file log {what}. Open a folder with NinoStore.Open for that.");
    }

    internal void ThrowIfOneFile()
    {
        if (_opened.IsOneFile) throw new InvalidOperationException($"{Path}: a one-file log holds no snapshots. Open a folder with NinoStore.Open for checkpoints.");
    }
}
