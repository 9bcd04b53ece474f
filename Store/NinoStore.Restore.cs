// The facade's restores: from the newest snapshot that is whole and the records behind it.

using Microsoft.Extensions.Logging;
using Store.Framing;
using Store.Log;
using Store.Reading;
using Store.Serialization;
using Store.Snapshots;
using Store.Threading;

namespace Store;

public sealed partial class NinoStore
{
    /// <summary>
    /// Restores the newest snapshot of <typeparamref name="TState"/> that is whole (or starts from a new state) and applies every later record of
    /// <typeparamref name="TRecord"/>. <see cref="Recovery"/> then tells which snapshot was used and what was damaged.
    /// </summary>
    /// <param name="apply">Gives the state after a record.</param>
    /// <param name="cancellationToken">Stops between records.</param>
    /// <exception cref="SchemaMismatchException">The snapshot or a record is stored in a shape that cannot be read as the one its type has now, or the type refuses a value of the snapshot. No older one is used instead: nothing is damaged.</exception>
    /// <exception cref="NinoSerializationException">The type of a record refuses a value that is stored.</exception>
    /// <exception cref="StoreCorruptException">
    /// No snapshot can be used, each being damaged as the message says, and the log no longer has every record; or the log has a gap. Nothing was changed, and <see cref="Recovery"/> has the damage.
    /// </exception>
    /// <exception cref="StoreException">The store is open for reading only, its writer has replaced every snapshot since it was opened, and the log did not reach back to its first record then: open it again.</exception>
    /// <exception cref="LogTruncatedException">There is no snapshot of the type, and retention has removed the beginning of the log.</exception>
    public ValueTask<TState> RestoreAsync<TState, TRecord>(Func<TState, TRecord, TState> apply, CancellationToken cancellationToken = default) where TState : new() =>
        RestoreAsync(static () => new TState(), apply, cancellationToken);

    /// <summary>As the other form, of a state whose type has no constructor without parameters.</summary>
    /// <param name="initial">Gives the state before the first record; called when there is no snapshot.</param>
    /// <param name="apply">Gives the state after a record.</param>
    /// <param name="cancellationToken">Stops between records.</param>
    /// <inheritdoc cref="RestoreAsync{TState, TRecord}(Func{TState, TRecord, TState}, CancellationToken)" path="/exception"/>
    public ValueTask<TState> RestoreAsync<TState, TRecord>(Func<TState> initial, Func<TState, TRecord, TState> apply, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(initial);
        ArgumentNullException.ThrowIfNull(apply);
        return RestoreCoreAsync(initial, new TypedReplay<TState, TRecord>(apply), null, null, cancellationToken);
    }

    /// <inheritdoc cref="RestoreAsync{TState, TRecord}(Func{TState, TRecord, TState}, CancellationToken)"/>
    public ValueTask<TState> RestoreAsync<TState, TRecord>(Action<TState, TRecord> apply, CancellationToken cancellationToken = default) where TState : class, new()
    {
        ArgumentNullException.ThrowIfNull(apply);
        return RestoreAsync<TState, TRecord>(Changing(apply), cancellationToken);
    }

    /// <summary>As the typed form, over records of all types. A record's payload is valid only inside <paramref name="apply"/>.</summary>
    public ValueTask<TState> RestoreAsync<TState>(Action<TState, LogRecord> apply, CancellationToken cancellationToken = default) where TState : class, new() =>
        RestoreAsync(static () => new TState(), apply, cancellationToken);

    /// <summary>As the other form, of a state whose type has no constructor without parameters. A record's payload is valid only inside <paramref name="apply"/>.</summary>
    /// <param name="initial">Gives the state before the first record; called when there is no snapshot.</param>
    /// <param name="apply">Carries a record over into the state.</param>
    /// <param name="cancellationToken">Stops between records.</param>
    /// <inheritdoc cref="RestoreAsync{TState, TRecord}(Func{TState, TRecord, TState}, CancellationToken)" path="/exception"/>
    public ValueTask<TState> RestoreAsync<TState>(Func<TState> initial, Action<TState, LogRecord> apply, CancellationToken cancellationToken = default) where TState : class
    {
        ArgumentNullException.ThrowIfNull(initial);
        ArgumentNullException.ThrowIfNull(apply);
        return RestoreThenAsync(StateOf(initial), ReplayAll(apply, cancellationToken), cancellationToken);
    }

    /// <summary>
    /// Restores from the newest snapshot that is whole by a callback that reads its parts, values and items, and applies every later record of <typeparamref name="TRecord"/>: what <see cref="CheckpointPartsAsync(SnapshotParts, IProgress{SnapshotProgress}?, CancellationToken)"/>
    /// wrote comes back with the records behind it. Damage that the callback meets, whatever it makes of the exception, sends it to the snapshot before; <see cref="Recovery"/> then tells which was used and what was damaged.
    /// </summary>
    /// <param name="restore">
    /// Gives the state that a snapshot holds, and of null the one before the first record. Called once for each snapshot that is tried, on a thread of the pool; the snapshot is open only inside it, so items are read there and not later. It reads all that it needs: what it does not read is not verified.
    /// </param>
    /// <param name="apply">Gives the state after a record.</param>
    /// <param name="typeName">Only snapshots of this type (<see cref="SnapshotInfo.TypeName"/>: the first part's, with "[]" behind it for items), or null for any. It is that name alone: where the type was renamed, ask <see cref="Snapshots"/> which name the newest has. Give it where the store holds snapshots of several sorts, state holders' included.</param>
    /// <param name="cancellationToken">Stops between records.</param>
    /// <exception cref="SchemaMismatchException">A part or a record is stored in a shape that cannot be read as the one its type has now, or the type refuses a value. No older snapshot is used instead: nothing is damaged.</exception>
    /// <inheritdoc cref="RestoreAsync{TState, TRecord}(Func{TState, TRecord, TState}, CancellationToken)" path="/exception[@cref!='T:Store.SchemaMismatchException']"/>
    /// <exception cref="InvalidOperationException">The store is a one-file log, which holds no snapshots.</exception>
    public ValueTask<TState> RestorePartsAsync<TState, TRecord>(Func<SnapshotFile?, TState> restore, Func<TState, TRecord, TState> apply, string? typeName = null, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(restore);
        ArgumentNullException.ThrowIfNull(apply);
        ThrowIfOneFile();
        return RestoreThenAsync(PartsOf(restore, typeName), Replay(new TypedReplay<TState, TRecord>(apply), cancellationToken), cancellationToken);
    }

    /// <inheritdoc cref="RestorePartsAsync{TState, TRecord}(Func{SnapshotFile?, TState}, Func{TState, TRecord, TState}, string?, CancellationToken)"/>
    public ValueTask<TState> RestorePartsAsync<TState, TRecord>(Func<SnapshotFile?, TState> restore, Action<TState, TRecord> apply, string? typeName = null, CancellationToken cancellationToken = default) where TState : class
    {
        ArgumentNullException.ThrowIfNull(apply);
        return RestorePartsAsync<TState, TRecord>(restore, Changing(apply), typeName, cancellationToken);
    }

    /// <summary>As the typed form, over records of all types. A record's payload is valid only inside <paramref name="apply"/>.</summary>
    /// <inheritdoc cref="RestorePartsAsync{TState, TRecord}(Func{SnapshotFile?, TState}, Func{TState, TRecord, TState}, string?, CancellationToken)"/>
    public ValueTask<TState> RestorePartsAsync<TState>(Func<SnapshotFile?, TState> restore, Action<TState, LogRecord> apply, string? typeName = null, CancellationToken cancellationToken = default) where TState : class
    {
        ArgumentNullException.ThrowIfNull(restore);
        ArgumentNullException.ThrowIfNull(apply);
        ThrowIfOneFile();
        return RestoreThenAsync(PartsOf(restore, typeName), ReplayAll(apply, cancellationToken), cancellationToken);
    }

    /// <summary>Restores the newest snapshot and carries the records behind it over into it, where they lie: no copy and no object for each.</summary>
    internal ValueTask<TState> RestoreCoreAsync<TState>(Func<TState> initial, IRecordReplay<TState> replay, Func<bool, long>? beginsBehind, Action<long, long, long>? restored, CancellationToken cancellationToken, Action<SnapshotInfo, IReadOnlyDictionary<string, long>?, CancellationToken>? covered = null) =>
        RestoreThenAsync(StateOf(initial), Replay(replay, cancellationToken), cancellationToken, beginsBehind, restored, covered);

    /// <summary>The first record in what is left of the log, up to a sequence, of a type that is searched behind another sequence; null when there is none.</summary>
    /// <param name="behind">The types, and behind which sequence each is searched.</param>
    /// <param name="through">Last sequence.</param>
    /// <param name="cancellationToken">Stops between frames.</param>
    /// <exception cref="StoreCorruptException">The log is damaged there.</exception>
    internal (long Sequence, string Type)? FirstOf(IReadOnlyDictionary<string, long> behind, long through, CancellationToken cancellationToken)
    {
        // Not by the types of the options: frames without them would be passed over where nobody looks at the token.
        using RecordScan scan = _reading.Frames(new ReadOptions { FromSequence = behind.Values.Min() + 1, ToSequence = through }, mustReachBack: false);
        while (scan.NextFrame())
        {
            cancellationToken.ThrowIfCancellationRequested();
            FrameHeader frame = scan.Scanner.Frame;

            // A frame of one type need not be looked into.
            if (frame.SchemaId != 0 && !behind.ContainsKey(scan.Scanner.SchemaOf(frame.SchemaId).Name)) continue;
            SegmentScanner.FrameRecords records = scan.Scanner.Records();
            while (records.MoveNext(scan.Scanner.PayloadSpan))
            {
                if (scan.IsInRange(records.Sequence) && behind.TryGetValue(records.Schema.Name, out long from) && records.Sequence > from) return (records.Sequence, records.Schema.Name);
            }
        }

        return null;
    }

    /// <summary>Tells that a state is opened of which it is not known whether it misses events.</summary>
    internal void LogUnlooked(Exception exception, string state, string types, long through) => LogUnlooked(UnfailingLogger.Of<NinoStore>(_options.LoggerFactory), exception, Path, state, types, through);

    [LoggerMessage(2, LogLevel.Warning, "{Path}: the state '{State}' is opened, which knows events that the program of its snapshot did not know, '{Types}'. Whether the log has such records up to sequence {Through}, which it would miss, cannot be told: the log cannot be read there.")]
    private static partial void LogUnlooked(ILogger logger, Exception exception, string path, string state, string types, long through);

    // A state that is changed, as one that gives another.
    private static Func<TState, TRecord, TState> Changing<TState, TRecord>(Action<TState, TRecord> apply) => (state, record) =>
    {
        apply(state, record);
        return state;
    };

    private Func<TState, long, (TState State, long Replayed, long Bytes)> Replay<TState>(IRecordReplay<TState> replay, CancellationToken cancellationToken) => (state, from) =>
    {
        long next = from, bytes = 0;
        using RecordScan scan = _reading.Frames(From(from), mustReachBack: true);
        while (scan.NextFrame())
        {
            ReadOnlySpan<byte> frame = scan.Scanner.PayloadSpan;
            if (scan.WantsAll)
            {
                CheckNext(next, scan.Scanner.Frame.FirstSequence);
                var all = new PlainRecords(scan.Scanner, frame);
                try
                {
                    state = replay.Apply(state, ref all, cancellationToken);
                }
                catch (Exception e) when (ReplayPlace.Note(e, all.Sequence, all.Schema.Name))
                {
                    throw;
                }

                (next, bytes) = (scan.Scanner.Frame.LastSequence + 1, bytes + all.LengthBytes);
                continue;
            }

            SegmentScanner.FrameRecords records = scan.Scanner.Records();
            while (records.MoveNext(frame))
            {
                if (!scan.Wants(in records)) continue;
                cancellationToken.ThrowIfCancellationRequested();
                CheckNext(next++, records.Sequence);
                (int start, int length) = records.Place;
                bytes += length;
                try
                {
                    state = replay.Apply(state, records.Sequence, records.Schema, frame.Slice(start, length));
                }
                catch (Exception e) when (ReplayPlace.Note(e, records.Sequence, records.Schema.Name))
                {
                    throw;
                }
            }
        }

        return (state, next - from, bytes);
    };

    private Func<TState, long, (TState State, long Replayed, long Bytes)> ReplayAll<TState>(Action<TState, LogRecord> apply, CancellationToken cancellationToken) => (state, from) =>
    {
        long next = from, bytes = 0;
        foreach (LogRecord record in _reading.Records(From(from), mustReachBack: true))
        {
            cancellationToken.ThrowIfCancellationRequested();
            CheckNext(next++, record.Sequence);
            bytes += record.Payload.Length;
            try
            {
                apply(state, record);
            }
            catch (Exception e) when (ReplayPlace.Note(e, record.Sequence, record.Schema.Name))
            {
                throw;
            }
        }

        return (state, next - from, bytes);
    };

    private RestoreSource<TState> StateOf<TState>(Func<TState> initial)
    {
        NinoCodec<TState> codec = NinoCodec<TState>.Default;
        return new RestoreSource<TState>(codec.Schema.Names, (damage, newer) => _snapshots.TryRestoreNewest(codec, LastSequence, damage, newer), initial, () => StateBegins(codec.Schema.Names));
    }

    private RestoreSource<TState> PartsOf<TState>(Func<SnapshotFile?, TState> restore, string? typeName)
    {
        string[]? names = typeName is null ? null : [typeName];
        return new RestoreSource<TState>(names, (damage, newer) => _snapshots.TryRestoreNewest(names, restore, LastSequence, damage, newer), () => restore(null), static () => null);
    }

    /// <param name="source">Where the state comes from.</param>
    /// <param name="replay">From the state and the sequence behind it to the state now, and how many records that took, of how many bytes.</param>
    /// <param name="cancellationToken">Stops between records.</param>
    /// <param name="beginsBehind">Asked when there is no snapshot, and told whether there is one that cannot be used: the sequence behind which a new state begins. Null for where it was opened first, else the whole log.</param>
    /// <param name="restored">Told the sequence behind which the replay began, how many records were replayed, and their bytes, on the thread that did it. Null for a restore of the program's own, which schedules count from.</param>
    /// <param name="covered">Told of the snapshot that is used and the events that are written in it, before anything is replayed.</param>
    private ValueTask<TState> RestoreThenAsync<TState>(RestoreSource<TState> source, Func<TState, long, (TState State, long Replayed, long Bytes)> replay, CancellationToken cancellationToken, Func<bool, long>? beginsBehind = null, Action<long, long, long>? restored = null, Action<SnapshotInfo, IReadOnlyDictionary<string, long>?, CancellationToken>? covered = null) =>
        RunAsync(() =>
        {
            List<StoreDamage> damage = [];
            HashSet<string> newer = [];
            SnapshotRestore<TState>? snapshot = _opened.IsOneFile ? null : source.TryRestore(damage, newer);
            IReadOnlyList<StoreDamage> aside = snapshot is not null || _opened.IsOneFile ? [] : _snapshots.FindSetAside(source.TypeNames);
            long from = (snapshot?.Info.Sequence ?? beginsBehind?.Invoke(damage.Count + aside.Count > 0) ?? (_opened.IsOneFile ? null : source.Begins()) ?? 0) + 1;
            if (from < FirstSequence && newer.Count > 0) throw WentOn(source.Name, newer);
            if (from < FirstSequence && damage.Count + aside.Count > 0) throw Unrestorable(source.Name, from, damage, aside);
            if (from < FirstSequence && snapshot is null) throw NoBeginning(source.Name, from);
            if (snapshot is not null) covered?.Invoke(snapshot.Info, snapshot.Events, cancellationToken);
            (TState state, long replayed, long bytes) = replay(snapshot is null ? source.Initial() : snapshot.State, from);
            Recovery = Recovery with { SnapshotUsed = snapshot?.Info.FileName, RecordsReplayed = replayed, Damage = [.. _opened.Report.Damage, .. damage] };

            // Not what the report says: another state may be opened at the same time.
            (restored ?? NoteOwnRestore)(from - 1, replayed, bytes);
            return state;
        }, cancellationToken);

    /// <summary>What the restores of the program's own (not of states that were opened) began behind, and the most bytes one of them replayed: what a schedule counts from. Null when there was none.</summary>
    internal (long Behind, long Bytes)? OwnRestore { get; private set; }

    // Of several, the one that leaves most to be covered: which of them a schedule is for, it does not say. At worst one checkpoint comes early.
    private void NoteOwnRestore(long behind, long replayed, long bytes)
    {
        using (Uninterrupted.Enter(_restoring)) OwnRestore = OwnRestore is { } before ? (Math.Min(before.Behind, behind), Math.Max(before.Bytes, bytes)) : (behind, bytes);
    }

    // The log alone would say that retention has removed its beginning and nothing is damaged. But something is: what was to take its place.
    private StoreCorruptException Unrestorable(string what, long from, List<StoreDamage> damage, IReadOnlyList<StoreDamage> aside)
    {
        Recovery = Recovery with { SnapshotUsed = null, RecordsReplayed = 0, Damage = [.. _opened.Report.Damage, .. damage] };
        string snapshots = string.Concat(damage.Concat(aside).Select(static d => $" {d.File}, offset {d.Offset}: {d.Message}"));
        return new StoreCorruptException(
            $"{Path}: {what} cannot be restored. The log begins with record {FirstSequence}, retention has removed what is before, and the snapshots that would hold the effect of records {from} to {FirstSequence - 1} cannot be used.{snapshots}"
            + " Nothing was changed. Close the store, put one of these files, or the whole folder, back from a backup, and open it again; 'inspect verify' shows the damage, and 'inspect export' of a snapshot writes what is left of it.", Path);
    }

    // Open for reading only: the log is seen as it was, the snapshots as they are. Opening again sees both as they are.
    private StoreException WentOn(string what, IReadOnlyCollection<string> newer) => new(
        $"{Path}: {what} cannot be read from here any more. The store was opened for reading only, the log ended with record {LastSequence} then and no longer began with record 1, and its writer has replaced every snapshot since: {string.Join(", ", newer.Order(StringComparer.Ordinal))}. "
        + "Nothing is damaged. Open the store again.", Path);

    private LogTruncatedException NoBeginning(string what, long from)
    {
        long first = FirstSequence;

        // Who forgot the former name, or went back to a build from before it, must not be told to begin anew only.
        string[] others = [.. Snapshots.Select(static snapshot => snapshot.TypeName).Distinct(StringComparer.Ordinal).Order(StringComparer.Ordinal)];
        string renamed = others.Length == 0 ? "" : $" There are snapshots of '{string.Join("', '", others)}': where one of these is another name of the type, put [NinoFormerName] with it on the type, or use the build that has it.";
        return new LogTruncatedException($"{Path}: {what} has no snapshot, and its events from record {from} on are needed; the log begins with record {first}, retention has removed what is before. Nothing was changed.{renamed} "
            + $"Restore the folder from a backup that still has them. A new state that is to begin with what is left: open it with StateOptions.{nameof(State.StateOptions.AllowTruncatedHistory)}.", Path, first);
    }

    private void CheckNext(long expected, long sequence)
    {
        if (sequence != expected)
            throw new StoreCorruptException($"{Path}: restoring needs record {expected}, and the next one in the log is {sequence}: the records between are gone, and no usable snapshot holds their effect. Restore the folder from a backup.", Path);
    }

    /// <summary>Where the state of a restore comes from.</summary>
    /// <param name="TypeNames">Types of the snapshots that are looked at; null for any.</param>
    /// <param name="TryRestore">From the newest snapshot that can be used; null when there is none. Fills in what was passed over, and what a writer has published since.</param>
    /// <param name="Initial">The state when there is no snapshot.</param>
    /// <param name="Begins">The sequence behind which it was begun; null when it was not.</param>
    private sealed record RestoreSource<TState>(IReadOnlyList<string>? TypeNames, Func<List<StoreDamage>, HashSet<string>, SnapshotRestore<TState>?> TryRestore, Func<TState> Initial, Func<long?> Begins)
    {
        /// <summary>What messages call it.</summary>
        public string Name => TypeNames is null ? "the state of its snapshots" : $"'{TypeNames[0]}'";
    }
}
