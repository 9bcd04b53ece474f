// What is fuzzed. A target is a kind of bytes; its lanes are what reads them, for example the types of a program, and each has a corpus and a map of edges of its own.

namespace Store.Fuzz.Driver;

/// <summary>One reader of bytes.</summary>
internal abstract class FuzzLane(string name)
{
    /// <summary>Its name in a corpus: a type's, or empty where a target has one lane only.</summary>
    public string Name { get; } = name;

    /// <summary>What the format contains, for edits.</summary>
    public virtual IReadOnlyList<byte[]> Words => [];

    /// <summary>Longest input that is tried.</summary>
    public virtual int MaxLength => 4096;

    /// <summary>Most bytes that a run may allocate.</summary>
    public virtual long MaxAllocation(int length) => 256 * 1024 + (1024L * length);

    /// <summary>Inputs to begin with: golden values and records. The same seed gives the same.</summary>
    public abstract IEnumerable<byte[]> Seeds(int seed);

    /// <summary>Reads an input in every way there is. Throws at the first thing that must not be; what it throws is the finding.</summary>
    public abstract void Run(byte[] input);

    /// <summary>An edited copy of an input.</summary>
    public virtual byte[] Mutate(byte[] input, byte[] other, Havoc havoc) => havoc.Of(input, other, Words, MaxLength);
}

/// <summary>A kind of bytes.</summary>
/// <param name="Name">Its name on the command line.</param>
/// <param name="What">What it is, in a few words.</param>
/// <param name="Lanes">Makes its lanes.</param>
internal sealed record FuzzTargetKind(string Name, string What, Func<IReadOnlyList<FuzzLane>> Lanes)
{
    /// <summary>True when a small corpus has what each lane takes, not only what the first of them takes.</summary>
    public bool KeepsEachLane { get; init; }
}

/// <summary>An outcome that no input may have, found by a lane.</summary>
internal sealed class LaneException(string message) : Exception(message);
