// How do the files of a keyed state stay within a few times what lives? What lives at the beginning of the record log is moved to its end, and the beginning is given up: it is in no later
// checkpoint, and its files go when no earlier one needs them. Reads and changes go on. FASTER's own compaction is not used: it decides what lives without our locks.

using Store.Faster.Engine;

namespace Store.Faster;

/// <summary>Compacts the record log of one keyed state. <see cref="RunIfDue"/> by one thread at a time.</summary>
internal sealed class KeyedCompaction
{
    private readonly KeyedCore _core;
    private readonly KeyedScans _scans;
    private long _giveUpBelow;
    private bool _isHeld;

    /// <param name="core">The state.</param>
    /// <param name="scans">Its scans.</param>
    /// <param name="compactedBytes">Length of the record log after its last compaction, 0 without one.</param>
    public KeyedCompaction(KeyedCore core, KeyedScans scans, long compactedBytes)
    {
        (_core, _scans, CompactedBytes) = (core, scans, compactedBytes);
        scans.EndedLocked = GiveUpIfPossibleLocked;
    }

    /// <summary>Length of the record log after its last compaction, 0 without one.</summary>
    public long CompactedBytes { get; private set; }

    /// <summary>Twice what lived after the last compaction, and memory: so what is copied never exceeds what was changed, and the files stay below four times what lives, for two checkpoints.</summary>
    /// <param name="cancellationToken">Gives it up: what was moved stays moved, and nothing is given up.</param>
    public void RunIfDue(CancellationToken cancellationToken)
    {
        if (_giveUpBelow > 0 || _core.IsFull) return;
        long length = _core.Engine.TailAddress - _core.Engine.BeginAddress;
        if (length <= 2 * (CompactedBytes + _core.Options.MemorySizeBytes)) return;
        try
        {
            Compact(_core.Engine.SettledAddress, cancellationToken);
        }
        catch (Exception e) when (e is not (ObjectDisposedException or OperationCanceledException))
        {
            throw _core.Health.Fail(e);
        }
    }

    /// <summary>From here on nothing is given up: a checkpoint is being taken, which has noted where the record log begins. With every stripe held.</summary>
    public void HoldLocked() => _isHeld = true;

    /// <summary>Ends <see cref="HoldLocked"/>.</summary>
    public void Release()
    {
        _core.Stripes.EnterAll();
        try
        {
            _isHeld = false;
            if (!_core.Health.IsClosed) GiveUpIfPossibleLocked();
        }
        finally
        {
            _core.Stripes.ExitAll();
        }
    }

    private void Compact(long until, CancellationToken cancellationToken)
    {
        if (until <= _core.Engine.BeginAddress) return;
        using (EngineScan records = _core.Engine.Scan(until))
        {
            while (records.TryNext(out ReadResult key, out long address))
            {
                MoveIfLive(key.Value, address);
                key.Release();
                cancellationToken.ThrowIfCancellationRequested();
            }
        }

        _core.Stripes.EnterAll();
        try
        {
            _giveUpBelow = until;
            GiveUpIfPossibleLocked();
        }
        finally
        {
            _core.Stripes.ExitAll();
        }
    }

    // A scan walks over what was moved away, so what it still needs is given up when it ends.
    private void GiveUpIfPossibleLocked()
    {
        if (_giveUpBelow == 0 || _isHeld || _scans.Any) return;
        _core.Engine.GiveUpBelow(_giveUpBelow);
        CompactedBytes = _core.Engine.TailAddress - _giveUpBelow;
        _giveUpBelow = 0;
    }

    private void MoveIfLive(ReadOnlySpan<byte> key, long address)
    {
        ulong hash = KeyHash.Compute(key);
        lock (_core.Stripes.Of(hash).Lock)
        {
            _core.Health.ThrowIfUnusable();
            bool isThere = _core.Engine.Reads.TryFind(key, ReadMode.Value, out ReadResult value, out long current);
            if (isThere && current == address)
            {
                _scans.NoteChange(key, address);
                _core.Engine.Upsert(key, value.Value);
                _core.Stripes.NoteMove(hash);
            }

            value.Release();
        }
    }
}
