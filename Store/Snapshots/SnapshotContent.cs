// What goes into a part of a snapshot? One value, a value that was serialized before, or a stream of items of any number.

using System.Buffers;
using Store.Serialization;

namespace Store.Snapshots;

/// <summary>How far the writing of a snapshot is.</summary>
/// <param name="Part">Name of the part being written; empty for the only part of a state's snapshot.</param>
/// <param name="Items">Items of the part written so far; 0 for a part that is one value.</param>
/// <param name="LengthBytes">Bytes of the part written so far.</param>
public readonly record struct SnapshotProgress(string Part, long Items, long LengthBytes);

/// <summary>A part to be written: its description and the bytes of its data section.</summary>
internal abstract class SnapshotContent(string name, NinoSchema schema)
{
    public string Name { get; } = name;

    public NinoSchema Schema { get; } = schema;

    /// <summary>True for a stream of items.</summary>
    public virtual bool HasItems => false;

    /// <summary>The item index after <see cref="WriteAsync"/>, or null for a part that is one value.</summary>
    public virtual ReadOnlyMemory<byte>? Index => null;

    /// <summary>Items written so far.</summary>
    public virtual long Items => 0;

    /// <summary>Of an open state what it holds of its events (<see cref="SnapshotEvents"/>); else null.</summary>
    public ReadOnlyMemory<byte>? Events { get; set; }

    /// <summary>Cancelled when the store begins to close: items that do not come are not waited for then.</summary>
    public CancellationToken Closing { get; set; }

    /// <summary>Why a snapshot of this type that is there cannot be read as the type it has now; null when it can. Verifies and decodes all of a part that is one value; of items, looks at their schema.</summary>
    public abstract SnapshotFailure? FindRefusal(SnapshotFile file);

    /// <summary>Writes the data section; the caller flushes. Completes on return, unless there are items to wait for.</summary>
    public abstract ValueTask WriteAsync(SnapshotOutput output, NinoLimits limits, CancellationToken cancellationToken);

    /// <summary>Writes a value's bytes.</summary>
    /// <param name="output">Where to.</param>
    /// <param name="codec">Its codec.</param>
    /// <param name="value">The value.</param>
    /// <param name="limits">How large it may be.</param>
    /// <param name="item">Its number where it is an item, for messages.</param>
    /// <exception cref="NinoSerializationException">It has no encoding, or is too large.</exception>
    internal static void Write<T>(IBufferWriter<byte> output, NinoCodec<T> codec, in T value, NinoLimits limits, long item = -1)
    {
        long written;
        try
        {
            var writer = new NinoWriter(output, limits);
            codec.WriteRecord(ref writer, in value);
            writer.Flush();
            written = writer.BytesWritten;
        }
        catch (NinoSerializationException e) when (e.IsTooLarge)
        {
            throw TooLarge(codec.Schema, limits, item, e);
        }
        catch (NinoSerializationException e) when (item >= 0)
        {
            throw new NinoSerializationException($"Item {item}: {e.Message}", e) { TypeName = e.TypeName, MemberPath = e.MemberPath };
        }

        // The writer checks its limit when a span is full, so a value can end just above it; such a one could not be read back.
        if (written > limits.MaxRecordBytes) throw TooLarge(codec.Schema, limits, item, null);
    }

    private protected static NinoSerializationException TooLarge(NinoSchema schema, NinoLimits limits, long item, Exception? cause) =>
        new($"{(item < 0 ? "The state" : $"Item {item}")} of type '{schema.Name}' is larger than {limits.MaxRecordBytes} bytes, the most that one value of a snapshot may have. Split it into parts and items: NinoStore.{nameof(NinoStore.CheckpointPartsAsync)}, {nameof(SnapshotParts)}.{nameof(SnapshotParts.AddItems)}.", cause) { TypeName = schema.Name };
}

/// <summary>One value.</summary>
internal sealed class SnapshotState<T>(string name, NinoCodec<T> codec, T state) : SnapshotContent(name, codec.Schema)
{
    public override SnapshotFailure? FindRefusal(SnapshotFile file) => SnapshotReader.FindRefusal(file, codec);

    public override ValueTask WriteAsync(SnapshotOutput output, NinoLimits limits, CancellationToken cancellationToken)
    {
        Write(output, codec, in state, limits);
        return default;
    }
}

/// <summary>One value, serialized while nobody could change it. The image stays its owner's.</summary>
internal sealed class SnapshotImage<T>(string name, NinoCodec<T> codec, StateImage image) : SnapshotContent(name, codec.Schema)
{
    public override SnapshotFailure? FindRefusal(SnapshotFile file) => SnapshotReader.FindRefusal(file, codec);

    public override ValueTask WriteAsync(SnapshotOutput output, NinoLimits limits, CancellationToken cancellationToken)
    {
        if (image.LengthBytes > limits.MaxRecordBytes) throw TooLarge(Schema, limits, -1, null);
        image.CopyTo(output);
        return default;
    }
}

/// <summary>A stream of items: enumerated once, while it is written. Memory: 16 bytes for each 64 KiB written, and one block's directory.</summary>
internal abstract class SnapshotItems<T>(string name, NinoCodec<T> codec) : SnapshotContent(name, codec.Schema)
{
    private readonly SnapshotItemIndexBuilder _index = new();

    public override bool HasItems => true;

    public override SnapshotFailure? FindRefusal(SnapshotFile file) => SnapshotReader.FindMismatch(file, file.FirstPart, codec);

    public override ReadOnlyMemory<byte>? Index => _index.Finish();

    public override long Items => _index.Count;

    private protected void WriteItem(SnapshotOutput output, NinoLimits limits, in T item)
    {
        Write(output, codec, in item, limits, _index.Count);
        _index.Add(output, output.LengthBytes);
    }

    private protected void WriteEnd(SnapshotOutput output) => _index.CloseBlock(output);
}

/// <summary>Items that are there when they are asked for.</summary>
internal sealed class SnapshotItemStream<T>(string name, NinoCodec<T> codec, IEnumerable<T> items) : SnapshotItems<T>(name, codec)
{
    public override ValueTask WriteAsync(SnapshotOutput output, NinoLimits limits, CancellationToken cancellationToken)
    {
        foreach (T item in items)
        {
            cancellationToken.ThrowIfCancellationRequested();
            WriteItem(output, limits, in item);
        }

        WriteEnd(output);
        return default;
    }
}

/// <summary>
/// Items that have to be waited for: no thread waits meanwhile. Cancelling ends the wait also where who gives the items does not look at the token: the stream is left to itself then, and disposed when its answer comes after all.
/// </summary>
internal sealed class SnapshotAsyncItemStream<T>(string name, NinoCodec<T> codec, IAsyncEnumerable<T> items) : SnapshotItems<T>(name, codec)
{
    /// <summary>So long each item may take when the store is being closed.</summary>
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(5);

    public override async ValueTask WriteAsync(SnapshotOutput output, NinoLimits limits, CancellationToken cancellationToken)
    {
        IAsyncEnumerator<T> stream = items.GetAsyncEnumerator(cancellationToken);
        Task<bool>? pending = null;
        try
        {
            for (; ; )
            {
                ValueTask<bool> next = stream.MoveNextAsync();
                if (!next.IsCompleted)
                {
                    pending = next.AsTask();
                    next = new(await WaitAsync(pending, cancellationToken).ConfigureAwait(false));
                    pending = null;
                }

                if (!await next.ConfigureAwait(false)) break;
                cancellationToken.ThrowIfCancellationRequested();
                WriteItem(output, limits, stream.Current);
            }

            WriteEnd(output);
        }
        finally
        {
            // Whoever is asked for an item must not be disposed: it is not ours to wait for any more.
            if (pending is { IsCompleted: false }) _ = DisposeLaterAsync(stream, pending);
            else await stream.DisposeAsync().ConfigureAwait(false);
        }
    }

    private async Task<bool> WaitAsync(Task<bool> pending, CancellationToken cancellationToken)
    {
        using var over = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken);
        using CancellationTokenRegistration closing = Closing.UnsafeRegister(static over => ((CancellationTokenSource)over!).CancelAfter(Patience), over);
        try
        {
            return await pending.WaitAsync(over.Token).ConfigureAwait(false);
        }
        catch (OperationCanceledException) when (over.IsCancellationRequested && !pending.IsCompleted)
        {
            cancellationToken.ThrowIfCancellationRequested();
            throw new ObjectDisposedException(nameof(NinoStore), $"The store is being closed, and item {Items} of the part '{Name}' of a checkpoint did not come within {Patience.TotalSeconds:N0} seconds. There is no snapshot of it; those before it stay.");
        }
    }

    private static async Task DisposeLaterAsync(IAsyncEnumerator<T> stream, Task pending)
    {
        // How it ends is nobody's to know: the checkpoint was cancelled, and its caller was told so.
        await pending.ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing | ConfigureAwaitOptions.ContinueOnCapturedContext);
        await stream.DisposeAsync().ConfigureAwait(false);
    }
}
