// What people write themselves: a length and the bytes into a FileStream, Flush(true) for durability, no checksum.

using System.Buffers.Binary;

namespace Store.Bench.Harness.Stores;

/// <summary>A growing file behind a FileStream.</summary>
public sealed class FileStreamPeer(string directory) : IStorePeer
{
    private readonly FileStream _file = new(Path.Combine(directory, "records.bin"), FileMode.Create, FileAccess.ReadWrite, FileShare.Read, 64 * 1024);

    public void Append(byte[] record, int count)
    {
        Span<byte> length = stackalloc byte[4];
        for (int i = 0; i < count; i++)
        {
            BinaryPrimitives.WriteInt32LittleEndian(length, record.Length);
            _file.Write(length);
            _file.Write(record);
        }
    }

    public void AppendDurable(byte[] record, int count)
    {
        Append(record, count);
        _file.Flush(flushToDisk: true);
    }

    public long Scan()
    {
        _file.Position = 0;
        long records = 0;
        Span<byte> length = stackalloc byte[4];
        byte[] record = new byte[64 * 1024];
        while (_file.ReadAtLeast(length, 4, throwOnEndOfStream: false) == 4)
        {
            _file.ReadExactly(record.AsSpan(0, BinaryPrimitives.ReadInt32LittleEndian(length)));
            records++;
        }
        return records;
    }

    public void Dispose() => _file.Dispose();
}
