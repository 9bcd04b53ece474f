using System.Buffers.Binary;
using Store.Serialization;

namespace Store.Tests.Serialization;

/// <summary>Decimals are moved from and to memory as four words; what is stored is what the framework's own way gives: low, middle, high, flags.</summary>
public sealed class DecimalWordsTests
{
    private const int Seed = 20261127;

    [Fact]
    public void EveryDecimalIsStoredAsItsBits()
    {
        var random = new Random(Seed);
        decimal[] values = [0m, -0m, 0.0m, -0.00m, 1m, 1.00m, decimal.MaxValue, decimal.MinValue, .. Enumerable.Range(0, 2000).Select(_ => Draw(random))];
        byte[] bytes = NinoSerializer.Serialize(values);
        Span<byte> body = bytes.AsSpan(bytes.Length - (16 * values.Length));
        for (int i = 0; i < values.Length; i++)
        {
            int[] expected = decimal.GetBits(values[i]);
            for (int word = 0; word < 4; word++) Assert.Equal(expected[word], BinaryPrimitives.ReadInt32LittleEndian(body[((16 * i) + (4 * word))..]));
        }

        decimal[] read = NinoSerializer.Deserialize<decimal[]>(bytes);
        Assert.Equal(values.Select(decimal.GetBits), read.Select(decimal.GetBits));
    }

    [Fact]
    public void FlagsThatNoDecimalHasAreRefused()
    {
        for (int bit = 0; bit < 32; bit++)
        {
            byte[] bytes = NinoSerializer.Serialize(5m);
            bytes[12 + (bit / 8)] ^= (byte)(1 << (bit % 8));
            bool isOne = bit == 31 || bit is >= 16 and <= 20;
            if (isOne) Assert.Equal(bytes, NinoSerializer.Serialize(NinoSerializer.Deserialize<decimal>(bytes)));
            else Assert.Throws<NinoSerializationException>(() => NinoSerializer.Deserialize<decimal>(bytes));
        }

        for (int scale = 0; scale < 256; scale++)
        {
            byte[] bytes = NinoSerializer.Serialize(5m);
            bytes[14] = (byte)scale;
            if (scale <= 28) Assert.Equal(new decimal(5, 0, 0, false, (byte)scale), NinoSerializer.Deserialize<decimal>(bytes));
            else Assert.Throws<NinoSerializationException>(() => NinoSerializer.Deserialize<decimal>(bytes));
        }
    }

    private static decimal Draw(Random random) => new(random.Next(int.MinValue, int.MaxValue), random.Next(int.MinValue, int.MaxValue), random.Next(int.MinValue, int.MaxValue), random.Next(2) == 0, (byte)random.Next(29));
}
