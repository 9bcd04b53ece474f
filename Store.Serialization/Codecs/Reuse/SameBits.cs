// Are two values the same to the last bit? Equality is not enough to keep a value: 1.0m equals 1.00m, a UTC time equals a local one, and records hold the difference.

using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace Store.Serialization.Codecs;

internal static class SameBits
{
    /// <summary>
    /// True when one value can stand for the other: the same object, or the same memory. False may be wrong (padding), true never is. Bound: loads inside the two
    /// variables, and only of types that hold no references.
    /// </summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static bool Of<T>(ref readonly T one, ref readonly T other)
    {
        if (!typeof(T).IsValueType) return ReferenceEquals(one, other);
        if (RuntimeHelpers.IsReferenceOrContainsReferences<T>()) return false;
        ref byte a = ref Unsafe.As<T, byte>(ref Unsafe.AsRef(in one));
        ref byte b = ref Unsafe.As<T, byte>(ref Unsafe.AsRef(in other));
        return Unsafe.SizeOf<T>() switch
        {
            1 => a == b,
            2 => Unsafe.ReadUnaligned<ushort>(ref a) == Unsafe.ReadUnaligned<ushort>(ref b),
            4 => Unsafe.ReadUnaligned<uint>(ref a) == Unsafe.ReadUnaligned<uint>(ref b),
            8 => Unsafe.ReadUnaligned<ulong>(ref a) == Unsafe.ReadUnaligned<ulong>(ref b),
            _ => MemoryMarshal.CreateReadOnlySpan(ref a, Unsafe.SizeOf<T>()).SequenceEqual(MemoryMarshal.CreateReadOnlySpan(ref b, Unsafe.SizeOf<T>())),
        };
    }
}

/// <summary>What of a set's elements or a dictionary's keys may stay where it is: values that nobody can change and that <see cref="SameBits"/> can compare.</summary>
internal static class KeptKeys<T, TCodec> where TCodec : struct, INinoCodec<T>
{
    public static bool Any
    {
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        get => typeof(T) == typeof(string) || (typeof(T).IsValueType && TCodec.Form == CodecForm.Blittable);
    }
}
