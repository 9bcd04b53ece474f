// Keys that meet: of one hash code each, and one that counts how often it is compared.

using Store.Serialization;
using Store.Serialization.Codecs;

namespace Store.Tests.Types;

/// <summary>A key whose comparisons are counted, on the thread that makes them.</summary>
internal readonly struct Counted(int value) : IEquatable<Counted>
{
    [ThreadStatic]
    public static long Comparisons;

    public int Value => value;

    public bool Equals(Counted other)
    {
        Comparisons++;
        return Value == other.Value;
    }

    public override bool Equals(object? obj) => obj is Counted other && Equals(other);

    public override int GetHashCode() => 7;
}

internal readonly struct CountedCodec : INinoCodec<Counted>
{
    public static int MinSize => 4;

    public static SchemaNode Describe(SchemaBuilder builder) => SchemaNode.Primitive(SchemaKind.Int32);

    public void Write(ref NinoWriter writer, in Counted value) => default(Int32Codec).Write(ref writer, value.Value);

    public Counted Read(ref NinoReader reader) => new(default(Int32Codec).Read(ref reader));
}

public enum FloodedEnum : long;

[NinoType]
public struct FloodedStruct : IEquatable<FloodedStruct>
{
    public int X;
    public int Y;

    public readonly bool Equals(FloodedStruct other) => X == other.X && Y == other.Y;

    public override readonly bool Equals(object? obj) => obj is FloodedStruct other && Equals(other);

    public override readonly int GetHashCode() => X ^ Y;
}

[NinoType]
public sealed record FloodedClass(int Id)
{
    public bool Equals(FloodedClass? other) => other?.Id == Id;

    public override int GetHashCode() => 0;
}

[NinoType]
public sealed class FloodedTypes
{
    public int First { get; set; }
    public Dictionary<long, int>? Longs { get; set; }
    public Dictionary<Guid, int>? Guids { get; set; }
    public Dictionary<FloodedEnum, int>? Enums { get; set; }
    public HashSet<DateTime>? Times { get; set; }
    public Dictionary<FloodedStruct, int>? Structs { get; set; }
    public HashSet<FloodedClass>? Records { get; set; }
    public HashSet<long?>? Optional { get; set; }
    public System.Collections.Hashtable? Table { get; set; }
    public System.Collections.IDictionary? Any { get; set; }
    public System.Collections.Specialized.OrderedDictionary? Ordered { get; set; }
}
