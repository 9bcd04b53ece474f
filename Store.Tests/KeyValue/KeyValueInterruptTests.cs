// Can Thread.Interrupt part the log and the engine? Threads that change a keyed state are interrupted all the time; what they leave is compared with the log, in memory and after opening again.

using System.Diagnostics;
using Store.Faster;
using Store.KeyValue;
using Store.Tests.Simulation;
using Xunit.Abstractions;

namespace Store.Tests.KeyValue;

public class KeyValueInterruptTests(ITestOutputHelper output)
{
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(60);

    /// <summary>With everything in memory and one session for all: a call is made whole, not at all, or fails the state.</summary>
    [Fact]
    public void InterruptedThreadsLeaveWhatTheLogSays()
    {
        (long interrupted, int failed) = Interrupt(KeyValueBed.Tiny with { MemorySizeBytes = 64 << 20, PageSizeBytes = 1 << 20, MaxSessions = 1 }, rounds: 4);
        output.WriteLine($"{interrupted} interruptions met, {failed} states failed");
        Assert.True(interrupted > 0);
    }

    /// <summary>A read of the disk that is interrupted fails the state: told to everybody, until it is opened again.</summary>
    [Fact]
    public async Task AnUpdateThatIsInterruptedInItsReadOfTheDiskFailsTheStateAndPartsNothing()
    {
        using var disk = new SimDirectory();
        var directory = new HeldReads(disk);
        var expected = new Dictionary<int, string>();
        using (NinoStore store = NinoStore.Open("sim", new NinoStoreOptions { Directory = directory }))
        {
            IKeyValueStore<int, string> kv = store.OpenKeyValue<int, string>("state", KeyValueBed.Tiny);
            for (int key = 0; key < 700; key++) kv.Put(key, KeyValueBed.ValueOf(key));
            Exception? thrown = null;
            directory.Close();
            var updating = new Thread(() => thrown = Record.Exception(() => kv.Update(0, static old => old + "+"))) { IsBackground = true };
            updating.Start();
            await directory.ArrivedAsync();

            // It stands in the read, and nothing else lets it go.
            updating.Interrupt();
            Assert.True(updating.Join(Patience), "The thread waits for ever.");
            directory.Open();
            Assert.IsType<ThreadInterruptedException>(Assert.IsType<StoreFailedException>(thrown).GetBaseException());
            Assert.Throws<StoreFailedException>(() => kv.TryGet(1, out _));
            Assert.Throws<StoreFailedException>(() => kv.Put(1, "x"));
            LogReplay.Apply(store.ReadRecords(), "state", expected);
            Exception? closing = Record.Exception(kv.Dispose);
            Assert.True(closing?.GetBaseException() is null or ThreadInterruptedException, $"{closing}");
        }

        using NinoStore reopened = NinoStore.Open("sim", new NinoStoreOptions { Directory = disk });
        using IKeyValueStore<int, string> again = reopened.OpenKeyValue<int, string>("state", KeyValueBed.Tiny);
        KeyValueBed.AssertHolds(again, expected);
    }

    /// <summary>A wait inside the engine, such as for room in its memory, can be interrupted and fails the state then: told to everybody, until it is opened again.</summary>
    [Fact]
    public void ThreadsThatAreInterruptedInReadsOfTheDiskPartNothing()
    {
        (long interrupted, int failed) = Interrupt(KeyValueBed.Tiny, rounds: 8);
        output.WriteLine($"{interrupted} interruptions met, {failed} states failed");
        Assert.True(interrupted + failed > 0);
    }

    [Fact]
    public void AThreadThatIsInterruptedClosesTheStateBeforeItsNameIsFree()
    {
        using var directory = new SimDirectory();
        using NinoStore store = NinoStore.Open("sim", new NinoStoreOptions { Directory = directory });
        for (int round = 0; round < 20; round++)
        {
            IKeyValueStore<int, string> kv = store.OpenKeyValue<int, string>("state", KeyValueBed.Tiny);
            kv.Put(round, "x");
            Task checkpoint = kv.CheckpointAsync().AsTask();
            Exception? thrown = null;
            var closing = new Thread(() =>
            {
                Thread.CurrentThread.Interrupt();
                thrown = Record.Exception(kv.Dispose);
            });
            closing.IsBackground = true;
            closing.Start();
            Assert.True(closing.Join(Patience), "Closing waits for ever.");
            Assert.Null(thrown);
            Assert.Throws<ObjectDisposedException>(() => kv.Put(1, "y"));
            Assert.True(SpinWait.SpinUntil(() => checkpoint.IsCompleted, Patience));
            Assert.True(checkpoint.Exception?.GetBaseException() is null or ObjectDisposedException or ThreadInterruptedException, $"{checkpoint.Exception}");
        }

        using IKeyValueStore<int, string> again = store.OpenKeyValue<int, string>("state", KeyValueBed.Tiny);
        Assert.Equal(20, again.Count);
    }

    private (long Interrupted, int Failed) Interrupt(FasterOptions options, int rounds)
    {
        long interrupted = 0;
        int failed = 0;
        for (int round = 0; round < rounds; round++)
        {
            using var directory = new SimDirectory();
            var expected = new Dictionary<int, string>();
            using (NinoStore store = NinoStore.Open("sim", new NinoStoreOptions { Directory = directory, FlushIntervalMs = 1 }))
            {
                IKeyValueStore<int, string> kv = store.OpenKeyValue<int, string>("state", options);
                Worker[] workers = [new(kv, round * 2), new(kv, (round * 2) + 1)];
                Thread[] threads = [.. workers.Select(static worker => new Thread(worker.Run) { IsBackground = true })];
                foreach (Thread thread in threads) thread.Start();
                var random = new Random(round);
                for (long start = Stopwatch.GetTimestamp(); Stopwatch.GetElapsedTime(start) < TimeSpan.FromMilliseconds(250);)
                {
                    threads[random.Next(threads.Length)].Interrupt();
                    Thread.SpinWait(random.Next(3000));
                    if (random.Next(50) == 0) Thread.Sleep(1);
                }

                foreach (Worker worker in workers) worker.Stop();
                foreach (Thread thread in threads) Assert.True(thread.Join(Patience), "A thread waits for ever.");
                Assert.All(workers, static worker => Assert.Null(worker.Unexpected));
                interrupted += workers.Sum(static worker => worker.Interrupted);
                LogReplay.Apply(store.ReadRecords(), "state", expected);

                // Unless it said that it failed, it is what the log says.
                if (workers.Any(static worker => worker.HasFailed))
                {
                    failed++;
                    output.WriteLine($"{workers.First(static worker => worker.HasFailed).Failure}");
                    Assert.Throws<StoreFailedException>(() => kv.TryGet(1, out _));
                }
                else
                {
                    KeyValueBed.AssertHolds(kv, expected, Enumerable.Range(0, Worker.Keys));
                    Assert.Equal(expected.Count, kv.Scan().Count());
                }

                Task closing = Task.Run(kv.Dispose);
                Assert.True(SpinWait.SpinUntil(() => closing.IsCompleted, Patience), "Closing waits for ever.");
                Assert.True(closing.Exception?.GetBaseException() is null || (closing.Exception.GetBaseException() is ThreadInterruptedException && workers.Any(static worker => worker.HasFailed)), $"{closing.Exception}");
            }

            using NinoStore reopened = NinoStore.Open("sim", new NinoStoreOptions { Directory = directory });
            using IKeyValueStore<int, string> again = reopened.OpenKeyValue<int, string>("state", options);
            KeyValueBed.AssertHolds(again, expected, Enumerable.Range(0, Worker.Keys));
        }

        return (interrupted, failed);
    }

    private sealed class Worker(IKeyValueStore<int, string> kv, int seed)
    {
        public const int Keys = 300;

        private volatile bool _stop;

        public long Interrupted { get; private set; }

        public bool HasFailed => Failure is not null;

        public Exception? Failure { get; private set; }

        public Exception? Unexpected { get; private set; }

        public void Stop() => _stop = true;

        public void Run()
        {
            var random = new Random(seed);
            for (int i = 0; !_stop; i++)
            {
                try
                {
                    // Whoever never waits is never interrupted: the interruption that is kept ends here at the latest.
                    if (i % 200 == 0) Thread.Sleep(1);
                    Change(random.Next(Keys), $"{seed}.{i}{new string('v', random.Next(300))}", random);
                }
                catch (ThreadInterruptedException)
                {
                    Interrupted++;
                }
                catch (StoreFailedException e) when (e.GetBaseException() is ThreadInterruptedException)
                {
                    Failure = e.InnerException;
                    return;
                }
                catch (Exception e)
                {
                    Unexpected = e;
                    return;
                }
            }
        }

        private void Change(int key, string value, Random random)
        {
            switch (random.Next(8))
            {
                case 0: kv.Delete(key); break;
                case 1: kv.DeleteBatch([key, (key + 7) % Keys]); break;
                case 2: kv.Update(key, old => $"{old?.Length} {value}"); break;
                case 3: kv.PutBatch([new(key, value), new((key + 11) % Keys, value), new((key + 100) % Keys, value)]); break;
                case 4: kv.TryGet(key, out _); break;
                default: kv.Put(key, value); break;
            }
        }
    }
}
