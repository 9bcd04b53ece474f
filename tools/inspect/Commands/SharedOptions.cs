using System.CommandLine;
using System.CommandLine.Parsing;
using System.Globalization;
using Store.Inspect.Rendering;

namespace Store.Inspect.Commands;

/// <summary>Arguments and options that several verbs have. Made anew for each run.</summary>
internal sealed class SharedOptions
{
    // The blank is the tables'.
    private static readonly string[] Times = [.. new[] { "'T'HH:mm", "'T'HH:mm:ss", "'T'HH:mm:ss.FFFFFFF", "' 'HH:mm", "' 'HH:mm:ss", "' 'HH:mm:ss.FFFFFFF" }.Select(static time => $"yyyy-MM-dd{time}K")];

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
                if (token.Value.Length == 0) result.AddError("PATH is empty.");
                if (token.Value.StartsWith('-') && !File.Exists(token.Value) && !Directory.Exists(token.Value)) result.AddError($"There is no option '{token.Value}'.");
            }
        });
        return path;
    }

    public static Option<string?> Type() => new("--type", "-t") { Description = "Only records of this type: its full name, or the last part of it.", HelpName = "NAME" };

    public static Option<string?> Part() => new("--part") { Description = "Only this part of a snapshot.", HelpName = "NAME" };

    public static Option<string?> From() => new("--from") { Description = "First record: a sequence, or a time (2026-11-21 or 2026-11-21T13:05:06.5; UTC unless it has an offset).", HelpName = "SEQUENCE|TIME" };

    public static Option<string?> To() => new("--to") { Description = "Last record, included: a sequence or a time; a date is its whole day.", HelpName = "SEQUENCE|TIME" };

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
        if (from is not null) range = IsSequence(from, out long first) ? range with { FromSequence = first >= 1 ? first : throw new UsageException($"--from {from}: the first record has the sequence 1.") } : range with { FromTime = TimeOf("--from", from, out _) };
        if (to is not null) range = IsSequence(to, out long sequence) ? range with { ToSequence = sequence } : range with { ToTime = EndOf(to) };
        return range;
    }

    // Also as the tables show it: 9,500.
    private static bool IsSequence(string text, out long sequence)
    {
        sequence = 0;
        string[] groups = text.Split(',');
        bool isGrouped = groups.Length > 1 && groups[0].Length is > 0 and <= 3 && groups.Skip(1).All(static group => group.Length == 3);
        return (groups.Length == 1 || isGrouped) && long.TryParse(string.Concat(groups), NumberStyles.None, CultureInfo.InvariantCulture, out sequence);
    }

    private static DateTimeOffset EndOf(string to)
    {
        DateTimeOffset time = TimeOf("--to", to, out bool isDate);
        return isDate ? time.AddTicks(TimeSpan.TicksPerDay - 1) : time;
    }

    // What could be read in two ways is not read at all.
    private static DateTimeOffset TimeOf(string option, string text, out bool isDate)
    {
        isDate = DateTimeOffset.TryParseExact(text, "yyyy-MM-dd", CultureInfo.InvariantCulture, DateTimeStyles.AssumeUniversal, out DateTimeOffset time);
        return isDate || DateTimeOffset.TryParseExact(text, Times, CultureInfo.InvariantCulture, DateTimeStyles.AssumeUniversal, out time)
            ? time
            : throw new UsageException($"{option} {text}: this is neither a sequence (1, 2, …) nor a time (2026-11-21, 2026-11-21T13:05:06Z).");
    }
}
