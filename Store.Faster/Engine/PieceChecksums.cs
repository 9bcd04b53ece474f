// Are the bytes that a read brings back from the disk those that were written? A page is too long to be read whole for one record, so each 4 KiB of it have a checksum of their own, kept in memory: a byte for
// each KiB of records on the disk. They are computed when a page is written, and when opening reads the pages of a checkpoint to verify them; no file has them. Beside the
// page's own checksum, which could be made of these, but more slowly (docs/performance.md).

using System.Collections.Concurrent;
using Store.Framing;

namespace Store.Faster.Engine;

/// <summary>CRC-32C of each piece of a device's bytes. One writer at a time; reads beside it, of pieces that were recorded before.</summary>
internal sealed class PieceChecksums
{
    /// <summary>Length of a piece. Pages are made of whole ones.</summary>
    public const int PieceBytes = 4096;

    private const int PiecesAGroup = 1024;

    private readonly ConcurrentDictionary<long, Group> _groups = new();

    /// <summary>The beginning of the piece that an offset is in.</summary>
    public static long StartOf(long offset) => offset - (offset % PieceBytes);

    /// <summary>Takes note of bytes that are written at an offset. Pieces of which they are a part only have no checksum from here on.</summary>
    public void Record(long offset, ReadOnlySpan<byte> bytes)
    {
        for (long start = StartOf(offset); start < offset + bytes.Length; start += PieceBytes)
        {
            bool isWhole = start >= offset && start + PieceBytes <= offset + bytes.Length;
            Set(start / PieceBytes, isWhole ? Crc32C.Compute(bytes.Slice((int)(start - offset), PieceBytes)) : null);
        }
    }

    /// <summary>Forgets pieces that lie wholly below an offset, in large groups.</summary>
    public void Forget(long offset)
    {
        foreach (long group in _groups.Keys.Where(group => (group + 1) * PiecesAGroup * PieceBytes <= offset)) _groups.TryRemove(group, out _);
    }

    /// <summary>Looks for a piece whose bytes are not those recorded.</summary>
    /// <param name="offset">Where the bytes are from; the beginning of a piece.</param>
    /// <param name="bytes">What was read there.</param>
    /// <returns>Where the first such piece begins, or -1. A piece without a checksum, or of which there is a part only, is none.</returns>
    public long FindDifferent(long offset, ReadOnlySpan<byte> bytes)
    {
        for (; bytes.Length >= PieceBytes; offset += PieceBytes, bytes = bytes[PieceBytes..])
        {
            if (Find(offset / PieceBytes) is { } recorded && recorded != Crc32C.Compute(bytes[..PieceBytes])) return offset;
        }

        return -1;
    }

    private void Set(long piece, uint? checksum)
    {
        Group group = _groups.GetOrAdd(piece / PiecesAGroup, static _ => new Group());
        int i = (int)(piece % PiecesAGroup);
        group.Checksums[i] = checksum ?? 0;
        group.IsKnown[i] = checksum is not null;
    }

    private uint? Find(long piece)
    {
        int i = (int)(piece % PiecesAGroup);
        return _groups.TryGetValue(piece / PiecesAGroup, out Group? group) && group.IsKnown[i] ? group.Checksums[i] : null;
    }

    private sealed class Group
    {
        public uint[] Checksums { get; } = new uint[PiecesAGroup];

        public bool[] IsKnown { get; } = new bool[PiecesAGroup];
    }
}
