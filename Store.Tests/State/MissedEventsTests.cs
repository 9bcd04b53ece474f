// A snapshot covers the log up to a sequence: an event in front of that which the program did not know that wrote it is in no state and is never replayed. Nobody finds out, unless the snapshot says what its program knew.

using Store.Serialization;
using Store.Snapshots;
using Store.State;
using Store.Tests.Log;
using Store.Tests.Simulation;

namespace Store.Tests.State;

public sealed class MissedEventsTests : IDisposable
{
    private const string OfDeposits = "Store.Tests.State.Deposited", OfWithdrawals = "Store.Tests.State.Withdrawn";

    private readonly SimDirectory _directory = new();

    public void Dispose() => _directory.Dispose();

    [Fact]
    public async Task AHandlerThatIsAddedLaterIsRefusedWhereTheLogHasItsEventsInFrontOfTheSnapshot()
    {
        await using NinoStore store = Simulated.Open(_directory);
        store.Append(new Withdrawn("ann", 1));
        store.Append(new Withdrawn("ann", 1));
        SnapshotInfo written = await WrittenByOneThatKnowsDepositsAsync(store, 10);

        InvalidOperationException refused = await Assert.ThrowsAsync<InvalidOperationException>(async () => await store.OpenStateAsync<Bank>(Bank.Events_));
        foreach (string said in new[] { written.FileName, $"up to sequence {written.Sequence}", "no handler of 'Store.Tests.State.Withdrawn'", "the first with sequence 1.", "AllowMissedEvents", "ForgetState(\"Store.Tests.State.Bank\")" })
            Assert.Contains(said, refused.Message, StringComparison.Ordinal);

        // Nothing is left of the attempt: who knows what the snapshot's program knew opens it as before.
        await using (StateStore<Bank> bank = await store.OpenStateAsync<Bank>(Deposits)) Assert.Equal("1: ann=10", bank.Read(static b => b.Text()));

        // Anew, as the message says.
        Assert.True(store.ForgetState("Store.Tests.State.Bank"));
        Assert.Equal(1, store.DeleteSnapshots(written.TypeName));
        await using (StateStore<Bank> bank = await store.OpenStateAsync<Bank>(Bank.Events_)) Assert.Equal("3: ann=8", bank.Read(static b => b.Text()));
    }

    [Fact]
    public async Task WhoSaysSoBeginsWithTheEventsThatComeFromNowOnAndTheNextCheckpointNotesIt()
    {
        await using NinoStore store = Simulated.Open(_directory);
        store.Append(new Withdrawn("ann", 1));
        await WrittenByOneThatKnowsDepositsAsync(store, 10);
        await using (StateStore<Bank> bank = await store.OpenStateAsync<Bank>(Bank.Events_, new StateOptions { AllowMissedEvents = true }))
        {
            bank.Apply(new Withdrawn("ann", 4));
            Assert.Equal("2: ann=6", bank.Read(static b => b.Text()));
        }

        // Noted by the checkpoint that opening it has begun.
        await using (StateStore<Bank> bank = await store.OpenStateAsync<Bank>(Bank.Events_)) Assert.Equal("2: ann=6", bank.Read(static b => b.Text()));
    }

    /// <summary>A clean look is noted, too: the next opening does not go through the log again.</summary>
    [Fact]
    public async Task WhatWasLookedForIsNotLookedForAgain()
    {
        await using NinoStore store = Simulated.Open(_directory);
        await WrittenByOneThatKnowsDepositsAsync(store, 10);
        await using (StateStore<Bank> bank = await store.OpenStateAsync<Bank>(Bank.Events_)) Assert.Equal(2, store.Snapshots.Count);
        await using (StateStore<Bank> bank = await store.OpenStateAsync<Bank>(Bank.Events_)) Assert.Equal(2, store.Snapshots.Count);
        using SnapshotFile file = SnapshotFile.Open(_directory, store.Snapshots[0].FileName);
        Assert.Equal(new Dictionary<string, long> { [OfDeposits] = 1, [OfWithdrawals] = 1 }, file.FirstPart.Events);
    }

    /// <summary>What a program does not know it carries over: the state that it began with held it.</summary>
    [Fact]
    public async Task GoingBackAndForwardAgainWhereNothingIsMissedOpens()
    {
        await using NinoStore store = Simulated.Open(_directory);
        await using (StateStore<Bank> bank = await store.OpenStateAsync<Bank>(Bank.Events_))
        {
            bank.Apply(new Withdrawn("ann", 3));
            await bank.CheckpointAsync();
        }

        SnapshotInfo back = await WrittenByOneThatKnowsDepositsAsync(store, 10);
        using (SnapshotFile file = SnapshotFile.Open(_directory, back.FileName)) Assert.Equal(new Dictionary<string, long> { [OfDeposits] = 2, [OfWithdrawals] = 1 }, file.FirstPart.Events);
        await using (StateStore<Bank> bank = await store.OpenStateAsync<Bank>(Bank.Events_)) Assert.Equal("2: ann=7", bank.Read(static b => b.Text()));

        // And where something is: the sequence behind the one that was carried over.
        await using (StateStore<Bank> bank = await store.OpenStateAsync<Bank>(Deposits)) bank.Apply(new Deposited("ann", 1));
        store.Append(new Withdrawn("ann", 1));
        await WrittenByOneThatKnowsDepositsAsync(store, 1);
        Assert.Contains("the first with sequence 4.", (await Assert.ThrowsAsync<InvalidOperationException>(async () => await store.OpenStateAsync<Bank>(Bank.Events_))).Message, StringComparison.Ordinal);
    }

    /// <summary>Advice that would take away what is left of the state is not given.</summary>
    [Fact]
    public async Task WhereTheLogHasNotEverythingTheMessageDoesNotSayToDeleteTheSnapshots()
    {
        await using NinoStore store = Simulated.Open(_directory, change: static o => o with { FirstSegmentSizeBytes = 4096, SegmentSizeBytes = 64 * 1024 });
        await WrittenByOneThatKnowsDepositsAsync(store, 10);
        store.AppendBatch<int>(new int[40_000]);
        Simulated.Commit(store);
        await WrittenByOneThatKnowsDepositsAsync(store, 10);
        await WrittenByOneThatKnowsDepositsAsync(store, 10);
        store.AppendBatch<int>(new int[40_000]);
        Simulated.Commit(store);
        store.TruncateBefore(long.MaxValue);
        Assert.True(store.FirstSequence > 1);
        store.Append(new Withdrawn("ann", 1));
        await WrittenByOneThatKnowsDepositsAsync(store, 10);
        string message = (await Assert.ThrowsAsync<InvalidOperationException>(async () => await store.OpenStateAsync<Bank>(Bank.Events_))).Message;
        Assert.DoesNotContain("ForgetState", message, StringComparison.Ordinal);
        Assert.Contains("do not delete its snapshots", message, StringComparison.Ordinal);
    }

    /// <summary>Also where none of the frames is of the events.</summary>
    [Fact]
    public async Task LookingThroughTheLogIsCancelledBetweenFrames()
    {
        await using NinoStore store = Simulated.Open(_directory);
        for (int i = 0; i < 5; i++)
        {
            store.Append(i);
            Simulated.Commit(store);
        }

        await WrittenByOneThatKnowsDepositsAsync(store, 10);
        using var source = new CancellationTokenSource();
        Assert.Null(store.FirstOf(new Dictionary<string, long> { [OfWithdrawals] = 0 }, store.LastSequence, source.Token));
        await source.CancelAsync();
        Assert.Throws<OperationCanceledException>(() => store.FirstOf(new Dictionary<string, long> { [OfWithdrawals] = 0 }, store.LastSequence, source.Token));
    }

    /// <summary>Those behind the snapshot are replayed; a log without any has none to miss.</summary>
    [Theory]
    [InlineData(false, "1: ann=10")]
    [InlineData(true, "2: ann=7")]
    public async Task AHandlerThatIsAddedLaterMissesNothingWhereItsEventsComeBehindTheSnapshot(bool haveCome, string expected)
    {
        await using NinoStore store = Simulated.Open(_directory);
        await WrittenByOneThatKnowsDepositsAsync(store, 10);
        if (haveCome) store.Append(new Withdrawn("ann", 3));
        await using StateStore<Bank> bank = await store.OpenStateAsync<Bank>(Bank.Events_);
        Assert.Equal(expected, bank.Read(static b => b.Text()));
    }

    /// <summary>The build from before passes over what it does not know, and its checkpoint covers that.</summary>
    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task GoingBackToABuildFromBeforeARenameAndForwardAgainIsRefused(bool writesCheckpoint)
    {
        await using NinoStore store = Simulated.Open(_directory);
        await using (StateStore<Bank> before = await store.OpenStateAsync<Bank>(static on => on.On<Paid>(static (bank, e) => bank.Events += e.Amount)))
        {
            before.Apply(new Paid(1));
            await before.CheckpointAsync();
        }

        // Renamed: opened without a word, because there is none of the new name in front of the snapshot.
        await using (StateStore<Bank> after = await Renamed())
        {
            after.Apply(new Settled(10));
            Assert.Equal(11, after.Read(static b => b.Events));
        }

        await using (StateStore<Bank> back = await store.OpenStateAsync<Bank>(static on => on.On<Paid>(static (bank, e) => bank.Events += e.Amount)))
        {
            back.Apply(new Paid(100));
            Assert.Equal(101, back.Read(static b => b.Events));
            if (writesCheckpoint) await back.CheckpointAsync();
        }

        if (writesCheckpoint)
        {
            Assert.Contains("no handler of 'Store.Tests.State.Settled'", (await Assert.ThrowsAsync<InvalidOperationException>(async () => await Renamed())).Message, StringComparison.Ordinal);
            return;
        }

        await using StateStore<Bank> forward = await Renamed();
        Assert.Equal(111, forward.Read(static b => b.Events));

        async Task<StateStore<Bank>> Renamed() => await store.OpenStateAsync<Bank>(static on => on.On<Settled>(static (bank, e) => bank.Events += e.Amount));
    }

    /// <summary>Who writes a snapshot by hand knows what it holds.</summary>
    [Fact]
    public async Task ASnapshotOfTheProgramsOwnNamesNoEventsAndNothingIsAsked()
    {
        await using NinoStore store = Simulated.Open(_directory);
        store.Append(new Withdrawn("ann", 1));
        await store.CheckpointAsync(new Bank { Events = 7 });
        using (SnapshotFile file = SnapshotFile.Open(_directory, Assert.Single(store.Snapshots).FileName)) Assert.DoesNotContain(file.Sections, static s => s.Kind == SnapshotSectionKind.Events);
        await using StateStore<Bank> bank = await store.OpenStateAsync<Bank>(Bank.Events_);
        Assert.Equal(7, bank.Read(static b => b.Events));
    }

    [Fact]
    public async Task EveryBitOfTheNamesOfEventsIsVerifiedWhenTheSnapshotIsOpened()
    {
        string name;
        await using (NinoStore store = Simulated.Open(_directory)) name = (await WrittenByOneThatKnowsDepositsAsync(store, 10)).FileName;
        SnapshotSection events;
        using (SnapshotFile file = SnapshotFile.Open(_directory, name)) events = file.Sections.Single(static s => s.Kind == SnapshotSectionKind.Events);
        byte[] whole = FileBytes.Of(_directory, name);
        Assert.Equal([1, 0, 0, 0, 0, 0, 0, 0, (byte)OfDeposits.Length, 0, 0, 0, .. "Store.Tests.State.Deposited"u8], whole[(int)events.Offset..(int)events.EndOffset]);
        for (long bit = events.Offset * 8; bit < events.EndOffset * 8; bit++)
        {
            byte[] flipped = [.. whole];
            flipped[bit / 8] ^= (byte)(1 << (int)(bit % 8));
            FileBytes.Put(_directory, name, flipped);
            Assert.Null(SnapshotFile.TryOpen(_directory, name, SnapshotVerification.OnFirstTouch, out SnapshotFailure? failure));
            Assert.Equal((SnapshotFailureKind.HeaderDamaged, events.Offset), (failure!.Kind, failure.Offset));
        }
    }

    [Fact]
    public void NamesOfEventsThatAreNoneAreRefused()
    {
        var through = new Dictionary<string, long> { ["a"] = 0, ["Ünïcode.Event"] = 7, [new('x', 300)] = long.MaxValue };
        byte[] bytes = SnapshotEvents.Encode(through)!;
        Assert.Equal(through, SnapshotEvents.TryDecode(bytes));
        for (int length = 1; length < bytes.Length; length++)
        {
            if (SnapshotEvents.TryDecode(bytes.AsSpan(0, length)) is { } cut) Assert.True(cut.Count < through.Count);
        }

        Assert.Null(SnapshotEvents.TryDecode([.. bytes, .. bytes]));
        Assert.Null(SnapshotEvents.TryDecode([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]));
        Assert.Null(SnapshotEvents.TryDecode([0, 0, 0, 0, 0, 0, 0, 128, 1, 0, 0, 0, 65]));
        Assert.Null(SnapshotEvents.TryDecode([0, 0, 0, 0, 0, 0, 0, 0, 255, 255, 255, 127, 65]));
        Assert.Null(SnapshotEvents.TryDecode([0, 0, 0, 0, 0, 0, 0, 0, 255, 255, 255, 255, 65]));
        Assert.Null(SnapshotEvents.TryDecode([0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0xff]));
        Assert.Null(SnapshotEvents.Encode(Enumerable.Range(0, 20_000).Select(static i => KeyValuePair.Create($"an event with a name of some length, number {i}", 0L))));
        Assert.Null(SnapshotEvents.Encode([]));
    }

    /// <summary>What the log lost in front of a snapshot is no reason to refuse what the snapshot holds.</summary>
    [Fact]
    public async Task DamageOfTheLogInFrontOfTheSnapshotRefusesNoState()
    {
        await using (NinoStore store = Simulated.Open(_directory, change: static o => o with { FirstSegmentSizeBytes = 4096, SegmentSizeBytes = 64 * 1024 }))
        {
            for (int i = 0; i < 200; i++) store.Append(new Withdrawn("ann", 1));
            Simulated.Commit(store);
            store.AppendBatch<int>(new int[40_000]);
            Simulated.Commit(store);
            await WrittenByOneThatKnowsDepositsAsync(store, 10);
        }

        string first = SegmentNames()[0];
        byte[] bytes = FileBytes.Of(_directory, first);
        bytes[1000] ^= 1;
        FileBytes.Put(_directory, first, bytes);
        await using NinoStore again = Simulated.Open(_directory, 2);
        await using (StateStore<Bank> bank = await again.OpenStateAsync<Bank>(Bank.Events_))
        {
            Assert.Equal("1: ann=10", bank.Read(static b => b.Text()));
            await bank.CheckpointAsync();
        }

        // That it is not known is not forgotten: nothing says that the state holds them.
        using SnapshotFile file = SnapshotFile.Open(_directory, again.Snapshots[0].FileName);
        Assert.Equal(0, file.FirstPart.Events![OfWithdrawals]);
    }

    private string[] SegmentNames() => [.. _directory.List().Select(static f => f.Name).Where(static name => Store.Log.SegmentFormat.TryParseName(name, out _)).Order(StringComparer.Ordinal)];

    private static void Deposits(StateHandlers<Bank> on) => on.On<Deposited>(static (bank, e) => bank.Apply(e));

    private static async Task<SnapshotInfo> WrittenByOneThatKnowsDepositsAsync(NinoStore store, long amount)
    {
        await using StateStore<Bank> bank = await store.OpenStateAsync<Bank>(Deposits);
        bank.Apply(new Deposited("ann", amount));
        return await bank.CheckpointAsync();
    }
}

/// <summary>An event.</summary>
[NinoType]
public sealed partial record Paid(long Amount);

/// <summary>The same under the name that it has since.</summary>
[NinoType, NinoFormerName("Store.Tests.State.Paid")]
public sealed partial record Settled(long Amount);
