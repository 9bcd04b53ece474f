// The tables and pictures of the verb "shapes".

using System.Text;
using Store.Bench.Harness.Views;
using Store.Bench.Peers;

namespace Store.Bench.Harness;

/// <summary>Renders shapes and verbs.</summary>
public static class ShapeReport
{
    public static string Render(MachineInfo machine, ShapeResults results, HarnessOptions options)
    {
        var text = new StringBuilder();
        text.AppendLine("# Shapes and verbs that no workload has, interleaved minima").AppendLine();
        text.AppendLine($"{machine}{options.Note}").AppendLine();
        text.AppendLine($"Peers: {string.Join(", ", results.Cells.Select(static cell => cell.Peer).Distinct())}. A peer without a row cannot do the shape.").AppendLine();
        text.AppendLine("Nanoseconds an operation (all of a shape is one operation). *ahead* = best peer / NinoStore.").AppendLine();
        foreach (Operation operation in ShapeRun.Operations) text.AppendLine($"## {RatioReport.Title(operation)}").AppendLine().AppendLine(Summary(Of(results, operation)).ToString());
        text.AppendLine("## Verbs").AppendLine().AppendLine("NinoStore alone, each beside the row that it names.").AppendLine().AppendLine(Verbs(results.Verbs).ToString());
        foreach (Operation operation in ShapeRun.Operations) text.AppendLine($"## {RatioReport.Title(operation)}: all peers").AppendLine().AppendLine(RatioReport.All(Of(results, operation)).ToString());
        return text.ToString();
    }

    /// <summary>Name of a file and its contents, for each operation that has results.</summary>
    public static IEnumerable<(string File, string Svg)> Charts(ShapeResults results)
    {
        foreach (Operation operation in ShapeRun.Operations)
        {
            List<RatioCell> drawn = [.. Of(results, operation)];
            if (drawn.Count == 0) continue;
            var chart = new SvgBarChart($"{RatioReport.Title(operation)}, shapes", "nanoseconds an operation, minimum, logarithmic");
            foreach (var shape in drawn.GroupBy(static cell => cell.Workload))
                chart.Add(shape.Key, [.. shape.OrderBy(static cell => cell.MinNs).Select(static cell => new SvgBar(cell.Peer, cell.MinNs, cell.Peer == PeerRows.NinoStore))]);
            yield return ($"shapes-{operation.ToString().ToLowerInvariant()}.svg", chart.ToString());
        }
    }

    private static IEnumerable<RatioCell> Of(ShapeResults results, Operation operation) => results.Cells.Where(cell => cell.Operation == operation);

    private static MarkdownTable Summary(IEnumerable<RatioCell> cells)
    {
        var table = new MarkdownTable("shape", "NinoStore", "best peer", "(which)", "ahead", "alloc B", "payload B");
        foreach (var shape in cells.GroupBy(static cell => cell.Workload))
        {
            RatioCell ours = shape.Single(static cell => cell.Peer == PeerRows.NinoStore);
            RatioCell? best = shape.Where(static cell => cell.Peer != PeerRows.NinoStore).MinBy(static cell => cell.MinNs);
            table.Add(shape.Key, MarkdownTable.Number(ours.MinNs), best is null ? "-" : MarkdownTable.Number(best.MinNs), best?.Peer ?? "-", MarkdownTable.Ratio(best?.MinNs / ours.MinNs),
                RatioReport.Whole(ours.AllocatedBytes), RatioReport.Whole(ours.PayloadBytes));
        }
        return table;
    }

    private static MarkdownTable Verbs(IReadOnlyList<ViewRow> rows)
    {
        var table = new MarkdownTable("verb", "min ns", "median ns", "x", "of", "alloc B");
        foreach (ViewRow row in rows)
        {
            ViewRow alone = rows.First(other => other.Name == (row.Base ?? row.Name));
            table.Add(row.Name, MarkdownTable.Number(row.MinNs), MarkdownTable.Number(row.MedianNs), MarkdownTable.Ratio(row.MinNs / alone.MinNs), alone.Name, RatioReport.Whole(row.AllocatedBytes));
        }
        return table;
    }
}
