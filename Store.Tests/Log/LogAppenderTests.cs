using Store.Log;
using Store.Tests.Simulation;

namespace Store.Tests.Log;

/// <summary>An appender's records are the log's like any others, whoever else is at it; one that is forgotten is in nobody's way.</summary>
public class LogAppenderTests
{
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(30);

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void RecordsComeInOneOrderWithEverybodyElses(bool inline)
    {
        using NinoStore store = Open(new SimDirectory(), inline);
        List<(long, object)> expected = [];
        using (LogAppender<int> numbers = store.OpenAppender<int>())
        using (LogAppender<string> texts = store.OpenAppender<string>())
        {
            var random = new Random(5);
            for (int i = 0; i < 5000; i++)
            {
                switch (random.Next(40))
                {
                    case < 20:
                        expected.Add((numbers.Append(i), i));
                        break;
                    case < 30:
                        string text = new('t', random.Next(300));
                        expected.Add((texts.Append(text), text));
                        break;
                    case < 36:
                        expected.Add((store.Append(-i), -i));
                        break;
                    case 36:
                        expected.Add((store.AppendBatch<int>([i, i + 1]), i));
                        expected.Add((expected[^1].Item1 + 1, i + 1));
                        break;
                    case 37:
                        store.Commit();
                        Assert.Equal(store.LastSequence, store.DurableSequence);
                        break;
                    case 38:
                        Assert.Equal(expected.Count, store.ReadRecords().Count());
                        break;
                    default:
                        Assert.Equal(expected.Count, store.LastSequence);
                        break;
                }
            }
        }

        Assert.Equal(Enumerable.Range(1, expected.Count).Select(static n => (long)n), expected.Select(static e => e.Item1));
        Assert.Equal(expected.Select(static e => e.Item2), store.ReadRecords().Select(static r => r.Is<int>() ? r.As<int>() : (object)r.As<string>()));
    }

    [Fact]
    public async Task ManyThreadsWithAndWithoutOneLoseNothing()
    {
        const int Count = 30_000, Threads = 4;
        using var folder = new TemporaryFolder();
        using NinoStore store = NinoStore.Open(folder["data"], new NinoStoreOptions { FlushIntervalMs = 1, BufferSizeBytes = 512 * 1024, FirstSegmentSizeBytes = 64 * 1024, SegmentSizeBytes = 256 * 1024 });
        var got = new long[Threads][];
        using var stop = new CancellationTokenSource();
        Task committing = Run(() =>
        {
            while (!stop.IsCancellationRequested)
            {
                store.Commit();
                Assert.True(store.DurableSequence <= store.LastSequence);
                store.ReadRecords(Math.Max(1, store.LastSequence - 5)).Count();
            }
        });
        await Task.WhenAll(Enumerable.Range(0, Threads).Select(thread => Run(() =>
        {
            long[] sequences = got[thread] = new long[Count];
            using LogAppender<long> appender = store.OpenAppender<long>();
            for (int i = 0; i < Count; i++)
            {
                long value = ((long)thread << 32) | (uint)i;
                sequences[i] = thread == 0 ? store.Append(value) : appender.Append(value);
            }
        }))).WaitAsync(Patience);
        await stop.CancelAsync();
        await committing.WaitAsync(Patience);

        Assert.Equal(Count * Threads, store.LastSequence);
        long next = 1;
        foreach (LogRecord<long> record in store.Read<long>())
        {
            Assert.Equal(next++, record.Sequence);
            Assert.Equal(record.Sequence, got[record.Value >> 32][(int)record.Value]);
        }

        Assert.Equal(Count * Threads + 1L, next);
    }

    [Fact]
    public async Task OneThatIsIdleIsInNobodysWay()
    {
        using NinoStore store = Open(new SimDirectory(), inline: false);
        using var forgotten = new ManualResetEventSlim();
        using var appended = new ManualResetEventSlim();
        Task owner = Run(() =>
        {
            LogAppender<int> appender = store.OpenAppender<int>();
            for (int i = 0; i < 1000; i++) appender.Append(i);
            appended.Set();
            forgotten.Wait();
            Throws<ObjectDisposedException>(ref appender, 1);
        });
        appended.Wait();

        Assert.Equal(1001, await Run(() => store.Append(1)).WaitAsync(Patience));
        await store.CommitAsync().AsTask().WaitAsync(Patience);
        Assert.Equal(1001, store.ReadRecords().Count());
        await store.DisposeAsync().AsTask().WaitAsync(Patience);
        forgotten.Set();
        await owner.WaitAsync(Patience);
    }

    [Fact]
    public async Task WhatNobodyCommitsIsWrittenAfterTheInterval()
    {
        using NinoStore store = Open(new SimDirectory(), inline: false);
        long last = 0;
        await Run(() =>
        {
            using LogAppender<int> appender = store.OpenAppender<int>();
            for (int i = 0; i < 100; i++) last = appender.Append(i);
        });
        await using IAsyncEnumerator<LogRecord<int>> following = store.TailAsync<int>().GetAsyncEnumerator();
        for (int i = 0; i < 100; i++) Assert.True(await following.MoveNextAsync().AsTask().WaitAsync(Patience));
        Assert.Equal(last, following.Current.Sequence);
    }

    [Fact]
    public void AfterAFailureAndAfterItsEndItRefuses()
    {
        var faulty = new FaultDirectory(new SimDirectory());
        NinoStore store = Open(faulty, inline: true);
        LogAppender<int> appender = store.OpenAppender<int>();
        for (int i = 1; i <= 10; i++) Assert.Equal(i, appender.Append(i));
        appender.Dispose();
        Throws<ObjectDisposedException>(ref appender, 11);
        appender.Dispose();
        Assert.Equal(10, store.LastSequence);

        LogAppender<int> other = store.OpenAppender<int>();
        Assert.Equal(11, other.Append(11));
        faulty.Fault = new Fault(1, FaultKind.IoError, IsForever: true, static operation => operation is IoOperation.Write);
        Assert.Throws<StoreFailedException>(store.Commit);
        Throws<StoreFailedException>(ref other, 12);
        store.Dispose();
        Throws<StoreFailedException>(ref other, 12);
    }

    [Fact]
    public void OneThatWasNotOpenedSaysHowToOpenOne()
    {
        LogAppender<int> none = default;
        foreach (int length in (int[])[-1, 0, 4, 100_000])
        {
            string message = "";
            try
            {
                if (length < 0) none.Append(1);
                else none.AppendRecord(new byte[length]);
            }
            catch (InvalidOperationException e)
            {
                message = e.Message;
            }

            Assert.Contains("store.OpenAppender<Int32>()", message, StringComparison.Ordinal);
        }

        none.Dispose();
    }

    [Fact]
    public void ARecordThatIsTooLargeIsRefusedAndTheNextGoesOn()
    {
        using NinoStore store = NinoStore.Open("sim", Simulated.Options(new SimDirectory()) with { MaxRecordSizeBytes = 1000 });
        using LogAppender<byte[]> appender = store.OpenAppender<byte[]>();
        Assert.Equal(1, appender.Append(new byte[900]));
        bool refused = false;
        try
        {
            appender.Append(new byte[1001]);
        }
        catch (RecordTooLargeException)
        {
            refused = true;
        }

        Assert.True(refused);
        Assert.Equal(2, appender.Append(new byte[900]));

        // Exactly the limit, with and without the way in, and one byte more.
        Assert.Equal(3, appender.AppendRecord(new byte[1000]));
        Assert.Equal(4, appender.AppendRecord(new byte[1000]));
        refused = false;
        try
        {
            appender.AppendRecord(new byte[1001]);
        }
        catch (RecordTooLargeException)
        {
            refused = true;
        }

        Assert.True(refused);
        Assert.Equal(4, store.ReadRecords().Count());
    }

    [Fact]
    public async Task WhereThereIsNoRoomItWaitsForTheFlusher()
    {
        using var folder = new TemporaryFolder();
        using NinoStore store = NinoStore.Open(folder["data"], new NinoStoreOptions { BufferSizeBytes = 256 * 1024, FirstSegmentSizeBytes = 64 * 1024, SegmentSizeBytes = 1024 * 1024 });
        await Run(() =>
        {
            using LogAppender<string> appender = store.OpenAppender<string>();
            for (int i = 0; i < 3000; i++) Assert.Equal(i + 1, appender.Append(new string('x', i % 2000)));
        }).WaitAsync(Patience);
        int n = 0;
        foreach (LogRecord<string> record in store.Read<string>()) Assert.Equal(n++ % 2000, record.Value.Length);
        Assert.Equal(3000, n);
    }

    [Fact]
    public async Task AnAppendAllocatesNothing()
    {
        using var folder = new TemporaryFolder();
        using NinoStore store = NinoStore.Open(folder["data"], new NinoStoreOptions { BufferSizeBytes = 4 * 1024 * 1024, FirstSegmentSizeBytes = 16 * 1024 * 1024 });
        long least = await Run(() =>
        {
            LogAppender<long> appender = store.OpenAppender<long>();
            for (int i = 0; i < 200_000; i++) appender.Append(i);
            store.Commit();
            long allocated = long.MaxValue;
            for (int run = 0; run < 10 && allocated > 0; run++)
            {
                long before = GC.GetAllocatedBytesForCurrentThread();
                for (int i = 0; i < 20_000; i++) appender.Append(i);
                allocated = Math.Min(allocated, GC.GetAllocatedBytesForCurrentThread() - before);
            }

            return allocated;
        });
        Assert.Equal(0, least);
    }

    [Fact]
    public async Task TheBiasAndTheGateKeepThreadsApart()
    {
        const int Times = 300_000;
        var gate = new LogGate();
        long count = 0, withBias = 0;
        int inside = 0;
        using var started = new Barrier(3);
        Task owner = Run(() =>
        {
            var bias = new LogBias();
            started.SignalAndWait();
            for (int i = 0; i < Times; i++)
            {
                if (bias.TryGoIn())
                {
                    Work();
                    withBias++;
                    bias.GoOut();
                    continue;
                }

                using (gate.Enter())
                {
                    Work();
                    gate.GiveLocked(bias);
                }
            }
        });
        Task[] others = [.. Enumerable.Range(0, 2).Select(_ => Run(() =>
        {
            started.SignalAndWait();
            for (int i = 0; i < Times / 100; i++)
            {
                using (gate.Enter()) Work();
                Thread.SpinWait(50);
            }
        }))];
        await Task.WhenAll([owner, .. others]).WaitAsync(Patience);

        Assert.Equal(Times + (2 * (Times / 100)), count);
        Assert.True(withBias > 0);

        // Not interlocked: two threads inside would lose counts.
        void Work()
        {
            if (inside != 0) throw new InvalidOperationException("two threads are inside");
            inside = 1;
            count++;
            inside = 0;
        }
    }

    private static void Throws<TException>(ref LogAppender<int> appender, int value) where TException : Exception
    {
        try
        {
            appender.Append(value);
        }
        catch (TException)
        {
            return;
        }

        Assert.Fail($"{typeof(TException).Name} was expected");
    }

    private static NinoStore Open(Store.IO.IStoreDirectory directory, bool inline) => Simulated.Open(directory, 1, o => o with { RunsInline = inline, FlushIntervalMs = 1 });

    private static Task Run(Action work) => Task.Factory.StartNew(work, TaskCreationOptions.LongRunning);

    private static Task<TResult> Run<TResult>(Func<TResult> work) => Task.Factory.StartNew(work, TaskCreationOptions.LongRunning);
}
