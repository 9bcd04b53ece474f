// Which events did the program know that wrote a state's snapshot? Those of another name that the log has in front of it are in no snapshot and are not replayed any more. Format page: docs/formats/snapshot.md, "events".
//
//   name*    length (4 bytes), then as many bytes of UTF-8; in ordinal order, to the end of the section

using System.Buffers.Binary;
using System.Text;

namespace Store.Snapshots;

/// <summary>The names of the events of a state, as a section of its snapshot.</summary>
internal static class SnapshotEvents
{
    /// <summary>Longest section: far above what programs have. Of more there is none.</summary>
    public const int MaxLength = 1 << 20;

    /// <summary>The section's bytes, or null when they would be too many.</summary>
    public static byte[]? Encode(IEnumerable<string> names)
    {
        var bytes = new List<byte>();
        Span<byte> length = stackalloc byte[sizeof(int)];
        foreach (string name in names.Order(StringComparer.Ordinal))
        {
            byte[] text = Encoding.UTF8.GetBytes(name);
            BinaryPrimitives.WriteInt32LittleEndian(length, text.Length);
            bytes.AddRange(length);
            bytes.AddRange(text);
            if (bytes.Count > MaxLength) return null;
        }

        return bytes.Count == 0 ? null : [.. bytes];
    }

    /// <summary>The names, or null when the bytes are none of these.</summary>
    public static string[]? TryDecode(ReadOnlySpan<byte> bytes)
    {
        var names = new List<string>();
        while (!bytes.IsEmpty)
        {
            if (bytes.Length < sizeof(int)) return null;
            int length = BinaryPrimitives.ReadInt32LittleEndian(bytes);
            bytes = bytes[sizeof(int)..];
            if (length < 1 || length > bytes.Length || !System.Text.Unicode.Utf8.IsValid(bytes[..length])) return null;
            names.Add(Encoding.UTF8.GetString(bytes[..length]));
            bytes = bytes[length..];
        }

        return [.. names];
    }
}
