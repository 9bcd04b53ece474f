// NinoStore with default options: checksums on, opaque bytes as records of type byte[].

using Store.Serialization;

[assembly: NinoSerializable(typeof(byte[]))]

namespace Store.Bench.Harness.Stores;

/// <summary>NinoStore on a folder.</summary>
public sealed class NinoStorePeer : IGroupCommitPeer
{
    private readonly NinoStore _store;
    private byte[][] _batch = [];
    private byte[] _source = [];
    private byte[] _record = [];

    public NinoStorePeer(string directory)
    {
        _store = NinoStore.Open(directory);
        if (_store.Recovery.Damage.Count != 0) throw new InvalidDataException(_store.Recovery.Damage[0].Message);
    }

    public void Append(byte[] record, int count)
    {
        NinoSchema schema = NinoCodec<byte[]>.Default.Schema;
        byte[] serialized = Serialized(record);
        for (int i = 0; i < count; i++) _store.AppendRecord(schema, serialized);
    }

    public void AppendDurable(byte[] record, int count)
    {
        if (count == 1)
        {
            Append(record, 1);
        }
        else
        {
            if (_batch.Length != count || _batch[0] != record) Array.Fill(_batch = new byte[count][], record);
            _store.AppendBatch<byte[]>(_batch);
        }
        _store.Commit();
    }

    public async ValueTask AppendDurableAsync(byte[] record) => await _store.AppendAsync(record).ConfigureAwait(false);

    public long Scan()
    {
        long records = 0, bytes = 0;
        foreach (ScannedRecord record in _store.Scan())
        {
            records++;
            bytes += record.Payload.Length;
        }
        return bytes == 0 ? 0 : records;
    }

    public void Dispose() => _store.Dispose();

    // AppendRecord takes bytes that are serialized already; a byte[] needs its header in front.
    private byte[] Serialized(byte[] record)
    {
        if (!ReferenceEquals(_source, record))
        {
            _record = NinoSerializer.Serialize(record);
            _source = record;
        }
        return _record;
    }
}
