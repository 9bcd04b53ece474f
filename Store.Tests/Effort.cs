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

    /// <summary>Quick number of inputs that each target of the coverage-guided fuzzer is run with; FUZZ_RUNS sets it.</summary>
    public static int FuzzRuns { get; } = Number("FUZZ_RUNS", 300);

    /// <summary>Quick number of random programs that are compiled and tried; PROGRAMS sets it.</summary>
    public static int Programs { get; } = Number("PROGRAMS", 4);

    /// <summary>Quick number of killed processes; KILLS sets it.</summary>
    public static int Kills { get; } = Number("KILLS", 10);

    /// <summary>Quick number of histories of threads; HISTORIES sets it.</summary>
    public static int Histories { get; } = Number("HISTORIES", 60);

    /// <summary>Quick number of changes, reads and scans of keyed state against a model; KEY_VALUE_OPERATIONS sets it.</summary>
    public static int KeyedOperations { get; } = Number("KEY_VALUE_OPERATIONS", 100_000);

    /// <summary>How many times the quick number of power failures is asked for, at least 1: for enumerations, which have an end of their own.</summary>
    public static int CrashScale { get; } = Math.Max(1, CrashStates / 50_000);

    /// <summary>How many times the quick number of cuts is asked for, at least 1.</summary>
    public static int TruncationScale { get; } = Math.Max(1, Truncations / 16_384);

    /// <summary>How many times the quick number of flipped bits is asked for, at least 1.</summary>
    public static int FlipScale { get; } = Math.Max(1, Flips / 65_536);

    /// <summary>How many times the quick number of failing calls is asked for, at least 1.</summary>
    public static int FaultScale { get; } = Math.Max(1, Faults / 5_000);

    /// <summary>True when SLICE asks for a part of the points only, so that counts are lower.</summary>
    public static bool IsSlice { get; } = Environment.GetEnvironmentVariable("SLICE") is { Length: > 0 };

    /// <summary>
    /// The points at which a life is interrupted: 1, 2, 3 and so on, until the caller finds that it ended before. SLICE=2/8 takes the second of eight parts, so that a long enumeration can be run in
    /// pieces: every point is in exactly one.
    /// </summary>
    /// <param name="every">In a quick run, every so many.</param>
    /// <param name="scale">How many times the quick number is asked for: first more points are taken, then <paramref name="statesEach"/> says how often each is used.</param>
    /// <param name="statesEach">How many states to look at for each that a quick run looks at.</param>
    public static IEnumerable<long> Points(int every, int scale, out int statesEach)
    {
        int step = Math.Max(1, every / scale);
        statesEach = Math.Max(1, scale / every);
        return Count();

        IEnumerable<long> Count()
        {
            string[] slice = IsSlice ? Environment.GetEnvironmentVariable("SLICE")!.Split('/') : ["1", "1"];
            long part = long.Parse(slice[0], System.Globalization.CultureInfo.InvariantCulture), parts = long.Parse(slice[1], System.Globalization.CultureInfo.InvariantCulture);
            for (long i = part - 1; ; i += parts) yield return 1 + (i * step);
        }
    }

    /// <summary>True when SEED asks for one failure to be repeated: then a test need not have met everything.</summary>
    public static bool HasSeed { get; } = Environment.GetEnvironmentVariable("SEED") is { Length: > 0 };

    /// <summary>First seed: where a failure is repeated, SEED sets it; else the one given.</summary>
    public static int Seed(int seed) => Number("SEED", seed);

    /// <summary>First seed of what is drawn: SEED where a failure is repeated; another in each long run (FRESH_SEEDS=1), which is there to find what nobody has seen; else the one given, so that a quick run fails for a change and not by chance.</summary>
    public static int DrawnSeed(int quick) => Seed(Number("FRESH_SEEDS", 0) != 0 ? Environment.TickCount & 0xFFFFFF : quick);

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
