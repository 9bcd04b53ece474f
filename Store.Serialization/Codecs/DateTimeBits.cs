// The bits of a date and time as they are stored: the ticks in the low 62, the kind above them. Of local times there are two kinds: a clock that is set back shows an hour twice, and the times
// of it that were shown first have a bit more, without which ToUniversalTime would take them for the second ones.

using System.Runtime.CompilerServices;

namespace Store.Serialization.Codecs;

internal static class DateTimeBits
{
    /// <summary>Those of the ticks.</summary>
    public const ulong Ticks = (1UL << 62) - 1;

    private const ulong LocalShownFirst = 3UL << 62;

    // What this runtime has in memory is what is stored. Asked once: on another one it is slower, and a time that was shown first becomes an ordinary local one, since nothing public tells them apart.
    private static readonly bool s_areMemory = AreMemory();

    /// <summary>The bits, from memory where they are there as they are stored: two instructions instead of ten.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static ulong Of(DateTime value) => s_areMemory ? Unsafe.BitCast<DateTime, ulong>(value) : Put(value);

    /// <summary>The time that has bits whose ticks are in range.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static DateTime ToTime(ulong bits) => s_areMemory ? Unsafe.BitCast<ulong, DateTime>(bits) : Get(bits);

    private static ulong Put(DateTime value) => (ulong)value.Ticks | ((ulong)value.Kind << 62);

    private static DateTime Get(ulong bits) => new((long)(bits & Ticks), (DateTimeKind)Math.Min(bits >> 62, (ulong)DateTimeKind.Local));

    private static bool AreMemory()
    {
        if (Unsafe.SizeOf<DateTime>() != sizeof(ulong)) return false;
        foreach (long ticks in (ReadOnlySpan<long>)[0, 1, 0x0123_4567_89AB_CDEF, DateTime.MaxValue.Ticks])
        {
            foreach (DateTimeKind kind in (ReadOnlySpan<DateTimeKind>)[DateTimeKind.Unspecified, DateTimeKind.Utc, DateTimeKind.Local])
            {
                var value = new DateTime(ticks, kind);
                if (Unsafe.BitCast<DateTime, ulong>(value) != Put(value)) return false;
            }

            DateTime first = Unsafe.BitCast<ulong, DateTime>((ulong)ticks | LocalShownFirst);
            if (first.Ticks != ticks || first.Kind != DateTimeKind.Local) return false;
        }

        return true;
    }
}
