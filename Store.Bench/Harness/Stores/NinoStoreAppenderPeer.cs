// NinoStore by its way in for one thread.

namespace Store.Bench.Harness.Stores;

/// <summary>NinoStore with an appender for every run of appends, as a thread opens one that has much to append.</summary>
public sealed class NinoStoreAppenderPeer(string directory) : NinoStorePeer(directory)
{
    public override void Append(byte[] record, int count)
    {
        byte[] serialized = Serialized(record);
        using LogAppender<byte[]> appender = Store.OpenAppender<byte[]>();
        for (int i = 0; i < count; i++) appender.AppendRecord(serialized);
    }
}
