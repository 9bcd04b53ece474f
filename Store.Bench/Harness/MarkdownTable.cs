// A Markdown table with padded columns, readable in a terminal too.

using System.Globalization;
using System.Text;

namespace Store.Bench.Harness;

/// <summary>Collects rows and renders them.</summary>
public sealed class MarkdownTable(params string[] head)
{
    private readonly List<string[]> _rows = [];

    /// <exception cref="ArgumentException">The row has another number of cells than the head.</exception>
    public void Add(params string[] cells)
    {
        if (cells.Length != head.Length) throw new ArgumentException($"A row of {cells.Length} cells under a head of {head.Length}.", nameof(cells));
        _rows.Add(cells);
    }

    public override string ToString()
    {
        int[] widths = [.. head.Select((h, column) => Math.Max(3, _rows.Select(r => r[column].Length).Append(h.Length).Max()))];
        var text = new StringBuilder();
        Line(head);
        text.Append('|').AppendJoin('|', widths.Select((w, column) => column == 0 ? " " + new string('-', w) + " " : " " + new string('-', w - 1) + ": ")).AppendLine("|");
        foreach (string[] row in _rows) Line(row);
        return text.ToString();

        void Line(string[] cells) =>
            text.Append('|').AppendJoin('|', cells.Select((c, column) => " " + (column == 0 ? c.PadRight(widths[column]) : c.PadLeft(widths[column])) + " ")).AppendLine("|");
    }

    /// <summary>Three significant digits, thousands with a comma.</summary>
    public static string Number(double value) => value switch
    {
        < 10 => value.ToString("0.00", CultureInfo.InvariantCulture),
        < 100 => value.ToString("0.0", CultureInfo.InvariantCulture),
        _ => value.ToString("#,0", CultureInfo.InvariantCulture),
    };

    /// <summary>A ratio, or a dash where there is nothing to compare with.</summary>
    public static string Ratio(double? value) => value is { } ratio && double.IsFinite(ratio) ? ratio.ToString("0.00", CultureInfo.InvariantCulture) + "x" : "-";
}
