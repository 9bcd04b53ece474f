using Store.Serialization;
using Store.Tests.Values;
using Xunit.Abstractions;

namespace Store.Tests.Evolution;

/// <summary>Random schema pairs against the model, whole and damaged.</summary>
public sealed class MappingTests(ITestOutputHelper output)
{
    private const int Seed = 20261121;

    [Fact]
    public void ARecordOfAnySchemaBecomesWhatTheModelSays()
    {
        output.WriteLine($"seed {Seed}");
        int mapped = 0, refused = 0;
        for (int i = 0; i < 5000; i++)
        {
            (NinoRecordMapper mapper, RandomRecord record) = Pair(Seed + i);
            if (Agrees(mapper, record.Bytes, Seed + i)) mapped++;
            else refused++;
        }

        output.WriteLine($"{mapped} mapped, {refused} refused");
        Assert.True(mapped > 2500 && refused > 100, $"{mapped} mapped, {refused} refused");
    }

    [Fact]
    public void ARecordCutAnywhereIsRefusedUnderAPlan()
    {
        int cuts = 0;
        for (int i = 0; cuts < 5000; i++)
        {
            (NinoRecordMapper mapper, RandomRecord record) = Pair(Seed + i);
            if (record.Bytes.Length > 300) continue;
            for (int length = 0; length < record.Bytes.Length; length++, cuts++)
            {
                byte[] cut = record.Bytes[..length];
                Assert.Throws<NinoSerializationException>(() => Map(mapper, cut));
            }
        }

        output.WriteLine($"{cuts} cuts");
    }

    [Fact]
    public void AnyBitFlippedIsRefusedOrReadAsTheModelSays()
    {
        int flips = 0;
        for (int i = 0; flips < 25_000; i++)
        {
            (NinoRecordMapper mapper, RandomRecord record) = Pair(Seed + i);
            if (record.Bytes.Length > 150) continue;
            for (int bit = 0; bit < record.Bytes.Length * 8; bit++, flips++)
            {
                byte[] flipped = [.. record.Bytes];
                flipped[bit / 8] ^= (byte)(1 << (bit % 8));
                Agrees(mapper, flipped, Seed + i);
            }
        }

        output.WriteLine($"{flips} flips");
    }

    [Fact]
    public void RandomBytesNeverCostMoreThanTheLimitsAllow()
    {
        var random = new Random(Seed);
        var limits = new NinoLimits { MaxRecordBytes = 1 << 16 };
        for (int i = 0; i < 3000; i++)
        {
            (NinoRecordMapper mapper, _) = Pair(Seed + i);
            byte[] bytes = new byte[random.Next(200)];
            random.NextBytes(bytes);
            long before = GC.GetAllocatedBytesForCurrentThread();
            try
            {
                Map(mapper, bytes, limits);
            }
            catch (NinoSerializationException)
            {
                // What most of them are.
            }

            Assert.True(GC.GetAllocatedBytesForCurrentThread() - before < 1 << 20, $"seed {Seed + i}");
        }
    }

    [Fact]
    public void ElementsThatLoseAMemberAndWidenTheOtherAreNoRunOfNumbers()
    {
        NinoSchema stored = Shapes.Schema(SchemaNode.List(Shapes.Struct("S", ("Old", Shapes.Of(SchemaKind.Int32)), ("Value", Shapes.Of(SchemaKind.UInt16)))));
        NinoSchema own = Shapes.Schema(SchemaNode.List(Shapes.Struct("S", ("Value", Shapes.Of(SchemaKind.UInt32)))));
        Assert.Equal([3, 1, 0, 0, 0, 2, 0, 0, 0], Map(NinoRecordMapper.Create(stored, own), [3, 9, 0, 0, 0, 1, 0, 8, 0, 0, 0, 2, 0]));
    }

    /// <summary>True when the bytes map, false when they are refused; fails when the model thinks otherwise.</summary>
    private static bool Agrees(NinoRecordMapper mapper, byte[] bytes, int seed)
    {
        string? expected = Expected(mapper, bytes);
        string? actual;
        try
        {
            byte[] mapped = Map(mapper, bytes);
            actual = MapModel.Text(NinoValue.Decode(mapper.Own, mapped), mapper.Own.Root);
        }
        catch (NinoSerializationException)
        {
            actual = null;
        }

        if (expected != actual) Assert.Fail($"seed {seed}, bytes {Convert.ToHexString(bytes)}\nexpected {expected}\nactual   {actual}");
        return actual is not null;
    }

    private static string? Expected(NinoRecordMapper mapper, byte[] bytes)
    {
        try
        {
            return MapModel.Map(NinoValue.Decode(mapper.Stored, bytes), mapper.Stored.Root, mapper.Own.Root);
        }
        catch (Exception e) when (e is NinoSerializationException or DoesNotFitException)
        {
            return null;
        }
    }

    private static (NinoRecordMapper Mapper, RandomRecord Record) Pair(int seed)
    {
        var record = new RandomRecord(seed, isPlain: true);
        return (NinoRecordMapper.Create(record.Schema, new SchemaMutation(new Random(seed)).Of(record.Schema)), record);
    }

    internal static byte[] Map(NinoRecordMapper mapper, byte[] bytes, NinoLimits? limits = null)
    {
        ContiguousBuffer buffer = ContiguousBuffer.Rent();
        try
        {
            var reader = new NinoReader(bytes, limits);
            var writer = new NinoWriter(buffer, limits);
            mapper.Map(ref reader, ref writer);
            writer.Flush();
            return buffer.Written.ToArray();
        }
        finally
        {
            buffer.Return();
        }
    }
}
