// Event sourcing on real data: orders are decided on the state they will change, the events that they become are the log, the state is what the log amounts to.
// Snapshots are written on the way by themselves. Then everything is opened again, and once more from the first event, and compared.

using System.Diagnostics;
using System.Globalization;
using EventSourcing;
using SampleTools;
using Store;
using Store.State;

CultureInfo.CurrentCulture = CultureInfo.InvariantCulture;
string folder = Path.GetFullPath(args is [{ } path] ? path : "event-sourcing-data");
if (!SampleFolder.TryPrepare(folder, "EventSourcing")) return 2;
Flown[] orders = [.. File.ReadLines(Path.Combine(AppContext.BaseDirectory, "flights-20k.csv")).Skip(1).Select(line => line.Split(',')).Select(cells => new Flown(DateTime.Parse(cells[0]), cells[3], cells[4], int.Parse(cells[1])))];
string before;

await using (NinoStore store = NinoStore.Open(folder))
{
    await using StateStore<Network> network = await store.OpenStateAsync<Network>(Events, new StateOptions { CheckpointEveryEvents = 5_000 });
    int refused = 0;
    for (int i = 0; i < orders.Length; i++)
    {
        if (i == 15_000) network.Apply(new Closed("ORD"));
        if (network.Decide(orders[i], static (state, order) => state.Decide(order)) == 0) refused++;
    }

    await network.CommitAsync();
    before = network.Read(state => state.Summary());
    Console.WriteLine($"decided   {orders.Length:N0} orders, {refused:N0} refused because Chicago O'Hare had closed");
    Console.WriteLine($"state     {before}");
}

var watch = Stopwatch.StartNew();
await using (NinoStore store = NinoStore.Open(folder))
{
    await using StateStore<Network> network = await store.OpenStateAsync<Network>(Events);
    Console.WriteLine($"reopened  in {watch.Elapsed.TotalMilliseconds:N0} ms from {store.Recovery.SnapshotUsed} and {store.Recovery.RecordsReplayed:N0} events after it");

    var fromTheFirstEvent = new Network();
    foreach (LogRecord record in store.ReadRecords())
    {
        if (record.Is<Flown>()) fromTheFirstEvent.Apply(record.As<Flown>());
        if (record.Is<Closed>()) fromTheFirstEvent.Apply(record.As<Closed>());
    }

    bool same = network.Read(state => state.Summary()) == before && fromTheFirstEvent.Summary() == before;
    Console.WriteLine(same ? "compared  the same as before, and the same as replaying every event" : "compared  NOT the same");
    return same ? 0 : 1;
}

static void Events(StateHandlers<Network> on) => on.On<Flown>((state, e) => state.Apply(e)).On<Closed>((state, e) => state.Apply(e));
