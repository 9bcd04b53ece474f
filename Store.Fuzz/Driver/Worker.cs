// The child: runs inside the instrumented copy, one target after the other.

using System.Globalization;
using Store.Fuzz.Targets;

namespace Store.Fuzz.Driver;

internal static class Worker
{
    /// <returns>0, or 1 when there was a finding.</returns>
    public static int Run(FuzzOptions options)
    {
        using var heartbeat = new Heartbeat(options.Heartbeat!);
        var findings = new FindingLog(options.Findings);
        foreach (string name in options.Targets)
        {
            FuzzTargetKind target = TargetList.Of(name);
            if (options.Input is not null) Replay(target, options, heartbeat, findings);
            else Fuzz(target, options, heartbeat, findings);
        }

        return findings.Count > 0 ? 1 : 0;
    }

    private static void Fuzz(FuzzTargetKind target, FuzzOptions options, Heartbeat heartbeat, FindingLog findings)
    {
        string file = Path.Combine(options.Corpus ?? Path.Combine(AppContext.BaseDirectory, "Corpus"), target.Name + ".bin");
        List<CorpusEntry> known = File.Exists(file) ? CorpusFile.Read(file) : [];
        CampaignResult result = new Campaign(target, TargetList.NumberOf(target), options, heartbeat, findings).Run(known, out IReadOnlyList<CorpusEntry> kept);
        Console.WriteLine(string.Create(CultureInfo.InvariantCulture,
            $"{target.Name}: {result.Runs} runs, {result.Runs / Math.Max(result.Seconds, 0.001):F0} runs/s, {result.Edges} edges ({result.StartEdges} at the beginning, {result.SeedEdges} by the seeds), {result.Corpus} inputs, slowest {result.SlowestMs:F1} ms, {findings.CountOf(target.Name)} findings"));
        if (options.Corpus is null) return;
        Directory.CreateDirectory(options.Corpus);

        // A run of one lane knows nothing of the others.
        List<CorpusEntry> others = options.Lane is null ? [] : known.FindAll(entry => entry.Lane != options.Lane);
        IReadOnlyList<CorpusEntry> all = options.Minimizes ? new Minimizer(target, heartbeat).Run(kept) : kept;
        long length = CorpusFile.Write(file, [.. all, .. others]);
        Console.WriteLine($"    kept {all.Count} of {kept.Count} inputs, {length} bytes in {file}");
    }

    private static void Replay(FuzzTargetKind target, FuzzOptions options, Heartbeat heartbeat, FindingLog findings)
    {
        IReadOnlyList<FuzzLane> lanes = target.Lanes();
        foreach (CorpusEntry entry in CorpusFile.Read(options.Input!))
        {
            int number = lanes.ToList().FindIndex(lane => lane.Name == entry.Lane);
            if (number < 0) throw new UsageException($"The target '{target.Name}' has no lane '{entry.Lane}'.");
            heartbeat.Enter(TargetList.NumberOf(target), number);
            heartbeat.Beat(entry.Bytes);
            try
            {
                lanes[number].Run(entry.Bytes);
                Console.WriteLine($"{target.Name} {entry.Lane}: {entry.Bytes.Length} bytes, no finding");
            }
            catch (Exception error)
            {
                findings.Add(target.Name, entry.Lane, entry.Bytes, error);
            }
        }
    }
}
