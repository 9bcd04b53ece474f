// Edits of bytes that hit what formats are made of: bits, the numbers at which encodings change, lengths, order, and pieces of other records.

using System.Buffers.Binary;

namespace Store.Tests.Fuzz;

internal static class Mutation
{
    private static readonly byte[] s_edges = [0, 1, 2, 0x7F, 0x80, 0xF0, 0xFB, 0xFC, 0xFD, 0xFE, 0xFF];

    private static readonly int[] s_counts = [0, 1, 0x7FFF, 0xFFFF, 0x10000, int.MaxValue, int.MinValue, -1, 0x4000_0001];

    /// <summary>One to four edits of <paramref name="record"/>.</summary>
    public static byte[] Of(byte[] record, byte[] other, Random random)
    {
        List<byte> bytes = [.. record];
        for (int edits = random.Next(1, 5); edits > 0; edits--)
        {
            int at = random.Next(bytes.Count + 1);
            int length = random.Next(1, 9);
            switch (bytes.Count == 0 ? 1 : random.Next(9))
            {
                case 0 when at < bytes.Count:
                    bytes[at] ^= (byte)(1 << random.Next(8));
                    break;
                case 1:
                    bytes.Insert(at, s_edges[random.Next(s_edges.Length)]);
                    break;
                case 2 when at < bytes.Count:
                    bytes[at] = s_edges[random.Next(s_edges.Length)];
                    break;
                case 3:
                    bytes.RemoveRange(at, Math.Min(length, bytes.Count - at));
                    break;
                case 4:
                    bytes.InsertRange(at, bytes.GetRange(at, Math.Min(length, bytes.Count - at)));
                    break;
                case 5:
                    byte[] count = new byte[5];
                    count[0] = 0xFE;
                    BinaryPrimitives.WriteInt32LittleEndian(count.AsSpan(1), s_counts[random.Next(s_counts.Length)]);
                    bytes.InsertRange(at, count);
                    break;
                case 6 when other.Length > 0:
                    int from = random.Next(other.Length);
                    bytes.InsertRange(at, other.Skip(from).Take(random.Next(1, 40)));
                    break;
                case 7:
                    bytes.RemoveRange(at, bytes.Count - at);
                    break;
                case 8 when at + length <= bytes.Count:
                    bytes.Reverse(at, length);
                    break;
            }
        }

        return [.. bytes];
    }
}
