// A record as generated code treats it, written by hand: fixed-width members first, at constant offsets behind one Take, then the others in order.

using System.Runtime.CompilerServices;
using Store.Serialization;
using Store.Serialization.Codecs;

namespace Store.Tests.Serialization.HandWritten;

public enum Side : byte
{
    Buy = 1,
    Sell = 2,
}

public sealed record Quote(int Id, string? Symbol, decimal Price, DateTime At, Side Side, List<string?>? Tags, Point? Place, Dictionary<string, int>? Counts);

#nullable disable // as generated code: codecs do not distinguish string from string?

/// <summary>
/// Layout of a body: Id 4, Price 16, At 8, Side 1, Place 1 + 13 = 43 bytes; then Symbol, Tags, Counts.
/// </summary>
public readonly struct QuoteCodec : INinoCodec<Quote>
{
    private const int FixedPart = 4 + 16 + 8 + 1 + 14;

    public static CodecForm Form => CodecForm.Object;

    public static int MinSize => 1;

    public static int MinBodySize => FixedPart + 3;

    public static SchemaNode Describe(SchemaBuilder builder) => builder.Object(typeof(Quote), "Store.Tests.Serialization.HandWritten.Quote", isReference: true, static fields =>
    {
        fields.Add("Id", 0, Int32Codec.Describe(fields.Builder));
        fields.Add("Price", 0, DecimalCodec.Describe(fields.Builder));
        fields.Add("At", 0, DateTimeCodec.Describe(fields.Builder));
        fields.Add("Side", 0, EnumCodec<Side>.Describe(fields.Builder));
        fields.Add("Place", 0, NullableCodec<Point, PointCodec>.Describe(fields.Builder));
        fields.Add("Symbol", 0, StringCodec.Describe(fields.Builder));
        fields.Add("Tags", 0, ListCodec<string, StringCodec>.Describe(fields.Builder));
        fields.Add("Counts", 0, DictionaryCodec<string, int, StringCodec, Int32Codec>.Describe(fields.Builder));
    });

    public void Write(ref NinoWriter writer, in Quote value)
    {
        if (value is null)
        {
            writer.Take(1) = 0;
            return;
        }

        writer.Take(1) = 1;
        WriteBody(ref writer, in value);
    }

    public Quote Read(ref NinoReader reader) => reader.ReadPresence() ? ReadBody(ref reader) : null;

    public void WriteBody(ref NinoWriter writer, in Quote value)
    {
        Quote quote = value;
        ref byte start = ref writer.Take(FixedPart);
        default(Int32Codec).WriteFixed(ref start, quote.Id);
        default(DecimalCodec).WriteFixed(ref Unsafe.Add(ref start, 4), quote.Price);
        default(DateTimeCodec).WriteFixed(ref Unsafe.Add(ref start, 20), quote.At);
        default(EnumCodec<Side>).WriteFixed(ref Unsafe.Add(ref start, 28), quote.Side);
        default(NullableCodec<Point, PointCodec>).WriteFixed(ref Unsafe.Add(ref start, 29), quote.Place);
        default(StringCodec).Write(ref writer, quote.Symbol);
        default(ListCodec<string, StringCodec>).Write(ref writer, quote.Tags);
        default(DictionaryCodec<string, int, StringCodec, Int32Codec>).Write(ref writer, quote.Counts);
    }

    public Quote ReadBody(ref NinoReader reader)
    {
        ref byte start = ref Unsafe.AsRef(in reader.Take(FixedPart));
        int id = default(Int32Codec).ReadFixed(in start);
        decimal price = default(DecimalCodec).ReadFixed(in Unsafe.Add(ref start, 4));
        DateTime at = default(DateTimeCodec).ReadFixed(in Unsafe.Add(ref start, 20));
        Side side = default(EnumCodec<Side>).ReadFixed(in Unsafe.Add(ref start, 28));
        Point? place = default(NullableCodec<Point, PointCodec>).ReadFixed(in Unsafe.Add(ref start, 29));
        string symbol = default(StringCodec).Read(ref reader);
        List<string> tags = default(ListCodec<string, StringCodec>).Read(ref reader);
        Dictionary<string, int> counts = default(DictionaryCodec<string, int, StringCodec, Int32Codec>).Read(ref reader);
        return new Quote(id, symbol, price, at, side, tags, place, counts);
    }
}
