using System.Buffers;
using System.IO.Pipelines;
using System.Runtime.CompilerServices;
using Store.Serialization;
using Store.Tests.Evolution;

namespace Store.Tests.Serialization;

/// <summary>Streams of items: docs/formats/items.md. Damaged ones: <see cref="ItemDamageTests"/>.</summary>
public class ItemStreamTests
{
    [Fact]
    public async Task TheExampleOfThePageIsWrittenAndRead()
    {
        byte[] page = Repository.HexBytes("docs/formats/items.md", "## Example");
        Assert.Equal(Convert.ToHexString(page), Convert.ToHexString(await Write([5, -1])));
        Assert.Equal([5, -1], await Read<int>(new MemoryStream(page)));
    }

    [Theory]
    [InlineData(1)]
    [InlineData(7)]
    [InlineData(1 << 20)]
    public async Task ItemsComeOutAsTheyWentInHoweverTheStreamIsCut(int bytesAtATime)
    {
        string[] items = [.. Enumerable.Range(0, 300).Select(i => new string((char)('a' + (i % 26)), i))];
        byte[] bytes = await Write(items);
        Assert.Equal(items, await Read<string>(new TrickleStream(new MemoryStream(bytes), bytesAtATime)));
        Assert.Empty(await Read<string>(new MemoryStream(await Write(Array.Empty<string>()))));
    }

    [Fact]
    public async Task APipeHoldsABoundedPartAtATime()
    {
        var pipe = new Pipe(new PipeOptions(pauseWriterThreshold: 4096, resumeWriterThreshold: 2048));
        long given = 0;
        async IAsyncEnumerable<byte[]> Source()
        {
            for (int i = 0; i < 2000; i++)
            {
                given++;
                yield return new byte[1000];
                if (i % 100 == 0) await Task.Yield();
            }
        }

        Task<long> writing = NinoSerializer.SerializeItemsAsync(pipe.Writer, Source()).AsTask();
        long read = 0;
        await foreach (byte[] item in NinoSerializer.DeserializeItemsAsync<byte[]>(pipe.Reader))
        {
            Assert.Equal(1000, item.Length);
            read++;
            Assert.True(given - read < 400, $"{given} given, {read} read");
        }

        Assert.Equal((2000, 2000), (await writing, read));
    }

    [Fact]
    public async Task AnItemLargerThanThePipeGetsThrough()
    {
        var pipe = new Pipe(new PipeOptions(pauseWriterThreshold: 4096, resumeWriterThreshold: 2048));
        Task<long> writing = NinoSerializer.SerializeItemsAsync(pipe.Writer, Each([new string('x', 500_000), "y"])).AsTask();
        var read = new List<string>();
        await foreach (string item in NinoSerializer.DeserializeItemsAsync<string>(pipe.Reader)) read.Add(item);
        Assert.Equal([500_000, 1], read.Select(static item => item.Length));
        Assert.Equal(2, await writing);
    }

    [Fact]
    public async Task AReaderSeesAnItemBeforeASlowSourceHasTheNext()
    {
        var pipe = new Pipe();
        var more = new TaskCompletionSource();
        async IAsyncEnumerable<int> Source()
        {
            yield return 1;
            await more.Task;
            yield return 2;
        }

        Task<long> writing = NinoSerializer.SerializeItemsAsync(pipe.Writer, Source()).AsTask();
        await using IAsyncEnumerator<int> items = NinoSerializer.DeserializeItemsAsync<int>(pipe.Reader).GetAsyncEnumerator();
        Assert.True(await items.MoveNextAsync());
        Assert.False(writing.IsCompleted);
        more.SetResult();
        Assert.True(await items.MoveNextAsync());
        Assert.False(await items.MoveNextAsync());
        Assert.Equal(2, await writing);
    }

    [Fact]
    public async Task ItemsOfAnOlderShapeAreReadIntoTheNewOne()
    {
        byte[] bytes = await Write([new Before.Line("a", 1, 1m), new Before.Line("b", 2, 1m)]);
        Assert.Equal([new After.Line(1, "a"), new After.Line(2, "b")], await Read<After.Line>(new MemoryStream(bytes)));
        byte[] small = await Write([new Before.Small(1, "a")]);
        await Assert.ThrowsAsync<NinoSchemaMismatchException>(() => Read<After.Retyped>(new MemoryStream(small)));
    }

    [Fact]
    public async Task AfterTheLastItemThePipeStandsBehindItAndAfterAStopBehindTheItemInHand()
    {
        var pipe = new Pipe();
        await NinoSerializer.SerializeItemsAsync(pipe.Writer, Each([1, 2, 3]));
        await pipe.Writer.WriteAsync(new byte[] { 42 });
        await foreach (int item in NinoSerializer.DeserializeItemsAsync<int>(pipe.Reader)) Assert.InRange(item, 1, 3);
        ReadResult rest = await pipe.Reader.ReadAsync();
        Assert.Equal(42, rest.Buffer.FirstSpan[0]);
        pipe.Reader.AdvanceTo(rest.Buffer.End);

        await NinoSerializer.SerializeItemsAsync(pipe.Writer, Each([1, 2]));
        await foreach (int item in NinoSerializer.DeserializeItemsAsync<int>(pipe.Reader)) break;
        rest = await pipe.Reader.ReadAsync();
        Assert.Equal(new byte[] { 5, 2, 0, 0, 0, 0 }, rest.Buffer.Slice(0, 6).ToArray());
    }

    [Fact]
    public async Task CancellingStopsBothDirections()
    {
        using var cancel = new CancellationTokenSource();
        var pipe = new Pipe();
        async IAsyncEnumerable<int> Endless([EnumeratorCancellation] CancellationToken cancellation = default)
        {
            for (int i = 0; ; i++)
            {
                yield return i;
                await Task.Delay(1, cancellation);
            }
        }

        Task writing = NinoSerializer.SerializeItemsAsync(pipe.Writer, Endless(), cancellationToken: cancel.Token).AsTask();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(async () =>
        {
            await foreach (int item in NinoSerializer.DeserializeItemsAsync<int>(pipe.Reader, cancellationToken: cancel.Token))
            {
                if (item == 3) await cancel.CancelAsync();
            }
        });
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => writing);
    }

    [Fact]
    public async Task AReaderThatIsGoneIsToldToTheWriterWhileThereAreItemsToWrite()
    {
        var pipe = new Pipe(new PipeOptions(pauseWriterThreshold: 0));
        await pipe.Reader.CompleteAsync();
        await Assert.ThrowsAsync<IOException>(async () => await NinoSerializer.SerializeItemsAsync(pipe.Writer, Each(Enumerable.Repeat(new byte[1000], 100).ToArray())));

        // The second item is not there yet when the first is written.
        var second = new TaskCompletionSource();
        Task<long> writing = NinoSerializer.SerializeItemsAsync(pipe.Writer, Slow()).AsTask();
        second.SetResult();
        await Assert.ThrowsAsync<IOException>(() => writing);

        async IAsyncEnumerable<int> Slow()
        {
            yield return 1;
            await second.Task;
            yield return 2;
        }
    }

    /// <summary>It has all of them, and the writer waits in its last flush until it has taken them or gone.</summary>
    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task AReaderThatHasReadTheEndMayGoBeforeTheWriterIsOutOfItsLastFlush(bool isInline)
    {
        for (int run = 0; run < 20; run++)
        {
            PipeScheduler scheduler = isInline ? PipeScheduler.Inline : PipeScheduler.ThreadPool;
            var pipe = new Pipe(new PipeOptions(readerScheduler: scheduler, writerScheduler: scheduler, pauseWriterThreshold: 4096, resumeWriterThreshold: 2048, useSynchronizationContext: false));
            byte[][] items = [.. Enumerable.Repeat(new byte[3000], 20 + run)];
            Task<int> reading = isInline ? ReadAndGo(pipe.Reader) : Task.Run(() => ReadAndGo(pipe.Reader));
            long written = await NinoSerializer.SerializeItemsAsync(pipe.Writer, Each(items));
            Assert.Equal((20 + run, 20 + run), (written, await reading));
        }

        static async Task<int> ReadAndGo(PipeReader reader)
        {
            int read = 0;
            await foreach (byte[] item in NinoSerializer.DeserializeItemsAsync<byte[]>(reader).ConfigureAwait(false)) read++;
            await reader.CompleteAsync();
            return read;
        }
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task WhoeverCompletesThePipeAndStopsKeepsHisOwnException(bool isStream)
    {
        var pipe = new Pipe();
        await pipe.Writer.WriteAsync(await Write([1, 2, 3]));
        PipeReader reader = isStream ? PipeReader.Create(pipe.Reader.AsStream()) : pipe.Reader;
        await Assert.ThrowsAsync<TimeZoneNotFoundException>(async () =>
        {
            await foreach (int item in NinoSerializer.DeserializeItemsAsync<int>(reader))
            {
                await reader.CompleteAsync();
                throw new TimeZoneNotFoundException($"{item}");
            }
        });
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task WhoeverCompletesThePipeMayBreakOff(bool isStream)
    {
        var pipe = new Pipe();
        await pipe.Writer.WriteAsync(await Write([1, 2, 3]));
        PipeReader reader = isStream ? PipeReader.Create(pipe.Reader.AsStream()) : pipe.Reader;
        List<int> read = [];
        await foreach (int item in NinoSerializer.DeserializeItemsAsync<int>(reader))
        {
            read.Add(item);
            await reader.CompleteAsync();
            break;
        }

        Assert.Equal([1], read);
    }

    [Fact]
    public async Task AReadThatThePipeIsToldToCancelIsCancelledAndTheBytesStay()
    {
        var pipe = new Pipe();
        byte[] bytes = await Write([1, 2, 3]);
        await pipe.Writer.WriteAsync(bytes.AsMemory(0, 3));
        await using (IAsyncEnumerator<int> items = NinoSerializer.DeserializeItemsAsync<int>(pipe.Reader).GetAsyncEnumerator())
        {
            ValueTask<bool> next = items.MoveNextAsync();
            pipe.Reader.CancelPendingRead();
            await Assert.ThrowsAsync<OperationCanceledException>(async () => await next);
        }

        await pipe.Writer.WriteAsync(bytes.AsMemory(3));
        List<int> read = [];
        await foreach (int item in NinoSerializer.DeserializeItemsAsync<int>(pipe.Reader)) read.Add(item);
        Assert.Equal([1, 2, 3], read);
    }

    [Fact]
    public async Task APipeThatCannotTakeTheRestBackIsToldToWhomBreaksOff()
    {
        var pipe = new Pipe();
        await pipe.Writer.WriteAsync(await Write([1, 2, 3]));
        await Assert.ThrowsAsync<IOException>(async () =>
        {
            await foreach (int _ in NinoSerializer.DeserializeItemsAsync<int>(new Unreturnable(pipe.Reader))) break;
        });
    }

    /// <summary>Takes nothing back.</summary>
    private sealed class Unreturnable(PipeReader inner) : PipeReader
    {
        public override void AdvanceTo(SequencePosition consumed) => throw new IOException("It is gone.");

        public override void AdvanceTo(SequencePosition consumed, SequencePosition examined) => throw new IOException("It is gone.");

        public override void CancelPendingRead() => inner.CancelPendingRead();

        public override void Complete(Exception? exception = null) => inner.Complete(exception);

        public override ValueTask<ReadResult> ReadAsync(CancellationToken cancellationToken = default) => inner.ReadAsync(cancellationToken);

        public override bool TryRead(out ReadResult result) => inner.TryRead(out result);
    }

    [Fact]
    public async Task AnItemWithoutAnEncodingLeavesNoPartOfItself()
    {
        var pipe = new Pipe();
        await Assert.ThrowsAsync<ArgumentNullException>(async () => await NinoSerializer.SerializeItemsAsync(pipe.Writer, Each(["one", null!])));
        await pipe.Writer.CompleteAsync();
        var read = new List<string>();
        await Assert.ThrowsAsync<NinoSerializationException>(async () =>
        {
            await foreach (string item in NinoSerializer.DeserializeItemsAsync<string>(pipe.Reader)) read.Add(item);
        });
        Assert.Equal(["one"], read);
    }

    internal static async Task<byte[]> Write<T>(T[] items)
    {
        var stream = new MemoryStream();
        Assert.Equal(items.Length, await NinoSerializer.SerializeItemsAsync(stream, Each(items)));
        return stream.ToArray();
    }

    private static async Task<List<T>> Read<T>(Stream stream)
    {
        var items = new List<T>();
        await foreach (T item in NinoSerializer.DeserializeItemsAsync<T>(stream)) items.Add(item);
        return items;
    }

    private static async IAsyncEnumerable<T> Each<T>(T[] items)
    {
        foreach (T item in items)
        {
            if (item is int and > 2) await Task.Yield();
            yield return item;
        }
    }
}
