// A state that is opened for the first time in a store whose first records retention has removed: refused unless asked for, and from then on what the events that were left, and those since, amount to.

using Store.Serialization;
using Store.State;
using Store.Tests.Log;
using Store.Tests.Retention;
using Store.Tests.Simulation;

namespace Store.Tests.State;

public sealed class LateStateTests : IDisposable
{
    private static readonly StateOptions Late = new() { AllowTruncatedHistory = true };
    private readonly SimDirectory _directory = new();

    public void Dispose() => _directory.Dispose();

    [Fact]
    public async Task ItIsRefusedUnlessItIsAskedForAndTheMessageSaysHow()
    {
        await using NinoStore store = Truncated();
        LogTruncatedException refused = await Assert.ThrowsAsync<LogTruncatedException>(async () => await store.OpenStateAsync<Bank>(Bank.Events_));
        Assert.Equal(store.FirstSequence, refused.FirstSequence);
        Assert.Contains(nameof(StateOptions.AllowTruncatedHistory), refused.Message, StringComparison.Ordinal);

        // Being refused, it left nothing behind.
        await using StateStore<Bank> bank = await store.OpenStateAsync<Bank>(Bank.Events_, Late);
        Assert.Equal(Bank.Of(store).Text(), bank.Read(static b => b.Text()));
        Assert.NotEqual("0: ", bank.Read(static b => b.Text()));
    }

    /// <summary>The log has lost the records that its snapshot covered: the state is not new, and what is left is not all of it. Whichever opening set the snapshot aside.</summary>
    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    public async Task AStateWhoseSnapshotWasSetAsideDoesNotBeginAnew(int openings)
    {
        SimDirectory lost;
        string name;
        await using (NinoStore store = Truncated())
        {
            lost = _directory.KillProcess();
            store.Append(new Deposited("ann", 1));
            name = (await store.CheckpointAsync(Bank.Of(store))).FileName;
            FileBytes.Put(lost, name, FileBytes.Of(_directory, name));
        }

        for (int i = 1; i < openings; i++) Simulated.Open(lost, 1 + i).Dispose();
        await using NinoStore salvaged = Simulated.Open(lost, 9);
        StoreCorruptException refused = await Assert.ThrowsAsync<StoreCorruptException>(async () => await salvaged.OpenStateAsync<Bank>(Bank.Events_, Late));
        Assert.Contains(name + ".ahead", refused.Message, StringComparison.Ordinal);

        // Another type's is nobody's business.
        await using (StateStore<Audit> audit = await salvaged.OpenStateAsync<Audit>(static on => on.On<Remark>(static (_, _) => { }), Late)) Assert.Equal(salvaged.LastSequence, audit.LastSequence);

        // Whoever wants what is left says so by taking it away.
        lost.Delete(name + ".ahead");
        await using StateStore<Bank> bank = await salvaged.OpenStateAsync<Bank>(Bank.Events_, Late);
        Assert.Equal(Bank.Of(salvaged).Text(), bank.Read(static b => b.Text()));
    }

    [Fact]
    public async Task WhereItBeganIsKnownFromThenOn()
    {
        string text;
        long first;
        await using (NinoStore store = Truncated())
        {
            await using StateStore<Bank> bank = await store.OpenStateAsync<Bank>(Bank.Events_, Late);
            bank.Apply(new Deposited("late", 7));
            text = bank.Read(static b => b.Text());
            first = store.FirstSequence;
            RetentionTests.Grow(store, _directory, RetentionTests.Segments(_directory).Length + 2);
            Assert.Equal(first, store.TruncateBefore(long.MaxValue).FirstSequence);
        }

        // Nobody asks for it again.
        await using (NinoStore store = Simulated.Open(_directory, 2))
        {
            await using StateStore<Bank> bank = await store.OpenStateAsync<Bank>(Bank.Events_);
            Assert.Equal(text, bank.Read(static b => b.Text()));
            await bank.CheckpointAsync();
        }

        // Its only snapshot is damaged or gone: the log has all that it ever was.
        foreach (bool isGone in new[] { false, true })
        {
            using SimDirectory copy = _directory.KillProcess();
            string name = copy.List().Single(static f => f.Name.StartsWith("snapshot-", StringComparison.Ordinal)).Name;
            if (isGone) copy.Delete(name);
            else FileBytes.Put(copy, name, [.. FileBytes.Of(copy, name)[..^1], 0x55]);
            await using NinoStore store = Simulated.Open(copy, 3);
            await using StateStore<Bank> bank = await store.OpenStateAsync<Bank>(Bank.Events_);
            Assert.Equal(text, bank.Read(static b => b.Text()));
            Assert.Contains($"the state 'Store.Tests.State.Bank', after record {first - 1}", store.TruncateBefore(long.MaxValue).HeldBy, StringComparison.Ordinal);
        }
    }

    /// <summary>Whoever only reads, or restores by himself, begins where the state began.</summary>
    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task RestoringBeginsThereToo(bool readOnly)
    {
        string text;
        await using (NinoStore store = Truncated())
        {
            await Assert.ThrowsAsync<LogTruncatedException>(async () => await RestoreAsync(store));
            await using StateStore<Bank> bank = await store.OpenStateAsync<Bank>(Bank.Events_, Late);
            bank.Apply(new Deposited("late", 7));
            text = bank.Read(static b => b.Text());
        }

        await using NinoStore again = Simulated.Open(_directory, 2, o => o with { ReadOnly = readOnly });
        Assert.Equal(text, (await RestoreAsync(again)).Text());

        static ValueTask<Bank> RestoreAsync(NinoStore store) => store.RestoreAsync<Bank, Deposited>(static (bank, e) => bank.Apply(e));
    }

    [Fact]
    public async Task ASnapshotThatCannotBeUsedIsNoReasonToBeginAnew()
    {
        await using (NinoStore store = Simulated.Open(_directory))
        {
            for (int i = 0; i < 100; i++) store.Append(new Deposited("ann", 1));
            RetentionTests.Grow(store, _directory, 3);
            await store.CheckpointAsync(Bank.Of(store));
            RetentionTests.Grow(store, _directory, 5);
            Assert.True(store.TruncateBefore(long.MaxValue).FirstSequence > 1);
        }

        string name = _directory.List().Single(static f => f.Name.StartsWith("snapshot-", StringComparison.Ordinal)).Name;
        FileBytes.Put(_directory, name, [.. FileBytes.Of(_directory, name)[..^1], 0x55]);
        await using NinoStore again = Simulated.Open(_directory, 2);
        StoreCorruptException refused = await Assert.ThrowsAsync<StoreCorruptException>(async () => await again.OpenStateAsync<Bank>(Bank.Events_, Late));
        Assert.Contains(name, refused.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task UnderANewNameOfItsTypeItStillBeginsWhereItBegan()
    {
        await using NinoStore store = Truncated();
        string text;
        await using (StateStore<OldLedger> old = await store.OpenStateAsync<OldLedger>(static on => on.On<Deposited>(static (ledger, e) => ledger.Sum += e.Amount), Late))
        {
            old.Apply(new Deposited("x", 5));
            text = old.Read(static l => l.Sum.ToString(System.Globalization.CultureInfo.InvariantCulture));
        }

        await using (StateStore<Ledger> renamed = await store.OpenStateAsync<Ledger>(static on => on.On<Deposited>(static (ledger, e) => ledger.Sum += e.Amount)))
        {
            Assert.Equal(text, renamed.Read(static l => l.Sum.ToString(System.Globalization.CultureInfo.InvariantCulture)));

            // One and the same state, whatever it is called.
            await Assert.ThrowsAsync<InvalidOperationException>(async () => await store.OpenStateAsync<OldLedger>(static on => on.On<Withdrawn>(static (ledger, e) => ledger.Sum -= e.Amount), Late));
            Assert.Throws<InvalidOperationException>(() => store.ForgetState("Store.Tests.State.OldLedger"));
        }

        // The former name's mark went when the new one's was there.
        Assert.False(store.ForgetState("Store.Tests.State.OldLedger"));
        Assert.True(store.ForgetState("Store.Tests.State.Ledger"));
    }

    // Deposits from the first record on, of which only the last segments are left.
    private NinoStore Truncated()
    {
        NinoStore store = Simulated.Open(_directory);
        while (RetentionTests.Segments(_directory).Length < 4)
        {
            for (int i = 0; i < 50; i++) store.Append(new Deposited($"account {i % 7}", i));
            Simulated.Commit(store);
        }

        Assert.True(store.TruncateBefore(long.MaxValue).FirstSequence > 1);
        return store;
    }
}

/// <summary>A state before its type was renamed.</summary>
[NinoType]
public sealed partial class OldLedger
{
    public long Sum { get; set; }
}

/// <summary>The same state under its present name.</summary>
[NinoType, NinoFormerName("Store.Tests.State.OldLedger")]
public sealed partial class Ledger
{
    public long Sum { get; set; }
}
