namespace Store.KeyValue;

/// <summary>What opening keyed state found and did.</summary>
public sealed record KeyValueRecovery
{
    /// <summary>Last sequence of the log whose effect the checkpoint held that was used; 0 when none was.</summary>
    public long CheckpointSequence { get; init; }

    /// <summary>True when there was no usable checkpoint and the whole log was replayed, as for a store that never had one.</summary>
    public bool RebuiltFromLog { get; init; }

    /// <summary>Changes of this keyed state that were read from the log and applied.</summary>
    public long ChangesReplayed { get; init; }

    /// <summary>Checkpoints that were found and not used, newest first. Each costs time, not data: the log has everything.</summary>
    public IReadOnlyList<RejectedCheckpoint> Rejected { get; init; } = [];
}

/// <summary>A checkpoint of keyed state that could not be used.</summary>
/// <param name="File">The file at fault.</param>
/// <param name="Message">What is wrong with it.</param>
public sealed record RejectedCheckpoint(string File, string Message);
