// The code of README.md, compiled and run. ReadmeTests compares the text.

using Store.Faster;
using Store.Serialization;
using Store.Snapshots;
using Store.Tests.Log;

namespace Store.Tests.Docs;

[NinoType]
public partial record Trade(int Id, string Symbol, decimal Price, DateTime At);

[NinoType]
public partial class Counts
{
    public Dictionary<string, int> BySymbol { get; set; } = [];

    public void Apply(Trade trade) => BySymbol[trade.Symbol] = BySymbol.GetValueOrDefault(trade.Symbol) + 1;
}

[Collection("uses the current folder and the console")]
public sealed class ReadmeSnippets : IDisposable
{
    private readonly TemporaryFolder _folder = new();
    private readonly string _before = Directory.GetCurrentDirectory();
    private readonly TextWriter _console = Console.Out;
    private readonly StringWriter _printed = new();

    public ReadmeSnippets()
    {
        Directory.SetCurrentDirectory(_folder.Path);
        Console.SetOut(_printed);
    }

    public void Dispose()
    {
        Console.SetOut(_console);
        Directory.SetCurrentDirectory(_before);
        _folder.Dispose();
    }

    [Fact]
    public async Task TheFirstLinesWorkAsPrinted()
    {
        DateTime now = new(2026, 1, 1, 12, 0, 0, DateTimeKind.Utc);
        Trade[] trades = [new(2, "DEF", 1m, now), new(3, "ABC", 2m, now)];
        await using var store = NinoStore.Open("data");                     // a folder; created, or recovered after a crash
        long sequence = store.Append(new Trade(1, "ABC", 10.5m, now));      // buffered: returns at once
        store.AppendBatch<Trade>(trades);                                   // one atomic frame: all or nothing
        await store.CommitAsync();                                          // everything appended before is on the disk

        foreach (var record in store.Read<Trade>())                         // your own writes included
            Console.WriteLine($"{record.Sequence} {record.Timestamp:O} {record.Value}");

        Assert.Equal(1, sequence);
        Assert.Equal(3, _printed.ToString().Split('\n', StringSplitOptions.RemoveEmptyEntries).Length);
        Assert.Equal(3, store.DurableSequence);
    }

    [Fact]
    public async Task CheckpointAndRestoreWorkAsPrinted()
    {
        await using var store = NinoStore.Open("data");
        store.Append(new Trade(1, "ABC", 10.5m, default));
        var counts = new Counts();
        foreach (var record in store.Read<Trade>()) counts.Apply(record.Value);
        await store.CheckpointAsync(counts);                                // a snapshot, linked to the log's sequence

        store.Append(new Trade(2, "ABC", 11m, default));
        // later, or after a crash: the newest snapshot that is whole, and every record after it
        var restored = await store.RestoreAsync<Counts, Trade>((state, trade) => state.Apply(trade));
        Console.WriteLine($"{store.Recovery.SnapshotUsed}, {store.Recovery.RecordsReplayed} records replayed");

        Assert.Equal(2, restored.BySymbol["ABC"]);
        Assert.Equal(1, store.Recovery.RecordsReplayed);
        Assert.NotNull(store.Recovery.SnapshotUsed);
    }

    [Fact]
    public async Task TheOneFileLogWorksAsPrinted()
    {
        Trade[] trades = [new(1, "ABC", 1m, default), new(2, "DEF", 2m, default)];
        await using (var log = NinoLog.Create("log.bin"))                   // disposing seals it to its exact size
            log.AppendBatch<Trade>(trades);

        await using NinoStore read = NinoStore.Open("log.bin");
        Assert.Equal(trades, read.Read<Trade>().Select(r => r.Value));
    }

    [Fact]
    public async Task KeyedStateWorksAsPrinted()
    {
        await using var store = NinoStore.Open("data");
        using var prices = store.OpenKeyValue<string, decimal>("prices");
        prices.Put("ABC", 10.5m);
        if (prices.TryGet("ABC", out decimal price)) Console.WriteLine(price);
        prices.Update("ABC", p => p * 2);                                   // one step; the log gets the result
        prices.PutBatch([new("DEF", 1m), new("GHI", 2m)]);                  // one atomic frame
        foreach (var (symbol, last) in prices.Scan()) Console.WriteLine($"{symbol} {last}");
        await store.CheckpointAllAsync();                                   // opening need not replay what came before

        string[] lines = _printed.ToString().Split('\n', StringSplitOptions.RemoveEmptyEntries);
        Assert.Equal("10.5", lines[0].Trim());
        Assert.Equal(["ABC 21.0", "DEF 1", "GHI 2"], lines.Skip(1).Select(line => line.Trim()).Order(StringComparer.Ordinal));
    }

    [Fact]
    public async Task EventSourcedStateWorksAsPrinted()
    {
        DateTime now = new(2026, 1, 1, 12, 0, 0, DateTimeKind.Utc);
        await using var store = NinoStore.Open("data");
        await using var counts = await store.OpenStateAsync<Counts>(on => on.On<Trade>((state, trade) => state.Apply(trade)));
        counts.Apply(new Trade(1, "ABC", 10.5m, now));                      // appended, then applied, as one step
        int abc = counts.Read(state => state.BySymbol["ABC"]);              // beside other readers, never beside an event
        counts.Decide(new Trade(2, "ABC", 11m, now), (state, order) => state.BySymbol["ABC"] < 5 ? order : null);
        await counts.CommitAsync();                                         // now they survive a power failure

        Assert.Equal((1, 2), (abc, counts.Read(state => state.BySymbol["ABC"])));
        Assert.Equal(2, store.DurableSequence);
    }

    [Fact]
    public async Task SnapshotsOfPartsWorkAsPrinted()
    {
        Trade[] trades = [new(1, "ABC", 1m, default), new(2, "DEF", 2m, default), new(3, "GHI", 3m, default)];
        var total = new Counts();
        await using var store = NinoStore.Open("data");
        await store.CheckpointPartsAsync(new SnapshotParts().Add("counts", total).AddItems("trades", trades));
        using SnapshotFile snapshot = store.OpenSnapshot()!;                // microseconds, whatever its size
        Trade third = snapshot.Part("trades").Item<Trade>(2);               // its pages verified now, at first touch

        Assert.Equal(trades[2], third);
        Assert.Empty(snapshot.Part("counts").Read<Counts>().BySymbol);
    }

    [Fact]
    public void TheSerializerAloneWorksAsPrinted()
    {
        var trade = new Trade(1, "ABC", 10.5m, new DateTime(2026, 1, 1, 0, 0, 0, DateTimeKind.Utc));
        byte[] bytes = NinoSerializer.Serialize(trade);
        Trade copy = NinoSerializer.Deserialize<Trade>(bytes);              // bounds-checked; one exception type for damaged input

        Assert.Equal(trade, copy);
    }
}
