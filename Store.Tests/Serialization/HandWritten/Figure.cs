using Store.Serialization;
using Store.Serialization.Codecs;

namespace Store.Tests.Serialization.HandWritten;

/// <summary>A polymorphic base with two cases.</summary>
public abstract class Figure;

public sealed class Dot : Figure
{
    public int X { get; set; }
}

public sealed class Ring : Figure
{
    public string? Name { get; set; }

    public Figure? Inside { get; set; }
}

#nullable disable // as generated code

/// <summary>Null is the tag 0; a case is the hash of its name and its body.</summary>
public readonly struct FigureUnion : INinoCodec<Figure>
{
    private const uint DotTag = 0xB520567E;
    private const uint RingTag = 0xE6BBADC8;

    public static int MinSize => 4;

    public static SchemaNode Describe(SchemaBuilder builder) => builder.Union(typeof(Figure), "Shop.Figure", UnionForm.Hashed, static cases =>
    {
        cases.Add(DotTag, DotCodec.Describe(cases.Builder));
        cases.Add(RingTag, RingCodec.Describe(cases.Builder));
    });

    public void Write(ref NinoWriter writer, in Figure value)
    {
        switch (value)
        {
            case null:
                NinoGenerated.WriteTag(ref writer, 0);
                break;
            case Dot dot:
                NinoGenerated.WriteTag(ref writer, DotTag);
                default(DotCodec).WriteBody(ref writer, in dot);
                break;
            case Ring ring:
                NinoGenerated.WriteTag(ref writer, RingTag);
                default(RingCodec).WriteBody(ref writer, in ring);
                break;
        }
    }

    public Figure Read(ref NinoReader reader)
    {
        uint tag = NinoGenerated.ReadTag(ref reader);
        switch (tag)
        {
            case 0: return null;
            case DotTag: return default(DotCodec).ReadBody(ref reader);
            case RingTag: return default(RingCodec).ReadBody(ref reader);
            default:
                NinoGenerated.ThrowUnknownTag("Shop.Figure", tag.ToString("X8", null), "Dot, Ring");
                return null;
        }
    }
}

public readonly struct DotCodec : INinoCodec<Dot>
{
    public static CodecForm Form => CodecForm.Object;

    public static int MinSize => 1;

    public static int MinBodySize => 4;

    public static int FixedBodySize => 4;

    public static SchemaNode Describe(SchemaBuilder builder) =>
        builder.Object(typeof(Dot), "Shop.Dot", isReference: true, static fields => fields.Add("X", 0, Int32Codec.Describe(fields.Builder)));

    public void Write(ref NinoWriter writer, in Dot value)
    {
        writer.Take(1) = value is null ? (byte)0 : (byte)1;
        if (value is not null) WriteBody(ref writer, in value);
    }

    public Dot Read(ref NinoReader reader) => reader.ReadPresence() ? ReadBody(ref reader) : null;

    public void WriteBody(ref NinoWriter writer, in Dot value) => default(Int32Codec).Write(ref writer, value.X);

    public Dot ReadBody(ref NinoReader reader) => new() { X = default(Int32Codec).Read(ref reader) };

    public void WriteFixedBody(ref byte destination, in Dot value) => default(Int32Codec).WriteFixed(ref destination, value.X);

    public Dot ReadFixedBody(ref readonly byte source) => new() { X = default(Int32Codec).ReadFixed(in source) };
}

/// <summary>Holds its own base: depth is counted in the case, not in the union. Layout: Name, Inside.</summary>
public readonly struct RingCodec : INinoCodec<Ring>
{
    public static CodecForm Form => CodecForm.Object;

    public static int MinSize => 1;

    public static int MinBodySize => 5;

    public static SchemaNode Describe(SchemaBuilder builder) => builder.Object(typeof(Ring), "Shop.Ring", isReference: true, static fields =>
    {
        fields.Add("Name", 0, StringCodec.Describe(fields.Builder));
        fields.Add("Inside", 0, FigureUnion.Describe(fields.Builder));
    });

    public void Write(ref NinoWriter writer, in Ring value)
    {
        writer.Take(1) = value is null ? (byte)0 : (byte)1;
        if (value is not null) WriteBody(ref writer, in value);
    }

    public Ring Read(ref NinoReader reader) => reader.ReadPresence() ? ReadBody(ref reader) : null;

    public void WriteBody(ref NinoWriter writer, in Ring value)
    {
        writer.Enter();
        Ring ring = value;
        default(StringCodec).Write(ref writer, ring.Name);
        default(FigureUnion).Write(ref writer, ring.Inside);
        writer.Leave();
    }

    public Ring ReadBody(ref NinoReader reader)
    {
        reader.Enter();
        string name = default(StringCodec).Read(ref reader);
        Figure inside = default(FigureUnion).Read(ref reader);
        reader.Leave();
        return new Ring { Name = name, Inside = inside };
    }
}
