using Spectre.Console;
using Store.Inspect.Commands;

namespace Store.Inspect.Rendering;

/// <summary>The parts of a snapshot: as a table, and as titles above their records.</summary>
internal static class PartView
{
    /// <summary>What is in a snapshot, in the words of its types: <c>Shop.Game, Shop.Score[]</c>.</summary>
    public static string TypesOf(VerifiedFile file) => file.Parts.Count == 0 ? "unknown" : string.Join(", ", file.Parts.Select(static part => part.HasItems ? part.Schema.Name + "[]" : part.Schema.Name));

    /// <summary>"2 parts, 3 items".</summary>
    public static string Count(IEnumerable<VerifiedFile> snapshots)
    {
        VerifiedPart[] parts = [.. snapshots.SelectMany(static file => file.Parts)];
        string count = Format.Count(parts.Length, "part");
        return parts.Any(static part => part.HasItems) ? $"{count}, {Format.Count(parts.Sum(static part => part.Items ?? 0), "item")}" : count;
    }

    /// <summary>A row for each part, with what is wrong with it.</summary>
    public static void Table(Screen screen, IReadOnlyList<VerifiedFile> snapshots, bool namesFiles)
    {
        if (snapshots.All(static file => file.Parts.Count == 0)) return;
        screen.Line().Line("Parts", Theme.Title);
        (string, Justify)[] columns = [("part", Justify.Left), ("type", Justify.Left), ("items", Justify.Right), ("size", Justify.Right), ("fingerprint", Justify.Left), ("state", Justify.Left)];
        var table = new AlignedTable(screen, 2, namesFiles ? [("file", Justify.Left), .. columns] : columns);
        foreach (VerifiedFile file in snapshots)
        {
            foreach (VerifiedPart part in file.Parts)
            {
                StyledText[] row =
                [
                    part.Name.Length == 0 ? new StyledText("-", Theme.Quiet) : part.Name,
                    new StyledText(part.Schema.Name, Theme.Name),
                    part.Items is { } items ? Format.Count(items) : new StyledText(part.HasItems ? "unknown" : "-", Theme.Quiet),
                    Format.Size(part.LengthBytes),
                    new StyledText($"{part.Schema.Fingerprint:x16}", Theme.Quiet),
                    part.Damage.Count == 0 ? new StyledText("ok", Theme.Good) : new StyledText("damaged", Theme.Bad),
                ];
                table.Add(namesFiles ? [file.File.Name, .. row] : row);
            }
        }

        table.Settle();
    }

    /// <summary>The line above a part's records.</summary>
    public static void Title(Screen screen, SelectedRecord first, bool isFirst)
    {
        if (!isFirst) screen.Line();
        var title = new StyledText();
        if (first.HasPart) title.Add(first.Part!, Theme.Title).Add("   ");
        screen.Line(title.Add(first.Record.Schema.Name, first.HasPart ? Theme.Name : Theme.Title).Add(first.IsItem ? "   items" : "", Theme.Quiet));
    }
}
