// What is in an open store, and what of it only a store has that can be written.

using Store.IO;
using Store.Log;
using Store.Retention;
using Store.Snapshots;

namespace Store;

/// <summary>The parts that write.</summary>
internal sealed record StoreWriting(IDisposable Lock, AppendLog Log, CursorStore Cursors, LogRetention Retention, ChangeGate Changes);

/// <summary>The parts of an open store. Disposing commits, closes the log and releases the lock.</summary>
internal sealed record OpenedStore(string Path, Guid StoreId, string? OneFileName, IStoreDirectory Directory, SnapshotStore Snapshots, ILogFiles Files, RecoveryReport Report, StoreWriting? Writing, NinoStoreOptions Options) : IDisposable
{
    public bool IsOneFile => OneFileName is not null;

    /// <summary>Where the log ended when it was opened for reading only; null otherwise.</summary>
    public LogTail? Tail { get; init; }

    /// <summary>Why nothing can be written, when that was found out by trying.</summary>
    public IOException? WhyReadOnly { get; init; }

    /// <exception cref="StoreReadOnlyException">The store is open for reading only.</exception>
    public AppendLog Log => Writable.Log;

    /// <inheritdoc cref="Log"/>
    public CursorStore Cursors => Writable.Cursors;

    /// <inheritdoc cref="Log"/>
    public LogRetention Retention => Writable.Retention;

    /// <summary>What changes files beside the log goes through here: nothing does any more when the lock is released.</summary>
    /// <inheritdoc cref="Log"/>
    public ChangeGate Changes => Writable.Changes;

    private StoreWriting Writable => Writing ?? throw new StoreReadOnlyException($"{Path}: the store is open for reading only, {(Options.ReadOnly ? "as NinoStoreOptions.ReadOnly asks" : "because its folder cannot be written")}. Nothing was changed.", Path, WhyReadOnly);

    public void Dispose()
    {
        // In this order, and each of them whatever happens to the one before.
        Exception? failure = null;
        Try(() => Writing?.Retention.Close());
        Try(() => Writing?.Cursors.Close());
        Try(() => Writing?.Changes.Close());
        Try(() => Writing?.Log.Dispose());
        Try(() => Writing?.Lock.Dispose());
        Try(() =>
        {
            if (Options.Directory is null) Directory.Dispose();
        });
        if (failure is not null) System.Runtime.ExceptionServices.ExceptionDispatchInfo.Throw(failure);

        void Try(Action part)
        {
            try
            {
                part();
            }
            catch (Exception e)
            {
                if (failure is null) failure = e;
                else failure.Data[$"Closing failed further: {e.GetType().Name}"] = e.Message;
            }
        }
    }
}
