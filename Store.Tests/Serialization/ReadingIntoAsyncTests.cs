using System.IO.Pipelines;
using Store.Serialization;
using Store.Tests.Evolution;

namespace Store.Tests.Serialization;

/// <summary>Reading from streams and pipes into an object that is there: as the synchronous verb does, and not before all has arrived.</summary>
public sealed class ReadingIntoAsyncTests
{
    public static TheoryData<NinoHeader, bool> Ways => new() { { NinoHeader.None, true }, { NinoHeader.None, false }, { NinoHeader.Fingerprint, true }, { NinoHeader.Fingerprint, false }, { NinoHeader.Schema, true }, { NinoHeader.Schema, false } };

    /// <summary>The same value or the same error as by reference, and the same is left in the object, whatever byte is cut off or damaged.</summary>
    [Theory]
    [MemberData(nameof(Ways))]
    public async Task DamageLeavesInTheObjectWhatTheSynchronousVerbLeaves(NinoHeader header, bool isStream)
    {
        byte[] bytes = NinoSerializer.Serialize(Other(), header);
        int refused = 0, mixed = 0;
        for (int i = 0; i < 2 * bytes.Length; i++)
        {
            byte[] damaged = i < bytes.Length ? bytes[..i] : [.. bytes];
            if (i >= bytes.Length) damaged[i - bytes.Length] ^= 0x55;
            Before.Order? expected = Order(), existing = Order();
            Before.Order given = existing;
            var expectedError = (NinoSerializationException?)Record.Exception(() => NinoSerializer.Deserialize(new MemoryStream(damaged), header, ref expected));
            var error = (NinoSerializationException?)await Record.ExceptionAsync(async () => existing = await Read(damaged, existing, header, isStream));
            Assert.Equal((expectedError?.Message, expectedError?.TypeName, expectedError?.MemberPath, expectedError?.ByteOffset), (error?.Message, error?.TypeName, error?.MemberPath, error?.ByteOffset));
            Assert.Same(given, existing);
            Assert.Equivalent(expected, existing, strict: true);
            if (error is not null) refused++;
            if (error is not null && existing.Id == Other().Id) mixed++;
        }

        Assert.True(refused >= bytes.Length && mixed > 0, $"{refused} refused, {mixed} of them mixed");
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task AReadThatIsCancelledLeavesTheObjectAsItWasAndThePipeUnread(bool isByToken)
    {
        byte[] bytes = NinoSerializer.Serialize(Other());
        using var cancel = new CancellationTokenSource();
        var pipe = new Pipe();
        await pipe.Writer.WriteAsync(bytes.AsMemory(0, bytes.Length - 1));
        Before.Order existing = Order();
        Task<Before.Order> read = NinoSerializer.DeserializeAsync(pipe.Reader, existing, cancellationToken: cancel.Token).AsTask();
        Assert.False(read.IsCompleted);
        if (isByToken) await cancel.CancelAsync();
        else pipe.Reader.CancelPendingRead();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => read);
        Assert.Equivalent(Order(), existing, strict: true);

        await pipe.Writer.WriteAsync(bytes.AsMemory(bytes.Length - 1));
        await pipe.Writer.CompleteAsync();
        Assert.Same(existing, await NinoSerializer.DeserializeAsync(pipe.Reader, existing));
        Assert.Equivalent(Other(), existing, strict: true);
        Assert.True(pipe.Reader.TryRead(out ReadResult rest) && rest.IsCompleted && rest.Buffer.IsEmpty);
    }

    [Fact]
    public async Task AStreamThatIsCancelledLeavesTheObjectAsItWas()
    {
        using var cancel = new CancellationTokenSource();
        var pipe = new Pipe();
        await pipe.Writer.WriteAsync(NinoSerializer.Serialize(Other()));
        Before.Order existing = Order();
        Task<Before.Order> read = NinoSerializer.DeserializeAsync(pipe.Reader.AsStream(), existing, cancellationToken: cancel.Token).AsTask();
        Assert.False(read.IsCompleted);
        await cancel.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => read);
        Assert.Equivalent(Order(), existing, strict: true);
    }

    [Fact]
    public async Task ARecordThatIsTooLongOrOfAnotherShapeLeavesTheObjectAsItWas()
    {
        var limits = new NinoLimits { MaxRecordBytes = 8 };
        byte[] bytes = NinoSerializer.Serialize(Other()), shape = NinoSerializer.Serialize(new Before.Small(1, "a"), NinoHeader.Fingerprint);
        foreach (bool isStream in (bool[])[true, false])
        {
            Before.Order existing = Order();
            await Assert.ThrowsAsync<NinoSerializationException>(async () => await Read(bytes, existing, NinoHeader.None, isStream, limits));
            await Assert.ThrowsAsync<NinoSchemaMismatchException>(async () => await Read(shape, existing, NinoHeader.Fingerprint, isStream));
            Assert.Equivalent(Order(), existing, strict: true);
        }
    }

    [Fact]
    public async Task NothingToReadFromIsAnArgumentError()
    {
        await Assert.ThrowsAsync<ArgumentNullException>(async () => await NinoSerializer.DeserializeAsync((Stream)null!, Order()));
        await Assert.ThrowsAsync<ArgumentNullException>(async () => await NinoSerializer.DeserializeAsync((PipeReader)null!, Order()));
#pragma warning disable NINO060 // Nobody registers it.
        await Assert.ThrowsAsync<NinoTypeNotRegisteredException>(async () => await NinoSerializer.DeserializeAsync(new MemoryStream([1]), new Unknown()));
#pragma warning restore NINO060
    }

    /// <summary>What compiled before there were these verbs compiles, and means what it meant.</summary>
    [Fact]
    public async Task TheCallsThatWereThereMeanWhatTheyMeant()
    {
        byte[] bytes = NinoSerializer.Serialize("text"), described = NinoSerializer.Serialize("text", NinoHeader.Schema), number = NinoSerializer.Serialize(7);
        Assert.Equal("text", await NinoSerializer.DeserializeAsync<string>(new MemoryStream(bytes)));
        Assert.Equal("text", await NinoSerializer.DeserializeAsync<string>(new MemoryStream(bytes), default));
        Assert.Equal("text", await NinoSerializer.DeserializeAsync<string>(new MemoryStream(bytes), default, null));
        Assert.Equal("text", await NinoSerializer.DeserializeAsync<string>(new MemoryStream(bytes), default, default, default));
        Assert.Equal("text", await NinoSerializer.DeserializeAsync<string>(new MemoryStream(described), NinoHeader.Schema, null));
        Assert.Equal("text", await NinoSerializer.DeserializeAsync<string>(PipeReader.Create(new MemoryStream(described)), NinoHeader.Schema, null, default));
        Assert.Equal(7, await NinoSerializer.DeserializeAsync<int>(new MemoryStream(number), 0));
        Assert.Equal("text", await NinoSerializer.DeserializeAsync(typeof(string), new MemoryStream(described), NinoHeader.Schema));
    }

    private static async Task<Before.Order> Read(byte[] bytes, Before.Order existing, NinoHeader header, bool isStream, NinoLimits? limits = null) => isStream
        ? await NinoSerializer.DeserializeAsync(new TrickleStream(new MemoryStream(bytes), 7), existing, header, limits)
        : await NinoSerializer.DeserializeAsync(PipeReader.Create(new MemoryStream(bytes), new StreamPipeReaderOptions(bufferSize: 16, minimumReadSize: 4)), existing, header, limits);

    private static Before.Order Order() => new() { Id = 7, Customer = "Ann €", Lines = [new("a", 1, 2m), null], Counts = new() { ["k"] = 1 }, Parents = [1, 2, 3] };

    private static Before.Order Other() => new() { Id = 8, Customer = "Bob", State = Before.State.Closed, Lines = [new("b", 2, 3m)], Counts = new() { ["k"] = 2, ["l"] = 3 }, Parents = [4, 5, 6], Email = "b@c", Width = 9 };

    private sealed class Unknown;
}
