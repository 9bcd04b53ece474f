using Store.IO;
using Store.Log;
using Store.Tests.Log;
using Store.Tests.Retention;
using Store.Tests.Simulation;
using Xunit.Abstractions;

namespace Store.Tests.Backup;

/// <summary>Copying a live store: the copy opens, holds what was there, and costs little the second time.</summary>
public class BackupTests(ITestOutputHelper output)
{
    [Fact]
    public async Task TheCopyOfALiveStoreIsAStoreThatHoldsTheSame()
    {
        SimDirectory directory = new(), copy = new();
        using NinoStore store = RetentionTests.Grown(directory, segments: 4);
        await store.CheckpointAsync(new List<int> { 7 });
        CursorTests.Commit(store.OpenCursor("mail"), 9);
        for (int i = 0; i < 10; i++) store.Append((int)store.LastSequence + 1);

        BackupResult result = store.BackupTo(copy);

        Assert.Equal((1L, store.LastSequence, 0), (result.FirstSequence, result.LastSequence, result.FilesKept));
        using NinoStore opened = Simulated.Open(copy.KillProcess(), seed: 2);
        Assert.Equal((store.StoreId, store.LastSequence), (opened.StoreId, opened.LastSequence));
        Assert.Empty(opened.Recovery.Damage);
        RetentionTests.IsWhole(opened);
        Assert.Equal(9, opened.OpenCursor("mail").Position);
        Assert.Single(opened.Snapshots);
        List<int> restored = await opened.RestoreAsync<List<int>, int>(static (state, value) => state.Add(value));
        Assert.Equal([7, .. Enumerable.Range((int)opened.Snapshots[0].Sequence + 1, 10)], restored);
        Assert.Equal(store.LastSequence + 1, opened.Append((int)store.LastSequence + 1));
        opened.Commit();
        RetentionTests.IsWhole(opened);
    }

    [Fact]
    public void TheSecondTimeOnlyWhatIsNewIsCopiedAndWhatIsGoneIsRemoved()
    {
        SimDirectory directory = new(), copy = new();
        using NinoStore store = RetentionTests.Grown(directory, segments: 4);
        store.BackupTo(copy);
        RetentionTests.Grow(store, directory, 6);
        store.TruncateBefore(RetentionTests.First(directory, 2));

        BackupResult second = store.BackupTo(copy);

        // Segments 2 and 3 were complete; 4 was not, 5 and 6 are new.
        Assert.Equal((2, 3), (second.FilesKept, second.FilesCopied));
        Assert.Equal([2, 3, 4, 5, 6], RetentionTests.Segments(copy));
        using NinoStore opened = Simulated.Open(copy.KillProcess(), seed: 2);
        Assert.Equal((store.FirstSequence, store.LastSequence), (opened.FirstSequence, opened.LastSequence));
        RetentionTests.IsWhole(opened);
    }

    // A machine that was put back to an earlier image: what was copied in between is in the copy only.
    [Theory]
    [InlineData(1)]
    [InlineData(40)]
    public void WhatTheStoreHasLostSinceAndWrittenOtherwiseIsNotOverwrittenInTheCopy(int appended)
    {
        SimDirectory directory = new(), copy = new();
        SimDirectory image;
        using (NinoStore store = RetentionTests.Grown(directory, segments: 2))
        {
            store.Commit();
            image = directory.KillProcess();
            for (int i = 0; i < 10; i++) store.Append((int)store.LastSequence + 1);
            store.BackupTo(copy);
        }

        using NinoStore back = Simulated.Open(image, seed: 2);
        for (int i = 0; i < 10 + appended; i++) back.Append(-i);
        string before = Convert.ToHexString(FileBytes.Of(copy, SegmentFormat.Name(2)));

        StoreException refused = Assert.Throws<StoreException>(() => back.BackupTo(copy));

        Assert.Contains("restored to an earlier state", refused.Message, StringComparison.Ordinal);
        Assert.Equal(before, Convert.ToHexString(FileBytes.Of(copy, SegmentFormat.Name(2))));
    }

    // Of a kept segment only the end is looked at, unless it is asked for: reading all of them takes as long as copying them.
    [Fact]
    public void ASegmentThatWasDamagedInTheCopyIsCopiedAnewWhereKeptOnesAreVerified()
    {
        SimDirectory directory = new(), copy = new();
        using NinoStore store = RetentionTests.Grown(directory, segments: 4);
        store.BackupTo(copy);
        byte[] bytes = FileBytes.Of(copy, SegmentFormat.Name(2));
        bytes[bytes.Length / 2] ^= 1;
        FileBytes.Put(copy, SegmentFormat.Name(2), bytes);

        Assert.Equal(3, store.BackupTo(copy).FilesKept);
        Assert.NotEqual(FileBytes.Of(directory, SegmentFormat.Name(2))[..bytes.Length], FileBytes.Of(copy, SegmentFormat.Name(2)));

        BackupResult verified = store.BackupTo(copy, new BackupOptions { VerifiesKept = true });

        Assert.Equal(2, verified.FilesKept);
        Assert.Equal(FileBytes.Of(directory, SegmentFormat.Name(2))[..bytes.Length], FileBytes.Of(copy, SegmentFormat.Name(2)));
        Assert.Equal(3, store.BackupTo(copy, new BackupOptions { VerifiesKept = true }).FilesKept);
        using NinoStore opened = Simulated.Open(copy.KillProcess(), seed: 2);
        RetentionTests.IsWhole(opened);
    }

    [Fact]
    public void WhatIsReadOtherwiseWhenItIsCopiedThanWhenItWasVerifiedIsNoBackup()
    {
        SimDirectory directory = new(), copy = new();
        var forgetful = new ForgetfulDirectory(directory);
        using NinoStore store = RetentionTests.Grown(forgetful, segments: 3);
        store.BackupTo(copy);
        RetentionTests.Grow(store, forgetful, 5);
        string name = SegmentFormat.Name(4);
        forgetful.Forgets = name;

        StoreCorruptException e = Assert.Throws<StoreCorruptException>(() => store.BackupTo(copy));

        Assert.Contains(name, e.Message, StringComparison.Ordinal);
        Assert.DoesNotContain(copy.List(), f => f.Name == name || f.Name.EndsWith(AtomicFile.TemporarySuffix, StringComparison.Ordinal));
        using (NinoStore opened = Simulated.Open(copy.KillProcess(), seed: 2)) RetentionTests.IsWhole(opened);
        forgetful.Forgets = null;
        store.BackupTo(copy);
        using NinoStore right = Simulated.Open(copy.KillProcess(), seed: 3);
        Assert.Equal(store.LastSequence, right.LastSequence);
    }

    /// <summary>A disk, or a memory, that gives other bytes of a file when they are read a second time from its beginning.</summary>
    private sealed class ForgetfulDirectory(IStoreDirectory inner) : PassThroughDirectory(inner)
    {
        public string? Forgets { get; set; }

        public override IStoreFile OpenRead(string name) => name == Forgets ? new ForgetfulFile(base.OpenRead(name)) : base.OpenRead(name);

        private sealed class ForgetfulFile(IStoreFile inner) : PassThroughFile(inner)
        {
            public override int Read(Span<byte> destination, long offset)
            {
                int read = base.Read(destination, offset);

                // The scan begins behind the header, the copy with it.
                if (offset == 0 && read > 1000) destination[1000] ^= 1;
                return read;
            }
        }
    }

    [Fact]
    public void AFolderWithSomethingElseIsRefusedAndNotTouched()
    {
        SimDirectory directory = new(), other = new(), grown = new();
        using NinoStore store = RetentionTests.Grown(directory, segments: 2);
        RetentionTests.Grown(other, segments: 2, seed: 77).Dispose();
        store.BackupTo(grown);
        using (NinoStore opened = Simulated.Open(grown.KillProcess(), seed: 2))
        {
            SimDirectory went = (SimDirectory)opened.Opened.Directory;
            RetentionTests.Grow(opened, went, 4);
            Assert.Contains("open for writing", Assert.Throws<StoreInUseException>(() => store.BackupTo(went)).Message, StringComparison.Ordinal);
            opened.Dispose();
            Assert.Contains("went on by itself", Assert.Throws<StoreException>(() => store.BackupTo(went.KillProcess())).Message, StringComparison.Ordinal);
        }

        SimDirectory foreign = other.KillProcess();
        Assert.Contains("holds something else", Assert.Throws<StoreException>(() => store.BackupTo(foreign)).Message, StringComparison.Ordinal);
        using NinoStore untouched = Simulated.Open(foreign, seed: 3);
        RetentionTests.IsWhole(untouched);
    }

    [Fact]
    public void ACopyIsNotMadeShorter()
    {
        SimDirectory directory = new(), copy = new();
        using NinoStore store = RetentionTests.Grown(directory, segments: 2);
        using NinoStore reader = Simulated.Open(new Seen(directory), 2, static o => o with { ReadOnly = true });
        store.BackupTo(copy);
        reader.BackupTo(copy);
        for (int i = 0; i < 10; i++) store.Append((int)store.LastSequence + 1);
        long last = store.BackupTo(copy).LastSequence;

        Assert.Contains("Open the store again", Assert.Throws<StoreException>(() => reader.BackupTo(copy)).Message, StringComparison.Ordinal);

        using NinoStore opened = Simulated.Open(copy.KillProcess(), seed: 3);
        Assert.Equal(last, opened.LastSequence);
        RetentionTests.IsWhole(opened);
    }

    private sealed class Seen(IStoreDirectory inner) : LookOnlyDirectory(inner);

    [Fact]
    public void ACopyKnowsWhereItEnds()
    {
        SimDirectory directory = new(), copy = new();
        using NinoStore store = RetentionTests.Grown(directory, segments: 2);
        store.BackupTo(copy);
        RetentionTests.Grow(store, directory, 3);
        store.BackupTo(copy);
        SimDirectory cut = copy.KillProcess();
        cut.Delete(SegmentFormat.Name(3));
        Assert.Contains("segments 3 to 3 are missing", Assert.Throws<StoreCorruptException>(() => Simulated.Open(cut, seed: 2)).Message, StringComparison.Ordinal);

        using NinoStore whole = Simulated.Open(copy.KillProcess(), seed: 3);
        Assert.Equal(store.LastSequence, whole.LastSequence);
        RetentionTests.IsWhole(whole);
    }

    [Fact]
    public void ADamagedLogIsNotCopiedOverAGoodBackup()
    {
        SimDirectory directory = new(), copy = new();
        using NinoStore store = RetentionTests.Grown(directory, segments: 3);
        store.BackupTo(copy);
        RetentionTests.Grow(store, directory, 5);
        byte[] bytes = FileBytes.Of(directory, SegmentFormat.Name(4));
        bytes[1000] ^= 1;
        FileBytes.Put(directory, SegmentFormat.Name(4), bytes);

        Assert.Throws<StoreCorruptException>(() => store.BackupTo(copy));

        using NinoStore opened = Simulated.Open(copy.KillProcess(), seed: 2);
        RetentionTests.IsWhole(opened);
        Assert.Equal(RetentionTests.First(directory, 4) - 1, opened.LastSequence);
    }

    [Fact]
    public void WhereverThePowerFailsTheCopyOpens()
    {
        SimDirectory directory = new();
        using NinoStore store = RetentionTests.Grown(directory, segments: 2);
        SimDirectory first = new();
        long before = store.BackupTo(first).LastSequence;
        RetentionTests.Grow(store, directory, 4);
        store.TruncateBefore(RetentionTests.First(directory, 2));
        int states = 0;
        for (long at = 1; ; at++)
        {
            SimDirectory copy = first.KillProcess();
            copy.SyncAllFolders();
            copy.PowerOffAt = copy.OperationCount + at;
            BackupResult? result = null;
            try
            {
                result = store.BackupTo(copy);
            }
            catch (SimulatedPowerFailure)
            {
                // What is left must open.
            }

            foreach (SimDirectory after in copy.CrashStates(limit: 8, seed: (int)at))
            {
                states++;
                using NinoStore opened = Simulated.Open(after, seed: 2);

                // A backup that has returned is durable.
                Assert.InRange(opened.LastSequence, result?.LastSequence ?? before, store.LastSequence);
                Assert.All(opened.Recovery.Damage, damage => Assert.Equal(StoreDamageKind.TornTail, damage.Kind));
                RetentionTests.IsWhole(opened);
            }

            Assert.Equal(copy.IsPowerOff, result is null);
            if (result is not null) break;
        }

        Assert.True(states > 30, $"{states} states");
        Effort.Tell(output, "crash states", states, "no chance in it", "the copy of a backup");
    }

    [Fact]
    public async Task ALiveStoreOfTheDiskIsCopiedWhileItIsWritten()
    {
        using var folder = new TemporaryFolder();
        using NinoStore store = NinoStore.Open(folder["store"], new NinoStoreOptions { FirstSegmentSizeBytes = 16 * 1024, SegmentSizeBytes = 64 * 1024 });
        store.Append(1);
        bool stop = false;
        Task writer = Task.Factory.StartNew(() =>
        {
            while (!Volatile.Read(ref stop) && store.LastSequence < 500_000) store.Append((int)store.LastSequence + 1);
        }, TaskCreationOptions.LongRunning);
        BackupResult last = null!;
        try
        {
            for (int i = 0; i < 5; i++) last = await store.BackupToAsync(folder["copy"]);
        }
        finally
        {
            Volatile.Write(ref stop, true);
            await writer;
        }

        using NinoStore opened = NinoStore.Open(folder["copy"]);
        Assert.Equal(last.LastSequence, opened.LastSequence);
        Assert.Empty(opened.Recovery.Damage);
        RetentionTests.IsWhole(opened);
    }

    /// <summary>Whoever catches his own cancellation looks at the token.</summary>
    [Fact]
    public void ACancelledBackupNamesTheTokenOfTheCaller()
    {
        using NinoStore store = RetentionTests.Grown(new SimDirectory(), segments: 2);
        using var source = new CancellationTokenSource();
        source.Cancel();
        Assert.Equal(source.Token, Assert.Throws<OperationCanceledException>(() => store.BackupTo(new SimDirectory(), cancellationToken: source.Token)).CancellationToken);
    }
}
