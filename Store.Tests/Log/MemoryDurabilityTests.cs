using Store.Tests.Simulation;

namespace Store.Tests.Log;

/// <summary>The row "Memory" of docs/durability.md: a record has its sequence and lies in memory. A killed process loses what was appended since the last flush and nothing before; one that is closed loses nothing.</summary>
public sealed class MemoryDurabilityTests
{
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(60);

    private static int[] Kept(SimDirectory left)
    {
        using NinoStore store = Simulated.Open(left, seed: 2);
        Assert.Equal(store.LastSequence, store.Recovery.LastSequence);
        return [.. store.Read<int>().Select(static r => r.Value)];
    }

    // Of what no sync has covered nothing is left.
    private static SimDirectory WithoutPower(SimDirectory directory)
    {
        CrashImage image = directory.TakeImage();
        return image.Build(image.NothingSurvives);
    }

    [Theory]
    [InlineData(1)]
    [InlineData(50)]
    public async Task AKilledProcessLosesWhatWasAppendedSinceTheLastFlushAndNothingBefore(int records)
    {
        var directory = new SimDirectory();
        List<string> operations = [];
        using NinoStore store = Simulated.Open(directory, change: static o => o with { Durability = Durability.Memory });
        for (int round = 0; round < 4; round++)
        {
            int flushed = round * records;
            directory.OnOperation = (_, what) => operations.Add(what);
            for (int i = 1; i <= records; i++)
            {
                ValueTask<long> append = store.AppendAsync(flushed + i);
                Assert.True(append.IsCompletedSuccessfully);
                Assert.Equal(flushed + i, await append);
            }

            directory.OnOperation = null;
            Assert.Empty(operations);
            Assert.Equal(Enumerable.Range(1, flushed), Kept(directory.KillProcess()));

            store.Opened.Log.Wait(Durability.PageCache);
            Assert.Equal(Enumerable.Range(1, flushed + records), Kept(directory.KillProcess()));

            // And nothing of it is promised to survive a power failure: nothing was synced.
            Assert.Equal(0, store.DurableSequence);
            Assert.Empty(Kept(WithoutPower(directory)));
        }
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task ACleanCloseKeepsWhatWasOnlyInMemoryAndMakesItDurable(bool runsInline)
    {
        var directory = new SimDirectory();
        await using (NinoStore store = Simulated.Open(directory, change: o => o with { Durability = Durability.Memory, RunsInline = runsInline, FlushIntervalMs = 60_000 }))
        {
            for (int i = 1; i <= 300; i++) Assert.Equal(i, await store.AppendAsync(i));
        }

        Assert.Equal(Enumerable.Range(1, 300), Kept(WithoutPower(directory)));
        Assert.Equal(Enumerable.Range(1, 300), Kept(directory.KillProcess()));
    }

    [Fact]
    public async Task WithoutAnyCallTheFlushIntervalBringsARecordToTheOperatingSystem()
    {
        var directory = new SimDirectory();
        await using NinoStore store = Simulated.Open(directory, change: static o => o with { Durability = Durability.Memory, RunsInline = false, FlushIntervalMs = 1 });
        for (int i = 1; i <= 20; i++)
        {
            await store.AppendAsync(i);
            Assert.True(SpinWait.SpinUntil(() => Kept(directory.KillProcess()).Length == i, Patience), $"record {i} stayed in memory");
        }
    }

    [Fact]
    public async Task ALongerIntervalKeepsItInMemorySoLong()
    {
        var directory = new SimDirectory();
        NinoStore store = Simulated.Open(directory, change: static o => o with { Durability = Durability.Memory, RunsInline = false, FlushIntervalMs = 60_000 });
        await store.AppendAsync(1);
        await store.CommitAsync();
        for (int i = 2; i <= 10; i++) await store.AppendAsync(i);

        Assert.Equal([1], Kept(directory.KillProcess()));
        await store.DisposeAsync();
        Assert.Equal(Enumerable.Range(1, 10), Kept(directory));
    }
}
