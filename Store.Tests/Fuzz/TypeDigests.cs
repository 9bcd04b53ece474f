// What is read of damaged records of every type, and what is refused, told so that processes can be compared: one with other instructions or code that is compiled in another way (InstructionSetTests), one in which many threads use every type first (ConcurrentFirstUseTests).

using System.Diagnostics;
using System.Globalization;
using System.Runtime.Intrinsics;
using System.Runtime.Intrinsics.X86;
using System.Security.Cryptography;
using Store.Serialization;
using Store.Tests.Values;

namespace Store.Tests.Fuzz;

/// <summary>A line for each type: a digest of what its records, mutated ones, and records of edited schemas are written as when they were read.</summary>
internal static class TypeDigests
{
    public const string Argument = "type-digests";

    private const int SamplesAType = 4;
    private const int SchemaBytesMax = 4096;

    /// <summary>Makes them in a process of its own.</summary>
    /// <param name="seed">Of the inputs.</param>
    /// <param name="inputs">How many of each type, and as many beside edited schemas.</param>
    /// <param name="threads">How many threads go through all types at once, each in an order of its own, before anybody has used one.</param>
    /// <param name="knobs">Variables that are set.</param>
    /// <returns>The instructions that the process has, and the lines of each thread in the order of the types.</returns>
    public static (string[] Instructions, string[][] Types) InProcess(int seed, int inputs, int threads = 1, params (string Name, string Value)[] knobs)
    {
        IEnumerable<string> numbers = ((int[])[seed, inputs, threads]).Select(static number => number.ToString(CultureInfo.InvariantCulture));
        var start = new ProcessStartInfo("dotnet", ["exec", typeof(TypeDigests).Assembly.Location, Argument, .. numbers]);
        foreach ((string name, string value) in knobs) start.Environment[name] = value;
        EndedProcess child = EndedProcess.Of(start);
        Assert.True(child.ExitCode == 0, $"SEED={seed}: {child.Errors}");
        string[] lines = child.Text.Split('\n', StringSplitOptions.RemoveEmptyEntries);
        return (lines[0].Split(' ')[1..], [.. lines[1..].Chunk((lines.Length - 1) / threads)]);
    }

    /// <summary>The process.</summary>
    public static int RunChild(int seed, int inputs, int threads)
    {
        string[][] told = new string[threads][];
        using var start = new Barrier(threads);
        Thread[] workers = [.. Enumerable.Range(0, threads).Select(i => new Thread(() =>
        {
            FuzzTarget[] targets = [.. SerializerFuzzTests.Targets()];
            int[] order = [.. Enumerable.Range(0, targets.Length)];
            if (threads > 1) new Random(seed + i).Shuffle(order);
            told[i] = new string[targets.Length];
            start.SignalAndWait();
            foreach (int t in order) told[i][t] = $"{targets[t].Type} {Of(targets[t], seed, inputs, isAlone: threads == 1)}";
        }))];
        foreach (Thread worker in workers) worker.Start();
        foreach (Thread worker in workers) worker.Join();

        Console.WriteLine($"instructions: {string.Join(' ', Instructions())}");
        foreach (string line in told.SelectMany(static lines => lines)) Console.WriteLine(line);
        return 0;
    }

    private static string Of(FuzzTarget target, int seed, int inputs, bool isAlone)
    {
        using var told = IncrementalHash.CreateHash(HashAlgorithmName.SHA256);
        var random = new Random(seed);
        byte[][] samples = [.. Enumerable.Range(0, SamplesAType).Select(i => new RandomRecord(target.Schema, seed + i).Bytes)];
        for (int i = 0; i < inputs; i++)
        {
            byte[] input = i < SamplesAType ? samples[i] : Mutation.Of(samples[random.Next(SamplesAType)], samples[random.Next(SamplesAType)], random);
            if (isAlone) SerializerFuzzTests.Run(target, input, i < SamplesAType ? FuzzDepth.Everything : FuzzDepth.Codec, seed, isMeasured: i >= SamplesAType);
            Tell(told, target, target.Schema, input);
        }

        if (target.Schema.CanonicalBytes.Length <= SchemaBytesMax) OtherSchemas(target, samples, random, seed, inputs, told, isAlone);
        return Convert.ToHexString(told.GetHashAndReset());
    }

    private static void OtherSchemas(FuzzTarget target, byte[][] samples, Random random, int seed, int inputs, IncrementalHash told, bool isAlone)
    {
        var edits = new SchemaEdits(random);
        for (int i = 0; i < inputs; i++)
        {
            if (SchemaFuzzTests.Edited(edits, target.Schema, seed) is not { } stored) continue;
            byte[] record = new RandomRecord(stored, seed + i).Bytes;
            if (i % 4 == 3) record = Mutation.Of(record, samples[random.Next(SamplesAType)], random);
            if (isAlone) SchemaFuzzTests.Run(target, stored, record, seed);
            Tell(told, target, stored, record);
        }
    }

    private static void Tell(IncrementalHash told, FuzzTarget target, NinoSchema stored, byte[] record)
    {
        byte[]? written = target.WriteAgain(stored, record);
        told.AppendData([written is null ? (byte)0 : (byte)1]);
        told.AppendData(written ?? []);
    }

    private static IEnumerable<string> Instructions()
    {
        if (Vector128.IsHardwareAccelerated) yield return nameof(Vector128);
        if (Avx2.IsSupported) yield return nameof(Avx2);
        if (Vector512.IsHardwareAccelerated || Avx512Vbmi.IsSupported) yield return nameof(Vector512);
    }
}
