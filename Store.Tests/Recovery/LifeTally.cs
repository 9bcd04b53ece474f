// Did everything happen in the lives of a test? What is never done is never proved.

namespace Store.Tests.Recovery;

/// <summary>How often what was done, of all lives of a test.</summary>
internal sealed class LifeTally
{
    public int Lives, Large, Conflicts, Batches, Checkpoints, Cursors, Removals, Imported, Refused, Backups, Restored, Kills, PowerFailures;

    public override string ToString() =>
        $"{Lives} lives with {Batches} batches, {Large} records larger than a segment, {Conflicts} expected sequences refused, {Checkpoints} checkpoints, {Cursors} cursors committed, {Removals} removals, {Imported} imports, {Refused} imports refused, {Backups} backups, "
        + $"{Restored} restored from one, {Kills} kills, {PowerFailures} power failures lived through";

    /// <summary>Everything happened.</summary>
    public void HasEverything() => Assert.DoesNotContain(0, new[] { Large, Conflicts, Batches, Checkpoints, Cursors, Removals, Imported, Refused, Backups, Restored, Kills, PowerFailures });
}
