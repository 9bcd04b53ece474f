// How does a read that meets a value being overwritten notice? By a sequence lock: a counter that is odd while bytes change, and another number afterwards. A read costs two looks at a word that nobody has
// written, instead of the two locked instructions that FASTER's own lock of the bucket costs each read and each change; that lock is switched off (FasterEngine.cs). Measured in docs/performance.md, "Keyed state".
//
// Sequence locks are Linux's (seqlock); what a reader may do with bytes that are torn, and which barriers it takes: Hans-J. Boehm, "Can Seqlocks Get Along with Programming Language Memory Models?", MSPC 2012.

using System.Runtime.InteropServices;

namespace Store.Faster.Engine;

/// <summary>
/// Tells reads from changes of a value in place, a counter for each stripe of keys. Any number of readers; changes of keys of one stripe come one after another: whoever makes them holds the stripe's lock.
/// </summary>
internal sealed class Overwrites
{
    private readonly Counter[] _counters = new Counter[KeyStripe.Count];

    /// <summary>Begins to change bytes in place. What is written afterwards is seen by nobody who has not seen this.</summary>
    public void Begin(ulong hash)
    {
        ref uint counter = ref _counters[KeyStripe.Of(hash)].Value;
        counter++;
        Volatile.WriteBarrier();
    }

    /// <summary>Ends <see cref="Begin"/>.</summary>
    public void End(ulong hash)
    {
        ref uint counter = ref _counters[KeyStripe.Of(hash)].Value;
        Volatile.Write(ref counter, counter + 1);
    }

    /// <summary>Asked before bytes are copied. Waits while they change: for as long as a copy takes, and nobody who changes them waits for anything meanwhile.</summary>
    /// <returns>What <see cref="IsUndisturbed"/> is told afterwards.</returns>
    public uint BeginRead(ulong hash)
    {
        ref uint counter = ref _counters[KeyStripe.Of(hash)].Value;
        uint seen = Volatile.Read(ref counter);
        if ((seen & 1) == 0) return seen;

        SpinWait spin = default;
        while (((seen = Volatile.Read(ref counter)) & 1) != 0) spin.SpinOnce(sleep1Threshold: -1);
        return seen;
    }

    /// <summary>True when nothing was overwritten since: the bytes copied are those of one value.</summary>
    public bool IsUndisturbed(ulong hash, uint seen)
    {
        Volatile.ReadBarrier();
        return _counters[KeyStripe.Of(hash)].Value == seen;
    }

    /// <summary>Makes those who change values of the stripe append, instead of overwriting, until <see cref="LetGo"/>: for a read that was disturbed again and again. One overwriting may be under way, and none follows it.</summary>
    public void HoldBack(ulong hash) => Interlocked.Increment(ref _counters[KeyStripe.Of(hash)].HeldBack);

    /// <summary>Ends <see cref="HoldBack"/>.</summary>
    public void LetGo(ulong hash) => Interlocked.Decrement(ref _counters[KeyStripe.Of(hash)].HeldBack);

    /// <summary>Asked before <see cref="Begin"/>: true when there must be none.</summary>
    public bool IsHeldBack(ulong hash) => Volatile.Read(ref _counters[KeyStripe.Of(hash)].HeldBack) != 0;

    /// <summary>A cache line of its own: those who change one stripe do not slow down those who read another.</summary>
    [StructLayout(LayoutKind.Sequential, Size = 64)]
    private struct Counter
    {
        public uint Value;

        /// <summary>Reads that wait for nobody to overwrite.</summary>
        public int HeldBack;
    }
}

/// <summary>Which of the stripes a key belongs to, by its hash: equal keys share one, different keys rarely.</summary>
internal static class KeyStripe
{
    private const int CountBits = 7;

    /// <summary>How many there are.</summary>
    public const int Count = 1 << CountBits;

    /// <summary>The number of a key's stripe: the hash's high bits, which FASTER's bucket choice does not use.</summary>
    public static int Of(ulong hash) => (int)(hash >> (64 - CountBits));
}
