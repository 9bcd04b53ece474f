// Typed records and the ways of putting them into a log: with NinoStore, or with another log and a serializer in front of it.

using System.Buffers;
using System.Text.Json;
using System.Text.Json.Serialization.Metadata;
using Store.Bench.Harness.Stores;
using Store.Bench.Harness.Tables;
using Store.Bench.Peers;
using Store.Bench.Workloads;
using Store.Serialization;

namespace Store.Bench.Harness;

/// <summary>A thousand objects of one type.</summary>
public abstract class RecordSet
{
    /// <summary>Objects in a set.</summary>
    public const int Size = 1000;

    /// <summary>All of them: small, middling and large.</summary>
    public static IEnumerable<string> Names => ["SimpleModel", "Poco", "SimpleClass"];

    /// <exception cref="ArgumentException">No such type.</exception>
    public static RecordSet Create(string name) => name switch
    {
        "SimpleModel" => new RecordSet<SimpleModel>([.. WorkloadData.SimpleModels(Size)], BenchJsonContext.Default.SimpleModel, SimpleModel.Verify, new SimpleModelLoops()),
        "Poco" => new RecordSet<Poco>([.. WorkloadData.Pocos(Size, uniqueText: true)], BenchJsonContext.Default.Poco, Poco.Verify, new PocoLoops()),
        "SimpleClass" => new RecordSet<SimpleClass>([.. WorkloadData.SimpleClasses(Size)], BenchJsonContext.Default.SimpleClass, SimpleClass.Verify, new SimpleClassLoops()),
        _ => throw new ArgumentException($"There is no record type '{name}'.", nameof(name)),
    };

    /// <summary>Appends the first <paramref name="count"/> objects: one by one when it is 1, else as one batch.</summary>
    public abstract void Append(NinoStore store, int count);

    /// <summary>Serializes each with NinoStore's serializer into a reused buffer and enqueues it when it is 1, else all as one batch.</summary>
    public abstract void AppendSerialized(FasterLogPeer log, int count);

    /// <summary>As the other with System.Text.Json.</summary>
    public abstract void AppendJson(FasterLogPeer log, int count);

    /// <summary>Writes each as a JSON line.</summary>
    public abstract void AppendJson(Stream stream, int count);

    /// <summary>Reads the records back typed and writes each as a JSON line with its sequence, time and type: the loop people write by hand.</summary>
    public abstract long ExportByHand(NinoStore store, Stream output);

    /// <summary>Compares a line of an export with the record of that number: its sequence, its type, and every member of its value.</summary>
    /// <exception cref="InvalidDataException">Something differs.</exception>
    public abstract void VerifyLine(string line, long sequence);
}

/// <inheritdoc/>
internal sealed class RecordSet<T>(T[] items, JsonTypeInfo<T> json, Action<T, T> verify, AppendLoops<T> loops) : RecordSet
{
    private const int FlushBytes = 64 * 1024;
    private readonly EnqueueLoop<T> _serialized = EnqueueLoops.Of<T>().Single(static loop => loop.Serializer == EnqueueLoops.NinoStore), _asJson = EnqueueLoops.Of<T>().Single(static loop => loop.Serializer == EnqueueLoops.Json);
    private readonly EnqueueBatch<T> _serializedBatch = EnqueueLoops.BatchesOf<T>().Single(static batch => batch.Serializer == EnqueueLoops.NinoStore), _asJsonBatch = EnqueueLoops.BatchesOf<T>().Single(static batch => batch.Serializer == EnqueueLoops.Json);
    private readonly ArrayBufferWriter<byte> _buffer = new(2 * FlushBytes);
    private readonly Utf8JsonWriter _writer = new(Stream.Null, new JsonWriterOptions { SkipValidation = true });
    private T[] _part = [];

    public override void Append(NinoStore store, int count)
    {
        T[] part = First(count);
        if (count == 1) loops.Append(store, part);
        else loops.AppendBatch(store, part);
    }

    public override void AppendSerialized(FasterLogPeer log, int count)
    {
        T[] part = First(count);
        if (count == 1) _serialized.Run(log, part);
        else _serializedBatch.Run(log, part);
    }

    public override void AppendJson(FasterLogPeer log, int count)
    {
        T[] part = First(count);
        if (count == 1) _asJson.Run(log, part);
        else _asJsonBatch.Run(log, part);
    }

    public override void AppendJson(Stream stream, int count)
    {
        _buffer.ResetWrittenCount();
        foreach (T item in items.AsSpan(0, count))
        {
            WriteJson(item);
            _buffer.Write("\n"u8);
            if (_buffer.WrittenCount >= FlushBytes) Flush(stream);
        }
        Flush(stream);
    }

    public override long ExportByHand(NinoStore store, Stream output)
    {
        long records = 0;
        string type = NinoSerializer.SchemaOf<T>().Name;
        _buffer.ResetWrittenCount();
        foreach (LogRecord<T> record in store.Read<T>())
        {
            _writer.Reset(_buffer);
            _writer.WriteStartObject();
            _writer.WriteNumber("sequence"u8, record.Sequence);
            _writer.WriteString("time"u8, record.Timestamp);
            _writer.WriteString("type"u8, type);
            _writer.WritePropertyName("value"u8);
            JsonSerializer.Serialize(_writer, record.Value, json);
            _writer.WriteEndObject();
            _writer.Flush();
            _buffer.Write("\n"u8);
            if (_buffer.WrittenCount >= FlushBytes) Flush(output);
            records++;
        }
        Flush(output);
        return records;
    }

    public override void VerifyLine(string line, long sequence)
    {
        using JsonDocument document = JsonDocument.Parse(line);
        Check.Equal(sequence, document.RootElement.GetProperty("sequence").GetInt64(), "sequence");
        Check.Equal(NinoSerializer.SchemaOf<T>().Name, document.RootElement.GetProperty("type").GetString(), "type");
        verify(items[(sequence - 1) % items.Length], document.RootElement.GetProperty("value").Deserialize(json)!);
    }

    // The same array as long as the same number is wanted.
    private T[] First(int count)
    {
        if (_part.Length != count) _part = items[..count];
        return _part;
    }

    private void WriteJson(T item)
    {
        _writer.Reset(_buffer);
        JsonSerializer.Serialize(_writer, item, json);
        _writer.Flush();
    }

    private void Flush(Stream stream)
    {
        stream.Write(_buffer.WrittenSpan);
        _buffer.ResetWrittenCount();
    }
}
