// NineInts by hand: 36 bytes. A list is its count and its items.

using System.Buffers;
using System.Buffers.Binary;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using Store.Bench.Workloads;

namespace Store.Bench.Bound;

/// <summary>The bound for <see cref="NineInts"/>.</summary>
internal static class BoundNineInts
{
    private const int Size = 36;

    public static byte[] ToArray(NineInts value)
    {
        byte[] result = new byte[Size];
        Put(ref MemoryMarshal.GetArrayDataReference(result), value);
        return result;
    }

    public static byte[] ToArray(List<NineInts> values)
    {
        byte[] result = GC.AllocateUninitializedArray<byte>(checked(4 + (Size * values.Count)));
        PutAll(ref MemoryMarshal.GetArrayDataReference(result), values);
        return result;
    }

    public static void Write(IBufferWriter<byte> output, NineInts value)
    {
        Put(ref MemoryMarshal.GetReference(output.GetSpan(Size)), value);
        output.Advance(Size);
    }

    public static void Write(IBufferWriter<byte> output, List<NineInts> values)
    {
        int size = checked(4 + (Size * values.Count));
        PutAll(ref MemoryMarshal.GetReference(output.GetSpan(size)), values);
        output.Advance(size);
    }

    public static NineInts Read(ReadOnlySpan<byte> data)
    {
        ReadOnlySpan<int> ints = MemoryMarshal.Cast<byte, int>(data[..Size]);
        return new NineInts
        {
            P9 = ints[8], P1 = ints[0], P2 = ints[1], P3 = ints[2], P4 = ints[3], P5 = ints[4], P6 = ints[5], P7 = ints[6], P8 = ints[7],
        };
    }

    public static List<NineInts> ReadMany(ReadOnlySpan<byte> data)
    {
        int count = BinaryPrimitives.ReadInt32LittleEndian(data);
        data = data.Slice(4, checked(Size * count));
        var values = new List<NineInts>(count);
        CollectionsMarshal.SetCount(values, count);
        foreach (ref NineInts value in CollectionsMarshal.AsSpan(values))
        {
            value = Read(data);
            data = data[Size..];
        }
        return values;
    }

    // Bound: 36 bytes reserved at the reference.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static void Put(ref byte to, NineInts value)
    {
        Unsafe.WriteUnaligned(ref to, value.P1);
        Unsafe.WriteUnaligned(ref Unsafe.Add(ref to, 4), value.P2);
        Unsafe.WriteUnaligned(ref Unsafe.Add(ref to, 8), value.P3);
        Unsafe.WriteUnaligned(ref Unsafe.Add(ref to, 12), value.P4);
        Unsafe.WriteUnaligned(ref Unsafe.Add(ref to, 16), value.P5);
        Unsafe.WriteUnaligned(ref Unsafe.Add(ref to, 20), value.P6);
        Unsafe.WriteUnaligned(ref Unsafe.Add(ref to, 24), value.P7);
        Unsafe.WriteUnaligned(ref Unsafe.Add(ref to, 28), value.P8);
        Unsafe.WriteUnaligned(ref Unsafe.Add(ref to, 32), value.P9);
    }

    // Bound: 4 + 36 x count bytes reserved at the reference.
    private static void PutAll(ref byte to, List<NineInts> values)
    {
        Unsafe.WriteUnaligned(ref to, values.Count);
        to = ref Unsafe.Add(ref to, 4);
        foreach (NineInts value in CollectionsMarshal.AsSpan(values))
        {
            Put(ref to, value);
            to = ref Unsafe.Add(ref to, Size);
        }
    }
}
