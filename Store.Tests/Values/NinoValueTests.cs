using Store.Serialization;
using static Store.Tests.Values.Shapes;

namespace Store.Tests.Values;

public sealed class NinoValueTests
{
    private static RecordBytes Bytes => new();

    private static NinoValue One(SchemaNode node, RecordBytes record) => NinoValue.Decode(Schema(node), (byte[])record)["X"];

    [Fact]
    public void EveryKindIsReadBack()
    {
        Assert.True(One(Of(SchemaKind.Boolean), Bytes.Raw(1)).AsBoolean());
        Assert.Equal(-5, One(Of(SchemaKind.SByte), Bytes.Number(-5, 1)).AsInt64());
        Assert.Equal(250, One(Of(SchemaKind.Byte), Bytes.Raw(250)).AsInt64());
        Assert.Equal(short.MinValue, One(Of(SchemaKind.Int16), Bytes.Int16(short.MinValue)).AsInt64());
        Assert.Equal(ushort.MaxValue, One(Of(SchemaKind.UInt16), Bytes.Int16(-1)).AsInt64());
        Assert.Equal(int.MinValue, One(Of(SchemaKind.Int32), Bytes.Int32(int.MinValue)).AsInt64());
        Assert.Equal(uint.MaxValue, One(Of(SchemaKind.UInt32), Bytes.Int32(-1)).AsInt64());
        Assert.Equal(long.MinValue, One(Of(SchemaKind.Int64), Bytes.Int64(long.MinValue)).AsInt64());
        Assert.Equal(ulong.MaxValue, One(Of(SchemaKind.UInt64), Bytes.Int64(-1)).AsUInt64());
        Assert.Equal(Int128.MinValue, One(Of(SchemaKind.Int128), Bytes.Int128(Int128.MinValue)).AsInt128());
        Assert.Equal(UInt128.MaxValue, One(Of(SchemaKind.UInt128), Bytes.Int128(-1)).AsUInt128());
        Assert.Equal(1.5, One(Of(SchemaKind.Half), Bytes.Int16(BitConverter.HalfToInt16Bits((Half)1.5))).AsDouble());
        Assert.Equal(0.1f, One(Of(SchemaKind.Single), Bytes.Int32(BitConverter.SingleToInt32Bits(0.1f))).AsDouble());
        Assert.Equal(double.NaN, One(Of(SchemaKind.Double), Bytes.Int64(BitConverter.DoubleToInt64Bits(double.NaN))).AsDouble());
        Assert.Equal("-7.50", One(Of(SchemaKind.Decimal), Bytes.Decimal(-7.50m)).AsDecimal().ToString(System.Globalization.CultureInfo.InvariantCulture));
        Assert.Equal("\uD800", One(Of(SchemaKind.Char), Bytes.Int16(unchecked((short)0xD800))).AsString());
        Assert.Equal("😀", One(Of(SchemaKind.Rune), Bytes.Int32(0x1F600)).AsString());
        var guid = Guid.NewGuid();
        Assert.Equal(guid, One(Of(SchemaKind.Guid), Bytes.Guid(guid)).AsGuid());
        foreach (DateTimeKind kind in System.Enum.GetValues<DateTimeKind>())
        {
            var time = new DateTime(2026, 11, 21, 1, 2, 3, kind);
            DateTime read = One(Of(SchemaKind.DateTime), Bytes.DateTime(time)).AsDateTime();
            Assert.Equal((time, kind), (read, read.Kind));
        }

        long first = (3L << 62) | new DateTime(2026, 10, 25, 2, 30, 0).Ticks;
        Assert.Equal(first, System.Runtime.CompilerServices.Unsafe.BitCast<DateTime, long>(One(Of(SchemaKind.DateTime), Bytes.Int64(first)).AsDateTime()));
        var offset = new DateTimeOffset(2026, 11, 21, 1, 2, 3, TimeSpan.FromMinutes(-210));
        Assert.True(offset.EqualsExact(One(Of(SchemaKind.DateTimeOffset), Bytes.DateTimeOffset(offset)).AsDateTimeOffset()));
        Assert.Equal(TimeSpan.MinValue, One(Of(SchemaKind.TimeSpan), Bytes.Int64(long.MinValue)).AsTimeSpan());
        Assert.Equal(DateOnly.MaxValue, One(Of(SchemaKind.DateOnly), Bytes.Int32(DateOnly.MaxValue.DayNumber)).AsDateOnly());
        Assert.Equal(TimeOnly.MaxValue, One(Of(SchemaKind.TimeOnly), Bytes.Int64(TimeOnly.MaxValue.Ticks)).AsTimeOnly());
        Assert.Equal("a\uD800", One(Of(SchemaKind.String), Bytes.Text("a\uD800")).AsString());
        Assert.Null(One(Of(SchemaKind.String), Bytes.Null()).AsString());
    }

    [Fact]
    public void TreesHaveFieldsItemsAndPairs()
    {
        SchemaNode line = Class("Line", ("Name", Of(SchemaKind.String)), ("N", SchemaNode.Nullable(Of(SchemaKind.Int32))));
        NinoSchema schema = NinoSchema.Create(Class("Order", ("Lines", SchemaNode.List(line)), ("Map", SchemaNode.Map(Of(SchemaKind.Int32), line)), ("Data", SchemaNode.List(Of(SchemaKind.Byte)))));
        byte[] record = Bytes.ObjectCount(2, hasNulls: true).Raw(1).Text("a").Raw(0).Int32(0).Raw(0).Count(1).Int32(5).Raw(1).Text("b").Raw(1).Int32(9).Count(2).Raw(7, 8);
        NinoValue order = NinoValue.Decode(schema, record);

        Assert.Equal((SchemaKind.Object, "Order", 3), (order.Kind, order.TypeName, order.Fields.Count));
        Assert.Equal(["Lines", "Map", "Data"], order.Fields.Select(f => f.Name));
        IReadOnlyList<NinoValue> lines = order["Lines"].Items;
        Assert.Equal(2, lines.Count);
        Assert.Equal("a", lines[0]["Name"].AsString());
        Assert.Equal((true, SchemaKind.Int32), (lines[0]["N"].IsNull, lines[0]["N"].Kind));
        Assert.Equal((true, "Line"), (lines[1].IsNull, lines[1].TypeName));
        (NinoValue key, NinoValue value) = Assert.Single(order["Map"].Pairs);
        Assert.Equal((5L, 9L), (key.AsInt64(), value["N"].AsInt64()));
        Assert.Equal([7, 8], order["Data"].AsBytes().ToArray());
        Assert.Equal([7L, 8L], order["Data"].Items.Select(i => i.AsInt64()));
        Assert.False(order.TryGetField("Missing", out _));
        Assert.Throws<KeyNotFoundException>(() => order["Missing"]);
        Assert.Equal("Order, 3 fields", order.ToString());
    }

    [Fact]
    public void AskingForAnotherKindSaysWhatTheValueIs()
    {
        NinoValue text = One(Of(SchemaKind.String), Bytes.Text("t"));
        Assert.Contains("String", Assert.Throws<InvalidOperationException>(() => text.AsInt64()).Message, StringComparison.Ordinal);
        Assert.Throws<InvalidOperationException>(() => text.AsGuid());
        NinoValue absent = One(SchemaNode.Nullable(Of(SchemaKind.Int32)), Bytes.Raw(0).Int32(0));
        Assert.Contains("null", Assert.Throws<InvalidOperationException>(() => absent.AsInt64()).Message, StringComparison.Ordinal);
        Assert.Throws<OverflowException>(() => One(Of(SchemaKind.UInt64), Bytes.Int64(-1)).AsInt64());
        Assert.Throws<OverflowException>(() => One(Of(SchemaKind.Int32), Bytes.Int32(-1)).AsUInt64());
        Assert.Throws<InvalidOperationException>(() => default(NinoValue).AsBoolean());
        Assert.True(default(NinoValue).IsNull);
    }

    [Theory]
    [InlineData(-1L, "-1")]
    [InlineData(1L, "Red")]
    [InlineData(3L, "Red, Green")]
    public void TextOfEnumsIsTheirName(long number, string text) =>
        Assert.Equal(text, One(Enum(SchemaKind.Int16, isFlags: true, ("Red", 1), ("Green", 2)), Bytes.Number(number, 2)).ToString());

    // 32 bytes a value and 24 an array, and what the list of finished values takes while it grows: a megabyte of such a record becomes 2 GB, and no more (docs/types.md).
    [Fact]
    public void AByteOfARecordBecomesNoMoreThanItsThirtyTwoStructsOfOneFieldEach()
    {
        const int Count = 20_000, Structs = 32, BytesAValue = 32, BytesAnArray = 24;
        SchemaNode node = Of(SchemaKind.Byte);
        for (int i = 0; i < Structs; i++) node = Struct($"S{i}", ("X", node));
        NinoSchema schema = Schema(SchemaNode.List(node));
        byte[] record = Bytes.Count(Count).Raw(new byte[Count]);
        NinoValue.Decode(schema, record);
        long before = GC.GetAllocatedBytesForCurrentThread();
        NinoValue value = NinoValue.Decode(schema, record)["X"];
        long allocated = GC.GetAllocatedBytesForCurrentThread() - before;
        Assert.Equal(Count, value.Items.Count);
        const long Tree = (long)Count * (Structs * (BytesAValue + BytesAnArray) + BytesAValue);
        Assert.InRange(allocated, Tree, Tree + (4L * Count * BytesAValue) + 10_000);
        Assert.InRange(allocated / record.Length, 0, 2048);
    }

    [Fact]
    public void TextOfScalarsIsTheSameOnEveryMachine()
    {
        Assert.Equal("18446744073709551615", One(Of(SchemaKind.UInt64), Bytes.Int64(-1)).ToString());
        Assert.Equal("10.50", One(Of(SchemaKind.Decimal), Bytes.Decimal(10.50m)).ToString());
        Assert.Equal("true", One(Of(SchemaKind.Boolean), Bytes.Raw(1)).ToString());
        Assert.Equal("2026-11-21T00:00:00.0000000", One(Of(SchemaKind.DateTime), Bytes.DateTime(new DateTime(2026, 11, 21, 0, 0, 0, DateTimeKind.Local))).ToString());
        Assert.Equal("null", One(Of(SchemaKind.String), Bytes.Null()).ToString());
        Assert.Equal("2 bytes", One(SchemaNode.List(Of(SchemaKind.Byte)), Bytes.Count(2).Raw(1, 2)).ToString());
    }
}
