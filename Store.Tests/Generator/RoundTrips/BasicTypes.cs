using Store.Serialization;

namespace Store.Tests.Generator.RoundTrips;

public enum SByteEnum : sbyte { Low = -128, High = 127 }
public enum ByteEnum : byte { Low, High = 255 }
public enum Int16Enum : short { Low = short.MinValue, High = short.MaxValue }
public enum UInt16Enum : ushort { Low, High = ushort.MaxValue }
public enum Int32Enum { Low = int.MinValue, High = int.MaxValue }
public enum UInt32Enum : uint { Low, High = uint.MaxValue }
public enum Int64Enum : long { Low = long.MinValue, High = long.MaxValue }
public enum UInt64Enum : ulong { Low, High = ulong.MaxValue }

[NinoType]
public sealed class Enums
{
    public SByteEnum SByte { get; set; }
    public ByteEnum Byte { get; set; }
    public Int16Enum Int16 { get; set; }
    public UInt16Enum UInt16 { get; set; }
    public Int32Enum Int32 { get; set; }
    public UInt32Enum UInt32 { get; set; }
    public Int64Enum Int64 { get; set; }
    public UInt64Enum UInt64 { get; set; }
    public ByteEnum? Absent { get; set; }
    public Int64Enum? Present { get; set; }
}

[NinoType]
public partial record Trade(int Id, string Symbol, decimal Price, DateTime At);

/// <summary>Declared with variable members in front: the encoding moves the fixed ones first.</summary>
[NinoType]
public sealed class Mixed
{
    public string? Name { get; set; }
    public int Number;
    public List<int>? Scores { get; set; }
    public bool Flag { get; init; }
    public required Guid Key { get; set; }
}
