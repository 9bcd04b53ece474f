using Store.IO;
using Store.Serialization;
using Store.Snapshots;
using Store.Tests.Simulation;
using Xunit.Abstractions;
using static Store.Tests.Snapshots.WatchedFile;

namespace Store.Tests.Snapshots;

/// <summary>Whatever fails, is cancelled or given up while chunks wait to be written reaches the caller, nothing is written behind it, and the thread ends.</summary>
public class SnapshotOutputFaultTests(ITestOutputHelper output)
{
    [Fact]
    public async Task CancellingWithChunksWaitingIsThrownAndTheThreadEnds()
    {
        using var source = new CancellationTokenSource();
        using var file = new WatchedFile { Hold = new SemaphoreSlim(0) };
        byte[] given = Given(MostWaiting * Chunk);
        SnapshotOutput writer = Output(file, cancellationToken: source.Token);
        PutAll(writer, given);
        await source.CancelAsync();

        // The last of them is still the caller's; the others wait or are under way.
        Assert.ThrowsAny<OperationCanceledException>(() => { writer.GetSpan(1); });
        file.Hold.Release(100);
        Assert.ThrowsAny<OperationCanceledException>(writer.Flush);
        writer.Dispose();

        Assert.Equal(MostWaiting - 1, file.Writes);
        Assert.True(given.AsSpan(0, (int)file.LengthBytes).SequenceEqual(file.ToArray()));
        file.AssertThreadsEnd();
    }

    [Fact]
    public void DisposingWithChunksWaitingWaitsForTheOneUnderWayAndDropsTheRest()
    {
        using var file = new WatchedFile { Hold = new SemaphoreSlim(0) };
        byte[] given = Given((MostWaiting + 1) * Chunk);
        SnapshotOutput writer = Output(file);
        PutAll(writer, given.AsSpan(0, 2 * Chunk));
        file.WaitForCalls(1);
        PutAll(writer, given.AsSpan(2 * Chunk));
        var disposing = new WatchedThread(writer.Dispose);
        disposing.Start();

        // Its chunk must not go back to the pool while the file has it.
        Assert.True(SpinWait.SpinUntil(() => disposing.ThreadState.HasFlag(ThreadState.WaitSleepJoin), Patience));
        Assert.False(disposing.Join(50));
        file.Hold.Release(100);
        Assert.True(disposing.Join(Patience));

        Assert.Equal(1, file.Writes);
        Assert.Equal(given[..Chunk], file.ToArray());
        file.AssertThreadsEnd();
        Assert.Throws<ObjectDisposedException>(() => { writer.GetSpan(1); });
        writer.Dispose();
    }

    /// <summary>The write, the write-back or the progress report of any chunk, while others wait.</summary>
    [Theory]
    [InlineData("write")]
    [InlineData("writeback")]
    [InlineData("report")]
    public void WhateverFailsOnTheThreadReachesTheCallerAndNothingIsWrittenBehindIt(string what)
    {
        int failures = 0;
        byte[] given = Given((17 * Chunk) + 1);
        for (int at = 1; ; at++)
        {
            int reports = 0;
            using var file = new WatchedFile { FailingWrite = what == "write" ? at : 0, FailingWriteback = what == "writeback" ? at : 0 };
            SnapshotOutput writer = Output(file, onChunk: _ =>
            {
                if (++reports == at && what == "report") throw new InjectedFault("as asked", IoFailure.IoError);
            });
            Exception? first = Record.Exception(() =>
            {
                PutAll(writer, given);
                writer.Flush();
            });
            if (first is null)
            {
                Assert.Equal(given, file.ToArray());
                writer.Dispose();
                break;
            }

            failures++;
            Assert.IsType<InjectedFault>(first);
            long after = file.LengthBytes;

            // It stays: what was given meanwhile is lost, so nothing may look as if it had been written.
            Assert.Same(first, Record.Exception(writer.Flush));
            Assert.Same(first, Record.Exception(() => PutAll(writer, given.AsSpan(0, 2 * Chunk))));

            writer.Dispose();
            Assert.Equal(after, file.LengthBytes);
            Assert.True(given.AsSpan(0, (int)after).SequenceEqual(file.ToArray()));
            file.AssertThreadsEnd();
        }

        Assert.Equal(what == "writeback" ? 17 : 18, failures);
        Effort.Tell(output, "injected faults", failures, "no chance in it", $"snapshot chunks in the background, {what}");
    }

    /// <summary>A value that does not fit begins the next chunk, so few are full to the last byte: each is handed to the disk all the same.</summary>
    [Fact]
    public void EachChunkIsHandedToTheDiskAlsoWhereValuesDoNotFillIt()
    {
        const int Chunks = 6, Value = 9;
        using var file = new WatchedFile();
        using (SnapshotOutput writer = Output(file))
        {
            byte[] value = Given(Value);
            for (int i = 0; i < Chunks * Chunk / Value; i++) Put(writer, value);
            writer.Flush();
        }

        Assert.InRange(file.Writebacks, Chunks - 1, Chunks + 1);
    }

    /// <summary>The same through the store: no file of the failed checkpoint is left, published or not, and the next one succeeds.</summary>
    [Theory]
    [InlineData("IoError")]
    [InlineData("NoSpace")]
    [InlineData("ShortWrite")]
    public void ACheckpointOfManyChunksThatFailsAnywhereLeavesNothing(string kind)
    {
        int faults = 0, seed = Effort.Seed(20261122);
        for (int at = 1; ; at++)
        {
            using var sim = new SimDirectory();
            var faulty = new FaultDirectory(sim, seed);
            var store = new SnapshotStore(faulty, SnapshotSamples.StoreId, new NinoStoreOptions());
            Checkpoint(store, 1);
            string[] before = [.. sim.List().Select(static f => f.Name)];
            faulty.Fault = new Fault(at, Enum.Parse<FaultKind>(kind));
            Exception? failure = Record.Exception(() => Checkpoint(store, 2));
            if (faulty.Failures == 0)
            {
                Assert.Null(failure);
                break;
            }

            faults++;
            faulty.Fault = null;

            // Tidying up may fail without failing the checkpoint.
            int expected = failure is null ? 2 : 1;
            SnapshotRestore<string[]>? restored = store.TryRestoreNewest(NinoCodec<string[]>.Default, 1000, []);
            Assert.Equal(expected, restored!.Info.Sequence);
            Assert.Equal(Texts(expected), restored.State);
            if (failure is null) continue;
            Assert.IsType<InjectedFault>(failure);
            Assert.Equal(before, sim.List().Select(static f => f.Name));
            Checkpoint(store, 2);
            Assert.Equal(2, store.TryRestoreNewest(NinoCodec<string[]>.Default, 1000, [])!.Info.Sequence);
        }

        Assert.True(faults >= 5, $"{faults} faults");
        Effort.Tell(output, "injected faults", faults, $"SEED={seed}", $"snapshots of several chunks, {kind}");
    }

    private static string[] Texts(int first) => [.. Enumerable.Range(0, 2500).Select(i => new string((char)('a' + ((first + i) % 26)), 1000 + (i % 900)))];

    private static void Checkpoint(SnapshotStore store, int number) => store.Write(NinoCodec<string[]>.Default, Texts(number), number, SnapshotSamples.Time);
}
