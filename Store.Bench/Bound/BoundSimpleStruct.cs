// SimpleStruct by hand: 12 bytes, the number and the date. An array is its count and its items.

using System.Buffers;
using System.Buffers.Binary;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using Store.Bench.Workloads;

namespace Store.Bench.Bound;

/// <summary>The bound for <see cref="SimpleStruct"/>.</summary>
internal static class BoundSimpleStruct
{
    private const int Size = 12;

    public static byte[] ToArray(SimpleStruct value)
    {
        byte[] result = new byte[Size];
        Put(ref MemoryMarshal.GetArrayDataReference(result), value);
        return result;
    }

    public static byte[] ToArray(SimpleStruct[] values)
    {
        byte[] result = GC.AllocateUninitializedArray<byte>(checked(4 + (Size * values.Length)));
        PutAll(ref MemoryMarshal.GetArrayDataReference(result), values);
        return result;
    }

    public static void Write(IBufferWriter<byte> output, SimpleStruct value)
    {
        Put(ref MemoryMarshal.GetReference(output.GetSpan(Size)), value);
        output.Advance(Size);
    }

    public static void Write(IBufferWriter<byte> output, SimpleStruct[] values)
    {
        int size = checked(4 + (Size * values.Length));
        PutAll(ref MemoryMarshal.GetReference(output.GetSpan(size)), values);
        output.Advance(size);
    }

    public static SimpleStruct Read(ReadOnlySpan<byte> data) => new()
    {
        Id = BinaryPrimitives.ReadInt32LittleEndian(data),
        CreatedAt = BoundDate.Unpack(BinaryPrimitives.ReadInt64LittleEndian(data[4..])),
    };

    public static SimpleStruct[] ReadMany(ReadOnlySpan<byte> data)
    {
        int count = BinaryPrimitives.ReadInt32LittleEndian(data);
        data = data.Slice(4, checked(Size * count));
        var values = GC.AllocateUninitializedArray<SimpleStruct>(count);
        for (int i = 0; i < values.Length; i++) values[i] = Read(data.Slice(i * Size, Size));
        return values;
    }

    // Bound: 12 bytes reserved at the reference.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static void Put(ref byte to, SimpleStruct value)
    {
        Unsafe.WriteUnaligned(ref to, value.Id);
        Unsafe.WriteUnaligned(ref Unsafe.Add(ref to, 4), BoundDate.Pack(value.CreatedAt));
    }

    // Bound: 4 + 12 x length bytes reserved at the reference.
    private static void PutAll(ref byte to, SimpleStruct[] values)
    {
        Unsafe.WriteUnaligned(ref to, values.Length);
        to = ref Unsafe.Add(ref to, 4);
        foreach (SimpleStruct value in values)
        {
            Put(ref to, value);
            to = ref Unsafe.Add(ref to, Size);
        }
    }
}
