// The lock of the append path. An append holds it for some ten nanoseconds; a Monitor costs 17 ns to enter and leave, System.Threading.Lock 10, this 5 (uncontended,
// measured side by side): at that size the lock is the price of the append. It is the three-state mutex of Ulrich Drepper's "Futexes are tricky" (2011), with an
// event count for the kernel's queue.

using Store.Threading;
using System.Runtime.CompilerServices;

namespace Store.Log;

/// <summary>A lock for short sections. Not reentrant, not fair. Whoever finds it held spins for about a microsecond and sleeps then.</summary>
internal sealed class LogGate
{
    private const int Free = 0;
    private const int Held = 1;
    private const int HeldAndWaitedFor = 2;
    private const int Spins = 30;

    private readonly EventCount _left = new();

    // Who may go in without entering, until somebody enters. Changed inside only.
    private LogBias? _bias;
    private Padded _state;

    /// <summary>Enters; disposing what is returned leaves. Is never interrupted: half of the callers are in the middle of something.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public Scope Enter()
    {
        EnterPlain();
        return new Scope(this);
    }

    /// <summary>Enters, to be followed by <see cref="Leave"/>: for who lets others in during a <see cref="Scope"/>.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void EnterPlain()
    {
        if (Interlocked.CompareExchange(ref _state.Value, Held, Free) != Free) EnterSlowly();
        if (_bias is not null) TakeBias();
    }

    /// <summary>Leaves. The caller is inside.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Leave()
    {
        if (Interlocked.Exchange(ref _state.Value, Free) == HeldAndWaitedFor) _left.Advance();
    }

    /// <summary>Lets one thread go in without entering from when the caller leaves until somebody enters. The caller is inside.</summary>
    public void GiveLocked(LogBias bias)
    {
        _bias = bias;
        bias.Give();
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private void TakeBias()
    {
        LogBias bias = _bias!;
        _bias = null;
        bias.Take();
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private void EnterSlowly()
    {
        for (int i = 0; i < Spins && Environment.ProcessorCount > 1; i++)
        {
            Thread.SpinWait(4);
            if (Volatile.Read(ref _state.Value) == Free && Interlocked.CompareExchange(ref _state.Value, Held, Free) == Free) return;
        }

        // Entering this way says that somebody may wait, which costs at most one call for nothing when it was the last.
        while (true)
        {
            long seen = _left.Read();
            if (Interlocked.Exchange(ref _state.Value, HeldAndWaitedFor) == Free) return;
            Uninterrupted.Wait((_left, seen), static left => left._left.Await(left.seen));
        }
    }

    /// <summary>Being inside.</summary>
    public readonly ref struct Scope(LogGate gate)
    {
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        public void Dispose() => gate.Leave();
    }

    // A cache line of its own: the state is written by every append, and what lies beside it is read by others.
    [System.Runtime.InteropServices.StructLayout(System.Runtime.InteropServices.LayoutKind.Explicit, Size = 128)]
    private struct Padded
    {
        [System.Runtime.InteropServices.FieldOffset(64)]
        public int Value;
    }
}
