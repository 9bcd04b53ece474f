// Is there an order of the calls, in which each has its moment between its beginning and its end, that one thread alone could have seen? For the positions of cursors and the log's beginning, which hold each other.

using System.Numerics;

namespace Store.Tests.Log;

/// <summary>
/// Searches for the order (Wing and Gong 1993, with Lowe's memory of what was tried): of all calls that nothing must precede, each is tried as the next one. Exact, and quick as long as few calls overlap.
/// </summary>
internal sealed class HistoryOrder
{
    private readonly HistoryCall[] _calls;
    private readonly string[] _cursors;
    private readonly HashSet<(BigInteger Done, string State)> _tried = [];
    private int _longest;

    /// <param name="start">What there was before.</param>
    /// <param name="calls">All calls; those that are about something else are passed over.</param>
    public HistoryOrder(HistoryStart start, IEnumerable<HistoryCall> calls)
    {
        _calls = [.. calls.Where(static c => c is CursorMovedCall or CursorRefusedCall or CursorSeenCall or TruncatedCall or BackedUpCall).OrderBy(static c => c.Begin)];
        _cursors = [.. start.Cursors.Keys];
        Start = new State(start.FirstSequence, [.. _cursors.Select(name => start.Cursors[name])]);
    }

    private State Start { get; }

    /// <summary>Fails when there is no such order.</summary>
    public void Check() => Assert.True(IsPossible(BigInteger.Zero, Start, 0), $"no order of the calls on cursors and of the truncations explains what they were told: at most {_longest} of {_calls.Length} fit, of\n{string.Join('\n', _calls.AsEnumerable())}");

    private bool IsPossible(BigInteger done, State state, int count)
    {
        if (count == _calls.Length) return true;
        _longest = Math.Max(_longest, count);
        if (!_tried.Add((done, state.ToString()))) return false;
        long firstEnd = _calls.Where((_, i) => IsLeft(done, i)).Min(static c => c.End);
        for (int i = 0; i < _calls.Length && _calls[i].Begin < firstEnd; i++)
        {
            if (IsLeft(done, i) && After(state, _calls[i]) is { } next && IsPossible(done | (BigInteger.One << i), next, count + 1)) return true;
        }

        return false;
    }

    private static bool IsLeft(BigInteger done, int call) => ((done >> call) & BigInteger.One).IsZero;

    // What the call leaves; null when it could not have been told what it was told.
    private State? After(State state, HistoryCall call) => call switch
    {
        CursorMovedCall moved => moved.Sequence + 1 >= state.First ? state.With(IndexOf(moved.Cursor), moved.Sequence) : null,
        CursorRefusedCall refused => refused.Sequence + 1 < state.First && refused.First == state.First ? state : null,
        CursorSeenCall seen => state.Positions[IndexOf(seen.Cursor)] == seen.Sequence ? state : null,

        // Nothing is removed that a cursor has before it, and nothing comes back.
        TruncatedCall truncated => truncated.First >= state.First && truncated.First <= Math.Max(state.First, Math.Min(truncated.Before, state.Positions.Min() + 1)) ? state with { First = truncated.First } : null,
        BackedUpCall copied => copied.First == state.First ? state : null,
        _ => throw new ArgumentException(call.GetType().Name),
    };

    private int IndexOf(string cursor) => Array.IndexOf(_cursors, cursor);

    private sealed record State(long First, long[] Positions)
    {
        public State With(int cursor, long position)
        {
            long[] positions = [.. Positions];
            positions[cursor] = position;
            return this with { Positions = positions };
        }

        public override string ToString() => $"{First}: {string.Join(' ', Positions)}";
    }
}
