// SimpleModel by hand: number and flag at constant offsets, the name behind them. A list is its count and its items.

using System.Buffers;
using System.Buffers.Binary;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using Store.Bench.Workloads;

namespace Store.Bench.Bound;

/// <summary>The bound for <see cref="SimpleModel"/>.</summary>
internal static class BoundSimpleModel
{
    private const int FixedSize = 5;

    public static byte[] ToArray(SimpleModel value)
    {
        var writer = BoundWriter.ForArray();
        Write(ref writer, value);
        return writer.ToArray();
    }

    public static byte[] ToArray(List<SimpleModel> values)
    {
        var writer = BoundWriter.ForArray();
        Write(ref writer, values);
        return writer.ToArray();
    }

    public static void Write(IBufferWriter<byte> output, SimpleModel value)
    {
        var writer = new BoundWriter(output);
        Write(ref writer, value);
        writer.Flush();
    }

    public static void Write(IBufferWriter<byte> output, List<SimpleModel> values)
    {
        var writer = new BoundWriter(output);
        Write(ref writer, values);
        writer.Flush();
    }

    public static SimpleModel Read(ReadOnlySpan<byte> data)
    {
        int position = 0;
        return Read(data, ref position);
    }

    public static List<SimpleModel> ReadMany(ReadOnlySpan<byte> data)
    {
        int count = BinaryPrimitives.ReadInt32LittleEndian(data);
        if ((uint)count > (uint)(data.Length / (FixedSize + 1))) throw new InvalidDataException("Bad count.");
        int position = 4;
        var values = new List<SimpleModel>(count);
        CollectionsMarshal.SetCount(values, count);
        foreach (ref SimpleModel value in CollectionsMarshal.AsSpan(values)) value = Read(data, ref position);
        return values;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static void Write(ref BoundWriter writer, SimpleModel value)
    {
        string? text = value.TestString;
        ref byte to = ref writer.Reserve(FixedSize + BoundString.MaxSize(text));
        Unsafe.WriteUnaligned(ref to, value.TestInt);
        Unsafe.Add(ref to, 4) = value.TestBool ? (byte)1 : (byte)0;
        writer.Advance(FixedSize + BoundString.Write(ref Unsafe.Add(ref to, FixedSize), text));
    }

    private static void Write(ref BoundWriter writer, List<SimpleModel> values)
    {
        Unsafe.WriteUnaligned(ref writer.Reserve(4), values.Count);
        writer.Advance(4);
        foreach (SimpleModel value in CollectionsMarshal.AsSpan(values)) Write(ref writer, value);
    }

    private static SimpleModel Read(ReadOnlySpan<byte> data, ref int position)
    {
        ReadOnlySpan<byte> head = data.Slice(position, FixedSize);
        position += FixedSize;
        return new SimpleModel
        {
            TestInt = BinaryPrimitives.ReadInt32LittleEndian(head),
            TestBool = head[4] switch { 0 => false, 1 => true, _ => throw new InvalidDataException("Bad flag.") },
            TestString = BoundString.Read(data, ref position)!,
        };
    }
}
