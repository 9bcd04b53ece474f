using System.CommandLine;
using Store.Inspect.Rendering;

namespace Store.Inspect.Commands;

/// <summary><c>inspect PATH</c>: the whole picture on one page. Reads and verifies everything.</summary>
internal static class SummaryCommand
{
    private const int RowsShown = 3;

    public static RootCommand CreateRoot(ToolConsole console, SharedOptions options)
    {
        var path = SharedOptions.Path();
        path.Arity = ArgumentArity.ZeroOrOne;
        var root = new RootCommand($"""
            Looks into NinoStore logs, snapshots and stores, without the program that wrote them and without changing a byte.

            'inspect PATH' summarises and verifies; the verbs below do one thing each.

            {ExitCode.Help}
            """);
        root.Add(path);
        root.Add(options.Color);
        root.SetAction(parse => parse.GetValue(path) is { } value
            ? Run(value, console, options.ColorOf(parse))
            : throw new UsageException("there is no PATH. 'inspect --help' tells what can be done."));
        return root;
    }

    private static int Run(string path, ToolConsole console, ColorMode color)
    {
        using StoreReader reader = console.OpenReader(path);
        VerifyReport report = console.WithProgress("reading", reader.LengthBytes, color, progress => reader.Verify(progress));
        Screen screen = console.OpenScreen(color);
        var view = new SummaryView(screen, reader, report);
        console.Show(() =>
        {
            if (reader.IsSnapshot) view.Write(name => reader.SnapshotRecords(name).Take(RowsShown).Select(static record => new SelectedRecord(record.Record, record.Part, record.Item)));
            else view.Write(Rows(reader, report, screen));
        });
        return ExitCode.Of(report);
    }

    // A record at a time: each may be large.
    private static RecordTable Rows(StoreReader reader, VerifyReport report, Screen screen)
    {
        var table = new RecordTable(screen, indent: 2);
        int count = 0;
        long shown = 0, end = report.Files.Select(static f => f.LastSequence).DefaultIfEmpty().Max();
        foreach (LogRecord record in Records(reader, 1)) Add(record);
        if (count < RowsShown) return table;
        bool hasGap = false;
        foreach (LogRecord record in Records(reader, Math.Max(shown, end - RowsShown) + 1))
        {
            if (!hasGap && record.Sequence > shown + 1) table.AddGap();
            hasGap = true;
            Add(record);
        }

        return table;

        void Add(LogRecord record)
        {
            table.Add(new SelectedRecord(record));
            shown = record.Sequence;
            count++;
        }
    }

    private static IEnumerable<LogRecord> Records(StoreReader reader, long fromSequence) =>
        KeptRecords.Of(reader, new ReadOptions { FromSequence = fromSequence }, static _ => { }, static _ => { }).Take(RowsShown);
}
