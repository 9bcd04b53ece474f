// The code of README.md, compiled and run. ReadmeTests compares the text.

using Store.Faster;
using Store.Serialization;
using Store.Snapshots;
using Store.Tests.Log;

namespace Store.Tests.Docs;

[NinoType]
public partial record Trade(int Id, string Symbol, decimal Price, DateTime At);

[NinoType] public abstract partial record Order(string Symbol);
[NinoType] public sealed partial record MarketOrder(string Symbol, int Count) : Order(Symbol);
[NinoType] public sealed partial record LimitOrder(string Symbol, int Count, decimal Price) : Order(Symbol);

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
        long sequence = store.Append(new Trade(1, "ABC", 10.5m, now));      // buffered, not yet durable
        store.AppendBatch<Trade>(trades);                                   // one atomic frame: all or nothing
        await store.CommitAsync();                                          // everything appended before is on the disk

        foreach (var record in store.Read<Trade>())                         // your own writes included
            Console.WriteLine($"{record.Sequence} {record.Timestamp:O} {record.Value}");

        Assert.Equal(1, sequence);
        Assert.Equal(3, _printed.ToString().Split('\n', StringSplitOptions.RemoveEmptyEntries).Length);
        Assert.Equal(3, store.DurableSequence);
    }

    [Fact]
    public async Task ABaseAndItsCasesWorkAsPrinted()
    {
        await using var store = NinoStore.Open("data");
        store.AppendBatch<Order>([new MarketOrder("ABC", 5), new LimitOrder("DEF", 1, 9.5m)]);
        foreach (var record in store.Read<Order>()) Console.WriteLine(record.Value);

        Assert.Equal(["MarketOrder { Symbol = ABC, Count = 5 }", "LimitOrder { Symbol = DEF, Count = 1, Price = 9.5 }"], _printed.ToString().Split('\n', StringSplitOptions.RemoveEmptyEntries).Select(static line => line.Trim()));
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
        string[] symbols = ["ABC", "DEF", "GHI"];
        await using var store = NinoStore.Open("data");

        // As in the block before: its own checkpoint comes behind that of the parts, and is no reason to open it instead.
        await using var counts = await store.OpenStateAsync<Counts>(on => on.On<Trade>((state, trade) => state.Apply(trade)));
        counts.Apply(trades[0]);
        SnapshotInfo written = await store.CheckpointPartsAsync(new SnapshotParts().Add("symbols", symbols).AddItems("trades", trades));
        using SnapshotFile snapshot = store.OpenSnapshot(written.TypeName)!;  // microseconds, whatever its size
        Trade third = snapshot.Part("trades").Item<Trade>(2);               // its pages verified now, at first touch

        Assert.Equal(trades[2], third);
        Assert.Equal(symbols, snapshot.Part("symbols").Read<string[]>());
        Assert.Equal(2, store.Snapshots.Count);
    }

    [Fact]
    public async Task FollowingKeepingAndCopyingWorkAsPrinted()
    {
        await using var store = NinoStore.Open("data");
        for (int i = 1; i <= 3; i++) store.Append(new Trade(i, $"T{i}", 1m, default));
        await store.CommitAsync();
        using var stopping = new CancellationTokenSource();
        CancellationToken stop = stopping.Token;
        async Task Follow()
        {
            LogCursor cursor = store.OpenCursor("mailer");                      // a durable position; records after it are kept
            await foreach (var record in store.TailAsync<Trade>(cursor, stop))  // what is there, then what is appended: without polling
            {
                Console.WriteLine(record.Value.Symbol);
                await cursor.CommitAsync(record.Sequence);                      // after a crash it goes on with the next one
            }
        }

        Task following = Follow();
        while (store.Cursors.Count == 0 || store.OpenCursor("mailer").Position < 3) await Task.Delay(5);
        await stopping.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => following);
        store.TruncateBefore(store.LastSequence - 1000);                    // whole segments, never what a cursor or snapshot needs
        BackupResult backup = await store.BackupToAsync("copy");            // of the live store; the second time only what is new. Look at backup.Omitted

        Assert.Empty(backup.Omitted);
        Assert.Equal(["T1", "T2", "T3"], _printed.ToString().Split('\n', StringSplitOptions.RemoveEmptyEntries).Select(static line => line.Trim()));
        await using NinoStore copy = NinoStore.Open("copy");
        Assert.Equal((3, 3), (copy.LastSequence, copy.OpenCursor("mailer").Position));
    }

    [Fact]
    public async Task ShippingWorksAsPrinted()
    {
        await using var store = NinoStore.Open("data");
        store.AppendBatch<Trade>([new(1, "ABC", 1m, default), new(2, "DEF", 2m, default)]);
        await store.CommitAsync();
        await using var follower = NinoStore.Open("follower");
        foreach (RawFrame frame in store.ReadFrames(follower.LastSequence + 1)) follower.Import(frame);

        Assert.Equal(2, follower.LastSequence);
        await store.AppendAsync(new Trade(3, "GHI", 3m, default));
        using var stream = new MemoryStream();
        await store.ShipToAsync(stream, fromSequence: 1);                   // resumable: what the other has already is skipped
        using var received = new MemoryStream(stream.ToArray());
        ImportResult result = await follower.ImportAsync(received);         // a gap, another log or damage: ShipmentException

        Assert.Equal((3L, 1L, 1L), (result.LastSequence, result.FramesImported, result.FramesRepeated));
        Assert.Equal(store.Read<Trade>().ToList(), follower.Read<Trade>().ToList());
    }

    [Fact]
    public async Task ReadingOnlyWorksAsPrinted()
    {
        await using var store = NinoStore.Open("data");
        await store.AppendAsync(new Trade(1, "ABC", 1m, default));
        using var view = NinoStore.Open("data", new NinoStoreOptions { ReadOnly = true });   // no lock, no change
        Console.WriteLine($"{view.LastSequence} records, {view.Snapshots.Count} snapshots");

        Assert.Equal("1 records, 0 snapshots", _printed.ToString().Trim());
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
