// The facade's members about what is kept, and where else: retention, cursors, copies.

using Store.Backup;
using Store.IO;
using Store.Log;
using Store.Retention;
using Store.Shipping;

namespace Store;

public sealed partial class NinoStore
{
    /// <summary>
    /// Removes old records: the segments that hold nothing but records below <paramref name="sequence"/>. What a snapshot, a cursor, a keyed state or a state still needs
    /// stays, and so does the segment that is written. The removal is durable on return. Blocks while a backup is made. Readers at work go on to the end of the segment they are in, and then
    /// get a <see cref="LogTruncatedException"/>.
    /// </summary>
    /// <param name="sequence">First sequence to keep.</param>
    /// <param name="ignore">What may be left without the records it needs: a state whose records are gone cannot be restored.</param>
    /// <exception cref="InvalidOperationException">The store is a one-file log, which is one segment.</exception>
    /// <exception cref="StoreInUseException">Another writer has opened the store since, or its folder was moved away: nothing was removed.</exception>
    /// <exception cref="IOException">A file could not be removed. The log begins later all the same, and the next truncation or opening removes the file.</exception>
    public TruncateResult TruncateBefore(long sequence, RetentionHolds ignore = RetentionHolds.None)
    {
        ThrowUnlessFolder("is one segment, of which nothing can be removed");
        return _opened.Retention.TruncateBefore(sequence, ignore);
    }

    /// <summary>Removes what a policy gives up. As durable as <see cref="TruncateBefore"/>.</summary>
    /// <param name="policy">The policy; the one of <see cref="NinoStoreOptions.Retention"/> when null, which is applied by itself whenever a segment is begun, and by time where it has an age.</param>
    /// <exception cref="InvalidOperationException">There is no policy, or the store is a one-file log.</exception>
    /// <inheritdoc cref="TruncateBefore" path="/exception"/>
    public TruncateResult ApplyRetention(RetentionPolicy? policy = null)
    {
        ThrowUnlessFolder("is one segment, of which nothing can be removed");
        return _opened.Retention.Apply(policy ?? _options.Retention ?? throw new InvalidOperationException("There is no policy: set NinoStoreOptions.Retention or pass one."));
    }

    /// <summary>The cursors of the store.</summary>
    /// <exception cref="ObjectDisposedException">The store is disposed.</exception>
    public IReadOnlyList<CursorInfo> Cursors
    {
        get
        {
            ObjectDisposedException.ThrowIf(_disposed != 0, this);
            return _opened.IsOneFile ? [] : [.. (_opened.Writing?.Cursors.List() ?? CursorStore.List(_opened.Directory, StoreId, null)).Where(static c => c.Kind == MarkerKind.Cursor).Select(static c => c.Info)];
        }
    }

    /// <summary>
    /// Opens a cursor: a position in the log that is kept under a name and holds back retention. A new one stands before the first record that is in the log,
    /// durable on return. Opening a name twice gives the same cursor.
    /// </summary>
    /// <param name="name">1 to 184 bytes of UTF-8, and in the name of a file: 228 characters there, of which every byte takes three that is no small letter (a to z), digit, '-' or '_'.</param>
    /// <param name="position">Where a new cursor stands: the last sequence not to be read.</param>
    /// <exception cref="InvalidOperationException">The store is a one-file log.</exception>
    /// <exception cref="ArgumentOutOfRangeException">The position is negative, or behind the log's end.</exception>
    /// <exception cref="LogTruncatedException">The log begins behind the position.</exception>
    /// <exception cref="StoreReadOnlyException">The store is open for reading only.</exception>
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
    /// Copies the store to a folder while it goes on working: the log up to the last record appended before the call or a later one, the snapshots that it reaches, the
    /// cursors, and the checkpoints of those keyed states that the log could not make anew. The copy is a store that opens; it is durable on return. Into the folder of an earlier backup, only what is new is copied, and what the store has
    /// removed is removed. Every frame is verified before it is copied. Whatever interrupts it, a folder that held an earlier backup opens, and so does another when the log begins with record 1; a first backup of a log that does
    /// not is a store when it is complete, and says so until then. Truncations wait meanwhile. What could not be copied is named in <see cref="BackupResult.Omitted"/>.
    /// A keyed state that is not open cannot be opened while its files are copied, which comes before the log's.
    /// </summary>
    /// <param name="folder">The folder; created when it is not there.</param>
    /// <param name="options">Settings; null for none.</param>
    /// <param name="cancellationToken">Stops between MiBs; the folder keeps what was copied.</param>
    /// <exception cref="InvalidOperationException">The store is a one-file log: copy the closed file.</exception>
    /// <exception cref="ObjectDisposedException">The store was closed before, or meanwhile: closing waits for no copy. The folder keeps what was copied, as after a cancellation.</exception>
    /// <exception cref="LogTruncatedException">The store is open for reading only, and its writer has removed segments before they were copied: open it again.</exception>
    /// <exception cref="StoreInUseException">Somebody has the copy open.</exception>
    /// <exception cref="StoreFailedException">A write to the log failed earlier: open the store again, and back up then.</exception>
    /// <exception cref="StoreException">The folder holds something else than an earlier backup of this store, or records that the store has lost since and written otherwise; or the store was opened for reading so long ago that every snapshot of a type is newer than its log, or a later backup has more of the log already: open it again.</exception>
    /// <exception cref="StoreCorruptException">The log is damaged; what was copied before stays.</exception>
    /// <exception cref="IOException">Reading or writing failed.</exception>
    public ValueTask<BackupResult> BackupToAsync(string folder, BackupOptions? options = null, CancellationToken cancellationToken = default)
    {
        ArgumentException.ThrowIfNullOrEmpty(folder);
        ThrowUnlessFolder("is copied as the file it is, when it is closed");
        ObjectDisposedException.ThrowIf(_disposed != 0, this);
        return RunAsync(() =>
        {
            using DiskDirectory target = DiskDirectory.Open(folder, create: true);
            return BackupTo(target, options, cancellationToken);
        }, cancellationToken);
    }

    /// <summary>As the public form, to a folder that need not be on a disk.</summary>
    internal BackupResult BackupTo(IStoreDirectory target, BackupOptions? options = null, CancellationToken cancellationToken = default)
    {
        using var ended = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken, _ended.Token);
        try
        {
            return BackupTo(target, options ?? new BackupOptions(), ended);
        }
        catch (OperationCanceledException stopped) when (cancellationToken.IsCancellationRequested)
        {
            throw new OperationCanceledException(stopped.Message, stopped, cancellationToken);
        }
        catch (OperationCanceledException)
        {
            throw new ObjectDisposedException(nameof(NinoStore), $"{Path}: the store was closed while it was copied. The copy opens with what it has; another backup goes on from there.");
        }
    }

    private BackupResult BackupTo(IStoreDirectory target, BackupOptions options, CancellationTokenSource ended)
    {
        _log?.Wait(Durability.Disk);

        return _opened.Writing is { } writing ? writing.Retention.Without(Copy) : Copy();

        BackupResult Copy()
        {
            using IDisposable held = target.TryLockFolder(SegmentFormat.LockName) ?? throw new StoreInUseException($"{target.Name}: the copy is open for writing, or another program holds a lock on its folder (flock). Close that first.", target.Name);
            var files = new BackupFiles(ended.Token, _log is { } log ? () => log.Syncs : null);
            using var keyed = new BackupKeyedStates(this, target, files);
            return new StoreBackup(_opened.Directory, StoreId, Log, _options.SnapshotGenerations, _snapshots, target, keyed, files, options.VerifiesKept, ended.Token).Run(_options.TimeProvider.GetUtcNow().UtcTicks);
        }

        // Of a store that is open for reading only everything is copied that it reads: whether the disk has it is not known. The end before the segments: they hold it.
        BackupLog Log()
        {
            long through = _opened.Writing?.Log.DurableSequence ?? LastSequence;
            return new BackupLog(_opened.Files.Segments, through);
        }
    }

    /// <summary>
    /// Lets go what is kept of the log for a keyed state that is no longer wanted; durable on return. Its files are the caller's to remove, here and in copies. A keyed state that is
    /// opened again holds the log again, and is refused when what it needs is gone by then. False when nothing was kept for it.
    /// </summary>
    /// <exception cref="InvalidOperationException">The keyed state is open; or the store is a one-file log.</exception>
    public bool ForgetKeyedState(string name)
    {
        ArgumentException.ThrowIfNullOrEmpty(name);
        ThrowUnlessFolder("holds no keyed state");
        ObjectDisposedException.ThrowIf(_disposed != 0, this);
        using (Companions.Claim(StoreCompanions.KeyedState, name)) return _opened.Cursors.Delete(name, MarkerKind.KeyedState);
    }

    /// <summary>
    /// Lets go what is kept of the log for a state (<see cref="StateStoreExtensions.OpenStateAsync{TState}(NinoStore, Action{State.StateHandlers{TState}}, State.StateOptions, CancellationToken)"/>) that is no longer wanted; durable on return. Its snapshots stay and hold the log until they are deleted (<see cref="DeleteSnapshots"/>). A state that is
    /// opened again holds the log again, and is refused when what it needs is gone by then. False when nothing was kept for it.
    /// </summary>
    /// <exception cref="InvalidOperationException">The state is open; or the store is a one-file log.</exception>
    /// <param name="typeName">Name of the state's type, as its schema has it: <see cref="SnapshotInfo.TypeName"/> of its snapshots.</param>
    public bool ForgetState(string typeName)
    {
        ArgumentException.ThrowIfNullOrEmpty(typeName);
        ThrowUnlessFolder("holds no state");
        ObjectDisposedException.ThrowIf(_disposed != 0, this);
        using (Companions.Claim(StoreCompanions.State, typeName)) return _opened.Cursors.Delete(CursorName.OfState(typeName), MarkerKind.State);
    }

    /// <summary>
    /// Deletes all snapshots of a type, such as one that the program no longer writes: generations are counted by type, so nothing else ever removes them, and the oldest holds the log. Durable on return, as far as it came when it throws.
    /// Readers that have one open keep it. What the snapshots held is in the log only, where that still begins early enough.
    /// </summary>
    /// <param name="typeName">As <see cref="SnapshotInfo.TypeName"/> has it: <c>Shop.State</c>, of items <c>Shop.Item[]</c>.</param>
    /// <returns>How many there were.</returns>
    /// <exception cref="InvalidOperationException">They are those of a state, or may be those of one that is opened from them under another name of its type: it could not be opened without them, so two checkpoints under the new name or <see cref="ForgetState"/> come first. Or the store is a one-file log.</exception>
    /// <exception cref="StoreReadOnlyException">The store is open for reading only.</exception>
    /// <exception cref="StoreInUseException">Another writer has opened the store since, or its folder was moved away: nothing was deleted.</exception>
    /// <exception cref="IOException">A file could not be deleted, or the folder not synced.</exception>
    public int DeleteSnapshots(string typeName)
    {
        ArgumentException.ThrowIfNullOrEmpty(typeName);
        ThrowUnlessFolder("holds no snapshots");
        ObjectDisposedException.ThrowIf(_disposed != 0, this);
        Log.ThrowIfTaken();
        using IDisposable? claim = Companions.TryClaim(StoreCompanions.State, typeName);

        // A mark that cannot be read is one all the same: nobody has said that the state is not wanted.
        if (claim is null || CursorMarks.TryRead(_opened.Directory, CursorName.FileOf(CursorName.OfState(typeName), MarkerKind.State)) is not null)
            throw new InvalidOperationException($"{Path}: the snapshots are those of the state '{typeName}', which {(claim is null ? "is open" : "is opened from them")}. Where it is no longer wanted, {(claim is null ? "close it, " : "")}call ForgetState(\"{typeName}\") first.");
        if (StateUnderFormerName(typeName) is { } state)
            throw new InvalidOperationException($"{Path}: the state '{state}' has less than {LeastGenerations} snapshots of that name and was opened from one, which may be among these: its type may have had the name '{typeName}'. Open it and write checkpoints first; or where it is no longer wanted, call ForgetState(\"{state}\").");
        return _snapshots.DeleteAll(typeName);
    }

    private const int LeastGenerations = 2;

    // A state that is opened under another name of its type has its mark under that, and its snapshots under the old one until it has written others: of which one may be damaged. What names it had nobody knows but its type.
    private string? StateUnderFormerName(string typeName)
    {
        IReadOnlyList<SnapshotInfo> snapshots = Snapshots;
        foreach (CursorMark mark in CursorMarks.Read(_opened.Directory))
        {
            if (mark.Kind != MarkerKind.State || mark.Problem(StoreId) is not null || mark.Content.Newest is not { } state || state.Sequence <= state.Since) continue;
            if (snapshots.Count(s => CursorName.OfState(s.TypeName) == state.Name) < LeastGenerations && snapshots.Any(s => s.TypeName == typeName && s.Sequence >= state.Sequence)) return state.Name;
        }

        return null;
    }

    /// <summary>The sequence behind which a state begins that was opened before: 0 for the log's first record. Null when it never was.</summary>
    /// <param name="names">Names of the state's type, the present one first.</param>
    internal long? StateBegins(IReadOnlyList<string> names) =>
        names.Select(name => CursorMarks.TryFind(_opened.Directory, StoreId, CursorName.OfState(name), MarkerKind.State)).FirstOrDefault(static mark => mark is not null)?.Since;

    /// <summary>Retention keeps the records after a sequence for a state from here on, or after an earlier one that was kept for it. What was kept under a former name ends.</summary>
    /// <param name="names">Names of the state's type, the present one first; claimed by the caller.</param>
    /// <param name="afterSequence">The snapshot that it was opened from; 0 for none.</param>
    /// <param name="since">Sequence behind which it begins.</param>
    internal LogCursor KeepForState(IReadOnlyList<string> names, long afterSequence, long since)
    {
        LogCursor mark = KeepBehind(_opened.Cursors.Open(CursorName.OfState(names[0]), MarkerKind.State, Math.Max(afterSequence, FirstSequence - 1), since), afterSequence);
        foreach (string former in names.Skip(1)) _opened.Cursors.Delete(CursorName.OfState(former), MarkerKind.State);
        return mark;
    }

    /// <summary>
    /// The mark of a keyed state, durable: from here on retention keeps what it holds. A new one in a log that no longer begins with its first record begins behind the log's end, unless there is something of it.
    /// </summary>
    /// <param name="name">The keyed state, claimed by the caller.</param>
    /// <param name="changeSchema">Name of the schema of its changes.</param>
    /// <param name="hasFiles">Tells whether an engine has left something of it.</param>
    /// <returns>The mark, and whether there was none.</returns>
    internal (LogCursor Mark, bool IsNew) MarkOfKeyedState(string name, string changeSchema, Func<bool> hasFiles)
    {
        long since = 0, first = FirstSequence;
        bool isNew = CursorMarks.TryRead(_opened.Directory, CursorName.FileOf(name, MarkerKind.KeyedState)) is null;
        if (isNew && first > 1 && !FollowedStore.IsThere(_opened.Directory) && !hasFiles())
        {
            // Changes are appended by who has a mark only, so what was removed had none of them if the rest has none. If it has, the state was forgotten, and is not whole any more. A follower gets changes without a mark.
            long last = LastSequence;
            if (!ReadRecords(first).TakeWhile(record => record.Sequence <= last).Any(record => record.Schema.Name == changeSchema)) since = last;
        }

        return (_opened.Cursors.Open(name, MarkerKind.KeyedState, since > 0 ? since : null, since), isNew);
    }

    /// <summary>Takes back the mark of a keyed state that could not be opened.</summary>
    internal void ForgetMarkOfKeyedState(string name) => _opened.Cursors.Delete(name, MarkerKind.KeyedState);

    /// <summary>Moves a mark to where a restart begins now: also back, when the checkpoints that it rested on are gone or damaged and the log still has what they held. The caller keeps the log meanwhile.</summary>
    internal LogCursor KeepBehind(LogCursor mark, long covered)
    {
        long from = Math.Max(covered, FirstSequence - 1);
        if (mark.Position > from || mark.IsUnsure) mark.MoveTo(Math.Min(from, mark.Position));
        return mark;
    }
}
