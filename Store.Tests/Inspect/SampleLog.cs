using Store.Serialization;
using Store.Tests.Log;
using Store.Tests.Values;

namespace Store.Tests.Inspect;

/// <summary>Small stores whose every byte is the same in each run: ids and clock are fixed, records are written by hand.</summary>
internal static class SampleLog
{
    public static readonly NinoSchema Trade = NinoSchema.Create(Shapes.Class("Shop.Trade",
        ("Id", Shapes.Of(SchemaKind.Int32)),
        ("Price", Shapes.Of(SchemaKind.Decimal)),
        ("Side", Shapes.Enum("Shop.Side", SchemaKind.Byte, isFlags: false, [("Buy", 1), ("Sell", 2)])),
        ("Symbol", Shapes.Of(SchemaKind.String)),
        ("Tags", SchemaNode.Map(Shapes.Of(SchemaKind.String), Shapes.Of(SchemaKind.Int32)))));

    public static readonly NinoSchema Tick = NinoSchema.Create(Shapes.Struct("Shop.Tick", ("At", Shapes.Of(SchemaKind.DateTime)), ("Value", Shapes.Of(SchemaKind.Double))));

    private static readonly DateTime Start = new(2026, 1, 1, 9, 0, 0, DateTimeKind.Utc);

    /// <summary>A closed one-file log of 8 trades and 4 ticks.</summary>
    public static string OneFile(TemporaryFolder folder)
    {
        string path = folder["trades.log"];
        using NinoStore store = NinoLog.Create(path, Options());
        Fill(store);
        return path;
    }

    /// <summary>A closed store folder of three segments.</summary>
    public static string Folder(TemporaryFolder folder)
    {
        string path = folder["store"];
        using NinoStore store = NinoStore.Open(path, Options());
        for (int i = 0; i < 10; i++) Fill(store);
        return path;
    }

    public static byte[] TradeRecord(int id, string symbol) =>
        new RecordBytes().Int32(id).Decimal(10.50m + id).Raw((byte)(1 + id % 2)).Text(symbol).Count(1).Text("lot").Int32(id * 100).ToArray();

    public static NinoStoreOptions Options() => new()
    {
        RunsInline = true,
        NewId = Simulated.Ids(1),
        TimeProvider = new SteppingClock(),
        FirstSegmentSizeBytes = 4096,
        SegmentSizeBytes = 64 * 1024,
        BufferSizeBytes = 256 * 1024,
    };

    private static void Fill(NinoStore store)
    {
        for (int i = 1; i <= 12; i++)
        {
            if (i % 3 == 0) store.AppendRecord(Tick, new RecordBytes().DateTime(Start.AddSeconds(i)).Int64(BitConverter.DoubleToInt64Bits(i / 4.0)).ToArray());
            else store.AppendRecord(Trade, TradeRecord(i, i == 4 ? "Ünï\u001B[31m" : $"SYM{i}"));
            if (i % 4 == 0) store.CommitAsync().AsTask().GetAwaiter().GetResult();
        }
    }
}
