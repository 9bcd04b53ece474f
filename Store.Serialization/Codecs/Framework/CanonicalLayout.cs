// Whether the memory of a framework struct is its encoding, so that an array of it is one copy. Found out, not assumed: a value whose encoded bytes
// are all different is written by its codec's definition and compared with its memory. Where the two differ the codec still works, an element at a time.

using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace Store.Serialization.Codecs;

/// <summary>One answer a type, constant for the JIT. Only for types of which every bit pattern is a value.</summary>
internal static class CanonicalLayout
{
    public static readonly bool OfGuid = Proves(new Guid(Bytes(16)), 16);
    public static readonly bool OfHalf = Proves(BitConverter.UInt16BitsToHalf(0x0201), 2);
    public static readonly bool OfTimeSpan = Proves(new TimeSpan(0x0807060504030201), 8);
    public static readonly bool OfInt128 = Proves(new Int128(0x100F0E0D0C0B0A09, 0x0807060504030201), 16);
    public static readonly bool OfUInt128 = Proves(new UInt128(0x100F0E0D0C0B0A09, 0x0807060504030201), 16);

    /// <summary>The codec form that follows from an answer.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static CodecForm Form(bool isCanonical) => isCanonical ? CodecForm.Blittable : CodecForm.Fixed;

    /// <summary>True when the memory of the value is the bytes 1, 2, 3 and so on, as its encoding is.</summary>
    public static bool Proves<T>(T probe, int size) where T : unmanaged =>
        BitConverter.IsLittleEndian && Unsafe.SizeOf<T>() == size && MemoryMarshal.AsBytes(new ReadOnlySpan<T>(in probe)).SequenceEqual(Bytes(size));

    private static byte[] Bytes(int count)
    {
        byte[] bytes = new byte[count];
        for (int i = 0; i < count; i++) bytes[i] = (byte)(i + 1);
        return bytes;
    }
}
