// The tables of the verb "ratios": NinoStore, the best other library and the bound side by side, with the two ratios that goals are stated in; then every
// peer on every row, the losing ones too.

using System.Globalization;
using System.Text;
using Store.Bench.Peers;

namespace Store.Bench.Harness;

/// <summary>Renders serializer results.</summary>
public static class RatioReport
{
    public static string Render(MachineInfo machine, IReadOnlyList<RatioCell> cells, HarnessOptions options)
    {
        var text = new StringBuilder();
        text.AppendLine("# Serializers, interleaved minima").AppendLine();
        text.AppendLine($"{machine}{options.Note}").AppendLine();
        text.AppendLine($"Peers: {string.Join(", ", cells.Select(c => c.Peer).Distinct())}.").AppendLine();
        text.AppendLine("Nanoseconds an operation (a batch is one operation). *ahead* = best peer / NinoStore, *bound* = NinoStore / hand-written code for exactly this type.").AppendLine();
        foreach (Operation operation in Enum.GetValues<Operation>())
        {
            text.AppendLine($"## {Title(operation)}").AppendLine();
            text.AppendLine(Summary(cells.Where(c => c.Operation == operation)).ToString());
        }
        foreach (Operation operation in Enum.GetValues<Operation>())
        {
            text.AppendLine($"## {Title(operation)}: all peers").AppendLine();
            text.AppendLine(All(cells.Where(c => c.Operation == operation)).ToString());
        }
        return text.ToString();
    }

    /// <summary>Heading of an operation.</summary>
    public static string Title(Operation operation) => operation switch
    {
        Operation.Serialize => "Serialize to a new byte[]",
        Operation.Write => "Write into a reused buffer",
        Operation.Deserialize => "Deserialize into new objects",
        _ => throw new ArgumentOutOfRangeException(nameof(operation), operation, "Not an operation."),
    };

    private static MarkdownTable Summary(IEnumerable<RatioCell> cells)
    {
        var table = new MarkdownTable("workload", "NinoStore", "best peer", "(which)", "bound ns", "ahead", "bound", "alloc B", "payload B");
        foreach (var workload in cells.GroupBy(c => c.Workload))
        {
            RatioCell bound = workload.Single(c => c.Peer == PeerRows.Bound), ours = workload.Single(c => c.Peer == PeerRows.NinoStore);
            RatioCell? best = workload.Where(c => c.Peer is not (PeerRows.Bound or PeerRows.NinoStore)).MinBy(c => c.MinNs);
            table.Add(workload.Key, MarkdownTable.Number(ours.MinNs), best is null ? "-" : MarkdownTable.Number(best.MinNs), best?.Peer ?? "-", MarkdownTable.Number(bound.MinNs),
                MarkdownTable.Ratio(best?.MinNs / ours.MinNs), MarkdownTable.Ratio(ours.MinNs / bound.MinNs), Whole(ours.AllocatedBytes), Whole(ours.PayloadBytes));
        }
        return table;
    }

    /// <summary>Every peer on every row, of one operation.</summary>
    internal static MarkdownTable All(IEnumerable<RatioCell> cells)
    {
        var table = new MarkdownTable("workload", "peer", "min ns", "median ns", "x NinoStore", "alloc B", "payload B");
        foreach (var workload in cells.GroupBy(c => c.Workload))
        {
            RatioCell ours = workload.Single(c => c.Peer == PeerRows.NinoStore);
            foreach (RatioCell cell in workload)
                table.Add(workload.Key, cell.Peer, MarkdownTable.Number(cell.MinNs), MarkdownTable.Number(cell.MedianNs), MarkdownTable.Ratio(cell.MinNs / ours.MinNs), Whole(cell.AllocatedBytes), Whole(cell.PayloadBytes));
        }
        return table;
    }

    internal static string Whole(double value) => value.ToString("#,0", CultureInfo.InvariantCulture);
}
