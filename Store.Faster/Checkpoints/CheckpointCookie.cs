using System.Buffers.Binary;
using System.Text;

namespace Store.Faster.Checkpoints;

/// <summary>
/// What FASTER carries inside its own metadata, so that its state and our manifest cannot be of different checkpoints: store id (16 bytes), sequence (8, little-endian), name (UTF-8).
/// </summary>
internal static class CheckpointCookie
{
    public static byte[] Encode(Guid storeId, long sequence, string name)
    {
        byte[] cookie = new byte[16 + 8 + Encoding.UTF8.GetByteCount(name)];
        storeId.TryWriteBytes(cookie);
        BinaryPrimitives.WriteInt64LittleEndian(cookie.AsSpan(16), sequence);
        Encoding.UTF8.GetBytes(name, cookie.AsSpan(24));
        return cookie;
    }
}
