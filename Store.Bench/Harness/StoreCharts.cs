// One picture for each table of the verb "store": the median of every peer.

using Store.Bench.Harness.Stores;

namespace Store.Bench.Harness;

/// <summary>Draws store results.</summary>
public static class StoreCharts
{
    /// <summary>Name of a file and its contents, for every table that has results.</summary>
    public static IEnumerable<(string File, string Svg)> Render(IReadOnlyList<StoreRow> rows)
    {
        foreach (var table in rows.GroupBy(r => r.Table))
        {
            var chart = new SvgBarChart(table.Key, $"{table.First().Unit}, median, logarithmic");
            foreach (var row in table.GroupBy(r => r.Row))
                chart.Add(row.Key, [.. row.OrderBy(r => r.P50).Select(r => new SvgBar(r.Peer, r.P50, r.Peer is StorePeerKind.NinoStore or "inspect export"))]);
            string name = string.Concat(table.Key.Replace(", ", "-").ToLowerInvariant().Select(c => char.IsAsciiLetterOrDigit(c) ? c : '-'));
            yield return ($"store-{name}.svg", chart.ToString());
        }
    }
}
