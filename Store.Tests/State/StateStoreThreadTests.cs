using Store.State;
using Store.Tests.Log;

namespace Store.Tests.State;

public class StateStoreThreadTests
{
    /// <summary>Deposits and withdrawals come in pairs of one step, so a reader that sees half a step sees money.</summary>
    [Fact]
    public async Task ReadersNeverSeeHalfAnEventAndCheckpointsAreExact()
    {
        const int writers = 3, rounds = 400;
        using var folder = new TemporaryFolder();
        string expected;
        await using (NinoStore store = NinoStore.Open(folder["store"]))
        {
            await using StateStore<Bank> bank = await store.OpenStateAsync<Bank>(Bank.Events_, new StateOptions { CheckpointEveryEvents = 100 });
            using var done = new CancellationTokenSource();
            Task reader = Task.Run(() =>
            {
                while (!done.IsCancellationRequested) Assert.Equal(0, bank.Read(b => b.Accounts.Values.Sum()));
            });
            await Task.WhenAll(Enumerable.Range(0, writers).Select(w => Task.Run(() =>
            {
                for (int i = 0; i < rounds; i++)
                {
                    bank.ApplyBatch<Deposited>([new($"from {w}", -i), new($"to {w}", i)]);
                    store.Append(new Remark("beside"));
                }
            })));
            await done.CancelAsync();
            await reader;
            Assert.Null(bank.CheckpointFailure);
            await bank.CheckpointAsync();
            expected = bank.Read(b => b.Text());
            Assert.Equal(Bank.Of(store).Text(), expected);
        }

        await using NinoStore again = NinoStore.Open(folder["store"]);
        foreach (SnapshotInfo info in again.Snapshots)
        {
            using var file = Store.Snapshots.SnapshotFile.Open(Path.Combine(again.Path, info.FileName));
            Assert.Equal(Bank.Of(again, info.Sequence).Text(), file.Read<Bank>().Text());
        }

        await using StateStore<Bank> restored = await again.OpenStateAsync<Bank>(Bank.Events_);
        Assert.Equal((0, expected), (again.Recovery.RecordsReplayed, restored.Read(b => b.Text())));
    }

    [Fact]
    public async Task EventsGoOnWhileACheckpointIsBeingWritten()
    {
        using var folder = new TemporaryFolder();
        await using NinoStore store = NinoStore.Open(folder["store"]);
        await using StateStore<Bank> bank = await store.OpenStateAsync<Bank>(Bank.Events_);
        bank.Apply(new Deposited("ann", 1));
        Task<SnapshotInfo>[] checkpoints = [.. Enumerable.Range(0, 4).Select(_ => bank.CheckpointAsync().AsTask())];
        for (int i = 0; i < 1000; i++) bank.Apply(new Deposited("ann", 1));
        foreach (SnapshotInfo info in await Task.WhenAll(checkpoints)) Assert.InRange(info.Sequence, 1, 1001);
    }
}
