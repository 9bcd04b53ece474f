// Retention never removes what a state needs to be opened: not before it has a snapshot, not while one is written, not where one cannot be opened at the moment.

using Store.IO;
using Store.Snapshots;
using Store.Retention;
using Store.State;
using Store.Tests.Log;
using Store.Tests.Simulation;
using Store.Tests.State;
using static Store.Tests.Retention.RetentionTests;

namespace Store.Tests.Retention;

public sealed class StateHoldTests : IDisposable
{
    private static readonly CheckpointPolicy Never = new() { EveryRecords = long.MaxValue, EveryBytes = long.MaxValue };

    private readonly SimDirectory _directory = new();

    public void Dispose() => _directory.Dispose();

    /// <summary>Nothing fails and nothing crashes: a policy, a state whose first checkpoint is not due yet, and a restart.</summary>
    [Fact]
    public async Task APolicyRemovesNothingThatAStateWithoutASnapshotNeeds()
    {
        Func<NinoStoreOptions, NinoStoreOptions> tight = static o => o with { Retention = new RetentionPolicy { MaxRecords = 10 } };
        await using (NinoStore store = Simulated.Open(_directory, 1, tight))
        {
            await using StateStore<Bank> bank = await store.OpenStateAsync<Bank>(Bank.Events_);
            await GrowAsync(bank, segments: 4);
            TruncateResult held = store.ApplyRetention();
            Assert.Equal((1L, 0), (held.FirstSequence, held.SegmentsRemoved));
            Assert.Contains("the state 'Store.Tests.State.Bank', after record 0", held.HeldBy, StringComparison.Ordinal);
        }

        // A life in which nobody opens the state.
        await using (NinoStore store = Simulated.Open(_directory, 2, tight))
        {
            Grow(store, _directory, segments: 7);
            Assert.Equal(1, store.FirstSequence);
        }

        await using NinoStore again = Simulated.Open(_directory, 3, tight);
        await using StateStore<Bank> reopened = await again.OpenStateAsync<Bank>(Bank.Events_);
        Assert.Equal(Bank.Of(again).Text(), reopened.Read(static b => b.Text()));
    }

    [Fact]
    public async Task ACheckpointReleasesTheLogBeforeTheOneBefore()
    {
        await using NinoStore store = Simulated.Open(_directory);
        StateStore<Bank> bank = await store.OpenStateAsync<Bank>(Bank.Events_);
        List<long> covered = [];
        for (int i = 1; i <= 3; i++)
        {
            await GrowAsync(bank, Segments(_directory).Length + 1);
            covered.Add((await bank.CheckpointAsync()).Sequence);
            int removed = store.TruncateBefore(long.MaxValue).SegmentsRemoved;
            Assert.True(i > 1 || removed == 0);
        }

        Assert.InRange(store.FirstSequence, 2, covered[1] + 1);
        Assert.Contains($"after record {covered[1]}", store.TruncateBefore(long.MaxValue).HeldBy, StringComparison.Ordinal);
        Assert.Throws<InvalidOperationException>(() => store.ForgetState("Store.Tests.State.Bank"));
        await bank.DisposeAsync();

        // Snapshots hold by themselves; the mark is one more, and goes when it is told to.
        foreach (SnapshotInfo snapshot in store.Snapshots) _directory.Delete(snapshot.FileName);
        Assert.Contains("the state '", store.TruncateBefore(long.MaxValue).HeldBy, StringComparison.Ordinal);
        Assert.True(store.ForgetState("Store.Tests.State.Bank"));
        Assert.False(store.ForgetState("Store.Tests.State.Bank"));
        Assert.Null(store.TruncateBefore(long.MaxValue).HeldBy);
        await Assert.ThrowsAsync<LogTruncatedException>(async () => await store.OpenStateAsync<Bank>(Bank.Events_));

        // What was refused holds nothing.
        Grow(store, _directory, Segments(_directory).Length + 2);
        Assert.Null(store.TruncateBefore(long.MaxValue).HeldBy);
    }

    /// <summary>Somebody removed them, so that a new handler sees all events: as long as there is no checkpoint again, all events are needed again.</summary>
    [Fact]
    public async Task AStateWhoseSnapshotsAreGoneNeedsTheWholeLogAgain()
    {
        string text;
        await using (NinoStore store = Simulated.Open(_directory))
        {
            await using StateStore<Bank> bank = await store.OpenStateAsync<Bank>(Bank.Events_);
            for (int i = 0; i < 3; i++)
            {
                await GrowAsync(bank, Segments(_directory).Length + 1);
                await bank.CheckpointAsync();
            }

            text = bank.Read(static b => b.Text());
            foreach (SnapshotInfo snapshot in store.Snapshots) _directory.Delete(snapshot.FileName);
        }

        await using (NinoStore store = Simulated.Open(_directory, 2))
        {
            await using StateStore<Bank> bank = await store.OpenStateAsync<Bank>(Bank.Events_);
            Assert.Contains("the state 'Store.Tests.State.Bank', after record 0", store.TruncateBefore(long.MaxValue).HeldBy, StringComparison.Ordinal);
        }

        await using NinoStore again = Simulated.Open(_directory, 3);
        await using StateStore<Bank> reopened = await again.OpenStateAsync<Bank>(Bank.Events_);
        Assert.Equal(text, reopened.Read(static b => b.Text()));
    }

    /// <summary>Each is told of its own snapshot, and not of the one that the store's report names last.</summary>
    [Fact]
    public async Task StatesThatAreOpenedAtOnceHoldEachWhatItNeeds()
    {
        for (int round = 0; round < 20; round++)
        {
            using var directory = new SimDirectory();
            await using (NinoStore store = Simulated.Open(directory))
            {
                for (int i = 0; i < 10; i++) store.Append(new Deposited("ann", 1));
                await store.CheckpointAsync(new Audit());
            }

            await using NinoStore again = Simulated.Open(directory, 2, static o => o with { RunsInline = false });
            Task<StateStore<Bank>> bank = Task.Run(() => again.OpenStateAsync<Bank>(Bank.Events_).AsTask());
            Task<StateStore<Audit>> audit = Task.Run(() => again.OpenStateAsync<Audit>(static on => on.On<Remark>(static (_, _) => { })).AsTask());
            await using StateStore<Bank> first = await bank;
            await using StateStore<Audit> second = await audit;
            Assert.Contains("the state 'Store.Tests.State.Bank', after record 0", HeldBy(again), StringComparison.Ordinal);
        }
    }

    [Fact]
    public async Task SnapshotsOfAnotherTypeReleaseNothingOfAState()
    {
        await using NinoStore store = Simulated.Open(_directory);
        await using StateStore<Bank> bank = await store.OpenStateAsync<Bank>(Bank.Events_);
        await GrowAsync(bank, segments: 4);
        await store.CheckpointPartsAsync(new SnapshotParts().Add("other", new Audit()));
        foreach (SnapshotInfo own in store.Snapshots.Where(static s => s.TypeName.EndsWith("Bank", StringComparison.Ordinal))) _directory.Delete(own.FileName);
        store.TruncateBefore(long.MaxValue);
        Assert.Equal(1, store.FirstSequence);
    }

    [Fact]
    public async Task ACheckpointUnderWayHoldsTheLogBehindItsCut()
    {
        await using NinoStore store = Simulated.Open(_directory);
        Grow(store, _directory, segments: 2);
        long cut = store.LastSequence;
        TruncateResult? meanwhile = null;
        SnapshotInfo written = await store.CheckpointPartsAsync(new SnapshotParts().AddItems("items", Items()));
        Assert.Equal(cut, written.Sequence);
        Assert.InRange(meanwhile!.FirstSequence, 1, cut + 1);
        Assert.Contains($"a checkpoint under way, after record {cut}", meanwhile.HeldBy, StringComparison.Ordinal);
        Assert.InRange(store.FirstSequence, 1, cut + 1);

        IEnumerable<int> Items()
        {
            yield return 1;
            Grow(store, _directory, Segments(_directory).Length + 3);
            meanwhile = store.TruncateBefore(long.MaxValue);
            yield return 2;
        }
    }

    /// <summary>Its header is right and a page of it is not: it is in the folder, and the new one is the only one that restores.</summary>
    [Fact]
    public async Task AScheduleReleasesNothingForASnapshotThatIsDamaged()
    {
        await using (NinoStore store = Simulated.Open(_directory))
        {
            Deposit(store, segments: 3);
            Spoil((await store.CheckpointAsync(Bank.Of(store))).FileName);
        }

        string text;
        SnapshotInfo newest;
        await using (NinoStore store = Simulated.Open(_directory, 2))
        {
            text = Bank.Of(store).Text();
            Assert.Equal((text, null), (await Bank.RestoredTextAsync(store), store.Recovery.SnapshotUsed));
            await using CheckpointSchedule schedule = store.CheckpointEvery(Never, () => store.Capture(Bank.Of(store)));
            newest = await schedule.CheckpointAsync();
            Deposit(store, segments: 5);
            text = Bank.Of(store).Text();
            Assert.Equal(1, store.TruncateBefore(long.MaxValue).FirstSequence);
        }

        Spoil(newest.FileName);
        await using NinoStore again = Simulated.Open(_directory, 3);
        Assert.Equal(text, await Bank.RestoredTextAsync(again));
    }

    /// <summary>Whoever looked has met the damage of the first checkpoint before the second is written.</summary>
    [Fact]
    public async Task AStateReleasesNothingForACheckpointThatWasFoundDamaged()
    {
        string text;
        SnapshotInfo newest;
        await using (NinoStore store = Simulated.Open(_directory))
        {
            await using StateStore<Bank> bank = await store.OpenStateAsync<Bank>(Bank.Events_);
            await GrowAsync(bank, segments: 3);
            SnapshotInfo first = await bank.CheckpointAsync();
            Spoil(first.FileName);
            Assert.Null(store.OpenSnapshot<Bank>(SnapshotVerification.All));
            await GrowAsync(bank, segments: 5);
            newest = await bank.CheckpointAsync();
            await GrowAsync(bank, segments: 6);
            text = bank.Read(static b => b.Text());
            Assert.Equal([newest.Sequence, first.Sequence], store.Snapshots.Select(static s => s.Sequence));
            Assert.Equal(1, store.TruncateBefore(long.MaxValue).FirstSequence);
        }

        Spoil(newest.FileName);
        await using (NinoStore store = Simulated.Open(_directory, 2))
        {
            await using StateStore<Bank> reopened = await store.OpenStateAsync<Bank>(Bank.Events_);
            Assert.Equal(text, reopened.Read(static b => b.Text()));

            // Two that restore are enough, whatever else is in the folder.
            for (int i = 1; i <= 2; i++)
            {
                Assert.Equal(1, store.TruncateBefore(long.MaxValue).FirstSequence);
                await reopened.CheckpointAsync();
                await GrowAsync(reopened, segments: 6 + (2 * i));
            }

            Assert.True(store.TruncateBefore(long.MaxValue).FirstSequence > newest.Sequence);
        }
    }

    [Fact]
    public async Task AScheduleWithoutASnapshotHoldsTheLogUntilItIsClosed()
    {
        await using NinoStore store = Simulated.Open(_directory);
        await using (store.CheckpointEvery(Never, () => store.Capture(new Audit())))
        {
            Grow(store, _directory, segments: 3);
            Assert.Equal(0, store.TruncateBefore(long.MaxValue).SegmentsRemoved);
        }

        Assert.Equal(2, store.TruncateBefore(long.MaxValue).SegmentsRemoved);
    }

    /// <summary>A process that has too many files open, memory that cannot be mapped, a permission that comes back: the snapshot is whole, and it is needed.</summary>
    [Theory]
    [InlineData(IoOperation.OpenRead)]
    [InlineData(IoOperation.Map)]
    public async Task ASnapshotThatCannotBeOpenedNowHoldsTheLog(object operation)
    {
        var faulty = new FaultDirectory(_directory);
        string text;
        await using (NinoStore store = Simulated.Open(faulty))
        {
            await using (StateStore<Bank> bank = await store.OpenStateAsync<Bank>(Bank.Events_))
            {
                await GrowAsync(bank, segments: 2);
                await bank.CheckpointAsync();
                await GrowAsync(bank, segments: 5);
                text = bank.Read(static b => b.Text());
            }

            store.ForgetState("Store.Tests.State.Bank");
            string name = Assert.Single(store.Snapshots).FileName;
            faulty.Fault = new Fault(1, FaultKind.IoError, IsForever: true, o => o.Equals(operation), static file => file != LogEnd.FileName);
            TruncateResult held = store.TruncateBefore(long.MaxValue);
            faulty.Fault = null;
            Assert.Contains(name, held.HeldBy, StringComparison.Ordinal);
        }

        await using NinoStore again = Simulated.Open(_directory, 2);
        await using StateStore<Bank> reopened = await again.OpenStateAsync<Bank>(Bank.Events_);
        Assert.Equal(text, reopened.Read(static b => b.Text()));
        Assert.NotNull(again.Recovery.SnapshotUsed);
    }

    /// <summary>The log was put back from a backup, and the snapshot that is ahead of it cannot be opened just then. It must not be used when the log has grown past it.</summary>
    [Fact]
    public async Task ASnapshotAheadOfTheLogIsSetAsideThoughItCannotBeOpened()
    {
        using var backup = new SimDirectory();
        await using (NinoStore store = Simulated.Open(_directory))
        {
            await using StateStore<Bank> bank = await store.OpenStateAsync<Bank>(Bank.Events_);
            for (int i = 0; i < 5; i++) bank.Apply(new Deposited("ann", 1));
            store.BackupTo(backup);
            for (int i = 0; i < 5; i++) bank.Apply(new Deposited("lost", 1));
            await bank.CheckpointAsync();
        }

        string snapshot = Assert.Single(_directory.List(), static f => f.Name.StartsWith("snapshot-", StringComparison.Ordinal)).Name;
        FileBytes.Put(backup, snapshot, FileBytes.Of(_directory, snapshot));
        var faulty = new FaultDirectory(backup) { Fault = new Fault(1, FaultKind.IoError, IsForever: true, static o => o == IoOperation.Map) };
        await using (NinoStore store = Simulated.Open(faulty, 2))
        {
            faulty.Fault = null;
            Assert.Contains(store.Recovery.Damage, d => d.File == snapshot && d.Message.Contains("covers the log up to sequence 10", StringComparison.Ordinal));
            for (int i = 0; i < 20; i++) store.Append(new Deposited("new", 1));
        }

        await using NinoStore again = Simulated.Open(backup, 3);
        await using StateStore<Bank> reopened = await again.OpenStateAsync<Bank>(Bank.Events_);
        Assert.Equal("25: ann=5, new=20", reopened.Read(static b => b.Text()));
    }

    /// <summary>What is set aside is kept: the next one of the same sequence has another name.</summary>
    [Fact]
    public async Task TwoSnapshotsThatAreSetAsideBothStay()
    {
        using var backup = new SimDirectory();
        await using (NinoStore store = Simulated.Open(_directory))
        {
            store.Append(new Remark("one"));
            store.BackupTo(backup);
        }

        for (int life = 0; life < 2; life++)
        {
            await using (NinoStore store = Simulated.Open(backup, 10 + life))
            {
                if (store.LastSequence == 1) store.Append(new Remark("two"));
                await store.CheckpointAsync(new Audit());
            }

            // The log is put back, the snapshots stay.
            foreach (StoreFileEntry entry in backup.List().Where(static f => !f.Name.StartsWith("snapshot-", StringComparison.Ordinal)).ToArray()) backup.Delete(entry.Name);
            foreach (StoreFileEntry entry in _directory.List().Where(static f => !f.Name.StartsWith("snapshot-", StringComparison.Ordinal))) FileBytes.Put(backup, entry.Name, FileBytes.Of(_directory, entry.Name));
            Simulated.Open(backup, 20 + life).Dispose();
        }

        Assert.Equal(2, backup.List().Count(static f => f.Name.EndsWith(".ahead", StringComparison.Ordinal)));
    }

    private static string? HeldBy(NinoStore store) => store.TruncateBefore(long.MaxValue).HeldBy;

    private void Deposit(NinoStore store, int segments)
    {
        while (Segments(_directory).Length < segments)
        {
            for (int i = 0; i < 50; i++) store.Append(new Deposited($"account {i % 7}", i));
            Simulated.Commit(store);
        }
    }

    // A byte of the only page of its data.
    private void Spoil(string name)
    {
        byte[] bytes = FileBytes.Of(_directory, name);
        bytes[^65] ^= 0x10;
        FileBytes.Put(_directory, name, bytes);
    }

    private async Task GrowAsync(StateStore<Bank> bank, int segments)
    {
        while (Segments(_directory).Length < segments)
        {
            for (int i = 0; i < 50; i++) bank.Apply(new Deposited($"account {i % 7}", i));
            await bank.CommitAsync();
        }
    }
}
