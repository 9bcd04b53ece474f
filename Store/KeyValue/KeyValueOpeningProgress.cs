namespace Store.KeyValue;

/// <summary>How far the opening of keyed state is: the log's records behind the checkpoint that is used, or all of them, are replayed in order.</summary>
/// <param name="From">Sequence behind which the replay began: the checkpoint's, 0 for the whole log.</param>
/// <param name="Sequence">Last record of the log that was replayed, of whatever kind.</param>
/// <param name="LastSequence">Where the log ended; a record appended meanwhile may be replayed too.</param>
/// <param name="ChangesReplayed">Changes of this keyed state among them, which were applied.</param>
public readonly record struct KeyValueOpeningProgress(long From, long Sequence, long LastSequence, long ChangesReplayed);
