using Xunit.Abstractions;

namespace Store.Tests;

/// <summary>
/// How much the tests try that crash, cut, flip, mutate and kill: little in `dotnet test`, as much as is asked for in a long run (docs/durability.md). Each prints what it counted in one form, which
/// the script of the long run adds up.
/// </summary>
internal static class Effort
{
    /// <summary>Quick number of simulated power failures of the log; CRASH_STATES sets it.</summary>
    public static int CrashStates { get; } = Number("CRASH_STATES", 50_000);

    /// <summary>Quick number of lengths a log is cut to; TRUNCATIONS sets it.</summary>
    public static int Truncations { get; } = Number("TRUNCATIONS", 16_384);

    /// <summary>Quick number of bits flipped; FLIPS sets it.</summary>
    public static int Flips { get; } = Number("FLIPS", 65_536);

    /// <summary>Quick number of failing file calls; FAULTS sets it.</summary>
    public static int Faults { get; } = Number("FAULTS", 5_000);

    /// <summary>Number of mutated inputs: MUTATIONS, else what the test tries in a quick run.</summary>
    public static int Mutations(int quick) => Number("MUTATIONS", quick);

    /// <summary>Quick number of killed processes; KILLS sets it.</summary>
    public static int Kills { get; } = Number("KILLS", 10);

    /// <summary>Quick number of histories of threads; HISTORIES sets it.</summary>
    public static int Histories { get; } = Number("HISTORIES", 60);

    /// <summary>First seed: where a failure is repeated, SEED sets it; else the one given.</summary>
    public static int Seed(int seed) => Number("SEED", seed);

    /// <summary>Tells what was tried. A test that gets here has found no violation.</summary>
    /// <param name="output">The test's output.</param>
    /// <param name="what">What was counted, in the words of docs/durability.md.</param>
    /// <param name="count">How many.</param>
    /// <param name="replay">What repeats it: seeds, or that there is no chance in it.</param>
    /// <param name="details">What else there is to say.</param>
    public static void Tell(ITestOutputHelper output, string what, long count, string replay, string details = "") =>
        output.WriteLine($"counted {count} {what}, 0 violations ({replay}){(details.Length > 0 ? ": " + details : "")}");

    private static int Number(string name, int otherwise) =>
        Environment.GetEnvironmentVariable(name) is { Length: > 0 } text ? int.Parse(text, System.Globalization.CultureInfo.InvariantCulture) : otherwise;
}
