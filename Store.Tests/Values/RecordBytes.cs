using System.Buffers.Binary;

namespace Store.Tests.Values;

/// <summary>Writes record bytes by hand, after docs/formats/record.md and without the engine, so that tests do not compare the engine with itself.</summary>
internal sealed class RecordBytes
{
    private readonly List<byte> _bytes = [];

    public int Length => _bytes.Count;

    public byte[] ToArray() => [.. _bytes];

    /// <summary>Takes away what was written from a position on.</summary>
    public byte[] Cut(int start)
    {
        byte[] cut = [.. _bytes[start..]];
        _bytes.RemoveRange(start, cut.Length);
        return cut;
    }

    public static implicit operator byte[](RecordBytes bytes) => bytes.ToArray();

    public RecordBytes Raw(params ReadOnlySpan<byte> bytes)
    {
        _bytes.AddRange(bytes);
        return this;
    }

    public RecordBytes Int16(short value) => Number(value, 2);

    public RecordBytes Int32(int value) => Number(value, 4);

    public RecordBytes Int64(long value) => Number(value, 8);

    public RecordBytes Int128(Int128 value)
    {
        Span<byte> bytes = stackalloc byte[16];
        BinaryPrimitives.WriteInt128LittleEndian(bytes, value);
        return Raw(bytes);
    }

    public RecordBytes Number(long value, int size)
    {
        for (int i = 0; i < size; i++) _bytes.Add((byte)(value >> (8 * i)));
        return this;
    }

    public RecordBytes Compact(uint value) => value switch
    {
        <= 252 => Raw((byte)value),
        <= ushort.MaxValue => Raw(253).Number(value, 2),
        _ => Raw(254).Number(value, 4),
    };

    /// <summary>Count of a list or map.</summary>
    public RecordBytes Count(int count) => Compact((uint)count + 1);

    /// <summary>Count of a list of objects of a reference type.</summary>
    public RecordBytes ObjectCount(int count, bool hasNulls) => Compact((((uint)count << 1) | (hasNulls ? 1u : 0u)) + 1);

    public RecordBytes Null() => Raw(0);

    public RecordBytes Text(string? text)
    {
        if (text is null) return Null();
        bool isUtf16 = text.Any(c => c > 0xFF);
        return Compact((((uint)text.Length << 1) | (isUtf16 ? 1u : 0u)) + 1).Raw(isUtf16 ? [.. text.SelectMany(c => new[] { (byte)c, (byte)(c >> 8) })] : [.. text.Select(c => (byte)c)]);
    }

    public RecordBytes Decimal(decimal value)
    {
        foreach (int part in decimal.GetBits(value)) Int32(part);
        return this;
    }

    public RecordBytes DateTime(DateTime value) => Number(value.Ticks | ((long)value.Kind << 62), 8);

    public RecordBytes DateTimeOffset(DateTimeOffset value) => Int64(value.Ticks).Int16((short)value.TotalOffsetMinutes);

    public RecordBytes Guid(Guid value) => Raw(value.ToByteArray());
}
