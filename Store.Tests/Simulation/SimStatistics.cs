namespace Store.Tests.Simulation;

/// <summary>What a test's simulation did, for its output. Shared by a simulator and every crash state made from it. Thread-safe.</summary>
internal sealed class SimStatistics
{
    private long _exhaustive, _sampled, _operations;

    /// <summary>Crash states from a complete enumeration of surviving subsets.</summary>
    public long ExhaustiveStates => Interlocked.Read(ref _exhaustive);

    /// <summary>Crash states drawn at random.</summary>
    public long SampledStates => Interlocked.Read(ref _sampled);

    /// <summary>Operations that change something or make something durable.</summary>
    public long Operations => Interlocked.Read(ref _operations);

    public void CountState(bool exhaustive) => Interlocked.Increment(ref exhaustive ? ref _exhaustive : ref _sampled);

    public void CountOperation() => Interlocked.Increment(ref _operations);

    /// <summary>One line for the test's output.</summary>
    public string Describe(int seed) => $"seed {seed}: {ExhaustiveStates + SampledStates:N0} crash states ({ExhaustiveStates:N0} by enumeration, {SampledStates:N0} drawn), {Operations:N0} operations";
}
