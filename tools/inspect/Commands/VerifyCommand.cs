using System.CommandLine;
using Spectre.Console;
using Store.Inspect.Rendering;

namespace Store.Inspect.Commands;

/// <summary><c>inspect verify PATH</c>: reads every byte, checks every checksum, order and link.</summary>
internal static class VerifyCommand
{
    public static Command Create(ToolConsole console, SharedOptions options)
    {
        var path = SharedOptions.Path();
        var command = new Command("verify", "Reads every byte and checks every checksum, the order of the frames and the links between files.") { path };
        command.SetAction(parse => Run(parse.GetValue(path)!, console, options.ColorOf(parse)));
        return command;
    }

    private static int Run(string path, ToolConsole console, ColorMode color)
    {
        using StoreReader reader = console.OpenReader(path);
        VerifyReport report = console.WithProgress("verifying", reader.LengthBytes, color, progress => reader.Verify(progress));
        console.Show(() => Show(reader, report, console.OpenScreen(color)));
        return ExitCode.Of(report);
    }

    private static void Show(StoreReader reader, VerifyReport report, Screen screen)
    {
        var columns = new AlignedTable(screen, 0, ("file", Justify.Left), ("frames", Justify.Right), ("records", Justify.Right), ("verified", Justify.Right), ("size", Justify.Right), ("result", Justify.Left));
        foreach (VerifiedFile file in report.Files)
        {
            StoreDamage[] damage = [.. report.Damage.Where(d => d.File == file.File.Name)];
            StyledText result = damage.Length == 0 ? new StyledText("ok", Theme.Good)
                : damage.All(static d => d.Kind == StoreDamageKind.TornTail) ? new StyledText("torn tail", Theme.Warning)
                : new StyledText("damaged", Theme.Bad);
            bool isLog = file.File.Kind != StoreFileKind.Snapshot;
            columns.Add(file.File.Name, isLog ? Format.Count(file.Frames) : "", isLog ? Format.Count(file.Records) : "", Format.Size(file.UsedBytes), Format.Size(file.File.LengthBytes), result);
        }

        columns.Settle();
        VerifiedFile[] snapshots = [.. report.Files.Where(static file => file.File.Kind == StoreFileKind.Snapshot)];
        PartView.Table(screen, snapshots, namesFiles: reader.IsFolder);
        DamageView.Write(screen, report);
        string records = $"{Format.Count(report.Records, "record")} in {Format.Count(report.Frames, "frame")}", parts = $"{PartView.Count(snapshots)} of {Format.Count(snapshots.Length, "snapshot")}";
        screen.Line().Line(DamageView.State(report).Add($": {(snapshots.Length == 0 ? records : reader.IsFolder ? $"{records}, {parts}" : PartView.Count(snapshots))}, {Format.Size(report.BytesRead)} read"));
    }
}
