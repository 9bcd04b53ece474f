// The floor under all durable rows: records side by side in a file whose blocks exist already, no header, no checksum, no recovery.

using Microsoft.Win32.SafeHandles;

namespace Store.Bench.Harness.Stores;

/// <summary>pwrite + fdatasync into a zero-written file, from its start again when it is full.</summary>
public sealed class RawPeer : IStorePeer
{
    private const long LengthBytes = 256L << 20;
    private readonly SafeFileHandle _file;
    private byte[] _batch = [];
    private long _offset;
    private long _records;
    private int _recordBytes;

    public RawPeer(string directory) => _file = Disk.CreateZeroWritten(Path.Combine(directory, "raw.bin"), LengthBytes);

    public void Append(byte[] record, int count)
    {
        int length = checked(record.Length * count);
        if (_batch.Length < length) _batch = new byte[length];
        for (int i = 0; i < count; i++) record.CopyTo(_batch, i * record.Length);
        if (_offset + length > LengthBytes) (_offset, _records) = (0, 0);
        RandomAccess.Write(_file, _batch.AsSpan(0, length), _offset);
        _offset += length;
        _records += count;
        _recordBytes = record.Length;
    }

    public void AppendDurable(byte[] record, int count)
    {
        Append(record, count);
        Disk.SyncData(_file);
    }

    public long Scan()
    {
        byte[] buffer = new byte[1 << 20];
        long read = 0;
        while (read < _offset)
        {
            int got = RandomAccess.Read(_file, buffer.AsSpan(0, (int)Math.Min(buffer.Length, _offset - read)), read);
            if (got == 0) throw new EndOfStreamException();
            read += got;
        }
        return _recordBytes == 0 ? 0 : read / _recordBytes;
    }

    public void Dispose() => _file.Dispose();
}
