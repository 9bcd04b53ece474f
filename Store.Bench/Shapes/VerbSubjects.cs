// The verbs that no workload has, beside those that one has, on the same objects. Ours only: what a verb costs beside Serialize and Deserialize, and no comparison.

using System.Buffers;
using System.Text.Json;
using Store.Bench.Harness.Views;
using Store.Bench.Peers;
using Store.Bench.Workloads;
using Store.Serialization;

namespace Store.Bench.Shapes;

/// <summary>Rows of verbs.</summary>
internal static class VerbSubjects
{
    // What rows make ends here, so that none of it can be left out.
    private static object? _sink;

    public static IEnumerable<ViewSubject> All() =>
    [
        .. Rows<PocoVerbs, Poco>(WorkloadData.Pocos(1, uniqueText: true)[0], Poco.Verify),
        .. Rows<SimpleClassVerbs, SimpleClass>(WorkloadData.SimpleClass(), SimpleClass.Verify),
        .. ItemVerbs.All(),
    ];

    private static IEnumerable<ViewSubject> Rows<TVerbs, T>(T value, Action<T, T> verify) where TVerbs : struct, IVerbs<T> where T : class =>
        [.. Writing<TVerbs, T>(value, verify), .. Reading<TVerbs, T>(value, verify), .. WithoutTheType(value, verify)];

    private static IEnumerable<ViewSubject> Writing<TVerbs, T>(T value, Action<T, T> verify) where TVerbs : struct, IVerbs<T> where T : class
    {
        TVerbs verbs = default;
        string type = typeof(T).Name, alone = $"{type}: Serialize";
        byte[] destination = new byte[verbs.GetSize(value)];
        var output = new ArrayBufferWriter<byte>(4096);
        var stream = new MemoryStream(4096);
        yield return new(alone, count =>
        {
            for (int i = 0; i < count; i++) _sink = verbs.Serialize(value);
        }, () => verify(value, verbs.Deserialize(verbs.Serialize(value))));
        yield return new($"{type}: Serialize into a reused buffer", count =>
        {
            for (int i = 0; i < count; i++) Write();
        }, () =>
        {
            Write();
            verify(value, verbs.Deserialize(output.WrittenSpan.ToArray()));
        }, alone);
        yield return new($"{type}: Serialize to a stream", count =>
        {
            for (int i = 0; i < count; i++) Stream();
        }, () =>
        {
            Stream();
            verify(value, verbs.Deserialize(stream.ToArray()));
        }, alone);
        yield return new($"{type}: TrySerialize into a span", count =>
        {
            for (int i = 0; i < count; i++) ViewRun.Sink += verbs.TrySerialize(value, destination, out int written) ? written : 0;
        }, () =>
        {
            Array.Clear(destination);
            Check.Equal((true, destination.Length), (verbs.TrySerialize(value, destination, out int written), written), "TrySerialize");
            verify(value, verbs.Deserialize(destination));
        }, alone);
        yield return new($"{type}: GetSize", count =>
        {
            for (int i = 0; i < count; i++) ViewRun.Sink += verbs.GetSize(value);
        }, () => Check.Equal(verbs.Serialize(value).Length, verbs.GetSize(value), "GetSize"), alone);
        yield return new($"{type}: Clone", count =>
        {
            for (int i = 0; i < count; i++) _sink = verbs.Clone(value);
        }, () =>
        {
            T copy = verbs.Clone(value);
            Check.Equal(false, ReferenceEquals(value, copy), "Clone");
            verify(value, copy);
        }, alone);

        void Write()
        {
            output.ResetWrittenCount();
            verbs.Serialize(output, value);
        }

        void Stream()
        {
            stream.Position = 0;
            stream.SetLength(0);
            verbs.Serialize(stream, value);
        }
    }

    private static IEnumerable<ViewSubject> Reading<TVerbs, T>(T value, Action<T, T> verify) where TVerbs : struct, IVerbs<T> where T : class
    {
        TVerbs verbs = default;
        string type = typeof(T).Name, alone = Deserialize(type);
        byte[] record = verbs.Serialize(value);
        ReadOnlySequence<byte> pieces = InThree(record);
        var stream = new MemoryStream(record);
        yield return new(alone, count =>
        {
            for (int i = 0; i < count; i++) _sink = verbs.Deserialize(record);
        }, () => verify(value, verbs.Deserialize(record)));
        yield return new($"{type}: Deserialize from three segments", count =>
        {
            for (int i = 0; i < count; i++) _sink = verbs.Deserialize(in pieces);
        }, () => verify(value, verbs.Deserialize(in pieces)), alone);
        yield return new($"{type}: Deserialize from a stream", count =>
        {
            for (int i = 0; i < count; i++) _sink = Read();
        }, () => verify(value, Read()), alone);

        T Read()
        {
            stream.Position = 0;
            return verbs.Deserialize(stream);
        }
    }

    // By the schema alone, as a tool does it that has no type.
    private static IEnumerable<ViewSubject> WithoutTheType<T>(T value, Action<T, T> verify)
    {
        string type = typeof(T).Name, alone = Deserialize(type);
        byte[] record = NinoSerializer.Serialize(in value);
        NinoSchema schema = NinoSerializer.SchemaOf<T>();
        var output = new ArrayBufferWriter<byte>(8192);
        var json = new Utf8JsonWriter(output, new JsonWriterOptions { SkipValidation = true });
        yield return new($"{type}: NinoValue of the record", count =>
        {
            for (int i = 0; i < count; i++) ViewRun.Sink += NinoValue.Decode(schema, record).Fields.Count;
        }, () => RequireSame(NinoValue.Decode(schema, record), Json()), alone);
        yield return new($"{type}: JSON of the record", count =>
        {
            for (int i = 0; i < count; i++) ViewRun.Sink += Json().Length;
        }, () => verify(value, default(SystemTextJsonPeer).Deserialize<T>(Json().ToArray())), alone);

        ReadOnlyMemory<byte> Json()
        {
            output.ResetWrittenCount();
            json.Reset();
            NinoJson.Write(json, schema, record);
            json.Flush();
            return output.WrittenMemory;
        }
    }

    private static string Deserialize(string type) => $"{type}: Deserialize";

    // The JSON has been read as the type.
    private static void RequireSame(NinoValue tree, ReadOnlyMemory<byte> json)
    {
        using JsonDocument document = JsonDocument.Parse(json);
        Check.Equal(document.RootElement.EnumerateObject().Count(), tree.Fields.Count, "NinoValue.Fields");
        foreach (JsonProperty property in document.RootElement.EnumerateObject())
        {
            NinoValue field = tree[property.Name];
            switch (property.Value.ValueKind)
            {
                case JsonValueKind.Number: Check.Equal(property.Value.GetInt64(), field.AsInt64(), property.Name); break;
                case JsonValueKind.Array: Check.Equal(property.Value.GetArrayLength(), field.Items.Count, property.Name); break;
                case JsonValueKind.Object: Check.Equal(property.Value.EnumerateObject().Count(), field.Pairs.Count, property.Name); break;
                default: Check.Equal(property.Value.GetString(), field.Kind == SchemaKind.DateTime ? $"{field.AsDateTime():O}" : field.ToString(), property.Name); break;
            }
        }
    }

    /// <summary>A record in three pieces of memory, as a pipe may have it.</summary>
    private static ReadOnlySequence<byte> InThree(byte[] record)
    {
        int third = record.Length / 3;
        var first = new Piece(record[..third], null);
        var last = new Piece(record[(2 * third)..], new Piece(record[third..(2 * third)], first));
        return new ReadOnlySequence<byte>(first, 0, last, last.Memory.Length);
    }

    private sealed class Piece : ReadOnlySequenceSegment<byte>
    {
        public Piece(byte[] bytes, Piece? before)
        {
            Memory = bytes;
            if (before is null) return;
            before.Next = this;
            RunningIndex = before.RunningIndex + before.Memory.Length;
        }
    }
}
