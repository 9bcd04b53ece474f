// Programs that nobody picked: types of every form with members of every type, compiled with their generated code, loaded, and tried with random values; then their next version, which reads what they wrote.
//
// PROGRAMS is how many, SEED the first one; a failure prints the seed and the smallest part of the program that still fails.

using Xunit.Abstractions;

namespace Store.Tests.Generator.RandomPrograms;

public sealed class RandomProgramTests(ITestOutputHelper output)
{
    private const int ValuesOfEach = 4;
    private const int Tries = 120;

    [Fact]
    public void WhateverAProgramDeclaresComesBackAndIsReadByItsNextVersion()
    {
        int first = Effort.DrawnSeed(quick: 20261130);
        long records = 0;
        for (int seed = first; seed < first + Effort.Programs; seed++)
        {
            if (Fails(seed, ProgramCut.Nothing, ref records) is not { } failure) continue;
            long none = 0;
            ProgramCut cut = Shrinker.Shrink(ProgramDrawer.Draw(seed), smaller => Fails(seed, smaller, ref none)?.Kind == failure.Kind, Tries);
            ProgramFailure smallest = Fails(seed, cut, ref none) ?? failure;
            Evolution evolution = ProgramMutation.Mutate(cut.Draw(seed), cut.Draw(seed), seed);
            Assert.Fail($"SEED={seed}: {smallest}\n\n{ProgramPrinter.Print(cut.Draw(seed))}\n// The next version:\n\n{ProgramPrinter.Print(evolution.Next)}\n\nThe whole program: {failure.Message}");
        }

        Effort.Tell(output, "random programs", Effort.Programs, $"SEED={first}", $"{records} records, each in every way");
    }

    private static ProgramFailure? Fails(int seed, ProgramCut cut, ref long records)
    {
        try
        {
            ProgramModel program = cut.Draw(seed);
            records += ProgramChecks.Run(program, ProgramMutation.Mutate(program, cut.Draw(seed), seed), seed, ValuesOfEach);
            return null;
        }
        catch (ProgramFailure failure)
        {
            return failure;
        }
    }
}
