using System.Buffers;
using Store.Serialization;
using Store.Serialization.Codecs;

namespace Store.Tests.Serialization;

/// <summary>A value with the bytes it must have, behind one face for all types.</summary>
public abstract class Sample(string name, string hex)
{
    public string Name { get; } = name;

    /// <summary>Reading may put elements into another order: of what is written again only that it stays so can be said.</summary>
    public bool Reorders { get; init; }

    /// <summary>Cases that nobody knows are read as null: what is written again is without them.</summary>
    public bool SkipsUnknown { get; init; }

    /// <summary>Null is no value of a collection of F#: it is read as an empty one, which is what is written again.</summary>
    public bool NullIsEmpty { get; init; }

    public abstract Type Type { get; }

    public abstract Type CodecType { get; }

    public byte[] Golden { get; } = Convert.FromHexString(hex.Replace(" ", ""));

    public abstract NinoSchema Schema { get; }

    public abstract byte[] Encode();

    public abstract void EncodeTo(IBufferWriter<byte> output);

    /// <summary>Reads and writes again.</summary>
    public abstract byte[] Recode(ReadOnlySpan<byte> bytes, NinoLimits? limits = null);

    /// <summary>As <see cref="Recode"/>, by the bare codec: without the second walk that finds the place of damage.</summary>
    public abstract byte[] RecodeBare(ReadOnlySpan<byte> bytes);

    public abstract void AssertReadsBack();

    public override string ToString() => Name;
}

/// <inheritdoc/>
public sealed class Sample<T, TCodec>(string name, T value, string hex, Func<T, T, bool>? same = null) : Sample(name, hex) where TCodec : struct, INinoCodec<T>
{
    private readonly CodecAdapter<T, TCodec> _codec = new();

    public override Type Type => typeof(T);

    public override Type CodecType => typeof(TCodec);

    public override NinoSchema Schema => _codec.Schema;

    public override byte[] Encode() => Bytes(value);

    public override void EncodeTo(IBufferWriter<byte> output) => _codec.Encode(output, in value);

    public override byte[] Recode(ReadOnlySpan<byte> bytes, NinoLimits? limits = null) => Bytes(_codec.Decode(bytes, limits));

    public override byte[] RecodeBare(ReadOnlySpan<byte> bytes)
    {
        var reader = new NinoReader(bytes);
        T copy = _codec.ReadRecord(ref reader);
        return reader.Remaining == 0 ? Bytes(copy) : throw new NinoSerializationException("trailing bytes") { TypeName = Schema.Name, ByteOffset = reader.Position };
    }

    public override void AssertReadsBack()
    {
        T copy = _codec.Decode(Golden);
        if (same is null) Assert.Equivalent(value, copy, strict: true);
        else Assert.True(same(value, copy), $"{copy} and not {value}");
    }

    private byte[] Bytes(T any)
    {
        var output = new ArrayBufferWriter<byte>();
        _codec.Encode(output, in any);
        return output.WrittenSpan.ToArray();
    }
}
