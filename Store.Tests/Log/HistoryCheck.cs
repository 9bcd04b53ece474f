// Could one thread after another have been told the same? The calls of a history against a log that is a list.

namespace Store.Tests.Log;

/// <summary>Holds the calls between one opening of a log and its end against what a log used by one could have said.</summary>
internal sealed class HistoryCheck
{
    private readonly HistoryCall[] _calls;
    private readonly AppendedCall[] _appended;
    private readonly TruncatedCall[] _truncated;
    private readonly Dictionary<long, (int Value, AppendedCall Call)> _log = [];

    /// <param name="start">What the log held before.</param>
    /// <param name="calls">The calls.</param>
    public HistoryCheck(HistoryStart start, HistoryCall[] calls)
    {
        // What was there before was appended and removed before everything.
        _calls = [new AppendedCall(-1, -1, 1, start.Values), new TruncatedCall(-1, -1, start.FirstSequence, start.FirstSequence), .. calls];
        _appended = [.. _calls.OfType<AppendedCall>().OrderBy(static c => c.Sequence).ThenBy(static c => c.End)];
        _truncated = [.. _calls.OfType<TruncatedCall>()];
        long next = 1;
        foreach (AppendedCall call in _appended)
        {
            // Dense, and nobody got a sequence that another has: of rivals for one, exactly one won.
            Assert.Equal(next, call.Sequence);
            foreach (int value in call.Values) _log.Add(next++, (value, call));
        }
    }

    public int Commits => _calls.OfType<CommittedCall>().Count();

    /// <summary>Sequences that somebody wanted and another got.</summary>
    public int Contested { get; private set; }

    /// <summary>Calls that were told of a failure.</summary>
    public int Failed => _calls.OfType<FailedCall>().Count();

    /// <summary>Every value in order of its sequence.</summary>
    public int[] Values => [.. _appended.SelectMany(static a => a.Values)];

    /// <summary>The last sequence that a commit which returned has promised.</summary>
    public long Promised => _calls.OfType<CommittedCall>().Select(Promises).DefaultIfEmpty(0).Max();

    /// <summary>The first sequence that a truncation which returned has left.</summary>
    public long Removed => _truncated.Max(static t => t.First);

    public void Run()
    {
        CheckOrder();
        foreach (SeenCall read in _calls.OfType<SeenCall>()) CheckRead(read);
        CheckMonotone();
        foreach (RefusedCall refused in _calls.OfType<RefusedCall>()) CheckRefused(refused);
        foreach (CommittedCall commit in _calls.OfType<CommittedCall>()) CheckCommit(commit);
        CheckStopped();
    }

    /// <summary>A store that was opened again holds a beginning of what was appended, with all that was promised.</summary>
    /// <param name="store">The store.</param>
    /// <param name="promised">What must be there.</param>
    public HistoryStart Reopened(NinoStore store, long promised)
    {
        IsBeginning(store, promised);
        Assert.InRange(store.FirstSequence, Removed, Math.Max(Removed, _truncated.Max(static t => t.Before)));
        return new HistoryStart(Values[..(int)store.LastSequence], store.FirstSequence);
    }

    // The last sequence that was given before a moment.
    private long MustReach(long time) => _appended.Where(a => a.End < time).Select(static a => a.LastSequence).DefaultIfEmpty(0).Max();

    private long Promises(CommittedCall commit) => Math.Max(commit.Through, MustReach(commit.Begin));

    // Whoever came back before another began has the lower sequences: the least end of what follows is never before the beginning of what precedes.
    private void CheckOrder()
    {
        long least = long.MaxValue;
        foreach (AppendedCall call in _appended.Reverse())
        {
            Assert.False(least < call.Begin, $"sequence {call.Sequence} was given after a later one was known");
            least = Math.Min(least, call.End);
        }
    }

    private void CheckRead(SeenCall read)
    {
        for (int i = 0; i < read.Records.Length; i++)
        {
            (long sequence, int value) = read.Records[i];
            if (i > 0) Assert.Equal(read.Records[i - 1].Sequence + 1, sequence);
            Assert.Equal(_log[sequence].Value, value);
            Assert.True(_log[sequence].Call.Begin < read.End, $"record {sequence} was read before it was appended");
        }

        // A reading that a truncation overtook ends early, and says so.
        if (read.TruncatedTo > 0) return;
        long mustReach = MustReach(read.Begin), reached = read.Records.Length > 0 ? read.Records[^1].Sequence : read.From - 1;
        Assert.True(reached >= mustReach, $"a read from {read.From} ended with {reached}, and {mustReach} was appended before it began");
        if (read.Records.Length == 0) return;
        long mayBegin = Math.Max(read.From, _truncated.Where(t => t.Begin < read.End).Max(static t => t.First));
        long mustBegin = Math.Max(read.From, _truncated.Where(t => t.End < read.Begin).Max(static t => t.First));
        Assert.InRange(read.Records[0].Sequence, mustBegin, mayBegin);
    }

    // A read that began after another ended saw at least as much.
    private void CheckMonotone()
    {
        SeenCall[] reads = [.. _calls.OfType<SeenCall>().Where(static r => r.TruncatedTo == 0 && r.Records.Length > 0).OrderBy(static r => r.Begin)];
        foreach (SeenCall earlier in reads)
            Assert.All(reads.Where(later => later.Begin > earlier.End && later.From <= earlier.Records[^1].Sequence), later => Assert.True(later.Records[^1].Sequence >= earlier.Records[^1].Sequence, "a later read saw less"));
        foreach (TruncatedCall truncation in _truncated) Assert.True(truncation.First <= _truncated.Where(t => t.Begin < truncation.End || t == truncation).Max(static t => t.Before));
    }

    // The next sequence that it was told was the next one at some moment of the call.
    private void CheckRefused(RefusedCall refused)
    {
        Assert.NotEqual(refused.Expected, refused.Next);
        Assert.True(refused.Next > MustReach(refused.Begin), $"an append that wanted {refused.Expected} was told that the next is {refused.Next}, and {MustReach(refused.Begin)} was given before");
        Assert.True(refused.Next == 1 || _log[refused.Next - 1].Call.Begin < refused.End, $"an append that wanted {refused.Expected} was told that the next is {refused.Next}, and nobody had begun to append the one before");
        if (refused.Next < refused.Expected) return;
        Assert.True(_log[refused.Expected].Call.Begin < refused.End, $"an append that wanted {refused.Expected} was refused before anybody had begun to append it");
        Contested++;
    }

    private void CheckCommit(CommittedCall commit)
    {
        using NinoStore store = Simulated.Open(commit.Crashed, seed: 99);
        IsBeginning(store, Promises(commit));
    }

    // Once somebody has been told that the log failed, nobody's append or commit succeeds.
    private void CheckStopped()
    {
        long told = _calls.OfType<FailedCall>().Select(static c => c.End).DefaultIfEmpty(long.MaxValue).Min();
        Assert.DoesNotContain(_calls, call => call.Begin > told && (call is AppendedCall or CommittedCall or RefusedCall));
    }

    private void IsBeginning(NinoStore store, long promised)
    {
        Assert.True(store.LastSequence >= promised, $"{promised} was promised, and {store.LastSequence} survived");
        Assert.All(store.Recovery.Damage, static damage => Assert.Equal(StoreDamageKind.TornTail, damage.Kind));
        long next = store.FirstSequence;
        foreach (LogRecord<int> record in store.Read<int>()) Assert.Equal((next, _log[next++].Value), (record.Sequence, record.Value));
        Assert.Equal(store.LastSequence + 1, next);

        // A batch is there whole or not at all.
        if (store.LastSequence > 0) Assert.Equal(_log[store.LastSequence].Call.Begin < 0 ? store.LastSequence : _log[store.LastSequence].Call.LastSequence, store.LastSequence);
    }
}
