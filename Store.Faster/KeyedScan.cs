// How does every key come exactly once while others change? The log is walked up to where it ended when the scan began. A record counts when its key leads to it, decided under the key's lock.
// A key that is changed before the walk has reached its record may leave its place, so whoever changes it says so first; such keys are remembered and come at the end.
//
//   changed before the walk reached its record   remembered by the change, passed over by the walk, comes at the end with the value it has then
//   changed after                                it has come; its new record lies behind the end, or is the old one
//   new                                          its record lies behind the end: it does not come
//
// "Reached" is decided under the lock of the key, by the walk and by the change, so there is no third case.

using Store.Faster.Engine;
using Store.Threading;

namespace Store.Faster;

/// <summary>One scan of a keyed state. Not thread-safe, except for <see cref="NoteChange"/>.</summary>
internal sealed class KeyedScan(KeyedScans scans, EngineScan records) : IDisposable
{
    private readonly HashSet<byte[]> _changed = new(ByteKeys.Instance);
    private long _reached;
    private byte[][]? _rest;
    private int _next;
    private bool _disposed;
    private ValueMemoryException? _failure;

    /// <summary>Called under a key's lock before it changes, with the address its record has now.</summary>
    public void NoteChange(ReadOnlySpan<byte> key, long address)
    {
        if (address >= records.EndAddress || address <= Volatile.Read(ref _reached)) return;
        // In the middle of a change, between the log and the engine: an interruption here would part them.
        using (Uninterrupted.EnterMonitor(_changed))
        {
            if (!_changed.GetAlternateLookup<ReadOnlySpan<byte>>().Contains(key)) _changed.Add(key.ToArray());
        }
    }

    /// <summary>The next key and value, which the caller releases.</summary>
    public bool TryNext(out ReadResult key, out ReadResult value)
    {
        ObjectDisposedException.ThrowIf(_disposed, this);

        // The record that could not be read was passed: whoever went on would miss it.
        if (_failure is not null) throw new ValueMemoryException(_failure);
        try
        {
            return TryStep(out key, out value);
        }
        catch (ValueMemoryException e)
        {
            _failure = e;
            throw;
        }
    }

    private bool TryStep(out ReadResult key, out ReadResult value)
    {
        value = default;
        while (_rest is null && records.TryNext(out key, out long address))
        {
            if (IsTheOne(key.Value, address, out value)) return true;
            key.Release();
        }

        if (_rest is null)
        {
            // From here on no change is remembered: every key has come, or is among the rest.
            Volatile.Write(ref _reached, long.MaxValue);
            using (Uninterrupted.EnterMonitor(_changed)) _rest = [.. _changed];
        }

        while (_next < _rest.Length)
        {
            byte[] changed = _rest[_next++];
            if (!scans.Engine.Reads.TryRead(changed, out value)) continue;
            key = ReadResult.CopyOf(changed);
            return true;
        }

        key = default;
        return false;
    }

    public void Dispose()
    {
        if (_disposed) return;
        _disposed = true;
        scans.End(this);
    }

    internal EngineScan Records => records;

    internal bool IsOf(KeyedScans state) => scans == state;

    private bool IsTheOne(ReadOnlySpan<byte> key, long address, out ReadResult value)
    {
        using (Uninterrupted.Enter(scans.LockOf(key)))
        {
            bool isRemembered;
            using (Uninterrupted.EnterMonitor(_changed)) isRemembered = _changed.GetAlternateLookup<ReadOnlySpan<byte>>().Contains(key);
            value = default;
            bool isTheOne = !isRemembered && scans.Engine.Reads.TryFind(key, ReadMode.Value, out value, out long current) && current == address;
            Volatile.Write(ref _reached, address);
            if (isTheOne) return true;
            value.Release();
            return false;
        }
    }
}

/// <summary>Arrays of bytes that are equal when their bytes are.</summary>
internal sealed class ByteKeys : IEqualityComparer<byte[]>, IAlternateEqualityComparer<ReadOnlySpan<byte>, byte[]>
{
    public static readonly ByteKeys Instance = new();

    public bool Equals(byte[]? left, byte[]? right) => left.AsSpan().SequenceEqual(right);

    public int GetHashCode(byte[] key) => (int)KeyHash.Compute(key);

    public bool Equals(ReadOnlySpan<byte> left, byte[] right) => left.SequenceEqual(right);

    public int GetHashCode(ReadOnlySpan<byte> key) => (int)KeyHash.Compute(key);

    public byte[] Create(ReadOnlySpan<byte> key) => key.ToArray();
}
