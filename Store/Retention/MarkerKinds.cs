// What is a mark of a position about? Each kind of them has its word in messages, its place among file names, and the flag by which a truncation passes it over.

namespace Store.Retention;

/// <summary>What a marker file is about.</summary>
internal enum MarkerKind
{
    Start = 1,
    Cursor = 2,
    KeyedState = 3,
    Source = 4,
    End = 5,
    State = 6,
}

/// <summary>A kind of mark that holds the log behind a position.</summary>
/// <param name="Kind">The kind.</param>
/// <param name="What">The word for it in messages.</param>
/// <param name="Prefix">What its files' names begin with.</param>
/// <param name="Hold">By which flag a truncation passes it over.</param>
/// <param name="Remover">What removes it.</param>
internal sealed record PositionKind(MarkerKind Kind, string What, string Prefix, RetentionHolds Hold, string Remover)
{
    private static readonly PositionKind[] All =
    [
        new(MarkerKind.Cursor, "cursor", "cursor-", RetentionHolds.Cursors, nameof(NinoStore.DeleteCursor)),
        new(MarkerKind.KeyedState, "keyed state", "keyed-", RetentionHolds.KeyedStates, nameof(NinoStore.ForgetKeyedState)),
        new(MarkerKind.State, "state", "state-", RetentionHolds.States, nameof(NinoStore.ForgetState)),
    ];

    public static PositionKind Of(MarkerKind kind) => All.First(k => k.Kind == kind);

    /// <summary>The kind that a file's name tells; null when it is none of a position.</summary>
    public static PositionKind? OfFile(string fileName) => All.FirstOrDefault(k => fileName.StartsWith(k.Prefix, StringComparison.Ordinal));
}
