// The payload of a checkpoint frame: covered sequence (8 bytes), then the snapshot's file name in UTF-8. Format page: docs/formats/frame.md.

using System.Buffers.Binary;
using System.Text;

namespace Store.Log;

internal static class CheckpointNote
{
    public static byte[] Encode(SnapshotInfo info)
    {
        byte[] payload = new byte[8 + Encoding.UTF8.GetByteCount(info.FileName)];
        BinaryPrimitives.WriteInt64LittleEndian(payload, info.Sequence);
        Encoding.UTF8.GetBytes(info.FileName, payload.AsSpan(8));
        return payload;
    }

    public static bool TryDecode(ReadOnlySpan<byte> payload, out long sequence, out string fileName)
    {
        (sequence, fileName) = (0, "");
        if (payload.Length <= 8) return false;
        sequence = BinaryPrimitives.ReadInt64LittleEndian(payload);
        fileName = Encoding.UTF8.GetString(payload[8..]);
        return true;
    }
}
