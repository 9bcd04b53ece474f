using System.IO.Pipelines;
using Store.Shipping;
using Store.Tests.Log;
using Store.Tests.Retention;
using Store.Tests.Simulation;

namespace Store.Tests.Shipping;

/// <summary>Frames of one store in another: the same log, whatever is repeated, and nothing that is not it.</summary>
public class ShippingTests
{
    [Fact]
    public void WhatIsImportedIsTheSameLog()
    {
        SimDirectory directory = new(), other = new();
        using NinoStore source = Shipped.Source(directory, rounds: 120);
        using (NinoStore follower = Simulated.Open(other, seed: 2))
        {
            Shipped.Follow(source, follower);
            Simulated.Commit(follower);
            Shipped.AreEqual(source, follower);
            Assert.NotEqual(source.StoreId, follower.StoreId);
        }

        using NinoStore again = Simulated.Open(other, seed: 3);
        Assert.True(again.Recovery.CleanClose);
        Shipped.AreEqual(source, again);
        Assert.False(RetentionTests.Look(other).Verify().IsCorrupt);
    }

    [Fact]
    public void AFollowerGoesOnAfterEitherSideWasOpenedAgain()
    {
        SimDirectory directory = new(), other = new();
        for (int opening = 0; opening < 4; opening++)
        {
            using NinoStore source = Shipped.Source(directory, seed: 10 + opening, rounds: 9);
            using NinoStore follower = Simulated.Open(other, seed: 20 + opening);
            Shipped.Follow(source, follower);
            Simulated.Commit(follower);
            Shipped.AreEqual(source, follower);
        }
    }

    [Fact]
    public void WhatIsThereAlreadyIsPassedOver()
    {
        SimDirectory directory = new(), other = new();
        using NinoStore source = Shipped.Source(directory, rounds: 40);
        using NinoStore follower = Simulated.Open(other, seed: 2);
        byte[] shipment = Shipped.Shipment(source);

        ImportResult first = Shipped.Import(follower, shipment);
        ImportResult second = Shipped.Import(follower, shipment);
        Shipped.Append(source, 5);
        ImportResult third = Shipped.Import(follower, Shipped.Shipment(source, fromSequence: source.LastSequence / 2));

        Assert.Equal((0L, source.LastSequence), (first.FramesRepeated, third.LastSequence));
        Assert.Equal((first.FramesImported, 0L, 0L), (second.FramesRepeated, second.FramesImported, second.RecordsImported));
        Assert.True(third is { FramesRepeated: > 0, FramesImported: > 0 });
        Assert.Equal(source.LastSequence, first.RecordsImported + third.RecordsImported);
        Shipped.AreEqual(source, follower);
    }

    [Fact]
    public void AGapIsRefused()
    {
        SimDirectory directory = new();
        using NinoStore source = Shipped.Source(directory);
        using NinoStore follower = Simulated.Open(new SimDirectory(), seed: 2);

        ShipmentException e = Shipped.Refused(ShipmentProblem.Gap, () =>
        {
            foreach (RawFrame frame in source.ReadFrames(fromSequence: 50)) follower.Import(frame);
        });

        Assert.Contains("records 1 to", e.Message, StringComparison.Ordinal);
        Assert.Equal(0, follower.LastSequence);
    }

    [Fact]
    public void OtherRecordsUnderTheSameSequencesAreRefused()
    {
        SimDirectory directory = new(), other = new();
        using NinoStore source = Shipped.Source(directory);
        using NinoStore follower = Simulated.Open(other, seed: 2);
        Shipped.Follow(source, follower);

        // The follower goes its own way.
        long own = follower.Append(4711);
        Shipped.Append(source, 1);

        Shipped.Refused(ShipmentProblem.Conflict, () => Shipped.Follow(source, follower, own));
        Shipped.Refused(ShipmentProblem.Gap, () => Shipped.Follow(source, follower, own + 5));
        Assert.Equal(own, follower.LastSequence);

        // Sequences are the same, records are not.
        using NinoStore third = Simulated.Open(new SimDirectory(), seed: 3);
        third.Append("other");
        Simulated.Commit(third);
        using NinoStore mixed = Simulated.Open(new SimDirectory(), seed: 4);
        Shipped.Follow(third, mixed);
        RawFrame[] frames = [.. source.ReadFrames().Take(2).Select(f => f with { StoreId = third.StoreId, Payload = f.Payload.ToArray() })];
        mixed.Import(frames[0]);
        Shipped.Refused(ShipmentProblem.Conflict, () => mixed.Import(frames[1]));
    }

    [Fact]
    public void AnotherStoresFramesAreRefused()
    {
        SimDirectory other = new();
        using NinoStore source = Shipped.Source(new SimDirectory(), seed: 1);
        using NinoStore stranger = Shipped.Source(new SimDirectory(), seed: 2, rounds: 60);
        using (NinoStore follower = Simulated.Open(other, seed: 3))
        {
            Shipped.Follow(source, follower);
            Shipped.Refused(ShipmentProblem.Foreign, () => Shipped.Follow(stranger, follower));
        }

        using NinoStore again = Simulated.Open(other, seed: 4);
        Shipped.Refused(ShipmentProblem.Foreign, () => Shipped.Follow(stranger, again));
        Shipped.AreEqual(source, again);

        using NinoStore grown = Simulated.Open(new SimDirectory(), seed: 5);
        grown.Append(1);
        Assert.Contains("records of its own", Shipped.Refused(ShipmentProblem.Foreign, () => Shipped.Follow(source, grown)).Message, StringComparison.Ordinal);
    }

    [Fact]
    public void ABackupFollowsTheStoreItIsACopyOf()
    {
        SimDirectory directory = new(), copy = new();
        using NinoStore source = RetentionTests.Grown(directory, segments: 5);
        source.TruncateBefore(RetentionTests.First(directory, 3));
        using NinoStore empty = Simulated.Open(new SimDirectory(), seed: 2);
        Assert.Equal(source.FirstSequence, Assert.Throws<LogTruncatedException>(() => Shipped.Follow(source, empty)).FirstSequence);

        source.BackupTo(copy);
        RetentionTests.Grow(source, directory, 7);
        SimDirectory begun = copy.KillProcess();
        using (NinoStore follower = Simulated.Open(begun, seed: 3))
        {
            Shipped.Follow(source, follower);
            Assert.Equal(source.LastSequence, follower.LastSequence);
            RetentionTests.IsWhole(follower);

            // Repeats of what retention has removed here are nothing to do.
            follower.Commit();
            follower.TruncateBefore(long.MaxValue);
            foreach (RawFrame frame in source.ReadFrames(source.FirstSequence)) Assert.False(follower.Import(frame));
        }

        using NinoStore again = Simulated.Open(begun, seed: 4);
        Assert.Equal(source.LastSequence, again.LastSequence);
    }

    [Fact]
    public void ABackupOfAFollowerIsAFollower()
    {
        SimDirectory copy = new();
        using NinoStore source = Shipped.Source(new SimDirectory(), seed: 1);
        using NinoStore follower = Simulated.Open(new SimDirectory(), seed: 2);
        Shipped.Follow(source, follower);
        follower.BackupTo(copy);
        Shipped.Append(source, 3);

        using NinoStore opened = Simulated.Open(copy.KillProcess(), seed: 3);
        Shipped.Follow(source, opened);

        Shipped.AreEqual(source, opened);
    }

    [Fact]
    public void OnlyWhatIsDurableIsShipped()
    {
        using NinoStore source = Shipped.Source(new SimDirectory(), rounds: 2);
        long durable = source.DurableSequence;
        source.Append(1);

        Assert.Equal(durable, source.ReadFrames().Last().LastSequence);
        Assert.Equal(durable, Shipped.Done(source.ShipToAsync(Stream.Null)));
        Assert.Equal(durable, Shipped.Done(source.ShipToAsync(Stream.Null, durable + 1)));
    }

    [Fact]
    public void ASchemaNumberWithAnotherMeaningBeginsASegment()
    {
        SimDirectory directory = new(), other = new();
        using NinoStore follower = Simulated.Open(other, seed: 9, o => o with { FirstSegmentSizeBytes = 64 * 1024 });

        // The second segment uses the first schema only, so the second opening gives number 2 away again.
        using (NinoStore first = Simulated.Open(directory, seed: 1))
        {
            first.Append("text");
            first.Append(1);
            Simulated.Commit(first);
            first.AppendBatch<string>([.. Enumerable.Range(0, 60).Select(static n => new string('x', 100))]);
            Simulated.Commit(first);
            Shipped.Follow(first, follower);
        }

        using NinoStore source = Simulated.Open(directory, seed: 2);
        source.Append(2.5);
        source.Append("again");
        Simulated.Commit(source);
        Shipped.Follow(source, follower);
        Simulated.Commit(follower);

        Assert.True(RetentionTests.Segments(directory).Length > 1);
        Shipped.AreEqual(source, follower);
        Assert.True(RetentionTests.Segments(other).Length > 1);
    }

    [Fact]
    public void FramesOfTwoReadingsAreNotTakenForOne()
    {
        using NinoStore source = Shipped.Source(new SimDirectory(), rounds: 3);
        using NinoStore follower = Simulated.Open(new SimDirectory(), seed: 2);
        RawFrame schema = source.ReadFrames().First(), records = source.ReadFrames().First(static f => !f.IsSchema);
        follower.Import(schema);

        Assert.Contains("did not come before it", Shipped.Refused(ShipmentProblem.Damaged, () => follower.Import(records)).Message, StringComparison.Ordinal);
        Assert.Equal(0, follower.LastSequence);
    }

    [Fact]
    public async Task AOneFileLogIsShippedAndFollowsNobody()
    {
        using var folder = new TemporaryFolder();
        await using NinoStore source = NinoLog.Create(folder["log.bin"]);
        source.Append(5);
        await source.CommitAsync();
        await using NinoStore follower = NinoStore.Open(folder["follower"]);
        var pipe = new Pipe();
        ValueTask<ImportResult> import = follower.ImportAsync(pipe.Reader.AsStream());

        await source.ShipToAsync(pipe.Writer.AsStream());

        Assert.Equal(1, (await import).LastSequence);
        Assert.Equal(5, follower.Read<int>().Single().Value);
        Assert.Throws<InvalidOperationException>(() => source.Import(default));
        await Assert.ThrowsAsync<InvalidOperationException>(async () => await source.ImportAsync(Stream.Null));
    }

    [Fact]
    public async Task AFollowerBehindAPipeKeepsUpWithTwoWriters()
    {
        using var folder = new TemporaryFolder();
        var options = new NinoStoreOptions { FirstSegmentSizeBytes = 16 * 1024, SegmentSizeBytes = 256 * 1024 };
        var source = NinoStore.Open(folder["source"], options);
        await using NinoStore follower = NinoStore.Open(folder["follower"], options);
        var pipe = new Pipe();
        Task<long> shipping = source.ShipToAsync(pipe.Writer.AsStream(), follow: true).AsTask();
        Task<ImportResult> importing = follower.ImportAsync(pipe.Reader.AsStream()).AsTask();

        await Task.WhenAll(Enumerable.Range(0, 2).Select(writer => Task.Run(async () =>
        {
            for (int i = 0; i < 3000; i++)
            {
                if (writer == 0) source.Append(i);
                else source.Append($"text {i}");
                if (i % 100 == 0) await source.CommitAsync();
            }
        })));
        await source.CommitAsync();
        long last = source.LastSequence;
        while (follower.LastSequence < last && !shipping.IsCompleted && !importing.IsCompleted) await Task.Delay(5);
        await source.DisposeAsync();

        Assert.Equal(last, await shipping);
        Assert.Equal(last, (await importing).LastSequence);
        using NinoStore reopened = NinoStore.Open(folder["source"], options);
        Assert.Equal(Shipped.Records(reopened), Shipped.Records(follower));
    }

    /// <summary>The source's retention waits for what the follower has on its disk.</summary>
    [Fact]
    public async Task WhatWasImportedIsDurableThoughTheSourceRests()
    {
        using var folder = new TemporaryFolder();
        await using NinoStore source = NinoStore.Open(folder["source"]), follower = NinoStore.Open(folder["follower"]);
        var pipe = new Pipe();
        using var stop = new CancellationTokenSource();
        Task<long> shipping = source.ShipToAsync(pipe.Writer.AsStream(), follow: true, cancellationToken: stop.Token).AsTask();
        Task<ImportResult> importing = follower.ImportAsync(pipe.Reader.AsStream(), stop.Token).AsTask();
        for (int burst = 1; burst <= 2; burst++)
        {
            for (int i = 0; i < 5; i++) await source.AppendAsync(i);
            await Until.HoldsAsync(() => follower.DurableSequence == source.LastSequence, TimeSpan.FromSeconds(60));
        }

        Assert.False(importing.IsCompleted);
        await stop.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => shipping);
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => importing);
    }

    [Fact]
    public async Task FollowingInOneProcessIsALoop()
    {
        using var folder = new TemporaryFolder();
        await using NinoStore store = NinoStore.Open(folder["source"]), follower = NinoStore.Open(folder["follower"]);
        using var stop = new CancellationTokenSource();
        Task loop = Task.Run(async () =>
        {
            await foreach (RawFrame frame in store.TailFramesAsync(follower.LastSequence + 1, stop.Token)) follower.Import(frame);
        });
        for (int i = 0; i < 100; i++) await store.AppendAsync(i);
        while (follower.LastSequence < 100 && !loop.IsCompleted) await Task.Delay(1);
        await stop.CancelAsync();

        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => loop);
        Assert.Equal(Enumerable.Range(0, 100), follower.Read<int>().Select(static r => r.Value));
    }

    [Fact]
    public void WhoeverAppendsBesideAnImportTakesTheSequenceOrWaits()
    {
        // The sequence is checked under the log's gate, where it is given: a frame is never appended anywhere else.
        using NinoStore source = Shipped.Source(new SimDirectory(), rounds: 3);
        using NinoStore follower = Simulated.Open(new SimDirectory(), seed: 2);
        RawFrame[] frames = Shipped.FramesOf(source);
        follower.Import(frames[0]);
        follower.Import(frames[1]);
        long own = follower.Append(1);

        Shipped.Refused(ShipmentProblem.Conflict, () =>
        {
            foreach (RawFrame frame in frames.Skip(2)) follower.Import(frame);
        });
        Assert.Equal(own, follower.LastSequence);
    }

    [Fact]
    public void AMarkOfTheSourceThatIsDamagedIsRefused()
    {
        SimDirectory other = new();
        using NinoStore source = Shipped.Source(new SimDirectory(), rounds: 3);
        using (NinoStore follower = Simulated.Open(other, seed: 2)) Shipped.Follow(source, follower);
        FileBytes.Put(other, FollowedStore.FileName, new byte[5000]);

        using NinoStore again = Simulated.Open(other, seed: 3);
        Assert.Contains(FollowedStore.FileName, Assert.Throws<StoreCorruptException>(() => Shipped.Follow(source, again, 1)).Message, StringComparison.Ordinal);
    }
}
