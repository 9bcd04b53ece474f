// When does the flusher's thread work, and when does it rest?

using System.Diagnostics;
using Store.Log;

namespace Store.Tests.Log;

public sealed class LogFlusherTests
{
    private const int IntervalMs = 5;

    [Theory]
    [InlineData(0)]
    [InlineData(int.MaxValue)]
    public void WhatIsAppendedAfterARestIsFlushedWhetherTheThreadSleepsOrLooks(int awakeMs)
    {
        var work = new Work();
        var flusher = new LogFlusher(work.Gate, work, IntervalMs, awakeMs);
        flusher.Start();
        for (int i = 1; i <= 3; i++)
        {
            Thread.Sleep(4 * IntervalMs);
            using (work.Gate.Enter())
            {
                work.Waiting++;
                flusher.NoticeLocked(chunkReady: false);
            }

            work.AwaitFlushed(i);
        }

        work.End(flusher);
    }

    [Fact]
    public void AFlusherThatLooksDoesNotFlushWhenThereIsNothing()
    {
        var work = new Work();
        var flusher = new LogFlusher(work.Gate, work, 1, awakeMs: int.MaxValue);
        flusher.Start();
        work.AwaitLooks(20);
        using (work.Gate.Enter()) Assert.Equal(0, work.Calls);
        work.End(flusher);
    }

    [Fact]
    public void AFlusherThatHasLookedLongEnoughSleeps()
    {
        var work = new Work();
        var flusher = new LogFlusher(work.Gate, work, 1, awakeMs: 10);
        flusher.Start();
        work.AwaitLooks(10);

        // It may look a few times more, but not for ever: the count comes to rest.
        long before, after;
        var patience = Stopwatch.StartNew();
        do
        {
            before = work.LooksNow();
            Thread.Sleep(50);
            after = work.LooksNow();
        }
        while (before != after && patience.Elapsed < TimeSpan.FromSeconds(20));
        Assert.Equal(before, after);
        work.End(flusher);
    }

    [Fact]
    public void WhoeverWaitsIsNotKeptWaitingForTheInterval()
    {
        var work = new Work();
        var flusher = new LogFlusher(work.Gate, work, intervalMs: 60_000, awakeMs: int.MaxValue);
        flusher.Start();
        using (work.Gate.Enter())
        {
            work.Waiting++;
            flusher.AskLocked();
        }

        work.AwaitFlushed(1);
        work.End(flusher);
    }

    private sealed class Work : IFlusherWork
    {
        private long _looks;
        private bool _isOver;

        public LogGate Gate { get; } = new();

        public int Waiting { get; set; }

        /// <summary>How many of those that waited have been served.</summary>
        public int Flushes { get; private set; }

        /// <summary>How often the thread was sent to work.</summary>
        public int Calls { get; private set; }

        public bool IsOverLocked => _isOver;

        public bool HasWorkLocked
        {
            get
            {
                _looks++;
                return Waiting > Flushes;
            }
        }

        public int GatherMsLocked => 0;

        public void FallIdleLocked() { }

        public void Flush()
        {
            using (Gate.Enter()) (Flushes, Calls) = (Waiting, Calls + 1);
        }

        public long LooksNow()
        {
            using (Gate.Enter()) return _looks;
        }

        public void AwaitLooks(long count) => Await(() => _looks >= count);

        public void AwaitFlushed(int count) => Await(() => Flushes >= count);

        public void End(LogFlusher flusher)
        {
            using (Gate.Enter()) _isOver = true;
            flusher.Join();
        }

        private void Await(Func<bool> happened)
        {
            var patience = Stopwatch.StartNew();
            while (true)
            {
                using (Gate.Enter())
                {
                    if (happened()) return;
                }

                Assert.True(patience.Elapsed < TimeSpan.FromSeconds(20), "It did not happen within 20 s.");
                Thread.Sleep(1);
            }
        }
    }
}
