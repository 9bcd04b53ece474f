// The payload of a checkpoint frame: covered sequence (8 bytes), the snapshot's id (8), then its file name in UTF-8. Format page: docs/formats/frame.md.

using System.Buffers.Binary;
using System.Text;

namespace Store.Log;

/// <summary>What the log says of a snapshot that was published.</summary>
/// <param name="Sequence">Last sequence that it covers.</param>
/// <param name="SnapshotId">Random number in its header.</param>
/// <param name="FileName">Its file.</param>
internal readonly record struct CheckpointNote(long Sequence, ulong SnapshotId, string FileName)
{
    private const int NameOffset = 16;

    public byte[] Encode()
    {
        byte[] payload = new byte[NameOffset + Encoding.UTF8.GetByteCount(FileName)];
        BinaryPrimitives.WriteInt64LittleEndian(payload, Sequence);
        BinaryPrimitives.WriteUInt64LittleEndian(payload.AsSpan(8), SnapshotId);
        Encoding.UTF8.GetBytes(FileName, payload.AsSpan(NameOffset));
        return payload;
    }

    public static bool TryDecode(ReadOnlySpan<byte> payload, out CheckpointNote note)
    {
        note = default;
        if (payload.Length <= NameOffset) return false;
        note = new CheckpointNote(BinaryPrimitives.ReadInt64LittleEndian(payload), BinaryPrimitives.ReadUInt64LittleEndian(payload[8..]), Encoding.UTF8.GetString(payload[NameOffset..]));
        return true;
    }
}
