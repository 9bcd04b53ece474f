// Is the hash of keys good? Exact counts over the keys that programs have: sequential numbers, strings that begin alike, keys that differ in one bit. The bits that choose a bucket, the bits that tell keys of a bucket apart and the
// bits that choose a lock are looked at each on their own.

using System.Numerics;
using Store.Faster.Engine;
using Store.Serialization;

namespace Store.Tests.KeyValue;

public class KeyHashTests
{
    private const int Keys = 1 << 16;

    private static readonly Dictionary<string, Func<int, byte[]>> Kinds = new()
    {
        ["sequential ints"] = static i => NinoSerializer.Serialize(i),
        ["sequential longs"] = static i => NinoSerializer.Serialize((long)i),
        ["every 4096th int"] = static i => NinoSerializer.Serialize(i << 12),
        ["every 2^40th long"] = static i => NinoSerializer.Serialize((long)i << 40),
        ["strings with a long common beginning"] = static i => NinoSerializer.Serialize($"https://example.com/customers/{i}"),
        ["strings with a common end"] = static i => NinoSerializer.Serialize($"{i}@customers.example.com"),
        ["numbers as text"] = static i => NinoSerializer.Serialize($"{i}"),
        ["doubles"] = static i => NinoSerializer.Serialize((double)i),
        ["decimals"] = static i => NinoSerializer.Serialize((decimal)i),
        ["dates"] = static i => NinoSerializer.Serialize(new DateTime(2026, 1, 1, 0, 0, 0, DateTimeKind.Utc).AddDays(i)),
        ["sequential Guids"] = static i => NinoSerializer.Serialize(new Guid(0x01234567, 0x89AB, 0x7CDE, 0x80, 0, 0, 0, 0, (byte)(i >> 16), (byte)(i >> 8), (byte)i)),
        ["zeros of every length"] = static i => new byte[i],
    };

    public static TheoryData<string> Names => [.. Kinds.Keys];

    /// <summary>As even as chance would have it: chi-squared within five standard deviations of what random numbers give, neither more clustered nor more regular.</summary>
    [Theory]
    [MemberData(nameof(Names))]
    public void KeysSpreadOverBucketsTagsAndLocksAsRandomNumbersDo(string kind)
    {
        int keys = kind.StartsWith("zeros", StringComparison.Ordinal) ? 4096 : Keys;
        ulong[] hashes = [.. Enumerable.Range(0, keys).Select(i => KeyHash.Compute(Kinds[kind](i)))];
        Assert.Equal(keys, hashes.Distinct().Count());
        int buckets = keys / 16;
        AssertEven(hashes.Select(hash => (int)(hash & (ulong)(buckets - 1))), buckets, keys, "buckets of the index");
        AssertEven(hashes.Select(hash => (int)((hash >> 48) & (ulong)(buckets - 1))), buckets, keys, "tags inside a bucket");
        AssertEven(hashes.Select(KeyStripe.Of), KeyStripe.Count, keys, "locks");

        // Together too: keys that share a bucket do not share their tags.
        AssertEven(hashes.Select(hash => (int)(((hash & 63) << 6) | ((hash >> 48) & 63))).Select(cell => cell & (buckets - 1)), buckets, keys, "buckets with tags");
    }

    /// <summary>Each bit of a key changes each bit of the hash in half of all keys.</summary>
    [Theory]
    [InlineData(3)]
    [InlineData(4)]
    [InlineData(8)]
    [InlineData(13)]
    [InlineData(16)]
    [InlineData(17)]
    [InlineData(40)]
    public void EachBitOfAKeyIsWorthEveryBitOfTheHash(int lengthBytes)
    {
        const int samples = 1000;
        var random = new Random(lengthBytes);
        byte[] key = new byte[lengthBytes];
        for (int bit = 0; bit < lengthBytes * 8; bit++)
        {
            int[] changed = new int[64];
            for (int i = 0; i < samples; i++)
            {
                random.NextBytes(key);
                ulong before = KeyHash.Compute(key);
                key[bit / 8] ^= (byte)(1 << (bit % 8));
                for (ulong difference = before ^ KeyHash.Compute(key); difference != 0; difference &= difference - 1) changed[BitOperations.TrailingZeroCount(difference)]++;
            }

            // Six standard deviations.
            for (int i = 0; i < 64; i++) Assert.True(Math.Abs(changed[i] - (samples / 2)) < 6 * Math.Sqrt(samples) / 2, $"Bit {bit} of {lengthBytes} bytes changes bit {i} of the hash in {changed[i]} of {samples} keys");
        }
    }

    private static void AssertEven(IEnumerable<int> places, int count, int keys, string what)
    {
        int[] counts = new int[count];
        foreach (int place in places) counts[place]++;
        double expected = (double)keys / count, chiSquared = counts.Sum(n => (n - expected) * (n - expected) / expected), deviation = Math.Sqrt(2.0 * (count - 1));
        Assert.True(Math.Abs(chiSquared - (count - 1)) < 5 * deviation, $"{what}: chi-squared is {chiSquared:F0}, random numbers give {count - 1} ± {deviation:F0}; the fullest has {counts.Max()} of {expected:F0}");
    }
}
