using Store.Shipping;
using Store.Tests.Log;
using Store.Tests.Retention;
using Store.Tests.Simulation;

namespace Store.Tests.Shipping;

/// <summary>Two logs that went different ways, with sequences that happen to fit: nothing of one gets into the other.</summary>
public class DivergedLogTests
{
    [Fact]
    public void AFollowerThatAppendedItsOwnRecordTakesNothingFromBehindIt()
    {
        using NinoStore source = Shipped.Source(new SimDirectory(), seed: 1);
        using NinoStore follower = Simulated.Open(new SimDirectory(), seed: 2);
        Shipped.Follow(source, follower);
        long own = follower.Append(4711);
        source.Append(1);
        Simulated.Commit(source);
        source.Append(2);
        Simulated.Commit(source);

        Shipped.Refused(ShipmentProblem.Conflict, () => Shipped.Follow(source, follower));
        Shipped.Refused(ShipmentProblem.Conflict, () => Shipped.Import(follower, Shipped.Shipment(source, own + 1)));

        // Whoever leaves the tie out is not believed.
        RawFrame[] untied = [.. source.ReadFrames(own + 1).Where(f => f.IsSchema || f.FirstSequence > own).Select(static f => f with { Payload = f.Payload.ToArray() })];
        ShipmentException e = Shipped.Refused(ShipmentProblem.Conflict, () => Array.ForEach(untied, f => follower.Import(f)));
        Assert.Contains($"nothing ties it to record {own}", e.Message, StringComparison.Ordinal);
        Assert.Equal(own, follower.LastSequence);
    }

    [Fact]
    public async Task ASourcePutBackFromAnOlderBackupDoesNotContinueItsFollower()
    {
        SimDirectory backup = new();
        using NinoStore source = Shipped.Source(new SimDirectory(), seed: 1);
        source.BackupTo(backup);
        Shipped.Append(source, 20);
        using NinoStore follower = Simulated.Open(new SimDirectory(), seed: 2);
        Shipped.Follow(source, follower);
        long last = follower.LastSequence;

        using NinoStore restored = Simulated.Open(backup.KillProcess(), seed: 3);
        Assert.Equal(source.StoreId, restored.StoreId);

        // The follower is ahead: there is nothing that could be compared, and that is no success.
        Assert.True(restored.LastSequence < last);
        Assert.Contains("older backup", Shipped.Refused(ShipmentProblem.Conflict, () => Shipped.Follow(restored, follower)).Message, StringComparison.Ordinal);
        using var stream = new MemoryStream();
        await Assert.ThrowsAsync<ShipmentException>(async () => await restored.ShipToAsync(stream, last + 1));
        Assert.Equal(0, stream.Length);
        Assert.Throws<ShipmentException>(() => { restored.TailFramesAsync(last + 1); });

        // It goes another way, past the follower.
        while (restored.LastSequence < last + 10)
        {
            restored.Append("another history");
            Simulated.Commit(restored);
        }

        Shipped.Refused(ShipmentProblem.Conflict, () => Shipped.Follow(restored, follower));
        Assert.Equal(last, follower.LastSequence);
        Shipped.AreEqual(source, follower);
    }

    /// <summary>What its frames say is durable lags behind what is, by one commit at least.</summary>
    [Fact]
    public async Task AStoreThatIsOpenForReadingHasNothingNewForAFollowerThatIsUpToDate()
    {
        SimDirectory directory = new();
        using NinoStore source = Shipped.Source(directory, seed: 1);
        source.Append("the last");
        Simulated.Commit(source);
        using NinoStore follower = Simulated.Open(new SimDirectory(), seed: 2);
        Shipped.Follow(source, follower);
        long last = follower.LastSequence;
        Assert.Equal(source.LastSequence, last);

        using NinoStore killed = Simulated.Open(directory.KillProcess(), seed: 3, o => o with { ReadOnly = true });
        Assert.True(killed.LastSequence == last && killed.DurableSequence < last);
        Assert.DoesNotContain(killed.ReadFrames(last + 1), frame => frame.LastSequence > last);
        Assert.Equal(last, await killed.ShipToAsync(new MemoryStream(), last + 1));
        Shipped.Refused(ShipmentProblem.Conflict, () => killed.ReadFrames(last + 2).Count());
    }

    [Fact]
    public void WhereRetentionHasRemovedTheTieNothingIsAppendedAndTheMessageSaysWhatToDo()
    {
        SimDirectory directory = new(), copy = new();
        using NinoStore source = RetentionTests.Grown(directory, segments: 4);
        source.BackupTo(copy);
        RetentionTests.Grow(source, directory, 7);
        long next = RetentionTests.First(directory, 5);
        using NinoStore follower = Simulated.Open(copy.KillProcess(), seed: 3);
        foreach (RawFrame frame in source.ReadFrames(follower.LastSequence + 1))
        {
            if (frame.FirstSequence >= next) break;
            follower.Import(frame);
        }

        Assert.Equal(next - 1, follower.LastSequence);
        source.TruncateBefore(next);

        Assert.Equal(next, source.FirstSequence);
        Assert.Contains("begin anew with a backup", Shipped.Refused(ShipmentProblem.Conflict, () => Shipped.Follow(source, follower)).Message, StringComparison.Ordinal);
        Assert.Equal(next - 1, follower.LastSequence);
    }

    [Fact]
    public void AStoreThatTookTheFirstSequenceItselfFollowsNobody()
    {
        // It appends while the mark of the source is written, before the frame.
        SimDirectory other = new();
        using NinoStore source = Shipped.Source(new SimDirectory(), seed: 1);
        using NinoStore follower = Simulated.Open(other, seed: 2);
        long own = 0;
        other.OnOperation = (_, what) =>
        {
            if (own == 0 && what.Contains(FollowedStore.FileName, StringComparison.Ordinal)) own = follower.Append(4711);
        };

        Shipped.Refused(ShipmentProblem.Conflict, () => Shipped.Follow(source, follower, 1));

        Assert.Equal((1, 1), (own, follower.LastSequence));
        Assert.False(FollowedStore.IsThere(other));
        Shipped.Refused(ShipmentProblem.Foreign, () => Shipped.Follow(source, follower, 1));
    }

    [Fact]
    public void ABackupOfAFollowerFollowsThatFollower()
    {
        SimDirectory copy = new();
        using NinoStore source = Shipped.Source(new SimDirectory(), seed: 1);
        using NinoStore follower = Simulated.Open(new SimDirectory(), seed: 2);
        Shipped.Follow(source, follower);
        Simulated.Commit(follower);
        follower.BackupTo(copy);
        Shipped.Append(source, 3);
        Shipped.Follow(source, follower);
        Simulated.Commit(follower);

        using NinoStore chained = Simulated.Open(copy.KillProcess(), seed: 3);
        Shipped.Follow(follower, chained);

        Shipped.AreEqual(source, chained);
    }

    [Fact]
    public void AFollowerBegunFromABackupKeepsTheTimesOfItsSource()
    {
        Func<NinoStoreOptions, NinoStoreOptions> ahead = static o => o with { TimeProvider = new ClockAt(new DateTimeOffset(2099, 1, 1, 0, 0, 0, TimeSpan.Zero)) };
        SimDirectory copy = new();
        using NinoStore source = Shipped.Source(new SimDirectory(), rounds: 20);
        source.BackupTo(copy);
        Shipped.Append(source, 20);
        SimDirectory other = copy.KillProcess();

        // Checkpointed and closed before: the note of that and the closing mark are younger than everything that comes.
        using (NinoStore before = Simulated.Open(other, seed: 2, ahead)) Shipped.Done(before.CheckpointAsync(new List<int> { 1 }));
        Assert.Equal(2099, new DateTime(Frames.Of(other, RetentionTests.Segments(other)[^1])[^1].TimeTicks).Year);
        for (int opening = 0; opening < 2; opening++)
        {
            using NinoStore follower = Simulated.Open(other, seed: 3 + opening, ahead);
            Shipped.Follow(source, follower);
            Simulated.Commit(follower);
            Shipped.AreEqual(source, follower);
            foreach (var record in Shipped.Records(source).Where(static (_, i) => i % 37 == 0))
            {
                var from = new ReadOptions { FromTime = record.Time };
                Assert.Equal(source.ReadRecords(from).Select(static r => r.Sequence), follower.ReadRecords(from).Select(static r => r.Sequence));
            }

            Assert.False(RetentionTests.Look(other).Verify().IsCorrupt);
            Shipped.Append(source, 10);
        }
    }

    [Fact]
    public void AFrameWhoseTimeRunsBackwardsIsRefusedAndTheRightOneGoesOn()
    {
        // No log ships such a frame; a forged one must not make records unfindable by time, nor become another frame than the source has.
        SimDirectory other = new();
        using NinoStore source = Shipped.Source(new SimDirectory(), rounds: 20);
        using NinoStore follower = Simulated.Open(other, seed: 2);
        int imported = 0;
        foreach (RawFrame frame in source.ReadFrames())
        {
            if (!frame.IsSchema && ++imported % 5 == 0)
            {
                RawFrame forged = frame with { Header = frame.Header with { TimeTicks = frame.Header.TimeTicks - TimeSpan.TicksPerDay } };
                Shipped.Refused(ShipmentProblem.Damaged, () => follower.Import(forged));
            }

            follower.Import(frame);
        }

        Simulated.Commit(follower);
        Assert.True(imported > 20);
        Shipped.AreEqual(source, follower);
        Assert.False(RetentionTests.Look(other).Verify().IsCorrupt);
        Shipped.Follow(source, follower, fromSequence: 1);
        Shipped.AreEqual(source, follower);
    }

    private sealed class ClockAt(DateTimeOffset time) : TimeProvider
    {
        public override DateTimeOffset GetUtcNow() => time;
    }
}
