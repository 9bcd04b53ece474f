using System.CommandLine;
using Store.Inspect.Rendering;

namespace Store.Inspect.Commands;

/// <summary><c>inspect cat PATH</c>: the records; a table on a terminal, one line each when piped.</summary>
internal static class CatCommand
{
    public static Command Create(ToolConsole console, SharedOptions options)
    {
        var path = SharedOptions.Path();
        var json = new Option<bool>("--json") { Description = "One JSON object a line: sequence, time, type, value." };
        Option<string?> part = SharedOptions.Part(), type = SharedOptions.Type(), from = SharedOptions.From(), to = SharedOptions.To();
        Option<long?> limit = SharedOptions.Limit();
        var command = new Command("cat", "Prints records: a table on a terminal; when piped, a line a record with tab-separated sequence, time, type and value (JSON).") { path, json, part, type, from, to, limit };
        command.SetAction(parse =>
        {
            ReadOptions range = SharedOptions.RangeOf(parse.GetValue(from), parse.GetValue(to));
            using StoreReader reader = console.OpenReader(parse.GetValue(path)!);
            var selection = new RecordSelection(reader, range, parse.GetValue(part), parse.GetValue(type), parse.GetValue(limit), console);
            if (console.IsOutputTerminal && !parse.GetValue(json)) Table(selection, console.OpenScreen(options.ColorOf(parse)));
            else Lines(selection, console.Bytes, parse.GetValue(json));
            return selection.Finish();
        });
        return command;
    }

    internal static void Lines(RecordSelection selection, Stream output, bool asJson)
    {
        using var lines = new RecordLines(output, asJson);
        try
        {
            foreach (SelectedRecord record in selection.Records())
            {
                lines.Write(record);
                if (lines.Problem is { } problem) selection.Undecodable(record, problem);
            }
        }
        finally
        {
            // Also what was read before a failure.
            lines.Flush();
        }
    }

    private static void Table(RecordSelection selection, Screen screen)
    {
        RecordTable? table = null;
        string? part = null;
        try
        {
            foreach (SelectedRecord record in selection.Records())
            {
                if (table is null || record.Part != part)
                {
                    table?.Finish();
                    if (record.Part is not null) PartView.Title(screen, record, isFirst: table is null);
                    table = new RecordTable(screen, RecordTable.LeadOf(record));
                    part = record.Part;
                }

                if (table.Add(record) is { } problem) selection.Undecodable(record, problem);
            }
        }
        finally
        {
            table?.Finish();
        }
    }
}
