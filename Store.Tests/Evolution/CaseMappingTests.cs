using Store.Serialization;
using Store.Tests.Values;
using Xunit.Abstractions;

namespace Store.Tests.Evolution;

/// <summary>Random pairs of schemas with bases and references against a model that follows objects: a value that is read is the one that the model says.</summary>
public sealed class CaseMappingTests(ITestOutputHelper output)
{
    private const int Seed = 20261124, RecordsOfAPair = 4;

    private enum Outcome
    {
        Read,
        Refused,
        RefusedForItsReferences,
    }

    [Fact]
    public void ARecordWithBasesAndReferencesBecomesWhatTheModelSays()
    {
        int pairs = 0, shared = 0;
        int[] outcomes = new int[3];
        foreach ((NinoRecordMapper mapper, int seed) in Pairs(6000))
        {
            pairs++;
            for (int i = 0; i < RecordsOfAPair; i++)
            {
                var record = new RandomRecord(mapper.Stored, (seed * RecordsOfAPair) + i);
                outcomes[(int)Agrees(mapper, record.Bytes, seed, mayRefuse: false, ref shared)]++;
            }
        }

        string counts = $"seed {Seed}: {pairs} pairs; {outcomes[0]} records read, with {shared} objects that occur again; {outcomes[1]} refused, {outcomes[2]} for references in a case that is gone";
        output.WriteLine(counts);
        Assert.True(pairs > 2000 && outcomes[0] > 3000 && outcomes[1] > 300 && outcomes[2] > 100 && shared > 1000, counts);
    }

    [Fact]
    public void ARecordWithBasesAndReferencesThatIsCutAnywhereIsRefused()
    {
        int cuts = 0;
        foreach ((NinoRecordMapper mapper, int seed) in Pairs(2000))
        {
            byte[] bytes = new RandomRecord(mapper.Stored, seed).Bytes;
            if (bytes.Length > 150) continue;
            for (int length = 0; length < bytes.Length; length++, cuts++)
            {
                byte[] cut = bytes[..length];
                Assert.Throws<NinoSerializationException>(() => NinoValue.Decode(mapper.Own, MappingTests.Map(mapper, cut)));
            }
        }

        output.WriteLine($"{cuts} cuts");
        Assert.True(cuts > 5000);
    }

    [Fact]
    public void ARecordWithBasesAndReferencesWithAnyBitFlippedIsRefusedOrReadAsTheModelSays()
    {
        int flips = 0, shared = 0;
        foreach ((NinoRecordMapper mapper, int seed) in Pairs(2000))
        {
            byte[] bytes = new RandomRecord(mapper.Stored, seed).Bytes;
            if (bytes.Length > 60) continue;
            for (int bit = 0; bit < bytes.Length * 8; bit++, flips++)
            {
                byte[] flipped = [.. bytes];
                flipped[bit / 8] ^= (byte)(1 << (bit % 8));
                if (IsRecord(mapper.Stored, flipped)) Agrees(mapper, flipped, seed, mayRefuse: true, ref shared);
                else Read(mapper, flipped);
            }
        }

        output.WriteLine($"{flips} flips");
        Assert.True(flips > 20_000);
    }

    private static IEnumerable<(NinoRecordMapper Mapper, int Seed)> Pairs(int count)
    {
        for (int seed = Seed; seed < Seed + count; seed++)
        {
            if (CasePair.Create(seed) is { } mapper) yield return (mapper, seed);
        }
    }

    /// <summary>What became of the bytes; fails when the model thinks otherwise.</summary>
    private static Outcome Agrees(NinoRecordMapper mapper, byte[] bytes, int seed, bool mayRefuse, ref int shared)
    {
        CaseModel.Result? expected = Expected(mapper, bytes);
        string? actual = Read(mapper, bytes);
        bool isRefused = actual is null && (mayRefuse || expected is null or { MayBeRefused: true });
        if (!isRefused && expected?.Text != actual) Assert.Fail($"seed {seed}, bytes {Convert.ToHexString(bytes)}\nexpected {expected?.Text}\nactual   {actual}");
        if (actual is null) return expected is null ? Outcome.Refused : Outcome.RefusedForItsReferences;
        shared += expected!.Value.Shared;
        return Outcome.Read;
    }

    private static CaseModel.Result? Expected(NinoRecordMapper mapper, byte[] bytes)
    {
        try
        {
            return CaseModel.Map(mapper.Stored, mapper.Own, NinoValue.Decode(mapper.Stored, bytes));
        }
        catch (DoesNotFitException)
        {
            return null;
        }
    }

    private static string? Read(NinoRecordMapper mapper, byte[] bytes)
    {
        try
        {
            return CaseModel.Text(NinoValue.Decode(mapper.Own, MappingTests.Map(mapper, bytes)), mapper.Own.Root);
        }
        catch (NinoSerializationException)
        {
            return null;
        }
    }

    private static bool IsRecord(NinoSchema schema, byte[] bytes)
    {
        try
        {
            NinoValue.Decode(schema, bytes);
            return true;
        }
        catch (NinoSerializationException)
        {
            return false;
        }
    }
}
