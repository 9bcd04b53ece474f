using Store.Serialization;

namespace Store.Tests.Evolution;

/// <summary>Records of an older shape are rewritten and passed over by code that calls itself: on a short stack it is refused as reading is, and no process ends.</summary>
public sealed class ShortStackTests
{
    private const int Links = 1000;

    private static readonly NinoLimits s_deep = new() { MaxDepth = Links };

    [Fact]
    public void AChainThatIsRewrittenIsRefused() => AssertRefused<ChainNow>();

    [Fact]
    public void AChainThatIsPassedOverIsRefused() => AssertRefused<ChainGone>();

    [Fact]
    public void AChainThatIsDecodedWithoutItsTypeIsRefused()
    {
        byte[] bytes = Chain();
        NinoSchema schema = NinoSerializer.SchemaOf<ChainBefore>();
        Exception? error = null;
        OnAStackOf(144 << 10, () => error = Record.Exception(() => NinoValue.Decode(schema, bytes, s_deep)));
        Assert.Contains("stack", Assert.IsType<NinoSerializationException>(error).Message, StringComparison.Ordinal);
    }

    // Of the stack the runtime keeps 128 KiB for itself: what is left is 16 bytes an object, in which no frame has room.
    private static void AssertRefused<T>()
    {
        byte[] bytes = Chain();
        NinoSchema schema = NinoSerializer.SchemaOf<ChainBefore>();
        Exception? error = null;
        OnAStackOf(16 << 20, () => error = Record.Exception(() => NinoCodec<T>.Default.Decode(bytes, schema, s_deep)));
        Assert.Null(error);
        OnAStackOf(144 << 10, () => error = Record.Exception(() => NinoCodec<T>.Default.Decode(bytes, schema, s_deep)));
        Assert.Contains("stack", Assert.IsType<NinoSerializationException>(error).Message, StringComparison.Ordinal);
    }

    private static byte[] Chain()
    {
        ChainBefore? value = null;
        for (int i = 0; i < Links; i++) value = new ChainBefore { Id = i, Name = $"{i}", Next = value };
        byte[] bytes = [];
        OnAStackOf(16 << 20, () => bytes = NinoSerializer.Serialize(value, s_deep));
        return bytes;
    }

    private static void OnAStackOf(int bytes, Action run)
    {
        var thread = new Thread(() => run(), bytes);
        thread.Start();
        thread.Join();
    }
}

[NinoType]
public sealed class ChainBefore
{
    public int Id { get; set; }
    public string? Name { get; set; }
    public ChainBefore? Next { get; set; }
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
