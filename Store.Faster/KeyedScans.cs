// Which scans are open? A change tells them before it is made (KeyedScan.cs), and compaction gives nothing up while there is one.

using Store.Faster.Engine;

namespace Store.Faster;

/// <summary>The open scans of one keyed state. Safe for any number of threads.</summary>
/// <param name="core">The state.</param>
/// <param name="runsInline">Whoever scans walks, never a thread of the pool.</param>
internal sealed class KeyedScans(KeyedCore core, bool runsInline)
{
    // Of this thread: what its callbacks have disposed, of any keyed state.
    [ThreadStatic] private static List<KeyedScan>? t_left;

    private volatile KeyedScan[] _open = [];

    // What a callback is told that it does.
    private const string Scanning = "scans";

    /// <summary>True while one is open. With every stripe held it stays so; with one held, none begins.</summary>
    public bool Any => _open.Length > 0;

    /// <summary>Called with every stripe held when a scan has ended.</summary>
    public Action? EndedLocked { get; set; }

    public FasterEngine Engine => core.Engine;

    /// <summary>Begins to read everything. Changes stand still while it is noted where they are.</summary>
    public KeyedScan Begin()
    {
        core.Health.ThrowIfWouldWaitForItself(Scanning);
        core.Stripes.EnterAll();
        try
        {
            core.Health.ThrowIfUnusable();
            var scan = new KeyedScan(this, core.Engine.Scan(core.Engine.TailAddress));
            _open = [.. _open, scan];
            return scan;
        }
        finally
        {
            core.Stripes.ExitAll();
        }
    }

    /// <summary>A scan that threads of the pool walk. It begins when its first portion is asked for.</summary>
    public KeyedScanAhead Ahead() => new(this, runsInline);

    /// <exception cref="InvalidOperationException">This thread is inside a callback of this state.</exception>
    /// <exception cref="ObjectDisposedException">It was closed.</exception>
    /// <exception cref="StoreFailedException">It failed.</exception>
    public void ThrowIfUnusable()
    {
        core.Health.ThrowIfWouldWaitForItself(Scanning);
        core.Health.ThrowIfUnusable();
    }

    /// <summary>True while this thread is inside a callback of this state: it holds one lock, and nothing here may wait for the others.</summary>
    public bool IsInCallback => core.Health.IsInCallback;

    /// <summary>Called by a scan that is disposed. Inside a callback it is left to whoever called that: <see cref="EndLeft"/>.</summary>
    public void End(KeyedScan scan)
    {
        if (IsInCallback) (t_left ??= []).Add(scan);
        else EndNow(scan);
    }

    /// <summary>Ends the scans of this state that a callback on this thread has disposed. Called behind each, with no lock held.</summary>
    public void EndLeft()
    {
        if (t_left is not { Count: > 0 } left) return;
        foreach (KeyedScan scan in left.FindAll(IsOurs)) EndNow(scan);
        left.RemoveAll(IsOurs);

        bool IsOurs(KeyedScan scan) => scan.IsOf(this);
    }

    private void EndNow(KeyedScan scan)
    {
        core.Stripes.EnterAll();
        try
        {
            _open = [.. _open.Where(other => other != scan)];
            if (core.Health.IsClosed) return;
            scan.Records.Dispose();
            EndedLocked?.Invoke();
        }
        catch (Exception e)
        {
            // Of giving up what compaction has moved, which the scan had held back: the state's failure, told by the next call. Whoever ends a scan has asked for nothing that could fail.
            core.Health.Fail(e);
        }
        finally
        {
            core.Stripes.ExitAll();
        }
    }

    /// <summary>The next key and value of a scan, which the caller releases.</summary>
    /// <exception cref="OutOfMemoryException">There was none for a value. The scan ends with it, the state is well.</exception>
    public bool TryNext(KeyedScan scan, out ReadResult key, out ReadResult value)
    {
        ThrowIfUnusable();
        try
        {
            return scan.TryNext(out key, out value);
        }
        catch (Exception e) when (e is not (ObjectDisposedException or ValueMemoryException))
        {
            throw core.Health.Fail(e);
        }
    }

    /// <summary>Called under a key's lock, before it changes: a scan that has not reached it must not miss it.</summary>
    /// <param name="key">The key.</param>
    /// <param name="address">Where its record is.</param>
    public void NoteChange(ReadOnlySpan<byte> key, long address)
    {
        foreach (KeyedScan scan in _open) scan.NoteChange(key, address);
    }

    public Lock LockOf(ReadOnlySpan<byte> key) => core.LockOf(key);
}
