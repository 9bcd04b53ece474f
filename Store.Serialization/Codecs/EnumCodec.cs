using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace Store.Serialization.Codecs;

/// <summary>An enum, stored as its number. Any number is a value: names are for display, so that adding a member changes no format.</summary>
/// <typeparam name="TEnum">The enum.</typeparam>
public readonly struct EnumCodec<TEnum> : INinoCodec<TEnum> where TEnum : unmanaged, Enum
{
    /// <inheritdoc/>
    public static CodecForm Form => CodecForm.Blittable;

    /// <inheritdoc/>
    public static int FixedSize => Unsafe.SizeOf<TEnum>();

    /// <inheritdoc/>
    public static int MinSize => Unsafe.SizeOf<TEnum>();

    /// <inheritdoc/>
    public static SchemaNode Describe(SchemaBuilder builder) =>
        builder.Enum(typeof(TEnum), SchemaNames.Of(typeof(TEnum)), Underlying(), typeof(TEnum).IsDefined(typeof(FlagsAttribute), inherit: false), Members());

    /// <inheritdoc/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void WriteFixed(ref byte destination, in TEnum value) => Unsafe.WriteUnaligned(ref destination, value);

    /// <inheritdoc/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public TEnum ReadFixed(ref readonly byte source) => Unsafe.ReadUnaligned<TEnum>(in source);

    /// <inheritdoc/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Write(ref NinoWriter writer, in TEnum value) => WriteFixed(ref writer.Take(FixedSize), in value);

    /// <inheritdoc/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public TEnum Read(ref NinoReader reader) => ReadFixed(in reader.Take(FixedSize));

    private static SchemaKind Underlying() => Type.GetTypeCode(typeof(TEnum)) switch
    {
        TypeCode.SByte => SchemaKind.SByte,
        TypeCode.Byte => SchemaKind.Byte,
        TypeCode.Int16 => SchemaKind.Int16,
        TypeCode.UInt16 => SchemaKind.UInt16,
        TypeCode.Int32 => SchemaKind.Int32,
        TypeCode.UInt32 => SchemaKind.UInt32,
        TypeCode.Int64 => SchemaKind.Int64,
        TypeCode.UInt64 => SchemaKind.UInt64,
        TypeCode other => throw new NotSupportedException($"The enum '{typeof(TEnum)}' is built on {other}, which C# cannot declare."),
    };

    private static List<EnumMember> Members()
    {
        string[] names = Enum.GetNames<TEnum>();
        TEnum[] values = Enum.GetValues<TEnum>();
        var members = new List<EnumMember>(names.Length);
        for (int i = 0; i < names.Length; i++) members.Add(new EnumMember(names[i], ToInt64(values[i])));
        return members;
    }

    private static long ToInt64(TEnum value)
    {
        ReadOnlySpan<byte> bytes = MemoryMarshal.AsBytes(new ReadOnlySpan<TEnum>(in value));
        return Underlying() switch
        {
            SchemaKind.SByte => (sbyte)bytes[0],
            SchemaKind.Byte => bytes[0],
            SchemaKind.Int16 => MemoryMarshal.Read<short>(bytes),
            SchemaKind.UInt16 => MemoryMarshal.Read<ushort>(bytes),
            SchemaKind.Int32 => MemoryMarshal.Read<int>(bytes),
            SchemaKind.UInt32 => MemoryMarshal.Read<uint>(bytes),
            _ => MemoryMarshal.Read<long>(bytes),
        };
    }
}
