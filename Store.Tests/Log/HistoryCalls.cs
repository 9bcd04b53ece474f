// What did threads ask of a log, when, and what were they told? The calls of a history, each with the times of its beginning and end on one clock that counts.

using Store.Tests.Simulation;

namespace Store.Tests.Log;

internal abstract record HistoryCall(long Begin, long End);

/// <summary>Records were appended.</summary>
internal sealed record AppendedCall(long Begin, long End, long Sequence, int[] Values) : HistoryCall(Begin, End)
{
    public long LastSequence => Sequence + Values.Length - 1;
}

/// <summary>An append that wanted a sequence was refused, and told which was the next.</summary>
internal sealed record RefusedCall(long Begin, long End, long Expected, long Next) : HistoryCall(Begin, End);

/// <summary>What was appended before, and up to a sequence in any case, was durable when the call returned: the folder after a power failure at that moment.</summary>
internal sealed record CommittedCall(long Begin, long End, SimDirectory Crashed, long Through = 0) : HistoryCall(Begin, End);

/// <summary>Records were read, from a sequence to the end, or until a truncation came. Oldest first here, in whichever order they were read.</summary>
/// <param name="TruncatedTo">Where the log began when a truncation ended the reading; 0 when none did.</param>
internal sealed record SeenCall(long Begin, long End, long From, (long Sequence, int Value)[] Records, long TruncatedTo) : HistoryCall(Begin, End);

/// <summary>The beginning was removed.</summary>
internal sealed record TruncatedCall(long Begin, long End, long Before, long First) : HistoryCall(Begin, End);

/// <summary>A cursor was moved, forwards or back; durable.</summary>
internal sealed record CursorMovedCall(long Begin, long End, string Cursor, long Sequence) : HistoryCall(Begin, End);

/// <summary>A cursor was not moved, because the log began later.</summary>
internal sealed record CursorRefusedCall(long Begin, long End, string Cursor, long Sequence, long First) : HistoryCall(Begin, End);

/// <summary>A cursor was read.</summary>
internal sealed record CursorSeenCall(long Begin, long End, string Cursor, long Sequence) : HistoryCall(Begin, End);

/// <summary>The power failed, and a cursor is read in what it left.</summary>
internal sealed record CursorCrashedCall(long Begin, long End, string Cursor, SimDirectory Crashed) : HistoryCall(Begin, End);

/// <summary>The store was copied: the copy after a power failure at the moment when the call returned.</summary>
internal sealed record BackedUpCall(long Begin, long End, long First, long Last, SimDirectory Copy) : HistoryCall(Begin, End);

/// <summary>What another store had not yet was shipped to it, and committed there: its folder after a power failure then.</summary>
internal sealed record ShippedCall(long Begin, long End, long Last, SimDirectory Follower) : HistoryCall(Begin, End);

/// <summary>Shipping or a second backup was refused, because the log no longer had the record with which the follower or the copy ended.</summary>
internal sealed record CopyRefusedCall(long Begin, long End, long Last) : HistoryCall(Begin, End);

/// <summary>The call was told that the log has failed.</summary>
internal sealed record FailedCall(long Begin, long End, string What) : HistoryCall(Begin, End);

/// <summary>What the log held when a part of a history began.</summary>
/// <param name="Values">The value of every record from sequence 1 on, removed ones too.</param>
/// <param name="FirstSequence">First sequence in the log.</param>
/// <param name="Cursors">Where its cursors stood.</param>
internal sealed record HistoryStart(int[] Values, long FirstSequence, IReadOnlyDictionary<string, long> Cursors);
