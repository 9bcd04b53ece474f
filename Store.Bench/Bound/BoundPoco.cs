// Poco by hand: number, date and Guid at constant offsets, the text behind them. A list is its count and its items; equal texts in a row are
// one string after reading.

using System.Buffers;
using System.Buffers.Binary;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using Store.Bench.Workloads;

namespace Store.Bench.Bound;

/// <summary>The bound for <see cref="Poco"/>.</summary>
internal static class BoundPoco
{
    private const int FixedSize = 28;

    public static byte[] ToArray(Poco value)
    {
        var writer = BoundWriter.ForArray();
        Write(ref writer, value);
        return writer.ToArray();
    }

    public static byte[] ToArray(List<Poco> values)
    {
        var writer = BoundWriter.ForArray();
        Write(ref writer, values);
        return writer.ToArray();
    }

    public static void Write(IBufferWriter<byte> output, Poco value)
    {
        var writer = new BoundWriter(output);
        Write(ref writer, value);
        writer.Flush();
    }

    public static void Write(IBufferWriter<byte> output, List<Poco> values)
    {
        var writer = new BoundWriter(output);
        Write(ref writer, values);
        writer.Flush();
    }

    public static Poco Read(ReadOnlySpan<byte> data)
    {
        int position = 0;
        var texts = new RepeatedText();
        return Read(data, ref position, ref texts);
    }

    public static List<Poco> ReadMany(ReadOnlySpan<byte> data)
    {
        int count = BinaryPrimitives.ReadInt32LittleEndian(data);
        if ((uint)count > (uint)(data.Length / (FixedSize + 1))) throw new InvalidDataException("Bad count.");
        int position = 4;
        var texts = new RepeatedText();
        var values = new List<Poco>(count);
        CollectionsMarshal.SetCount(values, count);
        foreach (ref Poco value in CollectionsMarshal.AsSpan(values)) value = Read(data, ref position, ref texts);
        return values;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static void Write(ref BoundWriter writer, Poco value)
    {
        string? text = value.Text;
        ref byte to = ref writer.Reserve(FixedSize + BoundString.MaxSize(text));
        Unsafe.WriteUnaligned(ref to, value.Number);
        Unsafe.WriteUnaligned(ref Unsafe.Add(ref to, 4), BoundDate.Pack(value.When));
        Unsafe.WriteUnaligned(ref Unsafe.Add(ref to, 12), value.Key);
        writer.Advance(FixedSize + BoundString.Write(ref Unsafe.Add(ref to, FixedSize), text));
    }

    private static void Write(ref BoundWriter writer, List<Poco> values)
    {
        Unsafe.WriteUnaligned(ref writer.Reserve(4), values.Count);
        writer.Advance(4);
        foreach (Poco value in CollectionsMarshal.AsSpan(values)) Write(ref writer, value);
    }

    private static Poco Read(ReadOnlySpan<byte> data, ref int position, ref RepeatedText texts)
    {
        ReadOnlySpan<byte> head = data.Slice(position, FixedSize);
        position += FixedSize;
        int number = BinaryPrimitives.ReadInt32LittleEndian(head);
        DateTime when = BoundDate.Unpack(BinaryPrimitives.ReadInt64LittleEndian(head[4..]));
        Guid key = MemoryMarshal.Read<Guid>(head[12..]);
        string text = texts.Read(data, ref position)!;
        return new Poco { Text = text, Number = number, Key = key, When = when };
    }
}
