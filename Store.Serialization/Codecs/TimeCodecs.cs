// How dates and times are stored: ticks of 100 ns, checked against the range of their type before a value is made of them.
// Bound of the Unsafe stores and loads: FixedSize bytes, as stated at INinoCodec<T>.WriteFixed and ReadFixed.

using System.Runtime.CompilerServices;

namespace Store.Serialization.Codecs;

/// <summary>A date and time: ticks in the low 62 bits, the kind in the high two, of which local times have two (docs/formats/record.md).</summary>
public readonly struct DateTimeCodec : INinoCodec<DateTime>
{
    /// <inheritdoc/>
    public static CodecForm Form => CodecForm.Fixed;

    /// <inheritdoc/>
    public static ReadOnlySpan<byte> Memory => [8, (byte)MemoryBits.DateTime];

    /// <inheritdoc/>
    public static int FixedSize => 8;

    /// <inheritdoc/>
    public static int MinSize => 8;

    /// <inheritdoc/>
    public static SchemaNode Describe(SchemaBuilder builder) => SchemaNode.Primitive(SchemaKind.DateTime);

    /// <inheritdoc/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void WriteFixed(ref byte destination, in DateTime value) => Unsafe.WriteUnaligned(ref destination, DateTimeBits.Of(value));

    /// <inheritdoc/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public DateTime ReadFixed(ref readonly byte source)
    {
        ulong bits = Unsafe.ReadUnaligned<ulong>(in source);
        if ((bits & DateTimeBits.Ticks) > (ulong)DateTime.MaxValue.Ticks) Throw.BadDateTime(bits);
        return DateTimeBits.ToTime(bits);
    }

    /// <inheritdoc/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Write(ref NinoWriter writer, in DateTime value) => WriteFixed(ref writer.Take(8), in value);

    /// <inheritdoc/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public DateTime Read(ref NinoReader reader) => ReadFixed(in reader.Take(8));
}

/// <summary>A local date and time with its offset from UTC in minutes.</summary>
public readonly struct DateTimeOffsetCodec : INinoCodec<DateTimeOffset>
{
    private const int MaxOffsetMinutes = 14 * 60;

    /// <inheritdoc/>
    public static CodecForm Form => CodecForm.Fixed;

    /// <inheritdoc/>
    public static int FixedSize => 10;

    /// <inheritdoc/>
    public static int MinSize => 10;

    /// <inheritdoc/>
    public static SchemaNode Describe(SchemaBuilder builder) => SchemaNode.Primitive(SchemaKind.DateTimeOffset);

    /// <inheritdoc/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void WriteFixed(ref byte destination, in DateTimeOffset value)
    {
        Unsafe.WriteUnaligned(ref destination, value.Ticks);
        Unsafe.WriteUnaligned(ref Unsafe.Add(ref destination, 8), (short)value.TotalOffsetMinutes);
    }

    /// <inheritdoc/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public DateTimeOffset ReadFixed(ref readonly byte source)
    {
        long ticks = Unsafe.ReadUnaligned<long>(in source);
        short minutes = Unsafe.ReadUnaligned<short>(in Unsafe.Add(ref Unsafe.AsRef(in source), 8));
        if ((ulong)ticks > (ulong)DateTime.MaxValue.Ticks
            || minutes is < -MaxOffsetMinutes or > MaxOffsetMinutes
            || (ulong)(ticks - (minutes * TimeSpan.TicksPerMinute)) > (ulong)DateTime.MaxValue.Ticks) Throw.BadDateTimeOffset(ticks, minutes);
        return new DateTimeOffset(ticks, new TimeSpan(minutes * TimeSpan.TicksPerMinute));
    }

    /// <inheritdoc/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Write(ref NinoWriter writer, in DateTimeOffset value) => WriteFixed(ref writer.Take(10), in value);

    /// <inheritdoc/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public DateTimeOffset Read(ref NinoReader reader) => ReadFixed(in reader.Take(10));
}

/// <summary>A duration in ticks; every number is one.</summary>
public readonly struct TimeSpanCodec : INinoCodec<TimeSpan>
{
    /// <inheritdoc/>
    public static CodecForm Form => CanonicalLayout.Form(CanonicalLayout.OfTimeSpan);

    /// <inheritdoc/>
    public static int FixedSize => 8;

    /// <inheritdoc/>
    public static int MinSize => 8;

    /// <inheritdoc/>
    public static SchemaNode Describe(SchemaBuilder builder) => SchemaNode.Primitive(SchemaKind.TimeSpan);

    /// <inheritdoc/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void WriteFixed(ref byte destination, in TimeSpan value) => Unsafe.WriteUnaligned(ref destination, value.Ticks);

    /// <inheritdoc/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public TimeSpan ReadFixed(ref readonly byte source) => new(Unsafe.ReadUnaligned<long>(in source));

    /// <inheritdoc/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Write(ref NinoWriter writer, in TimeSpan value) => WriteFixed(ref writer.Take(8), in value);

    /// <inheritdoc/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public TimeSpan Read(ref NinoReader reader) => ReadFixed(in reader.Take(8));
}

/// <summary>A date: its day number.</summary>
public readonly struct DateOnlyCodec : INinoCodec<DateOnly>
{
    /// <inheritdoc/>
    public static CodecForm Form => CodecForm.Fixed;

    /// <inheritdoc/>
    public static int FixedSize => 4;

    /// <inheritdoc/>
    public static int MinSize => 4;

    /// <inheritdoc/>
    public static SchemaNode Describe(SchemaBuilder builder) => SchemaNode.Primitive(SchemaKind.DateOnly);

    /// <inheritdoc/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void WriteFixed(ref byte destination, in DateOnly value) => Unsafe.WriteUnaligned(ref destination, value.DayNumber);

    /// <inheritdoc/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public DateOnly ReadFixed(ref readonly byte source)
    {
        int day = Unsafe.ReadUnaligned<int>(in source);
        if ((uint)day > (uint)DateOnly.MaxValue.DayNumber) Throw.BadDateOnly(day);
        return DateOnly.FromDayNumber(day);
    }

    /// <inheritdoc/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Write(ref NinoWriter writer, in DateOnly value) => WriteFixed(ref writer.Take(4), in value);

    /// <inheritdoc/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public DateOnly Read(ref NinoReader reader) => ReadFixed(in reader.Take(4));
}

/// <summary>A time of day in ticks.</summary>
public readonly struct TimeOnlyCodec : INinoCodec<TimeOnly>
{
    /// <inheritdoc/>
    public static CodecForm Form => CodecForm.Fixed;

    /// <inheritdoc/>
    public static int FixedSize => 8;

    /// <inheritdoc/>
    public static int MinSize => 8;

    /// <inheritdoc/>
    public static SchemaNode Describe(SchemaBuilder builder) => SchemaNode.Primitive(SchemaKind.TimeOnly);

    /// <inheritdoc/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void WriteFixed(ref byte destination, in TimeOnly value) => Unsafe.WriteUnaligned(ref destination, value.Ticks);

    /// <inheritdoc/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public TimeOnly ReadFixed(ref readonly byte source)
    {
        long ticks = Unsafe.ReadUnaligned<long>(in source);
        if ((ulong)ticks > (ulong)TimeOnly.MaxValue.Ticks) Throw.BadTimeOnly(ticks);
        return new TimeOnly(ticks);
    }

    /// <inheritdoc/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Write(ref NinoWriter writer, in TimeOnly value) => WriteFixed(ref writer.Take(8), in value);

    /// <inheritdoc/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public TimeOnly Read(ref NinoReader reader) => ReadFixed(in reader.Take(8));
}
