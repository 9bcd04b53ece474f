// The command line.

using System.Globalization;

namespace Store.Fuzz;

internal sealed record FuzzOptions
{
    public const string Usage = """
        Fuzzes everything of NinoStore that reads bytes, guided by coverage (docs/fuzzing.md).

          --target NAME[,NAME]  what; everything by default (--list tells what there is)
          --lane NAME           one lane of the target only: a type's name
          --seconds N           how long each target is fuzzed; 10 by default
          --runs N              or how many inputs of each
          --seed N              what the choices begin with; drawn and printed by default
          --corpus DIR          inputs to begin with, one file a target, and where those that were found are kept
          --findings DIR        where inputs go with which something went wrong; "fuzz-findings" by default
          --input FILE          runs the inputs of a file, once each: --target says by what
          --minimize            with --corpus: keeps only inputs that take an edge which shorter ones do not
          --first               ends a target at its first finding
          --blind               edits only what it begins with: what there is without guidance
          --list                lists the targets
        """;

    public IReadOnlyList<string> Targets { get; init; } = [];

    public string? Lane { get; init; }

    public double Seconds { get; init; } = 10;

    public long? Runs { get; init; }

    public int Seed { get; init; }

    public string? Corpus { get; init; }

    public string Findings { get; init; } = Path.GetFullPath("fuzz-findings");

    public string? Input { get; init; }

    public bool Minimizes { get; init; }

    public bool StopsAtFirst { get; init; }

    public bool IsBlind { get; init; }

    public bool Lists { get; init; }

    /// <summary>Set by the parent for its child: the file they share.</summary>
    public string? Heartbeat { get; init; }

    /// <exception cref="UsageException">The arguments are none.</exception>
    public static FuzzOptions Parse(IReadOnlyList<string> arguments)
    {
        var options = new FuzzOptions { Seed = Random.Shared.Next(1, 1_000_000) };
        for (int i = 0; i < arguments.Count; i++)
        {
            string name = arguments[i];
            options = name switch
            {
                "--target" => options with { Targets = [.. Value().Split(',', StringSplitOptions.RemoveEmptyEntries | StringSplitOptions.TrimEntries)] },
                "--lane" => options with { Lane = Value() },
                "--seconds" => options with { Seconds = Number() },
                "--runs" => options with { Runs = (long)Number() },
                "--seed" => options with { Seed = (int)Number() },
                "--corpus" => options with { Corpus = Path.GetFullPath(Value()) },
                "--findings" => options with { Findings = Path.GetFullPath(Value()) },
                "--input" => options with { Input = Path.GetFullPath(Value()) },
                "--heartbeat" => options with { Heartbeat = Path.GetFullPath(Value()) },
                "--minimize" => options with { Minimizes = true },
                "--first" => options with { StopsAtFirst = true },
                "--blind" => options with { IsBlind = true },
                "--list" => options with { Lists = true },
                _ => throw new UsageException($"There is no option '{name}'."),
            };

            string Value() => ++i < arguments.Count ? arguments[i] : throw new UsageException($"{name} needs a value.");

            double Number() => double.TryParse(Value(), NumberStyles.Float, CultureInfo.InvariantCulture, out double number) && number is >= 0 and <= int.MaxValue ? number : throw new UsageException($"{name} needs a number.");
        }

        if (options.Minimizes && options.Corpus is null) throw new UsageException("--minimize needs --corpus.");
        return options.Input is null || options.Targets.Count == 1 ? options : throw new UsageException("--input needs one --target.");
    }

    /// <summary>Arguments that say the same of other targets, to a child.</summary>
    public IEnumerable<string> ToArguments(IReadOnlyList<string> targets, string heartbeat)
    {
        List<string> arguments = ["--target", string.Join(',', targets), "--seed", Seed.ToString(CultureInfo.InvariantCulture), "--findings", Findings, "--heartbeat", heartbeat];
        if (Lane is not null) arguments.AddRange(["--lane", Lane]);
        if (Runs is { } runs) arguments.AddRange(["--runs", runs.ToString(CultureInfo.InvariantCulture)]);
        else arguments.AddRange(["--seconds", Seconds.ToString(CultureInfo.InvariantCulture)]);
        if (Corpus is not null) arguments.AddRange(["--corpus", Corpus]);
        if (Input is not null) arguments.AddRange(["--input", Input]);
        if (Minimizes) arguments.Add("--minimize");
        if (StopsAtFirst) arguments.Add("--first");
        if (IsBlind) arguments.Add("--blind");
        return arguments;
    }
}

/// <summary>The arguments make no sense.</summary>
internal sealed class UsageException(string message) : Exception(message);
