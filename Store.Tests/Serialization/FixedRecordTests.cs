// Records that all have one size are stored and loaded without a writer or reader in between. Nothing but time may differ.

using System.Buffers;
using Store.Serialization;

namespace Store.Tests.Serialization;

public sealed class FixedRecordTests
{
    private static readonly Gauge AGauge = new() { Id = 7, IsOn = true, At = new DateTime(2, DateTimeKind.Utc) };

    private static readonly byte[] Bytes = [7, 0, 0, 0, 1, 2, 0, 0, 0, 0, 0, 0, 0x40];

    [Fact]
    public void EveryWayOfWritingGivesTheSameBytes()
    {
        Assert.Equal(Bytes, NinoSerializer.Serialize(AGauge));

        var output = new ArrayBufferWriter<byte>();
        Assert.Equal(Bytes.Length, NinoSerializer.Serialize(output, AGauge));
        Assert.Equal(Bytes.Length, NinoSerializer.Serialize(output, AGauge));
        Assert.Equal([.. Bytes, .. Bytes], output.WrittenSpan);

        byte[] destination = new byte[Bytes.Length];
        Assert.True(NinoSerializer.TrySerialize(AGauge, destination, out int written));
        Assert.Equal(Bytes, destination.AsSpan(0, written));

        var writer = new NinoWriter(destination);
        NinoCodec<Gauge>.Default.WriteRecord(ref writer, AGauge);
        Assert.Equal(Bytes, destination);
    }

    [Fact]
    public void EveryWayOfReadingGivesTheSameValue()
    {
        AssertGauge(NinoSerializer.Deserialize<Gauge>(Bytes));

        var reader = new NinoReader(Bytes);
        AssertGauge(NinoCodec<Gauge>.Default.ReadRecord(ref reader));
        Assert.Equal(0, reader.Remaining);

        static void AssertGauge(Gauge gauge) => Assert.Equal((7, true, 2L, DateTimeKind.Utc), (gauge.Id, gauge.IsOn, gauge.At.Ticks, gauge.At.Kind));
    }

    [Fact]
    public void EveryOtherLengthIsAnErrorThatNamesThePlace()
    {
        for (int length = 0; length < Bytes.Length; length++)
        {
            var error = Assert.Throws<NinoSerializationException>(() => NinoSerializer.Deserialize<Gauge>(Bytes.AsSpan(0, length)));
            Assert.Contains("ends too early", error.Message);
            Assert.Equal(typeof(Gauge).FullName, error.TypeName);
        }

        var trailing = Assert.Throws<NinoSerializationException>(() => NinoSerializer.Deserialize<Gauge>([.. Bytes, 0]));
        Assert.Equal(Bytes.Length, trailing.ByteOffset);
    }

    [Fact]
    public void DamagedBitsAreAnErrorThatNamesTheMember()
    {
        byte[] damaged = [.. Bytes];
        damaged[4] = 2;
        var error = Assert.Throws<NinoSerializationException>(() => NinoSerializer.Deserialize<Gauge>(damaged));
        Assert.Equal((typeof(Gauge).FullName, "IsOn", 4), (error.TypeName, error.MemberPath, (int)error.ByteOffset!));
    }

    [Fact]
    public void ASetterThatThrowsIsTheInnerException()
    {
        byte[] refused = [.. Bytes];
        refused[0] = 13;
        var error = Assert.Throws<NinoSerializationException>(() => NinoSerializer.Deserialize<Gauge>(refused));
        Assert.IsType<ArgumentOutOfRangeException>(error.InnerException);
        Assert.Equal(typeof(Gauge).FullName, error.TypeName);
    }

    [Fact]
    public void ABufferWriterThatGivesTooLittleIsRefused()
    {
        var error = Assert.Throws<InvalidOperationException>(() => NinoSerializer.Serialize(new Miser(), AGauge));
        Assert.Contains("asked for 13 bytes and gave 12", error.Message);
    }

    [Fact]
    public void TheLimitHoldsForRecordsOfOneSize()
    {
        var limits = new NinoLimits { MaxRecordBytes = 12 };
        Assert.Throws<NinoSerializationException>(() => NinoSerializer.Serialize(AGauge, limits));
        Assert.Throws<NinoSerializationException>(() => NinoSerializer.Serialize(new ArrayBufferWriter<byte>(), AGauge, limits));
        Assert.Throws<NinoSerializationException>(() => NinoSerializer.Deserialize<Gauge>(Bytes, limits));
        Assert.Equal(Bytes, NinoSerializer.Serialize(AGauge, new NinoLimits { MaxRecordBytes = 13 }));
    }

    [Fact]
    public void ALongFirstReservationDoesNotLoseTheRecord()
    {
        // Larger than the thread's first piece of scratch memory before anything was written there.
        string text = new('x', 200_000);
        Assert.Equal(text, NinoSerializer.Deserialize<string>(NinoSerializer.Serialize(text)));
        long[] numbers = [.. Enumerable.Range(0, 20_000)];
        Assert.Equal(numbers, NinoSerializer.Deserialize<long[]>(NinoSerializer.Serialize(numbers)));
    }

    [Fact]
    public void ANullRecordIsAMistakeOfTheCaller()
    {
        Assert.Throws<ArgumentNullException>("value", () => NinoSerializer.Serialize<Gauge>(null!));
        Assert.Throws<ArgumentNullException>("value", () => NinoSerializer.Serialize<Gauge>(new ArrayBufferWriter<byte>(), null!));
    }

    private sealed class Miser : IBufferWriter<byte>
    {
        public void Advance(int count) => Assert.Fail("Nothing was written.");

        public Memory<byte> GetMemory(int sizeHint = 0) => new byte[12];

        public Span<byte> GetSpan(int sizeHint = 0) => new byte[12];
    }
}

[NinoType]
public sealed partial class Gauge
{
    private int _id;

    public int Id
    {
        get => _id;
        set => _id = value != 13 ? value : throw new ArgumentOutOfRangeException(nameof(value));
    }

    public bool IsOn { get; set; }

    public DateTime At { get; set; }
}
