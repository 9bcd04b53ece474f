using Spectre.Console;
using Store.Inspect.Commands;

namespace Store.Inspect.Rendering;

/// <summary>One page about a path: what it is, how much is in it, whether it is whole, and a look at the first and last records.</summary>
internal sealed class SummaryView(Screen screen, StoreReader reader, VerifyReport report)
{
    private const int BarWidth = 12;

    /// <summary>A log or a folder, with its first and last records.</summary>
    public void Write(RecordTable rows)
    {
        Head();
        Files();
        Types();
        if (!rows.IsEmpty) screen.Line().Line("Records", Theme.Title);
        rows.Finish();
        DamageView.Write(screen, report);
    }

    /// <summary>A snapshot.</summary>
    /// <param name="firstOf">The first records of the part of a name.</param>
    public void Write(Func<string, IEnumerable<SelectedRecord>> firstOf)
    {
        Head();
        VerifiedFile file = report.Files[0];
        if (!IsPlain(file)) PartView.Table(screen, report.Files, namesFiles: false);
        foreach (VerifiedPart part in file.Parts) Rows(firstOf(part.Name), part.Items ?? 1);
        DamageView.Write(screen, report);
    }

    private void Head()
    {
        screen.Line(reader.Path, Theme.Title);
        screen.Line(What(), Theme.Quiet).Line();
        Facts();
    }

    private string What()
    {
        VerifiedFile? only = report.Files.Count == 1 ? report.Files[0] : null;
        if (reader.IsFolder)
        {
            string others = Others() is > 0 and int n ? $", {Format.Count(n, "other file")}" : "";
            return $"store folder: {Format.Count(CountOf(StoreFileKind.Segment), "segment")}, {Format.Count(CountOf(StoreFileKind.Snapshot), "snapshot")}{others}";
        }

        return only?.File.Kind switch
        {
            StoreFileKind.Snapshot => $"snapshot of {(IsPlain(only) ? PartView.TypesOf(only) : PartView.Count([only]))}",
            StoreFileKind.OneFileLog => only.IsClosed ? "log in one file, closed" : "log in one file, open or not closed properly",
            _ => only is { File.SegmentNumber: > 0 and var number } ? $"segment {number} of a store folder's log" : "segment",
        };
    }

    private void Facts()
    {
        var facts = new AlignedTable(screen, 2, ("", Justify.Left), ("", Justify.Left));
        VerifiedFile[] withRecords = [.. report.Files.Where(static f => f.Records > 0)];
        bool isSnapshot = !reader.IsFolder && report.Files is [{ File.Kind: StoreFileKind.Snapshot }];
        if (isSnapshot)
        {
            if (report.Files[0].File.IsReadable) facts.Add(new StyledText("covers", Theme.Quiet), $"records up to {Format.Count(report.Files[0].File.FirstSequence)}");
            if (report.Files[0].File.CreatedAt is { } at) facts.Add(new StyledText("written", Theme.Quiet), Format.Time(at));
            if (report.Files[0].SnapshotId is > 0 and var number) facts.Add(new StyledText("id", Theme.Quiet), $"{number:x16}");
        }
        else
        {
            string sequences = withRecords.Length == 0 ? "" : $", sequences {Format.Count(withRecords[0].FirstSequence)} to {Format.Count(withRecords[^1].LastSequence)}";
            facts.Add(new StyledText("records", Theme.Quiet), $"{Format.Count(report.Records)} in {Format.Count(report.Frames, "frame")}{sequences}");
            if (withRecords.Length > 0 && withRecords[0].FirstTime is { } from && withRecords[^1].LastTime is { } to)
                facts.Add(new StyledText("time", Theme.Quiet), from == to ? Format.Time(from) : $"{Format.Time(from)} to {Format.Time(to)} ({Format.Span(to - from)})");
            NotedCheckpoint[] noted = [.. report.Files.SelectMany(static f => f.Checkpoints)];
            if (noted is [.., var newest]) facts.Add(new StyledText("noted", Theme.Quiet), $"{Format.Count(noted.Length, "checkpoint")}, the last up to record {Format.Count(newest.Sequence)}: {newest.FileName}, id {newest.SnapshotId:x16}");
        }

        long used = report.Files.Sum(static f => f.UsedBytes), records = report.Files.Sum(static f => f.RecordBytes);
        string inRecords = isSnapshot ? "" : $"; {Format.Size(used)} used, {Format.Size(records)} of that in records";
        facts.Add(new StyledText("size", Theme.Quiet), Format.SizeAndBytes(reader.LengthBytes) + inRecords);
        if (reader.StoreId is { } id) facts.Add(new StyledText("store", Theme.Quiet), id.ToString());
        facts.Add(new StyledText("state", Theme.Quiet), DamageView.State(report));
        facts.Settle();
    }

    private void Files()
    {
        if (!reader.IsFolder) return;
        screen.Line().Line("Files", Theme.Title);
        var columns = new AlignedTable(screen, 2, ("name", Justify.Left), ("size", Justify.Right), ("used", Justify.Right), ("records", Justify.Right), ("sequences", Justify.Left), ("state", Justify.Left));
        HashSet<string> damaged = [.. report.Damage.Select(static d => d.File)];
        foreach (VerifiedFile file in report.Files)
        {
            bool isSnapshot = file.File.Kind == StoreFileKind.Snapshot;
            string sequences = isSnapshot ? $"up to {Format.Count(file.File.FirstSequence)}" : file.Records == 0 ? "none" : $"{Format.Count(file.FirstSequence)} to {Format.Count(file.LastSequence)}";
            string state = isSnapshot ? PartView.TypesOf(file) : file.IsSealed ? "sealed" : file.IsClosed ? "closed" : "open";
            columns.Add(
                file.File.Name,
                Format.Size(file.File.LengthBytes),
                new StyledText(Share(file.UsedBytes, file.File.LengthBytes), Theme.Quiet),
                isSnapshot ? "" : Format.Count(file.Records),
                file.File.IsReadable ? sequences : "unknown",
                damaged.Contains(file.File.Name) ? new StyledText(TornOnly(file.File.Name) ? "torn tail" : "damaged", TornOnly(file.File.Name) ? Theme.Warning : Theme.Bad) : state);
        }

        columns.Settle();
    }

    private void Types()
    {
        if (report.Types.Count == 0) return;
        screen.Line().Line("Types", Theme.Title);
        var columns = new AlignedTable(screen, 2, ("name", Justify.Left), ("records", Justify.Right), ("size", Justify.Right), ("average", Justify.Right), ("share", Justify.Right), ("", Justify.Left), ("fingerprint", Justify.Left));
        long all = Math.Max(1, report.Types.Sum(static t => t.RecordBytes));
        foreach (VerifiedType type in report.Types)
        {
            double share = (double)type.RecordBytes / all;
            columns.Add(
                new StyledText(type.Schema.Name, Theme.Name),
                Format.Count(type.Records),
                Format.Size(type.RecordBytes),
                Format.Size(type.RecordBytes / Math.Max(1, type.Records)),
                Format.Percent(share),
                new StyledText(new string('█', (int)Math.Round(share * BarWidth)).PadRight(BarWidth), Theme.Name),
                new StyledText($"{type.Schema.Fingerprint:x16}", Theme.Quiet));
        }

        columns.Settle();
    }

    private void Rows(IEnumerable<SelectedRecord> first, long all)
    {
        RecordTable? table = null;
        int count = 0;
        foreach (SelectedRecord record in first)
        {
            if (table is null) PartView.Title(screen, record, isFirst: false);
            table ??= new RecordTable(screen, RecordTable.LeadOf(record), indent: 2);
            table.Add(record);
            count++;
        }

        if (all > count) table?.AddGap();
        table?.Finish();
    }

    private int CountOf(StoreFileKind kind) => reader.Files.Count(f => f.Kind == kind);

    private int Others() => CountOf(StoreFileKind.Other);

    private bool TornOnly(string name) => report.Damage.Where(d => d.File == name).All(static d => d.Kind == StoreDamageKind.TornTail);

    // One value without a name: nothing to list.
    private static bool IsPlain(VerifiedFile file) => file.Parts is [] or [{ HasItems: false, Name: "" }];

    private static string Share(long part, long whole) => whole == 0 ? "" : Format.Percent((double)part / whole);
}
