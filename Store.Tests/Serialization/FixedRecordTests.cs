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

    [Fact]
    public void StructsOfPlainFieldsAreStoredAndLoadedAlikeByEveryVerb()
    {
        byte[] bytes = [7, 0, 0, 0, 1, 2, 0, 0, 0, 0, 0, 0, 0x40, 9];
        Assert.Equal(bytes, NinoSerializer.Serialize(APlainGauge));
        Assert.Equal(bytes, NinoSerializer.Serialize(APlainGauge, new NinoLimits { MaxRecordBytes = bytes.Length }));
        var output = new ArrayBufferWriter<byte>();
        Assert.Equal(bytes.Length, NinoSerializer.Serialize(output, APlainGauge));
        Assert.Equal(bytes.Length, NinoCodec<PlainGauge>.Default.Encode(output, APlainGauge));
        Assert.Equal([.. bytes, .. bytes], output.WrittenSpan);
        Assert.Equal(APlainGauge, NinoSerializer.Deserialize<PlainGauge>(bytes));
        Assert.Equal(APlainGauge, NinoCodec<PlainGauge>.Default.Decode(bytes));
    }

    [Fact]
    public void WhatIsWrongWithAStructOfPlainFieldsIsNamedAsByItsCodec()
    {
        byte[] bytes = NinoSerializer.Serialize(APlainGauge);
        for (int place = 0; place < bytes.Length; place++)
        {
            for (int bits = 0; bits <= byte.MaxValue; bits++)
            {
                byte[] damaged = [.. bytes];
                damaged[place] = (byte)bits;
                NinoSerializationException? expected = Record(() => NinoCodec<PlainGauge>.Default.Decode(damaged));
                NinoSerializationException? actual = Record(() => NinoSerializer.Deserialize<PlainGauge>(damaged));
                Assert.Equal((expected?.Message, expected?.MemberPath, expected?.ByteOffset), (actual?.Message, actual?.MemberPath, actual?.ByteOffset));
                if (place == 4) Assert.Equal(bits > 1, actual is not null);
                if (place == 12) Assert.Equal((bits & 0x3F) > 0x2B, actual is not null);
            }
        }

        for (int length = 0; length < bytes.Length; length++) Assert.Equal(typeof(PlainGauge).FullName, Record(() => NinoSerializer.Deserialize<PlainGauge>(bytes.AsSpan(0, length)))!.TypeName);
        Assert.Equal(bytes.Length, Record(() => NinoSerializer.Deserialize<PlainGauge>([.. bytes, 0]))!.ByteOffset);

        static NinoSerializationException? Record(Action read) => Xunit.Record.Exception(read) as NinoSerializationException;
    }

    [Fact]
    public void TheLimitAndTooLittleRoomAreNamedForStructsOfPlainFields()
    {
        var limits = new NinoLimits { MaxRecordBytes = 13 };
        byte[] bytes = NinoSerializer.Serialize(APlainGauge);
        string? name = typeof(PlainGauge).FullName;
        Assert.Equal(name, Assert.Throws<NinoSerializationException>(() => NinoSerializer.Serialize(APlainGauge, limits)).TypeName);
        Assert.Equal(name, Assert.Throws<NinoSerializationException>(() => NinoSerializer.Serialize(new ArrayBufferWriter<byte>(), APlainGauge, limits)).TypeName);
        Assert.Throws<NinoSerializationException>(() => NinoSerializer.Deserialize<PlainGauge>(bytes, limits));
        Assert.Contains("asked for 14 bytes and gave 12", Assert.Throws<InvalidOperationException>(() => NinoSerializer.Serialize(new Miser(), APlainGauge)).Message);
    }

    [Fact]
    public void WhatIsRefusedOfPlainObjectsIsNamedInEveryWayOfWriting()
    {
        var limits = new NinoLimits { MaxRecordBytes = 12 };
        foreach (NinoSerializationException error in Refusals(AGauge, limits)) Assert.Equal((typeof(Gauge).FullName, true), (error.TypeName, error.Message.Contains("MaxRecordBytes", StringComparison.Ordinal)));
        foreach (NinoSerializationException error in Refusals<OpenGauge>(new NewerGauge(), NinoLimits.Default)) AssertDerived(error, typeof(OpenGauge));
        foreach (NinoSerializationException error in Refusals<FlatRecordTests.Person>(new FlatRecordTests.Employee(), NinoLimits.Default)) AssertDerived(error, typeof(FlatRecordTests.Person));
        Assert.Contains("asked for 13 bytes and gave 12", Assert.Throws<InvalidOperationException>(() => NinoSerializer.Serialize(new Miser(), AGauge)).Message);

        static NinoSerializationException[] Refusals<T>(T value, NinoLimits limits)
        {
            var output = new ArrayBufferWriter<byte>();
            NinoSerializationException[] errors =
            [
                Assert.Throws<NinoSerializationException>(() => NinoSerializer.Serialize(value, limits)),
                Assert.Throws<NinoSerializationException>(() => NinoSerializer.Serialize(output, value, limits)),
                Assert.Throws<NinoSerializationException>(() => NinoSerializer.Serialize(new MemoryStream(), value, NinoHeader.None, limits)),
                Assert.Throws<NinoSerializationException>(() => NinoSerializer.GetSize(value, limits)),
            ];
            Assert.Equal(0, output.WrittenCount);
            return errors;
        }

        static void AssertDerived(NinoSerializationException error, Type declared)
        {
            Assert.True(error.MemberPath is null, error.Message);
            Assert.StartsWith($"Record '{declared.FullName}'", error.Message, StringComparison.Ordinal);
            Assert.Contains("is declared", error.Message, StringComparison.Ordinal);
        }
    }

    [Fact]
    public void AnObjectOfADerivedTypeIsNamedAndNotItsFirstMember()
    {
        Check("Gauge", new GaugeHolder { Gauge = new NewerGauge() });
        Check("Gauges[1]", new GaugeHolder { Gauges = [new(), new NewerGauge()] });
        Check("Gauges[2]", new GaugeHolder { Gauges = [null, new(), new NewerGauge()] });
        Check("ByName[\"b\"].Value", new GaugeHolder { ByName = { ["a"] = new(), ["b"] = new NewerGauge() } });
        Check("People[1]", new GaugeHolder { People = [new(), new FlatRecordTests.Employee()] });
        Check("Shape", new GaugeHolder { Shape = new NewerShape() });
        Check("Shapes[0]", new GaugeHolder { Shapes = [new NewerShape()] });
        Check("Next.Next.Gauge", new GaugeHolder { Next = new() { Next = new() { Gauge = new NewerGauge() } } });
        Check("Tracked.Gauge", new GaugeHolder { Gauges = [new()], Tracked = new() { Gauge = new NewerGauge() } });
        Check("Box.Gauge", new GaugeHolder { Box = new GaugeBox { Gauge = new NewerGauge() } });
        // What is in front of it is deeper.
        Check("Shape", new GaugeHolder { Next = new() { Next = new() { Gauges = [new()] } }, Shape = new NewerShape() });
        // A case whose length is stored is written when it is whole: the member that holds it is told.
        Check("Skippable", new GaugeHolder { Skippable = new SkippableGauge { Gauge = new NewerGauge() } });
        Check("AllSkippable[1]", new GaugeHolder { AllSkippable = [new SkippableGauge { Gauge = new(), Name = "a" }, new SkippableGauge { Gauge = new NewerGauge() }] });

        static void Check(string path, GaugeHolder holder)
        {
            NinoSerializationException error = Assert.Throws<NinoSerializationException>(() => NinoSerializer.Serialize(holder));
            Assert.Equal((typeof(GaugeHolder).FullName, path), (error.TypeName, error.MemberPath));
            Assert.Contains("is declared", error.Message, StringComparison.Ordinal);
        }
    }

    [Fact]
    public void TheSizeCostsNoMemoryWhetherItIsKnownOrCounted()
    {
        Check(AGauge, 13);
        Check(new OpenGauge(), 12);
        Check(APlainGauge, 14);
        Check(new UnwritableNumbers(), 12);
        Check(new UnwritableSpot(1, 2, 3), 12);
        Check(5L, 8);
        Check(Guid.Empty, 16);
        Check(DateTimeOffset.UnixEpoch, 10);

        static void Check<T>(T value, int size)
        {
            Assert.Equal((size, size), (NinoSerializer.Serialize(value).Length, NinoSerializer.GetSize(value)));
            Assert.Equal(0, Allocated.Least(() => NinoSerializer.GetSize(value)));
        }
    }

    private static readonly PlainGauge APlainGauge = new(7, true, new DateTime(2, DateTimeKind.Utc), 9);

    private sealed class Miser : IBufferWriter<byte>
    {
        public void Advance(int count) => Assert.Fail("Nothing was written.");

        public Memory<byte> GetMemory(int sizeHint = 0) => new byte[12];

        public Span<byte> GetSpan(int sizeHint = 0) => new byte[12];
    }
}

[NinoType]
public readonly record struct PlainGauge(int Id, bool IsOn, DateTime At, byte Level);

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

[NinoType]
public class OpenGauge
{
    public int Id { get; set; }

    public DateTime At { get; set; }
}

public sealed class NewerGauge : OpenGauge;

/// <summary>Its first member has no byte of its own in front of its first one.</summary>
[NinoType]
public class OpenShape
{
    public PlainGauge Gauge { get; set; }

    public string? Name { get; set; }
}

public sealed class NewerShape : OpenShape;

[NinoType(View = false)]
public sealed class GaugeHolder
{
    public OpenGauge? Gauge { get; set; }

    public List<OpenGauge?> Gauges { get; set; } = [];

    public Dictionary<string, OpenGauge> ByName { get; set; } = [];

    public List<FlatRecordTests.Person> People { get; set; } = [];

    public OpenShape? Shape { get; set; }

    public OpenShape[] Shapes { get; set; } = [];

    public GaugeHolder? Next { get; set; }

    public TrackedGauge? Tracked { get; set; }

    public GaugeBox? Box { get; set; }

    public SkippableBase? Skippable { get; set; }

    public List<SkippableBase> AllSkippable { get; set; } = [];
}

[NinoType(References = true, View = false)]
public sealed class TrackedGauge
{
    public OpenGauge? Gauge { get; set; }
}

[NinoType(View = false)]
public struct GaugeBox
{
    public OpenGauge? Gauge { get; set; }
}

[NinoType(SkipUnknownCases = true, View = false)]
public abstract class SkippableBase;

[NinoType(View = false)]
public sealed class SkippableGauge : SkippableBase
{
    public OpenGauge? Gauge { get; set; }

    public string? Name { get; set; }
}
