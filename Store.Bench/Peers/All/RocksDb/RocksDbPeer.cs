// Objects in RocksDB: write-ahead log on, no sync, one write batch for a whole turn of puts, options for point lookups as its documentation has them. Values are our own bytes, written into a buffer that
// is reused and read where the engine returns them, without an array in between.

using System.Buffers;
using System.Buffers.Binary;
using RocksDbSharp;
using Store.Bench.Workloads;
using Store.Serialization;

namespace Store.Bench.Harness.Stores;

/// <summary>RocksDB as bytes by number.</summary>
public sealed class RocksDbPeer : IKeyedPeer
{
    private const int BlockCacheMebibytes = 256;

    private readonly RocksDb _database;
    private readonly WriteBatch _batch = new();
    private readonly ArrayBufferWriter<byte> _value = new(256);
    private readonly PocoReader _reader = new();

    public RocksDbPeer(string directory) => _database = RocksDb.Open(new DbOptions().SetCreateIfMissing(true).OptimizeForPointLookup(BlockCacheMebibytes), directory);

    public string Name => "RocksDB, WAL, 10,000 puts a batch";

    public void EndTurn()
    {
        _database.Write(_batch);
        _batch.Clear();
    }

    public void Put(long key, object value)
    {
        Span<byte> keyBytes = stackalloc byte[sizeof(long)];
        BinaryPrimitives.WriteInt64BigEndian(keyBytes, key);
        _value.ResetWrittenCount();
        NinoSerializer.Serialize(_value, (Poco)value);
        _batch.Put(keyBytes, _value.WrittenSpan);
    }

    public Poco? Get(long key)
    {
        Span<byte> keyBytes = stackalloc byte[sizeof(long)];
        BinaryPrimitives.WriteInt64BigEndian(keyBytes, key);
        return _database.Get<Poco?>(keyBytes, _reader);
    }

    public void Dispose()
    {
        _batch.Dispose();
        _database.Dispose();
    }

    private sealed class PocoReader : ISpanDeserializer<Poco?>
    {
        public Poco? Deserialize(ReadOnlySpan<byte> buffer) => NinoSerializer.Deserialize<Poco>(buffer);
    }
}

public static partial class KeyedPeers
{
    static partial void AddRocksDb(List<IKeyedPeer> peers, BenchData data) => peers.Add(new RocksDbPeer(data.File("keyed.rocksdb")));
}
