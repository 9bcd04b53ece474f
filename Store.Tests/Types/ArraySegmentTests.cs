using System.Buffers;
using Store.Serialization;
using Store.Serialization.Codecs;

namespace Store.Tests.Types;

public sealed class ArraySegmentTests
{
    /// <summary>AsSpan of such a segment throws.</summary>
    [Fact]
    public void ASegmentOfAnArrayOfADerivedTypeIsWrittenAsOneOfItsBase()
    {
        var codec = new CodecAdapter<ArraySegment<object>, SequenceCodec<ArraySegment<object>, object, TextCodec, ArraySegmentForm<object>>>();
        var output = new ArrayBufferWriter<byte>();
        codec.Encode(output, new ArraySegment<object>(new string[] { "a", "b", "c" }, 1, 2));
        Assert.Equal(["b", "c"], codec.Decode(output.WrittenSpan));
    }

    /// <summary>An object that is a text.</summary>
    private readonly struct TextCodec : INinoCodec<object>
    {
        public static int MinSize => StringCodec.MinSize;

        public static SchemaNode Describe(SchemaBuilder builder) => StringCodec.Describe(builder);

        public void Write(ref NinoWriter writer, in object value) => default(StringCodec).Write(ref writer, (string)value);

        public object Read(ref NinoReader reader) => default(StringCodec).Read(ref reader);
    }
}
