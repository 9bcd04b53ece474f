// The floor under sustained writing: records side by side in a new file, 1 MiB a write, and a sync when they are to be durable. No header, no checksum, no recovery, no copy: the block is written again and
// again. Reading is 1 MiB reads. Or the same into a file whose blocks have all been written before, from its start again after each sync: what a log could have that used its files again.

using Microsoft.Win32.SafeHandles;

namespace Store.Bench.Harness.Stores;

/// <summary>Blocks of 1 MiB to the end of a file.</summary>
public sealed class SequentialFilePeer : IStorePeer
{
    private const long WrittenBytes = 512L << 20;

    private readonly SafeFileHandle _file;
    private readonly bool _isRewritten;
    private readonly byte[] _block = new byte[1 << 20];
    private byte[] _record = [];
    private long _at;
    private long _pending;
    private long _records;

    /// <param name="directory">Where the file goes.</param>
    /// <param name="isRewritten">True: blocks that exist already.</param>
    public SequentialFilePeer(string directory, bool isRewritten = false)
    {
        string path = Path.Combine(directory, "sequential.bin");
        _file = isRewritten ? Disk.CreateZeroWritten(path, WrittenBytes) : File.OpenHandle(path, FileMode.Create, FileAccess.ReadWrite);
        _isRewritten = isRewritten;
    }

    public void Append(byte[] record, int count)
    {
        if (!ReferenceEquals(_record, record))
        {
            _record = record;
            for (int at = 0; at + record.Length <= _block.Length; at += record.Length) record.CopyTo(_block, at);
        }

        _pending += (long)record.Length * count;
        _records += count;
        for (; _pending >= _block.Length; _pending -= _block.Length) Write(_block);
    }

    public void AppendDurable(byte[] record, int count)
    {
        Append(record, count);
        Write(_block.AsSpan(0, (int)_pending));
        _pending = 0;
        Disk.SyncData(_file);
        if (_isRewritten) _at = 0;
    }

    public long Scan()
    {
        if (_isRewritten) throw new NotSupportedException("What was there has been overwritten.");
        byte[] buffer = new byte[1 << 20];
        long read = 0;
        while (RandomAccess.Read(_file, buffer, read) is > 0 and var got) read += got;
        long expected = _records * _record.Length;
        return read == expected ? _records : throw new InvalidDataException($"{expected} bytes written, {read} read.");
    }

    public void Dispose() => _file.Dispose();

    private void Write(ReadOnlySpan<byte> bytes)
    {
        if (_isRewritten && _at + bytes.Length > WrittenBytes) throw new InvalidOperationException("More between two syncs than there are written blocks.");
        RandomAccess.Write(_file, bytes, _at);
        _at += bytes.Length;
    }
}
