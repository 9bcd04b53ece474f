// Could one thread after another have been told the same? The calls of a history against a log that is a list.

namespace Store.Tests.Log;

/// <summary>Holds the calls between one opening of a log and its end against what a log used by one could have said.</summary>
internal sealed class HistoryCheck
{
    private readonly HistoryCall[] _calls;
    private readonly AppendedCall[] _appended;
    private readonly TruncatedCall[] _truncated;
    private readonly CursorMovedCall[] _moved;
    private readonly HistoryStart _start;
    private readonly Dictionary<long, (int Value, AppendedCall Call)> _log = [];
    private readonly Dictionary<AppendedCall, long> _known = [];

    /// <param name="start">What the log held before.</param>
    /// <param name="calls">The calls.</param>
    public HistoryCheck(HistoryStart start, HistoryCall[] calls)
    {
        // What was there before was appended, removed and moved before everything.
        _start = start;
        _calls = [new AppendedCall(-1, -1, 1, start.Values), new TruncatedCall(-1, -1, start.FirstSequence, start.FirstSequence), .. calls];
        _appended = [.. _calls.OfType<AppendedCall>().OrderBy(static c => c.Sequence).ThenBy(static c => c.End)];
        _truncated = [.. _calls.OfType<TruncatedCall>()];
        _moved = [.. start.Cursors.Select(static c => new CursorMovedCall(-1, -1, c.Key, c.Value)), .. calls.OfType<CursorMovedCall>()];
        long next = 1;
        foreach (AppendedCall call in _appended)
        {
            // Dense, and nobody got a sequence that another has: of rivals for one, exactly one won.
            Assert.Equal(next, call.Sequence);
            _known.Add(call, call.End);
            foreach (int value in call.Values) _log.Add(next++, (value, call));
        }

        foreach (SeenCall read in _calls.OfType<SeenCall>().Where(static r => r.Records.Length > 0)) NoteKnown(read.Records[^1].Sequence, read.End);
        foreach (RefusedCall refused in _calls.OfType<RefusedCall>()) NoteKnown(refused.Next - 1, refused.End);
    }

    public int Commits => _calls.OfType<CommittedCall>().Count();

    /// <summary>Readings that a truncation ended.</summary>
    public int Overtaken => _calls.OfType<SeenCall>().Count(static r => r.TruncatedTo > 0);

    /// <summary>Truncations that removed something.</summary>
    public int Moved => _truncated.Count(t => t.Begin >= 0 && t.First > _start.FirstSequence);

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
        CheckTruncated();
        foreach (RefusedCall refused in _calls.OfType<RefusedCall>()) CheckRefused(refused);
        foreach (CommittedCall commit in _calls.OfType<CommittedCall>()) CheckCommit(commit);
        new HistoryOrder(_start, _calls.Where(static c => c.Begin >= 0)).Check();
        foreach (CursorCrashedCall crashed in _calls.OfType<CursorCrashedCall>()) CheckCursor(crashed);
        foreach (BackedUpCall copied in _calls.OfType<BackedUpCall>()) CheckCopy(copied);
        foreach (ShippedCall shipped in _calls.OfType<ShippedCall>()) CheckShipped(shipped);
        foreach (CopyRefusedCall refused in _calls.OfType<CopyRefusedCall>()) CheckCopyRefused(refused);
        CheckStopped();
    }

    /// <summary>A store that was opened again holds a beginning of what was appended, with all that was promised.</summary>
    /// <param name="store">The store.</param>
    /// <param name="promised">What must be there.</param>
    public HistoryStart Reopened(NinoStore store, long promised)
    {
        IsBeginning(store, promised);
        Assert.InRange(store.FirstSequence, Removed, Math.Max(Removed, _truncated.Max(static t => t.Before)));
        Dictionary<string, long> cursors = _start.Cursors.Keys.ToDictionary(static name => name, name => PositionIn(store, name));
        Assert.All(cursors, cursor => Assert.Contains(cursor.Value, PositionsBetween(cursor.Key, long.MaxValue, long.MaxValue)));
        return new HistoryStart(Values[..(int)store.LastSequence], store.FirstSequence, cursors);
    }

    // Somebody knew of a record at a moment, perhaps before its append came back.
    private void NoteKnown(long sequence, long time)
    {
        if (_log.TryGetValue(sequence, out (int Value, AppendedCall Call) record)) _known[record.Call] = Math.Min(_known[record.Call], time);
    }

    // The last sequence that was known before a moment: given, or seen by somebody.
    private long MustReach(long time) => _appended.Where(a => _known[a] < time).Select(static a => a.LastSequence).DefaultIfEmpty(0).Max();

    // The last sequence that a commit had promised before a moment, or an import elsewhere shows to be durable.
    private long MustBeDurable(long time) => _calls.OfType<CommittedCall>().Where(c => c.End < time).Select(Promises).DefaultIfEmpty(0).Max();

    // Where the log must begin at least, and may at most, for who looked between two moments.
    private long MustBegin(long time) => _truncated.Where(t => t.End < time).Max(static t => t.First);

    private long MayBegin(long time) => _truncated.Where(t => t.Begin < time).Max(static t => t.First);

    private AppendedCall AppendOf(long sequence)
    {
        Assert.True(_log.TryGetValue(sequence, out (int Value, AppendedCall Call) record), $"record {sequence} was seen, and nobody appended it");
        return record.Call;
    }

    // Where a cursor may be found by who looks between two moments: moved there before the second, and to nowhere else afterwards and before the first.
    private long[] PositionsBetween(string cursor, long from, long to)
    {
        CursorMovedCall[] moves = [.. _moved.Where(m => m.Cursor == cursor && m.Begin < to)];
        return [.. moves.Where(move => !moves.Any(later => later.Begin > move.End && later.End < from)).Select(static move => move.Sequence)];
    }

    // The list tells of a cursor that is not open only what is certainly on the disk.
    private static long PositionIn(NinoStore store, string cursor)
    {
        Assert.Contains(store.Cursors, c => c.Name == cursor && c.Problem is null);
        return store.OpenCursor(cursor).Position;
    }

    private long Promises(CommittedCall commit) => Math.Max(commit.Through, MustReach(commit.Begin));

    // What was known before another began has the lower sequences: the least such moment of what follows is never before the beginning of what precedes.
    private void CheckOrder()
    {
        long least = long.MaxValue;
        foreach (AppendedCall call in _appended.Reverse())
        {
            Assert.False(least < call.Begin, $"sequence {call.Sequence} was given after a later one was known");
            least = Math.Min(least, _known[call]);
        }
    }

    private void CheckRead(SeenCall read)
    {
        for (int i = 0; i < read.Records.Length; i++)
        {
            (long sequence, int value) = read.Records[i];
            if (i > 0) Assert.Equal(read.Records[i - 1].Sequence + 1, sequence);
            Assert.True(AppendOf(sequence).Begin < read.End, $"record {sequence} was read before it was appended");
            Assert.Equal(_log[sequence].Value, value);
        }

        // A reading that a truncation overtook ends early, and says so: there was one, and it removed what was next.
        long reached = read.Records.Length > 0 ? read.Records[^1].Sequence : read.From - 1;
        if (read.TruncatedTo > 0)
        {
            Assert.InRange(read.TruncatedTo, reached + 2, MayBegin(read.End));
            Assert.Contains(_truncated, t => t.Begin < read.End && t.First == read.TruncatedTo);
            return;
        }

        long mustReach = MustReach(read.Begin);
        Assert.True(reached >= mustReach, $"a read from {read.From} ended with {reached}, and {mustReach} was known before it began");
        if (read.Records.Length == 0) return;
        IsWholeBatch(read.Records[^1].Sequence);
        if (read.Records[0].Sequence > read.From && AppendOf(read.Records[0].Sequence) is { Begin: >= 0 } first) Assert.Equal(first.Sequence, read.Records[0].Sequence);
        Assert.InRange(read.Records[0].Sequence, Math.Max(read.From, MustBegin(read.Begin)), Math.Max(read.From, MayBegin(read.End)));
    }

    // Nothing is removed that nobody wanted removed.
    private void CheckTruncated()
    {
        foreach (TruncatedCall truncation in _truncated) Assert.True(truncation.First <= _truncated.Where(t => t.Begin < truncation.End || t == truncation).Max(static t => t.Before));
    }

    // The next sequence that it was told was the next one at some moment of the call.
    private void CheckRefused(RefusedCall refused)
    {
        Assert.NotEqual(refused.Expected, refused.Next);
        Assert.True(refused.Next > MustReach(refused.Begin), $"an append that wanted {refused.Expected} was told that the next is {refused.Next}, and {MustReach(refused.Begin)} was given before");
        Assert.True(refused.Next == 1 || AppendOf(refused.Next - 1).Begin < refused.End, $"an append that wanted {refused.Expected} was told that the next is {refused.Next}, and nobody had begun to append the one before");
        if (refused.Next < refused.Expected) return;
        Assert.True(AppendOf(refused.Expected).Begin < refused.End, $"an append that wanted {refused.Expected} was refused before anybody had begun to append it");
        Contested++;
    }

    private void CheckCommit(CommittedCall commit)
    {
        using NinoStore store = Simulated.Open(commit.Crashed, seed: 99);
        IsBeginning(store, Promises(commit), commit.End);
        Assert.InRange(store.FirstSequence, MustBegin(commit.Begin), MayBegin(commit.End));
    }

    // One that was moved has its position on the disk, and the records up to there.
    private void CheckCursor(CursorCrashedCall crashed)
    {
        using NinoStore store = Simulated.Open(crashed.Crashed, seed: 99);
        long position = PositionIn(store, crashed.Cursor);
        IsBeginning(store, position, crashed.End);
        Assert.InRange(store.FirstSequence, MustBegin(crashed.Begin), MayBegin(crashed.End));
        Assert.Contains(position, PositionsBetween(crashed.Cursor, crashed.Begin, crashed.End));
    }

    // A copy is a beginning of the log with all that was appended before it was begun.
    private void CheckCopy(BackedUpCall copied)
    {
        using NinoStore store = Simulated.Open(copied.Copy, seed: 99);
        IsBeginning(store, MustReach(copied.Begin), copied.End);
        Assert.Equal((copied.First, copied.Last), (store.FirstSequence, store.LastSequence));
        Assert.InRange(copied.First, MustBegin(copied.Begin), MayBegin(copied.End));
        Assert.All(_start.Cursors.Keys, name => Assert.Contains(PositionIn(store, name), PositionsBetween(name, copied.Begin, copied.End).Select(position => Math.Min(position, copied.Last))));
    }

    // What was shipped is a beginning of the log with all that was durable before.
    private void CheckShipped(ShippedCall shipped)
    {
        using NinoStore follower = Simulated.Open(shipped.Follower, seed: 99);
        IsBeginning(follower, MustBeDurable(shipped.Begin), shipped.End);
        Assert.Equal(shipped.Last, follower.LastSequence);
    }

    private void CheckCopyRefused(CopyRefusedCall refused)
    {
        long mayBegin = MayBegin(refused.End);
        Assert.True(mayBegin > Math.Max(refused.Last, 1), $"copying behind record {refused.Last} was refused, and the log began with {mayBegin} at most");
    }

    // Once somebody has been told that the log failed, nobody's append or commit succeeds.
    private void CheckStopped()
    {
        long told = _calls.OfType<FailedCall>().Select(static c => c.End).DefaultIfEmpty(long.MaxValue).Min();
        Assert.DoesNotContain(_calls, call => call.Begin > told && (call is AppendedCall or CommittedCall or RefusedCall));
    }

    private void IsBeginning(NinoStore store, long promised, long time = long.MaxValue)
    {
        Assert.True(store.LastSequence >= promised, $"{promised} was promised, and {store.LastSequence} survived");
        Assert.All(store.Recovery.Damage, static damage => Assert.Equal(StoreDamageKind.TornTail, damage.Kind));
        long next = store.FirstSequence;
        foreach (LogRecord<int> record in store.Read<int>())
        {
            Assert.True(AppendOf(next).Begin < time, $"record {next} was there before it was appended");
            Assert.Equal((next, _log[next].Value), (record.Sequence, record.Value));
            next++;
        }

        Assert.Equal(store.LastSequence + 1, next);

        if (store.LastSequence > 0) IsWholeBatch(store.LastSequence);
    }

    // A batch is there whole or not at all.
    private void IsWholeBatch(long last)
    {
        if (AppendOf(last) is { Begin: >= 0 } append) Assert.Equal(append.LastSequence, last);
    }
}
