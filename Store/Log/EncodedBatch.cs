namespace Store.Log;

/// <summary>A batch that was serialized before it came to the log.</summary>
internal readonly ref struct EncodedBatch(ReadOnlySpan<byte> payload, int recordCount) : IBatchPayload
{
    private readonly ReadOnlySpan<byte> _payload = payload;

    /// <inheritdoc/>
    public int LengthBytes => _payload.Length;

    /// <inheritdoc/>
    public int RecordCount => recordCount;

    /// <inheritdoc/>
    public bool TryWrite(Span<byte> destination)
    {
        _payload.CopyTo(destination);
        return true;
    }
}
