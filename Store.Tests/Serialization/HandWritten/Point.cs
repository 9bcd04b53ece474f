using System.Runtime.CompilerServices;
using Store.Serialization;
using Store.Serialization.Codecs;

namespace Store.Tests.Serialization.HandWritten;

/// <summary>In memory 16 bytes with three of padding; stored packed.</summary>
public record struct Point(double X, float Y, bool Known);

/// <summary>A struct whose fields are all fixed-width is fixed-width itself. Layout: X 8, Y 4, Known 1.</summary>
public readonly struct PointCodec : INinoCodec<Point>
{
    public static CodecForm Form => CodecForm.Fixed;

    public static int FixedSize => 13;

    public static int MinSize => 13;

    public static SchemaNode Describe(SchemaBuilder builder) => builder.Object(typeof(Point), "Store.Tests.Serialization.HandWritten.Point", isReference: false, static fields =>
    {
        fields.Add("X", 0, DoubleCodec.Describe(fields.Builder));
        fields.Add("Y", 0, SingleCodec.Describe(fields.Builder));
        fields.Add("Known", 0, BooleanCodec.Describe(fields.Builder));
    });

    public void WriteFixed(ref byte destination, in Point value)
    {
        default(DoubleCodec).WriteFixed(ref destination, value.X);
        default(SingleCodec).WriteFixed(ref Unsafe.Add(ref destination, 8), value.Y);
        default(BooleanCodec).WriteFixed(ref Unsafe.Add(ref destination, 12), value.Known);
    }

    public Point ReadFixed(ref readonly byte source)
    {
        ref byte start = ref Unsafe.AsRef(in source);
        return new Point(
            default(DoubleCodec).ReadFixed(in start),
            default(SingleCodec).ReadFixed(in Unsafe.Add(ref start, 8)),
            default(BooleanCodec).ReadFixed(in Unsafe.Add(ref start, 12)));
    }

    public void Write(ref NinoWriter writer, in Point value) => WriteFixed(ref writer.Take(13), in value);

    public Point Read(ref NinoReader reader) => ReadFixed(in reader.Take(13));
}

/// <summary>A struct with a field of variable width.</summary>
public record struct Label(int Number, string? Text);

/// <summary>A struct that is not fixed-width has the value form: no presence byte. Layout: Number 4, then Text.</summary>
public readonly struct LabelCodec : INinoCodec<Label>
{
    public static int MinSize => 5;

    public static SchemaNode Describe(SchemaBuilder builder) => builder.Object(typeof(Label), "Store.Tests.Serialization.HandWritten.Label", isReference: false, static fields =>
    {
        fields.Add("Number", 0, Int32Codec.Describe(fields.Builder));
        fields.Add("Text", 0, StringCodec.Describe(fields.Builder));
    });

    public void Write(ref NinoWriter writer, in Label value)
    {
        default(Int32Codec).WriteFixed(ref writer.Take(4), value.Number);
        default(StringCodec).Write(ref writer, value.Text!);
    }

    public Label Read(ref NinoReader reader)
    {
        int number = default(Int32Codec).ReadFixed(in reader.Take(4));
        string? text = default(StringCodec).Read(ref reader);
        return new Label(number, text);
    }
}
