// The bits of a date and time as they are stored: the ticks in the low 62, the kind above them.

using System.Runtime.CompilerServices;

namespace Store.Serialization.Codecs;

internal static class DateTimeBits
{
    private const ulong Ambiguous = 1UL << 62;

    // What this runtime has in memory is what is stored, but for the local times that a clock shows twice, which have a bit more. Asked once: on another one it is only slower.
    private static readonly bool s_areMemory = AreMemory();

    /// <summary>The bits, from memory where they are there as they are stored: five instructions instead of ten.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static ulong Of(DateTime value)
    {
        if (!s_areMemory) return Put(value);
        ulong bits = Unsafe.BitCast<DateTime, ulong>(value);
        // Local: the sign, which is asked without a constant of eight bytes.
        if ((long)bits < 0) bits &= ~Ambiguous;
        return bits;
    }

    private static ulong Put(DateTime value) => (ulong)value.Ticks | ((ulong)value.Kind << 62);

    private static bool AreMemory()
    {
        if (Unsafe.SizeOf<DateTime>() != sizeof(ulong)) return false;
        foreach (DateTimeKind kind in (ReadOnlySpan<DateTimeKind>)[DateTimeKind.Unspecified, DateTimeKind.Utc, DateTimeKind.Local])
        {
            foreach (long ticks in (ReadOnlySpan<long>)[0, 1, 0x0123_4567_89AB_CDEF, DateTime.MaxValue.Ticks])
            {
                var value = new DateTime(ticks, kind);
                if (Unsafe.BitCast<DateTime, ulong>(value) != Put(value)) return false;
            }
        }

        return true;
    }
}
