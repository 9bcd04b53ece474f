// The tables of the verb "store", each with the ratio to its reference: the raw floor where there is one, else FasterLog as it comes.

using System.Text;
using Store.Bench.Harness.Stores;

namespace Store.Bench.Harness;

/// <summary>Renders store results.</summary>
public static class StoreReport
{
    public static string Render(MachineInfo machine, MachineFloor floor, IReadOnlyList<StoreRow> rows, HarnessOptions options)
    {
        var text = new StringBuilder();
        text.AppendLine("# Log and store").AppendLine();
        text.AppendLine($"{machine}{options.Note}").AppendLine();
        text.AppendLine($"Machine floor: {floor}.").AppendLine();
        foreach (var table in rows.GroupBy(r => r.Table))
        {
            text.AppendLine($"## {table.Key}").AppendLine();
            text.AppendLine(Table([.. table]).ToString());
        }
        return text.ToString();
    }

    private static MarkdownTable Table(IReadOnlyList<StoreRow> rows)
    {
        string reference = new[] { StorePeerKind.Raw, "FasterLog default" }.FirstOrDefault(name => rows.Any(r => r.Peer == name)) ?? rows[0].Peer;
        var table = new MarkdownTable("row", "peer", $"p50 {rows[0].Unit}", "p99", $"x {reference.Split(',')[0]}", "CPU us", "alloc B");
        foreach (StoreRow row in rows.OrderBy(r => rows.Select(o => o.Row).Distinct().ToList().IndexOf(r.Row)))
        {
            StoreRow? compared = rows.SingleOrDefault(r => r.Row == row.Row && r.Peer == reference);
            table.Add(row.Row, row.Peer, MarkdownTable.Number(row.P50), MarkdownTable.Number(row.P99), MarkdownTable.Ratio(row.P50 / compared?.P50),
                row.CpuUs is { } cpu ? MarkdownTable.Number(cpu) : "-", row.AllocatedBytes is { } bytes ? MarkdownTable.Number(bytes) : "-");
        }
        return table;
    }
}
