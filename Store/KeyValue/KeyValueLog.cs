// What does an engine of keyed state have of its store? Its name, a folder, the changes in the log, a way to append more, and a place among what the store checkpoints and closes. Everything else is
// the engine's own. How one is written: docs/key-value.md, "other engines".

using Microsoft.Extensions.Logging;
using Store.IO;
using Store.KeyValue.Changes;
using Store.Log;
using Store.Reading;
using Store.Serialization;
using Store.Snapshots;
using Store.Threading;

namespace Store.KeyValue;

/// <summary>Opens the logs of keyed states, for those who write an engine. Who uses one calls the engine's own way of opening.</summary>
public static class KeyValueLog
{
    /// <summary>
    /// Takes a name of keyed state for one engine, until the result or the store is disposed. From here on retention keeps every record of the log that the engine has not released
    /// (<see cref="KeyValueLog{TKey, TValue}.KeepAfter"/>), over restarts too.
    /// </summary>
    /// <param name="store">The store.</param>
    /// <param name="name">1 to 64 ASCII letters, digits, '-' and '_'. Names that differ in case only cannot be open together.</param>
    /// <typeparam name="TKey">Type of the keys.</typeparam>
    /// <typeparam name="TValue">Type of the values.</typeparam>
    /// <exception cref="ArgumentException">The name is invalid.</exception>
    /// <exception cref="InvalidOperationException">The name is open already, whatever the engine, or a backup is copying its files at this moment; or the store is a one-file log, which has no folder.</exception>
    /// <exception cref="NotSupportedException">The key's type keeps references.</exception>
    /// <exception cref="NinoTypeNotRegisteredException">No generated code knows one of the types.</exception>
    /// <exception cref="StoreReadOnlyException">The store is open for reading only.</exception>
    /// <exception cref="ObjectDisposedException">The store is disposed.</exception>
    public static KeyValueLog<TKey, TValue> Open<TKey, TValue>(NinoStore store, string name)
    {
        ArgumentNullException.ThrowIfNull(store);
        ArgumentException.ThrowIfNullOrEmpty(name);
        if (!KeyedFolder.IsName(name)) throw new ArgumentException($"'{name}' is no name of keyed state: {KeyedFolder.Names}.", nameof(name));
        if (store.Opened.IsOneFile) throw new InvalidOperationException($"'{store.Path}' is a one-file log; keyed state needs a store folder.");
        store.ThrowIfReadOnly();

        var format = new ChangeFormat<TKey, TValue>(name, store.Options.RecordLimits);
        IDisposable claim = store.Companions.Claim(StoreCompanions.KeyedState, name);
        SnapshotHold? hold = null;
        SchemaClaim? changes = null;
        try
        {
            // Checkpoints found on the disk need not be whole: until the engine has opened what it has, the log is kept as it is. And nobody else appends its changes, as an import would: it would not see them.
            hold = store.HoldLog($"the keyed state '{name}', which is being opened");
            changes = new SchemaClaim(store.Opened.Log, [format.Schema.Name], $"the keyed state '{name}'", "Change it through that; or dispose it first.");
            store.Opened.Log.Claim(changes);
            (LogCursor mark, bool isNew) = store.MarkOfKeyedState(name, format.Schema.Name, () => HasFiles(store, name));
            return new KeyValueLog<TKey, TValue>(store, format, new KeyValueHolding(claim, hold, changes, mark, isNew));
        }
        catch
        {
            changes?.Dispose();
            hold?.Dispose();
            claim.Dispose();
            throw;
        }
    }

    /// <summary>Opens the folder of a keyed state for its engine: what changes files in it ends with the store.</summary>
    /// <exception cref="ObjectDisposedException">The store is disposed.</exception>
    internal static IStoreDirectory OpenFolder(NinoStore store, string name)
    {
        ChangeGate changes = store.Opened.Changes;
        using (changes.Enter()) return new GatedFolder(KeyedFolder.Open(store.Opened.Directory, store.Options.Directory is not null, name), changes);
    }

    internal static bool HasFiles(NinoStore store, string name)
    {
        using IStoreDirectory folder = OpenFolder(store, name);
        return FolderExchange.HasFiles(folder);
    }
}

/// <summary>
/// The log as the engine of one keyed state uses it: it reads the changes that are there, attaches itself, and appends its own. The order of calls is checked; a call out of order is an
/// <see cref="InvalidOperationException"/>. Safe for any number of threads, but for <see cref="ReadChanges"/> and <see cref="Attach"/>, which opening calls.
/// </summary>
/// <typeparam name="TKey">Type of the keys.</typeparam>
/// <typeparam name="TValue">Type of the values.</typeparam>
public sealed class KeyValueLog<TKey, TValue> : IDisposable
{
    private readonly NinoStore _store;
    private readonly ChangeFormat<TKey, TValue> _format;
    private readonly KeyValueHolding _holding;
    private readonly Lock _cutting = new();
    private KeyValueCut _lastCut;
    private long _lastChange;
    private KeyValueCompanion<TKey, TValue>? _companion;
    private bool _hasReadAll;
    private int _disposed;

    internal KeyValueLog(NinoStore store, ChangeFormat<TKey, TValue> format, KeyValueHolding holding)
    {
        (_store, _format, _holding) = (store, format, holding);
        _lastCut = NewCut(0, 0, 0, 0);
    }

    /// <summary>Name of the keyed state.</summary>
    public string Name => _format.Name;

    /// <summary>Sequence of the last record of the log, of whatever kind.</summary>
    public long LastSequence => _store.LastSequence;

    /// <summary>Sequence behind which its changes begin: 0, or where a log ended that no longer began with its first record when the keyed state was opened for the first time.</summary>
    internal long Since => _holding.Mark.Since;

    internal ChangeFormat<TKey, TValue> Format => _format;

    /// <summary>True when the name is given back.</summary>
    internal bool IsDisposed => _disposed != 0;

    /// <summary>What it holds of the store.</summary>
    internal KeyValueHolding Holding => _holding;

    /// <summary>
    /// Opens the folder for the engine's files, <c>kv-name</c> in the store's, creating it when it is not there. The caller disposes it. It goes through the file access that the store was opened with
    /// (<see cref="NinoStoreOptions.Directory"/>), so that the engine can be tested as the store is. In a copy whose backup was interrupted while it put files here, it finishes that.
    /// Call it before the engine has a file of it open.
    /// </summary>
    /// <exception cref="IOException">The disk fails.</exception>
    /// <exception cref="StoreCorruptException">The store is a copy, and what its backup left here is damaged. Nothing was changed.</exception>
    public IStoreDirectory OpenFolder()
    {
        ThrowIfDisposed();
        IStoreDirectory folder = KeyValueLog.OpenFolder(_store, Name);
        try
        {
            if (_companion is null) FolderExchange.Finish(folder, Since);
            return folder;
        }
        catch
        {
            folder.Dispose();
            throw;
        }
    }

    /// <summary>
    /// Tells whether what a checkpoint holds is what this log amounts to at its cut. It is not when it belongs to another store, name or shape of the types, covers more than the log has (a crash took the end), or the
    /// log has had another history since (a backup was restored). Such a checkpoint must not be used, now or ever: report it in <see cref="KeyValueRecovery.Rejected"/>, read everything, and remove it, durably, before
    /// <see cref="Attach"/>. The log may grow past its end again, and what is rejected today for that must not be asked for tomorrow.
    /// </summary>
    /// <param name="cut">The cut that is stored with the checkpoint.</param>
    /// <param name="problem">Why not; null when it is.</param>
    public bool CanStartFrom(KeyValueCut cut, [System.Diagnostics.CodeAnalysis.NotNullWhen(false)] out string? problem)
    {
        ArgumentNullException.ThrowIfNull(cut);
        ThrowIfDisposed();
        problem = cut switch
        {
            _ when cut.StoreId != _store.StoreId => $"It belongs to the store {cut.StoreId}, this is {_store.StoreId}.",
            _ when cut.Name != Name => $"It belongs to '{cut.Name}', this is '{Name}'.",
            _ when cut.KeyShape != _format.KeySchema.Fingerprint || cut.ValueShape != _format.ValueSchema.Fingerprint => "It holds another shape of the key or value than the program's: the state is rebuilt from the log.",
            _ when cut.Sequence < 0 || cut.LastChange < 0 || cut.LastChange > cut.Sequence => $"It covers the log up to {cut.Sequence} with a last change at {cut.LastChange}, which cannot be.",
            _ when cut.Sequence < Since => $"It covers the log up to {cut.Sequence}, and this keyed state begins behind {Since}: it is that of an earlier one of the name.",
            _ when cut.Sequence > _store.LastSequence => $"It covers the log up to {cut.Sequence}, but the log ends at {_store.LastSequence}.",
            _ when !Has(cut.Sequence, cut.SequenceMark) => $"Record {cut.Sequence} of the log is not the one it was written after: the log was replaced or cut since.",
            _ when !Has(cut.LastChange, cut.LastChangeMark) => $"Record {cut.LastChange} of the log is not the last change that it holds: the log was replaced or cut since.",
            _ => null,
        };
        return problem is null;
    }

    /// <summary>
    /// Reads the changes behind a checkpoint, or all of them, in order: the state is what they amount to. Changes that were stored in an earlier shape of the types are given in the present one
    /// (docs/evolution.md). Enumerate it to its end before <see cref="Attach"/>; it may be begun again.
    /// </summary>
    /// <param name="from">The cut of the checkpoint that is used, or null to read everything into an empty state.</param>
    /// <returns>The changes; their bytes are valid until the enumerator moves on.</returns>
    /// <exception cref="ArgumentException"><see cref="CanStartFrom"/> is false.</exception>
    /// <exception cref="InvalidOperationException">The engine is attached already.</exception>
    /// <exception cref="StoreCorruptException">The log no longer has all of them: retention removed them, or they are lost. The state cannot be opened.</exception>
    /// <exception cref="SchemaMismatchException">Changes are stored in a shape that cannot be read as the program's.</exception>
    public IEnumerable<KeyValueChange> ReadChanges(KeyValueCut? from = null)
    {
        ThrowIfDisposed();
        if (_companion is not null) throw new InvalidOperationException($"The engine of '{Name}' is attached: it has read its changes.");
        if (from is not null && !CanStartFrom(from, out string? problem)) throw new ArgumentException($"The checkpoint of '{Name}' cannot be used. {problem}", nameof(from));
        return Iterate();

        IEnumerable<KeyValueChange> Iterate()
        {
            ThrowIfDisposed();
            _hasReadAll = false;

            // Before any checkpoint goes: a reading that ends half way, and a truncation then, would leave neither.
            _store.KeepBehind(_holding.Mark, from?.Sequence ?? Since);
            (_lastChange, _lastCut) = (from?.LastChange ?? 0, from ?? NewCut(0, 0, 0, 0));
            long next = (from?.Sequence ?? Since) + 1, last = _store.LastSequence;
            var mapped = new System.Buffers.ArrayBufferWriter<byte>();
            foreach (LogRecord record in next <= last ? _store.ReadRecords(next) : [])
            {
                if (record.Sequence != next)
                    throw new StoreCorruptException($"The keyed state '{Name}' needs record {next} of the log, and the next one there is {record.Sequence}: the changes between are gone, and no usable checkpoint holds them. Restore the folder of the keyed state or the log from a backup.", _store.Path);
                if (next++ > last) break;
                if (record.Schema.Name != _format.Schema.Name) continue;
                _lastChange = record.Sequence;
                ReadOnlyMemory<byte> change = _format.Read(record, mapped, out ChangeParts parts);
                yield return KeyValueChange.Of(record.Sequence, change, parts);
            }

            if (next <= last) throw new StoreCorruptException($"The log ends at record {next - 1} where {last} was promised; the keyed state '{Name}' cannot be rebuilt.", _store.Path);
            _hasReadAll = true;
        }
    }

    /// <summary>
    /// Puts the engine on the store, when it has read every change and before it is handed out: the store's checkpoints are its checkpoints from now on, and closing the store disposes it before the log is closed.
    /// </summary>
    /// <param name="engine">The engine. Its <see cref="IDisposable.Dispose"/> ends with this log's. Where it is <see cref="IKeyValueCheckpointFiles"/> too, a backup copies its checkpoints while it is open.</param>
    /// <exception cref="InvalidOperationException">One is attached, or the changes were not read to their end.</exception>
    /// <exception cref="ObjectDisposedException">The store is disposed: dispose the engine.</exception>
    public void Attach(IKeyValueStore<TKey, TValue> engine)
    {
        ArgumentNullException.ThrowIfNull(engine);
        if (!_hasReadAll) throw new InvalidOperationException($"An engine of '{Name}' is attached before it has read all changes of the log: what it holds is not what the log amounts to.");
        AttachRead(engine, Math.Max(_lastCut.Sequence, Since));
    }

    /// <summary>As <see cref="Attach"/>, of an engine that has read the log by itself.</summary>
    /// <param name="engine">The engine.</param>
    /// <param name="covered">Sequence of the checkpoint that it has used, <see cref="Since"/> without one.</param>
    internal void AttachRead(IKeyValueStore<TKey, TValue> engine, long covered)
    {
        ThrowIfDisposed();
        var companion = new KeyValueCompanion<TKey, TValue>(this, engine);
        if (_companion is null) _store.KeepBehind(_holding.Mark, covered);
        if (Interlocked.CompareExchange(ref _companion, companion, null) is not null) throw new InvalidOperationException($"An engine of '{Name}' is attached already.");
        _holding.Hold.Dispose();
        _store.Companions.Add(companion);
    }

    /// <summary>An empty set of changes, to be encoded and appended. The caller disposes it. Needs no lock.</summary>
    public KeyValueChanges<TKey, TValue> NewChanges()
    {
        ThrowIfDisposed();
        return new KeyValueChanges<TKey, TValue>(this, _store.Options.MaxRecordSizeBytes);
    }

    /// <summary>
    /// Appends changes: one as a record, several as one frame, so that after a crash all of them are there or none. As durable as an <c>Append</c>. Call it under a lock that every change of these keys takes,
    /// and apply them before the lock is released: then changes of one key take effect in the order of their sequences, which is what opening will find.
    /// </summary>
    /// <param name="changes">The changes; they have their sequences afterwards.</param>
    /// <returns>Sequence of the first; of no changes, the sequence that the next record will get.</returns>
    /// <exception cref="InvalidOperationException">No engine is attached, or the changes are another log's, or were appended already.</exception>
    /// <exception cref="RecordTooLargeException">All together exceed 256 MiB. Nothing was appended.</exception>
    /// <exception cref="StoreFailedException">A write failed earlier.</exception>
    public long Append(KeyValueChanges<TKey, TValue> changes)
    {
        ArgumentNullException.ThrowIfNull(changes);
        ThrowIfDisposed();
        if (_companion is null) throw new InvalidOperationException($"Changes of '{Name}' are appended before an engine is attached.");
        long first = changes.AppendTo(this, _store.Opened.Log);
        if (changes.Count > 0) NoteLastChange(first + changes.Count - 1);
        return first;
    }

    /// <summary>Completes when a change is as durable as <see cref="NinoStoreOptions.Durability"/> says. Cancelling gives up the wait.</summary>
    /// <returns>The sequence.</returns>
    /// <exception cref="StoreFailedException">A write failed: what was not yet acknowledged may be lost.</exception>
    public ValueTask<long> WaitAsync(long sequence, CancellationToken cancellationToken = default)
    {
        ThrowIfDisposed();
        ArgumentOutOfRangeException.ThrowIfGreaterThan(sequence, _store.LastSequence);
        return _store.Opened.Log.WaitAsync(_store.Options.Durability, sequence, cancellationToken, isAppended: true);
    }

    /// <summary>
    /// Tells where the log stands: what a checkpoint that holds every change so far stores of it. Call it while no change is under way: between a change's append and its application there must be no cut.
    /// </summary>
    /// <exception cref="InvalidOperationException">No engine is attached.</exception>
    public KeyValueCut Cut()
    {
        ThrowIfDisposed();
        if (_companion is null) throw new InvalidOperationException($"A checkpoint of '{Name}' is begun before an engine is attached.");
        lock (_cutting)
        {
            long sequence = _store.LastSequence, lastChange = Volatile.Read(ref _lastChange);

            // Asked once a record, and kept: retention may take it away while no other comes.
            if (sequence == _lastCut.Sequence) return _lastCut;
            uint change = lastChange == _lastCut.LastChange ? _lastCut.LastChangeMark : MarkOf(lastChange);
            return _lastCut = NewCut(sequence, lastChange, sequence == lastChange ? change : MarkOf(sequence), change);
        }
    }

    /// <summary>
    /// Marks this thread as being inside a callback of an update, under the engine's lock: what would wait for that lock from another thread, a checkpoint of the store or its disposal, is refused there then. Dispose the
    /// result, on the same thread, when the callback has returned. Callbacks of several keyed states may lie inside each other.
    /// </summary>
    /// <exception cref="InvalidOperationException">This thread is inside a callback of this keyed state already.</exception>
    public KeyValueCallback EnterCallback()
    {
        ThrowIfChangedInsideCallback();
        return KeyValueCallback.Enter(this);
    }

    /// <summary>True while this thread is between <see cref="EnterCallback"/> and its end. Changes, checkpoints and disposal are to be refused then.</summary>
    public bool IsInsideCallback => KeyValueCallback.IsInside(this);

    /// <summary>Refuses a change, before anything of it is appended. Needs no lock.</summary>
    /// <exception cref="InvalidOperationException">This thread is inside a callback of this keyed state.</exception>
    public void ThrowIfChangedInsideCallback() => KeyValueCallback.ThrowIfChanging(this, Name);

    /// <summary>Refuses what waits until no change is under way.</summary>
    /// <param name="what">What is done to the keyed state, for the message: "disposes", "asks for a checkpoint of".</param>
    /// <exception cref="InvalidOperationException">This thread is inside a callback of this keyed state.</exception>
    public void ThrowIfAwaitedInsideCallback(string what) => KeyValueCallback.ThrowIfWaiting(this, Name, what);

    /// <summary>Completes when everything appended so far survives a power failure. A checkpoint may be put in force only then: one that holds more than the log is rejected.</summary>
    /// <inheritdoc cref="NinoStore.CommitAsync" path="/exception"/>
    public ValueTask CommitAsync(CancellationToken cancellationToken = default)
    {
        ThrowIfDisposed();
        return _store.CommitAsync(cancellationToken);
    }

    /// <summary>
    /// Lets retention remove the records up to a cut, when no checkpoint that the engine keeps needs them: call it with the oldest one's, after the newest is durable. Durable on return. Forward only: an earlier
    /// cut changes nothing.
    /// </summary>
    /// <exception cref="ArgumentException">It is no cut of this log.</exception>
    /// <exception cref="InvalidOperationException">The log is not durable up to the cut: a checkpoint is in force before <see cref="CommitAsync"/>.</exception>
    /// <exception cref="StoreFailedException">The mark could not be written: the log is kept, and grows. The next call writes it anew.</exception>
    public void KeepAfter(KeyValueCut cut)
    {
        ArgumentNullException.ThrowIfNull(cut);
        ThrowIfDisposed();
        if (cut.StoreId != _store.StoreId || cut.Name != Name || cut.Sequence > _store.LastSequence) throw new ArgumentException($"It is no cut of the log of '{Name}'.", nameof(cut));
        if (cut.Sequence > _store.DurableSequence) throw new InvalidOperationException($"The log of '{Name}' is to be released up to {cut.Sequence}, but is durable up to {_store.DurableSequence} only. Call CommitAsync before the checkpoint is put in force.");
        _holding.Mark.Advance(cut.Sequence);
    }

    /// <summary>Gives the name free and takes the engine off the store: the last thing that an engine's disposal does. Afterwards every member throws <see cref="ObjectDisposedException"/>. Doing it again changes nothing.</summary>
    public void Dispose()
    {
        if (Interlocked.Exchange(ref _disposed, 1) != 0) return;
        try
        {
            if (_companion is { } companion) _store.Companions.Remove(companion);
            else if (_holding is { IsNew: true, HasBegun: false }) TakeBack();
        }
        finally
        {
            _holding.Changes.Dispose();
            _holding.Hold.Dispose();
            _holding.Name.Dispose();
        }
    }

    // It was refused: a mark that it made would keep the log for ever for a state that there is not.
    private void TakeBack()
    {
        try
        {
            // An engine that has left files has begun: where that was must not be forgotten.
            if (Since == 0 || !KeyValueLog.HasFiles(_store, Name)) _store.ForgetMarkOfKeyedState(Name);
        }
        catch (Exception e) when (e is IOException or ObjectDisposedException)
        {
            // Nothing is wrong but that the log is kept; why it was refused is what the caller is to see.
            UnfailingLogger.Of(_store.Options.LoggerFactory, "NinoStore.KeyValue").LogWarning(e, "{Path}: the keyed state '{Name}' could not be opened, and the mark by which the log is kept for it could not be removed: ForgetKeyedState does it.", _store.Path, Name);
        }
    }

    private KeyValueCut NewCut(long sequence, long lastChange, uint sequenceMark, uint lastChangeMark) =>
        new(_store.StoreId, Name, _format.KeySchema.Fingerprint, _format.ValueSchema.Fingerprint, sequence, lastChange, sequenceMark, lastChangeMark);

    private bool Has(long sequence, uint mark) => RecordMark.IsIn(sequence, mark, _store.ReadRecords(Math.Max(1, sequence)));

    private uint MarkOf(long sequence) => RecordMark.Find(sequence, _store.ReadRecords(Math.Max(1, sequence)), Name, _store.Path);

    private void NoteLastChange(long sequence)
    {
        for (long seen = Volatile.Read(ref _lastChange); sequence > seen; seen = Volatile.Read(ref _lastChange)) Interlocked.CompareExchange(ref _lastChange, sequence, seen);
    }

    private void ThrowIfDisposed() => ObjectDisposedException.ThrowIf(_disposed != 0, typeof(IKeyValueStore<TKey, TValue>));
}
