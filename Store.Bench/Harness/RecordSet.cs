// Typed records and the ways of putting them into a log: with NinoStore, or with another log and a serializer in front of it.

using System.Buffers;
using System.Text.Json;
using System.Text.Json.Serialization.Metadata;
using Store.Bench.Harness.Stores;
using Store.Bench.Peers;
using Store.Bench.Workloads;
using Store.Serialization;

namespace Store.Bench.Harness;

/// <summary>A thousand objects of one type.</summary>
public abstract class RecordSet
{
    /// <summary>Objects in a set.</summary>
    public const int Size = 1000;

    /// <summary>All of them.</summary>
    public static IEnumerable<string> Names => [.. Usual, "SimpleStruct", "ImmutablePoco", "NineInts"];

    /// <summary>Small, middling and large: for tables in which the type matters less.</summary>
    public static IEnumerable<string> Usual => ["SimpleModel", "Poco", "SimpleClass"];

    /// <exception cref="ArgumentException">No such type.</exception>
    public static RecordSet Create(string name) => name switch
    {
        "SimpleModel" => new RecordSet<SimpleModel>([.. WorkloadData.SimpleModels(Size)], BenchJsonContext.Default.SimpleModel),
        "Poco" => new RecordSet<Poco>([.. WorkloadData.Pocos(Size, uniqueText: true)], BenchJsonContext.Default.Poco),
        "SimpleClass" => new RecordSet<SimpleClass>([.. WorkloadData.SimpleClasses(Size)], BenchJsonContext.Default.SimpleClass),
        "SimpleStruct" => new RecordSet<SimpleStruct>(WorkloadData.SimpleStructs(Size), BenchJsonContext.Default.SimpleStruct),
        "ImmutablePoco" => new RecordSet<ImmutablePoco>([.. WorkloadData.ImmutablePocos(Size, uniqueText: true)], BenchJsonContext.Default.ImmutablePoco),
        "NineInts" => new RecordSet<NineInts>([.. WorkloadData.NineInts(Size)], BenchJsonContext.Default.NineInts),
        _ => throw new ArgumentException($"There is no record type '{name}'.", nameof(name)),
    };

    /// <summary>Appends the first <paramref name="count"/> objects: one by one when it is 1, else as one batch.</summary>
    public abstract void Append(NinoStore store, int count);

    /// <summary>Serializes each with NinoStore's serializer into a reused buffer and enqueues it.</summary>
    public abstract void AppendSerialized(FasterLogPeer log, int count);

    /// <summary>Serializes each with System.Text.Json into a reused buffer and enqueues it.</summary>
    public abstract void AppendJson(FasterLogPeer log, int count);

    /// <summary>Writes each as a JSON line.</summary>
    public abstract void AppendJson(Stream stream, int count);

    /// <summary>Reads the records back typed and writes each as a JSON line with its sequence, time and type: the loop people write by hand.</summary>
    public abstract long ExportByHand(NinoStore store, Stream output);
}

/// <inheritdoc/>
public sealed class RecordSet<T>(T[] items, JsonTypeInfo<T> json) : RecordSet
{
    private const int FlushBytes = 64 * 1024;
    private readonly ArrayBufferWriter<byte> _buffer = new(2 * FlushBytes);
    private readonly Utf8JsonWriter _writer = new(Stream.Null, new JsonWriterOptions { SkipValidation = true });

    public override void Append(NinoStore store, int count)
    {
        if (count == 1) store.Append(items[0]);
        else store.AppendBatch<T>(items.AsSpan(0, count));
    }

    public override void AppendSerialized(FasterLogPeer log, int count)
    {
        foreach (ref T item in items.AsSpan(0, count))
        {
            _buffer.ResetWrittenCount();
            NinoSerializer.Serialize(_buffer, in item);
            log.Append(_buffer.WrittenSpan);
        }
    }

    public override void AppendJson(FasterLogPeer log, int count)
    {
        foreach (T item in items.AsSpan(0, count))
        {
            _buffer.ResetWrittenCount();
            WriteJson(item);
            log.Append(_buffer.WrittenSpan);
        }
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
