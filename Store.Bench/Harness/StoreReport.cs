// The tables of the verb "store", each with the ratio to its reference: the raw floor where there is one, else FasterLog as it comes.

using System.Text;

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
        foreach (StoreTable table in StoreRun.Tables)
        {
            StoreRow[] own = [.. rows.Where(r => r.Table == table.Name)];
            if (own.Length == 0) continue;
            text.AppendLine($"## {table.Name}").AppendLine();
            text.AppendLine(Render(table, own).ToString());
        }
        return text.ToString();
    }

    private static MarkdownTable Render(StoreTable table, StoreRow[] rows)
    {
        Dictionary<string, StoreRow> references = rows.GroupBy(r => r.Row).ToDictionary(g => g.Key, g => Reference(table, [.. g]));
        string[] names = [.. references.Values.Select(r => r.Peer.Split(',')[0]).Distinct()];
        Column[] columns =
        [
            new("row", r => r.Row),
            new("peer", r => r.Peer),
            .. table.IsByMinimum ? [Number($"min {table.Unit}", r => r.Min)] : Array.Empty<Column>(),
            Number(table.IsByMinimum ? table.Figures.First : $"{table.Figures.First} {table.Unit}", r => r.P50),
            .. table.Figures.Second.Length > 0 ? [Number(table.Figures.Second, r => r.P99)] : Array.Empty<Column>(),
            Number("p99.9", r => r.P999),
            Number("longest", r => r.Max),
            new(names.Length == 1 ? $"x {names[0]}" : "x reference", r => MarkdownTable.Ratio(table.Compared(r) / table.Compared(references[r.Row]))),
            Number("CPU us", r => r.CpuUs),
            Number("alloc B", r => r.AllocatedBytes),
        ];

        // A column in which no row has anything says nothing.
        Column[] shown = [.. columns.Where(c => rows.Any(r => c.Cell(r) != "-"))];
        var markdown = new MarkdownTable([.. shown.Select(c => c.Head)]);
        List<string> order = [.. rows.Select(r => r.Row).Distinct()];
        foreach (StoreRow row in rows.OrderBy(r => order.IndexOf(r.Row))) markdown.Add([.. shown.Select(c => c.Cell(row))]);
        return markdown;
    }

    private static StoreRow Reference(StoreTable table, StoreRow[] rows) => table.References.Select(name => rows.SingleOrDefault(r => r.Peer == name)).FirstOrDefault(r => r is not null) ?? rows[0];

    private static Column Number(string head, Func<StoreRow, double?> figure) => new(head, r => figure(r) is { } value ? MarkdownTable.Number(value) : "-");

    private sealed record Column(string Head, Func<StoreRow, string> Cell);
}
