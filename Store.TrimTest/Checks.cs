// Counts what holds and remembers what does not.

using System.Buffers;
using System.Security.Cryptography;
using System.Text.Json;
using Store.Serialization;
using Store.Tests.Types;

namespace Store.TrimTest;

internal sealed class Checks : IRowRun
{
    public int Passed { get; private set; }

    public List<string> Failures { get; } = [];

    /// <summary>The records that <see cref="EveryRow"/> gave, each with the hash of its bytes, which the tests compare with theirs.</summary>
    public List<string> Rows { get; } = [];

    void IRowRun.Run<T>(T value)
    {
        int failed = Failures.Count;
        T copy = RoundTrip(value);
        if (Failures.Count == failed) Rows.Add($"row {typeof(T)} {Convert.ToHexString(SHA256.HashData(NinoSerializer.Serialize(copy)))}");
    }

    public void True(string name, bool holds)
    {
        if (holds) Passed++;
        else Failures.Add(name);
    }

    public void Equal<T>(string name, T expected, T actual) => True($"{name}: {actual} instead of {expected}", EqualityComparer<T>.Default.Equals(expected, actual));

    /// <summary>Writes a value in every way there is and reads it: by its codec, by its schema without the type, and with the schema in front.</summary>
    public T RoundTrip<T>(T value)
    {
        string name = typeof(T).ToString();
        try
        {
            byte[] bytes = NinoSerializer.Serialize(value);
            T copy = NinoSerializer.Deserialize<T>(bytes);
            True($"{name}: written again", NinoSerializer.Serialize(copy).AsSpan().SequenceEqual(bytes));
            True($"{name}: cloned", NinoSerializer.Serialize(NinoSerializer.Clone(value)).AsSpan().SequenceEqual(bytes));
            Equal($"{name}: size", bytes.Length, NinoSerializer.GetSize(value));
            byte[] described = NinoSerializer.Serialize(value, NinoHeader.Schema);
            True($"{name}: with its schema", NinoSerializer.Serialize(NinoSerializer.Deserialize<T>(described, NinoHeader.Schema)).AsSpan().SequenceEqual(bytes));

            NinoSchema schema = NinoSchema.Parse(NinoSerializer.SchemaOf<T>().CanonicalBytes.Span);
            Equal($"{name}: fingerprint", NinoSerializer.SchemaOf<T>().Fingerprint, schema.Fingerprint);
            True($"{name}: without its type", NinoValue.Decode(schema, bytes).ToString() is { Length: > 0 });
            var json = new ArrayBufferWriter<byte>();
            using (var writer = new Utf8JsonWriter(json)) NinoJson.Write(writer, schema, bytes);
            True($"{name}: as JSON", json.WrittenCount > 0);
            return copy;
        }
        catch (Exception error) when (error is not OutOfMemoryException)
        {
            Failures.Add($"{name}: {error}");
            return value;
        }
    }
}
