using System.CommandLine;
using Store.Inspect.Rendering;

namespace Store.Inspect.Commands;

/// <summary><c>inspect export PATH</c>: the records for another tool.</summary>
internal static class ExportCommand
{
    private const string StandardOutputName = "-";

    public static Command Create(ToolConsole console)
    {
        var path = SharedOptions.Path();
        var format = new Option<string>("--format", "-f") { Description = "jsonl: one JSON object a line with sequence, time, type and value.", HelpName = "jsonl", DefaultValueFactory = static _ => "jsonl" };
        format.AcceptOnlyFromAmong("jsonl");
        var file = new Option<string>("--output", "-o") { Description = "The file to write, which must not exist; - for the standard output.", HelpName = "FILE", DefaultValueFactory = static _ => StandardOutputName };
        Option<string?> part = SharedOptions.Part(), type = SharedOptions.Type(), from = SharedOptions.From(), to = SharedOptions.To();
        Option<long?> limit = SharedOptions.Limit();
        var command = new Command("export", "Writes records for other tools, as JSON Lines.") { path, format, file, part, type, from, to, limit };
        command.SetAction(parse =>
        {
            string target = parse.GetValue(file)!;
            if (target.Length == 0) throw new UsageException("--output: the name is empty. - is the standard output.");
            if (target != StandardOutputName) OutputFile.ThrowIfThere(target);
            ReadOptions range = SharedOptions.RangeOf(parse.GetValue(from), parse.GetValue(to));
            using StoreReader reader = console.OpenReader(parse.GetValue(path)!);
            var selection = new RecordSelection(reader, range, parse.GetValue(part), parse.GetValue(type), parse.GetValue(limit), console);
            if (target == StandardOutputName)
            {
                CatCommand.Lines(selection, console.Bytes, asJson: true);
            }
            else
            {
                RefuseToTouch(reader, target);
                using var output = new OutputFile(target, console.Leftovers);
                CatCommand.Lines(selection, output.Stream, asJson: true);
                output.Finish();
            }

            if (console.IsErrorTerminal || target != StandardOutputName) console.Error.WriteLine($"{Format.Count(selection.Count, "record")} exported");
            return selection.Finish();
        });
        return command;
    }

    // Nothing is ever written to what is inspected: no file is replaced, by whatever name it is called, and none is put into the folder, whatever links lead there.
    private static void RefuseToTouch(StoreReader reader, string target)
    {
        if (!reader.IsFolder && !IsInStore(reader)) return;
        string folder = reader.IsFolder ? RealPath(reader.Path) : Path.GetDirectoryName(RealPath(reader.Path))!;
        string place = RealPath(Path.GetDirectoryName(Path.GetFullPath(target)) ?? target);
        if (IsWithin(place, folder)) throw new UsageException($"--output {target}: this is inside the folder that is inspected, which is never written to. Choose another place.");
    }

    // A one-file log has no folder of its own, and neither has a snapshot that was copied somewhere.
    private static bool IsInStore(StoreReader reader)
    {
        if (reader.Files.Any(static file => file.Kind == StoreFileKind.Segment)) return true;
        if (!reader.IsSnapshotFile()) return false;
        try
        {
            using StoreReader folder = StoreReader.Open(Path.GetDirectoryName(RealPath(reader.Path))!);
            return folder.Files.Any(static file => file.Kind == StoreFileKind.Segment);
        }
        catch (Exception e) when (e is NotAStoreException or StoreException or IOException or UnauthorizedAccessException)
        {
            // What it is cannot be told.
            return e is not NotAStoreException;
        }
    }

    private static bool IsWithin(string place, string folder)
    {
        StringComparison comparison = OperatingSystem.IsLinux() ? StringComparison.Ordinal : StringComparison.OrdinalIgnoreCase;
        return place.Equals(folder, comparison) || place.StartsWith(Path.EndsInDirectorySeparator(folder) ? folder : folder + Path.DirectorySeparatorChar, comparison);
    }

    // Without a separator at its end, and without links.
    private static string RealPath(string path)
    {
        string full = Path.TrimEndingDirectorySeparator(Path.GetFullPath(path));
        if (Path.GetDirectoryName(full) is not { } parent) return full;
        string here = Path.Join(RealPath(parent), Path.GetFileName(full));
        FileSystemInfo? target = Directory.Exists(here) ? Directory.ResolveLinkTarget(here, returnFinalTarget: true) : File.Exists(here) ? File.ResolveLinkTarget(here, returnFinalTarget: true) : null;
        return target is null ? here : RealPath(target.FullName);
    }
}
