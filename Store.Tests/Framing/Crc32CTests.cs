// Is the checksum CRC-32C, and the same one on every path, length, alignment and split?

using System.Text;
using Store.Framing;

namespace Store.Tests.Framing;

public class Crc32CTests
{
    private const uint Polynomial = 0x82F63B78;

    [Fact]
    public void TheCheckValueIsThatOfCrc32C() => Assert.Equal(0xE3069283u, Crc32C.Compute("123456789"u8));

    [Fact]
    public void TheVectorsOfRfc3720Hold()
    {
        var ascending = Enumerable.Range(0, 32).Select(i => (byte)i).ToArray();
        Assert.Equal(0x8A9136AAu, Crc32C.Compute(new byte[32]));
        Assert.Equal(0x62A8AB43u, Crc32C.Compute(Enumerable.Repeat((byte)0xFF, 32).ToArray()));
        Assert.Equal(0x46DD794Eu, Crc32C.Compute(ascending));
        Assert.Equal(0x113FDB5Cu, Crc32C.Compute(ascending.Reverse().ToArray()));
    }

    [Fact]
    public void NothingHasTheChecksumZero() => Assert.Equal(0u, Crc32C.Compute([]));

    [Fact]
    public void EveryPathAgreesWithTheDefinitionForAllLengthsAndAlignments()
    {
        var bytes = RandomBytes(3000 + 16, 1);
        var state = 0xFFFFFFFFu;
        var expected = new uint[3001];
        for (var start = 0; start < 16; start++)
        {
            state = 0xFFFFFFFFu;
            for (var length = 0; length <= 3000; length++)
            {
                expected[length] = state;
                if (length < 3000)
                    state = StepByDefinition(state, bytes[start + length]);
            }
            for (var length = 0; length <= 3000; length++)
            {
                var data = bytes.AsSpan(start, length);
                Assert.Equal(~expected[length], Crc32C.Compute(data));
                Assert.Equal(expected[length], Crc32C.Tables(0xFFFFFFFFu, data));
                if (Crc32C.HasInstruction)
                    Assert.Equal(expected[length], Crc32C.OneStream(0xFFFFFFFFu, data));
                if (Crc32C.HasInterleave)
                    Assert.Equal(expected[length], Crc32C.ThreeStreams(0xFFFFFFFFu, data));
            }
        }
    }

    [Theory]
    [InlineData(3 * 4096 - 1)]
    [InlineData(3 * 4096)]
    [InlineData(3 * 4096 + 255)]
    [InlineData(3 * 4096 + 256)]
    [InlineData(128 * 224 - 1)]
    [InlineData(128 * 224)]
    [InlineData(128 * 224 + 4096)]
    [InlineData(65_536 - 48)]
    [InlineData(1_000_003)]
    public void EveryPathAgreesOnLongData(int length)
    {
        var data = RandomBytes(length, length);
        var expected = Crc32C.Tables(0x12345678u, data);
        Assert.Equal(~expected, Crc32C.Append(~0x12345678u, data));
        if (Crc32C.HasInstruction)
            Assert.Equal(expected, Crc32C.OneStream(0x12345678u, data));
        if (Crc32C.HasInterleave)
            Assert.Equal(expected, Crc32C.ThreeStreams(0x12345678u, data));
        if (Crc32CWide.IsSupported)
            Assert.Equal(expected, Crc32CWide.Continue(0x12345678u, data));
    }

    [Fact]
    public void TheWidestPathAgreesForAllLengthsAndAlignments()
    {
        if (!Crc32CWide.IsSupported) return;
        var bytes = RandomBytes(3 * Crc32CWide.FromBytes, 8);
        for (var length = Crc32CWide.FromBytes - 1; length <= bytes.Length - 16; length++)
        {
            var data = bytes.AsSpan(length % 16, length);
            Assert.Equal(Crc32C.OneStream((uint)length, data), Crc32CWide.Continue((uint)length, data));
        }
    }

    [Fact]
    public void TheProcessorOfAPcHasTheFastPaths()
    {
        // The tests above skip a path the processor lacks; this one notices when they skip everything where that cannot be right.
        if (System.Runtime.Intrinsics.X86.Avx2.IsSupported)
            Assert.True(Crc32C.HasInstruction && Crc32C.HasInterleave);
    }

    [Fact]
    public void AppendContinuesAtEverySplit()
    {
        var data = RandomBytes(700, 3);
        var whole = Crc32C.Compute(data);
        for (var split = 0; split <= data.Length; split++)
        {
            Assert.Equal(whole, Crc32C.Append(Crc32C.Compute(data.AsSpan(0, split)), data.AsSpan(split)));
            Assert.Equal(whole, Crc32C.Compute(data.AsSpan(split), seed: Crc32C.Compute(data.AsSpan(0, split))));
        }
    }

    [Fact]
    public void TwoSeedsNeverShareAChecksum()
    {
        var data = RandomBytes(44, 5);
        var seen = new HashSet<uint>();
        for (var seed = 0u; seed < 100_000; seed++)
            Assert.True(seen.Add(Crc32C.Compute(data, seed * 0x9E3779B1u)));
    }

    [Fact]
    public void EveryFlippedBitAndEveryShortBurstIsNoticed()
    {
        var data = RandomBytes(300, 6);
        var expected = Crc32C.Compute(data);
        for (var bit = 0; bit < data.Length * 8; bit++)
        {
            for (var width = 1; width <= 24 && bit + width <= data.Length * 8; width += 23)
            {
                Flip(data, bit, width);
                Assert.NotEqual(expected, Crc32C.Compute(data));
                Flip(data, bit, width);
            }
        }
        Assert.Equal(expected, Crc32C.Compute(data));
    }

    [Fact]
    public void ThePowersAreThoseOfX()
    {
        if (!Crc32C.HasInstruction)
            return;
        var power = 0x80000000u; // x^0, multiplied up one x at a time
        var exponent = 0;
        for (var i = 1; i < Crc32C.PowerTable.Entries.Length; i++)
        {
            for (; exponent < (64 * i) - 33; exponent++)
                power = (power >> 1) ^ ((power & 1) != 0 ? Polynomial : 0);
            Assert.Equal(power, Crc32C.PowerTable.Entries[i]);
        }
    }

    [Fact]
    public void TextGivesTheSameChecksumAsItsBytes() =>
        Assert.Equal(0x22620404u, Crc32C.Compute(Encoding.ASCII.GetBytes("The quick brown fox jumps over the lazy dog")));

    private static uint StepByDefinition(uint state, byte value)
    {
        state ^= value;
        for (var bit = 0; bit < 8; bit++)
            state = (state >> 1) ^ ((state & 1) != 0 ? Polynomial : 0);
        return state;
    }

    private static void Flip(byte[] data, int firstBit, int width)
    {
        for (var bit = firstBit; bit < firstBit + width; bit++)
            data[bit >> 3] ^= (byte)(1 << (bit & 7));
    }

    private static byte[] RandomBytes(int length, int seed)
    {
        var bytes = new byte[length];
        new Random(seed).NextBytes(bytes);
        return bytes;
    }
}
