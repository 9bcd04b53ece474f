using Store.IO;
using Store.Retention;
using Store.Tests.KeyValue;
using Store.Tests.Simulation;

namespace Store.Tests.Log;

/// <summary>The lock is gone without anybody noticing, and a second writer opens the store. The first one stops, acknowledges nothing more, and writes over nothing.</summary>
public sealed class SecondWriterTests : IDisposable
{
    private readonly SimDirectory _directory = new();

    public void Dispose() => _directory.Dispose();

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void TheFirstWriterStopsAndEverythingAcknowledgedIsThere(bool wasClosedBefore)
    {
        if (wasClosedBefore)
        {
            using NinoStore before = Simulated.Open(_directory);
            before.Append("before");
        }

        long offset = wasClosedBefore ? 1 : 0;
        NinoStore first = Simulated.Open(new WithoutLocks(_directory), seed: 2);
        for (int i = 0; i < 5; i++) first.Append($"first {i}");
        first.Commit();
        using (NinoStore second = Simulated.Open(new WithoutLocks(_directory), seed: 3))
        {
            Assert.Equal(5 + offset, second.LastSequence);
            second.Append("second");
            second.Commit();
            Assert.Equal(7 + offset, first.Append("first, too late") + 1);
            var failure = Assert.Throws<StoreFailedException>(() => first.Commit());
            Assert.Contains("another writer", Assert.IsType<StoreInUseException>(failure.InnerException).Message, StringComparison.Ordinal);
            Assert.Throws<StoreFailedException>(() => first.Append("and never more"));
            first.Dispose();
            second.Append("second again");
            second.Commit();
        }

        using NinoStore again = Simulated.Open(_directory, seed: 4, static o => o with { Recovery = RecoveryMode.Strict });
        string[] expected = [.. wasClosedBefore ? ["before"] : Array.Empty<string>(), .. Enumerable.Range(0, 5).Select(static i => $"first {i}"), "second", "second again"];
        Assert.Equal(expected, again.Read<string>().Select(static r => r.Value));
    }

    [Fact]
    public void AWriterThatOnlyClosesOrBeginsASegmentStopsToo()
    {
        NinoStore first = Simulated.Open(new WithoutLocks(_directory));
        first.Append("first");
        first.Commit();
        using (NinoStore second = Simulated.Open(new WithoutLocks(_directory), seed: 2)) second.Append("second");
        byte[] mark = _directory.Bytes(LogEnd.FileName);
        Assert.Throws<StoreFailedException>(first.Dispose);
        Assert.Equal(mark, _directory.Bytes(LogEnd.FileName));

        using NinoStore again = Simulated.Open(_directory, seed: 3, static o => o with { Recovery = RecoveryMode.Strict });
        Assert.Equal(["first", "second"], again.Read<string>().Select(static r => r.Value));
        Assert.True(again.Recovery.CleanClose);
    }

    [Fact]
    public void AnOpeningThatSeesTheLogGrowGivesUpAndTheWriterGoesNoFurther()
    {
        // The other writer acknowledges a record after the opening has looked for the end and before it takes the log over.
        NinoStore first = Simulated.Open(new WithoutLocks(_directory));
        first.Append("first");
        first.Commit();
        bool done = false;
        var opening = new WithoutLocks(_directory)
        {
            BeforeWriting = name =>
            {
                if (done || name != LogEnd.FileName) return;
                done = true;
                first.Append("meanwhile");
                first.Commit();
            },
        };
        Assert.Contains("grew while it was opened", Assert.Throws<StoreInUseException>(() => Simulated.Open(opening, seed: 2)).Message, StringComparison.Ordinal);
        Assert.True(done);
        first.Append("too late");
        Assert.Throws<StoreFailedException>(() => first.Commit());
        Assert.Throws<StoreFailedException>(() => first.Append("x"));
        first.Dispose();

        using NinoStore again = Simulated.Open(_directory, seed: 3, static o => o with { Recovery = RecoveryMode.Strict });
        Assert.Equal(["first", "meanwhile"], again.Read<string>().Select(static r => r.Value));
    }

    // Whoever opens a log without a mark makes a new one, so nothing would tell the two apart: the writer that misses its mark has lost the log. It learns of it when it next opens the file by its name.
    [Fact]
    public void AWriterWhoseMarkIsGoneStopsWhenItLooksForItAndNothingAcknowledgedIsLost()
    {
        NinoStore store = Simulated.Open(_directory);
        store.Append("one");
        store.Commit();
        _directory.Delete(LogEnd.FileName);
        store.Append("two");
        store.Commit();
        Assert.Contains("is gone", Assert.IsType<StoreInUseException>(Assert.Throws<StoreFailedException>(store.Dispose).InnerException).Message, StringComparison.Ordinal);
        Assert.DoesNotContain(_directory.List(), static f => f.Name == LogEnd.FileName);

        using (NinoStore again = Simulated.Open(_directory, seed: 2, static o => o with { Recovery = RecoveryMode.Strict })) Assert.Equal(["one", "two"], again.Read<string>().Select(static r => r.Value));
        Assert.True(LogEnd.Read(_directory, out _)!.Value.IsClosed);
    }

    [Fact]
    public void AWriterWhoseMarkIsGoneBeginsNoSegment()
    {
        NinoStore store = Simulated.Open(_directory);
        store.Append("one");
        store.Commit();
        _directory.Delete(LogEnd.FileName);
        store.AppendBatch<int>([.. Enumerable.Range(0, 2000)]);
        var failure = Assert.Throws<StoreFailedException>(() =>
        {
            store.AppendBatch<int>([.. Enumerable.Range(0, 2000)]);
            store.Commit();
        });
        Assert.Contains("is gone", Assert.IsType<StoreInUseException>(failure.InnerException).Message, StringComparison.Ordinal);
        store.Dispose();
        using NinoStore again = Simulated.Open(_directory, seed: 2);
        Assert.Empty(again.Recovery.Damage);
        Assert.Equal(["one"], again.Read<string>().Select(static r => r.Value));
    }

    // Two that open at the same moment find the same generation and take the next one.
    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void OfTwoThatTakeTheSameGenerationAtMostOneGoesOn(bool wasClosed)
    {
        NinoStore before = Simulated.Open(_directory);
        before.Append("before");
        before.Commit();
        if (wasClosed) before.Dispose();
        long generation = LogEnd.Read(_directory, out _)!.Value.Generation;
        int both = 0, pairs = 0;
        for (int at = 1; ; at++)
        {
            SimDirectory folder = _directory.KillProcess();
            NinoStore? second = null;
            int writes = 0;
            bool isOpening = true;

            // Between the first one's look and its write, and at each of its writes to the mark after that.
            var opening = new WithoutLocks(folder)
            {
                BeforeWriting = name =>
                {
                    if (isOpening && name == LogEnd.FileName && ++writes == at) second = Opened(new WithoutLocks(folder), seed: 3);
                },
            };
            NinoStore? first = Opened(opening, seed: 2);
            isOpening = false;
            if (writes < at)
            {
                first?.Dispose();
                break;
            }

            bool firstGoesOn = GoesOn(first, "first"), secondGoesOn = GoesOn(second, "second");
            pairs++;
            if (firstGoesOn && secondGoesOn) both++;
            using NinoStore again = Simulated.Open(folder, seed: 4, static o => o with { Recovery = RecoveryMode.Strict });
            string[] expected = ["before", .. firstGoesOn ? ["first"] : Array.Empty<string>(), .. secondGoesOn ? ["second"] : Array.Empty<string>()];
            Assert.Equal(expected, again.Read<string>().Select(static r => r.Value).Where(v => expected.Contains(v)));
            Assert.True(LogEnd.Read(folder, out _)!.Value.Generation > generation);
        }

        // Often neither does: each has left something where the other looks. Opening again is all that is needed then, as above.
        Assert.Equal(0, both);
        Assert.Equal(wasClosed ? 2 : 3, pairs);
    }

    private static NinoStore? Opened(IStoreDirectory directory, int seed)
    {
        try
        {
            return Simulated.Open(directory, seed);
        }
        catch (StoreInUseException)
        {
            return null;
        }
    }

    private static bool GoesOn(NinoStore? store, string value)
    {
        if (store is null) return false;
        try
        {
            store.Append(value);
            store.Commit();
            return true;
        }
        catch (StoreFailedException e)
        {
            Assert.IsType<StoreInUseException>(e.InnerException);
            store.Dispose();
            return false;
        }
    }

    // Two looks to a commit, each one read of the file that stays open: as many as before there was a writer in the mark.
    [Fact]
    public void ACommitReadsTheMarkTwiceAndOpensAndSyncsNothingForIt()
    {
        var counting = new CountingDirectory(_directory);
        using NinoStore store = Simulated.Open(counting, change: static o => o with { FirstSegmentSizeBytes = 64 * 1024 });
        store.Append("one");
        store.Commit();
        (long syncs, long opens, long reads, long bytes) = (counting.Syncs, counting.OpensForReading, counting.Reads, counting.BytesRead);
        for (int i = 0; i < 100; i++)
        {
            store.Append("more");
            store.Commit();
        }

        Assert.Equal((100, 0, 200, 200 * (long)MarkerFile.LengthBytes), (counting.Syncs - syncs, counting.OpensForReading - opens, counting.Reads - reads, counting.BytesRead - bytes));
    }

    /// <summary>A file system on which everybody gets the lock.</summary>
    private sealed class WithoutLocks(SimDirectory inner) : PassThroughDirectory(inner)
    {
        /// <summary>Called before a file is opened for writing.</summary>
        public Action<string>? BeforeWriting { get; init; }

        public override IDisposable? TryLock(string name) => new Nothing();

        public override IStoreFile OpenWrite(string name)
        {
            BeforeWriting?.Invoke(name);
            return base.OpenWrite(name);
        }

        // The folder is the test's.
        public override void Dispose()
        {
        }

        private sealed class Nothing : IDisposable
        {
            public void Dispose()
            {
            }
        }
    }
}
