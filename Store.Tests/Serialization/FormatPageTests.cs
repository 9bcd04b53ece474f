using System.Globalization;
using Store.Serialization;
using Store.Serialization.Codecs;
using Store.Tests.Serialization.HandWritten;

namespace Store.Tests.Serialization;

/// <summary>Holds docs/formats/record.md against the code.</summary>
public sealed class FormatPageTests
{
    private const string Page = "docs/formats/record.md";

    [Fact]
    public void TheKindsOfThePageAreTheKindsOfTheCode()
    {
        (int, string)[] page = [.. KindRows().Select(static row => (int.Parse(row[0], CultureInfo.InvariantCulture), row[1]))];
        Assert.Equal(Enum.GetValues<SchemaKind>().Select(static kind => ((int)kind, kind.ToString())), page);
    }

    [Fact]
    public void TheWidthsOfThePageAreTheWidthsOfTheCode()
    {
        foreach (string[] row in KindRows())
        {
            var kind = (SchemaKind)int.Parse(row[0], CultureInfo.InvariantCulture);
            if (kind >= SchemaKind.Nullable) continue;
            int width = row[2] == "varies" ? 0 : int.Parse(row[2], CultureInfo.InvariantCulture);
            Assert.Equal(width, NinoSchema.Create(SchemaNode.Primitive(kind)).FixedRecordSize);
        }
    }

    [Fact]
    public void TheExampleRecordOfThePageReadsAsThePageSays()
    {
        byte[] bytes = Repository.HexBytes(Page, "## Example");
        var expected = new Quote(7, "ABC", 10.5m, new DateTime(1, DateTimeKind.Utc), Side.Sell, ["x", null], new Point(1, 2, true), new() { ["k"] = 9 });
        Assert.Equivalent(expected, NinoSerializer.Deserialize<Quote>(bytes), strict: true);
        Assert.Equal(bytes, NinoSerializer.Serialize(expected));
    }

    [Fact]
    public void TheExampleUnionOfThePageReadsAsThePageSays()
    {
        byte[] bytes = Repository.HexBytes(Page, "## Example of a union");
        var codec = new CodecAdapter<List<Figure>, ListCodec<Figure, FigureUnion>>();
        List<Figure?> expected = [new Dot { X = 1 }, null, new Ring { Name = "r", Inside = new Dot { X = 2 } }];
        Assert.Equivalent(expected, codec.Decode(bytes), strict: true);
    }

    [Fact]
    public void TheExampleSchemaOfThePageIsTheOneThePageDescribes()
    {
        byte[] bytes = Repository.HexBytes(Page, "## Example of a schema");
        NinoSchema described = NinoSchema.Create(new SchemaBuilder().Object(typeof(Quote), "Shop.Item", isReference: true, static fields =>
        {
            fields.Add("Id", 0, SchemaNode.Primitive(SchemaKind.Int32));
            fields.Add("Color", 0, fields.Builder.Enum(typeof(Side), "Shop.Color", SchemaKind.Byte, isFlags: false, [new EnumMember("Red", 1)]));
            fields.Add("Name", 0, SchemaNode.Primitive(SchemaKind.String));
        }));
        Assert.Equal(Convert.ToHexString(bytes), Convert.ToHexString(described.CanonicalBytes.Span));
        Assert.Equal(described.Fingerprint, NinoSchema.Parse(bytes).Fingerprint);
        Assert.Contains($"fingerprint `{described.Fingerprint:X16}`", Repository.Read(Page));
    }

    private static IEnumerable<string[]> KindRows() =>
        Repository.TableRows(Page).SkipWhile(static row => row.Length < 4 || row[0] != "number").Skip(2).TakeWhile(static row => row.Length == 4);
}
