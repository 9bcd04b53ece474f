// Where is item i of a part? Items lie back to back in blocks; a block ends with a directory of its items' ends, the index knows where each block begins.
// Format page: docs/formats/snapshot.md, "items". It lists what is edited together.
//
//   data section   block*
//   block          items back to back, then for each item the end of it: 4 bytes, counted from the start of the block
//   item index     count of items (8), then for each block: offset in the data section (8), number of its first item (8)

using System.Buffers;
using System.Buffers.Binary;

namespace Store.Snapshots;

internal static class SnapshotItemFormat
{
    /// <summary>A block is closed when its items have so many bytes. One item may have more.</summary>
    public const int BlockSizeBytes = 64 * 1024;

    /// <summary>A block is closed when it has so many items, however small.</summary>
    public const int MaxBlockItems = 16 * 1024;

    /// <summary>Bytes of one item's end in a block's directory.</summary>
    public const int EndSize = 4;

    /// <summary>Bytes of the count in front of the index.</summary>
    public const int CountSize = 8;

    /// <summary>Bytes of one block's entry in the index.</summary>
    public const int EntrySize = 16;
}

/// <summary>Builds blocks and their index while items stream by. Not thread-safe.</summary>
internal sealed class SnapshotItemIndexBuilder
{
    private readonly ArrayBufferWriter<byte> _entries = new();
    private readonly List<uint> _ends = [];
    private long _blockStart;

    public SnapshotItemIndexBuilder() => _entries.Write(stackalloc byte[SnapshotItemFormat.CountSize]);

    /// <summary>Items so far.</summary>
    public long Count { get; private set; }

    /// <summary>Notes an item that was just written, and closes its block when that is full.</summary>
    public void Add(SnapshotOutput output, long endOffset)
    {
        if (_ends.Count == 0)
        {
            BinaryPrimitives.WriteInt64LittleEndian(_entries.GetSpan(SnapshotItemFormat.EntrySize), _blockStart);
            BinaryPrimitives.WriteInt64LittleEndian(_entries.GetSpan(SnapshotItemFormat.EntrySize)[8..], Count);
            _entries.Advance(SnapshotItemFormat.EntrySize);
        }

        _ends.Add(checked((uint)(endOffset - _blockStart)));
        Count++;
        if (endOffset - _blockStart >= SnapshotItemFormat.BlockSizeBytes || _ends.Count == SnapshotItemFormat.MaxBlockItems) CloseBlock(output);
    }

    /// <summary>Writes the directory of the block under way, if there is one.</summary>
    public void CloseBlock(SnapshotOutput output)
    {
        foreach (uint end in _ends)
        {
            BinaryPrimitives.WriteUInt32LittleEndian(output.GetSpan(SnapshotItemFormat.EndSize), end);
            output.Advance(SnapshotItemFormat.EndSize);
        }

        _ends.Clear();
        _blockStart = output.LengthBytes;
    }

    /// <summary>The bytes of the index section.</summary>
    public ReadOnlyMemory<byte> Finish()
    {
        byte[] index = _entries.WrittenSpan.ToArray();
        BinaryPrimitives.WriteInt64LittleEndian(index, Count);
        return index;
    }
}
