// Which scalar can be read as which other, and how. A conversion is exact or it is refused: where the kinds alone do not decide, each value is checked.
// The table is docs/evolution.md, "scalars".

using System.Buffers.Binary;
using Store.Serialization.Codecs;

namespace Store.Serialization.Evolution;

/// <summary>How the bytes of one scalar become those of another.</summary>
internal enum ScalarConversion : byte
{
    /// <summary>There is none.</summary>
    None,

    /// <summary>The same bytes.</summary>
    Copy,

    /// <summary>An integer of another width or sign; checked where the target does not hold every value.</summary>
    Integer,

    /// <summary>False and true as 0 and 1.</summary>
    BooleanToInteger,

    /// <summary>An integer that the floating-point kind holds exactly, whatever its value.</summary>
    IntegerToReal,

    /// <summary>A floating-point number of more bits.</summary>
    WiderReal,

    /// <summary>An integer as a decimal without scale; 128-bit ones are checked.</summary>
    IntegerToDecimal,

    /// <summary>Midnight of a date, of unspecified kind.</summary>
    DateToDateTime,

    /// <summary>The time since midnight.</summary>
    TimeToTimeSpan,
}

/// <summary>Finds and runs conversions. Stateless.</summary>
internal static class ScalarConversions
{
    /// <summary>The conversion from one scalar or enum to another. Enums are their numbers.</summary>
    public static ScalarConversion Find(SchemaNode stored, SchemaNode own)
    {
        SchemaKind from = KindOf(stored), to = KindOf(own);
        if (from == to) return ScalarConversion.Copy;
        bool toInteger = IsInteger(to);
        if (IsInteger(from))
        {
            return toInteger ? ScalarConversion.Integer
                : to == SchemaKind.Decimal ? ScalarConversion.IntegerToDecimal
                : IsReal(to) && ValueBits(from) <= MantissaBits(to) ? ScalarConversion.IntegerToReal
                : ScalarConversion.None;
        }

        return from switch
        {
            SchemaKind.Boolean when toInteger => ScalarConversion.BooleanToInteger,
            SchemaKind.Half when to is SchemaKind.Single or SchemaKind.Double => ScalarConversion.WiderReal,
            SchemaKind.Single when to is SchemaKind.Double => ScalarConversion.WiderReal,
            SchemaKind.DateOnly when to is SchemaKind.DateTime => ScalarConversion.DateToDateTime,
            SchemaKind.TimeOnly when to is SchemaKind.TimeSpan => ScalarConversion.TimeToTimeSpan,
            _ => ScalarConversion.None,
        };
    }

    /// <summary>Whether every value of a stored scalar has a place in the other, to which it converts.</summary>
    public static bool FitsAlways(SchemaNode stored, SchemaNode own)
    {
        SchemaKind from = KindOf(stored), to = KindOf(own);
        return Find(stored, own) switch
        {
            ScalarConversion.Integer => IsSigned(to) ? ValueBits(from) <= ValueBits(to) : !IsSigned(from) && ValueBits(from) <= ValueBits(to),
            ScalarConversion.IntegerToDecimal => from is not (SchemaKind.Int128 or SchemaKind.UInt128),
            _ => true,
        };
    }

    public static bool IsScalar(SchemaNode node) => node.Kind is < SchemaKind.String or SchemaKind.Enum;

    /// <summary>The number below an enum, else the kind itself.</summary>
    public static SchemaKind KindOf(SchemaNode node) => node.Definition is EnumDefinition type ? type.Underlying : node.Kind;

    /// <summary>True when any bits are a value of the kind: nothing is to be checked where it is left out.</summary>
    public static bool IsPlain(SchemaKind kind) =>
        kind is (>= SchemaKind.SByte and <= SchemaKind.Double) or SchemaKind.Char or SchemaKind.Guid or SchemaKind.TimeSpan;

    /// <summary>Converts one value. The spans hold at least the bytes of their kinds; the source ends where the reader stands that took it, by which a failure tells its place.</summary>
    /// <exception cref="NinoSerializationException">The bits are no value of the stored kind, or the value does not fit the other.</exception>
    public static void Run(ScalarConversion conversion, SchemaKind from, ReadOnlySpan<byte> source, SchemaKind to, Span<byte> target)
    {
        switch (conversion)
        {
            case ScalarConversion.Integer:
                if (!TryConvertInteger(from, source, to, target)) DoesNotFit(from, source, to);
                break;
            case ScalarConversion.BooleanToInteger:
                if (source[0] > 1) Throw.BadBoolean(source[0]);
                target[..WidthOf(to)].Clear();
                target[0] = source[0];
                break;
            case ScalarConversion.IntegerToReal:
                WriteReal(to, target, (double)ReadInt64(from, source));
                break;
            case ScalarConversion.WiderReal:
                if (from == SchemaKind.Single) BinaryPrimitives.WriteUInt64LittleEndian(target, SingleAsDouble(BinaryPrimitives.ReadUInt32LittleEndian(source)));
                else if (to == SchemaKind.Double) BinaryPrimitives.WriteUInt64LittleEndian(target, HalfAsDouble(BinaryPrimitives.ReadUInt16LittleEndian(source)));
                else BinaryPrimitives.WriteUInt32LittleEndian(target, HalfAsSingle(BinaryPrimitives.ReadUInt16LittleEndian(source)));
                break;
            case ScalarConversion.IntegerToDecimal:
                WriteDecimal(from, source, target);
                break;
            case ScalarConversion.DateToDateTime:
                int day = BinaryPrimitives.ReadInt32LittleEndian(source);
                if ((uint)day > (uint)DateOnly.MaxValue.DayNumber) Throw.BadDateOnly(day);
                BinaryPrimitives.WriteInt64LittleEndian(target, day * TimeSpan.TicksPerDay);
                break;
            case ScalarConversion.TimeToTimeSpan:
                long ticks = BinaryPrimitives.ReadInt64LittleEndian(source);
                if ((ulong)ticks > (ulong)TimeOnly.MaxValue.Ticks) Throw.BadTimeOnly(ticks);
                BinaryPrimitives.WriteInt64LittleEndian(target, ticks);
                break;
            default:
                throw new InvalidOperationException($"The conversion {conversion} has no code.");
        }
    }

    /// <summary>Widens a run of numbers in one loop. False where there is no such loop: then they are converted one by one.</summary>
    public static bool TryWidenRun(SchemaKind from, ReadOnlySpan<byte> source, SchemaKind to, Span<byte> target)
    {
        switch (from, to)
        {
            case (SchemaKind.Int32, SchemaKind.Int64): Widen<int, long>(source, target); return true;
            case (SchemaKind.UInt32, SchemaKind.Int64): Widen<uint, long>(source, target); return true;
            case (SchemaKind.UInt32, SchemaKind.UInt64): Widen<uint, ulong>(source, target); return true;
            case (SchemaKind.Int16, SchemaKind.Int32): Widen<short, int>(source, target); return true;
            case (SchemaKind.Int16, SchemaKind.Int64): Widen<short, long>(source, target); return true;
            case (SchemaKind.UInt16, SchemaKind.Int32): Widen<ushort, int>(source, target); return true;
            case (SchemaKind.UInt16, SchemaKind.UInt32): Widen<ushort, uint>(source, target); return true;
            case (SchemaKind.Byte, SchemaKind.Int32): Widen<byte, int>(source, target); return true;
            case (SchemaKind.Byte, SchemaKind.Int16): Widen<byte, short>(source, target); return true;
            case (SchemaKind.Byte, SchemaKind.UInt16): Widen<byte, ushort>(source, target); return true;
            case (SchemaKind.Single, SchemaKind.Double): WidenSingles(source, target); return true;
            case (SchemaKind.Int32, SchemaKind.Double): Widen<int, double>(source, target); return true;
            default: return false;
        }
    }

    public static int WidthOf(SchemaKind kind) => SchemaShape.FixedSizeOf(SchemaNode.Primitive(kind));

    private static void Widen<TFrom, TTo>(ReadOnlySpan<byte> source, Span<byte> target)
        where TFrom : unmanaged, System.Numerics.INumberBase<TFrom>
        where TTo : unmanaged, System.Numerics.INumberBase<TTo>
    {
        // Unaligned, as everywhere: the machines this engine runs on load and store so.
        ReadOnlySpan<TFrom> from = System.Runtime.InteropServices.MemoryMarshal.Cast<byte, TFrom>(source);
        Span<TTo> to = System.Runtime.InteropServices.MemoryMarshal.Cast<byte, TTo>(target)[..from.Length];
        for (int i = 0; i < from.Length; i++) to[i] = TTo.CreateTruncating(from[i]);
    }

    private static void WidenSingles(ReadOnlySpan<byte> source, Span<byte> target)
    {
        ReadOnlySpan<uint> from = System.Runtime.InteropServices.MemoryMarshal.Cast<byte, uint>(source);
        Span<ulong> to = System.Runtime.InteropServices.MemoryMarshal.Cast<byte, ulong>(target)[..from.Length];
        for (int i = 0; i < from.Length; i++) to[i] = SingleAsDouble(from[i]);
    }

    // By their bits: a cast makes quiet ones of NaNs that signal, and two keys would be one.
    private static ulong SingleAsDouble(uint bits) =>
        (bits & 0x7FFF_FFFF) > 0x7F80_0000 ? ((ulong)(bits & 0x8000_0000) << 32) | 0x7FF0_0000_0000_0000 | ((ulong)(bits & 0x007F_FFFF) << 29) : BitConverter.DoubleToUInt64Bits(BitConverter.UInt32BitsToSingle(bits));

    private static ulong HalfAsDouble(ushort bits) =>
        (bits & 0x7FFF) > 0x7C00 ? ((ulong)(bits & 0x8000) << 48) | 0x7FF0_0000_0000_0000 | ((ulong)(bits & 0x03FF) << 42) : BitConverter.DoubleToUInt64Bits((double)BitConverter.UInt16BitsToHalf(bits));

    private static uint HalfAsSingle(ushort bits) =>
        (bits & 0x7FFF) > 0x7C00 ? ((uint)(bits & 0x8000) << 16) | 0x7F80_0000 | ((uint)(bits & 0x03FF) << 13) : BitConverter.SingleToUInt32Bits((float)BitConverter.UInt16BitsToHalf(bits));

    private static bool IsInteger(SchemaKind kind) => kind is >= SchemaKind.SByte and <= SchemaKind.UInt128;

    private static bool IsReal(SchemaKind kind) => kind is SchemaKind.Half or SchemaKind.Single or SchemaKind.Double;

    // Bits of the largest magnitude.
    private static int ValueBits(SchemaKind integer) => integer switch
    {
        SchemaKind.SByte => 7,
        SchemaKind.Byte => 8,
        SchemaKind.Int16 => 15,
        SchemaKind.UInt16 => 16,
        SchemaKind.Int32 => 31,
        SchemaKind.UInt32 => 32,
        SchemaKind.Int64 => 63,
        SchemaKind.UInt64 => 64,
        SchemaKind.Int128 => 127,
        _ => 128,
    };

    private static bool IsSigned(SchemaKind integer) => integer is SchemaKind.SByte or SchemaKind.Int16 or SchemaKind.Int32 or SchemaKind.Int64 or SchemaKind.Int128;

    private static int MantissaBits(SchemaKind real) => real switch
    {
        SchemaKind.Half => 11,
        SchemaKind.Single => 24,
        _ => 53,
    };

    // Not for UInt64, which has values of its own above: those go through UInt128.
    private static long ReadInt64(SchemaKind kind, ReadOnlySpan<byte> source) => kind switch
    {
        SchemaKind.SByte => (sbyte)source[0],
        SchemaKind.Byte => source[0],
        SchemaKind.Int16 => BinaryPrimitives.ReadInt16LittleEndian(source),
        SchemaKind.UInt16 => BinaryPrimitives.ReadUInt16LittleEndian(source),
        SchemaKind.Int32 => BinaryPrimitives.ReadInt32LittleEndian(source),
        SchemaKind.UInt32 => BinaryPrimitives.ReadUInt32LittleEndian(source),
        _ => BinaryPrimitives.ReadInt64LittleEndian(source),
    };

    private static bool TryConvertInteger(SchemaKind from, ReadOnlySpan<byte> source, SchemaKind to, Span<byte> target)
    {
        if (from is >= SchemaKind.UInt64 || to is > SchemaKind.UInt64) return TryConvertWide(from, source, to, target);
        long value = ReadInt64(from, source);
        switch (to)
        {
            case SchemaKind.SByte: target[0] = (byte)value; return value == (sbyte)value;
            case SchemaKind.Byte: target[0] = (byte)value; return value == (byte)value;
            case SchemaKind.Int16: BinaryPrimitives.WriteInt16LittleEndian(target, (short)value); return value == (short)value;
            case SchemaKind.UInt16: BinaryPrimitives.WriteUInt16LittleEndian(target, (ushort)value); return value == (ushort)value;
            case SchemaKind.Int32: BinaryPrimitives.WriteInt32LittleEndian(target, (int)value); return value == (int)value;
            case SchemaKind.UInt32: BinaryPrimitives.WriteUInt32LittleEndian(target, (uint)value); return value == (uint)value;
            case SchemaKind.Int64: BinaryPrimitives.WriteInt64LittleEndian(target, value); return true;
            default: BinaryPrimitives.WriteInt64LittleEndian(target, value); return value >= 0;
        }
    }

    private static bool TryConvertWide(SchemaKind from, ReadOnlySpan<byte> source, SchemaKind to, Span<byte> target)
    {
        // Of an unsigned value beyond Int128 only the other unsigned kind of that width would hold it, and that is the same kind.
        if (from == SchemaKind.UInt128 && BinaryPrimitives.ReadUInt128LittleEndian(source) > (UInt128)Int128.MaxValue) return false;
        Int128 value = ReadInt128(from, source);
        bool fits = to switch
        {
            SchemaKind.SByte => value >= sbyte.MinValue && value <= sbyte.MaxValue,
            SchemaKind.Byte => value >= byte.MinValue && value <= byte.MaxValue,
            SchemaKind.Int16 => value >= short.MinValue && value <= short.MaxValue,
            SchemaKind.UInt16 => value >= ushort.MinValue && value <= ushort.MaxValue,
            SchemaKind.Int32 => value >= int.MinValue && value <= int.MaxValue,
            SchemaKind.UInt32 => value >= uint.MinValue && value <= uint.MaxValue,
            SchemaKind.Int64 => value >= long.MinValue && value <= long.MaxValue,
            SchemaKind.UInt64 => value >= ulong.MinValue && value <= ulong.MaxValue,
            SchemaKind.UInt128 => value >= 0,
            _ => true,
        };
        Span<byte> bytes = stackalloc byte[16];
        BinaryPrimitives.WriteInt128LittleEndian(bytes, value);
        bytes[..WidthOf(to)].CopyTo(target);
        return fits;
    }

    private static Int128 ReadInt128(SchemaKind kind, ReadOnlySpan<byte> source) => kind switch
    {
        SchemaKind.UInt64 => BinaryPrimitives.ReadUInt64LittleEndian(source),
        SchemaKind.Int128 => BinaryPrimitives.ReadInt128LittleEndian(source),
        SchemaKind.UInt128 => (Int128)BinaryPrimitives.ReadUInt128LittleEndian(source),
        _ => ReadInt64(kind, source),
    };

    private static void WriteReal(SchemaKind kind, Span<byte> target, double value)
    {
        if (kind == SchemaKind.Half) BinaryPrimitives.WriteHalfLittleEndian(target, (Half)value);
        else if (kind == SchemaKind.Single) BinaryPrimitives.WriteSingleLittleEndian(target, (float)value);
        else BinaryPrimitives.WriteDoubleLittleEndian(target, value);
    }

    private static void WriteDecimal(SchemaKind from, ReadOnlySpan<byte> source, Span<byte> target)
    {
        bool isHuge = from == SchemaKind.UInt128 && BinaryPrimitives.ReadUInt128LittleEndian(source) > (UInt128)Int128.MaxValue;
        Int128 value = isHuge ? Int128.MaxValue : ReadInt128(from, source);
        Int128 max = (Int128)decimal.MaxValue;
        if (value > max || value < -max) DoesNotFit(from, source, SchemaKind.Decimal);
        default(DecimalCodec).WriteFixed(ref target[0], (decimal)value);
    }

    private static void DoesNotFit(SchemaKind from, ReadOnlySpan<byte> source, SchemaKind to)
    {
        string text = from == SchemaKind.UInt128 ? BinaryPrimitives.ReadUInt128LittleEndian(source).ToString(System.Globalization.CultureInfo.InvariantCulture) : ReadInt128(from, source).ToString(System.Globalization.CultureInfo.InvariantCulture);
        throw new NinoSerializationException($"The stored number {text} ({from}) does not fit the {to} that the member is now: widen the member again, or convert the records with a type that holds both.") { IsUnfit = true, TakenBeyond = source.Length - 1 };
    }
}
