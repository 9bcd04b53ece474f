// Records beside a schema that is not the type's, and may be nobody's: the form in which files and headers bring both. Shapes are edited and schemas made of
// what comes out, or the bytes of a schema are damaged; under what is a schema, records of the type, records made for it, and damaged ones are read as a tree, as
// JSON, by the walk and, by a plan, as the type.
//
// MUTATIONS is the number of inputs (100,000), SEED the seed of a run that is to be repeated.

using System.Diagnostics;
using System.Globalization;
using Store.Serialization;
using Store.Tests.Values;
using Xunit.Abstractions;

namespace Store.Tests.Fuzz;

public sealed class SchemaFuzzTests(ITestOutputHelper output)
{
    private const int SamplesAType = 8;
    private const int RecordsASchema = 8;

    // Under the few schemas that hold hundreds of types there would be time for little else.
    private const int SchemaBytesMax = 4096;

    private const long BytesAnInput = 65_536;
    private const long BytesAByte = 512;

    [Fact]
    public void RecordsBesideMutatedSchemasAreValuesOrRefused()
    {
        int inputs = Effort.Mutations(100_000);
        int seed = Effort.Seed(20261121);
        var random = new Random(seed);
        List<FuzzTarget> targets = [.. SerializerFuzzTests.Targets().Where(static target => target.Schema.CanonicalBytes.Length <= SchemaBytesMax)];
        byte[][][] samples = [.. targets.Select((target, t) => Enumerable.Range(0, SamplesAType).Select(i => new RandomRecord(target.Schema, seed + i).Bytes).ToArray())];
        var edits = new SchemaEdits(random);

        // Tables of the framework that are made on first use are not an input's cost.
        for (int t = 0; t < targets.Count; t++) Run(targets[t], targets[t].Schema, samples[t][0], seed, isMeasured: false);

        long schemas = 0, noSchemas = 0, read = 0, mapped = 0;
        var clock = Stopwatch.StartNew();
        for (int i = 0; i < inputs;)
        {
            int t = random.Next(targets.Count);
            NinoSchema? stored = random.Next(4) == 0 ? Damaged(targets[t], targets[random.Next(targets.Count)], samples[t], random, seed) : Edited(edits, targets[t].Schema, seed);
            if (stored is null)
            {
                noSchemas++;
                i++;
                continue;
            }

            schemas++;
            for (int r = 0; r < RecordsASchema && i < inputs; r++, i++)
            {
                byte[] record = random.Next(2) == 0 ? samples[t][random.Next(SamplesAType)] : new RandomRecord(stored, random.Next(), random.Next(3) == 0 ? 6 : 0).Bytes;
                if (random.Next(2) == 0) record = Mutation.Of(record, samples[t][random.Next(SamplesAType)], random);
                StoredReading reading = Run(targets[t], stored, record, seed);
                if (reading != StoredReading.Refused) read++;
                if (reading == StoredReading.AsTheType) mapped++;
            }
        }

        Effort.Tell(output, "mutated inputs", inputs, $"SEED={seed}",
            string.Create(CultureInfo.InvariantCulture, $"records beside {schemas:N0} mutated schemas of {targets.Count} types ({noSchemas:N0} were none), {read:N0} read, {mapped:N0} as the type, in {clock.Elapsed.TotalSeconds:F1} s"));
        Assert.True(targets.Count > 100 && schemas > 0 && noSchemas > 0, $"{targets.Count} types, {schemas} schemas, {noSchemas} none");
        Assert.InRange(read, mapped + 1, inputs - 1);
        Assert.InRange(mapped, 1, inputs - 1);
    }

    internal static NinoSchema? Edited(SchemaEdits edits, NinoSchema schema, int seed)
    {
        if (edits.Of(schema) is not { } edited) return null;
        NinoSchema parsed = NinoSchema.Parse(edited.CanonicalBytes.Span);
        if (parsed.Fingerprint != edited.Fingerprint) throw new FuzzException($"SEED={seed}, schema {Convert.ToHexString(edited.CanonicalBytes.Span)}: read again, it has another fingerprint");
        return parsed;
    }

    /// <summary>Bytes of a schema after edits, alone and in front of a record. Null where they are none.</summary>
    private static NinoSchema? Damaged(FuzzTarget target, FuzzTarget other, byte[][] samples, Random random, int seed)
    {
        byte[] bytes = Mutation.Of(target.Schema.CanonicalBytes.ToArray(), other.Schema.CanonicalBytes.ToArray(), random);
        try
        {
            target.TryHeader(bytes, samples[random.Next(samples.Length)]);
            long before = GC.GetAllocatedBytesForCurrentThread();
            NinoSchema? parsed = null;
            try
            {
                parsed = NinoSchema.Parse(bytes);
            }
            catch (NinoSerializationException)
            {
                // What most of them are.
            }

            long allocated = GC.GetAllocatedBytesForCurrentThread() - before;
            return allocated <= BytesAnInput + (BytesAByte * bytes.Length) ? parsed : throw new FuzzException($"a schema of {bytes.Length} bytes allocated {allocated}");
        }
        catch (Exception error)
        {
            throw new InvalidOperationException($"SEED={seed}, type '{target.Type}', schema {Convert.ToHexString(bytes)}: {error.Message}", error);
        }
    }

    internal static StoredReading Run(FuzzTarget target, NinoSchema stored, byte[] record, int seed, bool isMeasured = true)
    {
        try
        {
            return target.TryStored(stored, record);
        }
        catch (FuzzException error) when (!isMeasured && error.Message.Contains("allocated"))
        {
            return StoredReading.Refused;
        }
        catch (Exception error)
        {
            throw new InvalidOperationException($"SEED={seed}, type '{target.Type}', schema {Convert.ToHexString(stored.CanonicalBytes.Span)}, input {Convert.ToHexString(record)}: {error.Message}", error);
        }
    }
}
