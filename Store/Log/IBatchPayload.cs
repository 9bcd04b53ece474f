namespace Store.Log;

/// <summary>The records of a batch as the payload of their frame: each with its length in front.</summary>
internal interface IBatchPayload
{
    /// <summary>Bytes of the payload.</summary>
    int LengthBytes { get; }

    /// <summary>Number of records.</summary>
    int RecordCount { get; }

    /// <summary>Writes the payload; false when it is not of <see cref="LengthBytes"/> any more. Called under the log's gate: runs no code of a caller and waits for nobody.</summary>
    /// <param name="destination"><see cref="LengthBytes"/> bytes.</param>
    bool TryWrite(Span<byte> destination);
}
