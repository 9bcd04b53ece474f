// Arrays of structs that the engine moves by vectors must be the bytes that their codec writes one by one, and must refuse what their codec refuses.

using System.Numerics;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using System.Runtime.Intrinsics;
using Store.Serialization;
using Store.Serialization.Codecs;
using Store.Serialization.Generated;

namespace Store.Tests.StructArrays;

public sealed class StructArrayTests
{
    // Every count around one, two and three vectors and one chunk of 4 KiB.
    private static readonly int[] s_counts = [0, 1, 2, 3, 4, 5, 7, 8, 15, 16, 17, 31, 32, 33, 63, 64, 65, 340, 341, 342, 343, 1000, 4097];

    [Fact]
    public void AnArrayIsItsElementsOneAfterTheOther()
    {
        var random = new Random(42);
        Check(random, static r => new NumberAndDate { Number = r.Next(), At = Date(r) });
        Check(random, static r => new DateAndNumber(Date(r), r.NextInt64()));
        Check(random, static r => new DateAndInt(Date(r), r.Next()));
        Check(random, static r => new ThreeWords { A = r.Next(), B = r.NextSingle(), C = (uint)r.Next() });
        Check(random, static r => new SmallAndFlag((byte)r.Next(256), r.Next(2) == 0));
        Check(random, static r => new Scattered { A = (byte)r.Next(256), B = r.Next(), C = (short)r.Next(), D = (byte)r.Next(256) });
        Check(random, static r => new Nested { Kind = (DayOfWeek)r.Next(7), Inner = new SmallAndFlag(1, r.Next(2) == 0), Value = r.NextSingle() });
        Check(random, static r => new Point(r.NextDouble(), r.NextDouble(), r.NextDouble()));
        Check(random, static r => new Body { Place = new Vector3(r.NextSingle(), 2, 3), Mass = r.NextSingle() });
        Check(random, static r => new Generic<long, byte> { First = r.NextInt64(), Second = (byte)r.Next(256) });
        Check(random, static r => new Long { A = r.NextInt64(), B = Date(r), C = r.NextInt64(), D = r.Next(2) == 0 });
        Check(random, static r => new Doubled { Value = r.Next() & ~1 });
        Check(random, Date);
        Check(random, static r => r.Next(2) == 0);
    }

    [Fact]
    public void SmallPlainStructsAreMovedByVectorsAndUnpaddedOnesByOneCopy()
    {
        bool hasVectors = Vector128.IsHardwareAccelerated;
        Assert.Equal(hasVectors, StructMemory<NumberAndDate, Store_Tests_StructArrays_NumberAndDateCodec>.Moves is not null);
        Assert.Equal(hasVectors, StructMemory<DateAndNumber, Store_Tests_StructArrays_DateAndNumberCodec>.Moves is not null);
        Assert.Equal(hasVectors, StructMemory<DateAndInt, Store_Tests_StructArrays_DateAndIntCodec>.Moves is not null);
        Assert.Equal(hasVectors, StructMemory<ThreeWords, Store_Tests_StructArrays_ThreeWordsCodec>.Moves is not null);
        Assert.Equal(hasVectors, StructMemory<Scattered, Store_Tests_StructArrays_ScatteredCodec>.Moves is not null);
        Assert.Equal(hasVectors, StructMemory<Nested, Store_Tests_StructArrays_NestedCodec>.Moves is not null);
        Assert.Equal(hasVectors, StructMemory<DateTime, DateTimeCodec>.Moves is not null);
        Assert.Equal(hasVectors, StructMemory<bool, BooleanCodec>.Moves is not null);
        Assert.Equal(CodecForm.Blittable, Store_Tests_StructArrays_PointCodec.Form);
        Assert.Equal(CodecForm.Blittable, Store_Tests_StructArrays_BodyCodec.Form);
        Assert.Equal(CodecForm.Fixed, Store_Tests_StructArrays_NumberAndDateCodec.Form);
        Assert.Equal<byte>([4, 0, 8, 2], Store_Tests_StructArrays_NumberAndDateCodec.Memory.ToArray());
        Assert.Null(StructMemory<Long, Store_Tests_StructArrays_LongCodec>.Moves);
    }

    [Fact]
    public void AStructWhoseAccessorsOrConstructorDoSomethingIsNeverMoved()
    {
        Assert.True(IsUnknown<Store_Tests_StructArrays_DoubledCodec>());
        Assert.True(IsUnknown<Store_Tests_StructArrays_ClampedCodec>());
        Assert.True(IsUnknown<Store_Tests_StructArrays_CountingCodec>());
        Assert.True(IsUnknown<Store_Tests_StructArrays_HidingCodec>());
        Clamped[] read = NinoSerializer.Deserialize<Clamped[]>(NinoSerializer.Serialize(Enumerable.Range(0, 40).Select(static i => new Clamped(i)).ToArray()));
        Assert.All(read, static value => Assert.InRange(value.Value, 0, 9));
    }

    [Fact]
    public void WhichOfTwoLocalTimesThatAClockShowsAlikeIsMeantIsKept()
    {
        DateTime first = Unsafe.BitCast<ulong, DateTime>((3UL << 62) | 638_000_000_000_000_000);
        Assert.Equal(DateTimeKind.Local, first.Kind);
        for (int place = 0; place < 50; place++)
        {
            var values = new NumberAndDate[50];
            values[place].At = first;
            NumberAndDate[] read = NinoSerializer.Deserialize<NumberAndDate[]>(NinoSerializer.Serialize(values));
            Assert.Equal(Unsafe.BitCast<DateTime, ulong>(first), Unsafe.BitCast<DateTime, ulong>(read[place].At));
            Assert.Equal(OneByOne(values), NinoSerializer.Serialize(values)[1..]);
        }
    }

    [Fact]
    public void BitsThatNoValueHasAreRefusedAtEveryPlaceOfAnArray()
    {
        const int count = 50;
        byte[] dates = NinoSerializer.Serialize(new NumberAndDate[count]);
        byte[] flags = NinoSerializer.Serialize(new SmallAndFlag[count]);
        byte[] bools = NinoSerializer.Serialize(new bool[count]);
        for (int place = 0; place < count; place++)
        {
            foreach (ulong bad in (ulong[])[(3UL << 62) | ((ulong)DateTime.MaxValue.Ticks + 1), (ulong)DateTime.MaxValue.Ticks + 1, ulong.MaxValue >> 2, ulong.MaxValue])
            {
                byte[] damaged = [.. dates];
                BitConverter.TryWriteBytes(damaged.AsSpan(1 + (12 * place) + 4), bad);
                Assert.Throws<NinoSerializationException>(() => NinoSerializer.Deserialize<NumberAndDate[]>(damaged));
                Assert.Throws<NinoSerializationException>(() => NinoSerializer.Deserialize<List<NumberAndDate>>(damaged));
            }

            for (int bit = 1; bit < 8; bit++)
            {
                byte[] damaged = [.. flags];
                damaged[1 + (2 * place) + 1] |= (byte)(1 << bit);
                Assert.Throws<NinoSerializationException>(() => NinoSerializer.Deserialize<SmallAndFlag[]>(damaged));
                damaged = [.. bools];
                damaged[1 + place] |= (byte)(1 << bit);
                Assert.Throws<NinoSerializationException>(() => NinoSerializer.Deserialize<bool[]>(damaged));
            }
        }
    }

    private static bool IsUnknown<TCodec>() where TCodec : struct, INinoCodec => TCodec.Memory.IsEmpty;

    private static DateTime Date(Random random) => new(random.NextInt64(DateTime.MaxValue.Ticks), (DateTimeKind)random.Next(3));

    private static void Check<T>(Random random, Func<Random, T> make) where T : struct
    {
        foreach (int count in s_counts)
        {
            var values = new T[count];
            for (int i = 0; i < count; i++) values[i] = make(random);
            byte[] bytes = NinoSerializer.Serialize(values);
            byte[] elements = OneByOne(values);
            Assert.Equal(elements, bytes[^elements.Length..]);
            Assert.Equal(values, NinoSerializer.Deserialize<T[]>(bytes));
            Assert.Equal(values, NinoSerializer.Deserialize<List<T>>(bytes));
            if (count > 40) continue;
            for (int length = 0; length < bytes.Length; length++) Assert.Throws<NinoSerializationException>(() => NinoSerializer.Deserialize<T[]>(bytes.AsSpan(0, length)));
        }
    }

    private static byte[] OneByOne<T>(T[] values) => [.. values.SelectMany(static value => NinoSerializer.Serialize(value))];
}

[NinoType]
public struct NumberAndDate
{
    public int Number;
    public DateTime At;
}

[NinoType]
public readonly record struct DateAndInt(DateTime At, int Number);

/// <summary>Twelve bytes in sixteen, in another order than they lie in.</summary>
[NinoType]
[StructLayout(LayoutKind.Explicit, Size = 16)]
public struct ThreeWords
{
    [FieldOffset(8)]
    public int A;

    [FieldOffset(0)]
    public float B;

    [FieldOffset(12)]
    public uint C;
}

[NinoType]
public readonly record struct DateAndNumber(DateTime At, long Number);

[NinoType]
public record struct SmallAndFlag(byte Small, bool Flag);

[NinoType]
public struct Scattered
{
    public byte A { get; set; }

    public int B { get; set; }

    public short C { get; init; }

    public byte D;
}

[NinoType]
public struct Nested
{
    public DayOfWeek Kind { get; set; }

    public SmallAndFlag Inner { get; set; }

    public float Value { get; set; }
}

[NinoType]
public readonly record struct Point(double X, double Y, double Z);

[NinoType]
public struct Body
{
    public Vector3 Place;
    public float Mass;
}

[NinoType]
public struct Generic<TFirst, TSecond>
{
    public TFirst First;
    public TSecond Second;
}

[NinoType]
public struct Long
{
    public long A;
    public DateTime B;
    public long C;
    public bool D;
}

[NinoType]
public struct Doubled
{
    private int _half;

    public int Value
    {
        readonly get => _half * 2;
        set => _half = value / 2;
    }
}

[NinoType]
public readonly struct Clamped(int value)
{
    public int Value { get; } = value % 10;
}

[NinoType]
public struct Counting
{
    public int Value
    {
        readonly get;
        set => field = Math.Max(0, value);
    }
}

[NinoType]
public struct Hiding
{
    [NinoIgnore]
    public int Hidden;

    public int Value;
}
