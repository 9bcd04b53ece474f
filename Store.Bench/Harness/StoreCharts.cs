// One picture for each table of the verb "store": what every peer is compared by.

using Store.Bench.Harness.Stores;

namespace Store.Bench.Harness;

/// <summary>Draws store results.</summary>
public static class StoreCharts
{
    /// <summary>Name of a file and its contents, for every table that has results.</summary>
    public static IEnumerable<(string File, string Svg)> Render(IReadOnlyList<StoreRow> rows)
    {
        foreach (StoreTable table in StoreRun.Tables)
        {
            StoreRow[] own = [.. rows.Where(r => r.Table == table.Name)];
            if (own.Length == 0) continue;
            var chart = new SvgBarChart(table.Name, $"{table.Unit}, {(table.IsByMinimum ? "minimum" : table.Figures.First)}, logarithmic");
            foreach (var row in own.GroupBy(r => r.Row))
                chart.Add(row.Key, [.. row.OrderBy(table.Compared).Select(r => new SvgBar(r.Peer, table.Compared(r), r.Peer.StartsWith(StorePeers.NinoStoreName, StringComparison.Ordinal) || r.Peer == "inspect export"))]);
            string name = string.Concat(table.Name.Replace(", ", "-").ToLowerInvariant().Select(c => char.IsAsciiLetterOrDigit(c) ? c : '-'));
            yield return ($"store-{name}.svg", chart.ToString());
        }
    }
}
