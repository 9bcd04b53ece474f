// SEED is the seed of a run that is to be repeated.

using System.Runtime.Intrinsics;
using System.Runtime.Intrinsics.X86;
using Xunit.Abstractions;

namespace Store.Tests.Fuzz;

/// <summary>Which instructions a machine has decides which loops move texts, numbers and structs, and the runtime compiles a method several times: what they write and what they refuse must not depend on it.</summary>
public sealed class InstructionSetTests(ITestOutputHelper output)
{
    private const int InputsAType = 24;

    private static readonly int s_seed = Effort.Seed(20261128);
    private static readonly Lazy<(string[] Instructions, string[][] Types)> s_all = new(static () => TypeDigests.InProcess(s_seed, InputsAType));

    [Theory]
    [InlineData("EnableAVX512", nameof(Vector512))]
    [InlineData("EnableAVX2", nameof(Avx2))]
    [InlineData("EnableHWIntrinsic", nameof(Vector128))]
    public void WhatIsReadAndRefusedDoesNotDependOnTheInstructionsOfTheMachine(string knob, string instructions)
    {
        (string[] has, string[][] types) = s_all.Value;
        (string[] lacks, string[][] typesWithout) = TypeDigests.InProcess(s_seed, InputsAType, knobs: ("DOTNET_" + knob, "0"));
        output.WriteLine($"SEED={s_seed}; {types[0].Length} types; '{string.Join(' ', has)}'; without {knob} '{string.Join(' ', lacks)}'");

        Assert.DoesNotContain(instructions, lacks);
        Assert.True(types[0].Length > 100);
        Assert.Equal(types[0], typesWithout[0]);
    }

    /// <summary>The tests run without code that is compiled anew by what it was seen to do, which the programs of users are: here from the thirtieth call on, and once with all code compiled for good at the first.</summary>
    [Theory]
    [InlineData("TieredPGO=1 TC_CallCountingDelayMs=0")]
    [InlineData("TieredCompilation=0")]
    public void NorOnHowCodeIsCompiled(string knobs)
    {
        (string[] _, string[][] types) = s_all.Value;
        (string[] _, string[][] compiled) = TypeDigests.InProcess(s_seed, InputsAType, knobs: [.. knobs.Split(' ').Select(static knob => ("DOTNET_" + knob.Split('=')[0], knob.Split('=')[1]))]);
        output.WriteLine($"SEED={s_seed}; {types[0].Length} types; {knobs}");
        Assert.Equal(types[0], compiled[0]);
    }
}
