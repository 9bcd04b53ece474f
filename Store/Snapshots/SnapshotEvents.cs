// Up to which record does a state's snapshot hold each event? One that its program did not know is in it only as far as an earlier snapshot held it, from which the program began: what the log has of it behind that and in front of the snapshot is in no
// state and is not replayed any more. Format page: docs/formats/snapshot.md, "events".
//
//   event*   through (8 bytes), length (4 bytes), then as many bytes of UTF-8; in ordinal order of the names, to the end of the section

using System.Buffers.Binary;
using System.Text;

namespace Store.Snapshots;

/// <summary>The events of a state, as a section of its snapshot: the name of each, and the last sequence of the log up to which the state holds those of that name.</summary>
internal static class SnapshotEvents
{
    /// <summary>Longest section: far above what programs have. Of more there is none.</summary>
    public const int MaxLength = 1 << 20;

    private const int HeadSize = sizeof(long) + sizeof(int);

    /// <summary>The section's bytes, or null when they would be too many, or none.</summary>
    public static byte[]? Encode(IEnumerable<KeyValuePair<string, long>> through)
    {
        var bytes = new List<byte>();
        Span<byte> head = stackalloc byte[HeadSize];
        foreach ((string name, long sequence) in through.OrderBy(static one => one.Key, StringComparer.Ordinal))
        {
            byte[] text = Encoding.UTF8.GetBytes(name);
            BinaryPrimitives.WriteInt64LittleEndian(head, sequence);
            BinaryPrimitives.WriteInt32LittleEndian(head[sizeof(long)..], text.Length);
            bytes.AddRange(head);
            bytes.AddRange(text);
            if (bytes.Count > MaxLength) return null;
        }

        return bytes.Count == 0 ? null : [.. bytes];
    }

    /// <summary>The sequences by name, or null when the bytes are none of these.</summary>
    public static Dictionary<string, long>? TryDecode(ReadOnlySpan<byte> bytes)
    {
        var through = new Dictionary<string, long>(StringComparer.Ordinal);
        while (!bytes.IsEmpty)
        {
            if (bytes.Length < HeadSize) return null;
            long sequence = BinaryPrimitives.ReadInt64LittleEndian(bytes);
            int length = BinaryPrimitives.ReadInt32LittleEndian(bytes[sizeof(long)..]);
            bytes = bytes[HeadSize..];
            if (sequence < 0 || length < 1 || length > bytes.Length || !System.Text.Unicode.Utf8.IsValid(bytes[..length])) return null;
            if (!through.TryAdd(Encoding.UTF8.GetString(bytes[..length]), sequence)) return null;
            bytes = bytes[length..];
        }

        return through;
    }
}
