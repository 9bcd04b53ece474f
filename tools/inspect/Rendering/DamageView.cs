using Spectre.Console;
using Store.Snapshots;

namespace Store.Inspect.Rendering;

/// <summary>Damage, marked, with what to do about it.</summary>
internal static class DamageView
{
    public static StyledText State(VerifyReport report) => report switch
    {
        { IsCorrupt: true } => new StyledText("damaged", Theme.Bad),
        { HasTornTail: true } => new StyledText("torn tail", Theme.Warning),
        _ => new StyledText("no damage", Theme.Good),
    };

    public static void Write(Screen screen, VerifyReport report)
    {
        if (report.Damage.Count == 0) return;
        screen.Line().Line("Damage", Theme.Title);
        var columns = new AlignedTable(screen, 2, ("", Justify.Left), ("file", Justify.Left), ("offset", Justify.Right), ("length", Justify.Right), ("what", Justify.Left)) { CutsLastColumn = false };
        foreach (StoreDamage damage in report.Damage)
        {
            bool torn = damage.Kind == StoreDamageKind.TornTail;
            columns.Add(new StyledText(torn ? "torn" : "CORRUPT", torn ? Theme.Warning : Theme.Bad), damage.File, Format.Count(damage.Offset), Format.Size(damage.LengthBytes), damage.Message);
        }

        columns.Settle();
        screen.Line();
        foreach (string advice in Advice(report)) screen.Line(advice);
    }

    /// <summary>One line for the error stream.</summary>
    public static string Line(StoreDamage damage) =>
        $"{damage.File}, offset {damage.Offset}: {(damage.Kind == StoreDamageKind.TornTail ? "torn tail" : "corrupt")}, {Format.Count(damage.LengthBytes, "byte")}: {damage.Message}";

    private static IEnumerable<string> Advice(VerifyReport report)
    {
        if (report.Damage.Any(static damage => damage.Kind == StoreDamageKind.Corruption && !IsOfASnapshotsBytes(damage)))
        {
            yield return "Copy the files before anything else. Restore them from a backup if there is one; else open the store with RecoveryMode.Salvage, which keeps what is before the damage. 'inspect export' writes every record that still verifies.";
            yield break;
        }

        // An opening as usual deals with both.
        if (report.IsCorrupt)
            yield return "No acknowledged record of the log is concerned. A store restores from the snapshot before a damaged one, or from the log alone where that reaches back, and says so in its recovery report; the next checkpoint writes a new one. 'inspect export' writes what still verifies.";
        if (report.HasTornTail)
            yield return "Nothing that was acknowledged is lost by a torn tail. Opening the store for writing cuts its bytes and keeps them in a side file; of a store that was closed, the first opening after a crash does. If a program is writing to it now, it may be a frame on its way: look again.";
    }

    // What a snapshot says of a log that ends before it, has other records or is another store's is damage to that log, or nobody knows to which of them.
    private static bool IsOfASnapshotsBytes(StoreDamage damage) =>
        damage.SnapshotFailure is not (null or SnapshotFailureKind.AheadOfLog or SnapshotFailureKind.OtherHistory or SnapshotFailureKind.ForeignStore);
}
