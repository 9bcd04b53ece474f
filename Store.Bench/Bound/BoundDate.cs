// Dates of the bound: 62 bits of ticks under 2 bits of kind.

using System.Runtime.CompilerServices;

namespace Store.Bench.Bound;

/// <summary>Packs and unpacks dates.</summary>
internal static class BoundDate
{
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static long Pack(DateTime date) => date.Ticks | ((long)date.Kind << 62);

    /// <summary>The constructor checks both parts.</summary>
    /// <exception cref="ArgumentException">No date has these bits.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static DateTime Unpack(long bits) => new(bits & 0x3FFF_FFFF_FFFF_FFFF, (DateTimeKind)((ulong)bits >> 62));
}
