using Store.Log;
using Store.Retention;
using Store.Tests.Log;
using Store.Tests.Simulation;
using static Store.Tests.Retention.RetentionTests;

namespace Store.Tests.Retention;

/// <summary>The mark of where the log begins: it tells what retention removed from what is lost, and is believed only when it verifies.</summary>
public class RetentionMarkTests
{
    [Fact]
    public void ARemovedFirstSegmentIsToldFromARetainedOne()
    {
        var directory = new SimDirectory();
        using (NinoStore store = Grown(directory, segments: 5)) store.TruncateBefore(First(directory, 3));
        directory.Delete(SegmentFormat.Name(3));
        directory.SyncDirectory();

        StoreCorruptException e = Assert.Throws<StoreCorruptException>(() => Simulated.Open(directory, seed: 2));
        Assert.Contains("segments 3 to 3 are missing", e.Message, StringComparison.Ordinal);
        Assert.Contains("segments 3 to 3", Assert.Single(Look(directory).Verify().Damage).Message, StringComparison.Ordinal);

        using (NinoStore salvaged = Simulated.Open(directory, 3, o => o with { Recovery = RecoveryMode.Salvage }))
        {
            Assert.Equal(First(directory, 4), salvaged.FirstSequence);
            Assert.Contains("begins here now", Assert.Single(salvaged.Recovery.Damage).Message, StringComparison.Ordinal);
            IsWhole(salvaged);
        }

        using NinoStore again = Simulated.Open(directory, seed: 4);
        Assert.Empty(again.Recovery.Damage);
    }

    // The disk is full when the folder is synced, behind the new mark's name: no segment goes by a mark whose name a power failure may take away.
    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void AFolderThatHasNoRoomToBeSyncedKeepsTheSegmentsBeforeTheMark(bool hasMark)
    {
        var directory = new SimDirectory();
        var faulty = new FaultDirectory(directory, seed: 1);
        using (NinoStore first = Grown(directory, segments: 6))
        {
            if (hasMark) first.TruncateBefore(First(directory, 2));
        }

        NinoStore store = Simulated.Open(faulty, seed: 2);
        faulty.Fault = new Fault(1, FaultKind.NoSpace, Strikes: static operation => operation is IoOperation.SyncDirectory);
        int images = 0;
        directory.OnOperation = (_, _) => Opens(directory.TakeImage());
        Assert.ThrowsAny<IOException>(() => store.TruncateBefore(First(directory, 4)));
        Assert.Equal(1, faulty.Failures);

        // There is room again.
        Assert.Equal(First(directory, 5), store.TruncateBefore(First(directory, 5)).FirstSequence);
        directory.OnOperation = null;
        Opens(directory.TakeImage());
        Assert.True(images > 10);
        store.Dispose();

        void Opens(CrashImage image)
        {
            bool[][] fates = [.. Enumerable.Range(0, image.EntryChanges.Length).Select(kept => Enumerable.Range(0, image.EntryChanges.Length).Select(i => i == kept).ToArray())];
            foreach (bool[] entries in (bool[][])[image.NothingSurvives.Entries, image.EverythingSurvives.Entries, .. fates])
            {
                images++;
                using NinoStore crashed = Simulated.Open(image.Build(image.EverythingSurvives with { Entries = entries }), seed: 3);
                IsWhole(crashed);
            }
        }
    }

    [Fact]
    public void AllSegmentsMissingBehindTheMarkIsNoNewStore()
    {
        var directory = new SimDirectory();
        using (NinoStore store = Grown(directory, segments: 3)) store.TruncateBefore(long.MaxValue);
        byte[] kept = FileBytes.Of(directory, SegmentFormat.Name(3));
        directory.Delete(SegmentFormat.Name(3));
        Assert.Throws<StoreCorruptException>(() => Simulated.Open(directory, seed: 2));

        FileBytes.Put(directory, SegmentFormat.Name(2), kept);
        Assert.Contains("begins with segment 3", Assert.Throws<StoreCorruptException>(() => Simulated.Open(directory, seed: 2)).Message, StringComparison.Ordinal);
        Assert.Equal([2], Segments(directory));
    }

    [Theory]
    [InlineData(RecoveryMode.Strict)]
    [InlineData(RecoveryMode.TruncateTorn)]
    public void ADamagedMarkIsNeverBelieved(RecoveryMode mode)
    {
        var directory = new SimDirectory();
        using (NinoStore store = Grown(directory, segments: 4)) store.TruncateBefore(First(directory, 3));
        byte[] mark = FileBytes.Of(directory, LogStart.FileName);
        mark[45] ^= 1;
        FileBytes.Put(directory, LogStart.FileName, mark);
        Simulated.Open(directory, 2, o => o with { Recovery = mode }).Dispose();

        mark[MarkerFile.SecondSlot + 45] ^= 1;
        FileBytes.Put(directory, LogStart.FileName, mark);
        StoreCorruptException e = Assert.Throws<StoreCorruptException>(() => Simulated.Open(directory, 2, o => o with { Recovery = mode }));
        Assert.Contains("neither copy", e.Message, StringComparison.Ordinal);

        using NinoStore salvaged = Simulated.Open(directory, 3, o => o with { Recovery = RecoveryMode.Salvage });
        Assert.Equal(First(directory, 3), salvaged.FirstSequence);
        IsWhole(salvaged);
    }

    [Fact]
    public void ADamagedMarkBesideAWholeLogIsWrittenAnew()
    {
        var directory = new SimDirectory();
        Grown(directory, segments: 3).Dispose();
        FileBytes.Put(directory, LogStart.FileName, [1, 2, 3]);

        using (NinoStore store = Simulated.Open(directory, seed: 2))
        {
            Assert.Equal(1, store.FirstSequence);
            Assert.Single(store.Recovery.Damage);
            IsWhole(store);
        }

        using NinoStore again = Simulated.Open(directory, seed: 3);
        Assert.Empty(again.Recovery.Damage);
    }

    [Fact]
    public void TheMarkOfAnotherStoreIsRefused()
    {
        var directory = new SimDirectory();
        Grown(directory, segments: 3).Dispose();
        new LogStart(Guid.NewGuid(), 2, First(directory, 2)).Publish(directory, 0);

        string refused = Assert.Throws<StoreCorruptException>(() => Simulated.Open(directory, seed: 2)).Message;
        Assert.Contains("belongs to the store", refused, StringComparison.Ordinal);
        Assert.Contains("to begin with what is there", refused, StringComparison.Ordinal);
        Assert.Equal([1, 2, 3], Segments(directory));
    }

    [Fact]
    public void ByTheMarkOfAnotherStoreSalvageGivesNothingUp()
    {
        var directory = new SimDirectory();
        Grown(directory, segments: 4).Dispose();
        long last = First(directory, 4);
        new LogStart(Guid.NewGuid(), 3, First(directory, 3)).Publish(directory, 0);

        using (NinoStore salvaged = Simulated.Open(directory, 2, o => o with { Recovery = RecoveryMode.Salvage }))
        {
            Assert.Equal([1, 2, 3, 4], Segments(directory));
            Assert.Contains("belongs to the store", Assert.Single(salvaged.Recovery.Damage).Message, StringComparison.Ordinal);
            Assert.Empty(salvaged.Recovery.FilesRemoved);
            Assert.Equal(1, salvaged.FirstSequence);
            Assert.InRange(salvaged.LastSequence, last, long.MaxValue);
            IsWhole(salvaged);
        }

        using NinoStore again = Simulated.Open(directory, seed: 3);
        Assert.Equal((1L, 0), (again.FirstSequence, again.Recovery.Damage.Count));
    }
}
