// Edits of bytes that know nothing of a format: bits, bytes, numbers at which things change, blocks that move, words of a dictionary, halves of two inputs.

using System.Buffers.Binary;

namespace Store.Fuzz.Driver;

internal sealed class Havoc(Random random)
{
    private static readonly long[] Numbers =
    [
        0, 1, -1, 2, 3, 4, 7, 8, 15, 16, 31, 32, 33, 63, 64, 65, 100, 127, 128, -128, 240, 247, 248, 249, 250, 251, 252, 253, 254, 255, 256, 512, 1000, 1024, 4095, 4096, 4097,
        32_767, -32_768, 32_768, 65_535, 65_536, int.MaxValue, int.MinValue, 0x8000_0000, 0xFFFF_FFFF, 0x1_0000_0000, 0x4000_0001, 0x7FFF_FFF8,
        long.MaxValue, long.MinValue, DateTime.MaxValue.Ticks, DateTime.MaxValue.Ticks + 1, 0x7FFF_FFFF_FFFF_FFF8,
    ];

    public Random Random => random;

    /// <summary>An edited copy, often edited once, sometimes often.</summary>
    /// <param name="input">The input.</param>
    /// <param name="other">Another one of the same lane, to take pieces of.</param>
    /// <param name="words">What the format is known to contain.</param>
    /// <param name="maxLength">Longest result.</param>
    public byte[] Of(ReadOnlySpan<byte> input, ReadOnlySpan<byte> other, IReadOnlyList<byte[]> words, int maxLength)
    {
        List<byte> bytes = new(input.Length + 64);
        bytes.AddRange(input);
        if (other.Length > 0 && random.Next(16) == 0)
        {
            // The beginning of one and the end of the other.
            CutAt(bytes, random.Next(bytes.Count + 1));
            bytes.AddRange(other[random.Next(other.Length)..]);
        }

        for (int edits = 1 << random.Next(random.Next(1, 6)); edits > 0; edits--) Edit(bytes, other, words);
        if (bytes.Count > maxLength) CutAt(bytes, maxLength);
        return [.. bytes];
    }

    private void Edit(List<byte> bytes, ReadOnlySpan<byte> other, IReadOnlyList<byte[]> words)
    {
        int count = bytes.Count, at = random.Next(count + 1), length = random.Next(1, random.Next(4) == 0 ? 65 : 9);
        if (at == count && random.Next(2) == 0) at = 0;
        switch (count == 0 ? 10 : random.Next(17))
        {
            case 0 or 1 when at < count:
                bytes[at] ^= (byte)(1 << random.Next(8));
                break;
            case 2 or 3 when at < count:
                bytes[at] = (byte)random.Next(256);
                break;
            case 4 when at < count:
                bytes[at] += (byte)random.Next(-35, 36);
                break;
            case 5 or 6 or 7:
                Overwrite(bytes, at, Number());
                break;
            case 8 when at < count:
                AddTo(bytes, at);
                break;
            case 9:
                bytes.RemoveRange(at, Math.Min(length, count - at));
                break;
            case 10:
                bytes.InsertRange(at, random.Next(2) == 0 ? Number() : [.. Enumerable.Repeat((byte)random.Next(256), length)]);
                break;
            case 11:
                bytes.InsertRange(random.Next(count + 1), bytes.GetRange(at, Math.Min(length, count - at)));
                break;
            case 12:
                Overwrite(bytes, random.Next(count), [.. bytes.GetRange(at, Math.Min(length, count - at))]);
                break;
            case 13 when other.Length > 0:
                int from = random.Next(other.Length);
                byte[] piece = other.Slice(from, Math.Min(length, other.Length - from)).ToArray();
                if (random.Next(2) == 0) bytes.InsertRange(at, piece);
                else Overwrite(bytes, at, piece);
                break;
            case 14 or 15 when words.Count > 0:
                byte[] word = words[random.Next(words.Count)];
                if (random.Next(2) == 0) bytes.InsertRange(at, word);
                else Overwrite(bytes, at, word);
                break;
            case 16 when random.Next(4) == 0:
                CutAt(bytes, at);
                break;
        }
    }

    // As the formats write numbers: fixed widths, and the compact form's marker in front.
    private byte[] Number()
    {
        byte[] bytes = new byte[8];
        long number = Numbers[random.Next(Numbers.Length)];
        BinaryPrimitives.WriteInt64LittleEndian(bytes, number);
        return random.Next(6) switch
        {
            0 => bytes[..1],
            1 => bytes[..2],
            2 => bytes[..4],
            3 => [253, .. bytes[..2]],
            4 => [254, .. bytes[..4]],
            _ => bytes,
        };
    }

    private void AddTo(List<byte> bytes, int at)
    {
        int width = 1 << random.Next(1, 4);
        if (at + width > bytes.Count) return;
        Span<byte> number = stackalloc byte[8];
        number.Clear();
        for (int i = 0; i < width; i++) number[i] = bytes[at + i];
        BinaryPrimitives.WriteInt64LittleEndian(number, BinaryPrimitives.ReadInt64LittleEndian(number) + random.Next(-35, 36));
        for (int i = 0; i < width; i++) bytes[at + i] = number[i];
    }

    private static void CutAt(List<byte> bytes, int at) => bytes.RemoveRange(at, bytes.Count - at);

    private static void Overwrite(List<byte> bytes, int at, ReadOnlySpan<byte> with)
    {
        for (int i = 0; i < with.Length && at + i < bytes.Count; i++) bytes[at + i] = with[i];
    }
}
