using Store.State;
using Store.Tests.Log;
using Store.Tests.Simulation;

namespace Store.Tests.Evolution;

/// <summary>States and events of earlier shapes and names, where a whole state is restored.</summary>
public class StateEvolutionTests
{
    private static async Task<SimDirectory> WrittenAsync(bool checkpoint)
    {
        var directory = new SimDirectory();
        using NinoStore store = Simulated.Open(directory);
        store.Append(new Before.Line("a", 2, 1));
        if (checkpoint) await store.CheckpointAsync(new Before.Total(2));
        store.Append(new Before.Line("b", 3, 1));
        store.AppendBatch<Before.Line>([new("c", 4, 1), new("d", 5, 1)]);
        return directory;
    }

    private static void Add(After.Total total, After.Line line)
    {
        total.Sum += line.Count;
        total.Orders++;
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task AStateHolderReadsStateAndEventsOfEarlierNamesAndShapes(bool checkpoint)
    {
        SimDirectory directory = await WrittenAsync(checkpoint);
        await using (NinoStore store = Simulated.Open(directory, 2))
        {
            await using StateStore<After.Total> state = await store.OpenStateAsync<After.Total>(static on => on.On<After.Line>(Add));
            Assert.Equal((14m, checkpoint ? 3 : 4), state.Read(static t => (t.Sum, t.Orders)));
            Assert.Equal(checkpoint ? 3 : 4, store.Recovery.RecordsReplayed);
            state.Apply(new After.Line(6, "e"));
            await state.CheckpointAsync();
        }

        await using NinoStore again = Simulated.Open(directory, 3);
        await using StateStore<After.Total> restored = await again.OpenStateAsync<After.Total>(static on => on.On<After.Line>(Add));
        Assert.Equal((20m, 0L), (restored.Read(static t => t.Sum), again.Recovery.RecordsReplayed));
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task RestoringOverRecordsOfAllTypesDoesToo(bool checkpoint)
    {
        SimDirectory directory = await WrittenAsync(checkpoint);
        using NinoStore store = Simulated.Open(directory, 2);
        store.Append("of another type");
        store.Append(new After.Line(6, "e"));
        int others = 0;
        After.Total total = await store.RestoreAsync<After.Total>((state, record) =>
        {
            if (record.Is<After.Line>()) Add(state, record.As<After.Line>());
            else others++;
        });
        Assert.Equal((20m, 1), (total.Sum, others));
    }
}
