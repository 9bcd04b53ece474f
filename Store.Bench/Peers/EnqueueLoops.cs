// A serializer in front of a log that takes bytes: the loop that people write, compiled for each serializer and type with direct calls, as Cell's loops are.

using Store.Bench.Harness.Stores;
using Store.Bench.Workloads;

namespace Store.Bench.Peers;

/// <summary>Serializes objects into a reused buffer and enqueues each.</summary>
/// <param name="serializer">Name of the serializer.</param>
public abstract class EnqueueLoop<T>(string serializer)
{
    public string Serializer { get; } = serializer;

    public abstract void Run(FasterLogPeer log, ReadOnlySpan<T> items);
}

/// <summary>Of a serializer that writes into the usual buffer.</summary>
/// <typeparam name="TPeer">The serializer for <typeparamref name="T"/>.</typeparam>
/// <typeparam name="T">What it serializes.</typeparam>
internal sealed class BufferedEnqueueLoop<TPeer, T>(string serializer) : EnqueueLoop<T>(serializer) where TPeer : struct, IPeer<T>
{
    private readonly PeerBuffer _buffer = new();

    public override void Run(FasterLogPeer log, ReadOnlySpan<T> items)
    {
        TPeer peer = default;
        PeerBuffer buffer = _buffer;
        foreach (T item in items)
        {
            peer.Write(buffer, item);
            log.Append(buffer.WrittenBytes);
        }
    }
}

/// <summary>The loops of this build.</summary>
internal static class EnqueueLoops
{
    /// <summary>Names of the serializers that every build has.</summary>
    public const string NinoStore = "NinoStore serializer", Json = "System.Text.Json";

    private static readonly List<object> Loops = [];

    static EnqueueLoops()
    {
        AddShapes<NinoSerializerPeer>(NinoStore);
        AddShapes<SystemTextJsonPeer>(Json);
    }

    /// <summary>All serializers for a type, record by record.</summary>
    public static IEnumerable<EnqueueLoop<T>> Of<T>() => Loops.OfType<EnqueueLoop<T>>();

    /// <summary>Those that write batches.</summary>
    public static IEnumerable<EnqueueBatch<T>> BatchesOf<T>() => Loops.OfType<EnqueueBatch<T>>();

    /// <summary>Adds a serializer that writes into the usual buffer, for the types of the typed rows.</summary>
    public static void AddShapes<TPeer>(string serializer) where TPeer : struct, IAppendingPeer
    {
        Add(new BufferedEnqueueLoop<OfSimpleModel<TPeer>, SimpleModel>(serializer));
        Add(new BufferedEnqueueLoop<OfPoco<TPeer>, Poco>(serializer));
        Add(new BufferedEnqueueLoop<OfSimpleClass<TPeer>, SimpleClass>(serializer));
        Loops.Add(new SimpleModelBatch<TPeer>(serializer));
        Loops.Add(new PocoBatch<TPeer>(serializer));
        Loops.Add(new SimpleClassBatch<TPeer>(serializer));
    }

    /// <summary>Adds one loop.</summary>
    public static void Add<T>(EnqueueLoop<T> loop) => Loops.Add(loop);
}
