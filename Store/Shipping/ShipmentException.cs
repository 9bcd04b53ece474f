namespace Store;

/// <summary>Why a frame was not imported.</summary>
public enum ShipmentProblem
{
    /// <summary>Bytes do not verify, or are not what they should be.</summary>
    Damaged,

    /// <summary>The stream ended before the shipment did.</summary>
    Truncated,

    /// <summary>Records between the end of the log and the frame are missing.</summary>
    Gap,

    /// <summary>The log holds other records under the frame's sequences, nothing shows that both logs agree on the record before it, or the source ends before that record.</summary>
    Conflict,

    /// <summary>The frame comes from another store than the log follows, or the log has records of its own.</summary>
    Foreign,
}

/// <summary>A frame, or the stream it came in, was refused. Nothing of the frame was appended; what was imported before stays.</summary>
public sealed class ShipmentException : StoreException
{
    internal ShipmentException(ShipmentProblem problem, long streamOffset, string message, string? path = null, Exception? innerException = null) : base(message, path, innerException)
    {
        Problem = problem;
        Offset = streamOffset;
    }

    /// <summary>What is wrong.</summary>
    public ShipmentProblem Problem { get; }
}

/// <summary>What an import did.</summary>
/// <param name="LastSequence">Last sequence of the log now.</param>
/// <param name="FramesImported">Frames that were appended.</param>
/// <param name="FramesRepeated">Frames that were there already, with the same bytes.</param>
/// <param name="RecordsImported">Records that were appended.</param>
public readonly record struct ImportResult(long LastSequence, long FramesImported, long FramesRepeated, long RecordsImported);
