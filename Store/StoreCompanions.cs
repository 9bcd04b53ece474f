// Who lives on a store and must not outlive it? Keyed states and state holders. They are checkpointed with it and closed before its log, newest first.

namespace Store;

/// <summary>Something that was opened on a store and appends to its log until it is disposed.</summary>
internal interface IStoreCompanion : IDisposable
{
    /// <summary>Makes opening start from here; durable on return.</summary>
    ValueTask CheckpointAsync(CancellationToken cancellationToken);
}

/// <summary>The companions of one open store. Safe for any number of threads.</summary>
internal sealed class StoreCompanions
{
    private readonly Lock _gate = new();
    private readonly List<IStoreCompanion> _open = [];
    private bool _closed;

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
        lock (_gate) _open.Remove(companion);
    }

    /// <summary>Checkpoints all of them, one after another. One that is disposed meanwhile is passed over; the first failure ends it.</summary>
    public async ValueTask CheckpointAsync(CancellationToken cancellationToken)
    {
        foreach (IStoreCompanion companion in Open())
        {
            try
            {
                await companion.CheckpointAsync(cancellationToken).ConfigureAwait(false);
            }
            catch (ObjectDisposedException) when (!Open().Contains(companion))
            {
                // It was closed since it was listed: what it held is in the log.
            }
        }
    }

    /// <summary>Closes them all, the newest first, and lets no more in. A failure of one does not keep the others open; the first is thrown.</summary>
    public void Close()
    {
        lock (_gate) _closed = true;
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

    private IStoreCompanion[] Open()
    {
        lock (_gate) return [.. _open];
    }
}
