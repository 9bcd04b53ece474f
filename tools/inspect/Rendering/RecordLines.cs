using System.Buffers;
using System.Globalization;
using System.Text.Json;
using Store.Inspect.Commands;
using Store.Serialization;

namespace Store.Inspect.Rendering;

/// <summary>
/// Records as lines for machines: a JSON object a line, or tab-separated sequence, time, type and value; of a snapshot of parts or items, with part and number behind the time. Every value
/// whole. A record that does not decode has "error" and its bytes in place of its value.
/// </summary>
/// <param name="output">Where they go; stays the caller's.</param>
/// <param name="asJson">A JSON object a line.</param>
/// <param name="maxValueBytes">A longer value is not written: its line says so.</param>
internal sealed class RecordLines(Stream output, bool asJson, int maxValueBytes = RecordLines.MaxValueBytes) : IDisposable
{
    /// <summary>What a value may be in JSON: a line is made in memory, twice. A snapshot's value may have as many bytes as an array, nearly 2 GiB; one that is longer than this in JSON is told in its place.</summary>
    internal const int MaxValueBytes = 1 << 30;

    /// <summary>So much of a record that does not decode is put into its line.</summary>
    internal const int MaxErrorBytes = 64 << 20;

    private const int FlushBytes = 64 * 1024;

    private readonly ArrayBufferWriter<byte> _buffer = new(2 * FlushBytes);
    private readonly LimitedBuffer _value = new(maxValueBytes);
    private readonly Utf8JsonWriter _writer = new(Stream.Null, FileLimits.Json);

    /// <summary>Why the last record did not decode, or null.</summary>
    public string? Problem { get; private set; }

    public void Write(SelectedRecord selected)
    {
        LogRecord record = selected.Record;
        Problem = Decode(record);
        _writer.Reset(_buffer);
        if (asJson)
        {
            _writer.WriteStartObject();
            _writer.WriteNumber("sequence"u8, record.Sequence);
            _writer.WriteString("time"u8, Format.ExactTime(record.Timestamp));
            if (selected.HasPart) _writer.WriteString("part"u8, selected.Part);
            if (selected.IsItem) _writer.WriteNumber("item"u8, selected.Item);
            _writer.WriteString("type"u8, record.Schema.Name);
            WriteValue(record);
            _writer.WriteEndObject();
        }
        else
        {
            // A part may be called anything: as styled text a line stays a line, and its columns where they are.
            Text($"{record.Sequence}\t{Format.ExactTime(record.Timestamp)}\t{(selected.Place is { } place ? new StyledText(place) + "\t" : "")}{record.Schema.Name}\t");
            if (Problem is null) _buffer.Write(_value.WrittenSpan);
            else
            {
                _writer.WriteStartObject();
                WriteValue(record);
                _writer.WriteEndObject();
            }
        }

        _writer.Flush();
        _buffer.Write("\n"u8);
        if (_buffer.WrittenCount >= FlushBytes) Flush();
    }

    public void Flush()
    {
        // Before it is written: where that fails, nobody knows how much of it is out, and whoever flushes what is left at the end must not write it again.
        ReadOnlySpan<byte> lines = _buffer.WrittenSpan;
        _buffer.ResetWrittenCount();
        output.Write(lines);
        output.Flush();
    }

    public void Dispose() => _writer.Dispose();

    // Into a buffer of its own first: a record that does not decode must not leave half a value in the output.
    private string? Decode(LogRecord record)
    {
        _value.ResetWrittenCount();
        _writer.Reset(_value);
        try
        {
            NinoJson.Write(_writer, record.Schema, record.Payload.Span, FileLimits.Default);
            _writer.Flush();
            return null;
        }
        catch (NinoSerializationException e)
        {
            return e.Message;
        }
        catch (ValueTooLongException)
        {
            return string.Create(CultureInfo.InvariantCulture, $"the value of {record.Payload.Length} bytes is longer than {maxValueBytes} bytes in JSON, which is the limit; a program reads it with SnapshotFile or StoreReader");
        }
    }

    private void WriteValue(LogRecord record)
    {
        if (Problem is null)
        {
            _writer.WritePropertyName("value"u8);
            _writer.WriteRawValue(_value.WrittenSpan, skipInputValidation: true);
            return;
        }

        _writer.WriteString("error"u8, Problem);
        if (record.Payload.Length <= MaxErrorBytes) _writer.WriteBase64String("bytes"u8, record.Payload.Span);
    }

    private void Text(string text) => _buffer.Write(System.Text.Encoding.UTF8.GetBytes(text));
}
