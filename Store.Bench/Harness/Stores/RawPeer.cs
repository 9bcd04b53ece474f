// The floor under all durable rows: records side by side in a file whose blocks exist already, no header, no checksum, no recovery.

using Microsoft.Win32.SafeHandles;

namespace Store.Bench.Harness.Stores;

/// <summary>pwrite + fdatasync into a zero-written file, from its start again when it is full.</summary>
public sealed class RawPeer : IStorePeer
{
    private const long LengthBytes = 256L << 20;
    private readonly SafeFileHandle _file;
    private byte[] _batch = [];
    private byte[] _record = [];
    private long _offset;

    public RawPeer(string directory) => _file = Disk.CreateZeroWritten(Path.Combine(directory, "raw.bin"), LengthBytes);

    public void Append(byte[] record, int count)
    {
        int length = checked(record.Length * count);
        if (_batch.Length < length || !ReferenceEquals(_record, record)) Fill(record, length);
        if (_offset + length > LengthBytes) _offset = 0;
        RandomAccess.Write(_file, _batch.AsSpan(0, length), _offset);
        _offset += length;
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
        return _record.Length == 0 ? 0 : read / _record.Length;
    }

    public void Dispose() => _file.Dispose();

    // Once: the floor is the write and the sync.
    private void Fill(byte[] record, int length)
    {
        (_batch, _record) = (new byte[length], record);
        for (int at = 0; at + record.Length <= length; at += record.Length) record.CopyTo(_batch, at);
    }
}
