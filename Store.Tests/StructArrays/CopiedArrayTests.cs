// Where the encoding is the memory but for bits that no value has, elements are copied by vectors of which the last overlaps the one before it, and looked at on the way: every count, and every place of an odd one.

using System.Buffers.Binary;
using System.Runtime.CompilerServices;
using Store.Serialization;

namespace Store.Tests.StructArrays;

public sealed class CopiedArrayTests
{
    private const int MaxCount = 70;

    [Theory]
    [InlineData(DateTimeKind.Unspecified)]
    [InlineData(DateTimeKind.Utc)]
    [InlineData(DateTimeKind.Local)]
    public void DatesOfOneKindAreTheirBitsWhateverTheirCount(DateTimeKind kind)
    {
        var random = new Random(20261127);
        for (int count = 0; count <= MaxCount; count++)
        {
            DateTime[] dates = [.. Enumerable.Range(0, count).Select(_ => new DateTime(random.NextInt64(1L << 60), kind))];
            byte[] expected = Bytes(dates);
            byte[] memory = new byte[expected.Length + 64];
            memory.AsSpan().Fill(0xEE);
            var writer = new NinoWriter(memory.AsSpan(0, expected.Length));
            NinoCodec<DateTime[]>.Default.WriteRecord(ref writer, in dates);

            Assert.Equal(expected, memory[..expected.Length]);
            Assert.All(memory[expected.Length..], static one => Assert.Equal(0xEE, one));
            DateTime[] read = NinoSerializer.Deserialize<DateTime[]>(expected);
            Assert.Equal(dates, read);
            Assert.All(read, date => Assert.Equal(kind, date.Kind));
        }
    }

    [Fact]
    public void WhichOfTwoLocalTimesThatAClockShowsAlikeIsMeantIsKeptAtEveryPlace()
    {
        DateTime first = Unsafe.BitCast<ulong, DateTime>((3UL << 62) | 638_000_000_000_000_000);
        DateTime second = new(first.Ticks, DateTimeKind.Local);
        Assert.Equal(3UL, BinaryPrimitives.ReadUInt64LittleEndian(NinoSerializer.Serialize(first)) >> 62);
        Assert.Equal(InMemory(first), InMemory(NinoSerializer.Clone(first)));
        Assert.Equal(InMemory(second), InMemory(NinoSerializer.Clone(second)));
        ForEveryPlace((count, place) =>
        {
            var dates = new DateTime[count];
            Array.Fill(dates, second);
            dates[place] = first;
            Assert.Equal(dates.Select(InMemory), NinoSerializer.Clone(dates).Select(InMemory));
            Assert.Equal(dates.Select(InMemory), NinoSerializer.Clone(new List<DateTime>(dates)).Select(InMemory));
        });
    }

    [Fact]
    public void BitsThatNoDateHasAreRefusedAtEveryPlace() => ForEveryPlace(static (count, place) =>
    {
        foreach (ulong bad in (ulong[])[(3UL << 62) | ((ulong)DateTime.MaxValue.Ticks + 1), (ulong)DateTime.MaxValue.Ticks + 1, ulong.MaxValue >> 2, ulong.MaxValue])
        {
            byte[] damaged = Bytes(new DateTime[count]);
            BinaryPrimitives.WriteUInt64LittleEndian(damaged.AsSpan(1 + (8 * place)), bad);
            Assert.Throws<NinoSerializationException>(() => NinoSerializer.Deserialize<DateTime[]>(damaged));
            Assert.Throws<NinoSerializationException>(() => NinoSerializer.Deserialize<List<DateTime>>(damaged));
        }
    });

    [Fact]
    public void AByteThatIsNeitherTrueNorFalseIsRefusedAtEveryPlace() => ForEveryPlace(static (count, place) =>
    {
        byte[] damaged = NinoSerializer.Serialize(new bool[count]);
        foreach (byte bad in (byte[])[2, 3, 0x80, 0xFF])
        {
            damaged[1 + place] = bad;
            Assert.Throws<NinoSerializationException>(() => NinoSerializer.Deserialize<bool[]>(damaged));
        }
    });

    [Fact]
    public void StructsWithoutPaddingAreCheckedInBothHalvesOfAVector() => ForEveryPlace(static (count, place) =>
    {
        DateAndNumber[] values = [.. Enumerable.Range(0, count).Select(static i => new DateAndNumber(new DateTime(i, DateTimeKind.Utc), -i))];
        byte[] bytes = NinoSerializer.Serialize(values);
        Assert.Equal(values, NinoSerializer.Deserialize<DateAndNumber[]>(bytes));
        BinaryPrimitives.WriteUInt64LittleEndian(bytes.AsSpan(1 + (16 * place)), (ulong)DateTime.MaxValue.Ticks + 1);
        Assert.Throws<NinoSerializationException>(() => NinoSerializer.Deserialize<DateAndNumber[]>(bytes));
        BinaryPrimitives.WriteUInt64LittleEndian(bytes.AsSpan(1 + (16 * place)), 5);
        BinaryPrimitives.WriteUInt64LittleEndian(bytes.AsSpan(1 + (16 * place) + 8), ulong.MaxValue);
        Assert.Equal(-1, NinoSerializer.Deserialize<DateAndNumber[]>(bytes)[place].Number);
    });

    private static void ForEveryPlace(Action<int, int> check)
    {
        for (int count = 1; count <= MaxCount; count++)
        {
            for (int place = 0; place < count; place++) check(count, place);
        }
    }

    private static ulong InMemory(DateTime date) => Unsafe.BitCast<DateTime, ulong>(date);

    // As the format page has it: ticks, and the kind in the two highest bits.
    private static ulong Bits(DateTime date) => (ulong)date.Ticks | ((ulong)date.Kind << 62);

    private static byte[] Bytes(DateTime[] dates)
    {
        byte[] bytes = new byte[1 + (8 * dates.Length)];
        bytes[0] = (byte)(dates.Length + 1);
        for (int i = 0; i < dates.Length; i++) BinaryPrimitives.WriteUInt64LittleEndian(bytes.AsSpan(1 + (8 * i)), Bits(dates[i]));
        return bytes;
    }
}
