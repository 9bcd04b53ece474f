using Store.Serialization;
using Store.Serialization.Codecs;

namespace Store.Tests.Serialization;

/// <summary>What a program's own code throws while a record is read: the message blames nothing that did not throw.</summary>
public sealed class RefusedByCodeTests
{
    [Fact]
    public void ACallbackThatThrowsIsAmongWhatTheMessageNames() => AssertNamed<Calling>(NinoSerializer.Serialize(new Calling(1)), "callback", "not called for");

    [Fact]
    public void ACodecOfOnesOwnThatThrowsIsAmongWhatTheMessageNames() => AssertNamed<Coded>(NinoSerializer.Serialize(new Coded { Number = "x" }), "codec of your own", "no number");

    private static void AssertNamed<T>(byte[] bytes, string who, string thrown)
    {
        NinoSerializationException error = Assert.Throws<NinoSerializationException>(() => NinoSerializer.Deserialize<T>(bytes));
        Assert.Contains(who, error.Message, StringComparison.Ordinal);
        Assert.Contains($"FormatException: {thrown}", error.Message, StringComparison.Ordinal);
        Assert.IsType<FormatException>(error.InnerException);
    }

    [NinoType]
    public sealed record Calling(int Number)
    {
        [NinoOnDeserialized]
        public void Read() => throw new FormatException("not called for");
    }

    [NinoType]
    public sealed class Coded
    {
        [NinoCodec(typeof(NumberCodec))] public string Number = "";
    }

    public readonly struct NumberCodec : INinoCodec<string>
    {
        public static int MinSize => StringCodec.MinSize;

        public static SchemaNode Describe(SchemaBuilder builder) => StringCodec.Describe(builder);

        public void Write(ref NinoWriter writer, in string value) => default(StringCodec).Write(ref writer, value);

        public string Read(ref NinoReader reader) => throw new FormatException("no number");
    }
}
