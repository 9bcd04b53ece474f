// The tables of the verb "ratios": NinoStore, the best other library and the bound side by side, with the two ratios that goals are stated in.

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
        text.AppendLine($"{machine}{(options.Short ? "; **short run: for a look, not for publication**" : "")}").AppendLine();
        text.AppendLine("Nanoseconds an operation (a batch is one operation). *ahead* = best peer / NinoStore, *bound* = NinoStore / hand-written code for exactly this type.").AppendLine();
        foreach (Operation operation in Enum.GetValues<Operation>())
        {
            text.AppendLine($"## {Title(operation)}").AppendLine();
            text.AppendLine(Summary(cells.Where(c => c.Operation == operation)).ToString());
        }
        text.AppendLine("## Payload bytes").AppendLine();
        text.AppendLine(Pivot(cells.Where(c => c.Operation == Operation.Serialize), c => c.PayloadBytes.ToString("#,0")).ToString());
        foreach (Operation operation in Enum.GetValues<Operation>())
        {
            text.AppendLine($"## {Title(operation)}: all peers, min / median ns").AppendLine();
            text.AppendLine(Pivot(cells.Where(c => c.Operation == operation), c => $"{MarkdownTable.Number(c.MinNs)} / {MarkdownTable.Number(c.MedianNs)}").ToString());
            text.AppendLine($"## {Title(operation)}: allocated bytes").AppendLine();
            text.AppendLine(Pivot(cells.Where(c => c.Operation == operation), c => c.AllocatedBytes.ToString("#,0")).ToString());
        }
        return text.ToString();
    }

    private static string Title(Operation operation) => operation switch
    {
        Operation.Serialize => "Serialize to a new byte[]",
        Operation.Write => "Write into a reused buffer",
        Operation.Deserialize => "Deserialize into new objects",
        _ => throw new ArgumentOutOfRangeException(nameof(operation), operation, "Not an operation."),
    };

    private static MarkdownTable Summary(IEnumerable<RatioCell> cells)
    {
        var table = new MarkdownTable("workload", "NinoStore", "best peer", "(which)", "bound ns", "ahead", "bound", "alloc", "payload");
        foreach (var workload in cells.GroupBy(c => c.Workload))
        {
            RatioCell bound = workload.Single(c => c.Peer == PeerCatalog.Bound);
            RatioCell? best = workload.Where(c => c.Peer is not (PeerCatalog.Bound or PeerCatalog.NinoStore)).MinBy(c => c.MinNs);
            RatioCell? ours = workload.SingleOrDefault(c => c.Peer == PeerCatalog.NinoStore);
            table.Add(
                workload.Key,
                ours is null ? "-" : MarkdownTable.Number(ours.MinNs),
                best is null ? "-" : MarkdownTable.Number(best.MinNs),
                best?.Peer ?? "-",
                MarkdownTable.Number(bound.MinNs),
                MarkdownTable.Ratio(best?.MinNs / ours?.MinNs),
                MarkdownTable.Ratio(ours?.MinNs / bound.MinNs),
                ours is null ? "-" : ours.AllocatedBytes.ToString("#,0"),
                ours is null ? "-" : ours.PayloadBytes.ToString("#,0"));
        }
        return table;
    }

    private static MarkdownTable Pivot(IEnumerable<RatioCell> cells, Func<RatioCell, string> value)
    {
        List<RatioCell> all = [.. cells];
        string[] peers = [.. all.Select(c => c.Peer).Distinct()];
        var table = new MarkdownTable(["workload", .. peers]);
        foreach (var workload in all.GroupBy(c => c.Workload))
            table.Add([workload.Key, .. peers.Select(p => workload.SingleOrDefault(c => c.Peer == p) is { } cell ? value(cell) : "-")]);
        return table;
    }
}
