// What does serializing cost that is done while something else is serialized: by a callback or a codec of the program's own? The memory is the pool's, however deep it goes.

using Store.Serialization;

namespace Store.Tests.Serialization;

public class NestedSerializingTests
{
    private const int Depth = 4;

    /// <summary>Each record is in the one that holds it, serialized by its callback. Of lengths that fit the first piece of memory, and that do not.</summary>
    [Theory]
    [InlineData(10)]
    [InlineData(300_000)]
    public void ARecordInsideOfARecordAllocatesNothingMore(int length)
    {
        Envelope outer = Envelopes(length);
        byte[] destination = new byte[4 * 1024 * 1024];
        int written = 0;
        Assert.Equal(0, Allocated.Least(() => Assert.True(NinoSerializer.TrySerialize(outer, destination, out written))));
        Check(NinoSerializer.Deserialize<Envelope>(destination.AsSpan(0, written)), length);
    }

    [Fact]
    public void ItsLengthAndItsReferencesDoNotEither()
    {
        var outer = new Sized { Inner = new Sized { Inner = new Sized() } };
        outer.Self = outer;
        outer.Inner.Self = outer.Inner;
        Assert.Equal(0, Allocated.Least(() => NinoSerializer.GetSize(outer)));
        Assert.Equal(NinoSerializer.GetSize(outer.Inner), outer.InnerLength);
    }

    /// <summary>What an inner one throws leaves the outer one's memory alone, and its own is the pool's again.</summary>
    [Fact]
    public void OneThatCannotBeWrittenCostsNoMemory()
    {
        Envelope outer = Envelopes(10);
        byte[] destination = new byte[1024];
        outer.Inner!.Inner!.Limits = new NinoLimits { MaxRecordBytes = 1 };
        for (int i = 0; i < 20; i++) Assert.Throws<NinoSerializationException>(() => NinoSerializer.TrySerialize(outer, destination, out _));
        outer.Inner.Inner.Limits = null;
        int written = 0;
        Assert.Equal(0, Allocated.Least(() => NinoSerializer.TrySerialize(outer, destination, out written)));
        Check(NinoSerializer.Deserialize<Envelope>(destination.AsSpan(0, written)), 10);
    }

    private static Envelope Envelopes(int length)
    {
        Envelope? inner = null;
        for (int i = 0; i < Depth; i++) inner = new Envelope { Text = new string((char)('a' + i), length), Inner = inner };
        return inner!;
    }

    private static void Check(Envelope read, int length)
    {
        for (int i = Depth - 1; i >= 0; i--)
        {
            Assert.Equal(new string((char)('a' + i), length), read.Text);
            if (i > 0) read = NinoSerializer.Deserialize<Envelope>(read.Content.Span);
        }
    }
}

/// <summary>Holds another one's record.</summary>
[NinoType]
public sealed class Envelope
{
    private byte[] _room = [];

    public string Text { get; set; } = "";

    public ReadOnlyMemory<byte> Content { get; set; }

    [NinoIgnore]
    public Envelope? Inner { get; set; }

    [NinoIgnore]
    public NinoLimits? Limits { get; set; }

    [NinoOnSerializing]
    private void Pack()
    {
        if (Inner is null) return;
        if (_room.Length == 0) _room = new byte[(Inner.Text.Length + 100) * 5];
        Assert.True(NinoSerializer.TrySerialize(Inner, _room, out int written, Limits));
        Content = _room.AsMemory(0, written);
    }
}

/// <summary>Holds another one's length, and keeps references.</summary>
[NinoType(References = true)]
public sealed class Sized
{
    public Sized? Self { get; set; }

    public long InnerLength { get; set; }

    [NinoIgnore]
    public Sized? Inner { get; set; }

    [NinoOnSerializing]
    private void Measure() => InnerLength = Inner is null ? 0 : NinoSerializer.GetSize(Inner);
}
