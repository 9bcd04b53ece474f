// How long does a checkpoint hold up who changes the state meanwhile? Changes come at a fixed rate while checkpoints are written one after the other, each followed by as long without one.

using System.Buffers;
using System.Collections.Immutable;
using System.Diagnostics;
using Store.Bench.Workloads;
using Store.Faster;
using Store.KeyValue;
using Store.Serialization;
using Store.State;

namespace Store.Bench.Harness.Tables;

/// <summary>Waits of single events and single puts, from when each was due until it was through. One thread changes; the checkpoint is the store's own threads'.</summary>
public sealed class PauseTables : IStoreMeasurement
{
    public static readonly StoreTable State = new("Pause by a checkpoint: StateStore.Apply, us", "us") { References = [Without] };
    public static readonly StoreTable Keyed = new("Pause by a checkpoint: keyed put, us", "us") { References = [Without] };

    private const string Without = "no checkpoint", Beside = "while a checkpoint is written", Longest = "the longest of each checkpoint", Serialized = "the state serialized into memory, nothing else";
    private const int ItemBytes = 648, ValueBytes = 100, ExpectedCalls = 1 << 20;

    private static readonly StateOptions OnlyWhenAsked = new() { CheckpointEveryEvents = long.MaxValue, CheckpointEveryBytes = long.MaxValue };

    private static readonly PausedState<ManyItems> Changed = new("", static items => new ManyItems { Items = items }, static on => on.On<ItemChanged>(static (state, e) => state.Apply(e)), static s => s.Changes, OnlyWhenAsked);

    private static readonly PausedState<ManyFixedItems> Immutable = new(", immutable", static items => new ManyFixedItems([.. items], 0), static on => on.On<ItemChanged>(static (state, e) => state.With(e)), static s => s.Changes,
        OnlyWhenAsked with { StateIsImmutable = true });

    public IReadOnlyList<StoreTable> Tables => [State, Keyed];

    public IEnumerable<StoreRow> Measure(HarnessOptions options)
    {
        int share = options.Short ? 10 : 1;
        if (options.Matches(State.Name))
        {
            WarmState(options, Changed);
            WarmState(options, Immutable);
            foreach (int mebibytes in options.Short ? (int[])[1, 64] : [1, 64, 256])
            {
                int checkpoints = (mebibytes == 1 ? 1000 : 50) / share;
                foreach (StoreRow row in MeasureState(options, Changed, mebibytes, checkpoints)) yield return row;
                foreach (StoreRow row in MeasureState(options, Immutable, mebibytes, checkpoints)) yield return row;
            }
        }

        if (!options.Matches(Keyed.Name)) yield break;
        WarmKeyed(options);
        foreach (StoreRow row in MeasureKeyed(options, 100_000, new FasterOptions(), 100 / share)) yield return row;
        if (options.Short) yield break;
        foreach (StoreRow row in MeasureKeyed(options, 1_000_000, new FasterOptions { MemorySizeBytes = 256 << 20, IndexSizeBytes = 64 << 20 }, 50)) yield return row;
    }

    private static StoreRow[] MeasureState<TState>(HarnessOptions options, PausedState<TState> kind, int mebibytes, int checkpoints) where TState : class
    {
        using var data = new BenchData(options.DataDirectory);
        List<SimpleClass> items = WorkloadData.SimpleClasses(mebibytes * 1024 * 1024 / ItemBytes);
        var output = new ArrayBufferWriter<byte>((mebibytes + 1) * 1024 * 1024);
        var serialized = new Samples();
        PacedCalls without, beside;
        using (NinoStore store = NinoStore.Open(data.Directory))
        using (StateStore<TState> state = kind.Open(store, items))
        {
            (without, beside) = (Applies(state, items.Count, ExpectedCalls), Applies(state, items.Count, ExpectedCalls));
            for (int i = 0; i < checkpoints; i++)
            {
                Alternate(without, beside, () => state.CheckpointAsync().AsTask());
                serialized.Add(state.Read(s => Serialize(output, s)));
            }
        }

        using NinoStore reopened = NinoStore.Open(data.Directory);
        using StateStore<TState> again = kind.Open(reopened, []);
        long applied = without.Count + beside.Count, found = again.Read(kind.Changes);
        if (found != applied) throw new InvalidDataException($"{found} of {applied} events are in the state.");
        string row = $"{mebibytes} MiB, {items.Count:N0} SimpleClass{kind.Suffix}";
        return [.. Rows(State, row, without, beside), StoreRow.Of(State, row, Serialized, serialized) with { Min = null, Max = serialized.Percentile(100) }];
    }

    private static void WarmState<TState>(HarnessOptions options, PausedState<TState> kind) where TState : class
    {
        using var data = new BenchData(options.DataDirectory);
        var output = new ArrayBufferWriter<byte>();
        using NinoStore store = NinoStore.Open(data.Directory);
        using StateStore<TState> state = kind.Open(store, WorkloadData.SimpleClasses(10));
        Warmup.Run(() =>
        {
            Alternate(Applies(state, 10), Applies(state, 10), () => state.CheckpointAsync().AsTask());
            state.Read(s => Serialize(output, s));
        });
    }

    private static PacedCalls Applies<TState>(StateStore<TState> state, int items, int expectedCalls = 0) where TState : class => new(number => state.Apply(new ItemChanged((int)(number % items), (int)number)), expectedCalls);

    private static double Serialize<TState>(ArrayBufferWriter<byte> output, TState state)
    {
        output.ResetWrittenCount();
        long started = Stopwatch.GetTimestamp();
        NinoSerializer.Serialize(output, in state);
        return Stopwatch.GetElapsedTime(started).TotalMicroseconds;
    }

    private static StoreRow[] MeasureKeyed(HarnessOptions options, int keys, FasterOptions memory, int checkpoints)
    {
        using var data = new BenchData(options.DataDirectory);
        using NinoStore store = NinoStore.Open(data.Directory);
        using IKeyValueStore<long, byte[]> state = Open(store, memory);
        long[] order = [.. Enumerable.Range(0, keys).Select(i => (long)i)];
        new Random(WorkloadData.Seed).Shuffle(order);
        foreach (long key in order) state.Put(key, new byte[ValueBytes]);
        PacedCalls without = Puts(state, order, ExpectedCalls), beside = Puts(state, order, ExpectedCalls);
        for (int i = 0; i < checkpoints; i++) Alternate(without, beside, () => state.CheckpointAsync().AsTask());
        if (state.Count != keys) throw new InvalidDataException($"{state.Count} of {keys} keys.");
        return Rows(Keyed, $"{keys:N0} keys of {ValueBytes} B, index of {memory.IndexSizeBytes >> 20} MiB", without, beside);
    }

    private static void WarmKeyed(HarnessOptions options)
    {
        using var data = new BenchData(options.DataDirectory);
        using NinoStore store = NinoStore.Open(data.Directory);
        using IKeyValueStore<long, byte[]> state = Open(store, new FasterOptions { MemorySizeBytes = 64 * 1024, PageSizeBytes = 4096, IndexSizeBytes = 4096 });
        long[] order = [.. Enumerable.Range(0, 10).Select(i => (long)i)];
        Warmup.Run(() => Alternate(Puts(state, order), Puts(state, order), () => state.CheckpointAsync().AsTask()));
    }

    private static IKeyValueStore<long, byte[]> Open(NinoStore store, FasterOptions memory) =>
        store.OpenKeyValue<long, byte[]>("bench", memory with { CheckpointEveryChanges = long.MaxValue, CheckpointEveryBytes = long.MaxValue });

    private static PacedCalls Puts(IKeyValueStore<long, byte[]> state, long[] order, int expectedCalls = 0)
    {
        byte[] value = new byte[ValueBytes];
        return new PacedCalls(number => state.Put(order[number % order.Length], value), expectedCalls);
    }

    private static StoreRow[] Rows(StoreTable table, string row, PacedCalls without, PacedCalls beside) =>
        [without.ToRow(table, row, Without), beside.ToRow(table, row, Beside), beside.ToLongestRow(table, row, Longest)];

    private static void Alternate(PacedCalls without, PacedCalls beside, Func<Task> begin)
    {
        Task checkpoint = begin();
        TimeSpan time = beside.RunWhile(() => !checkpoint.IsCompleted);
        checkpoint.GetAwaiter().GetResult();
        without.RunFor(time);
    }
}

/// <summary>The state of the pause rows: objects as a program has them.</summary>
[NinoType]
public sealed partial class ManyItems
{
    public List<SimpleClass> Items { get; set; } = [];

    public long Changes { get; set; }

    public void Apply(ItemChanged e)
    {
        Items[e.Index].Id = e.Value;
        Changes++;
    }
}

/// <summary>The event of the pause rows.</summary>
[NinoType]
public readonly partial record struct ItemChanged(int Index, int Value);

/// <summary>The same state where nothing is changed: each event gives another one.</summary>
[NinoType]
public sealed partial record ManyFixedItems(ImmutableList<SimpleClass> Items, long Changes)
{
    public ManyFixedItems With(ItemChanged e)
    {
        SimpleClass old = Items[e.Index];
        return new ManyFixedItems(Items.SetItem(e.Index, new SimpleClass { Id = e.Value, Name = old.Name, Numbers = old.Numbers, Dates = old.Dates, Texts = old.Texts, Pairs = old.Pairs }), Changes + 1);
    }
}

/// <summary>One sort of state of the pause rows.</summary>
internal sealed record PausedState<TState>(string Suffix, Func<List<SimpleClass>, TState> Make, Action<StateHandlers<TState>> Events, Func<TState, long> Changes, StateOptions Options) where TState : class
{
    public StateStore<TState> Open(NinoStore store, List<SimpleClass> items) => store.OpenStateAsync(() => Make(items), Events, Options).AsTask().GetAwaiter().GetResult();
}
