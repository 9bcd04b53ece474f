// The command line of the harness verbs.

namespace Store.Bench.Harness;

/// <summary>Options shared by the verbs.</summary>
public sealed record HarnessOptions
{
    public const string Usage = """
        Store.Bench all    [--short] [--out DIR] [--data DIR]      the five verbs below, one after the other
        Store.Bench ratios [--short] [--filter TEXT] [--out DIR]   serializers: interleaved minima, ratios to the bound and to the best peer
        Store.Bench first-use [--short] [--filter TEXT] [--out DIR]   serializers: first call in a cold process
        Store.Bench views [--short] [--filter TEXT] [--out DIR]   views, reading into what is there, records of older shapes
        Store.Bench shapes [--short] [--filter TEXT] [--out DIR]   serializers: shapes and verbs that no workload has, beside some peers
        Store.Bench store  [--short] [--filter TEXT] [--out DIR] [--data DIR]   log and store: machine floor, latency percentiles, throughput
        Store.Bench [--short] [BenchmarkDotNet options]             the same questions under BenchmarkDotNet: --list flat, --filter *SerializerBench*

        --short   fewer and shorter samples: minutes instead of an hour, for a look and not for publication
        --filter  only rows whose name contains TEXT (ignoring case); "A|B" for A or B
        --out     folder for the results (Markdown, JSON, SVG), default artifacts/benchmarks; published ones go to docs/benchmarks/results
        --data    folder on the disk to be measured, default beside the program; its contents are removed afterwards
        """;

    public bool Short { get; private init; }

    public string Filter { get; private init; } = "";

    public string OutputDirectory { get; private init; } = Path.Combine("artifacts", "benchmarks");

    public string DataDirectory { get; private init; } = BenchData.DefaultRoot;

    /// <summary>What the head of a table says about the run beside the machine.</summary>
    public string Note => Short ? "; **short run: for a look, not for publication**" : "";

    /// <exception cref="ArgumentException">An option is unknown or lacks its value.</exception>
    public static HarnessOptions Parse(ReadOnlySpan<string> args)
    {
        var options = new HarnessOptions();
        for (int i = 0; i < args.Length; i++)
        {
            options = args[i] switch
            {
                "--short" => options with { Short = true },
                "--filter" => options with { Filter = Value(args, ref i) },
                "--out" => options with { OutputDirectory = Value(args, ref i) },
                "--data" => options with { DataDirectory = Value(args, ref i) },
                _ => throw new ArgumentException($"Unknown option '{args[i]}'."),
            };
        }
        return options;
    }

    /// <summary>True when the filter, or one of its parts between bars, is in the name.</summary>
    public bool Matches(string name) => Filter.Split('|').Any(part => name.Contains(part, StringComparison.OrdinalIgnoreCase));

    private static string Value(ReadOnlySpan<string> args, ref int index) =>
        ++index < args.Length ? args[index] : throw new ArgumentException($"{args[index - 1]} needs a value.");
}
