using System.Buffers;
using System.Text;
using Store.Serialization;
using Store.Serialization.Codecs;

namespace Store.Tests.Serialization;

/// <summary>Values of two gigabytes, alone in the process: beside other tests there may be no memory for both.</summary>
[Collection("alone")]
public sealed class LargestRecordTests
{
    /// <summary>Else there would be records that can be written to a buffer and that nobody can read.</summary>
    [Fact]
    public void ALimitAboveWhatAnArrayHoldsIsWhatAnArrayHolds()
    {
        var most = new NinoLimits { MaxRecordBytes = int.MaxValue };
        Assert.Equal(Array.MaxLength, most.MaxRecordBytes);
        NinoSerializationException error = Assert.Throws<NinoSerializationException>(() => new CodecAdapter<bool[], ArrayCodec<bool, BooleanCodec>>().Encode(CountingWriter.Rent(), new bool[Array.MaxLength], most));
        Assert.Contains("one array", error.Message, StringComparison.Ordinal);
    }

    /// <summary>Three bytes a char are more than a number of the runtime's own counts.</summary>
    [Fact]
    public void AStringThatIsTooLongAsUtf8IsRefused() =>
        Assert.Contains("[NinoUtf8]", Assert.Throws<NinoSerializationException>(static () =>
        {
            var writer = new NinoWriter(new ArrayBufferWriter<byte>());
            default(Utf8StringCodec).Write(ref writer, new string('\u8A9E', 1 + (int.MaxValue / 3)));
        }).Message, StringComparison.Ordinal);

    [Theory]
    [InlineData("")]
    [InlineData("a")]
    [InlineData("\U0001F600")]
    [InlineData("a\U0001F600b")]
    [InlineData("ab\U0001F600")]
    [InlineData("\u8A9E\uD800\uDC00\u8A9E")]
    [InlineData("\uDC00\uD800")]
    [InlineData("a\uD800\uD800\uDC00")]
    public void ALongStringIsCountedInHalvesAsInOne(string text) => Assert.Equal(Encoding.UTF8.GetByteCount(text), Utf8StringCodec.CountLong(text));
}
