using System.Globalization;

namespace Store.Inspect.Rendering;

/// <summary>Numbers, sizes and times for people, in the invariant culture.</summary>
internal static class Format
{
    public static string Count(long value) => value.ToString("N0", CultureInfo.InvariantCulture);

    /// <summary>"1 record", "2 records".</summary>
    public static string Count(long value, string thing) => $"{Count(value)} {thing}{(value == 1 ? "" : "s")}";

    /// <summary>A size in the unit in which it has two to four digits.</summary>
    public static string Size(long bytes)
    {
        if (bytes < 1024) return $"{bytes} B";
        string[] units = ["KiB", "MiB", "GiB", "TiB", "PiB", "EiB"];
        double size = bytes / 1024.0;
        int unit = 0;
        for (; size >= 1023.95 && unit < units.Length - 1; unit++) size /= 1024;
        return string.Create(CultureInfo.InvariantCulture, $"{size:0.0} {units[unit]}");
    }

    /// <summary>A size with its exact number of bytes.</summary>
    public static string SizeAndBytes(long bytes) => bytes < 1024 ? Count(bytes, "byte") : $"{Size(bytes)} ({Count(bytes)} bytes)";

    public static string Percent(double share) => string.Create(CultureInfo.InvariantCulture, $"{share * 100:0.0} %");

    /// <summary>A moment in UTC, to the millisecond: frames are not stamped finer than a clock ticks.</summary>
    public static string Time(DateTimeOffset time) => time.UtcDateTime.ToString("yyyy-MM-dd HH:mm:ss.fff'Z'", CultureInfo.InvariantCulture);

    /// <summary>A moment without loss, for machines.</summary>
    public static string ExactTime(DateTimeOffset time) => time.UtcDateTime.ToString("O", CultureInfo.InvariantCulture);

    public static string Span(TimeSpan span) => span switch
    {
        { TotalSeconds: < 1 } => string.Create(CultureInfo.InvariantCulture, $"{span.TotalMilliseconds:0.#} ms"),
        { TotalMinutes: < 1 } => string.Create(CultureInfo.InvariantCulture, $"{span.TotalSeconds:0.0} s"),
        { TotalHours: < 1 } => $"{span.Minutes} min {span.Seconds} s",
        { TotalDays: < 1 } => $"{span.Hours} h {span.Minutes} min",
        _ => $"{Count(span.Days, "day")} {span.Hours} h",
    };

    /// <summary>The last part of a type's name, with its type arguments: <c>Shop.Orders+Line</c> is <c>Line</c>.</summary>
    public static string ShortName(string typeName)
    {
        int end = typeName.IndexOf('<', StringComparison.Ordinal);
        string plain = end < 0 ? typeName : typeName[..end];
        return plain[(plain.LastIndexOfAny(['.', '+']) + 1)..] + (end < 0 ? "" : typeName[end..]);
    }
}
