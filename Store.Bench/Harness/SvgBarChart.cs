// Results as pictures: horizontal bars in groups, on a logarithmic axis, because the peers of one row lie a factor of a thousand apart. Plain SVG, so that
// it shows in a browser and in the rendered Markdown, and a changed figure is a changed line in the history.

using System.Globalization;
using System.Security;
using System.Text;

namespace Store.Bench.Harness;

/// <summary>A bar.</summary>
/// <param name="Label">Whose.</param>
/// <param name="Value">Its value, above zero.</param>
/// <param name="IsOwn">Drawn in the second colour.</param>
public sealed record SvgBar(string Label, double Value, bool IsOwn = false);

/// <summary>Collects groups of bars and renders them. The same groups give the same text.</summary>
/// <param name="title">Heading of the picture.</param>
/// <param name="unit">What the values are, under the axis.</param>
public sealed class SvgBarChart(string title, string unit)
{
    private const int Width = 960, LabelWidth = 200, ValueWidth = 90, BarHeight = 14, RowHeight = 18, GroupHead = 28, Top = 44, Bottom = 44;
    private const string Own = "#d9480f", Other = "#5c7cfa";

    private readonly List<(string Name, IReadOnlyList<SvgBar> Bars)> _groups = [];

    /// <summary>Adds a group under a name of its own.</summary>
    /// <exception cref="ArgumentException">The group is empty, or a value is not finite and above zero: it has no place on a logarithmic axis.</exception>
    public void Add(string name, IReadOnlyList<SvgBar> bars)
    {
        if (bars.Count == 0) throw new ArgumentException("A group needs a bar.", nameof(bars));
        foreach (SvgBar bar in bars)
        {
            if (!double.IsFinite(bar.Value) || bar.Value <= 0) throw new ArgumentException($"'{bar.Label}' is {bar.Value}: a bar on a logarithmic axis is above zero.", nameof(bars));
        }
        _groups.Add((name, bars));
    }

    /// <summary>The picture.</summary>
    /// <exception cref="InvalidOperationException">There are no groups.</exception>
    public override string ToString()
    {
        if (_groups.Count == 0) throw new InvalidOperationException("A chart needs a group.");
        (int from, int to) = Decades();
        int height = Top + _groups.Sum(g => GroupHead + (g.Bars.Count * RowHeight)) + Bottom;
        var svg = new StringBuilder();
        Line($"<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {Width} {height}\" font-family=\"sans-serif\" font-size=\"12\" role=\"img\" aria-label=\"{Escape(title)}\">");
        Line($"<rect width=\"{Width}\" height=\"{height}\" fill=\"#ffffff\"/>");
        Line($"<text x=\"16\" y=\"26\" font-size=\"16\" font-weight=\"bold\">{Escape(title)}</text>");
        for (int decade = from; decade <= to; decade++)
        {
            double x = X(Math.Pow(10, decade), from, to);
            Line($"<line x1=\"{Number(x)}\" y1=\"{Top}\" x2=\"{Number(x)}\" y2=\"{height - Bottom + 4}\" stroke=\"#dee2e6\"/>");
            Line($"<text x=\"{Number(x)}\" y=\"{height - Bottom + 18}\" text-anchor=\"middle\" fill=\"#495057\">{Value(Math.Pow(10, decade))}</text>");
        }
        Line($"<text x=\"{LabelWidth}\" y=\"{height - 8}\" fill=\"#495057\">{Escape(unit)}</text>");
        int y = Top;
        foreach (var (name, bars) in _groups)
        {
            Line($"<text x=\"16\" y=\"{y + 20}\" font-weight=\"bold\">{Escape(name)}</text>");
            y += GroupHead;
            foreach (SvgBar bar in bars)
            {
                double end = X(bar.Value, from, to);
                Line($"<text x=\"{LabelWidth - 8}\" y=\"{y + 11}\" text-anchor=\"end\">{Escape(bar.Label)}</text>");
                Line($"<rect x=\"{LabelWidth}\" y=\"{y}\" width=\"{Number(Math.Max(end - LabelWidth, 1))}\" height=\"{BarHeight}\" fill=\"{(bar.IsOwn ? Own : Other)}\"/>");
                Line($"<text x=\"{Number(end + 6)}\" y=\"{y + 11}\">{Value(bar.Value)}</text>");
                y += RowHeight;
            }
        }
        Line("</svg>");
        return svg.ToString();

        void Line(string text) => svg.Append(text).Append('\n');
    }

    // Whole powers of ten around all values, at least one decade.
    private (int From, int To) Decades()
    {
        IEnumerable<double> values = _groups.SelectMany(g => g.Bars).Select(b => Math.Log10(b.Value));
        int from = (int)Math.Floor(values.Min()), to = (int)Math.Ceiling(values.Max());
        return (from, Math.Max(to, from + 1));
    }

    private static double X(double value, int from, int to) => LabelWidth + ((Math.Log10(value) - from) / (to - from) * (Width - LabelWidth - ValueWidth));

    private static string Number(double value) => value.ToString("0.#", CultureInfo.InvariantCulture);

    private static string Value(double value) => value.ToString(value < 10 ? "0.##" : value < 100 ? "0.#" : "#,0", CultureInfo.InvariantCulture);

    private static string Escape(string text) => SecurityElement.Escape(text);
}
