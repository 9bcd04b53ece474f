// Which instructions a machine has decides which loops move texts, numbers and structs; what they write and what they refuse must not depend on it. Processes of
// their own, with instructions switched off, read the same damaged records of every type, each beside its own schema and beside others, and tell what they made of them.
//
// SEED is the seed of a run that is to be repeated.

using System.Diagnostics;
using System.Globalization;
using System.Runtime.Intrinsics;
using System.Runtime.Intrinsics.X86;
using System.Security.Cryptography;
using Store.Serialization;
using Store.Tests.Values;
using Xunit.Abstractions;

namespace Store.Tests.Fuzz;

public sealed class InstructionSetTests(ITestOutputHelper output)
{
    internal const string Argument = "instruction-sets";

    private const int SamplesAType = 4;
    private const int InputsAType = 24;
    private const int SchemaBytesMax = 4096;

    private static readonly int s_seed = Effort.Seed(20261128);
    private static readonly Lazy<(string Instructions, string[] Types)> s_all = new(static () => Child(null));

    [Theory]
    [InlineData("EnableAVX512", nameof(Vector512))]
    [InlineData("EnableAVX2", nameof(Avx2))]
    [InlineData("EnableHWIntrinsic", nameof(Vector128))]
    public void WhatIsReadAndRefusedDoesNotDependOnTheInstructionsOfTheMachine(string knob, string instructions)
    {
        (string has, string[] types) = s_all.Value;
        (string lacks, string[] typesWithout) = Child("DOTNET_" + knob);
        output.WriteLine($"SEED={s_seed}; {types.Length} types; with {has}; without {knob}: {lacks}");

        Assert.DoesNotContain(instructions, lacks.Split(' '));
        Assert.True(types.Length > 100);
        Assert.Equal(types, typesWithout);
    }

    private static (string Instructions, string[] Types) Child(string? withoutKnob)
    {
        var start = new ProcessStartInfo("dotnet", ["exec", typeof(InstructionSetTests).Assembly.Location, Argument, s_seed.ToString(CultureInfo.InvariantCulture)]) { RedirectStandardOutput = true, RedirectStandardError = true };
        if (withoutKnob is not null) start.Environment[withoutKnob] = "0";
        using Process child = Process.Start(start)!;
        Task<string> errors = child.StandardError.ReadToEndAsync();
        string[] lines = child.StandardOutput.ReadToEnd().Split('\n', StringSplitOptions.RemoveEmptyEntries);
        child.WaitForExit();
#pragma warning disable xUnit1031 // the process has ended
        Assert.True(child.ExitCode == 0, errors.Result);
#pragma warning restore xUnit1031
        return (lines[0], lines[1..]);
    }

    internal static int RunChild(int seed)
    {
        Console.WriteLine($"instructions: {string.Join(' ', Instructions())}");
        var edits = new SchemaEdits(new Random(seed));
        foreach (FuzzTarget target in SerializerFuzzTests.Targets())
        {
            using var told = IncrementalHash.CreateHash(HashAlgorithmName.SHA256);
            byte[][] samples = [.. Enumerable.Range(0, SamplesAType).Select(i => new RandomRecord(target.Schema, seed + i).Bytes)];
            foreach (byte[] sample in samples) SerializerFuzzTests.Run(target, sample, FuzzDepth.Everything, seed, isMeasured: false);

            var random = new Random(seed);
            for (int i = 0; i < InputsAType; i++)
            {
                byte[] input = i < SamplesAType ? samples[i] : Mutation.Of(samples[random.Next(SamplesAType)], samples[random.Next(SamplesAType)], random);
                SerializerFuzzTests.Run(target, input, FuzzDepth.Codec, seed);
                Tell(told, target, target.Schema, input);
            }

            OtherSchemas(target, samples, edits, random, seed, told);
            Console.WriteLine($"{target.Type} {Convert.ToHexString(told.GetHashAndReset())}");
        }

        return 0;
    }

    private static void OtherSchemas(FuzzTarget target, byte[][] samples, SchemaEdits edits, Random random, int seed, IncrementalHash told)
    {
        if (target.Schema.CanonicalBytes.Length > SchemaBytesMax) return;
        for (int i = 0; i < InputsAType; i++)
        {
            if (SchemaFuzzTests.Edited(edits, target.Schema, seed) is not { } stored) continue;
            byte[] record = new RandomRecord(stored, seed + i).Bytes;
            if (i % 4 == 3) record = Mutation.Of(record, samples[random.Next(SamplesAType)], random);
            SchemaFuzzTests.Run(target, stored, record, seed);
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
