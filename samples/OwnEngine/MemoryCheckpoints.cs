// When is a checkpoint written, which one does opening start from, and when does it go? One at a time, of a state that somebody else took while nothing changed; opening starts from the newest that is this log's, and reads the log
// behind it. One goes when a newer is in force, unless a backup copies it just then.

using Store;
using Store.IO;
using Store.KeyValue;

namespace OwnEngine;

/// <summary>The checkpoints of one keyed state: the newest one, and older ones only while somebody holds them. Safe for any number of threads.</summary>
/// <param name="log">The state's log.</param>
/// <param name="folder">Where they are kept.</param>
internal sealed class MemoryCheckpoints<TKey, TValue>(KeyValueLog<TKey, TValue> log, IStoreDirectory folder)
{
    private readonly SemaphoreSlim _turn = new(1);

    // What is kept. Held for a moment only: whoever holds a checkpoint waits for none that is being written.
    private readonly Lock _keeping = new();
    private readonly List<long> _held = [];
    private InForce? _inForce;
    private KeyValueCut? _last;
    private long _lastNumber;

    /// <summary>What went wrong with the last one and reached no caller.</summary>
    public Exception? Failure { get; private set; }

    /// <summary>Reads the state: from the checkpoint, if it can be used, and from the log behind it.</summary>
    /// <param name="take">Takes the keys and values of the checkpoint.</param>
    /// <param name="apply">Applies a change.</param>
    public KeyValueRecovery Recover(Action<MemoryCheckpoint> take, Action<KeyValueChange> apply)
    {
        var rejected = new List<RejectedCheckpoint>();
        foreach (long number in MemoryCheckpoint.Numbers(folder))
        {
            _lastNumber = Math.Max(_lastNumber, number);
            string file = MemoryCheckpoint.FileName(number);
            if (!MemoryCheckpoint.TryRead(folder, number, out MemoryCheckpoint? found, out string? problem) || !log.CanStartFrom(found.Cut, out problem))
            {
                rejected.Add(new(file, problem));
                continue;
            }

            _last = found.Cut;
            _inForce = new InForce(number, found.Cut, folder.List().First(entry => entry.Name == file).LengthBytes);
            take(found);
            break;
        }

        long replayed = 0;
        foreach (KeyValueChange change in log.ReadChanges(_last))
        {
            apply(change);
            replayed++;
        }

        // The state could be read without it, and nothing is appended yet: once the log has grown past its end, it would be harder to tell that it is not this log's.
        foreach (RejectedCheckpoint one in rejected) folder.Delete(one.File);
        if (rejected.Count > 0) folder.SyncDirectory();
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
        catch (Exception e)
        {
            // Whatever it is: a value too large for the serializer's limits, no memory, no disk.
            Failure = e;
        }
        finally
        {
            _turn.Release();
        }
    }

    /// <summary>Holds the newest one until the result is disposed: its file stays as it is. Null when there is none.</summary>
    public IKeyValueCheckpointHold? Hold()
    {
        lock (_keeping)
        {
            if (_inForce is not { } held) return null;
            _held.Add(held.Number);
            return new MemoryHold(held.Number, held.Cut.Sequence, held.LengthBytes, () =>
            {
                // The next checkpoint, or the next opening, removes it.
                lock (_keeping) _held.Remove(held.Number);
            });
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
            long number = ++_lastNumber, length = MemoryCheckpoint.Publish(folder, number, captured);
            _last = captured.Cut;
            lock (_keeping) _inForce = new InForce(number, captured.Cut, length);
        }

        Failure = null;
        Release(captured.Cut);
    }

    // The checkpoint is in force: what fails here is no failure of it.
    private void Release(KeyValueCut cut)
    {
        try
        {
            lock (_keeping)
            {
                foreach (long number in MemoryCheckpoint.Numbers(folder).Where(number => number != _inForce!.Number && !_held.Contains(number))) folder.Delete(MemoryCheckpoint.FileName(number));
            }

            log.KeepAfter(cut);
        }
        catch (Exception e) when (e is IOException or StoreException)
        {
            Failure = e;
        }
    }

    private sealed record InForce(long Number, KeyValueCut Cut, long LengthBytes);
}
