using System.Buffers;
using Store.Serialization;
using Store.Serialization.Codecs;

namespace Store.Tests.Serialization;

/// <summary>A codec that somebody wrote may write less than it says that it always does, nothing at all, or into a writer of its own: the record could not be read, so there is none.</summary>
public class WrittenTooLittleTests
{
    [Theory]
    [InlineData(SilentCodec.Fault.Nothing, "wrote fewer bytes than its MinSize, 1")]
    [InlineData(SilentCodec.Fault.Elsewhere, "wrote into another writer than it was given")]
    public void ItIsNamedAndNothingIsWritten(SilentCodec.Fault fault, string message)
    {
        var value = new Listening { Before = "before", Silent = new Silent("seven"), Behind = [new Silent("one"), new Silent(null)] };
        byte[] expected = NinoSerializer.Serialize(value);
        Assert.Equal(value.Behind, NinoSerializer.Deserialize<Listening>(expected)!.Behind);
        foreach (Action way in new Action[]
        {
            () => NinoSerializer.Serialize(value), () => NinoSerializer.Serialize(new ArrayBufferWriter<byte>(), value), () => NinoSerializer.TrySerialize(value, new byte[100], out _), () => NinoSerializer.GetSize(value),
            () => NinoSerializer.Clone(value),
        })
        {
            SilentCodec.Now = fault;
            try
            {
                NinoSerializationException error = Assert.Throws<NinoSerializationException>(way);
                Assert.Equal("Silent", error.MemberPath);
                Assert.Contains("SilentCodec' " + message, error.Message, StringComparison.Ordinal);
            }
            finally
            {
                SilentCodec.Now = SilentCodec.Fault.None;
            }

            Assert.Equal(expected, NinoSerializer.Serialize(value));
        }
    }

    [Fact]
    public void ASizeBelowNothingIsSaidToBeOne()
    {
        var output = new ArrayBufferWriter<byte>();
        Assert.Contains("asked for -5 bytes", Assert.Throws<NinoSerializationException>(() => new NinoWriter(output).Reserve(-5)).Message, StringComparison.Ordinal);
        Assert.Contains("asked for -5 bytes", Assert.Throws<NinoSerializationException>(() => new NinoWriter(new byte[8]).Take(-5)).Message, StringComparison.Ordinal);
        Assert.Contains("asked for -5 bytes", Assert.Throws<NinoSerializationException>(() => new NinoReader(new byte[8]).Take(-5)).Message, StringComparison.Ordinal);
    }
}

[NinoCodec(typeof(SilentCodec))]
public readonly record struct Silent(string? Text);

/// <summary>A text, written as this thread is told.</summary>
public readonly struct SilentCodec : INinoCodec<Silent>
{
    public enum Fault
    {
        None,
        Nothing,
        Elsewhere,
    }

    [ThreadStatic]
    private static Fault s_now;

    internal static Fault Now { set => s_now = value; }

    public static int MinSize => StringCodec.MinSize;

    public static SchemaNode Describe(SchemaBuilder builder) => StringCodec.Describe(builder);

    public void Write(ref NinoWriter writer, in Silent value)
    {
        switch (s_now)
        {
            case Fault.Nothing:
                break;
            case Fault.Elsewhere:
                writer = new NinoWriter(new ArrayBufferWriter<byte>());
                writer.Take(100) = 1;
                break;
            default:
                default(StringCodec).Write(ref writer, value.Text!);
                break;
        }
    }

    public Silent Read(ref NinoReader reader) => new(default(StringCodec).Read(ref reader));
}

[NinoType]
public sealed class Listening
{
    public string Before { get; set; } = "";

    public Silent Silent { get; set; }

    public Silent[] Behind { get; set; } = [];
}
