// SimpleClass by hand. One check for everything up to the dictionary of texts, one per text, one for the pairs.
//
//   id int32 | count of numbers int32 | count of dates int32 | count of texts int32 | count of pairs int32
//   numbers | dates | name | texts: key int32, text | pairs: key int32, value int32

using System.Buffers;
using System.Buffers.Binary;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using Store.Bench.Workloads;

namespace Store.Bench.Bound;

/// <summary>The bound for <see cref="SimpleClass"/>.</summary>
internal static class BoundSimpleClass
{
    private const int HeadSize = 20;

    public static byte[] ToArray(SimpleClass value)
    {
        var writer = BoundWriter.ForArray();
        Write(ref writer, value);
        return writer.ToArray();
    }

    public static byte[] ToArray(List<SimpleClass> values)
    {
        var writer = BoundWriter.ForArray();
        Write(ref writer, values);
        return writer.ToArray();
    }

    public static void Write(IBufferWriter<byte> output, SimpleClass value)
    {
        var writer = new BoundWriter(output);
        Write(ref writer, value);
        writer.Flush();
    }

    public static void Write(IBufferWriter<byte> output, List<SimpleClass> values)
    {
        var writer = new BoundWriter(output);
        Write(ref writer, values);
        writer.Flush();
    }

    public static SimpleClass Read(ReadOnlySpan<byte> data)
    {
        int position = 0;
        return Read(data, ref position);
    }

    public static List<SimpleClass> ReadMany(ReadOnlySpan<byte> data)
    {
        int count = BinaryPrimitives.ReadInt32LittleEndian(data);
        if ((uint)count > (uint)(data.Length / HeadSize)) throw new InvalidDataException("Bad count.");
        int position = 4;
        var values = new List<SimpleClass>(count);
        CollectionsMarshal.SetCount(values, count);
        foreach (ref SimpleClass value in CollectionsMarshal.AsSpan(values)) value = Read(data, ref position);
        return values;
    }

    private static void Write(ref BoundWriter writer, SimpleClass value)
    {
        int[] numbers = value.Numbers;
        Span<DateTime> dates = CollectionsMarshal.AsSpan(value.Dates);
        string? name = value.Name;
        ref byte to = ref writer.Reserve(checked(HeadSize + (numbers.Length * 4) + (dates.Length * 8) + BoundString.MaxSize(name)));
        Unsafe.WriteUnaligned(ref to, value.Id);
        Unsafe.WriteUnaligned(ref Unsafe.Add(ref to, 4), numbers.Length);
        Unsafe.WriteUnaligned(ref Unsafe.Add(ref to, 8), dates.Length);
        Unsafe.WriteUnaligned(ref Unsafe.Add(ref to, 12), value.Texts.Count);
        Unsafe.WriteUnaligned(ref Unsafe.Add(ref to, 16), value.Pairs.Count);
        Unsafe.CopyBlockUnaligned(ref Unsafe.Add(ref to, HeadSize), ref Unsafe.As<int, byte>(ref MemoryMarshal.GetArrayDataReference(numbers)), (uint)numbers.Length * 4);
        int used = HeadSize + (numbers.Length * 4);
        foreach (DateTime date in dates)
        {
            Unsafe.WriteUnaligned(ref Unsafe.Add(ref to, used), BoundDate.Pack(date));
            used += 8;
        }
        writer.Advance(used + BoundString.Write(ref Unsafe.Add(ref to, used), name));

        foreach (var (key, text) in value.Texts)
        {
            to = ref writer.Reserve(4 + BoundString.MaxSize(text));
            Unsafe.WriteUnaligned(ref to, key);
            writer.Advance(4 + BoundString.Write(ref Unsafe.Add(ref to, 4), text));
        }

        int size = checked(value.Pairs.Count * 8);
        to = ref writer.Reserve(size);
        foreach (var (key, number) in value.Pairs)
        {
            Unsafe.WriteUnaligned(ref to, key);
            Unsafe.WriteUnaligned(ref Unsafe.Add(ref to, 4), number);
            to = ref Unsafe.Add(ref to, 8);
        }
        writer.Advance(size);
    }

    private static void Write(ref BoundWriter writer, List<SimpleClass> values)
    {
        Unsafe.WriteUnaligned(ref writer.Reserve(4), values.Count);
        writer.Advance(4);
        foreach (SimpleClass value in CollectionsMarshal.AsSpan(values)) Write(ref writer, value);
    }

    private static SimpleClass Read(ReadOnlySpan<byte> data, ref int position)
    {
        ReadOnlySpan<byte> head = data.Slice(position, HeadSize);
        position += HeadSize;
        int numberCount = BinaryPrimitives.ReadInt32LittleEndian(head[4..]);
        int dateCount = BinaryPrimitives.ReadInt32LittleEndian(head[8..]);
        int textCount = BinaryPrimitives.ReadInt32LittleEndian(head[12..]);
        int pairCount = BinaryPrimitives.ReadInt32LittleEndian(head[16..]);

        // Each Slice proves that so many elements are really there before room for them is allocated.
        ReadOnlySpan<byte> bytes = data.Slice(position, checked(numberCount * 4));
        position += bytes.Length;
        int[] numbers = GC.AllocateUninitializedArray<int>(numberCount);
        bytes.CopyTo(MemoryMarshal.AsBytes(numbers.AsSpan()));

        bytes = data.Slice(position, checked(dateCount * 8));
        position += bytes.Length;
        var dates = new List<DateTime>(dateCount);
        CollectionsMarshal.SetCount(dates, dateCount);
        foreach (ref DateTime date in CollectionsMarshal.AsSpan(dates))
        {
            date = BoundDate.Unpack(BinaryPrimitives.ReadInt64LittleEndian(bytes));
            bytes = bytes[8..];
        }

        string name = BoundString.Read(data, ref position)!;

        if ((uint)textCount > (uint)((data.Length - position) / 5)) throw new InvalidDataException("Bad count.");
        var texts = new Dictionary<int, string>(textCount);
        for (int i = 0; i < textCount; i++)
        {
            int key = BinaryPrimitives.ReadInt32LittleEndian(data[position..]);
            position += 4;
            if (!texts.TryAdd(key, BoundString.Read(data, ref position)!)) throw new InvalidDataException("A key occurs twice.");
        }

        bytes = data.Slice(position, checked(pairCount * 8));
        position += bytes.Length;
        var pairs = new Dictionary<int, int>(pairCount);
        for (; bytes.Length != 0; bytes = bytes[8..])
        {
            if (!pairs.TryAdd(BinaryPrimitives.ReadInt32LittleEndian(bytes), BinaryPrimitives.ReadInt32LittleEndian(bytes[4..]))) throw new InvalidDataException("A key occurs twice.");
        }

        return new SimpleClass { Id = BinaryPrimitives.ReadInt32LittleEndian(head), Name = name, Numbers = numbers, Dates = dates, Texts = texts, Pairs = pairs };
    }
}
