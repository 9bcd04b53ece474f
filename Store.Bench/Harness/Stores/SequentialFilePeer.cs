// The floor under sustained writing: records side by side in a new file, 1 MiB a write, and a sync when they are to be durable. No header, no checksum, no recovery, no copy: the block is written again and
// again. Reading is 1 MiB reads.

using Microsoft.Win32.SafeHandles;

namespace Store.Bench.Harness.Stores;

/// <summary>Blocks of 1 MiB to the end of a file.</summary>
public sealed class SequentialFilePeer(string directory) : IStorePeer
{
    private readonly FileStream _file = new(Path.Combine(directory, "sequential.bin"), FileMode.Create, FileAccess.ReadWrite, FileShare.Read, bufferSize: 0);
    private readonly byte[] _block = new byte[1 << 20];
    private byte[] _record = [];
    private long _pending;
    private long _records;

    public void Append(byte[] record, int count)
    {
        if (!ReferenceEquals(_record, record))
        {
            _record = record;
            for (int at = 0; at + record.Length <= _block.Length; at += record.Length) record.CopyTo(_block, at);
        }

        _pending += (long)record.Length * count;
        _records += count;
        for (; _pending >= _block.Length; _pending -= _block.Length) _file.Write(_block);
    }

    public void AppendDurable(byte[] record, int count)
    {
        Append(record, count);
        _file.Write(_block.AsSpan(0, (int)_pending));
        _pending = 0;
        Disk.SyncData(_file.SafeFileHandle);
    }

    public long Scan()
    {
        SafeFileHandle file = _file.SafeFileHandle;
        byte[] buffer = new byte[1 << 20];
        long read = 0;
        while (RandomAccess.Read(file, buffer, read) is > 0 and var got) read += got;
        long expected = _records * _record.Length;
        return read == expected ? _records : throw new InvalidDataException($"{expected} bytes written, {read} read.");
    }

    public void Dispose() => _file.Dispose();
}
