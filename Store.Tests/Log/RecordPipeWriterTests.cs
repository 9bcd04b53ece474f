using System.IO.Pipelines;
using Store.Tests.Simulation;

namespace Store.Tests.Log;

/// <summary>Is the log a PipeWriter like any other, and is what is written between two flushes one record?</summary>
public class RecordPipeWriterTests
{
    [Fact]
    public async Task EveryFlushIsOneRecordWhateverItsSize()
    {
        var directory = new SimDirectory();
        int[] sizes = [1, 251, 252, 253, 4091, 4096, 65_534, 65_535, 70_000, 3];
        using (NinoStore store = Simulated.Open(directory))
        {
            PipeWriter pipe = store.OpenPipe();
            foreach (int size in sizes)
            {
                await pipe.WriteAsync(Bytes(size));
                Assert.Equal(0, pipe.UnflushedBytes);
                Assert.Equal(store.LastSequence, store.DurableSequence);
            }

            // In pieces, and a flush of nothing, which is no record.
            pipe.GetSpan(2)[0] = 1;
            pipe.Advance(1);
            pipe.GetMemory(9000).Span[0] = 2;
            pipe.Advance(1);
            Assert.Equal(2, pipe.UnflushedBytes);
            await pipe.FlushAsync();
            FlushResult empty = await pipe.FlushAsync();
            Assert.Equal((false, false), (empty.IsCanceled, empty.IsCompleted));
        }

        using NinoStore again = Simulated.Open(directory);
        byte[][] read = [.. again.Read<byte[]>().Select(static r => r.Value)];
        Assert.Equal(sizes.Length + 1, read.Length);
        Assert.All(sizes.Zip(read), static pair => Assert.Equal(Bytes(pair.First), pair.Second));
        Assert.Equal([1, 2], read[^1]);
    }

    [Fact]
    public async Task AStreamCanBeCopiedIntoTheLog()
    {
        using NinoStore store = Simulated.Open(new SimDirectory());
        byte[] bytes = Bytes(200_000);
        PipeWriter pipe = store.OpenPipe();
        await new MemoryStream(bytes).CopyToAsync(pipe);
        await pipe.CompleteAsync();
        Assert.Equal(bytes, store.Read<byte[]>().SelectMany(static r => r.Value));
    }

    [Fact]
    public async Task CompletingAppendsTheRestAndEndsTheWriterOnly()
    {
        using NinoStore store = Simulated.Open(new SimDirectory());
        PipeWriter pipe = store.OpenPipe(), dropped = store.OpenPipe();
        Bytes(3).CopyTo(pipe.GetMemory(3));
        pipe.Advance(3);
        dropped.GetSpan(1)[0] = 9;
        dropped.Advance(1);
        pipe.Complete();
        pipe.Complete();
        dropped.Complete(new InvalidOperationException("the source failed"));
        Assert.Throws<InvalidOperationException>(() => pipe.GetMemory(1));
        Assert.Throws<InvalidOperationException>(() => pipe.Advance(0));
        await Assert.ThrowsAsync<InvalidOperationException>(async () => await pipe.FlushAsync());
        store.Append("the store is open");
        Assert.Equal(Bytes(3), Assert.Single(store.Read<byte[]>()).Value);
    }

    [Fact]
    public async Task ARecordBeyondTheLimitIsRefusedAndWhatWasWrittenStays()
    {
        using NinoStore store = Simulated.Open(new SimDirectory(), change: static o => o with { MaxRecordSizeBytes = 10_000 });
        PipeWriter pipe = store.OpenPipe();
        Assert.Throws<RecordTooLargeException>(() => pipe.GetSpan(int.MaxValue));
        pipe.GetSpan(9_000).Fill(7);
        pipe.Advance(9_000);
        Assert.Throws<ArgumentOutOfRangeException>(() => pipe.Advance(20_000));
        await pipe.FlushAsync();
        Assert.Equal(9_000, Assert.Single(store.Read<byte[]>()).Value.Length);

        // A little more than the limit fits the memory, and is refused when it becomes a record.
        pipe.GetSpan(10_000);
        pipe.Advance(10_000);
        for (int i = 0; i < 2; i++) await Assert.ThrowsAsync<RecordTooLargeException>(async () => await pipe.FlushAsync());
        Assert.Equal(10_000, pipe.UnflushedBytes);
        Assert.Throws<RecordTooLargeException>(() => pipe.Complete());
        Assert.Single(store.Read<byte[]>());
    }

    [Fact]
    public void MemoryBeyondTheLimitIsNotLentWhereThePoolHappensToHaveGivenIt()
    {
        using NinoStore store = Simulated.Open(new SimDirectory(), change: static o => o with { MaxRecordSizeBytes = 10_000 });
        PipeWriter pipe = store.OpenPipe();
        Assert.True(pipe.GetSpan(14_000).Length > 15_000);
        pipe.Advance(14_000);
        Assert.Throws<RecordTooLargeException>(() => pipe.GetSpan(200));
        Assert.Throws<RecordTooLargeException>(() => pipe.GetMemory(200));
        Assert.Equal(14_000, pipe.UnflushedBytes);
        pipe.Complete(new InvalidOperationException("the source goes on for ever"));
    }

    [Fact]
    public async Task CancellingGivesUpTheWaitAndNotTheRecord()
    {
        using NinoStore store = Simulated.Open(new SimDirectory());
        PipeWriter pipe = store.OpenPipe();
        pipe.CancelPendingFlush();
        Bytes(4).CopyTo(pipe.GetMemory(4));
        pipe.Advance(4);
        Assert.True((await pipe.FlushAsync()).IsCanceled);
        Assert.Equal(4, pipe.UnflushedBytes);
        Assert.False((await pipe.FlushAsync()).IsCanceled);
        await Assert.ThrowsAnyAsync<OperationCanceledException>(async () => await pipe.FlushAsync(new CancellationToken(canceled: true)));
        Assert.Single(store.Read<byte[]>());
    }

    // Between the flush's look for a cancellation and its wait lies the append, which reads the clock.
    [Fact]
    public async Task AFlushThatIsCancelledWhileItAppendsIsTheOneThatIsCancelled()
    {
        var disk = new StallingDirectory(new SimDirectory());
        var clock = new CallingClock();
        using NinoStore store = Simulated.Open(disk, change: o => o with { RunsInline = false, TimeProvider = clock });
        PipeWriter pipe = store.OpenPipe();
        Bytes(4).CopyTo(pipe.GetMemory(4));
        pipe.Advance(4);
        disk.Stall();
        clock.Calls = pipe.CancelPendingFlush;
        ValueTask<FlushResult> flush = pipe.FlushAsync();
        Assert.Null(clock.Calls);
        Task<FlushResult> cancelled = flush.AsTask();
        Task first = await Task.WhenAny(cancelled, Task.Delay(TimeSpan.FromSeconds(30)));
        disk.GoOn();
        Assert.Same(cancelled, first);
        Assert.True((await cancelled).IsCanceled);
        await pipe.WriteAsync(Bytes(5));
        Assert.Equal([4, 5], store.Read<byte[]>().Select(static r => r.Value.Length));
    }

    /// <summary>As of every pipe: a cancellation is one flush's, the one that waits or the next, whenever it comes.</summary>
    [Fact]
    public async Task ACancellationAtTheEndOfAFlushIsToldByItOrByTheNext()
    {
        using NinoStore store = Simulated.Open(new SimDirectory(), change: static o => o with { RunsInline = false, FlushIntervalMs = 1 });
        PipeWriter pipe = store.OpenPipe();
        var random = new Random(7);
        int ofTheFirst = 0;
        const int Rounds = 4000;
        for (int round = 0; round < Rounds; round++)
        {
            pipe.GetSpan(1)[0] = 1;
            pipe.Advance(1);
            int spins = random.Next(3000);
            Task<FlushResult> flush = pipe.FlushAsync().AsTask();
            Task cancels = Task.Run(() =>
            {
                Thread.SpinWait(spins);
                pipe.CancelPendingFlush();
            });
            bool wasFirst = (await flush).IsCanceled;
            await cancels;
            bool wasNext = (await pipe.FlushAsync()).IsCanceled;
            Assert.True(wasFirst != wasNext, $"round {round}: the first {wasFirst}, the next {wasNext}");
            if (wasFirst) ofTheFirst++;
        }

        Assert.InRange(ofTheFirst, 1, Rounds);
    }

    private sealed class CallingClock : TimeProvider
    {
        private readonly SteppingClock _clock = new();

        public Action? Calls { get; set; }

        public override DateTimeOffset GetUtcNow()
        {
            Action? calls = Calls;
            Calls = null;
            calls?.Invoke();
            return _clock.GetUtcNow();
        }
    }

    [Fact]
    public async Task AFailedWriteIsTheFailureOfTheFlush()
    {
        var faulty = new FaultDirectory(new SimDirectory(), seed: 1);
        NinoStore store = Simulated.Open(faulty);
        PipeWriter pipe = store.OpenPipe();
        await pipe.WriteAsync(Bytes(10));
        faulty.Fault = new Fault(1, FaultKind.IoError, IsForever: true);
        await Assert.ThrowsAsync<StoreFailedException>(async () => await pipe.WriteAsync(Bytes(10)));
        await Assert.ThrowsAsync<StoreFailedException>(async () => await pipe.WriteAsync(Bytes(10)));
        await Record.ExceptionAsync(async () => await store.DisposeAsync());
        Assert.Throws<ObjectDisposedException>(() => store.OpenPipe());
    }

    [Fact]
    public void NothingCanBeAdvancedBeforeMemoryWasObtained()
    {
        using NinoStore store = Simulated.Open(new SimDirectory());
        Assert.Throws<ArgumentOutOfRangeException>(() => store.OpenPipe().Advance(1));
        Assert.Throws<ArgumentOutOfRangeException>(() => store.OpenPipe().Advance(-1));
        store.OpenPipe().Advance(0);
    }

    private static byte[] Bytes(int size)
    {
        byte[] bytes = new byte[size];
        new Random(size).NextBytes(bytes);
        return bytes;
    }
}
