using System.Buffers;
using Store.Serialization;
using Store.Tests.Generator.Polymorphism;
using Store.Tests.Generator.RoundTrips;

namespace Store.Tests.Serialization;

/// <summary>Values whose type is known at run time only.</summary>
public sealed class UntypedTests
{
    private static readonly object Circle = new Circle("c", 2);

    [Fact]
    public void AnObjectIsWrittenAsItsOwnType()
    {
        Assert.Equal(NinoSerializer.Serialize(new Circle("c", 2)), NinoSerializer.Serialize(Circle));
        Assert.Equal(Circle, NinoSerializer.Deserialize(typeof(Circle), NinoSerializer.Serialize(Circle)));
        object number = 5;
        Assert.Equal([5, 0, 0, 0], NinoSerializer.Serialize(number));
        Assert.Equal(number, NinoSerializer.Deserialize(typeof(int), (byte[])[5, 0, 0, 0]));
        Assert.Equal(new[] { 1, 2 }, NinoSerializer.Deserialize(typeof(int[]), NinoSerializer.Serialize((object)new[] { 1, 2 })));
        Assert.Equal(new List<Money> { new(1, 2) }, NinoSerializer.Deserialize(typeof(List<Money>), NinoSerializer.Serialize((object)new List<Money> { new(1, 2) })));
    }

    [Fact]
    public void AnObjectIsWrittenAsABaseThatIsNamed()
    {
        byte[] bytes = NinoSerializer.Serialize(Circle, typeof(Shape));
        Assert.Equal(NinoSerializer.Serialize<Shape>(new Circle("c", 2)), bytes);
        Assert.Equal(Circle, NinoSerializer.Deserialize(typeof(Shape), bytes));
    }

    [Theory]
    [InlineData(NinoHeader.None)]
    [InlineData(NinoHeader.Fingerprint)]
    [InlineData(NinoHeader.Schema)]
    public void EveryShapeOfInputAndOutputGivesTheSameBytes(NinoHeader header)
    {
        byte[] bytes = NinoSerializer.Serialize(Circle, typeof(Shape), header);
        Assert.Equal(NinoSerializer.Serialize<Shape>(new Circle("c", 2), header), bytes);
        var output = new ArrayBufferWriter<byte>();
        Assert.Equal(bytes.Length, NinoSerializer.Serialize(output, Circle, typeof(Shape), header));
        Assert.Equal(bytes, output.WrittenSpan.ToArray());
        using var stream = new MemoryStream();
        Assert.Equal(bytes.Length, NinoSerializer.Serialize(stream, Circle, typeof(Shape), header));
        Assert.Equal(bytes, stream.ToArray());

        stream.Position = 0;
        Assert.Equal(Circle, NinoSerializer.Deserialize(typeof(Shape), stream, header));
        Assert.Equal(Circle, NinoSerializer.Deserialize(typeof(Shape), new ReadOnlySequence<byte>(bytes), header));
        Assert.Equal(Circle, NinoSerializer.Deserialize(typeof(Shape), bytes, header));
    }

    [Fact]
    public void SizeCopyAndSchemaAreThoseOfTheType()
    {
        Assert.Equal(NinoSerializer.GetSize(new Circle("c", 2)), NinoSerializer.GetSize(Circle, typeof(Circle)));
        object copy = NinoSerializer.Clone(Circle);
        Assert.Equal(Circle, copy);
        Assert.NotSame(Circle, copy);
        Assert.Same(NinoSerializer.SchemaOf<Circle>(), NinoSerializer.SchemaOf(typeof(Circle)));
    }

    [Fact]
    public void MistakesAreNamed()
    {
        Assert.Throws<ArgumentNullException>(() => NinoSerializer.Serialize((object)null!));
        Assert.Throws<ArgumentNullException>(() => NinoSerializer.Serialize((object)null!, typeof(Circle)));
        Assert.Throws<ArgumentNullException>(() => NinoSerializer.Deserialize(null!, (byte[])[]));
        Assert.Contains("not of", Assert.Throws<ArgumentException>(() => NinoSerializer.Serialize(Circle, typeof(Box))).Message);
        Assert.Throws<NinoTypeNotRegisteredException>(() => NinoSerializer.Serialize(new UntypedTests(), typeof(UntypedTests)));
        Assert.Throws<NinoTypeNotRegisteredException>(() => NinoSerializer.Deserialize(typeof(List<UntypedTests>), (byte[])[]));
        Assert.Throws<NinoTypeNotRegisteredException>(() => NinoSerializer.SchemaOf(typeof(List<>)));
        Assert.Throws<NinoSerializationException>(() => NinoSerializer.Deserialize(typeof(Circle), (byte[])[1]));
    }
}
