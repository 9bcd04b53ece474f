// A corpus that is small enough to be committed: of all inputs, shortest first, those that take an edge which neither the seeds nor shorter ones take. The lanes of most targets share edges, so that
// what one type shows of the engine's own code is kept once.

namespace Store.Fuzz.Driver;

internal sealed class Minimizer(FuzzTargetKind target, Heartbeat heartbeat)
{
    public IReadOnlyList<CorpusEntry> Run(IReadOnlyList<CorpusEntry> entries)
    {
        List<CorpusEntry> kept = [];
        Dictionary<string, (FuzzLane Lane, byte[] Seen)> lanes = [];
        byte[] shared = new byte[CoverageMap.Size];
        foreach (FuzzLane lane in target.Lanes())
        {
            byte[] seen = target.KeepsEachLane ? new byte[CoverageMap.Size] : shared;
            lanes.Add(lane.Name, (lane, seen));
            foreach (byte[] seed in lane.Seeds(Campaign.SeedOfSeeds)) EdgesOf(lane, seed, seen);
        }

        foreach (CorpusEntry entry in entries.OrderBy(static entry => entry.Bytes.Length))
        {
            if (lanes.TryGetValue(entry.Lane, out (FuzzLane Lane, byte[] Seen) lane) && EdgesOf(lane.Lane, entry.Bytes, lane.Seen) > 0) kept.Add(entry);
        }

        return kept;
    }

    private int EdgesOf(FuzzLane lane, byte[] input, byte[] seen)
    {
        heartbeat.Beat(input);
        CoverageMap.Clear();
        try
        {
            lane.Run(input);
        }
        catch (Exception error) when (error is not OutOfMemoryException)
        {
            // The campaign has said so, or it was the first use of something.
            return 0;
        }

        return CoverageMap.AddTo(seen).Edges;
    }
}
