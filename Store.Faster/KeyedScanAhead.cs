// How does a scan read the disk without holding up its caller? A thread of the pool walks it, a portion at a time: while the caller goes through one portion, the next is read. There are never more than these two, so memory
// is bounded however slow the caller is; a portion is full after so many records or bytes, whichever comes first, and one record more may be as long as a page.

using Store.Faster.Engine;

namespace Store.Faster;

/// <summary>Keys and values that a scan has read and nobody has taken yet. Not thread-safe.</summary>
internal sealed class ScanPortion
{
    public const int MaxRecords = 512;
    public const int MaxBytes = 64 * 1024;

    private readonly Queue<(ReadResult Key, ReadResult Value)> _records = new();

    /// <summary>Bytes of the keys and values in it.</summary>
    public int LengthBytes { get; private set; }

    /// <summary>How many are in it.</summary>
    public int Count => _records.Count;

    public bool IsFull => Count >= MaxRecords || LengthBytes >= MaxBytes;

    /// <summary>True when nothing comes behind it.</summary>
    public bool IsLast { get; set; }

    public void Add(ReadResult key, ReadResult value)
    {
        _records.Enqueue((key, value));
        LengthBytes += key.LengthBytes + value.LengthBytes;
    }

    /// <summary>Takes the next; it is the caller's to release.</summary>
    public bool TryTake(out ReadResult key, out ReadResult value)
    {
        bool isThere = _records.TryDequeue(out (ReadResult Key, ReadResult Value) next);
        (key, value) = next;
        LengthBytes -= key.LengthBytes + value.LengthBytes;
        return isThere;
    }

    /// <summary>Releases what nobody has taken.</summary>
    public void Clear()
    {
        while (TryTake(out ReadResult key, out ReadResult value))
        {
            key.Release();
            value.Release();
        }
    }
}

/// <summary>A scan whose walking is done by threads of the pool. Not thread-safe: one caller, who waits for each call before the next.</summary>
/// <param name="scans">The open scans of the state.</param>
/// <param name="runsInline">Walks on the caller's thread and never ahead: the same order of calls every time, for simulators.</param>
internal sealed class KeyedScanAhead(KeyedScans scans, bool runsInline) : IAsyncDisposable
{
    private ScanPortion _taken = new(), _spare = new();
    private Task<ScanPortion>? _reading;
    private KeyedScan? _scan;
    private volatile bool _isStopped;
    private CancellationToken _cancellationToken;

    /// <summary>What is being read, or was and is not taken yet; null before the first portion and behind the last.</summary>
    public Task<ScanPortion>? Reading => _reading;

    /// <summary>Waits for the next portion, whose records <see cref="TryTake"/> gives, and has the one behind it read.</summary>
    /// <returns>False when all records have come.</returns>
    public async ValueTask<bool> TryAdvanceAsync(CancellationToken cancellationToken)
    {
        // Asked here: on the pool's thread nobody knows that the caller is inside a callback, and holds a lock.
        scans.ThrowIfUnusable();
        cancellationToken.ThrowIfCancellationRequested();
        if (_taken.IsLast) return false;
        _cancellationToken = cancellationToken;
        _reading ??= Read(_spare);
        (_taken, _spare) = (await _reading.WaitAsync(cancellationToken).ConfigureAwait(false), _taken);
        _reading = _taken.IsLast || runsInline ? null : Read(_spare);
        return true;
    }

    /// <summary>Takes the next record of the portion; it is the caller's to release.</summary>
    public bool TryTake(out ReadResult key, out ReadResult value)
    {
        // What was read ahead of a closing or a failure does not come after it.
        scans.ThrowIfUnusable();
        return _taken.TryTake(out key, out value);
    }

    /// <summary>Ends the scan, when what is being read has come. Who was told by a token not to wait does not wait for that: it ends by itself. Nor does a callback of the state, whose lock it may wait for.</summary>
    public ValueTask DisposeAsync()
    {
        _isStopped = true;
        bool isGivenUp = scans.IsInCallback || (_reading is { IsCompleted: false } && _cancellationToken.IsCancellationRequested);
        Task ended = EndAsync();
        return isGivenUp ? default : new ValueTask(ended);
    }

    private async Task EndAsync()
    {
        // What it failed with is the failure of the state, which keeps it.
        if (_reading is { } reading) await ((Task)reading).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        _taken.Clear();
        _spare.Clear();
        if (_scan is not { } scan) return;

        // Inside a callback it waits for nothing: KeyedScans.End.
        if (runsInline || scans.IsInCallback) scan.Dispose();
        else await Task.Run(scan.Dispose).ConfigureAwait(false);
    }

    private Task<ScanPortion> Read(ScanPortion portion)
    {
        if (!runsInline) return Task.Run(() => Fill(portion));
        return Task.FromResult(Fill(portion));
    }

    private ScanPortion Fill(ScanPortion portion)
    {
        _scan ??= scans.Begin();
        while (!portion.IsFull && !_isStopped)
        {
            if (!scans.TryNext(_scan, out ReadResult key, out ReadResult value))
            {
                portion.IsLast = true;
                break;
            }

            portion.Add(key, value);
        }

        return portion;
    }
}
