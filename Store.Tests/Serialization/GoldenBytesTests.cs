using Store.Serialization;

namespace Store.Tests.Serialization;

public sealed class GoldenBytesTests
{
    [Theory]
    [MemberData(nameof(Samples.Names), MemberType = typeof(Samples))]
    public void AValueHasItsGoldenBytes(string name)
    {
        Sample sample = Samples.Get(name);
        Assert.Equal(Convert.ToHexString(sample.Golden), Convert.ToHexString(sample.Encode()));
    }

    [Theory]
    [MemberData(nameof(Samples.Names), MemberType = typeof(Samples))]
    public void GoldenBytesReadBackAsTheValue(string name) => Samples.Get(name).AssertReadsBack();

    [Theory]
    [MemberData(nameof(Samples.Names), MemberType = typeof(Samples))]
    public void ABufferWriterOfTinySpansGetsTheSameBytes(string name)
    {
        Sample sample = Samples.Get(name);
        for (int first = 1; first <= 17; first++)
        {
            var output = new TinySpanWriter(1, 17, first);
            sample.EncodeTo(output);
            Assert.Equal(sample.Golden, output.ToArray());
        }
    }

    [Theory]
    [MemberData(nameof(Samples.Names), MemberType = typeof(Samples))]
    public void TheSchemaAloneWalksOverTheGoldenBytesToTheirEnd(string name)
    {
        Sample sample = Samples.Get(name);
        var reader = new NinoReader(sample.Golden);
        RecordWalker.SkipRecord(ref reader, NinoSchema.Parse(sample.Schema.CanonicalBytes.Span).Root);
        Assert.Equal(0, reader.Remaining);
    }

    [Theory]
    [MemberData(nameof(Samples.Names), MemberType = typeof(Samples))]
    public void AFixedSizeInTheSchemaIsTheSizeOfTheBytes(string name)
    {
        Sample sample = Samples.Get(name);
        if (sample.Schema.FixedRecordSize != 0) Assert.Equal(sample.Golden.Length, sample.Schema.FixedRecordSize);
    }

    [Fact]
    public void EveryKindHasASample()
    {
        HashSet<SchemaKind> seen = [];
        foreach (Sample sample in Samples.All)
        {
            Visit(sample.Schema.Root);
            foreach (ObjectDefinition type in sample.Schema.Definitions.OfType<ObjectDefinition>())
            {
                foreach (SchemaField field in type.Fields) Visit(field.Node);
            }

            foreach (UnionDefinition union in sample.Schema.Definitions.OfType<UnionDefinition>()) Assert.All(union.Cases, one => Visit(one.Node));
        }

        Assert.Equal(Enum.GetValues<SchemaKind>(), seen.Order());

        void Visit(SchemaNode node)
        {
            seen.Add(node.Kind);
            if (node.Key is { } key) Visit(key);
            if (node.Element is { } element) Visit(element);
        }
    }
}
