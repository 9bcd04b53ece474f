// SEED is the seed of a run that is to be repeated.

using Xunit.Abstractions;

namespace Store.Tests.Fuzz;

/// <summary>
/// Codecs, schemas, tables of cases and plans are made when a type is first used, and types know one another in circles: threads that begin at once, each with another type, must neither wait for
/// each other for ever nor see what another has only half made.
/// </summary>
public sealed class ConcurrentFirstUseTests(ITestOutputHelper output)
{
    private const int InputsAType = 4;
    private const int Threads = 6;

    [Fact]
    public void TypesThatManyThreadsUseFirstAreReadAndWrittenAsByOne()
    {
        int seed = Effort.Seed(20261128);
        string[] expected = TypeDigests.InProcess(seed, InputsAType).Types[0];
        string[][] told = TypeDigests.InProcess(seed, InputsAType, Threads).Types;
        output.WriteLine($"SEED={seed}; {expected.Length} types by {told.Length} threads");

        Assert.Equal(Threads, told.Length);
        Assert.True(expected.Length > 100);
        Assert.All(told, types => Assert.Equal(expected, types));
    }
}
