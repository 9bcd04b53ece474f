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
        await using (NinoStore store = NinoStore.Open(folder["store"], new NinoStoreOptions { SnapshotGenerations = 50 }))
        {
            await using StateStore<Bank> bank = await store.OpenStateAsync<Bank>(Bank.Events_, new StateOptions { CheckpointEveryEvents = 100 });
            using var done = new CancellationTokenSource();
            using var hasRead = new ManualResetEventSlim();
            Task reader = Task.Factory.StartNew(() =>
            {
                while (!done.IsCancellationRequested)
                {
                    Assert.Equal(0, bank.Read(b => b.Accounts.Values.Sum()));
                    hasRead.Set();
                }
            }, TaskCreationOptions.LongRunning);
            await Task.WhenAll(Enumerable.Range(0, writers).Select(w => Task.Run(async () =>
            {
                for (int i = 0; i < rounds; i++)
                {
                    // However slow the machine is: some of them beside the others' events, and not before there is a reader.
                    if (w == 0 && i % 50 == 49) await bank.CheckpointAsync();
                    if (i == 100) Assert.True(hasRead.Wait(TimeSpan.FromSeconds(60)), "Nobody reads.");
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

        await using NinoStore again = NinoStore.Open(folder["store"], new NinoStoreOptions { SnapshotGenerations = 50 });
        Assert.True(again.Snapshots.Count > 5, $"{again.Snapshots.Count} snapshots");
        foreach (SnapshotInfo info in again.Snapshots)
        {
            using var file = Store.Snapshots.SnapshotFile.Open(Path.Combine(again.Path, info.FileName));
            Assert.Equal(Bank.Of(again, info.Sequence).Text(), file.Read<Bank>().Text());
        }

        await using StateStore<Bank> restored = await again.OpenStateAsync<Bank>(Bank.Events_);
        Assert.Equal((0, expected), (again.Recovery.RecordsReplayed, restored.Read(b => b.Text())));
    }

    // The disk stands still in the middle of the snapshot; events must not notice.
    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task EventsGoOnWhileACheckpointIsBeingWritten(bool isAutomatic)
    {
        using var folder = new TemporaryFolder();
        using var writing = new ManualResetEventSlim();
        using var disk = new ManualResetEventSlim();
        using var directory = new HeldDirectory(Store.IO.DiskDirectory.Open(Directory.CreateDirectory(folder["store"]).FullName, create: true), "snapshot-", () =>
        {
            writing.Set();
            disk.Wait();
        });
        await using NinoStore store = NinoStore.Open("held", new NinoStoreOptions { Directory = directory });
        await using StateStore<Bank> bank = await store.OpenStateAsync<Bank>(Bank.Events_, new StateOptions { CheckpointEveryEvents = isAutomatic ? 1 : long.MaxValue });
        bank.Apply(new Deposited("ann", 1));
        Task checkpoint = isAutomatic ? Task.CompletedTask : Task.Run(async () => await bank.CheckpointAsync());
        Assert.True(writing.Wait(TimeSpan.FromSeconds(30)));
        await Task.Run(() =>
        {
            for (int i = 0; i < 1000; i++) bank.Apply(new Deposited("ann", 1));
        }).WaitAsync(TimeSpan.FromSeconds(30));
        Assert.Empty(store.Snapshots);
        disk.Set();
        await checkpoint;
        await bank.CheckpointAsync();
        Assert.Null(bank.CheckpointFailure);
        Assert.Equal(1001, bank.Read(static b => b.Accounts["ann"]));
        Assert.Equal(1001, store.Snapshots.Max(static s => s.Sequence));
    }
}
