// Every codec that this assembly knows, generated and built in, under mutated input: records made from the type's schema, some with wrong values at the
// places that matter, then edited. Structure-aware; what is guided by coverage is Store.Fuzz (docs/fuzzing.md).
//
// MUTATIONS is the number of inputs (1,000,000), SEED the seed of a run that is to be repeated.

using System.Diagnostics;
using System.Globalization;
using System.Runtime.Loader;
using Store.Tests.Serialization;
using Store.Tests.Values;
using Xunit.Abstractions;

namespace Store.Tests.Fuzz;

public sealed class SerializerFuzzTests(ITestOutputHelper output)
{
    private const int SamplesAType = 24;

    // Types with codecs that are not what they say on purpose.
    private static readonly Type[] s_wrong = [typeof(Snapshots.Huge)];

    [Fact]
    public void MutatedRecordsOfEveryTypeAreRecordsOrRefused()
    {
        int inputs = Effort.Mutations(1_000_000);
        int seed = Effort.Seed(20261121);
        var random = new Random(seed);
        List<FuzzTarget> targets = Targets();
        byte[][][] samples = [.. targets.Select((target, t) => Enumerable.Range(0, SamplesAType).Select(i => new RandomRecord(target.Schema, seed + i, i % 4 == 3 ? 6 : 0).Bytes).Concat(Seeds(target)).ToArray())];

        // Tables of the framework that are made on first use are not an input's cost.
        for (int t = 0; t < targets.Count; t++)
        {
            foreach (byte[] sample in samples[t]) Run(targets[t], sample, FuzzDepth.Everything, seed, isMeasured: false);
        }

        long accepted = 0;
        var clock = Stopwatch.StartNew();
        for (int i = 0; i < inputs; i++)
        {
            int t = random.Next(targets.Count);
            byte[] input = Mutation.Of(samples[t][random.Next(samples[t].Length)], samples[t][random.Next(samples[t].Length)], random);
            if (Run(targets[t], input, i % 16 == 0 ? FuzzDepth.Everything : FuzzDepth.Codec, seed)) accepted++;
        }

        Effort.Tell(output, "mutated inputs", inputs, $"SEED={seed}", string.Create(CultureInfo.InvariantCulture, $"records of {targets.Count} types, {accepted:N0} accepted, the others refused, in {clock.Elapsed.TotalSeconds:F1} s"));
        Assert.InRange(accepted, 1, inputs - 1);
        Assert.True(targets.Count > 100);
    }

    internal static bool Run(FuzzTarget target, byte[] input, FuzzDepth depth, int seed, bool isMeasured = true)
    {
        try
        {
            return target.Try(input, depth);
        }
        catch (FuzzException error) when (!isMeasured && error.Message.Contains("allocated"))
        {
            return false;
        }
        catch (Exception error)
        {
            throw new InvalidOperationException($"SEED={seed}, type '{target.Type}', input {Convert.ToHexString(input)}: {error.Message}", error);
        }
    }

    // Programs that the tests of the generator compile and run register their types in this process too, whichever of them ran before. Those with codecs for types that are here anyway run with an engine of their own (GeneratorHarness.RunIsolated).
    private static bool IsOfAnotherTest(Type type) =>
        AssemblyLoadContext.GetLoadContext(type.Assembly) != AssemblyLoadContext.Default || (type.GetElementType() is { } element && IsOfAnotherTest(element)) || type.GetGenericArguments().Any(IsOfAnotherTest);

    /// <summary>Every registered type of this assembly, and its arrays' and the framework's codecs inside of them.</summary>
    internal static List<FuzzTarget> Targets() => FuzzTarget.All(typeof(SerializerFuzzTests).Assembly, static type => s_wrong.Contains(type) || IsOfAnotherTest(type));

    /// <summary>Records of the type that nobody draws: the golden ones, and those of values that the tests have of it.</summary>
    internal static IEnumerable<byte[]> Seeds(FuzzTarget target) =>
        // What a golden Type names is on the sample's own list; whether it is on the program's depends on which tests ran before.
        Samples.All.Where(sample => sample.Type == target.Type && sample.Schema.Fingerprint == target.Schema.Fingerprint && (sample.Type.GetElementType() ?? sample.Type) != typeof(Type)).Select(static sample => sample.Golden).Concat(FuzzSeeds.Of(target.Type));
}
