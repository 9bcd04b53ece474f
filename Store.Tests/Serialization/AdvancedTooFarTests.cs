using Store.Serialization;
using Store.Serialization.Codecs;

namespace Store.Tests.Serialization;

/// <summary>A codec that somebody wrote may move its writer farther than there is room, or back: then nothing is written there.</summary>
public class AdvancedTooFarTests
{
    [Theory]
    [InlineData(9)]
    [InlineData(int.MaxValue)]
    [InlineData(-1)]
    [InlineData(int.MinValue)]
    public void TheCursorStaysWithinItsSpan(int size)
    {
        byte[] bytes = [1, 2, 3, 4, 5, 6, 7, 8];
        Assert.Contains($"moved its writer by {size} bytes", Assert.Throws<NinoSerializationException>(() => Advance(bytes, size)).Message, StringComparison.Ordinal);
        Assert.Equal([1, 2, 3, 4, 5, 6, 7, 8], bytes);
    }

    /// <summary>In every way of writing, and in the middle of a record: behind it stands a member that is written as ever.</summary>
    [Theory]
    [InlineData(100_000_000)]
    [InlineData(-100_000)]
    public void ACodecThatDoesSoIsNamedByItsMember(int size)
    {
        var value = new Stepping { Before = "before", Step = new Step(size), Behind = new string('x', 1000) };
        var fine = new Stepping { Before = "before", Step = default, Behind = new string('x', 1000) };
        byte[] expected = NinoSerializer.Serialize(fine);
        foreach (Action way in new Action[]
        {
            () => NinoSerializer.Serialize(value), () => NinoSerializer.Serialize(new OddWriter(Oddity.Exact), value), () => NinoSerializer.Serialize(new MemoryStream(), value, NinoHeader.Schema),
            () => NinoSerializer.TrySerialize(value, new byte[10], out _), () => NinoSerializer.GetSize(value), () => NinoSerializer.Clone(value), () => NinoSerializer.Serialize((object)value),
        })
        {
            NinoSerializationException error = Assert.Throws<NinoSerializationException>(way);
            Assert.Equal("Step", error.MemberPath);
            Assert.Contains($"moved its writer by {size} bytes", error.Message, StringComparison.Ordinal);
            Assert.Equal(expected, NinoSerializer.Serialize(fine));
        }
    }

    private static void Advance(byte[] bytes, int size)
    {
        var writer = new NinoWriter(bytes);
        writer.Reserve(4);
        writer.Advance(size);
    }
}

/// <summary>How far its codec moves its writer when it is not 0.</summary>
[NinoCodec(typeof(StepCodec))]
public readonly record struct Step(int Size);

public readonly struct StepCodec : INinoCodec<Step>
{
    public static int MinSize => 1;

    public static SchemaNode Describe(SchemaBuilder builder) => StringCodec.Describe(builder);

    public void Write(ref NinoWriter writer, in Step value)
    {
        // The null of a string.
        writer.Reserve(1) = 0;
        writer.Advance(value.Size == 0 ? 1 : value.Size);
    }

    public Step Read(ref NinoReader reader) => reader.Take(1) == 0 ? default : throw new NinoSerializationException("No step is read but one of no size.");
}

[NinoType]
public sealed class Stepping
{
    public string Before { get; set; } = "";

    public Step Step { get; set; }

    public string Behind { get; set; } = "";
}
