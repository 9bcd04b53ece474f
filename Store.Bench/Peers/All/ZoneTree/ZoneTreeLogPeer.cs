// ZoneTree as a log: records by number, ascending, in the write-ahead log that all segments share, which a sync makes durable in one file. SyncWALAsync is its documented way to acknowledge after a power
// loss; the records of a batch are single upserts before it, so that a crash may leave some of them.

using ZoneTree;
using ZoneTree.Logger;
using ZoneTree.Options;

namespace Store.Bench.Harness.Stores;

/// <summary>Records under their numbers, on a new folder.</summary>
public sealed class ZoneTreeLogPeer : IStorePeer
{
    private readonly IZoneTree<long, byte[]> _tree;
    private readonly IMaintainer _maintainer;
    private long _last;

    public ZoneTreeLogPeer(string directory)
    {
        _tree = new ZoneTreeFactory<long, byte[]>().SetDataDirectory(directory).SetLogLevel(LogLevel.Error)
            .ConfigureWriteAheadLogOptions(static options => options.WriteAheadLogMode = WriteAheadLogMode.Shared).Create();
        _maintainer = _tree.CreateMaintainer();
    }

    public void Append(byte[] record, int count)
    {
        for (int i = 0; i < count; i++) _tree.Upsert(++_last, record);
    }

    public void AppendDurable(byte[] record, int count) => AppendDurableAsync(record, count).AsTask().GetAwaiter().GetResult();

    public ValueTask AppendDurableAsync(byte[] record, int count)
    {
        Append(record, count);
        return new ValueTask(_tree.SyncWALAsync());
    }

    public long Scan()
    {
        long records = 0;
        using IZoneTreeIterator<long, byte[]> iterator = _tree.CreateIterator(IteratorType.Snapshot);
        while (iterator.Next())
        {
            if (iterator.CurrentValue.Length == 0) throw new InvalidDataException("An empty record.");
            records++;
        }
        return records;
    }

    public void Dispose()
    {
        _maintainer.Dispose();
        _tree.Dispose();
    }
}

public static partial class StorePeers
{
    static partial void AddZoneTree(List<StorePeerKind> kinds) => kinds.Add(new StorePeerKind("ZoneTree, SyncWALAsync", path => new ZoneTreeLogPeer(path)));
}
