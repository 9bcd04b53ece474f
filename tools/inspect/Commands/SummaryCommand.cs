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
            ? Run(value, console, console.OpenScreen(options.ColorOf(parse)))
            : throw new UsageException("there is no PATH. 'inspect --help' tells what can be done."));
        return root;
    }

    private static int Run(string path, ToolConsole console, Screen screen)
    {
        using StoreReader reader = StoreReader.Open(path);
        VerifyReport report = console.WithProgress("reading", reader.LengthBytes, progress => reader.Verify(progress));
        if (reader.IsSnapshot)
        {
            new SummaryView(screen, reader, report).Write(name => [.. reader.SnapshotRecords(name).Take(RowsShown).Select(static r => new SelectedRecord(r.Record with { Payload = r.Record.Payload.ToArray() }, r.Part, r.Item))]);
            return ExitCode.Of(report);
        }

        LogRecordCopy[] first = [.. reader.Records().Take(RowsShown).Select(static r => new LogRecordCopy(r))];
        long lastSequence = report.Files.Select(static f => f.LastSequence).DefaultIfEmpty().Max();
        LogRecordCopy[] last = first.Length < RowsShown ? [] : [.. LastRecords(reader, Math.Max(first[^1].Record.Sequence, lastSequence - RowsShown) + 1)];
        new SummaryView(screen, reader, report).Write(first, last);
        return ExitCode.Of(report);
    }

    private static IEnumerable<LogRecordCopy> LastRecords(StoreReader reader, long fromSequence) =>
        reader.Records(new ReadOptions { FromSequence = fromSequence }).Take(RowsShown).Select(static r => new LogRecordCopy(r));
}
