// Snapshots that somebody removed from the store on purpose: the state is made anew from the log there, so it must be in the copy.

using Store.IO;
using Store.Snapshots;
using Store.State;
using Store.Tests.Log;
using Store.Tests.Retention;
using Store.Tests.Simulation;
using Store.Tests.State;

namespace Store.Tests.Backup;

/// <summary>What a copy opens to is what the store opens to, also where the store has no snapshot of a state any more.</summary>
public sealed class RemovedSnapshotBackupTests : IDisposable
{
    private static readonly StateOptions Late = new() { AllowTruncatedHistory = true };
    private readonly SimDirectory _directory = new();
    private readonly SimDirectory _copy = new();

    public void Dispose()
    {
        _directory.Dispose();
        _copy.Dispose();
    }

    /// <summary>As docs/state.md says: a handler that is added later sees all events when the snapshots are removed.</summary>
    [Fact]
    public async Task AStateWhoseSnapshotsWereRemovedForAHandlerMoreIsMadeAnewInTheCopyToo()
    {
        await FillAsync();
        string text;
        await using (NinoStore store = Simulated.Open(_directory, 2))
        {
            text = await Bank.OpenedTextAsync(store);
            Assert.Empty(store.BackupTo(_copy).Omitted);
        }

        Assert.Contains("bob=-", text, StringComparison.Ordinal);
        Assert.Empty(Snapshots(_copy));
        await using NinoStore copied = Simulated.Open(_copy, 3);
        Assert.Equal(text, await Bank.OpenedTextAsync(copied));
    }

    /// <summary>Whether the log begins before the record that the earlier one's snapshot covers, or behind it.</summary>
    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task AStateThatWasForgottenAndBegunAnewIsTheLaterOneInTheCopy(bool beginsBefore)
    {
        string text;
        long covered;
        await using (NinoStore store = Simulated.Open(_directory))
        {
            Deposit(store, segments: 4);
            await using (StateStore<Bank> bank = await store.OpenStateAsync<Bank>(Bank.Events_)) covered = (await bank.CheckpointAsync()).Sequence;
            Deposit(store, segments: 6);
            Assert.Empty(store.BackupTo(_copy).Omitted);
            Assert.Single(Snapshots(_copy));

            Assert.True(store.ForgetState("Store.Tests.State.Bank"));
            RemoveSnapshots();
            long first = store.TruncateBefore(beginsBefore ? covered : store.LastSequence).FirstSequence;
            Assert.True(first > 1);
            Assert.Equal(beginsBefore, first <= covered);
            await using (StateStore<Bank> bank = await store.OpenStateAsync<Bank>(Bank.Events_, Late)) text = bank.Read(static b => b.Text());
            Assert.Empty(store.BackupTo(_copy).Omitted);
        }

        Assert.Empty(Snapshots(_copy));
        await using NinoStore copied = Simulated.Open(_copy, 3);
        Assert.Equal(text, await Bank.OpenedTextAsync(copied));
    }

    /// <summary>The earlier one's snapshot must be gone from the copy, durably, before the copy's log begins behind it: the state could not be opened with it.</summary>
    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task WhateverInterruptsTheBackupOfAStateBegunAnewTheCopyOpens(bool powerFails)
    {
        await using NinoStore store = Simulated.Open(_directory);
        Deposit(store, segments: 4);
        await using (StateStore<Bank> bank = await store.OpenStateAsync<Bank>(Bank.Events_)) await bank.CheckpointAsync();
        Deposit(store, segments: 6);
        Assert.Empty(store.BackupTo(_copy).Omitted);
        Assert.True(store.ForgetState("Store.Tests.State.Bank"));
        RemoveSnapshots();
        Assert.True(store.TruncateBefore(store.LastSequence).FirstSequence > 1);
        string whole, later = await OpenedLateAsync(store);
        await using (NinoStore first = Simulated.Open(_copy.KillProcess(), 3)) whole = Bank.Of(first).Text();
        Assert.NotEqual(whole, later);

        int interrupted = 0;
        for (long at = 1; ; at++)
        {
            SimDirectory copied = _copy.KillProcess();
            var faulty = new FaultDirectory(copied, seed: (int)at);
            if (powerFails) copied.PowerOffAt = copied.OperationCount + at;
            else faulty.Fault = new Fault(at, FaultKind.IoError, IsForever: true);
            Exception? failure = Record.Exception(() => store.BackupTo(faulty));
            Assert.Equal(failure is not null, powerFails ? copied.IsPowerOff : faulty.Failures > 0);
            foreach (SimDirectory after in copied.CrashStates(limit: 8, seed: (int)at))
            {
                await using NinoStore opened = Simulated.Open(after, 4);
                Assert.Contains(await Bank.OpenedTextAsync(opened), new[] { whole, later });
            }

            if (failure is null) break;
            interrupted++;
        }

        Assert.True(interrupted > 10, $"{interrupted} interruptions");
    }

    /// <summary>What the program wrote itself before the state was first opened is not in the log: lost by accident, the copy's are the last there are.</summary>
    [Theory]
    [InlineData(0, 0)]
    [InlineData(0, 1)]
    [InlineData(0, 2)]
    [InlineData(5, 0)]
    [InlineData(5, 1)]
    [InlineData(5, 2)]
    public async Task TheSnapshotsOfAStateThatWasBegunWithAnImportedOneStayInTheCopyWhenTheStoreLosesThem(int before, int checkpoints)
    {
        string text;
        await using (NinoStore store = Simulated.Open(_directory))
        {
            for (int i = 0; i < before; i++) store.Append(new Remark("before"));
            await store.CheckpointAsync(new Bank { Accounts = { ["imported"] = 1000 }, Events = 7 });
            await using StateStore<Bank> bank = await store.OpenStateAsync<Bank>(Bank.Events_);
            for (int i = 0; i < 3; i++)
            {
                bank.Apply(new Deposited("ann", 1));
                if (i < checkpoints) await bank.CheckpointAsync();
            }

            text = bank.Read(static b => b.Text());
            Assert.Contains("imported=1000", text, StringComparison.Ordinal);
            Assert.Empty(store.BackupTo(_copy).Omitted);
        }

        string[] kept = Snapshots(_copy);
        RemoveSnapshots();
        await using (NinoStore store = Simulated.Open(_directory, 2))
        {
            Assert.Equal(kept, store.BackupTo(_copy).Omitted.Select(static o => o.Name).Order(StringComparer.Ordinal));
        }

        Assert.Equal(kept, Snapshots(_copy));
        await using NinoStore copied = Simulated.Open(_copy, 3);
        Assert.Equal(text, await Bank.OpenedTextAsync(copied));
    }

    /// <summary>The log has it all; but who removed the snapshots, and whether on purpose, is not known: the copy would lose what it opens from at once.</summary>
    [Fact]
    public async Task UntilTheStateIsOpenedWithoutItsSnapshotsTheCopyKeepsThem()
    {
        await using (NinoStore store = Simulated.Open(_directory))
        {
            await using StateStore<Bank> bank = await store.OpenStateAsync<Bank>(Bank.Events_);
            for (int i = 0; i < 4; i++)
            {
                bank.Apply(new Deposited("ann", 1));
                await bank.CheckpointAsync();
            }

            Assert.Empty(store.BackupTo(_copy).Omitted);
        }

        string[] kept = Snapshots(_copy);
        RemoveSnapshots();
        await using NinoStore again = Simulated.Open(_directory, 2);
        Assert.Equal(kept, again.BackupTo(_copy).Omitted.Select(static o => o.Name).Order(StringComparer.Ordinal));
        Assert.Equal(kept, Snapshots(_copy));

        await Bank.OpenedTextAsync(again);
        Assert.Empty(again.BackupTo(_copy).Omitted);
        Assert.Empty(Snapshots(_copy));
    }

    /// <summary>Where something is left out nothing is removed; then it is said what the copy would open to.</summary>
    [Theory]
    [InlineData("cursor-c.nino")]
    [InlineData("snapshot-0000000000000001-00000001.nino")]
    public async Task WhereNothingMayBeRemovedTheSnapshotIsNamed(string damaged)
    {
        await FillAsync();
        string kept = Assert.Single(Snapshots(_copy));
        byte[]? good = _directory.List().Any(f => f.Name == damaged) ? FileBytes.Of(_directory, damaged) : null;
        FileBytes.Put(_directory, damaged, new byte[10_000]);
        await using NinoStore store = Simulated.Open(_directory, 2);
        await Bank.OpenedTextAsync(store);

        BackupResult result = store.BackupTo(_copy);

        Assert.Contains(result.Omitted, o => o.Name == kept && o.Reason.Contains("Store.Tests.State.Bank", StringComparison.Ordinal));
        Assert.Equal([kept], Snapshots(_copy));

        if (good is null) _directory.Delete(damaged);
        else FileBytes.Put(_directory, damaged, good);
        Assert.Empty(store.BackupTo(_copy).Omitted);
        Assert.Empty(Snapshots(_copy));
    }

    /// <summary>The log has not all that it held: it is the last there is of it.</summary>
    [Fact]
    public async Task ASnapshotThatTheLogCannotMakeAnewStaysWithTheLogBehindItAndIsNamed()
    {
        await using NinoStore store = Simulated.Open(_directory);
        Deposit(store, segments: 3);
        await using (StateStore<Bank> bank = await store.OpenStateAsync<Bank>(Bank.Events_))
        {
            await bank.CheckpointAsync();
            Deposit(store, segments: 5, bank);
            await bank.CheckpointAsync();
            Assert.True(store.TruncateBefore(long.MaxValue).FirstSequence > 1);
        }

        Deposit(store, segments: 7);
        long from = store.BackupTo(_copy).FirstSequence;
        string[] kept = Snapshots(_copy);
        string text = await Bank.OpenedTextAsync(store);
        RemoveSnapshots();
        store.TruncateBefore(store.LastSequence, RetentionHolds.States);

        BackupResult result = store.BackupTo(_copy);

        Assert.Equal(kept, result.Omitted.Select(static o => o.Name).Order(StringComparer.Ordinal));
        Assert.True(store.FirstSequence > from);
        Assert.Equal(from, result.FirstSequence);
        Assert.Equal(kept, Snapshots(_copy));
        await using NinoStore copied = Simulated.Open(_copy, 3);
        Assert.Equal(text, await Bank.OpenedTextAsync(copied));
    }

    /// <summary>A renamed type's snapshots go from the store with the first two of the new name: of those under the former name a copy makes no use, and nothing is said of them.</summary>
    [Fact]
    public async Task SnapshotsUnderAFormerNameOfTheTypeAreNoReasonToKeepTheLog()
    {
        await using NinoStore store = Simulated.Open(_directory);
        await using (StateStore<OldLedger> old = await store.OpenStateAsync<OldLedger>(static on => on.On<Deposited>(static (ledger, e) => ledger.Sum += e.Amount)))
        {
            old.Apply(new Deposited("x", 5));
            await old.CheckpointAsync();
        }

        store.BackupTo(_copy);
        await using (StateStore<Ledger> renamed = await store.OpenStateAsync<Ledger>(static on => on.On<Deposited>(static (ledger, e) => ledger.Sum += e.Amount)))
        {
            for (int i = 0; i < 2; i++)
            {
                renamed.Apply(new Deposited("x", 5));
                await renamed.CheckpointAsync();
            }
        }

        Assert.Equal(2, Snapshots(_directory).Length);
        Assert.Empty(store.BackupTo(_copy).Omitted);
    }

    private static async Task<string> OpenedLateAsync(NinoStore store)
    {
        await using StateStore<Bank> bank = await store.OpenStateAsync<Bank>(Bank.Events_, Late);
        return bank.Read(static b => b.Text());
    }

    // A checkpoint without the withdrawals, a copy of it, and no snapshot in the store any more.
    private async Task FillAsync()
    {
        await using (NinoStore store = Simulated.Open(_directory))
        {
            await using StateStore<Bank> bank = await store.OpenStateAsync<Bank>(static on => on.On<Deposited>(static (state, e) => state.Apply(e)));
            for (int i = 0; i < 50; i++)
            {
                bank.Apply(new Deposited("ann", i));
                store.Append(new Withdrawn("bob", i));
            }

            await bank.CheckpointAsync();
            store.OpenCursor("c");
            Assert.Empty(store.BackupTo(_copy).Omitted);
            for (int i = 0; i < 20; i++) store.Append(new Withdrawn("bob", 1));
        }

        RemoveSnapshots();
    }

    private void Deposit(NinoStore store, int segments, StateStore<Bank>? bank = null)
    {
        for (int i = 0; RetentionTests.Segments(_directory).Length < segments; i++)
        {
            if (bank is null) store.Append(new Deposited($"account {i % 7}", i));
            else bank.Apply(new Deposited($"account {i % 7}", i));
            if (i % 50 == 49) Simulated.Commit(store);
        }
    }

    private void RemoveSnapshots()
    {
        foreach (string name in Snapshots(_directory)) _directory.Delete(name);
        _directory.SyncDirectory();
    }

    private static string[] Snapshots(IStoreDirectory directory) => [.. directory.List().Select(static f => f.Name).Where(static n => SnapshotName.TryParse(n, out _)).Order(StringComparer.Ordinal)];
}
