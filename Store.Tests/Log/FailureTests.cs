using System.Collections;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Logging.Abstractions;
using Store.Buffers;
using Store.Framing;
using Store.IO;
using Store.Log;
using Store.Serialization;
using Store.Tests.Simulation;

namespace Store.Tests.Log;

/// <summary>Failures in unlucky places: in the caller's own code, at the limits, in the middle of a read, while closing.</summary>
public class FailureTests
{
    [Fact]
    public async Task EveryRecordBeforeTheDamageIsReturned()
    {
        var directory = new SimDirectory();
        using (NinoStore store = Simulated.Open(directory))
        {
            for (int i = 1; i <= 5_000; i++) store.Append(i);
        }

        // The middle of a sealed segment: opening does not read it.
        string name = SegmentFormat.Name(2);
        byte[] bytes = FileBytes.Of(directory, name);
        bytes[bytes.Length - 3000] ^= 1;
        FileBytes.Put(directory, name, bytes);
        await using NinoStore damaged = Simulated.Open(directory, seed: 2);

        List<int> read = [], readAsync = [];
        Assert.Throws<StoreCorruptException>(() =>
        {
            foreach (LogRecord<int> record in damaged.Read<int>()) read.Add(record.Value);
        });
        await Assert.ThrowsAsync<StoreCorruptException>(async () =>
        {
            await foreach (LogRecord<int> record in damaged.ReadAsync<int>()) readAsync.Add(record.Value);
        });

        Assert.NotEqual(0, read.Count % 256);
        Assert.Equal(Enumerable.Range(1, read.Count), read);
        Assert.Equal(read, readAsync);
    }

    [Fact]
    public async Task ReadingAheadIsBoundedByBytesToo()
    {
        var faulty = new FaultDirectory(new SimDirectory());
        // One segment: the last one is read by calls that can be counted, sealed ones are mapped.
        await using NinoStore store = Simulated.Open(faulty, change: o => o with { FirstSegmentSizeBytes = 24 << 20, SegmentSizeBytes = 24 << 20 });
        for (int i = 0; i < 40; i++) store.Append(new string('x', 500_000));
        store.Commit();
        int before = faulty.Trace.Calls.Length;

        await using IAsyncEnumerator<LogRecord<string>> records = store.ReadAsync<string>().GetAsyncEnumerator();
        Assert.True(await records.MoveNextAsync());

        Assert.InRange(faulty.Trace.Calls.Skip(before).Where(static c => c.Operation == IoOperation.Read).Sum(static c => c.LengthBytes), 500_000, 5_000_000);
        int count = 1;
        while (await records.MoveNextAsync()) count++;
        Assert.Equal(40, count);
    }

    [Fact]
    public void ABatchThatThrowsInTheMiddleAppendsNothing()
    {
        var directory = new SimDirectory();
        using NinoStore store = Simulated.Open(directory);
        store.Append("kept");

        Assert.Throws<NotSupportedException>(() => store.AppendBatch(new Throwing(["a", "b", "c"])));
        Assert.Equal(1, store.LastSequence);
        Assert.Equal(2, store.AppendBatch<string>(["d", "e"]));

        Assert.Equal(["kept", "d", "e"], store.Read<string>().Select(static r => r.Value));
    }

    [Fact]
    public void AnAppendInTheMiddleOfABatchHasABufferOfItsOwn()
    {
        using NinoStore store = Simulated.Open(new SimDirectory());

        Assert.Equal(2, store.AppendBatch(new Throwing(["a", "b"], before: i => { if (i == 1) store.Append("nested"); }, count: 2)));

        Assert.Equal(["nested", "a", "b"], store.Read<string>().Select(static r => r.Value));
    }

    [Fact]
    public void ABufferTakesNoMoreThanItsLimit()
    {
        const int Limit = 100_000;
        RecordBuffer buffer = RecordBuffer.Rent(Limit, "batch");
        try
        {
            Write(buffer, Limit);
            Assert.Equal(Limit, buffer.WrittenWithinLimit.Length);

            Write(buffer, 1);
            Assert.Throws<RecordTooLargeException>(() => buffer.WrittenWithinLimit.Length);
            // A buffer that was used before may have more room than the limit, of 1 MiB at most.
            Assert.Throws<RecordTooLargeException>(() => Write(buffer, 2_000_000));
        }
        finally
        {
            buffer.Return();
        }
    }

    [Fact]
    public async Task APreparedSegmentThatCannotBeRemovedHidesNothing()
    {
        var faulty = new FaultDirectory(new SimDirectory());
        NinoStore store = Simulated.Open(faulty, change: static o => o with { RunsInline = false, FirstSegmentSizeBytes = 64 * 1024 });
        store.AppendBatch<int>([.. Enumerable.Range(0, 8_000)]);
        await store.CommitAsync();
        faulty.Fault = new Fault(1, FaultKind.IoError, IsForever: true, static operation => operation is IoOperation.Delete);

        store.Dispose();

        Assert.Equal(1, faulty.Failures);
        faulty.Fault = null;
        using NinoStore reopened = Simulated.Open(faulty, seed: 2);
        Assert.True(reopened.Recovery.CleanClose);
        Assert.True(SegmentFormat.IsPrepared(Assert.Single(reopened.Recovery.FilesRemoved), null));
    }

    [Fact]
    public void AHalfPreparedSegmentDoesNotKeepTheRoomOfAFullDisk()
    {
        var faulty = new FaultDirectory(new SimDirectory()) { Fault = new Fault(3, FaultKind.NoSpace, IsForever: false, static operation => operation is IoOperation.Write) };
        var preparer = new SegmentPreparer(faulty, "next.tmp", inBackground: true, NullLogger.Instance);

        preparer.Start(4 * 1024 * 1024, writesZeros: true);
        preparer.Close();

        Assert.Equal(1, faulty.Failures);
        Assert.Empty(faulty.List());
        using IStoreFile file = preparer.Take(1024 * 1024, 1024 * 1024, writesZeros: true);
        Assert.Equal(1024 * 1024, file.LengthBytes);
    }

    [Fact]
    public void AReadThatFailedOnceIsReadAgainAndIsNoDamage()
    {
        var faulty = new FaultDirectory(new SimDirectory());
        using (NinoStore store = Simulated.Open(faulty, change: static o => o with { FirstSegmentSizeBytes = 4 << 20, SegmentSizeBytes = 4 << 20 }))
        {
            for (int i = 0; i < 1_000; i++) store.Append(new string('x', 1_000));
        }

        int failed = 0;
        for (long at = 1; ; at++)
        {
            faulty.Fault = new Fault(at, FaultKind.IoError, Strikes: static operation => operation is IoOperation.Read);
            using IStoreFile file = faulty.OpenRead(SegmentFormat.Name(1));
            if (at == 1) Assert.Throws<InjectedFault>(() => SegmentHeader.TryRead(file, out _));
            Assert.Equal(SegmentHeaderStatus.Valid, SegmentHeader.TryRead(file, out SegmentHeader header));
            using var scanner = new SegmentScanner(file, header);
            int records = 0;
            while (true)
            {
                FrameReadStatus status;
                try
                {
                    status = scanner.Next();
                }
                catch (InjectedFault)
                {
                    continue;
                }

                if (status != FrameReadStatus.Frame) break;
                records += scanner.Frame.RecordCount;
            }

            Assert.Null(scanner.Problem);
            Assert.Equal(1_000, records);
            if (faulty.Failures == 0) break;
            failed++;
        }

        Assert.True(failed > 4, $"{failed} reads");
    }

    // Of the framework's own exceptions some system calls have one each: a file too large is an ArgumentOutOfRangeException. On the preparer's thread any of them would end the process.
    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void WhateverPreparingThrowsTheSegmentIsMadeWhenItIsNeeded(bool inRemove)
    {
        var strange = new StrangeDirectory(new SimDirectory()) { IsStrange = true, RemovesStrangely = inRemove };
        var preparer = new SegmentPreparer(strange, "next.tmp", inBackground: true, NullLogger.Instance);

        preparer.Start(64 * 1024, writesZeros: true);
        preparer.Close();

        strange.IsStrange = false;
        using IStoreFile file = preparer.Take(64 * 1024, 64 * 1024, writesZeros: true);
        Assert.Equal(64 * 1024, file.LengthBytes);
    }

    [Fact]
    public void WithoutAThreadToPrepareASegmentItIsMadeWhenItIsNeeded()
    {
        int asked = 0;
        var preparer = new SegmentPreparer(new SimDirectory(), "next.tmp", inBackground: true, NullLogger.Instance, _ =>
        {
            asked++;
            throw new OutOfMemoryException("as asked");
        });
        for (int i = 0; i < 3; i++) preparer.Start(64 * 1024, writesZeros: true);
        Assert.Equal(1, asked);

        using (IStoreFile file = preparer.Take(64 * 1024, 64 * 1024, writesZeros: true)) Assert.Equal(64 * 1024, file.LengthBytes);
        preparer.Used();
        preparer.Start(64 * 1024, writesZeros: true);
        Assert.Equal(2, asked);
        preparer.Close();
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void ASegmentThatCannotBeMadeKeepsNoRoom(bool isTaken)
    {
        var disk = new SimDirectory { CapacityBytes = 32 * 1024 };
        var preparer = new SegmentPreparer(disk, "next.tmp", inBackground: !isTaken, NullLogger.Instance);
        preparer.Start(64 * 1024, writesZeros: true);
        Assert.Throws<IOException>(() => preparer.Take(64 * 1024, 64 * 1024, writesZeros: true));
        Assert.Empty(disk.List());
        preparer.Close();
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

    private static void Write(RecordBuffer buffer, int bytes)
    {
        for (; bytes > 0; bytes -= 1000)
        {
            int part = Math.Min(bytes, 1000);
            buffer.GetSpan(part)[..part].Fill(1);
            buffer.Advance(part);
        }
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
    public void WhoAsksForTheSegmentsGetsNoCopy()
    {
        var directory = new SimDirectory();
        using var log = new AppendLog(directory, Simulated.Options(directory), new LogTail { StoreId = Guid.NewGuid(), Segments = [], NextSequence = 1, Writer = 1 }, null, NullLogger.Instance);
        SegmentHeader[] first = log.Segments;
        Assert.Same(first, log.Span(durableOnly: true).Segments);
        for (int i = 0; i < 20; i++) log.Append(NinoSerializer.SchemaOf<byte[]>(), new byte[1000]);

        // What was given away says what was there then.
        Assert.Single(first);
        Assert.Equal(Enumerable.Range(1, log.Segments.Length), log.Segments.Select(static s => (int)s.Number));
        Assert.True(log.Segments.Length > 2);
        SegmentHeader[] all = log.Segments;
        log.Forget(2);
        Assert.Equal((1, 2), (all[0].Number, log.Segments[0].Number));
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

    private sealed class StrangeDirectory(IStoreDirectory inner) : PassThroughDirectory(inner)
    {
        public bool IsStrange { get; set; }

        public bool RemovesStrangely { get; init; }

        public override IStoreFile Create(string name) => new StrangeFile(this, base.Create(name));

        public override void Delete(string name)
        {
            if (IsStrange && RemovesStrangely) throw new OperationCanceledException("as asked");
            base.Delete(name);
        }

        private sealed class StrangeFile(StrangeDirectory directory, IStoreFile inner) : PassThroughFile(inner)
        {
            public override void SyncData()
            {
                if (directory.IsStrange) throw new ArgumentOutOfRangeException("value", "as asked");
                base.SyncData();
            }
        }
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
        private int _readings;

        public bool Threw => _readings >= at;

        public override DateTimeOffset GetUtcNow() => ++_readings == at ? throw new NotSupportedException("as asked") : _clock.GetUtcNow();
    }

    private sealed class Throwing(string[] values, Action<int>? before = null, int count = 4) : IReadOnlyList<string>
    {
        public int Count => count;

        public string this[int index]
        {
            get
            {
                before?.Invoke(index);
                return index < values.Length ? values[index] : throw new NotSupportedException("as asked");
            }
        }

        public IEnumerator<string> GetEnumerator() => throw new NotSupportedException();

        IEnumerator IEnumerable.GetEnumerator() => GetEnumerator();
    }
}
