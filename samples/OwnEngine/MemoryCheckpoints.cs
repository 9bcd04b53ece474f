// When is a checkpoint written, and which one does opening start from? One at a time, of a state that somebody else took while nothing changed; opening starts from the one there is, if it is this log's, and reads the log behind it.

using Store;
using Store.IO;
using Store.KeyValue;

namespace OwnEngine;

/// <summary>The checkpoints of one keyed state: the newest one, which takes the place of the one before. Safe for any number of threads.</summary>
/// <param name="log">The state's log.</param>
/// <param name="folder">Where they are kept.</param>
internal sealed class MemoryCheckpoints<TKey, TValue>(KeyValueLog<TKey, TValue> log, IStoreDirectory folder)
{
    private readonly SemaphoreSlim _turn = new(1);
    private KeyValueCut? _last;

    /// <summary>What went wrong with the last one and reached no caller.</summary>
    public Exception? Failure { get; private set; }

    /// <summary>Reads the state: from the checkpoint, if it can be used, and from the log behind it.</summary>
    /// <param name="take">Takes the keys and values of the checkpoint.</param>
    /// <param name="apply">Applies a change.</param>
    public KeyValueRecovery Recover(Action<MemoryCheckpoint> take, Action<KeyValueChange> apply)
    {
        var rejected = new List<RejectedCheckpoint>();
        if (MemoryCheckpoint.Exists(folder))
        {
            if (!MemoryCheckpoint.TryRead(folder, out MemoryCheckpoint? found, out string? problem) || !log.CanStartFrom(found.Cut, out problem))
            {
                rejected.Add(new(MemoryCheckpoint.FileName, problem));
            }
            else
            {
                _last = found.Cut;
                take(found);
            }
        }

        long replayed = 0;
        foreach (KeyValueChange change in log.ReadChanges(_last))
        {
            apply(change);
            replayed++;
        }

        // The state could be read without it, and nothing is appended yet: once the log has grown past its end, it would be harder to tell that it is not this log's.
        if (rejected.Count > 0) MemoryCheckpoint.Remove(folder);
        return new KeyValueRecovery { CheckpointSequence = _last?.Sequence ?? 0, RebuiltFromLog = _last is null, ChangesReplayed = replayed, Rejected = rejected };
    }

    /// <summary>Writes one.</summary>
    /// <param name="capture">What is in it: everything, and the cut of the same moment.</param>
    /// <param name="cancellationToken">Gives up what is not in force yet.</param>
    public async ValueTask WriteAsync(Func<MemoryCheckpoint> capture, CancellationToken cancellationToken)
    {
        await _turn.WaitAsync(cancellationToken);
        try
        {
            await WriteInTurnAsync(capture, cancellationToken);
        }
        finally
        {
            _turn.Release();
        }
    }

    /// <summary>Writes one that nobody waits for, unless the state was closed. The one place where a failure is nobody's to catch: it is kept for whoever asks, before the next checkpoint may clear it.</summary>
    public async Task WriteQuietlyAsync(Func<MemoryCheckpoint> capture, Func<bool> isClosed)
    {
        await _turn.WaitAsync();
        try
        {
            if (!isClosed()) await WriteInTurnAsync(capture, CancellationToken.None);
        }
        catch (Exception e) when (e is IOException or StoreException)
        {
            Failure = e;
        }
        finally
        {
            _turn.Release();
        }
    }

    /// <summary>Waits for the one that is being written and does something that none may be beside.</summary>
    public void Without(Action action)
    {
        _turn.Wait();
        try
        {
            action();
        }
        finally
        {
            _turn.Release();
        }
    }

    private async Task WriteInTurnAsync(Func<MemoryCheckpoint> capture, CancellationToken cancellationToken)
    {
        MemoryCheckpoint captured = capture();
        if (captured.Cut != _last)
        {
            await log.CommitAsync(cancellationToken);
            cancellationToken.ThrowIfCancellationRequested();
            MemoryCheckpoint.Publish(folder, captured);
            _last = captured.Cut;
        }

        Failure = null;
        Release(captured.Cut);
    }

    // The checkpoint is in force: what fails here is no failure of it.
    private void Release(KeyValueCut cut)
    {
        try
        {
            log.KeepAfter(cut);
        }
        catch (Exception e) when (e is IOException or StoreException)
        {
            Failure = e;
        }
    }
}
