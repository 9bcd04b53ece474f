using System.Buffers;
using System.IO.Pipelines;
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
    public void AnObjectOfAClassThatTheFrameworkHidesIsWrittenAsTheOneThatItShows()
    {
        object address = System.Net.IPAddress.Loopback, encoding = System.Text.Encoding.UTF8, comparer = StringComparer.Ordinal;
        Assert.All([address, encoding, comparer], static one => Assert.False(one.GetType().IsVisible));
        Assert.Equal(address, NinoSerializer.Deserialize(typeof(System.Net.IPAddress), NinoSerializer.Serialize(address)));
        Assert.Equal("utf-8", ((System.Text.Encoding)NinoSerializer.Deserialize(typeof(System.Text.Encoding), NinoSerializer.Serialize(encoding))).WebName);
        Assert.Equal(comparer, NinoSerializer.Deserialize(typeof(StringComparer), NinoSerializer.Serialize(comparer)));
        Assert.Equal(address, NinoSerializer.Clone(address));
        // Nobody reads a hidden class, and one of which nothing that is shown is registered has no form.
        Assert.Throws<NinoTypeNotRegisteredException>(() => NinoSerializer.Deserialize(address.GetType(), NinoSerializer.Serialize(address)));
        Assert.Throws<NinoTypeNotRegisteredException>(static () => NinoSerializer.Serialize((object)Enumerable.Range(0, 3)));
        Assert.Throws<NinoTypeNotRegisteredException>(static () => NinoSerializer.Serialize((object)new OwnAddress()));
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

    [Theory]
    [InlineData(NinoHeader.None)]
    [InlineData(NinoHeader.Fingerprint)]
    [InlineData(NinoHeader.Schema)]
    public async Task StreamsAndPipesGiveTheSameBytesToo(NinoHeader header)
    {
        byte[] bytes = NinoSerializer.Serialize(Circle, typeof(Shape), header);
        using var stream = new MemoryStream();
        Assert.Equal(bytes.Length, await NinoSerializer.SerializeAsync(stream, Circle, typeof(Shape), header));
        Assert.Equal(bytes, stream.ToArray());
        Assert.Equal(Circle, await NinoSerializer.DeserializeAsync(typeof(Shape), new TrickleStream(new MemoryStream(bytes), 3), header));

        var pipe = new Pipe();
        Assert.Equal(bytes.Length, await NinoSerializer.SerializeAsync(pipe.Writer, Circle, typeof(Shape), header));
        await pipe.Writer.CompleteAsync();
        Assert.Equal(Circle, await NinoSerializer.DeserializeAsync(typeof(Shape), pipe.Reader, header));
        Assert.True(pipe.Reader.TryRead(out ReadResult rest) && rest.IsCompleted && rest.Buffer.IsEmpty);
    }

    [Fact]
    public async Task MistakesAndLimitsOfStreamsAndPipesAreNamed()
    {
        using var cancel = new CancellationTokenSource();
        using var stream = new MemoryStream();
        await Assert.ThrowsAsync<ArgumentNullException>(async () => await NinoSerializer.SerializeAsync((Stream)null!, Circle, typeof(Shape)));
        await Assert.ThrowsAsync<ArgumentNullException>(async () => await NinoSerializer.DeserializeAsync(typeof(Shape), (PipeReader)null!));
        await Assert.ThrowsAsync<ArgumentNullException>(async () => await NinoSerializer.DeserializeAsync(null!, stream));
        await Assert.ThrowsAsync<ArgumentException>(async () => await NinoSerializer.SerializeAsync(stream, Circle, typeof(Box)));
        await Assert.ThrowsAsync<NinoTypeNotRegisteredException>(async () => await NinoSerializer.SerializeAsync(stream, new UntypedTests(), typeof(UntypedTests)));
        await Assert.ThrowsAsync<NinoSerializationException>(async () => await NinoSerializer.DeserializeAsync(typeof(Circle), new MemoryStream(new byte[100]), limits: new NinoLimits { MaxRecordBytes = 10 }));
        Assert.Equal(0, stream.Length);

        // A record that cannot be read stays in the pipe.
        var pipe = new Pipe();
        await pipe.Writer.WriteAsync(new byte[] { 1, 2, 3 });
        await pipe.Writer.CompleteAsync();
        await Assert.ThrowsAsync<NinoSerializationException>(async () => await NinoSerializer.DeserializeAsync(typeof(Shape), pipe.Reader));
        Assert.True(pipe.Reader.TryRead(out ReadResult rest) && rest.Buffer.Length == 3);

        await cancel.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(async () => await NinoSerializer.SerializeAsync(stream, Circle, typeof(Shape), cancellationToken: cancel.Token));
        await Assert.ThrowsAnyAsync<OperationCanceledException>(async () => await NinoSerializer.DeserializeAsync(typeof(Shape), new Pipe().Reader, cancellationToken: cancel.Token));
    }

    [Fact]
    public async Task StreamsOfItemsAreThoseOfTheTypedVerbs()
    {
        Shape[] shapes = [new Circle("a", 1), new Circle("b", 2)];
        using MemoryStream typed = new(), untyped = new();
        Assert.Equal(2, await NinoSerializer.SerializeItemsAsync(typed, shapes.ToAsyncEnumerable()));
        Assert.Equal(2, await NinoSerializer.SerializeItemsAsync(untyped, shapes.ToAsyncEnumerable<object>(), typeof(Shape)));
        Assert.Equal(typed.ToArray(), untyped.ToArray());
        Assert.Equal(shapes, await NinoSerializer.DeserializeItemsAsync<Shape>(new MemoryStream(untyped.ToArray())).ToListAsync());
        Assert.Equal(shapes, await NinoSerializer.DeserializeItemsAsync(typeof(Shape), new TrickleStream(new MemoryStream(typed.ToArray()), 3)).ToListAsync());

        var pipe = new Pipe();
        Assert.Equal(3, await NinoSerializer.SerializeItemsAsync(pipe.Writer, new object[] { 1, 2, 3 }.ToAsyncEnumerable(), typeof(int)));
        Assert.Equal([1, 2, 3], (await NinoSerializer.DeserializeItemsAsync(typeof(int), pipe.Reader).ToListAsync()).Cast<int>());
    }

    [Fact]
    public void WhatCannotBeRegisteredIsNotToldToBe()
    {
        Type pointer = typeof(int).MakePointerType();
        foreach (Type type in new[] { typeof(void), typeof(Span<int>), typeof(ReadOnlySpan<Shape>), pointer, pointer.MakeArrayType(), typeof(int).MakeByRefType(), typeof(List<>) })
        {
            string message = Assert.Throws<NinoTypeNotRegisteredException>(() => NinoSerializer.Deserialize(type, [])).Message;
            Assert.DoesNotContain("NinoSerializable", message, StringComparison.Ordinal);
            Assert.DoesNotContain("[NinoType]", message, StringComparison.Ordinal);
            Assert.Contains("can be stored", message, StringComparison.Ordinal);
        }
    }

    [Fact]
    public async Task MistakesOfStreamsOfItemsAreNamed()
    {
        using var stream = new MemoryStream();
        Assert.Throws<ArgumentNullException>(() => { _ = NinoSerializer.DeserializeItemsAsync(null!, stream); });
        Assert.Throws<ArgumentNullException>(() => { _ = NinoSerializer.DeserializeItemsAsync(typeof(int), (Stream)null!); });
        Assert.Throws<NinoTypeNotRegisteredException>(() => { _ = NinoSerializer.DeserializeItemsAsync(typeof(UntypedTests), stream); });
        await Assert.ThrowsAsync<ArgumentNullException>(async () => await NinoSerializer.SerializeItemsAsync(stream, null!, typeof(int)));
        await Assert.ThrowsAsync<ArgumentException>(async () => await NinoSerializer.SerializeItemsAsync(stream, new object[] { 1, "two" }.ToAsyncEnumerable(), typeof(int)));
        await Assert.ThrowsAsync<ArgumentNullException>(async () => await NinoSerializer.SerializeItemsAsync(stream, new object[] { null! }.ToAsyncEnumerable(), typeof(string)));
        Assert.StartsWith("Item 1 is null", (await Assert.ThrowsAsync<ArgumentNullException>(async () => await NinoSerializer.SerializeItemsAsync(stream, new object[] { Circle, null! }.ToAsyncEnumerable(), typeof(Shape)))).Message, StringComparison.Ordinal);
        Assert.StartsWith("Item 1 is null", (await Assert.ThrowsAsync<ArgumentNullException>(async () => await NinoSerializer.SerializeItemsAsync(stream, new[] { (Shape)Circle, null! }.ToAsyncEnumerable()))).Message, StringComparison.Ordinal);

        // Nothing of a stream that failed is whole: its reader notices.
        stream.SetLength(0);
        await NinoSerializer.SerializeItemsAsync(stream, new object[] { 1, 2 }.ToAsyncEnumerable(), typeof(int));
        byte[] cut = stream.ToArray()[..^1];
        await Assert.ThrowsAsync<NinoSerializationException>(async () => await NinoSerializer.DeserializeItemsAsync(typeof(int), new MemoryStream(cut)).ToListAsync());
        await Assert.ThrowsAsync<NinoSchemaMismatchException>(async () => await NinoSerializer.DeserializeItemsAsync(typeof(Shape), new MemoryStream(stream.ToArray())).ToListAsync());
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
    public void ARecordIsReadOverTheObjectThatIsThere()
    {
        byte[] bytes = NinoSerializer.Serialize(new List<int> { 1, 2 }, NinoHeader.Schema);
        var list = new List<int> { 7, 8, 9 };
        object? value = list;
        NinoSerializer.Deserialize(typeof(List<int>), bytes, ref value, NinoHeader.Schema);
        Assert.Same(list, value);
        Assert.Equal([1, 2], list);

        object? made = null;
        NinoSerializer.Deserialize(typeof(List<int>), bytes, ref made, NinoHeader.Schema);
        Assert.Equal([1, 2], Assert.IsType<List<int>>(made));

        object? number = 5, before = number;
        NinoSerializer.Deserialize(typeof(int), NinoSerializer.Serialize(6), ref number);
        Assert.Equal((6, 5), (number, before));

        object? other = "text";
        Assert.Contains("not of", Assert.Throws<ArgumentException>(() => NinoSerializer.Deserialize(typeof(List<int>), bytes, ref other, NinoHeader.Schema)).Message, StringComparison.Ordinal);
        Assert.Throws<NinoSerializationException>(() => NinoSerializer.Deserialize(typeof(List<int>), bytes.AsSpan(0, bytes.Length - 1), ref value, NinoHeader.Schema));
        Assert.Same(list, value);
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

    [Fact]
    public void WhatAGenericTypeACollectionOrANullableNeedsToBeARecordIsNamed()
    {
        Assert.Contains("Its [NinoType] serves members of this construction; to be a record of its own it needs [assembly: NinoSerializable(typeof(Store.Tests.Serialization.UntypedTests.Crate<System.Version>))], in", Refused<Crate<Version>>(), StringComparison.Ordinal);
        Assert.Contains("To be a record of its own it needs [assembly: NinoSerializable(typeof(System.Collections.Generic.List<Store.Tests.Serialization.UntypedTests.Crate<System.Version>>))], and", Refused<List<Crate<Version>>>(), StringComparison.Ordinal);
        Assert.Contains("typeof(System.Nullable<System.DayOfWeek>)", Refused<DayOfWeek?>(), StringComparison.Ordinal);
        Assert.Contains("Put [NinoType] on it", Refused<UntypedTests>(), StringComparison.Ordinal);

        static string Refused<T>() => Assert.Throws<NinoTypeNotRegisteredException>(NinoSerializer.SchemaOf<T>).Message;
    }

    [NinoType]
    public sealed record Crate<T>(T Value);

    private sealed class OwnAddress() : System.Net.IPAddress(0);
}
