// Nino in front of a log that takes bytes: it writes into a buffer of its own.

using System.Runtime.CompilerServices;
using Store.Bench.Harness.Stores;
using Store.Bench.Workloads;

namespace Store.Bench.Peers;

/// <summary>Serializes objects into Nino's buffer and enqueues each.</summary>
/// <typeparam name="TPeer">Nino for <typeparamref name="T"/>.</typeparam>
/// <typeparam name="T">What it serializes.</typeparam>
internal sealed class NinoEnqueueLoop<TPeer, T>() : EnqueueLoop<T>("Nino") where TPeer : struct, IPeer<T>
{
    private readonly PeerBuffer _unused = new();

    public override void Run(FasterLogPeer log, ReadOnlySpan<T> items)
    {
        TPeer peer = default;
        foreach (T item in items)
        {
            peer.Write(_unused, item);
            log.Append(NinoPeer.LastWritten);
        }
    }
}

internal static class NinoEnqueue
{
    [ModuleInitializer]
    internal static void Register()
    {
        EnqueueLoops.Add(new NinoEnqueueLoop<OfSimpleModel<NinoPeer>, SimpleModel>());
        EnqueueLoops.Add(new NinoEnqueueLoop<OfPoco<NinoPeer>, Poco>());
        EnqueueLoops.Add(new NinoEnqueueLoop<OfSimpleClass<NinoPeer>, SimpleClass>());
    }
}
