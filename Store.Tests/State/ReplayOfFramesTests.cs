// Opening carries the records of a frame that holds one type over in one loop, all others one by one: the state, what is counted, and where it stops are the same.

using Store.State;
using Store.Tests.Log;
using Store.Tests.Simulation;

namespace Store.Tests.State;

public sealed class ReplayOfFramesTests : IDisposable
{
    private readonly SimDirectory _directory = new();

    public void Dispose() => _directory.Dispose();

    /// <summary>Lengths of one, three and five bytes stand before records, some frames hold several types, and a snapshot may be of the middle of a frame.</summary>
    [Theory]
    [InlineData(0)]
    [InlineData(20)]
    public async Task WhateverTheFramesTheStateIsWhatTheLogSaysAndEveryRecordAndByteIsCounted(int snapshotAt)
    {
        string expected;
        long records, bytes, deposited;
        await using (NinoStore store = Simulated.Open(_directory))
        {
            store.AppendBatch<Deposited>([.. Enumerable.Range(0, 40).Select(static i => new Deposited(new string('d', i * 13), i))]);
            store.Append(new Deposited(new string('e', 70_000), 7));
            store.AppendBatch<Withdrawn>([new("ann", 1), new(new string('w', 300), 2), new("bob", 3)]);
            for (int i = 0; i < 40; i++)
            {
                store.Append(new Deposited("ann", i));
                store.Append(new Withdrawn("bob", i));
            }

            store.AppendBatch<Remark>([new("not of the state"), new("nor this")]);
            if (snapshotAt > 0) await store.CheckpointAsync(Bank.Of(store, snapshotAt), snapshotAt);
            expected = Bank.Of(store).Text();
            LogRecord[] behind = [.. store.ReadRecords().Where(r => r.Sequence > snapshotAt)];
            (records, bytes) = (behind.Length, behind.Sum(static r => (long)r.Payload.Length));
            deposited = store.Read<Deposited>().Sum(static r => r.Value.Amount);
        }

        foreach ((long due, int written) in new[] { (bytes + 1, 0), (bytes, 1) })
        {
            await using NinoStore store = Simulated.Open(_directory);
            await using StateStore<Bank> bank = await store.OpenStateAsync<Bank>(Bank.Events_, new StateOptions { CheckpointEveryBytes = due });
            Assert.Equal((expected, records), (bank.Read(static b => b.Text()), store.Recovery.RecordsReplayed));
            Assert.Equal((snapshotAt > 0 ? 1 : 0) + written, store.Snapshots.Count);
        }

        await using NinoStore again = Simulated.Open(_directory);
        Assert.Equal(deposited, (await again.RestoreAsync<Tally, Deposited>(static (tally, e) => tally with { Sum = tally.Sum + e.Amount })).Sum);
    }

    [Fact]
    public async Task CancellingStopsBetweenTwoRecordsOfAFrame()
    {
        await using NinoStore store = Simulated.Open(_directory);
        store.AppendBatch<Deposited>([new("ann", 1), new("ann", 2), new("ann", 3)]);
        int applied = 0;
        using var opening = new CancellationTokenSource();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(async () => await store.OpenStateAsync<Bank>(on => on.On<Deposited>((_, _) => CancelAtTheSecond(opening)), cancellationToken: opening.Token));
        Assert.Equal(2, applied);
        applied = 0;
        using var restoring = new CancellationTokenSource();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(async () => await store.RestoreAsync<Bank, Deposited>((_, _) => CancelAtTheSecond(restoring), restoring.Token));
        Assert.Equal(2, applied);

        void CancelAtTheSecond(CancellationTokenSource source)
        {
            if (++applied == 2) source.Cancel();
        }
    }
}
