// Items from an IAsyncEnumerable to a pipe: one item in memory at a time, flushed by size and whenever the source has nothing at hand.

using System.IO.Pipelines;

namespace Store.Serialization.Streaming;

internal static class ItemWriter
{
    private const long FlushBytes = 64 << 10;

    private static readonly NinoLimits s_anySize = new() { MaxRecordBytes = int.MaxValue };

    public static async ValueTask<long> WriteAsync<T, TCodec>(PipeWriter output, IAsyncEnumerable<T> items, TCodec codec, NinoLimits? limits, CancellationToken cancellationToken) where TCodec : struct, IItemCodec<T>
    {
        long count = 0, unflushed = WriteHeader(output, codec.Schema);
        IAsyncEnumerator<T> source = items.GetAsyncEnumerator(cancellationToken);
        await using (source.ConfigureAwait(false))
        {
            while (true)
            {
                cancellationToken.ThrowIfCancellationRequested();
                ValueTask<bool> next = source.MoveNextAsync();
                if (!next.IsCompleted && unflushed > 0)
                {
                    // A reader that waits for a slow source gets what there is. The step under way is awaited even if flushing fails: it must not be left behind.
                    Task<bool> step = next.AsTask();
                    try
                    {
                        await FlushAsync(output, cancellationToken).ConfigureAwait(false);
                    }
                    catch
                    {
                        await ((Task)step).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
                        throw;
                    }

                    unflushed = 0;
                    next = new ValueTask<bool>(step);
                }

                if (!await next.ConfigureAwait(false)) break;
                T item = source.Current;
                try
                {
                    unflushed += WriteItem<T, TCodec>(output, codec, in item, limits, count);
                }
                catch (ArgumentNullException) when (item is null)
                {
                    throw new ArgumentNullException(nameof(items), $"Item {count} is null, which is no record.");
                }

                count++;
                if (unflushed < FlushBytes) continue;
                await FlushAsync(output, cancellationToken).ConfigureAwait(false);
                unflushed = 0;
            }
        }

        WriteEnd(output);
        await Pipes.FlushLastAsync(output, cancellationToken).ConfigureAwait(false);
        return count;
    }

    /// <summary>As the other, to a stream, which stays open. What was not flushed when something fails is thrown away.</summary>
    public static async ValueTask<long> WriteAsync<T, TCodec>(Stream output, IAsyncEnumerable<T> items, TCodec codec, NinoLimits? limits, CancellationToken cancellationToken) where TCodec : struct, IItemCodec<T>
    {
        PipeWriter pipe = PipeWriter.Create(output, new StreamPipeWriterOptions(leaveOpen: true));
        Exception? failure = null;
        try
        {
            return await WriteAsync(pipe, items, codec, limits, cancellationToken).ConfigureAwait(false);
        }
        catch (Exception error)
        {
            failure = error;
            throw;
        }
        finally
        {
            await pipe.CompleteAsync(failure).ConfigureAwait(false);
        }
    }

    private static long WriteHeader(PipeWriter output, NinoSchema schema)
    {
        var writer = new NinoWriter(output);
        writer.WriteBytes(ItemFormat.Magic);
        writer.Take(1) = ItemFormat.Version;
        RecordHeader.WriteSchema(ref writer, schema);
        writer.Flush();
        return writer.BytesWritten;
    }

    // By way of a buffer: the length stands in front, and an item that fails leaves nothing in the pipe.
    private static long WriteItem<T, TCodec>(PipeWriter output, TCodec codec, in T item, NinoLimits? limits, long index) where TCodec : struct, IItemCodec<T>
    {
        ContiguousBuffer buffer = ContiguousBuffer.Rent();
        try
        {
            codec.Encode(buffer, in item, limits);
            // Its size was checked when it was encoded, by the caller's limits.
            var writer = new NinoWriter(output, s_anySize);
            writer.WriteCompact((uint)buffer.Written.Length + 1);
            writer.WriteBytes(buffer.Written);
            writer.Flush();
            return writer.BytesWritten;
        }
        catch (NinoSerializationException error)
        {
            throw new NinoSerializationException($"Item {index}: {error.Message}", error.InnerException ?? error) { TypeName = error.TypeName, MemberPath = error.MemberPath };
        }
        finally
        {
            buffer.Return();
        }
    }

    private static void WriteEnd(PipeWriter output)
    {
        output.GetSpan(1)[0] = 0;
        output.Advance(1);
    }

    private static ValueTask FlushAsync(PipeWriter output, CancellationToken cancellationToken) => Pipes.FlushAsync(output, "all items were", cancellationToken);
}
