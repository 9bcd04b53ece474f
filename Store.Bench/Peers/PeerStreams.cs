// Streams for peers that read and write nothing else: reused ones on both sides, so that no row pays for a stream.

namespace Store.Bench.Peers;

/// <summary>Reused streams. For one thread, like a cell.</summary>
internal static class PeerStreams
{
    private static readonly MemoryStream Output = new(4096);

    private static byte[] _read = [];
    private static MemoryStream _input = new(_read);

    /// <summary>The output, emptied: for a new array. A reused buffer is the cell's own (<see cref="PeerBuffer.StartStream"/>).</summary>
    public static MemoryStream Start()
    {
        Output.Position = 0;
        Output.SetLength(0);
        return Output;
    }

    /// <summary>A stream over a payload, at its start: the same stream as long as the payload is the same array.</summary>
    public static MemoryStream Over(byte[] payload)
    {
        if (!ReferenceEquals(_read, payload))
        {
            _read = payload;
            _input = new MemoryStream(payload);
        }
        _input.Position = 0;
        return _input;
    }
}
