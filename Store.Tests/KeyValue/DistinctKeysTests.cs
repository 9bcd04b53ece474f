using System.Buffers.Binary;
using Store.Faster;
using Store.Faster.Engine;

namespace Store.Tests.KeyValue;

public class DistinctKeysTests
{
    [Fact]
    public void AKeyIsAddedOnceWhateverItsLength()
    {
        // All beginnings of some bytes, and some twice.
        byte[] bytes = new byte[64];
        var keys = new DistinctKeys(bytes, 100);
        try
        {
            for (int length = 0; length < 32; length++) Assert.True(keys.TryAdd(1, length));
            for (int length = 1; length < 32; length++) Assert.False(keys.TryAdd(2, length));
            bytes[63] = 1;
            Assert.True(keys.TryAdd(63, 1));
            Assert.True(keys.TryAdd(62, 2));
            Assert.False(keys.TryAdd(63, 1));
        }
        finally
        {
            keys.Dispose();
        }
    }

    /// <summary>The engine's hash is the same everywhere, so keys can be chosen that meet in it. A table in which they do too takes the square of their number.</summary>
    [Theory]
    [InlineData(8)]
    [InlineData(9)]
    public void KeysThatWereChosenToMeetInTheEnginesHashDoNotMeetInABatch(int lengthBytes)
    {
        const int Count = 500, Mask = 1023;
        List<byte[]> chosen = [];
        for (long i = 0; chosen.Count < Count; i++)
        {
            byte[] key = new byte[lengthBytes];
            BinaryPrimitives.WriteInt64LittleEndian(key.AsSpan(lengthBytes - 8), i);
            if ((KeyHash.Compute(key) & Mask) == 7) chosen.Add(key);
        }

        // By chance they take some 395 places.
        Assert.InRange(chosen.Select(static key => DistinctKeys.HashOf(key) & Mask).Distinct().Count(), 300, Count);
    }

    [Fact]
    public void KeysThatDifferInTheLastOfAnOddNumberOfBytesDoNotMeet() =>
        Assert.Equal(256, Enumerable.Range(0, 256).Select(static i => DistinctKeys.HashOf([1, 2, 3, 4, (byte)i])).Distinct().Count());
}
