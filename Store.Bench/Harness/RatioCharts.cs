// Which pictures the serializer results become: one for each operation and size of batch, all peers, the minimum of each.

using Store.Bench.Peers;

namespace Store.Bench.Harness;

/// <summary>Draws serializer results.</summary>
public static class RatioCharts
{
    private static readonly (int Items, string Name)[] Batches = [(1, "x1"), (30, "x30"), (1000, "x1000")];

    /// <summary>Name of a file and its contents, for every operation and batch that has results.</summary>
    public static IEnumerable<(string File, string Svg)> Render(IReadOnlyList<RatioCell> cells)
    {
        foreach (Operation operation in Enum.GetValues<Operation>())
        {
            foreach (var (items, name) in Batches)
            {
                List<RatioCell> drawn = [.. cells.Where(c => c.Operation == operation && c.Items == items)];
                if (drawn.Count == 0) continue;
                var chart = new SvgBarChart($"{RatioReport.Title(operation)}, {name}", "nanoseconds an operation, minimum, logarithmic");
                foreach (var workload in drawn.GroupBy(c => c.Workload))
                    chart.Add(workload.Key, [.. workload.OrderBy(c => c.MinNs).Select(c => new SvgBar(c.Peer, c.MinNs, c.Peer == PeerRows.NinoStore))]);
                yield return ($"serializers-{operation.ToString().ToLowerInvariant()}-{name}.svg", chart.ToString());
            }
        }
    }
}
