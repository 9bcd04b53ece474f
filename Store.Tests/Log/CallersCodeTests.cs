using Microsoft.Extensions.Logging;
using Store.Log;
using Store.Serialization;
using Store.Tests.Simulation;

namespace Store.Tests.Log;

/// <summary>Failures of the caller's own code in unlucky places: a clock, a logger and a listener that throw, on the caller's thread and on the log's.</summary>
public class CallersCodeTests
{
    /// <summary>Every record is on the disk by then: what cannot be written is that the log was closed.</summary>
    [Fact]
    public void AClockThatThrowsForTheLastWordsIsAFailureOfClosingAndSaysSo()
    {
        int met = 0;
        for (int at = 1; ; at++)
        {
            var directory = new SimDirectory();
            var clock = new ThrowingClock(int.MaxValue);
            NinoStore store = Simulated.Open(directory, change: o => o with { TimeProvider = clock });
            store.Append(1);
            store.Commit();
            clock.ThrowAt(at);
            Exception? failure = Record.Exception(store.Dispose);
            if (!clock.Threw) break;
            met++;
            StoreFailedException told = Assert.IsType<StoreFailedException>(failure);
            Assert.IsType<NotSupportedException>(told.InnerException);
            Assert.Contains("No record is lost", told.Message, StringComparison.Ordinal);
            using NinoStore reopened = Simulated.Open(directory, seed: 2);
            Assert.Equal([1], reopened.Read<int>().Select(static r => r.Value));
        }

        Assert.True(met > 0);
    }

    [Fact]
    public void AClockThatThrowsLeavesNothingHalfDone()
    {
        int threw = 0;
        for (int at = 2; ; at++)
        {
            var directory = new SimDirectory();
            var clock = new ThrowingClock(at);
            NinoStore store = Simulated.Open(directory, change: o => o with { TimeProvider = clock });
            List<int> appended = [];
            int committed = 0;
            try
            {
                for (int step = 0; step < 30; step++)
                {
                    try
                    {
                        int[] batch = [.. Enumerable.Range(appended.Count, 400)];
                        Assert.Equal(appended.Count + 1, store.AppendBatch<int>(batch));
                        appended.AddRange(batch);
                        Assert.Equal(appended.Count + 1, store.Append(appended.Count));
                        appended.Add(appended.Count);
                    }
                    catch (NotSupportedException)
                    {
                        // Refused, and the next one is not.
                    }

                    if (step % 4 != 3) continue;
                    store.Commit();
                    committed = appended.Count;
                }

                store.Dispose();
                committed = appended.Count;
            }
            catch (Exception e) when (e is NotSupportedException || e is StoreFailedException { InnerException: NotSupportedException })
            {
                // The log stopped because the flusher met it.
                Record.Exception(store.Dispose);
            }

            using NinoStore reopened = Simulated.Open(directory, seed: 2);
            int[] read = [.. reopened.Read<int>().Select(static r => r.Value)];
            Assert.InRange(read.Length, committed, appended.Count);
            Assert.Equal(Enumerable.Range(0, read.Length), read);
            if (!clock.Threw) break;
            threw++;
        }

        Assert.True(threw > 50, $"{threw} readings of the clock");
    }

    [Fact]
    public async Task AClockThatThrowsWhileTheLogIsIdleIsToldToWhoFollowsIt()
    {
        var clock = new ClockOfOneThread(Environment.CurrentManagedThreadId);
        NinoStore store = Simulated.Open(new SimDirectory(), change: o => o with { RunsInline = false, FlushIntervalMs = 1, TimeProvider = clock });
        store.Append(1);
        store.Commit();

        // The flusher writes a mark now, and reads the clock for it.
        StoreFailedException e = await Assert.ThrowsAsync<StoreFailedException>(async () =>
        {
            await foreach (LogRecord<int> record in store.TailAsync<int>()) Assert.Equal(1, record.Value);
        }).WaitAsync(TimeSpan.FromSeconds(30));

        Assert.IsType<NotSupportedException>(e.InnerException);
        Assert.Throws<StoreFailedException>(() => store.Append(2));
        store.Dispose();
    }

    // Without a catch there the process ends.
    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void AClockThatThrowsWhereRetentionReadsItIsLoggedAndTheLogGoesOn(bool runsInline)
    {
        var directory = new SimDirectory();
        var clock = new ClockOfThePolicy();
        using var log = new Kept();
        using NinoStore store = Simulated.Open(directory, change: o => o with
        {
            RunsInline = runsInline,
            TimeProvider = clock,
            LoggerFactory = log,
            Retention = new RetentionPolicy { MaxAge = TimeSpan.FromMilliseconds(1) },
        });
        for (int i = 1; i <= 5_000; i++)
        {
            store.Append(i);
            if (i % 100 == 0) store.Commit();
        }

        Assert.True(log.Warned.Wait(TimeSpan.FromSeconds(30)));
        Assert.True(clock.Threw > 0);
        store.Commit();
        Assert.Equal(5_000, store.LastSequence);
        Assert.Equal(1, store.FirstSequence);
    }

    // Without a policy, too: the segment is noted as begun, on the flusher's thread. And what tells of it may throw as well.
    [Theory]
    [InlineData(true, false)]
    [InlineData(false, false)]
    [InlineData(true, true)]
    [InlineData(false, true)]
    public void AClockThatThrowsWhereASegmentIsBegunIsLoggedAndTheLogGoesOn(bool runsInline, bool loggerThrows)
    {
        var clock = new ClockWithoutTimestamps();
        using var log = new Kept(loggerThrows);
        using NinoStore store = Simulated.Open(new SimDirectory(), change: o => o with { RunsInline = runsInline, TimeProvider = clock, LoggerFactory = log });
        for (int i = 1; i <= 5_000; i++)
        {
            store.Append(i);
            if (i % 100 == 0) store.Commit();
        }

        Assert.True(log.Warned.IsSet);
        Assert.Equal(5_000, store.DurableSequence);
        Assert.Equal(0, store.ApplyRetention(new RetentionPolicy { MaxRecords = 10_000 }).SegmentsRemoved);
    }

    [Fact]
    public void WhatListensToSegmentsMayThrowAndTheLogGoesOn()
    {
        var directory = new SimDirectory();
        using var log = new Kept();
        NinoStoreOptions options = Simulated.Options(directory) with { RunsInline = false };
        using var appendLog = new AppendLog(directory, options, new LogTail { StoreId = Guid.NewGuid(), Segments = [], NextSequence = 1, Writer = 1 }, null, log);
        appendLog.Progress.SegmentBegun = static () => throw new NotSupportedException("as asked");
        byte[] record = new byte[1000];
        for (int i = 0; i < 20; i++)
        {
            appendLog.Append(NinoSerializer.SchemaOf<byte[]>(), record);
            appendLog.Wait(Durability.Disk);
        }

        Assert.True(log.Warned.IsSet);
        Assert.Equal(20, appendLog.DurableSequence);
    }

    private sealed class ClockWithoutTimestamps : TimeProvider
    {
        private readonly SteppingClock _clock = new();

        public override DateTimeOffset GetUtcNow() => _clock.GetUtcNow();

        public override long GetTimestamp() => throw new NotSupportedException("as asked");
    }

    /// <summary>Throws where a policy is applied, and nowhere else.</summary>
    private sealed class ClockOfThePolicy : TimeProvider
    {
        private readonly SteppingClock _clock = new();
        private int _threw;

        public int Threw => Volatile.Read(ref _threw);

        public override DateTimeOffset GetUtcNow()
        {
            if (!Environment.StackTrace.Contains("LogRetention.ApplyQuietly", StringComparison.Ordinal)) return _clock.GetUtcNow();
            Interlocked.Increment(ref _threw);
            throw new NotSupportedException("as asked");
        }
    }

    private sealed class Kept(bool throws = false) : ILoggerFactory, ILogger
    {
        public ManualResetEventSlim Warned { get; } = new();

        public void AddProvider(ILoggerProvider provider) { }

        public ILogger CreateLogger(string categoryName) => this;

        public IDisposable? BeginScope<TState>(TState state) where TState : notnull => null;

        public bool IsEnabled(LogLevel logLevel) => true;

        public void Log<TState>(LogLevel logLevel, EventId eventId, TState state, Exception? exception, Func<TState, Exception?, string> formatter)
        {
            if (exception is NotSupportedException) Warned.Set();
            if (throws) throw new InvalidOperationException("as asked");
        }

        public void Dispose() { }
    }

    private sealed class ClockOfOneThread(int thread) : TimeProvider
    {
        private readonly SteppingClock _clock = new();

        public override DateTimeOffset GetUtcNow() => Environment.CurrentManagedThreadId == thread ? _clock.GetUtcNow() : throw new NotSupportedException("as asked");
    }

    private sealed class ThrowingClock(int at) : TimeProvider
    {
        private readonly SteppingClock _clock = new();
        private int _at = at;
        private int _readings;

        public bool Threw => _readings >= _at;

        /// <summary>From now on, the so manieth reading.</summary>
        public void ThrowAt(int reading) => (_at, _readings) = (reading, 0);

        public override DateTimeOffset GetUtcNow() => ++_readings == _at ? throw new NotSupportedException("as asked") : _clock.GetUtcNow();
    }
}
