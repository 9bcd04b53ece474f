// The buffer that the "reused" rows write into: a writer where the peer has one, a stream where it has not.

using System.Buffers;
using System.Text;
using System.Text.Json;

namespace Store.Bench.Peers;

/// <summary>Reused output of one cell. It has grown to its final size before anything is measured.</summary>
public sealed class PeerBuffer
{
    private readonly ArrayBufferWriter<byte> _bytes = new(4096);
    private readonly MemoryStream _stream = new(4096);
    private readonly StreamWriter _text;
    private readonly Utf8JsonWriter _json;

    public PeerBuffer()
    {
        _text = new StreamWriter(_stream, new UTF8Encoding(encoderShouldEmitUTF8Identifier: false), 16 * 1024);
        _json = new Utf8JsonWriter(_bytes, new JsonWriterOptions { SkipValidation = true });
    }

    /// <summary>The buffer writer as it is: what is written goes behind what is there.</summary>
    public ArrayBufferWriter<byte> Bytes => _bytes;

    /// <summary>The buffer writer, emptied.</summary>
    public ArrayBufferWriter<byte> StartBytes()
    {
        _bytes.ResetWrittenCount();
        return _bytes;
    }

    /// <summary>A JSON writer over the buffer writer, emptied. The peer flushes it.</summary>
    public Utf8JsonWriter StartJson()
    {
        _bytes.ResetWrittenCount();
        _json.Reset();
        return _json;
    }

    /// <summary>A JSON writer over the buffer writer as it is. The peer flushes it.</summary>
    public Utf8JsonWriter GoOnWithJson()
    {
        _json.Reset();
        return _json;
    }

    /// <summary>The stream, emptied.</summary>
    public MemoryStream StartStream()
    {
        _stream.Position = 0;
        _stream.SetLength(0);
        return _stream;
    }

    /// <summary>A text writer over a stream, emptied. The peer flushes it.</summary>
    public StreamWriter StartText()
    {
        StartStream();
        return _text;
    }

    /// <summary>What was last written into the buffer writer.</summary>
    public ReadOnlySpan<byte> WrittenBytes => _bytes.WrittenSpan;

    /// <summary>What the last write left.</summary>
    public byte[] ToArray() => _bytes.WrittenCount > 0 ? _bytes.WrittenSpan.ToArray() : _stream.ToArray();
}
