// The table and the picture of the verb "views".

using System.Globalization;
using System.Text;

namespace Store.Bench.Harness.Views;

/// <summary>Renders rows of views.</summary>
public static class ViewReport
{
    public static string Render(MachineInfo machine, IReadOnlyList<ViewRow> rows, HarnessOptions options)
    {
        var text = new StringBuilder($"# Views, reading into what is there, older shapes\n\n{machine}{options.Note}\n\n| row | min ns | median ns | B | against |\n| --- | ---: | ---: | ---: | --- |\n");
        foreach (ViewRow row in rows)
        {
            string against = rows.FirstOrDefault(other => other.Name == row.Base) is { } other ? $"{row.MinNs / other.MinNs:0.00}x {other.Name}" : "";
            text.Append(CultureInfo.InvariantCulture, $"| {row.Name} | {row.MinNs:0.0} | {row.MedianNs:0.0} | {row.AllocatedBytes:0} | {against} |\n");
        }

        return text.ToString();
    }

    /// <summary>Name of the file and its contents. What is compared stands together.</summary>
    public static IEnumerable<(string File, string Svg)> Charts(IReadOnlyList<ViewRow> rows)
    {
        if (rows.Count == 0) yield break;
        var chart = new SvgBarChart("Views, reading into what is there, older shapes", "nanoseconds an operation, minimum, logarithmic");
        foreach (var group in rows.GroupBy(static row => row.Base ?? row.Name))
        {
            chart.Add(group.Key, [.. group.OrderBy(static row => row.MinNs).Select(row => new SvgBar(Label(row.Name), row.MinNs, row.Name != group.Key))]);
        }
        yield return ("views.svg", chart.ToString());
    }

    // The type is the group's.
    private static string Label(string name) => name[(name.IndexOf(": ", StringComparison.Ordinal) + 2)..];
}
