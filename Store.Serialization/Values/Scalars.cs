// The values of fixed width: how many bytes each takes, which bits are valid, and what they are as text. The one place that knows, shared by
// JSON, trees and map keys.

using System.Buffers.Binary;
using System.Globalization;
using System.Runtime.CompilerServices;
using System.Text;

namespace Store.Serialization.Values;

/// <summary>Scalars as they lie in a record (docs/formats/record.md, "kinds"). Every method takes exactly the bytes of one value.</summary>
internal static class Scalars
{
    /// <summary>Room for the text of any scalar.</summary>
    public const int MaxTextBytes = 64;

    private const ulong TicksMask = (1UL << 62) - 1;
    private const int MaxOffsetMinutes = 14 * 60;

    /// <summary>Bytes of a scalar, 0 for every other kind.</summary>
    public static int SizeOf(SchemaKind kind) => kind switch
    {
        SchemaKind.Boolean or SchemaKind.SByte or SchemaKind.Byte => 1,
        SchemaKind.Int16 or SchemaKind.UInt16 or SchemaKind.Half or SchemaKind.Char => 2,
        SchemaKind.Int32 or SchemaKind.UInt32 or SchemaKind.Single or SchemaKind.Rune or SchemaKind.DateOnly => 4,
        SchemaKind.Int64 or SchemaKind.UInt64 or SchemaKind.Double or SchemaKind.DateTime or SchemaKind.TimeSpan or SchemaKind.TimeOnly => 8,
        SchemaKind.DateTimeOffset => 10,
        SchemaKind.Int128 or SchemaKind.UInt128 or SchemaKind.Decimal or SchemaKind.Guid => 16,
        _ => 0,
    };

    /// <summary>Checks the bits of kinds that do not allow all.</summary>
    /// <exception cref="NinoSerializationException">No value has these bits.</exception>
    public static void Validate(SchemaKind kind, ReadOnlySpan<byte> bytes)
    {
        bool valid = kind switch
        {
            SchemaKind.Boolean => bytes[0] <= 1,
            SchemaKind.Decimal => IsDecimal(bytes),
            SchemaKind.Rune => Rune.IsValid(BinaryPrimitives.ReadUInt32LittleEndian(bytes)),
            SchemaKind.DateTime => IsDateTime(BinaryPrimitives.ReadUInt64LittleEndian(bytes)),
            SchemaKind.DateTimeOffset => IsDateTimeOffset(bytes),
            SchemaKind.DateOnly => BinaryPrimitives.ReadUInt32LittleEndian(bytes) <= (uint)DateOnly.MaxValue.DayNumber,
            SchemaKind.TimeOnly => BinaryPrimitives.ReadUInt64LittleEndian(bytes) <= (ulong)TimeOnly.MaxValue.Ticks,
            _ => true,
        };
        if (!valid) ThrowInvalid(kind, bytes);
    }

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

    public static DateTime DateTimeOf(ulong bits) => new((long)(bits & TicksMask), (DateTimeKind)(bits >> 62));

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

    private static DateTime WithoutMachineOffset(DateTime value) => value.Kind == DateTimeKind.Local ? DateTime.SpecifyKind(value, DateTimeKind.Unspecified) : value;

    private static int Text<T>(T value, ReadOnlySpan<char> format, Span<byte> destination) where T : IUtf8SpanFormattable =>
        value.TryFormat(destination, out int written, format, CultureInfo.InvariantCulture) ? written : throw new ArgumentException("The destination is shorter than MaxTextBytes.", nameof(destination));

    private static int Text(ReadOnlySpan<byte> text, Span<byte> destination)
    {
        text.CopyTo(destination);
        return text.Length;
    }

    private static bool IsDecimal(ReadOnlySpan<byte> bytes)
    {
        uint flags = BinaryPrimitives.ReadUInt32LittleEndian(bytes[12..]);
        return (flags & 0x7F00FFFF) == 0 && ((flags >> 16) & 0xFF) <= 28;
    }

    private static bool IsDateTime(ulong bits) => (bits & TicksMask) <= (ulong)DateTime.MaxValue.Ticks && bits >> 62 <= (ulong)DateTimeKind.Local;

    private static bool IsDateTimeOffset(ReadOnlySpan<byte> bytes)
    {
        long ticks = BinaryPrimitives.ReadInt64LittleEndian(bytes);
        short minutes = BinaryPrimitives.ReadInt16LittleEndian(bytes[8..]);
        return (ulong)ticks <= (ulong)DateTime.MaxValue.Ticks && minutes is >= -MaxOffsetMinutes and <= MaxOffsetMinutes
            && (ulong)(ticks - minutes * TimeSpan.TicksPerMinute) <= (ulong)DateTime.MaxValue.Ticks;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void ThrowInvalid(SchemaKind kind, ReadOnlySpan<byte> bytes) =>
        throw new NinoSerializationException($"The bytes {Convert.ToHexString(bytes)} are no {kind}: the record is damaged.");
}
