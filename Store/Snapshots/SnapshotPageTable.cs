// The page table while the data streams by: one checksum a page, finished as soon as the page is full, whatever the pieces it comes in.

using System.Buffers;
using System.Buffers.Binary;
using Store.Framing;

namespace Store.Snapshots;

/// <summary>Collects the checksums of a data section's pages. Memory: four bytes a page. Not thread-safe.</summary>
internal sealed class SnapshotPageTable(int pageSize)
{
    private readonly ArrayBufferWriter<byte> _table = new();
    private uint _checksum;
    private int _filled;

    public void Append(ReadOnlySpan<byte> data)
    {
        while (!data.IsEmpty)
        {
            int part = Math.Min(pageSize - _filled, data.Length);
            _checksum = Crc32C.Append(_checksum, data[..part]);
            _filled += part;
            data = data[part..];
            if (_filled == pageSize) ClosePage();
        }
    }

    /// <summary>Closes the last page and returns the table's bytes.</summary>
    public ReadOnlyMemory<byte> Finish()
    {
        if (_filled > 0) ClosePage();
        return _table.WrittenMemory;
    }

    private void ClosePage()
    {
        BinaryPrimitives.WriteUInt32LittleEndian(_table.GetSpan(SnapshotFormat.PageChecksumSize), _checksum);
        _table.Advance(SnapshotFormat.PageChecksumSize);
        _checksum = 0;
        _filled = 0;
    }
}
