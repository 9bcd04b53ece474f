// Who lives on a store and must not outlive it? Keyed states and state holders. They are checkpointed with it and closed before its log, newest first.

using System.Runtime.ExceptionServices;
using Store.Threading;

namespace Store;

/// <summary>Something that was opened on a store and appends to its log until it is disposed.</summary>
internal interface IStoreCompanion : IDisposable
{
    /// <summary>Makes opening start from here; durable on return.</summary>
    ValueTask CheckpointAsync(CancellationToken cancellationToken);

    /// <summary>True from the moment it refuses what it is asked because it is being disposed: before it is off the list.</summary>
    bool IsClosed { get; }

    /// <summary>What messages call it.</summary>
    string Title { get; }

    /// <summary>True while this thread is inside one of its callbacks, for which a checkpoint and its disposal wait. An engine of somebody else's may not know.</summary>
    bool IsInsideCallback { get; }

    /// <summary>True where its disposal would wait for the very code that asks for it.</summary>
    bool IsClosingForbidden => IsInsideCallback;

    /// <summary>Of a keyed state its name and the engine that has it; else null.</summary>
    (string Name, object Engine)? KeyedState => null;
}

/// <summary>The companions of one open store. Safe for any number of threads.</summary>
internal sealed class StoreCompanions
{
    /// <summary>What a name may be of.</summary>
    public const string KeyedState = "keyed state", State = "state";

    private readonly Lock _gate = new();
    private readonly List<IStoreCompanion> _open = [];

    // How many hold each name: who opened it, and a backup that copies its files, for as long as that takes.
    private readonly Dictionary<string, int> _names = new(StringComparer.Ordinal);
    private bool _closed;

    /// <summary>Takes the name of a keyed state, or the names of a state's type, all or none: nobody else does until the claim is disposed.</summary>
    /// <exception cref="ObjectDisposedException">The store is closed.</exception>
    /// <exception cref="InvalidOperationException">One is taken.</exception>
    public IDisposable Claim(string kind, params IReadOnlyList<string> names) =>
        TryClaim(kind, names, out string? taken) ?? throw new InvalidOperationException($"The {kind} '{taken}' is open already{(kind == KeyedState ? ", or a backup is copying its files at this moment: then try again when it has gone on" : "")}. Share the instance that is open: it is safe for any number of threads.");

    /// <summary>As <see cref="Claim"/>, of a name that may be taken: then null.</summary>
    /// <exception cref="ObjectDisposedException">The store is closed.</exception>
    public IDisposable? TryClaim(string kind, string name) => TryClaim(kind, [name], out _);

    /// <summary>Holds a name that somebody has until the result is disposed: who has it may give it back, and nobody else gets it before. Null when nobody has it.</summary>
    public IDisposable? TryShare(string kind, string name)
    {
        string key = KeyOf(kind, name);
        using (Uninterrupted.Enter(_gate))
        {
            if (!_names.TryGetValue(key, out int holders)) return null;
            _names[key] = holders + 1;
            return new NameClaim(this, [key]);
        }
    }

    /// <summary>True while somebody has a name.</summary>
    public bool IsClaimed(string kind, string name)
    {
        using (Uninterrupted.Enter(_gate)) return _names.ContainsKey(KeyOf(kind, name));
    }

    /// <summary>The engine that has a keyed state of exactly this name; null when none has.</summary>
    public object? EngineOf(string name) => Open().Select(static c => c.KeyedState).FirstOrDefault(keyed => keyed?.Name == name)?.Engine;

    /// <exception cref="ObjectDisposedException">The store is closed.</exception>
    public void Add(IStoreCompanion companion)
    {
        lock (_gate)
        {
            ObjectDisposedException.ThrowIf(_closed, typeof(NinoStore));
            _open.Add(companion);
        }
    }

    /// <summary>Called by a companion that is disposed. Doing it again changes nothing.</summary>
    public void Remove(IStoreCompanion companion)
    {
        using (Uninterrupted.Enter(_gate)) _open.Remove(companion);
    }

    /// <summary>
    /// Checkpoints all of them, one after another. One that is disposed meanwhile is passed over; one that fails keeps no other from its turn: its failure is thrown at the end, several together. Cancelling ends it between two.
    /// </summary>
    /// <exception cref="OperationCanceledException">It was cancelled, and none had failed before.</exception>
    /// <exception cref="AggregateException">Several failed; or some had failed when it was cancelled: then the cancellation is the last of them.</exception>
    public async ValueTask CheckpointAsync(CancellationToken cancellationToken)
    {
        List<Exception> failures = [];
        foreach (IStoreCompanion companion in Open())
        {
            try
            {
                await companion.CheckpointAsync(cancellationToken).ConfigureAwait(false);
            }
            catch (ObjectDisposedException) when (companion.IsClosed || !Open().Contains(companion))
            {
                // It was closed since it was listed, or is about to be off the list: what it held is in the log.
            }
            catch (OperationCanceledException e) when (cancellationToken.IsCancellationRequested)
            {
                // A failing disk is not to be passed over because somebody had no more patience.
                if (failures.Count == 0) throw;
                throw new AggregateException("Checkpoints of what is open on the store failed, and then it was cancelled; those that had their turn and did not fail are written.", [.. failures, e]);
            }
            catch (Exception e)
            {
                failures.Add(e);
            }
        }

        if (failures.Count == 1) ExceptionDispatchInfo.Throw(failures[0]);
        if (failures.Count > 1) throw new AggregateException("Several checkpoints of what is open on the store failed; the others are written.", failures);
    }

    /// <summary>Called before anything waits for all of them: inside a callback of one that would be for ever.</summary>
    /// <exception cref="InvalidOperationException">This thread is inside a callback.</exception>
    public void ThrowIfInsideCallback(string what) => ThrowIf(static companion => companion.IsInsideCallback, what);

    /// <summary>Called before all of them are closed, as <see cref="ThrowIfInsideCallback"/>.</summary>
    /// <inheritdoc cref="ThrowIfInsideCallback"/>
    public void ThrowIfClosingForbidden() => ThrowIf(static companion => companion.IsClosingForbidden, "disposes");

    private void ThrowIf(Func<IStoreCompanion, bool> isInside, string what)
    {
        if (Open().FirstOrDefault(isInside) is { } companion)
            throw new InvalidOperationException($"A callback of {companion.Title} {what} the store that it is open on: that would wait for the callback to end. Do it afterwards.");
    }

    /// <summary>Closes them all, the newest first, and lets no more in. A failure of one does not keep the others open.</summary>
    /// <exception cref="AggregateException">The failures, in the order they were closed in.</exception>
    public void Close()
    {
        using (Uninterrupted.Enter(_gate)) _closed = true;
        List<Exception> failures = [];
        foreach (IStoreCompanion companion in Open().Reverse())
        {
            try
            {
                companion.Dispose();
            }
            catch (Exception e)
            {
                failures.Add(e);
            }
        }

        if (failures.Count > 0) throw new AggregateException("Not everything that was opened on the store could be closed.", failures);
    }

    private NameClaim? TryClaim(string kind, IReadOnlyList<string> names, out string? taken)
    {
        lock (_gate)
        {
            ObjectDisposedException.ThrowIf(_closed, typeof(NinoStore));
            taken = names.FirstOrDefault(name => _names.ContainsKey(KeyOf(kind, name)));
            if (taken is not null) return null;
            string[] claimed = [.. names.Select(name => KeyOf(kind, name)).Distinct()];
            foreach (string name in claimed) _names.Add(name, 1);
            return new NameClaim(this, claimed);
        }
    }

    // Keyed states that differ in case only cannot be open together; types that do are two.
    private static string KeyOf(string kind, string name) => kind == KeyedState ? $"{kind} {name.ToUpperInvariant()}" : $"{kind} {name}";

    private IStoreCompanion[] Open()
    {
        using (Uninterrupted.Enter(_gate)) return [.. _open];
    }

    // Released once only: by the second time the names may be somebody else's.
    private sealed class NameClaim(StoreCompanions all, string[] names) : IDisposable
    {
        private int _disposed;

        public void Dispose()
        {
            if (Interlocked.Exchange(ref _disposed, 1) != 0) return;
            using (Uninterrupted.Enter(all._gate))
            {
                foreach (string name in names)
                {
                    if (all._names[name] > 1) all._names[name]--;
                    else all._names.Remove(name);
                }
            }
        }
    }
}
