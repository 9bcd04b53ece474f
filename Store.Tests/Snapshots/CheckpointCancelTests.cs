// What cancelling a checkpoint means at each of its steps: before the snapshot is published nothing is left, after that it is there and the call says so.

using Store.IO;
using Store.State;
using Store.Tests.Log;
using Store.Tests.Simulation;
using Store.Tests.State;

namespace Store.Tests.Snapshots;

public class CheckpointCancelTests
{
    /// <summary>The token is cancelled before the n-th call to the folder or its files, for every n.</summary>
    [Fact]
    public async Task CancellingAtAnyStepLeavesNothingOrEverything()
    {
        int nothing = 0, everything = 0;
        for (int at = 1; ; at++)
        {
            using var simulated = new SimDirectory();
            using var cancellation = new CancellationTokenSource();
            using var directory = new CancellingDirectory(simulated, cancellation);
            await using NinoStore store = Simulated.Open(directory);
            await using StateStore<Bank> bank = await store.OpenStateAsync<Bank>(Bank.Events_);
            bank.Apply(new Deposited("ann", 1));
            string[] before = Snapshots();
            directory.Left = at;
            try
            {
                SnapshotInfo info = await store.CheckpointAsync(new Tally(5), cancellation.Token);

                // The state holder that was open is checkpointed too: two files, of one sequence.
                Assert.Equal([1, 1], store.Snapshots.Select(static s => s.Sequence));
                Assert.Contains(store.Snapshots, s => s.FileName == info.FileName);
                everything++;
            }
            catch (OperationCanceledException)
            {
                Assert.Equal(before, Snapshots());
                nothing++;
            }

            Assert.Equal(1, bank.LastSequence);
            if (!cancellation.IsCancellationRequested) break;

            string[] Snapshots() => [.. simulated.List().Select(static f => f.Name).Where(static name => name.StartsWith("snapshot-", StringComparison.Ordinal))];
        }

        Assert.True(nothing >= 4 && everything >= 4, $"{nothing} left nothing, {everything} everything");
    }

    [Fact]
    public async Task ACancelledCheckpointOfEverythingIsCancelledAlsoWhereNothingIsOpen()
    {
        await using NinoStore store = Simulated.Open(new SimDirectory());
        using var cancellation = new CancellationTokenSource();
        await cancellation.CancelAsync();
        OperationCanceledException cancelled = await Assert.ThrowsAnyAsync<OperationCanceledException>(async () => await store.CheckpointAllAsync(cancellation.Token));
        Assert.Equal(cancellation.Token, cancelled.CancellationToken);
    }

    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    [InlineData(2)]
    public async Task WhatHadFailedWhenItIsCancelledIsThrownWithTheCancellation(int failing)
    {
        using var directory = new SimDirectory();
        await using NinoStore store = Simulated.Open(directory);
        using var cancellation = new CancellationTokenSource();
        int turn = 0;
        var failed = new List<Exception>();
        for (int i = 0; i < 4; i++) store.Companions.Add(new Companion(Checkpoint));
        Exception thrown = (await Record.ExceptionAsync(async () => await store.CheckpointAllAsync(cancellation.Token)))!;
        Assert.Equal(failing + 1, turn);
        if (failing == 0)
        {
            Assert.Equal(cancellation.Token, Assert.IsAssignableFrom<OperationCanceledException>(thrown).CancellationToken);
            return;
        }

        IReadOnlyList<Exception> all = Assert.IsType<AggregateException>(thrown).InnerExceptions;
        Assert.Equal(failed, all.Take(failing));
        Assert.IsAssignableFrom<OperationCanceledException>(Assert.Single(all.Skip(failing)));

        void Checkpoint(CancellationToken token)
        {
            if (++turn > failing)
            {
                cancellation.Cancel();
                token.ThrowIfCancellationRequested();
            }

            failed.Add(new IOException($"Number {turn}."));
            throw failed[^1];
        }
    }

    private sealed class Companion(Action<CancellationToken> checkpoint) : IStoreCompanion
    {
        public bool IsClosed => false;

        public string Title => "a companion";

        public bool IsInsideCallback => false;

        public ValueTask CheckpointAsync(CancellationToken cancellationToken)
        {
            checkpoint(cancellationToken);
            return ValueTask.CompletedTask;
        }

        public void Dispose() { }
    }

    [Fact]
    public async Task AFailureOfACompanionIsThrownAndTheSnapshotStays()
    {
        using var directory = new SimDirectory();
        await using NinoStore store = Simulated.Open(directory);
        StateStore<Bank> bank = await store.OpenStateAsync<Bank>(on => on.On<Deposited>(static (_, _) => throw new ArithmeticException()));
        Assert.Throws<StoreFailedException>(() => bank.Apply(new Deposited("ann", 1)));
        await Assert.ThrowsAsync<StoreFailedException>(async () => await store.CheckpointAsync(new Tally(5)));
        Assert.Equal(1, Assert.Single(store.Snapshots).Sequence);
    }

    [Fact]
    public async Task AFailureOfACompanionKeepsNoOtherFromItsTurn()
    {
        using var directory = new SimDirectory();
        await using NinoStore store = Simulated.Open(directory);
        StateStore<Bank> bank = await store.OpenStateAsync<Bank>(on => on.On<Deposited>(static (_, _) => throw new ArithmeticException()));
        Assert.Throws<StoreFailedException>(() => bank.Apply(new Deposited("ann", 1)));
        await using StateStore<Tally> tally = await store.OpenStateAsync<Tally>(on => on.On<Withdrawn>(static (t, _) => t));
        tally.Apply(new Withdrawn("ann", 1));
        await Assert.ThrowsAsync<StoreFailedException>(async () => await store.CheckpointAllAsync());
        Assert.Equal(2, Assert.Single(store.Snapshots).Sequence);
    }

    /// <summary>Cancels when so many calls have been made: before the last of them.</summary>
    private sealed class CancellingDirectory(IStoreDirectory inner, CancellationTokenSource cancellation) : PassThroughDirectory(inner)
    {
        public int Left { get; set; }

        public override IReadOnlyList<StoreFileEntry> List()
        {
            Count();
            return base.List();
        }

        public override IStoreFile Create(string name)
        {
            Count();
            return new CancellingFile(this, base.Create(name));
        }

        public override void Rename(string name, string newName)
        {
            Count();
            base.Rename(name, newName);
        }

        public override void SyncDirectory()
        {
            Count();
            base.SyncDirectory();
        }

        private void Count()
        {
            if (--Left == 0) cancellation.Cancel();
        }

        private sealed class CancellingFile(CancellingDirectory directory, IStoreFile inner) : PassThroughFile(inner)
        {
            public override void Write(ReadOnlySpan<byte> source, long offset)
            {
                directory.Count();
                base.Write(source, offset);
            }

            public override void SyncData()
            {
                directory.Count();
                base.SyncData();
            }
        }
    }
}
