// A serializer in front of a log that takes bytes, in batches: all objects of one go behind one another into a buffer that is reused, and the log takes them in one call. Compiled for each serializer and type
// with direct calls, as Cell's loops are.

using System.Runtime.CompilerServices;
using FASTER.core;
using Store.Bench.Harness.Stores;
using Store.Bench.Workloads;

namespace Store.Bench.Peers;

/// <summary>Serializes objects into a reused buffer and enqueues them as one batch.</summary>
/// <param name="serializer">Name of the serializer.</param>
public abstract class EnqueueBatch<T>(string serializer)
{
    private readonly SerializedBatch _batch = new();

    public string Serializer { get; } = serializer;

    /// <summary>All of them have to fit on a page of the log.</summary>
    public void Run(FasterLogPeer log, ReadOnlySpan<T> items)
    {
        _batch.Start(items.Length);
        Fill(_batch, items);
        log.AppendBatch(_batch);
    }

    private protected abstract void Fill(SerializedBatch batch, ReadOnlySpan<T> items);
}

/// <summary>Serialized objects side by side. For one thread.</summary>
internal sealed class SerializedBatch : IReadOnlySpanBatch
{
    private int[] _ends = [];
    private int _count;

    public PeerBuffer Buffer { get; } = new();

    /// <summary>Empties it.</summary>
    public void Start(int capacity)
    {
        if (_ends.Length < capacity) _ends = new int[capacity];
        _count = 0;
        Buffer.StartBytes();
    }

    /// <summary>What was written since the last call is one entry.</summary>
    public void End() => _ends[_count++] = Buffer.WrittenBytes.Length;

    public int TotalEntries() => _count;

    public ReadOnlySpan<byte> Get(int index)
    {
        int start = index == 0 ? 0 : _ends[index - 1];
        return Buffer.WrittenBytes[start.._ends[index]];
    }
}

internal sealed class SimpleModelBatch<TPeer>(string serializer) : EnqueueBatch<SimpleModel>(serializer) where TPeer : struct, IAppendingPeer
{
    private protected override void Fill(SerializedBatch batch, ReadOnlySpan<SimpleModel> items) => Batches.Fill<TPeer, SimpleModel>(batch, items);
}

internal sealed class PocoBatch<TPeer>(string serializer) : EnqueueBatch<Poco>(serializer) where TPeer : struct, IAppendingPeer
{
    private protected override void Fill(SerializedBatch batch, ReadOnlySpan<Poco> items) => Batches.Fill<TPeer, Poco>(batch, items);
}

internal sealed class SimpleClassBatch<TPeer>(string serializer) : EnqueueBatch<SimpleClass>(serializer) where TPeer : struct, IAppendingPeer
{
    private protected override void Fill(SerializedBatch batch, ReadOnlySpan<SimpleClass> items) => Batches.Fill<TPeer, SimpleClass>(batch, items);
}

/// <summary>The loop, inlined into the methods above: there the type is exact.</summary>
file static class Batches
{
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static void Fill<TPeer, T>(SerializedBatch batch, ReadOnlySpan<T> items) where TPeer : struct, IAppendingPeer
    {
        foreach (T item in items)
        {
            default(TPeer).Append(batch.Buffer, item);
            batch.End();
        }
    }
}
