using System.Numerics;
using Store.Serialization;
using Store.Tests.Values;

namespace Store.Tests.Evolution;

/// <summary>Every pair of scalar kinds, as the table of docs/evolution.md says: in a member, a nullable, a list, a key and a value.</summary>
public class ScalarTableTests
{
    private static readonly SchemaKind[] Kinds = [.. Enum.GetValues<SchemaKind>().Where(static kind => kind <= SchemaKind.String)];

    private static readonly HashSet<(SchemaKind, SchemaKind)> Allowed = [.. Kinds.Select(static kind => (kind, kind)), .. EvolutionPage.Table("Scalars").Skip(1).SelectMany(static row => Expand(row[0]).SelectMany(from => Expand(row[1]).Select(to => (from, to))))];

    public static TheoryData<SchemaKind> Stored => [.. Kinds];

    [Theory]
    [MemberData(nameof(Stored))]
    public void APairIsMappedExactlyWhenTheTableHasIt(SchemaKind stored)
    {
        foreach (SchemaKind own in Kinds)
        {
            foreach (Func<SchemaNode, SchemaNode> place in Places(stored, own))
            {
                NinoSchema from = Shapes.Schema(place(Shapes.Of(stored))), to = Shapes.Schema(place(Shapes.Of(own)));
                if (!Allowed.Contains((stored, own)))
                {
                    string message = Assert.Throws<NinoSchemaMismatchException>(() => NinoRecordMapper.Create(from, to)).Message;
                    Assert.Contains(stored.ToString(), message, StringComparison.Ordinal);
                    Assert.Contains(own.ToString(), message, StringComparison.Ordinal);
                    continue;
                }

                NinoRecordMapper mapper = NinoRecordMapper.Create(from, to);
                foreach (byte[] value in Values(stored)) AssertAgrees(mapper, Record(place(Shapes.Of(stored)), value));
            }
        }
    }

    [Theory]
    [InlineData(SchemaKind.Byte, SchemaKind.Int64)]
    [InlineData(SchemaKind.Int64, SchemaKind.SByte)]
    [InlineData(SchemaKind.UInt64, SchemaKind.Int64)]
    public void AnEnumIsItsNumber(SchemaKind stored, SchemaKind own)
    {
        SchemaNode storedEnum = Shapes.Enum("Old", stored, false, [("A", 1)]), ownEnum = Shapes.Enum("New", own, true, []);
        foreach ((SchemaNode from, SchemaNode to) in new[] { (storedEnum, ownEnum), (storedEnum, Shapes.Of(own)), (Shapes.Of(stored), ownEnum) })
        {
            NinoRecordMapper mapper = NinoRecordMapper.Create(Shapes.Schema(from), Shapes.Schema(to));
            foreach (byte[] value in Values(stored)) AssertAgrees(mapper, value);
        }
    }

    [Theory]
    [InlineData(SchemaKind.Int32, SchemaKind.Int64)]
    [InlineData(SchemaKind.Byte, SchemaKind.Int32)]
    [InlineData(SchemaKind.Int16, SchemaKind.Int64)]
    [InlineData(SchemaKind.UInt16, SchemaKind.UInt32)]
    [InlineData(SchemaKind.UInt32, SchemaKind.UInt64)]
    [InlineData(SchemaKind.Single, SchemaKind.Double)]
    [InlineData(SchemaKind.Int32, SchemaKind.Double)]
    [InlineData(SchemaKind.Int64, SchemaKind.Decimal)]
    [InlineData(SchemaKind.Half, SchemaKind.Single)]
    public void LongListsAreWidenedElementByElement(SchemaKind stored, SchemaKind own)
    {
        NinoRecordMapper mapper = NinoRecordMapper.Create(Shapes.Schema(SchemaNode.List(Shapes.Of(stored))), Shapes.Schema(SchemaNode.List(Shapes.Of(own))));
        var bytes = new RecordBytes().Count(5000);
        var random = new Random(1);
        int width = SchemaNode.Primitive(stored).FixedSize;
        for (int i = 0; i < 5000; i++)
        {
            byte[] value = new byte[width];
            random.NextBytes(value);
            bytes.Raw(value);
        }

        AssertAgrees(mapper, bytes);
    }

    /// <summary>Two that differ stay two, one by one and in a list: what a cast makes of them is the same.</summary>
    [Theory]
    [InlineData(SchemaKind.Half, SchemaKind.Single)]
    [InlineData(SchemaKind.Half, SchemaKind.Double)]
    [InlineData(SchemaKind.Single, SchemaKind.Double)]
    public void WhatIsNoNumberKeepsItsBits(SchemaKind stored, SchemaKind own)
    {
        int width = SchemaNode.Primitive(stored).FixedSize, ownWidth = SchemaNode.Primitive(own).FixedSize;
        (int mantissa, int ownMantissa) = (MantissaBits(stored), MantissaBits(own));
        ulong[] payloads = [1, 1UL << (mantissa - 2), (1UL << (mantissa - 1)) | 1, (1UL << mantissa) - 1];
        NinoRecordMapper one = NinoRecordMapper.Create(Shapes.Schema(Shapes.Of(stored)), Shapes.Schema(Shapes.Of(own)));
        NinoRecordMapper many = NinoRecordMapper.Create(Shapes.Schema(SchemaNode.List(Shapes.Of(stored))), Shapes.Schema(SchemaNode.List(Shapes.Of(own))));
        RecordBytes list = new RecordBytes().Count(payloads.Length * 2), expected = new RecordBytes().Count(payloads.Length * 2);
        foreach (ulong sign in new[] { 0UL, 1UL })
        {
            foreach (ulong payload in payloads)
            {
                byte[] value = Bits(sign, payload, mantissa, width), wide = Bits(sign, payload << (ownMantissa - mantissa), ownMantissa, ownWidth);
                Assert.Equal(wide, MappingTests.Map(one, value));
                list.Raw(value);
                expected.Raw(wide);
            }
        }

        Assert.Equal((byte[])expected, MappingTests.Map(many, (byte[])list));

        static int MantissaBits(SchemaKind kind) => kind switch { SchemaKind.Half => 10, SchemaKind.Single => 23, _ => 52 };

        // All bits of the exponent are set.
        static byte[] Bits(ulong sign, ulong payload, int mantissa, int width) =>
            BitConverter.GetBytes((sign << ((width * 8) - 1)) | ((1UL << ((width * 8) - 1)) - (1UL << mantissa)) | payload)[..width];
    }

    private static IEnumerable<Func<SchemaNode, SchemaNode>> Places(SchemaKind stored, SchemaKind own)
    {
        yield return static node => node;
        yield return SchemaNode.List;
        yield return static node => SchemaNode.Map(node, node);
        if (stored == SchemaKind.String || own == SchemaKind.String) yield break;
        yield return SchemaNode.Nullable;
        yield return static node => SchemaNode.List(SchemaNode.Nullable(node));
    }

    private static byte[] Record(SchemaNode node, byte[] value) => node.Kind switch
    {
        SchemaKind.List => new RecordBytes().Count(1).Raw(Record(node.Element!, value)),
        SchemaKind.Map => new RecordBytes().Count(1).Raw(value).Raw(value),
        SchemaKind.Nullable => new RecordBytes().Raw(1).Raw(value),
        _ => value,
    };

    private static IEnumerable<byte[]> Values(SchemaKind kind)
    {
        if (kind is >= SchemaKind.SByte and <= SchemaKind.UInt128)
        {
            int width = SchemaNode.Primitive(kind).FixedSize;
            foreach (int bits in new[] { 0, 7, 8, 15, 16, 31, 32, 63, 64, 96, 127 }.Where(bits => bits < width * 8))
            {
                foreach (BigInteger number in new[] { BigInteger.One << bits, (BigInteger.One << bits) - 1, -(BigInteger.One << bits), -(BigInteger.One << bits) - 1 })
                {
                    byte[] bytes = new byte[width];
                    BigInteger cut = number & ((BigInteger.One << (width * 8)) - 1);
                    cut.ToByteArray(isUnsigned: true).CopyTo(bytes, 0);
                    yield return bytes;
                }
            }

            yield break;
        }

        switch (kind)
        {
            case SchemaKind.Boolean: yield return [0]; yield return [1]; break;
            case SchemaKind.Half: foreach (Half value in new[] { Half.MaxValue, Half.Epsilon, Half.NegativeInfinity, Half.NaN, (Half)(-0.0) }) yield return BitConverter.GetBytes(value); break;
            case SchemaKind.Single: foreach (float value in new[] { float.MaxValue, float.Epsilon, float.NegativeInfinity, float.NaN, 0.1f }) yield return BitConverter.GetBytes(value); break;
            case SchemaKind.Double: yield return BitConverter.GetBytes(double.Pi); break;
            case SchemaKind.Decimal: yield return new RecordBytes().Decimal(-1.50m); break;
            case SchemaKind.Char: foreach (char c in "a\u20AC\uD800\0") yield return BitConverter.GetBytes(c); break;
            case SchemaKind.Rune: foreach (int rune in new[] { 0, 0x61, 0x20AC, 0x10FFFF }) yield return BitConverter.GetBytes(rune); break;
            case SchemaKind.DateOnly: yield return new byte[4]; yield return BitConverter.GetBytes(DateOnly.MaxValue.DayNumber); break;
            case SchemaKind.TimeOnly: yield return new byte[8]; yield return BitConverter.GetBytes(TimeOnly.MaxValue.Ticks); break;
            case SchemaKind.BigInteger: yield return [1, 0]; yield return [2, 0xFF, 0x7F]; break;
            case SchemaKind.String: yield return new RecordBytes().Text(null); yield return new RecordBytes().Text("aé€"); break;
            default: yield return new byte[SchemaNode.Primitive(kind).FixedSize]; break;
        }
    }

    private static IEnumerable<SchemaKind> Expand(string words) => words.Split(", ").SelectMany(static word =>
        word == "integer" ? Kinds.Where(static kind => kind is >= SchemaKind.SByte and <= SchemaKind.UInt128) : [Enum.Parse<SchemaKind>(word)]);

    private static void AssertAgrees(NinoRecordMapper mapper, byte[] record)
    {
        string? expected = null, actual = null;
        try
        {
            expected = MapModel.Map(NinoValue.Decode(mapper.Stored, record), mapper.Stored.Root, mapper.Own.Root);
        }
        catch (DoesNotFitException)
        {
            Assert.Throws<NinoSerializationException>(() => MappingTests.Map(mapper, record));
            return;
        }

        actual = MapModel.Text(NinoValue.Decode(mapper.Own, MappingTests.Map(mapper, record)), mapper.Own.Root);
        Assert.Equal(expected, actual);
    }
}
