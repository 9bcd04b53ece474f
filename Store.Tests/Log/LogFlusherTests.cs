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

    [Fact]
    public void WhatWasLentIsTakenBackWhenNoThreadOfThePoolComesToItAndNobodyWaitsForThePoolAgain()
    {
        var work = new Work();
        IThreadPoolWorkItem? lent = null;
        int lentOften = 0;
        var flusher = new LogFlusher(work.Gate, work, intervalMs: 20, awakeMs: int.MaxValue, lend: item => (lent, lentOften) = (item, lentOften + 1));
        flusher.Start();
        AskForOneWhileItDozes(work, flusher, () => lentOften == 1);
        work.AwaitFlushed(work.Waiting);

        // Were they lent, each would take the rest of a doze.
        TimeSpan least = TimeSpan.MaxValue;
        for (int turn = 0; turn < 5; turn++)
        {
            var time = Stopwatch.StartNew();
            for (int i = 0; i < 50; i++)
            {
                AskForOne(work, flusher);
                work.AwaitFlushed(work.Waiting);
            }

            if (time.Elapsed < least) least = time.Elapsed;
        }

        Assert.True(least < TimeSpan.FromMilliseconds(50 * 12), $"{least} for 50 flushes.");
        using (work.Gate.Enter()) Assert.Equal((1, 0), (lentOften, work.Lent));

        // The pool comes to it in the end: too late for that one, and from then on it is lent to again.
        lent!.Execute();
        using (work.Gate.Enter()) Assert.Equal(0, work.Lent);
        AskForOneWhileItDozes(work, flusher, () => lentOften == 2);
        work.End(flusher);
    }

    [Fact]
    public void WhoComesTooLateForWhatWasLentIsServedByTheThread()
    {
        var work = new Work();
        IThreadPoolWorkItem? lent = null;
        var flusher = new LogFlusher(work.Gate, work, intervalMs: 20, awakeMs: int.MaxValue, lend: item => lent = item);
        flusher.Start();
        AskForOneWhileItDozes(work, flusher, () => lent is not null);
        work.WhileLent = () => AskForOne(work, flusher);
        int before = work.Waiting;
        lent!.Execute();
        Assert.Equal((1, before + 1), (work.Lent, work.Waiting));
        work.AwaitFlushed(before + 1);
        work.End(flusher);
    }

    [Fact]
    public void NothingIsLentWhereTheThreadDozesForLong()
    {
        var work = new Work();
        var flusher = new LogFlusher(work.Gate, work, intervalMs: 1000, awakeMs: int.MaxValue, lend: _ => Assert.Fail("It was lent."));
        flusher.Start();
        work.AwaitLooks(1);
        for (int i = 1; i <= 50; i++)
        {
            AskForOne(work, flusher);
            work.AwaitFlushed(i);
        }

        work.End(flusher);
    }

    [Fact]
    public void ALogThatOneWritesToAndWaitsIsNotIdle()
    {
        var work = new Work();
        var flusher = new LogFlusher(work.Gate, work, IntervalMs, awakeMs: int.MaxValue, lend: static item => new Thread(item.Execute) { IsBackground = true }.Start());
        flusher.Start();
        int pauses = 0;
        long asked = Environment.TickCount64;
        for (long begun = asked; asked - begun < 40 * IntervalMs;)
        {
            AskForOne(work, flusher);
            work.AwaitFlushed(work.Waiting);

            // On a busy machine nobody may ask for an interval, which is a pause.
            if (Environment.TickCount64 - asked >= IntervalMs / 2) pauses++;
            asked = Environment.TickCount64;
        }

        using (work.Gate.Enter()) Assert.True(work.Idles <= pauses + 1 && work.Lent > 0, $"{work.Idles} times idle, {pauses} pauses, {work.Lent} lent.");
        work.End(flusher);
    }

    /// <summary>Whoever listens to the events of the pool runs inside the call that queues, and may append.</summary>
    [Fact]
    public void ThePoolIsCalledWhereTheGateIsFree()
    {
        var work = new Work();
        bool? isFree = null;
        var flusher = new LogFlusher(work.Gate, work, intervalMs: 20, awakeMs: int.MaxValue, lend: _ =>
        {
            var other = new Thread(() =>
            {
                using (work.Gate.Enter())
                {
                }
            }) { IsBackground = true };
            other.Start();
            isFree = other.Join(TimeSpan.FromSeconds(20));
        });
        flusher.Start();
        AskForOneWhileItDozes(work, flusher, () => isFree is not null);
        Assert.True(isFree);
        work.AwaitFlushed(work.Waiting);
        work.End(flusher);
    }

    [Fact]
    public void WhereThePoolHasNoMemoryTheThreadDoesItAndTheNextIsLent()
    {
        var work = new Work();
        int refused = 0;
        var flusher = new LogFlusher(work.Gate, work, intervalMs: 20, awakeMs: int.MaxValue, lend: _ =>
        {
            refused++;
            throw new OutOfMemoryException("as asked");
        });
        flusher.Start();
        AskForOneWhileItDozes(work, flusher, () => refused == 1);
        work.AwaitFlushed(work.Waiting);
        AskForOneWhileItDozes(work, flusher, () => refused == 2);
        work.AwaitFlushed(work.Waiting);
        work.End(flusher);
    }

    /// <summary>An interruption may end the call before or behind the queueing.</summary>
    [Fact]
    public void WhatWasQueuedTwiceIsDoneOnce()
    {
        var work = new Work();
        List<IThreadPoolWorkItem> queued = [];
        var flusher = new LogFlusher(work.Gate, work, intervalMs: 20, awakeMs: int.MaxValue, lend: item =>
        {
            queued.Add(item);
            if (queued.Count == 1) throw new ThreadInterruptedException();
        });
        flusher.Start();
        AskForOneWhileItDozes(work, flusher, () => queued.Count > 0);
        Assert.Equal(2, queued.Count);
        foreach (IThreadPoolWorkItem item in queued) item.Execute();
        Assert.Throws<ThreadInterruptedException>(static () => Thread.Sleep(1));
        using (work.Gate.Enter()) Assert.InRange(work.Lent, 0, 1);
        work.AwaitFlushed(work.Waiting);
        work.End(flusher);
    }

    [Fact]
    public void WhatThePoolComesToAfterTheEndIsNothing()
    {
        var work = new Work();
        IThreadPoolWorkItem? lent = null;
        var flusher = new LogFlusher(work.Gate, work, intervalMs: 20, awakeMs: int.MaxValue, lend: item => lent = item);
        flusher.Start();
        AskForOneWhileItDozes(work, flusher, () => lent is not null);
        work.End(flusher);
        lent!.Execute();
        using (work.Gate.Enter()) Assert.Equal(0, work.Lent);
    }

    private static void AskForOne(Work work, LogFlusher flusher)
    {
        using (work.Gate.Enter())
        {
            work.Waiting++;
            flusher.AskLocked(forOne: true);
        }

        flusher.QueueLent();
    }

    // The thread dozes soon, but when is not known.
    private static void AskForOneWhileItDozes(Work work, LogFlusher flusher, Func<bool> isLent)
    {
        var patience = Stopwatch.StartNew();
        while (true)
        {
            AskForOne(work, flusher);
            if (isLent()) return;
            work.AwaitFlushed(work.Waiting);
            Assert.True(patience.Elapsed < TimeSpan.FromSeconds(20), "Nothing was lent within 20 s.");
        }
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

        /// <summary>How often it was told that nobody asked.</summary>
        public int Idles { get; private set; }

        /// <summary>How often a lent flush ran.</summary>
        public int Lent { get; private set; }

        /// <summary>What happens during a lent flush, behind what it serves.</summary>
        public Action WhileLent { get; set; } = static () => { };

        public void FallIdleLocked() => Idles++;

        public LoneWait FlushLent()
        {
            using (Gate.Enter()) (Flushes, Lent) = (Waiting, Lent + 1);
            WhileLent();
            return default;
        }

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
