using Store.Serialization;
using Store.Serialization.Codecs;

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

    // Codecs that have no row of their own, and why.
    private static readonly Dictionary<Type, string> WithoutSample = new()
    {
        [typeof(MergedUnion<>)] = "put together at run time of the codecs that several assemblies registered: MergedUnionDamageTests compile some",
        [typeof(OptionBoxCodec<,>)] = "made by BoxedOptionCodec and by nobody else",
    };

    [Fact]
    public void EveryCodecAndFormHasASample()
    {
        HashSet<Type> seen = [];
        foreach (Sample sample in Samples.All) Visit(sample.CodecType);
        Type[] all = [.. typeof(StringCodec).Assembly.GetTypes().Where(static type => type is { IsValueType: true, IsNested: false } && type.Namespace == typeof(StringCodec).Namespace && type.GetInterfaces().Any(IsOfACodec))];
        Assert.True(all.Length > 120, $"{all.Length} codecs and forms");
        Assert.Empty(all.Where(type => !seen.Contains(type) && !WithoutSample.ContainsKey(type)).Select(static type => type.Name).Order());
        Assert.Empty(WithoutSample.Keys.Where(type => seen.Contains(type) || !all.Contains(type)).Select(static type => type.Name).Order());

        void Visit(Type type)
        {
            seen.Add(type.IsGenericType ? type.GetGenericTypeDefinition() : type);
            foreach (Type argument in type.GetGenericArguments()) Visit(argument);
        }

        // A codec, or what one is put together of: IMapForm, ITextForm, IComponentsShape.
        static bool IsOfACodec(Type one) =>
            one.Assembly == typeof(StringCodec).Assembly && one.IsGenericType && (one.GetGenericTypeDefinition() == typeof(INinoCodec<>) || one.Name.Split('`')[0] is var name && (name.EndsWith("Form", StringComparison.Ordinal) || name.EndsWith("Shape", StringComparison.Ordinal)));
    }
}
