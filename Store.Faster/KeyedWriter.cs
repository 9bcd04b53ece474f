// How does a change reach the engine? Scans that are open are told before, the number of keys is kept, and the engine is asked no more than it must be: each look at a record on the disk is a read.

using Store.Faster.Engine;

namespace Store.Faster;

/// <summary>Changes the engine of one keyed state. Whoever calls holds the lock of the key, and has appended the change.</summary>
/// <param name="core">The state.</param>
/// <param name="scans">Its scans.</param>
/// <param name="count">Number of keys it was opened with.</param>
internal sealed class KeyedWriter(KeyedCore core, KeyedScans scans, long count)
{
    private long _count = count;

    /// <summary>Number of keys. Exact while nothing changes.</summary>
    public long Count => Interlocked.Read(ref _count);

    /// <summary>Sets a value. One lookup of the engine finds the place, tells whether the key was there, and writes; where that is known already it is written without a look, and where a scan must be told of the place, too.</summary>
    public void PutLocked(ulong hash, ReadOnlySpan<byte> key, ReadOnlySpan<byte> value, KeySighting seen)
    {
        if (seen.Version != core.Stripes.VersionOf(hash))
        {
            if (!scans.Any)
            {
                if (!core.Engine.Put(key, value)) Interlocked.Increment(ref _count);
                return;
            }

            seen = LookLocked(key);
        }

        if (seen.IsThere) scans.NoteChange(key, seen.Address);
        core.Engine.Upsert(key, value);
        if (!seen.IsThere) Interlocked.Increment(ref _count);
    }

    /// <summary>Removes a key that is there.</summary>
    public void DeleteLocked(ReadOnlySpan<byte> key, in KeySighting seen)
    {
        scans.NoteChange(key, seen.Address);
        core.Engine.Delete(key);
        Interlocked.Decrement(ref _count);
    }

    /// <summary>Looks for a key. What is found holds as long as its lock is held.</summary>
    public KeySighting LookLocked(ReadOnlySpan<byte> key)
    {
        try
        {
            bool isThere = core.Engine.Reads.TryFind(key, ReadMode.Presence, out _, out long address);
            return new KeySighting(isThere, address, core.Stripes.VersionOf(KeyHash.Compute(key)));
        }
        catch (Exception e) when (e is not ObjectDisposedException)
        {
            throw core.Health.Fail(e);
        }
    }
}
