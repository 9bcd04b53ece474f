// What must nobody else do with a state's events, and what must stay of the log for it? Taken in this order: the type's name, the log as it is, the events; then the log is read; then a mark that outlives the process takes
// over from the hold.

using Store.Log;
using Store.Serialization;
using Store.Snapshots;

namespace Store.State;

/// <summary>What an open state holds of its store.</summary>
internal sealed class StateOpening : IDisposable
{
    private readonly NinoStore _store;
    private readonly NinoSchema _schema;
    private readonly IDisposable _names;
    private readonly SnapshotHold _hold;
    private readonly StateOptions _options;
    private readonly IReadOnlyCollection<string> _eventNames;
    private readonly long? _begun;

    // Events of other programs that the snapshot holds from which it was opened, and own ones of which it could not be told: up to which sequence the state has them.
    private readonly Dictionary<string, long> _held = new(StringComparer.Ordinal);
    private readonly Dictionary<string, long> _unlooked = new(StringComparer.Ordinal);
    private LogCursor? _mark;
    private long _since;

    private StateOpening(NinoStore store, NinoSchema schema, StateOptions options, IReadOnlyCollection<string> eventNames, IDisposable names, SnapshotHold hold, SchemaClaim events)
    {
        (_store, _schema, _options, _eventNames, _names, _hold, Events) = (store, schema, options, eventNames, names, hold, events);
        _begun = store.StateBegins(schema.Names);
        _since = _begun ?? 0;
    }

    /// <summary>The state's claim on its events: with it they are appended.</summary>
    public SchemaClaim Events { get; }

    /// <summary>The log was looked at for events that the program of the snapshot did not know, and the next opening need not, once a checkpoint says so.</summary>
    public bool OwesCheckpoint { get; private set; }

    /// <summary>Records that opening has read: no snapshot covers them.</summary>
    public long Replayed { get; private set; }

    /// <summary>Bytes of those records.</summary>
    public long ReplayedBytes { get; private set; }

    /// <summary>Begins: nobody appends the events any more, and nothing of the log is removed.</summary>
    /// <exception cref="InvalidOperationException">A state of the type is open, or one of another type with one of the events.</exception>
    public static StateOpening Begin(NinoStore store, NinoSchema schema, IReadOnlyCollection<string> events, StateOptions options)
    {
        IDisposable names = store.Companions.Claim(StoreCompanions.State, schema.Names);
        SnapshotHold hold = store.HoldLog($"the state '{schema.Name}', which is being opened");
        try
        {
            AppendLog log = store.Opened.Log;
            var claim = new SchemaClaim(log, events, $"the state '{schema.Name}'", "Append it with StateStore.Apply, so that the state changes with the log; or close the state first.");
            log.Claim(claim);
            try
            {
                return new StateOpening(store, schema, options, events, names, hold, claim);
            }
            catch
            {
                claim.Dispose();
                throw;
            }
        }
        catch
        {
            hold.Dispose();
            names.Dispose();
            throw;
        }
    }

    /// <summary>No snapshot can be used: behind which sequence does the state begin? 0 for the log's first record.</summary>
    /// <param name="hadSnapshots">There are some that cannot be used: what they held is not in a log that was cut.</param>
    public long BeginsBehind(bool hadSnapshots)
    {
        // Asked for once, and kept in the mark: whatever is removed later, the state is what its events amount to from there on.
        if (_begun is null && _options.AllowTruncatedHistory && !hadSnapshots) _since = _store.FirstSequence - 1;
        return _since;
    }

    /// <summary>
    /// A snapshot is used. What the log has in front of it of an event that its program did not know, under whatever name, is not in it, unless an earlier program had carried it over, and is not replayed either: the state would miss it.
    /// </summary>
    /// <param name="snapshot">The snapshot.</param>
    /// <param name="events">Up to which sequence it holds each event; null where it was not written by an open state: who writes one by hand knows what it holds.</param>
    /// <param name="cancellationToken">Stops between frames of the log.</param>
    /// <exception cref="InvalidOperationException">There is such an event; or the snapshot is of a later beginning of the state.</exception>
    public void CheckEvents(SnapshotInfo snapshot, IReadOnlyDictionary<string, long>? events, CancellationToken cancellationToken)
    {
        CheckBeginning(snapshot);
        if (events is null) return;
        foreach ((string name, long through) in events)
        {
            if (!_eventNames.Contains(name)) _held[name] = through;
        }

        Dictionary<string, long> unknown = _eventNames.Select(name => (Name: name, Through: Math.Max(_since, events.GetValueOrDefault(name)))).Where(one => one.Through < snapshot.Sequence).ToDictionary(static one => one.Name, static one => one.Through, StringComparer.Ordinal);
        if (unknown.Count == 0) return;
        OwesCheckpoint = true;
        if (_options.AllowMissedEvents) return;
        (long Sequence, string Type)? missed;
        try
        {
            missed = _store.FirstOf(unknown, snapshot.Sequence, cancellationToken);
        }
        catch (Exception e) when (e is StoreCorruptException or LogTruncatedException)
        {
            // In front of a snapshot nothing of the log is needed: damage there is no reason to refuse what the snapshot holds. But it is not known, and no checkpoint says that it is.
            _store.LogUnlooked(e, _schema.Name, string.Join("', '", unknown.Keys), snapshot.Sequence);
            foreach ((string name, long through) in unknown) _unlooked[name] = through;
            OwesCheckpoint = false;
            return;
        }

        if (missed is { } found) throw Missing(snapshot, found.Sequence, found.Type);
    }

    // A build from before the type was renamed, and one that lacks the former name, find neither the mark nor the snapshots that there are. Where it was told to begin with what retention had left, its snapshots do not hold what was before.
    private void CheckBeginning(SnapshotInfo snapshot)
    {
        if (_schema.Names.Count == 1 || _store.StateBegins([snapshot.TypeName]) is not { } later) return;
        (string? earlier, long since) = _schema.Names.Select(name => (name, _store.StateBegins([name]) ?? later)).MinBy(static one => one.Item2);
        if (since == later) return;
        throw new InvalidOperationException(
            $"{_store.Path}: the state '{_schema.Name}' was begun behind record {since} as '{earlier}', and its newest snapshot {snapshot.FileName} is of '{snapshot.TypeName}', under which name another build of the program has begun it anew behind record {later} ({nameof(StateOptions)}.{nameof(StateOptions.AllowTruncatedHistory)}): it does not hold the events in between. "
            + $"Nothing was changed. To go on with the snapshot before it and the events behind that, close the store and move this one out of the folder. Where what it holds is all that is wanted, call ForgetState(\"{earlier}\") first.");
    }

    private InvalidOperationException Missing(SnapshotInfo snapshot, long sequence, string type)
    {
        // Never advice that would take away the only thing that holds the state.
        string remedy = _store.FirstSequence <= _since + 1
            ? $"To apply them, begin the state anew: {BeginningAnew()}, and open it; the log has every event that is needed, unless the state was begun with a snapshot of the program's own."
            : $"The state cannot be made anew from the log, which begins with record {_store.FirstSequence}: do not delete its snapshots.";
        return new InvalidOperationException(
            $"{_store.Path}: the state '{_schema.Name}' would miss events. Its snapshot {snapshot.FileName} covers the log up to sequence {snapshot.Sequence} and was written by a program that had no handler of '{type}'; the log has such records in front of that which the state does not hold, the first with sequence {sequence}. "
            + $"{remedy} Where the state is to begin with those that come from now on, set {nameof(StateOptions)}.{nameof(StateOptions.AllowMissedEvents)}. Nothing was changed.");
    }

    // Under each name that it has here.
    private string BeginningAnew()
    {
        string[] names = [.. _schema.Names.Where(name => name == _schema.Name || _store.Snapshots.Any(snapshot => snapshot.TypeName == name) || _store.StateBegins([name]) is not null)];
        return string.Join(", ", names.Select(static name => $"ForgetState(\"{name}\")").Concat(names.Select(static name => $"DeleteSnapshots(\"{name}\")")));
    }

    /// <summary>What a snapshot says that it holds of each event: all of the state's own up to its sequence, and of others what the snapshot held from which the state was opened. Null where they are too many.</summary>
    public byte[]? EventsThrough(long sequence) =>
        SnapshotEvents.Encode(_eventNames.Select(name => KeyValuePair.Create(name, _unlooked.GetValueOrDefault(name, sequence))).Concat(_held));

    /// <summary>The log was read. Durable on return: retention leaves what a restart needs, in this process or another.</summary>
    /// <param name="covered">Sequence of the snapshot that was used; without one, that behind which the state begins.</param>
    /// <param name="replayed">Records that were read behind it.</param>
    /// <param name="bytes">Their bytes.</param>
    public void Complete(long covered, long replayed, long bytes)
    {
        (Replayed, ReplayedBytes) = (replayed, bytes);
        _mark = _store.KeepForState(_schema.Names, covered, _since);
        _hold.Dispose();
    }

    /// <summary>A checkpoint is in force: the log is kept behind the one before it that restores. Where none before it does, or that is not known, it stays as it is: this one may turn out to be damaged.</summary>
    public void Advance(string typeName)
    {
        if (_store.SnapshotReachOf(typeName) is { } reach) _mark!.Advance(reach);
    }

    /// <summary>Gives everything back but the mark.</summary>
    public void Dispose()
    {
        Events.Dispose();
        _hold.Dispose();
        _names.Dispose();
    }
}
