// F# has lists that may be absent, `int list option`, beside lists, which in .NET may be null: a presence byte in front of the list's count. Made of a single value, or made a single value, that byte counts too.

using System.Buffers;
using Shop.FSharp;
using Store.Serialization;

namespace Store.Tests.FSharp;

public class OptionalListTests
{
    /// <summary>As <see cref="Row"/>, whose value is an `int list option`.</summary>
    private static readonly NinoSchema WithList = NinoSchema.Parse(Convert.FromHexString("0101600F53686F702E4653686172702E526F77010205" + "56616C7565" + "00505106" + "034B6579" + "0040" + "6000"));

    [Theory]
    [InlineData("000376", null)]
    [InlineData("01000376", null)]
    [InlineData("01010376", null)]
    [InlineData("0102050000000376", 5)]
    public void AListThatMayBeAbsentIsReadAsTheOneValueThatItHas(string record, int? expected)
    {
        Row row = NinoCodec<Row>.Default.Decode(Convert.FromHexString(record), WithList);
        Assert.Equal("v", row.Key);
        Assert.Equal(expected, row.Value?.Value);
    }

    [Theory]
    [InlineData("0202050000000376")]
    [InlineData("020000000000")]
    [InlineData("01030500000006000000" + "0376")]
    public void WhatIsNoSuchListIsRefused(string record) => Assert.Throws<NinoSerializationException>(() => NinoCodec<Row>.Default.Decode(Convert.FromHexString(record), WithList));

    [Theory]
    [InlineData(null)]
    [InlineData(7)]
    public void AValueBecomesTheOnlyOneOfAListThatMayBeAbsent(int? value)
    {
        var row = new Row { Key = "v", Value = value is { } some ? Microsoft.FSharp.Core.FSharpOption<int>.Some(some) : null };
        var mapped = new ArrayBufferWriter<byte>();
        NinoRecordMapper.Create(NinoCodec<Row>.Default.Schema, WithList).Map(NinoSerializer.Serialize(row), mapped);
        NinoValue made = NinoValue.Decode(WithList, mapped.WrittenSpan.ToArray());
        Assert.Equal(value is null, made["Value"].IsNull);
        if (value is not null) Assert.Equal(7, Assert.Single(made["Value"].Items).AsInt64());
        Row back = NinoCodec<Row>.Default.Decode(mapped.WrittenSpan, WithList);
        Assert.Equal((row.Key, value), (back.Key, back.Value?.Value));
    }
}
