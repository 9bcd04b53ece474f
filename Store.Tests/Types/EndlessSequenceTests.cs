using System.Buffers;
using Store.Serialization;
using Store.Serialization.Codecs;

namespace Store.Tests.Types;

/// <summary>What only an enumerator shows may have more elements than any record, and no end.</summary>
public sealed class EndlessSequenceTests
{
    private static readonly NinoLimits Limits = new() { MaxRecordBytes = 1000 };

    /// <summary>In memory there is no more of it than the record could have had.</summary>
    [Fact]
    public void ASequenceWithoutEndIsRefusedWhenItIsLargerThanTheRecordMayBe()
    {
        int asked = 0;
        NinoSerializationException error = Assert.Throws<NinoSerializationException>(() => NinoSerializer.Serialize(new Endless { Numbers = Numbers() }, Limits));
        Assert.Contains(nameof(NinoLimits.MaxRecordBytes), error.Message, StringComparison.Ordinal);
        Assert.InRange(asked, 1000 / sizeof(int), 1000);
        Assert.Throws<NinoSerializationException>(() => NinoSerializer.GetSize(new Endless { Numbers = Numbers() }, Limits));
        Assert.Throws<NinoSerializationException>(() => NinoSerializer.TrySerialize(new Endless { Numbers = Numbers() }, new byte[100], out _, Limits));
        Assert.Throws<NinoSerializationException>(() => NinoSerializer.Clone(new Endless { Texts = Texts() }, Limits));

        IEnumerable<int> Numbers()
        {
            while (true) yield return asked++;
        }

        static IEnumerable<string?> Texts()
        {
            while (true) yield return null;
        }
    }

    /// <summary>Their chars count, so that no more of them is held than the record may have.</summary>
    [Fact]
    public void LongStringsWithoutEndAreRefusedAfterAsManyAsTheRecordMayHave()
    {
        int asked = 0;
        string text = new('a', 100);
        Assert.Throws<NinoSerializationException>(() => NinoSerializer.Serialize(new Endless { Texts = Texts() }, Limits));
        // Once written, twice looked for: ten have a thousand chars, and the one that is too much is seen.
        Assert.InRange(asked, 10, 3 * 11);

        IEnumerable<string?> Texts()
        {
            while (asked++ < 100_000) yield return text;
        }
    }

    /// <summary>An element takes what its codec needs at least, an object one byte where all are null: nothing is refused that would fit.</summary>
    [Fact]
    public void ASequenceThatFitsIsWrittenToTheLastByte()
    {
        for (int most = 230; most < 270; most++)
        {
            var limits = new NinoLimits { MaxRecordBytes = most };
            Fits(new Endless { Numbers = Enumerable.Range(0, 60).Where(static _ => true) }, limits);
            Fits(new Endless { Texts = Enumerable.Repeat<string?>(null, 245).Where(static _ => true) }, limits);
            Fits(new Endless { Nodes = Enumerable.Repeat<Endless?>(null, 122).Where(static _ => true) }, limits);
        }

        static void Fits(Endless value, NinoLimits limits)
        {
            if (NinoSerializer.GetSize(value) <= limits.MaxRecordBytes) Assert.NotEmpty(NinoSerializer.Serialize(value, limits));
            else Assert.Throws<NinoSerializationException>(() => NinoSerializer.Serialize(value, limits));
        }
    }

    /// <summary>Records of one writer have room for themselves each.</summary>
    [Fact]
    public void WhatWasWrittenBeforeTheRecordTakesNoRoomOfIt()
    {
        var output = new ArrayBufferWriter<byte>();
        var writer = new NinoWriter(output, Limits);
        var codec = new CodecAdapter<IEnumerable<int>, CollectionCodec<IEnumerable<int>, int, Int32Codec>>();
        for (int i = 0; i < 10; i++) codec.WriteRecord(ref writer, Enumerable.Range(0, 200).Where(static _ => true));
        writer.Flush();
        Assert.Equal(10 * (1 + (200 * sizeof(int))), output.WrittenCount);
    }
}

[NinoType]
public sealed class Endless
{
    public IEnumerable<int>? Numbers { get; set; }

    public IEnumerable<string?>? Texts { get; set; }

    public IEnumerable<Endless?>? Nodes { get; set; }
}
