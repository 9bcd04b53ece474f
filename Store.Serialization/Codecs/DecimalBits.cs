// The words of a decimal as they are stored: low, middle, high, flags.

using System.Runtime.CompilerServices;
using System.Runtime.Intrinsics;

namespace Store.Serialization.Codecs;

internal static class DecimalBits
{
    private const int MaxScale = 28 << 16;
    private const int ScaleBits = 0x00FF_0000;

    // This runtime has the same words in memory, in the order flags, high, low, middle. Asked once: on another one it is only slower.
    private static readonly bool s_areMemory = AreMemory();

    /// <summary>The words, from memory where they are known to be there: by their documented way a decimal takes 7 ns, and a list of them ten times as long as a copy (docs/performance.md).</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static Vector128<int> Of(in decimal value) =>
        s_areMemory ? Vector128.Shuffle(Unsafe.BitCast<decimal, Vector128<int>>(value), Vector128.Create(2, 3, 1, 0)) : Get(value);

    /// <summary>The decimal of such words.</summary>
    /// <exception cref="NinoSerializationException">No decimal has these flags.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static decimal From(Vector128<int> words)
    {
        int flags = words.GetElement(3);
        if ((flags & ~(int.MinValue | ScaleBits)) != 0 || (flags & ScaleBits) > MaxScale) Throw.BadDecimal(flags);
        return s_areMemory ? Unsafe.BitCast<Vector128<int>, decimal>(Vector128.Shuffle(words, Vector128.Create(3, 2, 0, 1))) : Make(words);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static Vector128<int> Get(decimal value)
    {
        Words words = default;
        decimal.GetBits(value, words);
        return Vector128.Create<int>(words);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static decimal Make(Vector128<int> words) => new(words[0], words[1], words[2], words[3] < 0, (byte)(words[3] >> 16));

    private static bool AreMemory()
    {
        if (Unsafe.SizeOf<decimal>() != Vector128<byte>.Count) return false;
        foreach (decimal value in (ReadOnlySpan<decimal>)[0m, 1m, -1.00m, decimal.MaxValue, decimal.MinValue, new(1, 2, 3, true, 28), new(0x01234567, 0x76543210, -2, false, 7)])
        {
            if (Vector128.Shuffle(Unsafe.BitCast<decimal, Vector128<int>>(value), Vector128.Create(2, 3, 1, 0)) != Get(value)) return false;
        }

        return true;
    }

    [InlineArray(4)]
    private struct Words
    {
        private int _first;
    }
}
