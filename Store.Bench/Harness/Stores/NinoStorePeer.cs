// NinoStore with default options: checksums on, opaque bytes as records of type byte[].

using Store.Serialization;

[assembly: NinoSerializable(typeof(byte[]))]

namespace Store.Bench.Harness.Stores;

/// <summary>NinoStore on a folder.</summary>
public class NinoStorePeer : IGroupCommitPeer, IBatchPeer
{
    private byte[][] _batch = [];
    private byte[] _source = [];
    private byte[] _record = [];

    public NinoStorePeer(string directory)
    {
        Store = NinoStore.Open(directory);
        if (Store.Recovery.Damage.Count != 0) throw new InvalidDataException(Store.Recovery.Damage[0].Message);
    }

    protected NinoStore Store { get; }

    public virtual void Append(byte[] record, int count)
    {
        NinoSchema schema = NinoCodec<byte[]>.Default.Schema;
        byte[] serialized = Serialized(record);
        for (int i = 0; i < count; i++) Store.AppendRecord(schema, serialized);
    }

    public void AppendBatch(byte[] record, int count)
    {
        if (_batch.Length != count || _batch[0] != record) Array.Fill(_batch = new byte[count][], record);
        Store.AppendBatch<byte[]>(_batch.AsSpan());
    }

    public void AppendDurable(byte[] record, int count)
    {
        AppendOneOrBatch(record, count);
        Store.Commit();
    }

    public ValueTask<long> AppendDurableAsync(byte[] record) => Store.AppendAsync(record);

    public virtual ValueTask AppendDurableAsync(byte[] record, int count)
    {
        AppendDurable(record, count);
        return default;
    }

    public long Scan()
    {
        long records = 0, bytes = 0;
        foreach (ScannedRecord record in Store.Scan())
        {
            records++;
            bytes += record.Payload.Length;
        }
        return bytes == 0 ? 0 : records;
    }

    public void Dispose() => Store.Dispose();

    protected void AppendOneOrBatch(byte[] record, int count)
    {
        if (count == 1) Append(record, 1);
        else AppendBatch(record, count);
    }

    /// <summary>AppendRecord takes bytes that are serialized already; a byte[] needs its header in front.</summary>
    protected byte[] Serialized(byte[] record)
    {
        if (!ReferenceEquals(_source, record))
        {
            _record = NinoSerializer.Serialize(record);
            _source = record;
        }
        return _record;
    }
}
