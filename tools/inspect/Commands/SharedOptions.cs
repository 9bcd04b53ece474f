using System.CommandLine;
using System.CommandLine.Parsing;
using System.Globalization;
using Store.Inspect.Rendering;

namespace Store.Inspect.Commands;

/// <summary>Arguments and options that several verbs have. Made anew for each run.</summary>
internal sealed class SharedOptions
{
    public SharedOptions() => Color.AcceptOnlyFromAmong("auto", "always", "never");

    public Option<string> Color { get; } = new("--color")
    {
        Description = "Colours: auto (on a terminal, unless NO_COLOR is set), always, never.",
        HelpName = "auto|always|never",
        DefaultValueFactory = static _ => "auto",
        Recursive = true,
    };

    public ColorMode ColorOf(ParseResult parse) => Enum.Parse<ColorMode>(parse.GetValue(Color)!, ignoreCase: true);

    public static Argument<string> Path()
    {
        var path = new Argument<string>("PATH") { Description = "A store folder, a segment, a one-file log or a snapshot; live or at rest, whole or damaged." };
        path.Validators.Add(static result =>
        {
            // The parser takes an option it does not know for an argument.
            foreach (Token token in result.Tokens)
            {
                if (token.Value.StartsWith('-') && !File.Exists(token.Value) && !Directory.Exists(token.Value)) result.AddError($"There is no option '{token.Value}'.");
            }
        });
        return path;
    }

    public static Option<string?> Type() => new("--type", "-t") { Description = "Only records of this type: its full name, or the last part of it.", HelpName = "NAME" };

    public static Option<string?> Part() => new("--part") { Description = "Only this part of a snapshot.", HelpName = "NAME" };

    public static Option<string?> From() => new("--from") { Description = "First record: a sequence, or a time (ISO 8601; UTC unless it has an offset).", HelpName = "SEQUENCE|TIME" };

    public static Option<string?> To() => new("--to") { Description = "Last record, included: a sequence or a time.", HelpName = "SEQUENCE|TIME" };

    public static Option<long?> Limit()
    {
        var limit = new Option<long?>("--limit", "-n") { Description = "At most so many records.", HelpName = "COUNT" };
        limit.Validators.Add(static result =>
        {
            if (result.Tokens is [var token, ..] && long.TryParse(token.Value, NumberStyles.AllowLeadingSign, CultureInfo.InvariantCulture, out long count) && count < 0)
                result.AddError($"--limit {count}: a count is 0 or more.");
        });
        return limit;
    }

    /// <summary>The range that <c>--from</c> and <c>--to</c> say.</summary>
    /// <exception cref="UsageException">One is neither a sequence nor a time.</exception>
    public static ReadOptions RangeOf(string? from, string? to)
    {
        ReadOptions range = ReadOptions.All;
        if (from is not null) range = IsSequence(from, out long first) ? range with { FromSequence = first >= 1 ? first : throw new UsageException($"--from {from}: the first record has the sequence 1.") } : range with { FromTime = TimeOf("--from", from) };
        if (to is not null) range = IsSequence(to, out long sequence) ? range with { ToSequence = sequence } : range with { ToTime = TimeOf("--to", to) };
        return range;
    }

    private static bool IsSequence(string text, out long sequence) => long.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out sequence);

    private static DateTimeOffset TimeOf(string option, string text) =>
        DateTimeOffset.TryParse(text, CultureInfo.InvariantCulture, DateTimeStyles.AssumeUniversal, out DateTimeOffset time)
            ? time
            : throw new UsageException($"{option} {text}: this is neither a sequence (1, 2, …) nor a time (2026-11-21, 2026-11-21T13:05:06Z).");
}
