// Is all of a snapshot whole? Its data is cut into runs of pages, whatever parts they belong to, which all processors verify at the same time.

namespace Store.Snapshots;

internal static class SnapshotCheck
{
    /// <summary>What one processor takes at a time: enough that taking it costs nothing, little enough that the last one is not waited for.</summary>
    private const int RunSizeBytes = 1024 * 1024;

    /// <summary>Verifies everything. The caller holds a lease of the file.</summary>
    /// <returns>The first damage, item indexes before data; the same whatever the processors do, or null.</returns>
    public static SnapshotFailure? FindFirstDamage(SnapshotPart[] parts, int pageSize)
    {
        int runSize = Math.Max(RunSizeBytes, pageSize);
        var runs = new List<(SnapshotPart Part, long Offset, long LengthBytes)>();
        foreach (SnapshotPart part in parts)
        {
            if (part.HasItems && part.FindIndexDamage() is { } failure) return failure;

            // Both sizes are powers of two: a run begins with a page.
            for (long offset = 0; offset < part.DataLengthBytes; offset += runSize) runs.Add((part, offset, Math.Min(runSize, part.DataLengthBytes - offset)));
        }

        if (runs.Count <= 1) return runs.Count == 0 ? null : Verify(0);
        var found = new SnapshotFailure?[runs.Count];
        ParallelLoopResult result = Parallel.For(0, runs.Count, (run, loop) =>
        {
            // Those before it are still looked at.
            if ((found[run] = Verify(run)) is not null) loop.Break();
        });
        return result.LowestBreakIteration is { } first ? found[first] : null;

        SnapshotFailure? Verify(int run) => runs[run].Part.FindDamage(runs[run].Offset, runs[run].LengthBytes);
    }
}
