using System.Buffers;
using System.IO.Pipelines;
using Store.Serialization;
using Store.Tests.Evolution;

namespace Store.Tests.Serialization;

/// <summary>Every way in and out of the stand-alone serializer gives the same bytes and the same value.</summary>
public class IoShapesTests
{
    public static TheoryData<NinoHeader> Headers => [NinoHeader.None, NinoHeader.Fingerprint, NinoHeader.Schema];

    private static readonly Before.Order Order = new() { Id = 7, Customer = "Ann €", Lines = [new("a", 1, 2m), null], Counts = new() { ["k"] = 1 }, Parents = [.. Enumerable.Range(0, 40)] };

    [Theory]
    [MemberData(nameof(Headers))]
    public async Task EveryWayOutGivesTheSameBytesAndEveryWayInTheSameValue(NinoHeader header)
    {
        foreach (string text in new[] { "", "short", new string('x', 300_000) })
        {
            byte[] bytes = NinoSerializer.Serialize(text, header);
            var output = new ArrayBufferWriter<byte>();
            Assert.Equal(bytes.Length, NinoSerializer.Serialize(output, text, header));
            Assert.Equal(bytes, output.WrittenSpan.ToArray());
            var stream = new MemoryStream();
            Assert.Equal(bytes.Length, NinoSerializer.Serialize(stream, text, header));
            Assert.Equal(bytes.Length, await NinoSerializer.SerializeAsync(stream, text, header));
            Assert.Equal([.. bytes, .. bytes], stream.ToArray());

            Assert.Equal(text, NinoSerializer.Deserialize<string>(bytes, header));
            Assert.Equal(text, NinoSerializer.Deserialize<string>(new ReadOnlySequence<byte>(bytes), header));
            Assert.Equal(text, NinoSerializer.Deserialize<string>(new MemoryStream(bytes), header));
            Assert.Equal(text, await NinoSerializer.DeserializeAsync<string>(new TrickleStream(new MemoryStream(bytes), 4099), header));
            Assert.Equal(text, await NinoSerializer.DeserializeAsync(new TrickleStream(new MemoryStream(bytes), 4099), "what was there", header));
            Assert.Equal(text, await NinoSerializer.DeserializeAsync(PipeReader.Create(new MemoryStream(bytes)), "what was there", header));

            var pipe = new Pipe(new PipeOptions(pauseWriterThreshold: 0));
            Assert.Equal(bytes.Length, await NinoSerializer.SerializeAsync(pipe.Writer, text, header));
            await pipe.Writer.CompleteAsync();
            Assert.Equal(text, await NinoSerializer.DeserializeAsync<string>(pipe.Reader, header));
            Assert.True(pipe.Reader.TryRead(out ReadResult rest) && rest.IsCompleted && rest.Buffer.IsEmpty);
        }
    }

    /// <summary>Memory of every length up to the record's own is too little, and is not touched.</summary>
    [Theory]
    [MemberData(nameof(Headers))]
    public void ARecordFitsIntoAsManyBytesAsItsSizeAndIntoNoFewer(NinoHeader header)
    {
        byte[] bytes = NinoSerializer.Serialize(Order, header);
        Assert.Equal(bytes.Length, NinoSerializer.GetSize(Order, header));
        Assert.Equal(bytes.Length, NinoSerializer.GetSize(Order, typeof(Before.Order), header));
        byte[] room = new byte[bytes.Length + 3];
        for (int length = 0; length <= room.Length; length++)
        {
            foreach (bool isTyped in new[] { true, false })
            {
                room.AsSpan().Fill(0xA5);
                int written;
                bool fits = isTyped ? NinoSerializer.TrySerialize(Order, room.AsSpan(0, length), out written, header) : NinoSerializer.TrySerialize(Order, typeof(Before.Order), room.AsSpan(0, length), out written, header);
                Assert.Equal(length >= bytes.Length, fits);
                Assert.Equal(fits ? bytes.Length : 0, written);
                Assert.Equal(bytes[..written], room[..written]);
                Assert.True(room.AsSpan(written).IndexOfAnyExcept((byte)0xA5) < 0);
            }
        }
    }

    [Theory]
    [MemberData(nameof(Headers))]
    public void ASequenceMayBeCutAnywhere(NinoHeader header)
    {
        byte[] bytes = NinoSerializer.Serialize(Order, header);
        for (int first = 0; first <= bytes.Length; first++)
        {
            foreach (int second in new[] { first, (first + bytes.Length) / 2, bytes.Length })
            {
                Before.Order copy = NinoSerializer.Deserialize<Before.Order>(Sequence(bytes, first, second), header);
                Assert.Equal((7, "Ann €", 40), (copy.Id, copy.Customer, copy.Parents!.Length));
            }
        }
    }

    [Theory]
    [MemberData(nameof(Headers))]
    public void ATruncatedRecordIsATypedErrorAtEveryByte(NinoHeader header)
    {
        byte[] bytes = NinoSerializer.Serialize(Order, header);
        int inFront = bytes.Length - NinoSerializer.Serialize(Order).Length;
        for (int length = 0; length < bytes.Length; length++)
        {
            byte[] cut = bytes[..length];
            NinoSerializationException error = Assert.Throws<NinoSerializationException>(() => NinoSerializer.Deserialize<Before.Order>(cut, header));
            Assert.Equal(NinoSerializer.SchemaOf<Before.Order>().Name, error.TypeName);
            // Of a header from the first byte on, of a record from its own.
            Assert.InRange(error.ByteOffset, 0, length < inFront ? length : length - inFront);
            Assert.StartsWith(length < inFront ? $"Header of a record '{error.TypeName}', byte {error.ByteOffset}: " : $"Record '{error.TypeName}', ", error.Message, StringComparison.Ordinal);
            NinoSerializationException inPieces = Assert.Throws<NinoSerializationException>(() => NinoSerializer.Deserialize<Before.Order>(Sequence(cut, length / 2, length), header));
            Assert.Equal((error.Message, error.TypeName, error.MemberPath, error.ByteOffset), (inPieces.Message, inPieces.TypeName, inPieces.MemberPath, inPieces.ByteOffset));
        }
    }

    [Fact]
    public void ADamagedSchemaInFrontIsToldWithItsPlace()
    {
        byte[] bytes = NinoSerializer.Serialize(new Before.Small(1, "a"), NinoHeader.Schema), schema = NinoSerializer.SchemaOf<Before.Small>().CanonicalBytes.ToArray();
        int start = bytes.AsSpan().IndexOf(schema);
        Assert.True(start > 0);
        // Version, count of definitions, kind of the first, and the node of the root at the end.
        foreach (int at in (int[])[0, 1, 2, schema.Length - 2])
        {
            byte[] damaged = [.. bytes], alone = [.. schema];
            damaged[start + at] = alone[at] = 0xFF;
            NinoSerializationException error = Assert.Throws<NinoSerializationException>(() => NinoSerializer.Deserialize<Before.Small>(damaged, NinoHeader.Schema));
            Assert.Equal((NinoSerializer.SchemaOf<Before.Small>().Name, start + at), (error.TypeName, error.ByteOffset));
            Assert.StartsWith($"Header of a record '{error.TypeName}', byte {start + at}: Schema, byte {at}: ", error.Message, StringComparison.Ordinal);
            Assert.Equal(at, Assert.Throws<NinoSerializationException>(() => NinoSchema.Parse(alone)).ByteOffset);
        }
    }

    [Fact]
    public void AnyBitFlippedInAHeaderIsATypedErrorOrReadsWhatTheFlippedSchemaSays()
    {
        var value = new Before.Small(1, "a");
        byte[] bytes = NinoSerializer.Serialize(value, NinoHeader.Schema), record = NinoSerializer.Serialize(value);
        int header = bytes.Length - record.Length, refused = 0, asWritten = 0, otherwise = 0;
        Assert.Equal(record, bytes[header..]);
        for (int bit = 0; bit < header * 8; bit++)
        {
            byte[] flipped = [.. bytes];
            flipped[bit / 8] ^= (byte)(1 << (bit % 8));
            Before.Small read;
            try
            {
                read = NinoSerializer.Deserialize<Before.Small>(flipped, NinoHeader.Schema);
            }
            catch (NinoSerializationException error)
            {
                refused++;
                // Of the type, or of what the flipped schema calls it.
                Assert.Contains(error.TypeName, NamesIn(flipped));
                if (error is NinoSchemaMismatchException mismatch) Assert.Equal((mismatch.OwnPath, -1), (mismatch.MemberPath ?? "", mismatch.ByteOffset));
                else Assert.InRange(error.ByteOffset, 0, flipped.Length);
                continue;
            }

            // A plan of its own for the schema that is there now, which may call a field or its type another name.
            var reader = new NinoReader(flipped);
            int length = (int)reader.ReadCompact();
            int at = flipped.Length - reader.Remaining;
            var mapped = new ArrayBufferWriter<byte>();
            NinoRecordMapper.Create(NinoSchema.Parse(flipped.AsSpan(at, length)), NinoSerializer.SchemaOf<Before.Small>()).Map(flipped.AsSpan(at + length), mapped);
            Assert.Equal(NinoSerializer.Deserialize<Before.Small>(mapped.WrittenSpan), read);
            if (read == value) asWritten++;
            else otherwise++;
        }

        Assert.True(refused > 100 && asWritten > 0 && otherwise > 0, $"{refused} refused, {asWritten} read as written, {otherwise} otherwise");

        static string[] NamesIn(byte[] bytes)
        {
            string own = NinoSerializer.SchemaOf<Before.Small>().Name;
            try
            {
                var reader = new NinoReader(bytes);
                return [own, NinoSchema.Parse(reader.TakeSpan((int)reader.ReadCompact())).Name];
            }
            catch (NinoSerializationException)
            {
                return [own];
            }
        }
    }

    [Fact]
    public void WithTheSchemaInFrontAnotherShapeIsReadAndWithAFingerprintRefused()
    {
        byte[] self = NinoSerializer.Serialize(new Before.Line("a", 1, 2m), NinoHeader.Schema);
        Assert.Equal(new After.Line(1, "a"), NinoSerializer.Deserialize<After.Line>(self, NinoHeader.Schema));
        Assert.Equal(new After.Line(1, "a"), NinoSerializer.Deserialize<After.Line>(new MemoryStream(self), NinoHeader.Schema));

        byte[] marked = NinoSerializer.Serialize(new Before.Line("a", 1, 2m), NinoHeader.Fingerprint);
        string message = Assert.Throws<NinoSchemaMismatchException>(() => NinoSerializer.Deserialize<After.Line>(marked, NinoHeader.Fingerprint)).Message;
        Assert.Contains(NinoSerializer.SchemaOf<Before.Line>().Fingerprint.ToString("x16"), message, StringComparison.Ordinal);
        Assert.Contains(NinoSerializer.SchemaOf<After.Line>().Fingerprint.ToString("x16"), message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task LimitsHoldForStreamsAndPipesBeforeTheirEnd()
    {
        var limits = new NinoLimits { MaxRecordBytes = 1000 };
        Assert.Throws<NinoSerializationException>(() => NinoSerializer.Deserialize<string>(new EndlessStream(), limits: limits));
        await Assert.ThrowsAsync<NinoSerializationException>(async () => await NinoSerializer.DeserializeAsync<string>(new EndlessStream(), limits: limits));
        await Assert.ThrowsAsync<NinoSerializationException>(async () => await NinoSerializer.DeserializeAsync<string>(PipeReader.Create(new EndlessStream()), limits: limits));
    }

    [Fact]
    public async Task AReadThatThePipeIsToldToCancelIsCancelledAndTheBytesStay()
    {
        var pipe = new Pipe();
        byte[] record = NinoSerializer.Serialize("text");
        await pipe.Writer.WriteAsync(record.AsMemory(0, 2));
        ValueTask<string> read = NinoSerializer.DeserializeAsync<string>(pipe.Reader);
        pipe.Reader.CancelPendingRead();
        await Assert.ThrowsAsync<OperationCanceledException>(async () => await read);
        await pipe.Writer.WriteAsync(record.AsMemory(2));
        await pipe.Writer.CompleteAsync();
        Assert.Equal("text", await NinoSerializer.DeserializeAsync<string>(pipe.Reader));
    }

    [Fact]
    public async Task CancellingStopsTheWait()
    {
        using var cancel = new CancellationTokenSource();
        var pipe = new Pipe();
        Task<string> read = NinoSerializer.DeserializeAsync<string>(pipe.Reader, cancellationToken: cancel.Token).AsTask();
        await cancel.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => read);
        await Assert.ThrowsAnyAsync<OperationCanceledException>(async () => await NinoSerializer.SerializeAsync(new MemoryStream(), "x", cancellationToken: cancel.Token));
    }

    [Fact]
    public async Task APipeThatNobodyReadsIsNoSuccess()
    {
        var pipe = new Pipe();
        await pipe.Reader.CompleteAsync();
        await Assert.ThrowsAsync<IOException>(async () => await NinoSerializer.SerializeAsync(pipe.Writer, "x"));
        await Assert.ThrowsAsync<IOException>(async () => await NinoSerializer.SerializeAsync(pipe.Writer, "x", typeof(string)));
    }

    [Fact]
    public async Task ACancelledFlushIsNoSuccess()
    {
        var pipe = new Pipe();
        pipe.Writer.CancelPendingFlush();
        await Assert.ThrowsAsync<OperationCanceledException>(async () => await NinoSerializer.SerializeAsync(pipe.Writer, "x"));
        pipe.Writer.CancelPendingFlush();
        await Assert.ThrowsAsync<OperationCanceledException>(async () => await NinoSerializer.SerializeAsync(pipe.Writer, "x", typeof(string)));
        await pipe.Writer.FlushAsync();
        Assert.Equal(2 * NinoSerializer.Serialize("x").Length, (await pipe.Reader.ReadAsync()).Buffer.Length);
    }

    [Fact]
    public void TheSizeIsTheLengthAndCostsNoMemory()
    {
        foreach (string text in new[] { "", "short", new string('x', 200_000), new string('€', 100_000) }) Assert.Equal(NinoSerializer.Serialize(text).Length, NinoSerializer.GetSize(text));
        Assert.Equal(NinoSerializer.Serialize(Order).Length, NinoSerializer.GetSize(Order));
        Assert.Equal(8, NinoSerializer.GetSize(5L));
        // Of a fixed size or not, what could not be written has no size.
        foreach (Action size in new Action[] { static () => NinoSerializer.GetSize(5L, new NinoLimits { MaxRecordBytes = 7 }), static () => NinoSerializer.GetSize("seven characters", new NinoLimits { MaxRecordBytes = 7 }) })
            Assert.Contains("larger than the limit of 7 bytes", Assert.Throws<NinoSerializationException>(size).Message, StringComparison.Ordinal);
        Assert.Throws<ArgumentNullException>(() => NinoSerializer.GetSize<string>(null!));

        for (int i = 0; i < 50; i++) NinoSerializer.GetSize(Order);
        Assert.Equal(0, Allocated.Least(static () => NinoSerializer.GetSize(Order)));
    }

    [Fact]
    public void ACloneSharesNothing()
    {
        Before.Order copy = NinoSerializer.Clone(Order);
        Assert.Equivalent(Order, copy, strict: true);
        Assert.NotSame(Order.Lines, copy.Lines);
        Assert.NotSame(Order.Lines![0], copy.Lines![0]);
        Assert.NotSame(Order.Counts, copy.Counts);
        Assert.Equal(300_000, NinoSerializer.Clone(new string('x', 300_000)).Length);
    }

    internal static ReadOnlySequence<byte> Sequence(byte[] bytes, int first, int second) => Pieces.Of<byte>(bytes.AsMemory(0, first), bytes.AsMemory(first, second - first), bytes.AsMemory(second));

    private sealed class EndlessStream : MemoryStream
    {
        public override int Read(Span<byte> buffer)
        {
            buffer.Fill(1);
            return buffer.Length;
        }

        public override ValueTask<int> ReadAsync(Memory<byte> buffer, CancellationToken cancellationToken = default) => new(Read(buffer.Span));
    }
}

/// <summary>A stream that gives at most so many bytes at a time, each after a while.</summary>
internal sealed class TrickleStream(Stream inner, int maxBytes) : Stream
{
    public override bool CanRead => true;

    public override bool CanSeek => false;

    public override bool CanWrite => false;

    public override long Length => throw new NotSupportedException();

    public override long Position { get => throw new NotSupportedException(); set => throw new NotSupportedException(); }

    public override int Read(byte[] buffer, int offset, int count) => inner.Read(buffer, offset, Math.Min(count, maxBytes));

    public override async ValueTask<int> ReadAsync(Memory<byte> buffer, CancellationToken cancellationToken = default)
    {
        await Task.Yield();
        return await inner.ReadAsync(buffer[..Math.Min(buffer.Length, maxBytes)], cancellationToken);
    }

    public override void Flush() { }

    public override long Seek(long offset, SeekOrigin origin) => throw new NotSupportedException();

    public override void SetLength(long value) => throw new NotSupportedException();

    public override void Write(byte[] buffer, int offset, int count) => throw new NotSupportedException();
}
