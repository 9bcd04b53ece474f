// One target, fuzzed: choose an input of the corpus, edit it, run it, and keep the edited one when it took an edge that no other took, or took one so many times more often. AFL's loop, in the
// process itself.
//
// What is kept is first made shorter, as long as it takes the same edges. One thread; the same seed and corpus choose the same inputs, as far as the program under test does the same with them.

using System.Diagnostics;

namespace Store.Fuzz.Driver;

/// <summary>What a campaign came to.</summary>
/// <param name="Runs">Inputs that were run.</param>
/// <param name="Seconds">In what time.</param>
/// <param name="SeedEdges">Edges that the seeds took, summed over the lanes.</param>
/// <param name="StartEdges">Edges that seeds and corpus took.</param>
/// <param name="Edges">Edges in the end.</param>
/// <param name="Corpus">Inputs kept.</param>
/// <param name="SlowestMs">The slowest input.</param>
internal sealed record CampaignResult(long Runs, double Seconds, int SeedEdges, int StartEdges, int Edges, int Corpus, double SlowestMs);

internal sealed class Campaign(FuzzTargetKind target, int number, FuzzOptions options, Heartbeat heartbeat, FindingLog findings)
{
    /// <summary>Seeds are the same in every run, so that a corpus need not hold them.</summary>
    public const int SeedOfSeeds = 20261122;

    private const int RunsAVisit = 64;
    private const int MaxTrimRuns = 96;
    private const int FindingsATarget = 20;

    private readonly Random _random = new(options.Seed);
    private readonly Stopwatch _clock = new();
    private readonly List<LaneState> _lanes = [];
    private long _runs;
    private double _slowestMs;

    public CampaignResult Run(IReadOnlyCollection<CorpusEntry> known, out IReadOnlyList<CorpusEntry> kept)
    {
        IReadOnlyList<FuzzLane> lanes = target.Lanes();
        for (int i = 0; i < lanes.Count; i++)
        {
            if (options.Lane is null || options.Lane == lanes[i].Name) _lanes.Add(new LaneState(lanes[i], i));
        }

        if (_lanes.Count == 0) throw new UsageException($"The target '{target.Name}' has no lane '{options.Lane}', but {string.Join(", ", lanes.Select(static lane => $"'{lane.Name}'"))}.");
        foreach (LaneState lane in _lanes) Begin(lane, known);
        int seedEdges = _lanes.Sum(static lane => lane.SeedEdges), startEdges = _lanes.Sum(static lane => lane.Edges);

        var havoc = new Havoc(_random);
        long begun = _runs;
        _clock.Start();
        for (int visit = _random.Next(_lanes.Count); !IsOver(begun); visit = (visit + 1) % _lanes.Count) Visit(_lanes[visit], havoc, begun);
        _clock.Stop();

        kept = [.. _lanes.SelectMany(static lane => lane.Kept())];
        return new CampaignResult(_runs - begun, _clock.Elapsed.TotalSeconds, seedEdges, startEdges, _lanes.Sum(static lane => lane.Edges), _lanes.Sum(static lane => lane.Corpus.Count), _slowestMs);
    }

    private bool IsOver(long begun) => findings.CountOf(target.Name) >= (options.StopsAtFirst ? 1 : FindingsATarget) || (options.Runs is { } runs ? _runs - begun >= runs : _clock.Elapsed.TotalSeconds >= options.Seconds);

    private void Begin(LaneState state, IReadOnlyCollection<CorpusEntry> known)
    {
        heartbeat.Enter(number, state.Number);
        byte[][] seeds = [.. state.Lane.Seeds(SeedOfSeeds)];

        // What a program makes on first use is no input's: each seed is run once before it counts.
        foreach (byte[] seed in seeds) Try(state, seed, isMeasured: false);
        foreach (byte[] seed in seeds) Offer(state, seed, isSeed: true);
        if (seeds.Length > 0 && !CoverageMap.HasCounts && !options.IsBlind) throw new InvalidOperationException($"A run of '{target.Name}' counted nothing: the code is not instrumented.");
        state.SeedEdges = state.Edges;
        foreach (CorpusEntry entry in known.Where(entry => entry.Lane == state.Lane.Name)) Offer(state, entry.Bytes, isSeed: false);
    }

    private void Visit(LaneState state, Havoc havoc, long begun)
    {
        heartbeat.Enter(number, state.Number);
        List<byte[]> corpus = state.Corpus;
        for (int i = 0; i < RunsAVisit && !IsOver(begun); i++)
        {
            byte[] input = corpus.Count == 0 ? [] : _random.Next(2) == 0 ? corpus[^_random.Next(1, Math.Min(corpus.Count, 8) + 1)] : corpus[_random.Next(corpus.Count)];
            byte[] other = corpus.Count == 0 ? [] : corpus[_random.Next(corpus.Count)];
            byte[] mutated = state.Lane.Mutate(input, other, havoc);
            if (!Try(state, mutated) || options.IsBlind) continue;
            (int edges, int buckets) = CoverageMap.AddTo(state.Seen);
            state.Edges += edges;
            if (edges + buckets > 0) corpus.Add(Trim(state, mutated));
        }
    }

    private void Offer(LaneState state, byte[] input, bool isSeed)
    {
        if (!Try(state, input)) return;
        (int edges, int buckets) = CoverageMap.AddTo(state.Seen);
        state.Edges += edges;
        if (edges + buckets == 0 && !(isSeed && state.Corpus.Count == 0)) return;
        state.Corpus.Add(input);
        if (isSeed) state.Seeds++;
    }

    // Shorter inputs are faster, and edits of them hit more often what matters.
    private byte[] Trim(LaneState state, byte[] input)
    {
        if (input.Length < 16 || !Try(state, input)) return input;
        ulong signature = CoverageMap.Signature();
        int runs = 0;
        for (int piece = input.Length / 2; piece >= 2 && runs < MaxTrimRuns; piece /= 2)
        {
            for (int at = 0; at + piece <= input.Length && runs < MaxTrimRuns; runs++)
            {
                byte[] shorter = [.. input[..at], .. input[(at + piece)..]];
                if (Try(state, shorter) && CoverageMap.Signature() == signature) input = shorter;
                else at += piece;
            }
        }

        return input;
    }

    /// <returns>False when the input is a finding.</returns>
    private bool Try(LaneState state, byte[] input, bool isMeasured = true)
    {
        Exception? error = RunOnce(state, input, isMeasured);

        // What was made on first use may have been this input's by chance: the second time it is nobody's.
        if (error is not null && IsAboutMemory(error)) error = isMeasured ? RunOnce(state, input, isMeasured) : null;
        if (error is null) return true;
        findings.Add(target.Name, state.Lane.Name, input, error);
        return false;
    }

    private Exception? RunOnce(LaneState state, byte[] input, bool isMeasured)
    {
        heartbeat.Beat(input);
        _runs++;
        CoverageMap.Clear();
        long before = GC.GetAllocatedBytesForCurrentThread(), began = Stopwatch.GetTimestamp();
        try
        {
            state.Lane.Run(input);
        }
        catch (Exception error)
        {
            return error;
        }

        double ms = Stopwatch.GetElapsedTime(began).TotalMilliseconds;
        if (isMeasured && ms > _slowestMs) _slowestMs = ms;
        long allocated = GC.GetAllocatedBytesForCurrentThread() - before;
        return !isMeasured || allocated <= state.Lane.MaxAllocation(input.Length) ? null : new LaneException($"{input.Length} bytes allocated {allocated}");
    }

    private static bool IsAboutMemory(Exception error) => error is LaneException or Tests.Fuzz.FuzzException && error.Message.Contains("allocated", StringComparison.Ordinal);

    /// <summary>A lane under way.</summary>
    private sealed class LaneState(FuzzLane lane, int number)
    {
        public FuzzLane Lane => lane;

        public int Number => number;

        public byte[] Seen { get; } = new byte[CoverageMap.Size];

        /// <summary>Those of the seeds that took something new first, then what was found.</summary>
        public List<byte[]> Corpus { get; } = [];

        public int Seeds { get; set; }

        public int SeedEdges { get; set; }

        public int Edges { get; set; }

        public IEnumerable<CorpusEntry> Kept() => Corpus.Skip(Seeds).Select(bytes => new CorpusEntry(lane.Name, bytes));
    }
}
