// Random records of many types, read over random others, whole and damaged.

using Store.Serialization;
using Store.Tests.Values;
using Xunit.Abstractions;

namespace Store.Tests.Reuse;

public class ReusePropertyTests(ITestOutputHelper output)
{
    private readonly int _seed = Effort.Seed(20261121);

    public static TheoryData<string> Types => [.. Checks.Keys];

    private static readonly Dictionary<string, Action<ReusePropertyTests>> Checks = new()
    {
        [nameof(Simple)] = static tests => tests.Check<Simple>(),
        [nameof(Whole)] = static tests => tests.Check<Whole>(),
        [nameof(Part)] = static tests => tests.Check<Part>(),
        [nameof(Message)] = static tests => tests.Check<Message>(),
        [nameof(Spot)] = static tests => tests.Check<Spot>(),
        ["List<Whole>"] = static tests => tests.Check<List<Whole>>(),
        ["Everything"] = static tests => tests.Check<Generator.RoundTrips.Everything>(),
        ["Tree"] = static tests => tests.Check<Generator.RoundTrips.Tree>(),
        ["Primitives"] = static tests => tests.Check<Generator.RoundTrips.Primitives>(),
        ["Nothings"] = static tests => tests.Check<Generator.RoundTrips.Nothings>(),
        ["Labelled"] = static tests => tests.Check<Generator.RoundTrips.Labelled>(),
        ["Plains"] = static tests => tests.Check<Dictionary<string, Generator.RoundTrips.Plain>>(),
        ["Drawing"] = static tests => tests.Check<Generator.Polymorphism.Drawing>(),
        ["Line"] = static tests => tests.Check<Generator.Polymorphism.Line>(),
        ["Event"] = static tests => tests.Check<Generator.Polymorphism.Event>(),
        ["Person"] = static tests => tests.Check<Generator.References.Person>(),
        ["Session"] = static tests => tests.Check<Generator.Construction.Session>(),
        ["ScalarArrays"] = static tests => tests.Check<Types.ScalarArrays>(),
        ["Compared"] = static tests => tests.Check<Types.Compared>(),
        ["TreeOfGrids"] = static tests => tests.Check<Types.TreeOfGrids>(),
        ["Order"] = static tests => tests.Check<Evolution.Before.Order>(),
    };

    [Theory]
    [MemberData(nameof(Types))]
    public void AnythingReadOverAnythingIsWhatReadingAnewGives(string type)
    {
        output.WriteLine($"seed {_seed}");
        Checks[type](this);
    }

    private void Check<T>()
    {
        NinoCodec<T> codec = NinoCodec<T>.Default;
        var random = new Random(_seed);
        List<byte[]> records = [];
        for (int seed = 0; records.Count < 40 && seed < 2000; seed++)
        {
            byte[] record = new RandomRecord(codec.Schema, _seed + seed).Bytes;
            if (Recode<T>(record) is { } same) records.Add(same);
        }

        Assert.True(records.Count > 3, $"{records.Count} records of {codec.Schema.Name}");
        T? value = default;
        for (int i = 0; i < 400; i++)
        {
            byte[] record = records[random.Next(records.Count)];
            byte[] stored = random.Next(3) > 0 ? record : Damage(record, random);
            try
            {
                NinoSerializer.Deserialize(stored, ref value);
            }
            catch (NinoSerializationException)
            {
                // What reading anew refuses, and nothing else. What the variable holds now is filled again by the next.
                Assert.Null(Recode<T>(stored));
                continue;
            }

            Assert.Equal(Recode<T>(stored), NinoSerializer.Serialize(value));
        }
    }

    private static byte[]? Recode<T>(byte[] record)
    {
        try
        {
            return NinoSerializer.Serialize(NinoSerializer.Deserialize<T>(record));
        }
        catch (NinoSerializationException)
        {
            return null;
        }
    }

    private static byte[] Damage(byte[] record, Random random)
    {
        if (record.Length > 0 && random.Next(2) == 0) return record[..random.Next(record.Length)];
        byte[] damaged = [.. record];
        if (damaged.Length > 0) damaged[random.Next(damaged.Length)] ^= (byte)(1 << random.Next(8));
        return damaged;
    }
}
