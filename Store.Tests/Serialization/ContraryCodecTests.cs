using System.Buffers;
using Store.Serialization;
using Store.Serialization.Codecs;

namespace Store.Tests.Serialization;

/// <summary>A codec that somebody wrote may do otherwise than it says of itself: it is told by its own member, nothing is stored or read that would be something else, and what the thread does next is right.</summary>
public sealed class ContraryCodecTests
{
    private static readonly Contrary Value = new()
    {
        Before = "before", Text = new("text"), Number = new(1), Body = new("body"), Middle = "middle", Numbers = [new(2), new(3), new(4)], Texts = [new("five"), new("six")], Behind = "behind",
    };

    public static TheoryData<Fault, string, string> Written => new()
    {
        { Fault.More, "1", "wrote 9 bytes for a value of which it says that each takes 8" },
        { Fault.Less, "1", "wrote 7 bytes for a value of which it says that each takes 8" },
        { Fault.Less, "body", "wrote fewer bytes than its MinSize, 2" },
        { Fault.Elsewhere, "text", "wrote into another writer than it was given" },
        { Fault.Elsewhere, "six", "wrote into another writer than it was given" },
        { Fault.ElsewhereInASpan, "text", "wrote into another writer than it was given" },
        { Fault.BackAfterMoreMemory, "text", "went back to a copy of its writer" },
        { Fault.BackAfterMoreMemory, "1", "went back to a copy of its writer" },
        { Fault.ThrowsFirst, "text", "told to" },
        { Fault.ThrowsFirst, "1", "told to" },
        { Fault.ThrowsLast, "text", "told to" },
        { Fault.ThrowsLast, "five", "told to" },
        { Fault.ThrowsLast, "six", "told to" },
    };

    [Theory]
    [MemberData(nameof(Written))]
    public void WhatIsWrittenOtherwiseIsRefusedByItsMember(Fault fault, string at, string message)
    {
        byte[] expected = NinoSerializer.Serialize(Value);
        foreach (Action way in new Action[]
        {
            () => NinoSerializer.Serialize(Value), () => NinoSerializer.Serialize(new ArrayBufferWriter<byte>(), Value), () => NinoSerializer.TrySerialize(Value, new byte[1 << 20], out _), () => NinoSerializer.GetSize(Value),
            () => NinoSerializer.Clone(Value), () => NinoSerializer.Serialize(new MemoryStream(), Value, NinoHeader.Schema), () => WriteToSpan(fault == Fault.BackAfterMoreMemory),
        })
        {
            NinoSerializationException error = Faults.During(fault, at, () => Assert.Throws<NinoSerializationException>(way));
            Assert.Contains(message, error.Message, StringComparison.Ordinal);
            Assert.Equal(PlaceOf(at), error.MemberPath);
            Assert.Equal(expected, NinoSerializer.Serialize(Value));
            Assert.Equal(expected, NinoSerializer.Serialize(NinoSerializer.Deserialize<Contrary>(expected)));
        }
    }

    public static TheoryData<Fault, string, string> Read => new()
    {
        { Fault.More, "1", "read 9 bytes for a value of which it says that each takes 8" },
        { Fault.Less, "1", "read 7 bytes for a value of which it says that each takes 8" },
        { Fault.Nothing, "text", "read fewer bytes than its MinSize, 1" },
        { Fault.Nothing, "body", "read fewer bytes than its MinSize, 2" },
        { Fault.Elsewhere, "text", "read from another reader than it was given" },
        { Fault.Elsewhere, "1", "read from another reader than it was given" },
        { Fault.Elsewhere, "six", "read from another reader than it was given" },
        { Fault.ThrowsFirst, "text", "told to" },
        { Fault.ThrowsFirst, "1", "told to" },
        { Fault.ThrowsFirst, "2", "told to" },
        { Fault.ThrowsFirst, "3", "told to" },
        { Fault.ThrowsFirst, "body", "told to" },
        { Fault.ThrowsFirst, "five", "told to" },
        { Fault.ThrowsFirst, "six", "told to" },
        { Fault.ThrowsLast, "text", "told to" },
        { Fault.ThrowsLast, "six", "told to" },
    };

    [Theory]
    [MemberData(nameof(Read))]
    public void WhatIsReadOtherwiseIsRefusedByItsMember(Fault fault, string at, string message)
    {
        byte[] record = NinoSerializer.Serialize(Value), withSchema = NinoSerializer.Serialize(Value, NinoHeader.Schema);
        Contrary? into = NinoSerializer.Deserialize<Contrary>(record);
        foreach (Action way in new Action[]
        {
            () => NinoSerializer.Deserialize<Contrary>(record), () => NinoSerializer.Deserialize(record, ref into), () => NinoSerializer.Deserialize<Contrary>(withSchema, NinoHeader.Schema),
            () => NinoSerializer.Deserialize<Contrary>(new MemoryStream(record)), () => NinoSerializer.Deserialize(typeof(Contrary), record),
        })
        {
            NinoSerializationException error = Faults.During(fault, at, () => Assert.Throws<NinoSerializationException>(way));
            Assert.Contains(message, error.Message, StringComparison.Ordinal);
            Assert.Equal(PlaceOf(at), error.MemberPath);
            Assert.Equal(record, NinoSerializer.Serialize(NinoSerializer.Deserialize<Contrary>(record)));
        }
    }

    /// <summary>The caller of a reader gets the exception too, where nobody looks for bytes that are left.</summary>
    [Fact]
    public void AReaderThatIsGivenIsNotExchangedInSilence()
    {
        byte[] record = NinoSerializer.Serialize(Value);
        Faults.During(Fault.Elsewhere, "six", () => Assert.Throws<NinoSerializationException>(() =>
        {
            var reader = new NinoReader(record);
            NinoCodec<Contrary>.Default.ReadRecord(ref reader);
        }));
    }

    /// <summary>What another codec of somebody's failed at is no fault of who catches that.</summary>
    [Fact]
    public void ACodecMayCatchTheFailureOfAnother()
    {
        byte[] record = NinoSerializer.Serialize(new Tolerance { Before = "before", Text = new("text"), Behind = "behind" });
        Tolerance written = NinoSerializer.Deserialize<Tolerance>(Faults.During(Fault.ThrowsFirst, "text", () => NinoSerializer.Serialize(new Tolerance { Before = "before", Text = new("text"), Behind = "behind" })));
        Assert.Equal(("before", "instead", "behind"), (written.Before, written.Text.Text, written.Behind));
        Tolerance read = Faults.During(Fault.ThrowsLast, "text", () => NinoSerializer.Deserialize<Tolerance>(record));
        Assert.Equal(("before", "instead", "behind"), (read.Before, read.Text.Text, read.Behind));
    }

    [Fact]
    public void AWriterThatACodecExchangedCanBeWrittenToByWhoCatchesThat() => Faults.During(Fault.Elsewhere, "text", static () =>
    {
        var writer = new NinoWriter(new ArrayBufferWriter<byte>());
        try
        {
            NinoCodec<Contrary>.Default.WriteRecord(ref writer, Value);
            Assert.Fail("It was written.");
        }
        catch (NinoSerializationException)
        {
            writer.Flush();
            Faults.WriteMuch(ref writer);
            writer.Flush();
        }

        return 0;
    });

    /// <summary>As long as there is no more memory, a copy of the writer or of the reader is a way to try.</summary>
    [Fact]
    public void ACodecMayTryAndGoBackWithinTheMemoryAtHand()
    {
        byte[] record = NinoSerializer.Serialize(Value);
        Assert.Equal(record, Faults.During(Fault.Back, "text", () => NinoSerializer.Serialize(Value)));
        Assert.Equal(record, NinoSerializer.Serialize(Faults.During(Fault.Back, "text", () => NinoSerializer.Deserialize<Contrary>(record))));
    }

    /// <summary>Memory that the engine has for itself until the record is done is nobody else's before, whatever a codec writes into that meanwhile.</summary>
    [Fact]
    public void WhatACodecWritesThroughAnOldCopyIsInNobodyElsesMemory()
    {
        Faults.Taken.Clear();
        Faults.During(Fault.BackIntoOldMemory, "text", () => Assert.Throws<NinoSerializationException>(() => NinoSerializer.Serialize(new MemoryStream(), Value)));
        Assert.NotEmpty(Faults.Taken);
        Assert.All(Faults.Taken, static taken => Assert.Equal(-1, taken.AsSpan().IndexOfAnyExcept((byte)0xEE)));
    }

    /// <summary>A null and an object may be the same to a codec: either is stored as the presence byte alone.</summary>
    [Fact]
    public void AnObjectThatACodecTakesForNullIsStoredAsThat()
    {
        var output = new ArrayBufferWriter<byte>();
        var writer = new NinoWriter(output);
        CustomCodec<Leaf?, LeafCodec> codec = default;
        codec.Write(ref writer, null);
        codec.Write(ref writer, new Leaf(""));
        codec.Write(ref writer, new Leaf("x"));
        writer.Flush();
        Assert.Equal([0, 0, 1, 3, (byte)'x'], output.WrittenSpan.ToArray());
        var reader = new NinoReader(output.WrittenSpan);
        Assert.Equal(new Leaf(""), codec.Read(ref reader));
        Assert.Equal(new Leaf(""), codec.Read(ref reader));
        Assert.Equal(new Leaf("x"), codec.Read(ref reader));
    }

    private sealed record Leaf(string Text);

    private readonly struct LeafCodec : INinoCodec<Leaf?>
    {
        public static CodecForm Form => CodecForm.Object;

        public static int MinSize => 1;

        public static int MinBodySize => StringCodec.MinSize;

        public static SchemaNode Describe(SchemaBuilder builder) => builder.Object(typeof(Leaf), "Store.Tests.Leaf", true, static fields => fields.Add("Text", 0, StringCodec.Describe(fields.Builder)));

        public void Write(ref NinoWriter writer, in Leaf? value)
        {
            bool isThere = value is { Text.Length: > 0 };
            writer.Take(1) = isThere ? (byte)1 : (byte)0;
            if (isThere) WriteBody(ref writer, in value);
        }

        public Leaf Read(ref NinoReader reader) => reader.ReadPresence() ? ReadBody(ref reader) : new Leaf("");

        public void WriteBody(ref NinoWriter writer, in Leaf? value) => default(StringCodec).Write(ref writer, value!.Text);

        public Leaf ReadBody(ref NinoReader reader) => new(default(StringCodec).Read(ref reader));
    }

    [Fact]
    public void TheSchemaOfOneThatContradictsItIsRefused()
    {
        AssertContradicts<NoBytes>("its MinSize is below 1");
        AssertContradicts<ObjectInName>("its form is Value and its schema an object of a reference type");
    }

    private static void AssertContradicts<TCodec>(string message) where TCodec : struct, INinoCodec<Leaf> =>
        Assert.Contains(message, Assert.Throws<InvalidOperationException>(() => new CodecAdapter<Leaf, CustomCodec<Leaf, TCodec>>().Schema).Message, StringComparison.Ordinal);

    private readonly struct NoBytes : INinoCodec<Leaf>
    {
        public static int MinSize => 0;

        public static SchemaNode Describe(SchemaBuilder builder) => StringCodec.Describe(builder);

        public void Write(ref NinoWriter writer, in Leaf value) => throw new NotSupportedException();

        public Leaf Read(ref NinoReader reader) => throw new NotSupportedException();
    }

    private readonly struct ObjectInName : INinoCodec<Leaf>
    {
        public static int MinSize => 1;

        public static SchemaNode Describe(SchemaBuilder builder) => HandWritten.NodeCodec.Describe(builder);

        public void Write(ref NinoWriter writer, in Leaf value) => throw new NotSupportedException();

        public Leaf Read(ref NinoReader reader) => throw new NotSupportedException();
    }

    // A span has all of its memory at hand, so a codec that goes back in it does nothing wrong.
    private static void WriteToSpan(bool goesBack)
    {
        var output = new ArrayBufferWriter<byte>();
        NinoWriter writer = goesBack ? new NinoWriter(output) : new NinoWriter(new byte[1 << 20]);
        NinoCodec<Contrary>.Default.WriteRecord(ref writer, Value);
    }

    private static string PlaceOf(string at) => at switch
    {
        "text" => "Text",
        "1" => "Number",
        "body" => "Body",
        "2" => "Numbers[0]",
        "3" => "Numbers[1]",
        "five" => "Texts[0]",
        _ => "Texts[1]",
    };
}
