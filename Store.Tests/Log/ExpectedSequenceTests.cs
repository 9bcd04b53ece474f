using Store.Tests.Simulation;

namespace Store.Tests.Log;

/// <summary>Can two writers that decide on what they read overwrite each other's decision?</summary>
public class ExpectedSequenceTests
{
    [Fact]
    public async Task ARecordThatGetsItsExpectedSequenceIsAppended()
    {
        var directory = new SimDirectory();
        using (NinoStore store = Simulated.Open(directory))
        {
            Assert.Equal(1, store.Append("a", expectedSequence: 1));
            Assert.Equal(2, await store.AppendAsync("b", expectedSequence: 2));
            Assert.Equal(2, store.DurableSequence);
            Assert.Equal(3, store.AppendBatch<string>(["c", "d"], expectedSequence: 3));
            Assert.Equal(5, store.AppendBatch(new List<string> { "e", "f" }, expectedSequence: 5));
            Assert.Equal(7, await store.AppendBatchAsync<string>(["g"], expectedSequence: 7));
            Assert.Equal(7, store.DurableSequence);
            Assert.Equal(8, await store.AppendBatchAsync(new List<string> { "h", "i" }, expectedSequence: 8));
            Assert.Equal(9, store.DurableSequence);
            LogRecord stored = store.ReadRecords(9).Single();
            Assert.Equal(10, store.AppendRecord(stored.Schema, stored.Payload.Span, expectedSequence: 10));
        }

        using NinoStore again = Simulated.Open(directory);
        Assert.Equal(["a", "b", "c", "d", "e", "f", "g", "h", "i", "i"], again.Read<string>().Select(static r => r.Value));
    }

    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(4)]
    [InlineData(long.MaxValue)]
    public async Task OneThatWouldGetAnotherIsRefusedAndNothingIsAppended(long expected)
    {
        using NinoStore store = Simulated.Open(new SimDirectory());
        store.AppendBatch<string>(["a", "b"]);
        foreach (SequenceConflictException e in new[]
        {
            Assert.Throws<SequenceConflictException>(() => store.Append("x", expected)),
            Assert.Throws<SequenceConflictException>(() => store.AppendBatch<string>(["x", "y"], expected)),
            Assert.Throws<SequenceConflictException>(() => store.AppendBatch<string>([], expected)),
            Assert.Throws<SequenceConflictException>(() => store.AppendBatch(new List<string> { "x" }, expected)),
            Assert.Throws<SequenceConflictException>(() => store.AppendRecord(Store.Serialization.NinoCodec<string>.Default.Schema, [1, (byte)'x'], expected)),
            await Assert.ThrowsAsync<SequenceConflictException>(async () => await store.AppendBatchAsync<string>(["x", "y"], expected)),
            await Assert.ThrowsAsync<SequenceConflictException>(async () => await store.AppendBatchAsync(new List<string> { "x" }, expected)),
            await Assert.ThrowsAsync<SequenceConflictException>(async () => await store.AppendAsync("x", expected)),
        })
        {
            Assert.Equal((expected, 3L), (e.ExpectedSequence, e.NextSequence));
            Assert.Contains($"sequence {expected}, but the next one is 3", e.Message);
        }

        Assert.Equal(2, store.LastSequence);
        Assert.Equal(3, store.Append("c", expectedSequence: 3));
    }

    [Theory]
    [InlineData(0)]
    [InlineData(-1)]
    public void SequencesBeginAtOne(long expected)
    {
        using NinoStore store = Simulated.Open(new SimDirectory());
        Assert.Throws<ArgumentOutOfRangeException>(() => store.Append("x", expected));
        Assert.Throws<ArgumentOutOfRangeException>(() => store.AppendBatch<string>(["x"], expected));
        Assert.Throws<ArgumentOutOfRangeException>(() => { _ = store.AppendAsync("x", expected); });
        Assert.Throws<ArgumentOutOfRangeException>(() => store.AppendBatch(new List<string> { "x" }, expected));
        Assert.Throws<ArgumentOutOfRangeException>(() => store.AppendRecord(Store.Serialization.NinoCodec<string>.Default.Schema, [1], expected));
        Assert.Throws<ArgumentOutOfRangeException>(() => { _ = store.AppendBatchAsync<string>(["x"], expected); });
        Assert.Throws<ArgumentOutOfRangeException>(() => { _ = store.AppendBatchAsync(new List<string> { "x" }, expected); });
        Assert.Equal(0, store.LastSequence);
    }

    [Fact]
    public async Task ABatchWithoutExpectationCompletesWhenItIsDurable()
    {
        var directory = new SimDirectory();
        NinoStore store = Simulated.Open(directory);
        Assert.Equal(1, await store.AppendBatchAsync<int>([1, 2, 3]));
        Assert.Equal(4, await store.AppendBatchAsync(new List<int> { 4, 5 }));
        Assert.Equal(6, await store.AppendBatchAsync<int>([]));

        foreach (SimDirectory after in directory.CrashStates(limit: 10, seed: 1))
        {
            using NinoStore again = Simulated.Open(after, seed: 2);
            Assert.Equal([1, 2, 3, 4, 5], again.Read<int>().Select(static r => r.Value));
        }

        using var stop = new CancellationTokenSource();
        stop.Cancel();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(async () => await store.AppendBatchAsync<int>([7], stop.Token));
        Assert.Equal(5, store.LastSequence);
    }

    /// <summary>Four writers keep a running number through read, decide, append: the sum is right only if no decision rests on an old state.</summary>
    [Fact]
    public async Task WritersThatRetryNeverLoseAnUpdate()
    {
        const int Writers = 4, Each = 300;
        using NinoStore store = Simulated.Open(new SimDirectory(), change: static o => o with { RunsInline = false });
        int conflicts = 0, arrived = 0;
        var all = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        await Task.WhenAll(Enumerable.Range(0, Writers).Select(_ => Task.Run(async () =>
        {
            for (int done = 0; done < Each;)
            {
                long last = store.LastSequence;
                long value = last == 0 ? 0 : store.Read<long>(last).First().Value;

                // The first decision of all four rests on the same state: one is right.
                if (done == 0 && Interlocked.Increment(ref arrived) >= Writers) all.TrySetResult();
                await all.Task;
                try
                {
                    if (done % 50 == 0) await store.AppendAsync(value + 1, last + 1);
                    else store.Append(value + 1, last + 1);
                    done++;
                }
                catch (SequenceConflictException)
                {
                    Interlocked.Increment(ref conflicts);
                }
            }
        })));
        Assert.True(conflicts >= Writers - 1, $"{conflicts} conflicts");
        Assert.Equal(Writers * Each, store.LastSequence);
        Assert.Equal(Enumerable.Range(1, Writers * Each).Select(static i => (long)i), store.Read<long>().Select(static r => r.Value));
    }
}
