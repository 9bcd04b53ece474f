// What the bytes of a fixed-width value are: as a number, a time, a text. Shared by JSON, trees and map keys. Which bits are valid, the codecs say.

using System.Buffers.Binary;
using System.Globalization;
using System.Numerics;
using System.Text;

namespace Store.Serialization.Values;

/// <summary>Scalars as they lie in a record (docs/formats/record.md, "kinds"). Every method takes exactly the bytes of one value, validated.</summary>
internal static class Scalars
{
    /// <summary>Room for the text of any scalar.</summary>
    public const int MaxTextBytes = 64;

    public static long ReadInt64(SchemaKind kind, ReadOnlySpan<byte> bytes) => kind switch
    {
        SchemaKind.SByte => (sbyte)bytes[0],
        SchemaKind.Byte => bytes[0],
        SchemaKind.Int16 => BinaryPrimitives.ReadInt16LittleEndian(bytes),
        SchemaKind.UInt16 => BinaryPrimitives.ReadUInt16LittleEndian(bytes),
        SchemaKind.Int32 => BinaryPrimitives.ReadInt32LittleEndian(bytes),
        SchemaKind.UInt32 => BinaryPrimitives.ReadUInt32LittleEndian(bytes),
        SchemaKind.Int64 or SchemaKind.UInt64 or SchemaKind.TimeSpan or SchemaKind.TimeOnly => BinaryPrimitives.ReadInt64LittleEndian(bytes),
        _ => throw new ArgumentOutOfRangeException(nameof(kind), kind, "Not an integer of at most 64 bits."),
    };

    public static decimal ReadDecimal(ReadOnlySpan<byte> bytes)
    {
        int flags = BinaryPrimitives.ReadInt32LittleEndian(bytes[12..]);
        return new decimal(
            BinaryPrimitives.ReadInt32LittleEndian(bytes),
            BinaryPrimitives.ReadInt32LittleEndian(bytes[4..]),
            BinaryPrimitives.ReadInt32LittleEndian(bytes[8..]),
            flags < 0,
            (byte)(flags >> 16));
    }

    public static DateTime DateTimeOf(ulong bits) => Codecs.DateTimeBits.ToTime(bits);

    public static DateTimeOffset ReadDateTimeOffset(ReadOnlySpan<byte> bytes) =>
        new(BinaryPrimitives.ReadInt64LittleEndian(bytes), TimeSpan.FromMinutes(BinaryPrimitives.ReadInt16LittleEndian(bytes[8..])));

    /// <summary>
    /// Writes a scalar as UTF-8 text that does not depend on culture or machine: numbers with all digits, dates and times in ISO 8601, a
    /// <see cref="DateTimeKind.Local"/> time as the wall time it is (the offset of the machine that wrote it is not known). An enum's number.
    /// Not for <see cref="SchemaKind.Char"/>, which may be half a character.
    /// </summary>
    /// <returns>Bytes written, at most <see cref="MaxTextBytes"/>.</returns>
    public static int Format(SchemaKind kind, ReadOnlySpan<byte> bytes, Span<byte> destination) => kind switch
    {
        SchemaKind.Boolean => Text(bytes[0] == 0 ? "false"u8 : "true"u8, destination),
        >= SchemaKind.SByte and <= SchemaKind.Int64 => Text(ReadInt64(kind, bytes), default, destination),
        SchemaKind.UInt64 => Text(BinaryPrimitives.ReadUInt64LittleEndian(bytes), default, destination),
        SchemaKind.Int128 => Text(BinaryPrimitives.ReadInt128LittleEndian(bytes), default, destination),
        SchemaKind.UInt128 => Text(BinaryPrimitives.ReadUInt128LittleEndian(bytes), default, destination),
        SchemaKind.Half => Text(BinaryPrimitives.ReadHalfLittleEndian(bytes), default, destination),
        SchemaKind.Single => Text(BinaryPrimitives.ReadSingleLittleEndian(bytes), default, destination),
        SchemaKind.Double => Text(BinaryPrimitives.ReadDoubleLittleEndian(bytes), default, destination),
        SchemaKind.Decimal => Text(ReadDecimal(bytes), default, destination),
        SchemaKind.Rune => new Rune(BinaryPrimitives.ReadUInt32LittleEndian(bytes)).EncodeToUtf8(destination),
        SchemaKind.Guid => Text(new Guid(bytes), "D", destination),
        SchemaKind.DateTime => Text(WithoutMachineOffset(DateTimeOf(BinaryPrimitives.ReadUInt64LittleEndian(bytes))), "O", destination),
        SchemaKind.DateTimeOffset => Text(ReadDateTimeOffset(bytes), "O", destination),
        SchemaKind.TimeSpan => Text(new TimeSpan(BinaryPrimitives.ReadInt64LittleEndian(bytes)), "c", destination),
        SchemaKind.DateOnly => Text(DateOnly.FromDayNumber(BinaryPrimitives.ReadInt32LittleEndian(bytes)), "O", destination),
        SchemaKind.TimeOnly => Text(new TimeOnly(BinaryPrimitives.ReadInt64LittleEndian(bytes)), "O", destination),
        _ => throw new ArgumentOutOfRangeException(nameof(kind), kind, "Not a scalar with a text."),
    };

    /// <summary>
    /// All digits; a number beyond <see cref="MaxDecimalBytes"/> bytes, whose digits would take long to work out, as <c>0x</c> and its two's complement in
    /// hexadecimal digits, highest first.
    /// </summary>
    public static string ToText(BigInteger value)
    {
        if (value.GetByteCount() <= MaxDecimalBytes) return value.ToString(CultureInfo.InvariantCulture);
        byte[] bytes = value.ToByteArray(isBigEndian: true);
        return bytes.Length > MaxHexBytes ? $"0x{Convert.ToHexString(bytes.AsSpan(0, MaxHexBytes))}... ({bytes.Length} bytes)" : "0x" + Convert.ToHexString(bytes);
    }

    private const int MaxDecimalBytes = 2048;

    // A JSON string takes no more.
    private const int MaxHexBytes = 32 << 20;

    private static DateTime WithoutMachineOffset(DateTime value) => value.Kind == DateTimeKind.Local ? DateTime.SpecifyKind(value, DateTimeKind.Unspecified) : value;

    private static int Text<T>(T value, ReadOnlySpan<char> format, Span<byte> destination) where T : IUtf8SpanFormattable =>
        value.TryFormat(destination, out int written, format, CultureInfo.InvariantCulture) ? written : throw new ArgumentException("The destination is shorter than MaxTextBytes.", nameof(destination));

    private static int Text(ReadOnlySpan<byte> text, Span<byte> destination)
    {
        text.CopyTo(destination);
        return text.Length;
    }
}
