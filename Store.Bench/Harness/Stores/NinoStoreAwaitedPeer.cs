// NinoStore with its commits awaited: what a server does, whose threads have something else to do meanwhile. It goes to the flusher's thread and back.

namespace Store.Bench.Harness.Stores;

/// <summary>NinoStore by <c>CommitAsync</c>.</summary>
public sealed class NinoStoreAwaitedPeer(string directory) : NinoStorePeer(directory)
{
    public override ValueTask AppendDurableAsync(byte[] record, int count)
    {
        AppendOneOrBatch(record, count);
        return Store.CommitAsync();
    }
}
