using System.Buffers;
using System.IO.Pipelines;
using Store.Serialization;

namespace Store.Tests.Serialization;

/// <summary>What the verbs over streams and pipes say they throw, and what they have read or written by then.</summary>
public sealed class StatedExceptionTests
{
    private static readonly byte[] Record = NinoSerializer.Serialize("a text of more than one piece");

    /// <summary>By the token and by the pipe; typed and not. What has come stays, and is read by the next call.</summary>
    [Theory]
    [InlineData(true, true)]
    [InlineData(true, false)]
    [InlineData(false, true)]
    [InlineData(false, false)]
    public async Task AReadOfAPipeThatIsCancelledConsumesNothing(bool isTyped, bool isByToken)
    {
        using var cancel = new CancellationTokenSource();
        var pipe = new Pipe();
        await pipe.Writer.WriteAsync(Record.AsMemory(0, 2));
        Task<object> read = Read(pipe.Reader, isTyped, cancel.Token);
        await pipe.Writer.WriteAsync(Record.AsMemory(2, 3));
        Assert.False(read.IsCompleted);
        if (isByToken) await cancel.CancelAsync();
        else pipe.Reader.CancelPendingRead();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => read);
        await pipe.Writer.WriteAsync(Record.AsMemory(5));
        await pipe.Writer.CompleteAsync();
        Assert.Equal("a text of more than one piece", await Read(pipe.Reader, isTyped, default));
    }

    /// <summary>Where nothing more comes, too: the next read need not wait for it.</summary>
    [Fact]
    public async Task WhatACancelledReadHasSeenIsThereForTheNextAtOnce()
    {
        var pipe = new Pipe();
        await pipe.Writer.WriteAsync(Record);
        Task<object> read = Read(pipe.Reader, isTyped: true, default);
        pipe.Reader.CancelPendingRead();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => read);
        Assert.True(pipe.Reader.TryRead(out ReadResult rest));
        Assert.Equal(Record, rest.Buffer.ToArray());
    }

    /// <summary>However many pieces have come and were looked at before: a pipe takes no examined byte back.</summary>
    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task ARecordOfAPipeThatIsTooLongOrNoneIsATypedErrorAndStays(bool isTyped)
    {
        foreach (NinoLimits? limits in (NinoLimits?[])[new NinoLimits { MaxRecordBytes = 8 }, null])
        {
            // Too long before its end is there; or no record when it is.
            byte[] bytes = limits is null ? [.. Record, 1] : Record;
            var pipe = new Pipe();
            Task<object> read = Read(pipe.Reader, isTyped, default, limits);
            foreach (byte one in bytes)
            {
                await pipe.Writer.WriteAsync(new[] { one });
                if (read.IsCompleted) break;
            }

            if (limits is null) await pipe.Writer.CompleteAsync();
            await Assert.ThrowsAsync<NinoSerializationException>(() => read);
            if (limits is not null) await pipe.Writer.CompleteAsync();
            ReadResult rest = await pipe.Reader.ReadAsync();
            Assert.True(rest.Buffer.Length >= 9 && bytes.AsSpan().StartsWith(rest.Buffer.ToArray()));
        }
    }

    [Fact]
    public async Task WhatAPipeIsCompletedWithComesThrough()
    {
        var failure = new FormatException("mine");
        foreach (bool isTyped in (bool[])[true, false])
        {
            var read = new Pipe();
            await read.Writer.WriteAsync(Record);
            await read.Writer.CompleteAsync(failure);
            Assert.Same(failure, await Assert.ThrowsAsync<FormatException>(() => Read(read.Reader, isTyped, default)));
        }

        var items = new Pipe();
        await items.Writer.CompleteAsync(failure);
        Assert.Same(failure, await Assert.ThrowsAsync<FormatException>(async () => await NinoSerializer.DeserializeItemsAsync<string>(items.Reader).CountAsync()));
    }

    [Fact]
    public async Task ATokenThatWasCancelledBeforeWritesNothing()
    {
        var cancelled = new CancellationToken(canceled: true);
        var stream = new MemoryStream();
        var pipe = new Pipe();
        Func<Task>[] writes =
        [
            async () => await NinoSerializer.SerializeAsync(stream, "x", cancellationToken: cancelled),
            async () => await NinoSerializer.SerializeAsync(stream, "x", typeof(string), cancellationToken: cancelled),
            async () => await NinoSerializer.SerializeAsync(pipe.Writer, "x", cancellationToken: cancelled),
            async () => await NinoSerializer.SerializeAsync(pipe.Writer, "x", typeof(string), cancellationToken: cancelled),
            async () => await NinoSerializer.SerializeItemsAsync(stream, Items(3), cancellationToken: cancelled),
        ];
        foreach (Func<Task> write in writes) await Assert.ThrowsAnyAsync<OperationCanceledException>(write);
        Assert.Equal(0, stream.Length);
        await pipe.Writer.CompleteAsync();
        Assert.True((await pipe.Reader.ReadAsync()).Buffer.IsEmpty);
    }

    [Fact]
    public async Task AStreamThatFailsOrGivesUpIsToldAsItIs()
    {
        Assert.Throws<IOException>(() => NinoSerializer.Serialize(new FailingStream(new IOException()), "x"));
        Assert.Throws<IOException>(() => NinoSerializer.Serialize(new FailingStream(new IOException()), "x", typeof(string)));
        Assert.Throws<IOException>(() => NinoSerializer.Deserialize<string>(new FailingStream(new IOException())));
        Assert.Throws<IOException>(() => NinoSerializer.Deserialize(typeof(string), new FailingStream(new IOException())));
        foreach (Exception failure in (Exception[])[new IOException(), new OperationCanceledException()])
        {
            Func<Task>[] calls =
            [
                async () => await NinoSerializer.SerializeAsync(new FailingStream(failure), "x"),
                async () => await NinoSerializer.SerializeAsync(new FailingStream(failure), "x", typeof(string)),
                async () => await NinoSerializer.DeserializeAsync<string>(new FailingStream(failure)),
                async () => await NinoSerializer.DeserializeAsync(typeof(string), new FailingStream(failure)),
                async () => await NinoSerializer.DeserializeAsync(new FailingStream(failure), "x"),
                async () => await NinoSerializer.DeserializeAsync(PipeReader.Create(new FailingStream(failure)), "x"),
                async () => await NinoSerializer.SerializeItemsAsync(new FailingStream(failure), Items(3)),
                async () => await NinoSerializer.SerializeItemsAsync(new FailingStream(failure), Items(3), typeof(string)),
                async () => await NinoSerializer.DeserializeItemsAsync<string>(new FailingStream(failure)).CountAsync(),
                async () => await NinoSerializer.DeserializeItemsAsync(typeof(string), new FailingStream(failure)).CountAsync(),
            ];
            foreach (Func<Task> call in calls) Assert.Same(failure, await ExceptionOf(call));
        }

        static async Task<Exception?> ExceptionOf(Func<Task> call) => await Xunit.Record.ExceptionAsync(call);
    }

    /// <summary>Behind the last item that was returned: what comes next is read by the next call of the pipe.</summary>
    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task ItemsThatAreCancelledStandBehindTheLastOne(bool isByToken)
    {
        using var whole = new MemoryStream();
        await NinoSerializer.SerializeItemsAsync(whole, Items(2));
        byte[] bytes = whole.ToArray();
        using var cancel = new CancellationTokenSource();
        var pipe = new Pipe();
        // All but the last two bytes of the second item, and the mark for the end.
        await pipe.Writer.WriteAsync(bytes.AsMemory(0, bytes.Length - 3));
        await using IAsyncEnumerator<string> items = NinoSerializer.DeserializeItemsAsync<string>(pipe.Reader, cancellationToken: cancel.Token).GetAsyncEnumerator();
        Assert.True(await items.MoveNextAsync());
        Assert.Equal("item 0", items.Current);
        Task<bool> next = items.MoveNextAsync().AsTask();
        Assert.False(next.IsCompleted);
        if (isByToken) await cancel.CancelAsync();
        else pipe.Reader.CancelPendingRead();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => next);
        await pipe.Writer.WriteAsync(bytes.AsMemory(bytes.Length - 3));
        await pipe.Writer.CompleteAsync();
        ReadResult rest = await pipe.Reader.ReadAsync();
        Assert.Equal(bytes[^(1 + 1 + NinoSerializer.Serialize("item 1").Length)..], rest.Buffer.ToArray());
    }

    [Fact]
    public async Task AFlushOfItemsThatIsCancelledLeavesOutTheMarkForTheirEnd()
    {
        foreach (bool isTyped in (bool[])[true, false])
        {
            var pipe = new Pipe();
            // The second item is not there yet: the first is flushed meanwhile.
            var second = new TaskCompletionSource();
            pipe.Writer.CancelPendingFlush();
            Task<long> writing = (isTyped ? NinoSerializer.SerializeItemsAsync(pipe.Writer, Slow<string>(second.Task)) : NinoSerializer.SerializeItemsAsync(pipe.Writer, Slow<object>(second.Task), typeof(string))).AsTask();
            second.SetResult();
            await Assert.ThrowsAsync<OperationCanceledException>(() => writing);
            await pipe.Writer.CompleteAsync();
            await Assert.ThrowsAsync<NinoSerializationException>(async () => await NinoSerializer.DeserializeItemsAsync<string>(pipe.Reader).CountAsync());
        }

        static async IAsyncEnumerable<T> Slow<T>(Task second) where T : class
        {
            yield return (T)(object)"one";
            await second;
            yield return (T)(object)"two";
        }
    }

    private static async Task<object> Read(PipeReader reader, bool isTyped, CancellationToken cancellationToken, NinoLimits? limits = null) =>
        isTyped ? await NinoSerializer.DeserializeAsync<string>(reader, limits: limits, cancellationToken: cancellationToken) : await NinoSerializer.DeserializeAsync(typeof(string), reader, limits: limits, cancellationToken: cancellationToken);

    private static async IAsyncEnumerable<string> Items(int count)
    {
        await Task.CompletedTask;
        for (int i = 0; i < count; i++) yield return $"item {i}";
    }

    private sealed class FailingStream(Exception failure) : Stream
    {
        public override bool CanRead => true;

        public override bool CanSeek => false;

        public override bool CanWrite => true;

        public override long Length => throw new NotSupportedException();

        public override long Position { get => throw new NotSupportedException(); set => throw new NotSupportedException(); }

        public override int Read(byte[] buffer, int offset, int count) => throw failure;

        public override void Write(byte[] buffer, int offset, int count) => throw failure;

        public override ValueTask<int> ReadAsync(Memory<byte> buffer, CancellationToken cancellationToken = default) => ValueTask.FromException<int>(failure);

        public override ValueTask WriteAsync(ReadOnlyMemory<byte> buffer, CancellationToken cancellationToken = default) => ValueTask.FromException(failure);

        public override void Flush() { }

        public override long Seek(long offset, SeekOrigin origin) => throw new NotSupportedException();

        public override void SetLength(long value) => throw new NotSupportedException();
    }
}
