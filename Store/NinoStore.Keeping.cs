// The facade's members about what is kept, and where else: retention, cursors, copies.

using Store.Backup;
using Store.IO;
using Store.Log;
using Store.Retention;

namespace Store;

public sealed partial class NinoStore
{
    /// <summary>
    /// Removes old records: the segments that hold nothing but records below <paramref name="sequence"/>. What a snapshot, a cursor or a keyed state still needs
    /// stays, and so does the segment that is written. The removal is durable on return. Readers at work go on to the end of the segment they are in, and then
    /// get a <see cref="LogTruncatedException"/>.
    /// </summary>
    /// <param name="sequence">First sequence to keep.</param>
    /// <param name="ignore">What may be left without the records it needs: a state whose records are gone cannot be restored.</param>
    /// <exception cref="InvalidOperationException">The store is a one-file log, which is one segment.</exception>
    /// <exception cref="IOException">A file could not be removed. The log begins later all the same, and the next truncation or opening removes the file.</exception>
    public TruncateResult TruncateBefore(long sequence, RetentionHolds ignore = RetentionHolds.None)
    {
        ThrowUnlessFolder("is one segment, of which nothing can be removed");
        return _opened.Retention.TruncateBefore(sequence, ignore);
    }

    /// <summary>Removes what a policy gives up. As durable as <see cref="TruncateBefore"/>.</summary>
    /// <param name="policy">The policy; the one of <see cref="NinoStoreOptions.Retention"/> when null, which is applied by itself whenever a segment is begun.</param>
    /// <exception cref="InvalidOperationException">There is no policy, or the store is a one-file log.</exception>
    /// <inheritdoc cref="TruncateBefore" path="/exception"/>
    public TruncateResult ApplyRetention(RetentionPolicy? policy = null)
    {
        ThrowUnlessFolder("is one segment, of which nothing can be removed");
        return _opened.Retention.Apply(policy ?? _options.Retention ?? throw new InvalidOperationException("There is no policy: set NinoStoreOptions.Retention or pass one."));
    }

    /// <summary>The cursors of the store.</summary>
    public IReadOnlyList<CursorInfo> Cursors => _opened.IsOneFile ? [] : [.. (_opened.Writing?.Cursors.List() ?? CursorStore.List(_opened.Directory, StoreId, null)).Where(static c => c.Kind == MarkerKind.Cursor).Select(static c => c.Info)];

    /// <summary>
    /// Opens a cursor: a position in the log that is kept under a name and holds back retention. A new one stands before the first record that is in the log,
    /// durable on return. Opening a name twice gives the same cursor.
    /// </summary>
    /// <param name="name">1 to 184 bytes of UTF-8.</param>
    /// <param name="position">Where a new cursor stands: the last sequence not to be read.</param>
    /// <exception cref="InvalidOperationException">The store is a one-file log.</exception>
    /// <exception cref="StoreCorruptException">Its file is damaged: delete the cursor and open it anew.</exception>
    /// <exception cref="IOException">Writing failed.</exception>
    public LogCursor OpenCursor(string name, long? position = null)
    {
        ThrowUnlessFolder("holds no cursors");
        ObjectDisposedException.ThrowIf(_disposed != 0, this);
        return _opened.Cursors.Open(name, MarkerKind.Cursor, position);
    }

    /// <summary>Deletes a cursor, damaged or not; durable on return. False when there is none.</summary>
    public bool DeleteCursor(string name)
    {
        ThrowUnlessFolder("holds no cursors");
        ObjectDisposedException.ThrowIf(_disposed != 0, this);
        return _opened.Cursors.Delete(name, MarkerKind.Cursor);
    }

    /// <summary>
    /// Copies the store to a folder while it goes on working: the log up to the last record appended before the call, the snapshots that it reaches and the
    /// cursors. The copy is a store that opens; it is durable on return. Into the folder of an earlier backup, only what is new is copied, and what the store has
    /// removed is removed. Every frame is verified before it is copied. Whatever interrupts it, the folder holds a store that opens. Truncations wait meanwhile.
    /// Files of keyed states are not copied: they are made anew from the log, which must reach back far enough for that.
    /// </summary>
    /// <param name="folder">The folder; created when it is not there.</param>
    /// <param name="cancellationToken">Stops between MiBs; the folder keeps what was copied.</param>
    /// <exception cref="InvalidOperationException">The store is a one-file log: copy the closed file.</exception>
    /// <exception cref="StoreInUseException">Somebody has the copy open.</exception>
    /// <exception cref="StoreException">The folder holds something else than an earlier backup of this store.</exception>
    /// <exception cref="StoreCorruptException">The log is damaged; what was copied before stays.</exception>
    /// <exception cref="IOException">Reading or writing failed.</exception>
    public ValueTask<BackupResult> BackupToAsync(string folder, CancellationToken cancellationToken = default)
    {
        ArgumentException.ThrowIfNullOrEmpty(folder);
        ThrowUnlessFolder("is copied as the file it is, when it is closed");
        ObjectDisposedException.ThrowIf(_disposed != 0, this);
        return RunAsync(() =>
        {
            using DiskDirectory target = DiskDirectory.Open(folder, create: true);
            return BackupTo(target, cancellationToken);
        }, cancellationToken);
    }

    /// <summary>As the public form, to a folder that need not be on a disk.</summary>
    internal BackupResult BackupTo(IStoreDirectory target, CancellationToken cancellationToken = default)
    {
        _log?.Wait(Durability.Disk);

        // Of a store that is open for reading only everything is copied that it reads: whether the disk has it is not known.
        return _opened.Writing is { } writing ? writing.Retention.Without(() => Copy(writing.Log.DurableSequence)) : Copy(LastSequence);

        BackupResult Copy(long through)
        {
            using IDisposable held = target.TryLock(SegmentFormat.LockName) ?? throw new StoreInUseException($"{target.Name}: the copy is open for writing. Close it first.", target.Name);
            return new StoreBackup(_opened.Directory, StoreId, _opened.Files.Segments, through, target, cancellationToken).Run(_options.TimeProvider.GetUtcNow().UtcTicks);
        }
    }

    /// <summary>
    /// Lets go what is kept of the log for a keyed state that is no longer wanted; durable on return. Its files are the caller's to remove. A keyed state that is
    /// opened again holds the log again, and is refused when what it needs is gone by then. False when nothing was kept for it.
    /// </summary>
    public bool ForgetKeyedState(string name)
    {
        ThrowUnlessFolder("holds no keyed state");
        ObjectDisposedException.ThrowIf(_disposed != 0, this);
        return _opened.Cursors.Delete(name, MarkerKind.KeyedState);
    }

    /// <summary>Retention keeps the records after a sequence for a keyed state. Moves forward only.</summary>
    internal void KeepForKeyedState(string name, long afterSequence) => _opened.Cursors.Open(name, MarkerKind.KeyedState).Advance(afterSequence);
}
