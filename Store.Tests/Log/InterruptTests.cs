using System.Diagnostics;
using Store.Tests.Simulation;
using Xunit.Abstractions;

namespace Store.Tests.Log;

/// <summary>Somebody interrupts threads that append and commit, which is where a thread does the log's own work. What was acknowledged is there once, unchanged, and nobody waits for ever.</summary>
public class InterruptTests(ITestOutputHelper output)
{
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(60);

    [Fact]
    public void InterruptedThreadsLoseAndRepeatNothing()
    {
        const int Rounds = 6;
        long interrupted = 0, records = 0, acknowledged = 0;
        for (int round = 0; round < Rounds; round++)
        {
            // On the disk: the simulator's own locks can be interrupted, which is a failed write and stops the log.
            using var folder = new TemporaryFolder();
            NinoStore store = Open(folder);
            Writer[] writers = [new(store, "a"), new(store, "b")];

            // Holds the gate long and often, so that the others wait for it.
            bool stop = false;
            string[] large = [.. Enumerable.Range(0, 400).Select(static i => $"large {i} of forty bytes or thereabouts, more or less")];
            Exception? trouble = null;
            var crowd = new Thread(() => trouble = Record.Exception(() =>
            {
                while (!Volatile.Read(ref stop)) store.AppendBatch<string>(large);
            }));
            Thread[] threads = [.. writers.Select(static writer => new Thread(writer.Run)), crowd];
            foreach (Thread thread in threads) thread.Start();
            var random = new Random(round);
            for (long start = Stopwatch.GetTimestamp(); Stopwatch.GetElapsedTime(start) < TimeSpan.FromMilliseconds(400);)
            {
                threads[random.Next(writers.Length)].Interrupt();
                Thread.SpinWait(random.Next(2000));
            }

            Volatile.Write(ref stop, true);
            foreach (Writer writer in writers) writer.Stop();
            foreach (Thread thread in threads) Assert.True(thread.Join(Patience), "A thread waits for ever.");
            Assert.Null(trouble);
            Assert.All(writers, static writer => Assert.Null(writer.Unexpected));
            store.Dispose();
            records += Check(folder, writers);
            acknowledged += writers.Sum(static writer => writer.Acknowledged.Count);
            interrupted += writers.Sum(static writer => writer.Interrupted);
        }

        output.WriteLine($"{interrupted} interruptions met, {records} records, {acknowledged} acknowledged");
        Assert.True(interrupted > 0 && acknowledged > 0);
    }

    [Fact]
    public void AThreadThatIsInterruptedClosesItsStoreWhole()
    {
        for (int round = 0; round < 20; round++)
        {
            using var folder = new TemporaryFolder();
            var closing = new WatchedThread(() =>
            {
                NinoStore store = Open(folder);
                for (int i = 0; i < 100; i++) store.Append($"record {i}");
                Thread.CurrentThread.Interrupt();
                store.Dispose();
            });
            closing.Start();
            Assert.True(closing.Join(Patience));
            using NinoStore again = Open(folder);
            Assert.Equal((100, true), (again.LastSequence, again.Recovery.CleanClose));
        }
    }

    [Fact]
    public void ACommitThatIsInterruptedBehindAnothersSyncLeavesItsRecordsInTheLog()
    {
        var directory = new SimDirectory();
        var disk = new StallingDirectory(directory);
        using (NinoStore store = Stalled(disk))
        {
            store.Append(1);
            Thread first = Started(store.Commit, out _);
            Assert.True(disk.Stands.Wait(Patience));
            store.Append(2);
            Thread second = Started(store.Commit, out Func<Exception?> failure);

            second.Interrupt();

            Assert.True(second.Join(Patience));
            Assert.IsType<ThreadInterruptedException>(failure());
            disk.GoOn();
            Assert.True(first.Join(Patience));
            store.Commit();
            Assert.Equal((2L, 2L), (store.LastSequence, store.DurableSequence));
        }

        using NinoStore again = Simulated.Open(directory, 2);
        Assert.Equal([1, 2], again.Read<int>().Select(static record => record.Value));
    }

    [Theory]
    [InlineData(1)]
    [InlineData(100)]
    public async Task AnAppendThatIsInterruptedWhileItWaitsForRoomHasAppendedNothing(int batch)
    {
        var directory = new SimDirectory();
        var disk = new StallingDirectory(directory);
        int appended = 0;
        using (NinoStore store = Stalled(disk))
        {
            // The flusher syncs for it and stands.
            Task<long> committed = store.AppendAsync(++appended).AsTask();
            Assert.True(disk.Stands.Wait(Patience));
            Thread appending = Started(() =>
            {
                while (true)
                {
                    if (batch == 1) store.Append(appended + 1);
                    else store.AppendBatch<int>([.. Enumerable.Range(appended + 1, batch)]);
                    appended += batch;
                }
            }, out Func<Exception?> failure);

            appending.Interrupt();

            Assert.True(appending.Join(Patience));
            Assert.IsType<ThreadInterruptedException>(failure());
            Assert.Equal(appended, store.LastSequence);
            disk.GoOn();
            Assert.Equal(1, await committed);
            store.Append(++appended);
        }

        using NinoStore again = Simulated.Open(directory, 2);
        Assert.Equal(Enumerable.Range(1, appended), again.Read<int>().Select(static record => record.Value));
    }

    private static NinoStore Stalled(StallingDirectory disk)
    {
        NinoStore store = Simulated.Open(disk, change: static o => o with { RunsInline = false, FirstSegmentSizeBytes = 1 << 20, SegmentSizeBytes = 1 << 20 });
        disk.Stall();
        return store;
    }

    // Returns when it waits.
    private static Thread Started(Action work, out Func<Exception?> failure)
    {
        Exception? met = null;
        var thread = new Thread(() => met = Record.Exception(work));
        thread.Start();
        Assert.True(SpinWait.SpinUntil(() => thread.ThreadState == System.Threading.ThreadState.WaitSleepJoin, Patience), "The thread does not wait.");
        failure = () => met;
        return thread;
    }

    // A small buffer, so that appends wait for room, and small segments, so that commits begin new ones.
    private static NinoStore Open(TemporaryFolder folder) => NinoStore.Open(folder.Path, new NinoStoreOptions
    {
        FlushIntervalMs = 1,
        FirstSegmentSizeBytes = 4096,
        SegmentSizeBytes = 64 * 1024,
        BufferSizeBytes = 256 * 1024,
        Recovery = RecoveryMode.Strict,
    });

    private static long Check(TemporaryFolder folder, Writer[] writers)
    {
        using NinoStore again = Open(folder);
        var values = new HashSet<string>();
        Dictionary<long, string> acknowledged = writers.SelectMany(static writer => writer.Acknowledged).ToDictionary();
        long next = 1;
        foreach (LogRecord<string> record in again.Read<string>())
        {
            Assert.Equal(next++, record.Sequence);
            Assert.True(record.Value.StartsWith("large", StringComparison.Ordinal) || values.Add(record.Value), $"'{record.Value}' is there twice.");
            if (acknowledged.Remove(record.Sequence, out string? value)) Assert.Equal(value, record.Value);
        }

        Assert.Empty(acknowledged);
        return again.LastSequence;
    }

    /// <summary>Appends and commits. What an interrupted call has done is unknown; what a call that returned said is kept.</summary>
    private sealed class Writer(NinoStore store, string name)
    {
        private bool _stop;

        public Dictionary<long, string> Acknowledged { get; } = [];

        public long Interrupted { get; private set; }

        public Exception? Unexpected { get; private set; }

        public void Stop() => Volatile.Write(ref _stop, true);

        public void Run()
        {
            var pending = new List<(long Sequence, string Value)>();
            for (int i = 0; !Volatile.Read(ref _stop); i++)
            {
                try
                {
                    string value = $"{name}:{i}";
                    pending.Add((store.Append(value), value));
                    if (i % 3 != 0) continue;
                    store.Commit();
                    foreach ((long sequence, string text) in pending) Acknowledged.Add(sequence, text);
                    pending.Clear();
                }
                catch (ThreadInterruptedException)
                {
                    Interrupted++;
                }
                catch (Exception e)
                {
                    Unexpected = e;
                    return;
                }
            }
        }
    }
}
