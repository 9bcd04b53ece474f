// Poco and ImmutablePoco by hand: number, date and Guid at constant offsets, the text behind them. A list is its count and its items; equal texts in a
// row are one string after reading. The two differ in how a member is got and an object is made: that is a struct, so both are compiled with direct calls.

using System.Buffers;
using System.Buffers.Binary;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using Store.Bench.Workloads;

namespace Store.Bench.Bound;

/// <summary>The members of <typeparamref name="T"/>.</summary>
internal interface IPocoMembers<T>
{
    static abstract string Text(T value);
    static abstract int Number(T value);
    static abstract Guid Key(T value);
    static abstract DateTime When(T value);
    static abstract T Create(string text, int number, Guid key, DateTime when);
}

/// <inheritdoc/>
internal readonly struct PocoMembers : IPocoMembers<Poco>
{
    public static string Text(Poco value) => value.Text;
    public static int Number(Poco value) => value.Number;
    public static Guid Key(Poco value) => value.Key;
    public static DateTime When(Poco value) => value.When;
    public static Poco Create(string text, int number, Guid key, DateTime when) => new() { Text = text, Number = number, Key = key, When = when };
}

/// <inheritdoc/>
internal readonly struct ImmutablePocoMembers : IPocoMembers<ImmutablePoco>
{
    public static string Text(ImmutablePoco value) => value.Text;
    public static int Number(ImmutablePoco value) => value.Number;
    public static Guid Key(ImmutablePoco value) => value.Key;
    public static DateTime When(ImmutablePoco value) => value.When;
    public static ImmutablePoco Create(string text, int number, Guid key, DateTime when) => new(text, number, key, when);
}

/// <summary>The bound for <see cref="Poco"/> and <see cref="ImmutablePoco"/>.</summary>
internal static class BoundPoco<T, TMembers> where T : class where TMembers : struct, IPocoMembers<T>
{
    private const int FixedSize = 28;

    public static byte[] ToArray(T value)
    {
        var writer = BoundWriter.ForArray();
        Write(ref writer, value);
        return writer.ToArray();
    }

    public static byte[] ToArray(List<T> values)
    {
        var writer = BoundWriter.ForArray();
        Write(ref writer, values);
        return writer.ToArray();
    }

    public static void Write(IBufferWriter<byte> output, T value)
    {
        var writer = new BoundWriter(output);
        Write(ref writer, value);
        writer.Flush();
    }

    public static void Write(IBufferWriter<byte> output, List<T> values)
    {
        var writer = new BoundWriter(output);
        Write(ref writer, values);
        writer.Flush();
    }

    public static T Read(ReadOnlySpan<byte> data)
    {
        int position = 0;
        var texts = new RepeatedText();
        return Read(data, ref position, ref texts);
    }

    public static List<T> ReadMany(ReadOnlySpan<byte> data)
    {
        int count = BinaryPrimitives.ReadInt32LittleEndian(data);
        if ((uint)count > (uint)(data.Length / (FixedSize + 1))) throw new InvalidDataException("Bad count.");
        int position = 4;
        var texts = new RepeatedText();
        var values = new List<T>(count);
        CollectionsMarshal.SetCount(values, count);
        foreach (ref T value in CollectionsMarshal.AsSpan(values)) value = Read(data, ref position, ref texts);
        return values;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static void Write(ref BoundWriter writer, T value)
    {
        string? text = TMembers.Text(value);
        ref byte to = ref writer.Reserve(FixedSize + BoundString.MaxSize(text));
        Unsafe.WriteUnaligned(ref to, TMembers.Number(value));
        Unsafe.WriteUnaligned(ref Unsafe.Add(ref to, 4), BoundDate.Pack(TMembers.When(value)));
        Unsafe.WriteUnaligned(ref Unsafe.Add(ref to, 12), TMembers.Key(value));
        writer.Advance(FixedSize + BoundString.Write(ref Unsafe.Add(ref to, FixedSize), text));
    }

    private static void Write(ref BoundWriter writer, List<T> values)
    {
        Unsafe.WriteUnaligned(ref writer.Reserve(4), values.Count);
        writer.Advance(4);
        foreach (T value in CollectionsMarshal.AsSpan(values)) Write(ref writer, value);
    }

    private static T Read(ReadOnlySpan<byte> data, ref int position, ref RepeatedText texts)
    {
        ReadOnlySpan<byte> head = data.Slice(position, FixedSize);
        position += FixedSize;
        int number = BinaryPrimitives.ReadInt32LittleEndian(head);
        DateTime when = BoundDate.Unpack(BinaryPrimitives.ReadInt64LittleEndian(head[4..]));
        Guid key = MemoryMarshal.Read<Guid>(head[12..]);
        string text = texts.Read(data, ref position)!;
        return TMembers.Create(text, number, key, when);
    }
}
