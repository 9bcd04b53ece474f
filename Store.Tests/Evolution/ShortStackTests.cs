using Store.Serialization;

namespace Store.Tests.Evolution;

/// <summary>Records of an older shape are rewritten and passed over by code that calls itself: on a short stack it is refused as reading is, and no process ends.</summary>
public sealed class ShortStackTests
{
    private const int Links = 1000;

    private static readonly NinoLimits s_deep = new() { MaxDepth = Links };

    [Fact]
    public void AChainThatIsRewrittenIsRefused() => AssertRefused((schema, bytes) => NinoCodec<ChainNow>.Default.Decode(bytes, schema, s_deep));

    [Fact]
    public void AChainThatIsPassedOverIsRefused() => AssertRefused((schema, bytes) => NinoCodec<ChainGone>.Default.Decode(bytes, schema, s_deep));

    [Fact]
    public void AChainThatIsDecodedWithoutItsTypeIsRefused() => AssertRefused((schema, bytes) => NinoValue.Decode(schema, bytes, s_deep));

    // Of the stack the runtime keeps 128 KiB for itself: what is left is 16 bytes an object, in which no frame has room.
    private static void AssertRefused(Action<NinoSchema, byte[]> read)
    {
        byte[] bytes = Chain();
        NinoSchema schema = NinoSerializer.SchemaOf<ChainBefore>();
        Assert.Null(OwnStack.Run(16 << 20, () => read(schema, bytes)));
        Assert.Contains("stack", Assert.IsType<NinoSerializationException>(OwnStack.Run(144 << 10, () => read(schema, bytes))).Message, StringComparison.Ordinal);
    }

    private static byte[] Chain()
    {
        ChainBefore? value = null;
        for (int i = 0; i < Links; i++) value = new ChainBefore { Id = i, Name = $"{i}", Next = value };
        byte[] bytes = [];
        Assert.Null(OwnStack.Run(16 << 20, () => bytes = NinoSerializer.Serialize(value, s_deep)));
        return bytes;
    }
}

[NinoType]
public sealed class ChainBefore
{
    public int Id { get; set; }

    // In front of another one: what passes over the last member needs no stack for it, once the run time has made that call a jump.
    public ChainBefore? Next { get; set; }
    public string? Name { get; set; }
}

[NinoType, NinoFormerName("Store.Tests.Evolution.ChainBefore")]
public sealed class ChainNow
{
    public string? Name { get; set; }
    public ChainNow? Next { get; set; }
    public long Id { get; set; }
}

[NinoType, NinoFormerName("Store.Tests.Evolution.ChainBefore")]
public sealed class ChainGone
{
    public string? Name { get; set; }
}
