// RocksDB as a log: records by number, ascending. A batch is one write batch with WriteOptions.sync, which also makes durable what was written before without it. Else as it comes.

using System.Buffers.Binary;
using RocksDbSharp;

namespace Store.Bench.Harness.Stores;

/// <summary>Records under their numbers, on a new folder. What need not be durable yet goes in write batches of 10,000.</summary>
public sealed class RocksDbLogPeer : IStorePeer
{
    private const int PerBatch = 10_000;

    private readonly RocksDb _database;
    private readonly WriteBatch _batch = new();
    private readonly WriteOptions _buffered = new(), _durable = new WriteOptions().SetSync(true);

    // What is read once is kept out of the cache, as the documentation of bulk scans asks.
    private readonly RocksDbSharp.ReadOptions _bulk = new RocksDbSharp.ReadOptions().SetFillCache(false);
    private long _last;

    public RocksDbLogPeer(string directory) => _database = RocksDb.Open(new DbOptions().SetCreateIfMissing(true).SetErrorIfExists(true), directory);

    public void Append(byte[] record, int count)
    {
        for (int done = 0; done < count; done += PerBatch) Write(record, Math.Min(PerBatch, count - done), _buffered);
    }

    public void AppendDurable(byte[] record, int count) => Write(record, count, _durable);

    public long Scan()
    {
        long records = 0;
        using Iterator iterator = _database.NewIterator(readOptions: _bulk);
        for (iterator.SeekToFirst(); iterator.Valid(); iterator.Next())
        {
            if (iterator.GetValueSpan().IsEmpty) throw new InvalidDataException("An empty record.");
            records++;
        }
        return records;
    }

    public void Dispose()
    {
        _batch.Dispose();
        _database.Dispose();
    }

    private void Write(byte[] record, int count, WriteOptions options)
    {
        Span<byte> key = stackalloc byte[sizeof(long)];
        _batch.Clear();
        for (int i = 0; i < count; i++)
        {
            BinaryPrimitives.WriteInt64BigEndian(key, ++_last);
            _batch.Put(key, record);
        }
        _database.Write(_batch, options);
    }
}

public static partial class StorePeers
{
    static partial void AddRocksDb(List<StorePeerKind> kinds) => kinds.Add(new StorePeerKind("RocksDB, sync", path => new RocksDbLogPeer(path)) { IsForMuchData = true });
}
