using Store.Serialization;
using Store.Tests.Serialization;

[assembly: NinoSerializable(typeof(byte?[]))]
[assembly: NinoSerializable(typeof(short?[]))]
[assembly: NinoSerializable(typeof(AbsentValueTests.ThreeBytes?[]))]
[assembly: NinoSerializable(typeof(uint?[]))]
[assembly: NinoSerializable(typeof(AbsentValueTests.FiveBytes?[]))]
[assembly: NinoSerializable(typeof(AbsentValueTests.SevenBytes?[]))]
[assembly: NinoSerializable(typeof(long?[]))]
[assembly: NinoSerializable(typeof(AbsentValueTests.NineBytes?[]))]
[assembly: NinoSerializable(typeof(DateTimeOffset?[]))]
[assembly: NinoSerializable(typeof(AbsentValueTests.TwelveBytes?[]))]
[assembly: NinoSerializable(typeof(AbsentValueTests.FifteenBytes?[]))]
[assembly: NinoSerializable(typeof(decimal?[]))]
[assembly: NinoSerializable(typeof(AbsentValueTests.SeventeenBytes?[]))]
[assembly: NinoSerializable(typeof(AbsentValueTests.ThirtyBytes?[]))]

namespace Store.Tests.Serialization;

/// <summary>A value type that is absent takes its bytes as zeros, and any other bit there is refused: for each width, because each is asked for in its own way.</summary>
public sealed class AbsentValueTests
{
    [Fact]
    public void NoBitOfAnAbsentValueMayBeSet()
    {
        Check<byte>(1);
        Check<short>(2);
        Check<ThreeBytes>(3);
        Check<uint>(4);
        Check<FiveBytes>(5);
        Check<SevenBytes>(7);
        Check<long>(8);
        Check<NineBytes>(9);
        Check<DateTimeOffset>(10);
        Check<TwelveBytes>(12);
        Check<FifteenBytes>(15);
        Check<decimal>(16);
        Check<SeventeenBytes>(17);
        Check<ThirtyBytes>(30);
    }

    private static void Check<T>(int size) where T : struct
    {
        byte[] absent = NinoSerializer.Serialize(new T?[] { null, null });
        Assert.Equal([3, .. new byte[2 * (1 + size)]], absent);
        Assert.Equal(new T?[] { null, null }, NinoSerializer.Deserialize<T?[]>(absent));
        for (int bit = 8; bit < absent.Length * 8; bit++)
        {
            // With 1 as its first byte the value is there.
            if (bit % 8 == 0 && (bit / 8) - 1 is var at && at % (1 + size) == 0) continue;
            byte[] flipped = [.. absent];
            flipped[bit / 8] ^= (byte)(1 << (bit % 8));
            Assert.Throws<NinoSerializationException>(() => NinoSerializer.Deserialize<T?[]>(flipped));
        }

        byte[] present = [.. absent];
        present[1] = 1;
        Assert.Equal(new T?[] { default(T), null }, NinoSerializer.Deserialize<T?[]>(present));
        Assert.Equal(present, NinoSerializer.Serialize(new T?[] { default(T), null }));
    }

    [NinoType(View = false)]
    public record struct ThreeBytes(byte A, short B);

    [NinoType(View = false)]
    public record struct FiveBytes(byte A, int B);

    [NinoType(View = false)]
    public record struct SevenBytes(byte A, short B, int C);

    [NinoType(View = false)]
    public record struct NineBytes(byte A, long B);

    [NinoType(View = false)]
    public record struct TwelveBytes(int A, long B);

    [NinoType(View = false)]
    public record struct FifteenBytes(byte A, short B, int C, long D);

    [NinoType(View = false)]
    public record struct SeventeenBytes(byte A, Guid B);

    [NinoType(View = false)]
    public record struct ThirtyBytes(Guid A, int B, short C, long D);
}
