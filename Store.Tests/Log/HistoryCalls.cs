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

/// <summary>Records were read, from a sequence to the end, or until a truncation came.</summary>
internal sealed record SeenCall(long Begin, long End, long From, (long Sequence, int Value)[] Records, long TruncatedTo) : HistoryCall(Begin, End);

/// <summary>The beginning was removed.</summary>
internal sealed record TruncatedCall(long Begin, long End, long Before, long First) : HistoryCall(Begin, End);

/// <summary>The call was told that the log has failed.</summary>
internal sealed record FailedCall(long Begin, long End, string What) : HistoryCall(Begin, End);

/// <summary>What the log held when a part of a history began.</summary>
/// <param name="Values">The value of every record from sequence 1 on, removed ones too.</param>
/// <param name="FirstSequence">First sequence in the log.</param>
internal sealed record HistoryStart(int[] Values, long FirstSequence);
