using Store.Faster.Engine;
using Store.Threading;

namespace Store.Faster;

/// <summary>One lock of many, with the last change made under it.</summary>
internal struct Stripe
{
    public required Lock Lock { get; init; }

    /// <summary>Sequence of the last change, 0 for none. Guarded by the lock.</summary>
    public long LastChange;

    /// <summary>Changes made under the lock, each counted when it is made, and the bytes of their records. Written under the lock.</summary>
    public long Changes, Bytes;
}

/// <summary>Locks by key hash: equal keys share one, different keys rarely.</summary>
internal sealed class StripedLocks
{
    private readonly Stripe[] _stripes = new Stripe[KeyStripe.Count];
    private readonly long[] _moves = new long[KeyStripe.Count];

    public StripedLocks()
    {
        for (int i = 0; i < _stripes.Length; i++) _stripes[i] = new Stripe { Lock = new Lock() };
    }

    /// <summary>The stripe of a key.</summary>
    public ref Stripe Of(ulong hash) => ref _stripes[KeyStripe.Of(hash)];

    /// <summary>How far a key's stripe has come: grows with every change under its lock and with every record that compaction moves, after it. Whoever read it before a lookup and finds it the same under the lock has in
    /// hand what the engine still holds. Asked at any time.</summary>
    public long VersionOf(ulong hash) => Volatile.Read(ref Of(hash).Changes) + Volatile.Read(ref _moves[KeyStripe.Of(hash)]);

    /// <summary>Notes that a key's record has got another place. Under its lock.</summary>
    public void NoteMove(ulong hash) => Volatile.Write(ref _moves[KeyStripe.Of(hash)], _moves[KeyStripe.Of(hash)] + 1);

    /// <summary>Takes the locks of a set of stripes, in the order of <see cref="EnterAll"/>. Is never interrupted: nobody would release those it has.</summary>
    public void Enter(UInt128 set)
    {
        for (int i = 0; i < _stripes.Length; i++)
            if (((set >> i) & 1) != 0) _ = Uninterrupted.Enter(_stripes[i].Lock);
    }

    /// <summary>Releases what <see cref="Enter"/> took, and notes the last change made under it; 0 when there was none.</summary>
    public void Exit(UInt128 set, long lastChange)
    {
        for (int i = 0; i < _stripes.Length; i++)
        {
            if (((set >> i) & 1) == 0) continue;
            if (lastChange > 0) _stripes[i].LastChange = lastChange;
            _stripes[i].Lock.Exit();
        }
    }

    /// <summary>Takes every lock, always in the same order; who holds one and wants none more cannot deadlock with it. Is never interrupted.</summary>
    public void EnterAll()
    {
        foreach (Stripe stripe in _stripes) _ = Uninterrupted.Enter(stripe.Lock);
    }

    public void ExitAll()
    {
        foreach (Stripe stripe in _stripes) stripe.Lock.Exit();
    }

    /// <summary>The last change of all. Call with every lock held.</summary>
    public long LastChange() => _stripes.Max(stripe => stripe.LastChange);

    /// <summary>Changes and their bytes since this was created. Exact with every lock held, else as of a moment ago.</summary>
    public (long Changes, long Bytes) Totals()
    {
        long changes = 0, bytes = 0;
        foreach (ref readonly Stripe stripe in _stripes.AsSpan())
        {
            changes += Volatile.Read(in stripe.Changes);
            bytes += Volatile.Read(in stripe.Bytes);
        }

        return (changes, bytes);
    }

    public void SetLastChange(long sequence) => _stripes[0].LastChange = sequence;
}
