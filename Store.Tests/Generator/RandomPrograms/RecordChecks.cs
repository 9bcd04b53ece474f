// What must hold for a record of any type: every way of writing gives the bytes that its size says, every way of reading gives the value that was written.

using System.Buffers;
using System.Runtime.InteropServices;
using System.Text.Json;
using Store.Serialization;

namespace Store.Tests.Generator.RandomPrograms;

/// <summary>Checks records of one type, whichever it is.</summary>
internal interface IRecordChecks
{
    /// <summary>The schema of the type.</summary>
    NinoSchema Schema { get; }

    byte[] Serialize(object value);

    /// <summary>Reads by the schema that the record was stored with.</summary>
    object Decode(byte[] record, NinoSchema stored);

    /// <summary>Reads what has the schema in front.</summary>
    object DecodeWithHeader(byte[] record);

    /// <summary>Reads by the stored schema into a value.</summary>
    object DecodeInto(byte[] record, NinoSchema stored, object? value);

    /// <summary>Writes and reads in every way.</summary>
    void RoundTrip(object value, object? other, Random random);

    byte[] SerializeWithSchema(object value);

    /// <summary>Reads a record of another version, which this one may refuse.</summary>
    void TryDecode(byte[] record, NinoSchema stored);

    /// <summary>Reads damaged records of another version.</summary>
    void DamageOf(byte[] record, NinoSchema stored, Random random, int count);

    /// <summary>Reads damaged records.</summary>
    void Damage(byte[] record, Random random, int count);
}

internal sealed class RecordChecks<T>(LoadedProgram program) : IRecordChecks
{
    private readonly bool _isOrdered = WrittenOrder.IsDefined(program, typeof(T));

    public NinoSchema Schema => NinoSerializer.SchemaOf<T>();

    public byte[] Serialize(object value) => NinoSerializer.Serialize((T)value);

    public object Decode(byte[] record, NinoSchema stored) => NinoCodec<T>.Default.Decode(record, stored)!;

    public object DecodeWithHeader(byte[] record) => NinoSerializer.Deserialize<T>(record, NinoHeader.Schema)!;

    public object DecodeInto(byte[] record, NinoSchema stored, object? value)
    {
        T? into = value is T one ? one : default;
        NinoCodec<T>.Default.Decode(record, stored, ref into);
        return into;
    }

    public byte[] SerializeWithSchema(object value) => NinoSerializer.Serialize((T)value, NinoHeader.Schema);

    public void TryDecode(byte[] record, NinoSchema stored) => Refused(record, bytes => NinoCodec<T>.Default.Decode(bytes, stored));

    public void DamageOf(byte[] record, NinoSchema stored, Random random, int count)
    {
        for (int i = 0; i < count; i++) TryDecode(Damaged(record, random), stored);
    }

    public void RoundTrip(object value, object? other, Random random)
    {
        var given = (T)value;
        string expected = Shapes.Of(program, value).ToString();
        byte[] bytes = NinoSerializer.Serialize(given);
        Same(expected, value, "the value after it was written");
        Require(NinoSerializer.GetSize(given) == bytes.Length, "GetSize is another than the length");
        Require(NinoSerializer.Serialize(given).AsSpan().SequenceEqual(bytes), "the bytes are others when it is written again");
        T read = NinoSerializer.Deserialize<T>(bytes);
        Same(expected, read, "the value that was read", isNew: true);
        byte[] again = NinoSerializer.Serialize(read);
        Require(again.Length == bytes.Length, "what was read is written in another length");
        if (_isOrdered) Require(again.AsSpan().SequenceEqual(bytes), $"what was read is written in other bytes: {Convert.ToHexString(bytes)} and {Convert.ToHexString(again)}");
        Same(expected, NinoSerializer.Deserialize<T>(again), "the value that was read twice");
        Same(expected, NinoSerializer.Clone(given), "the clone");
        var output = new ArrayBufferWriter<byte>();
        Require(NinoSerializer.Serialize(output, given) == bytes.Length && output.WrittenSpan.SequenceEqual(bytes), "a buffer writer gets other bytes");
        byte[] exact = new byte[bytes.Length];
        Require(NinoSerializer.TrySerialize(given, exact, out int written) && written == bytes.Length && exact.AsSpan().SequenceEqual(bytes), "a span that is just long enough gets other bytes");
        Require(bytes.Length == 0 || !NinoSerializer.TrySerialize(given, exact.AsSpan(0, bytes.Length - 1), out _), "a span that is too short is enough");
        Same(expected, NinoSerializer.Deserialize<T>(Cut(bytes, random)), "the value that was read in pieces", isNew: true);
        foreach (NinoHeader header in (NinoHeader[])[NinoHeader.Fingerprint, NinoHeader.Schema])
        {
            byte[] headed = NinoSerializer.Serialize(given, header);
            Same(expected, NinoSerializer.Deserialize<T>(headed, header), $"the value behind a header with {header}");
            Same(expected, NinoSerializer.Deserialize<T>(Cut(headed, random), header), $"the value behind a header with {header}, in pieces");
        }

        T? into = other is T one ? one : default;
        NinoSerializer.Deserialize(bytes, ref into);
        Same(expected, into, "the value that was read over another one");
        NinoSerializer.Deserialize(bytes, ref into);
        Same(expected, into, "the value that was read over itself");
        BySchema(bytes);
    }

    public void Damage(byte[] record, Random random, int count)
    {
        for (int i = 0; i < count; i++)
        {
            byte[] damaged = Damaged(record, random);
            Refused(damaged, static bytes => NinoSerializer.Deserialize<T>(bytes));
            Refused(damaged, static bytes =>
            {
                NinoValue.Decode(NinoSerializer.SchemaOf<T>(), bytes);
            });
            Refused(damaged, static bytes =>
            {
                T? into = NinoSerializer.Deserialize<T>(bytes);
                NinoSerializer.Deserialize(bytes, ref into);
                NinoSerializer.Serialize(into);
            });
        }
    }

    private static byte[] Damaged(byte[] record, Random random)
    {
        if (record.Length == 0 || random.Next(3) == 0) return record[..random.Next(record.Length + 1)];
        byte[] damaged = [.. record];
        // Lengths and tags come first.
        for (int flips = random.Next(1, 4); flips > 0; flips--) damaged[random.Next(random.Next(3) == 0 ? damaged.Length : Math.Min(damaged.Length, 64))] ^= (byte)(1 << random.Next(8));
        return damaged;
    }

    private static void Refused(byte[] bytes, Action<byte[]> read)
    {
        try
        {
            read(bytes);
        }
        catch (NinoSerializationException)
        {
            // What is documented.
        }
        catch (Exception error)
        {
            throw new ProgramFailure("damage " + error.GetType().Name, $"the damaged record {Convert.ToHexString(bytes)} of {typeof(T)} is {error.GetType()}", error);
        }
    }

    private void BySchema(byte[] bytes)
    {
        NinoSchema schema = NinoSchema.Parse(Schema.CanonicalBytes.Span);
        Require(schema.Fingerprint == Schema.Fingerprint, "the schema that was parsed is another one");
        RoundTrips.RoundTrip.Walk(bytes, schema);
        NinoValue.Decode(schema, bytes);
        using var stream = new MemoryStream();
        using (var writer = new Utf8JsonWriter(stream)) NinoJson.Write(writer, schema, bytes);
        using JsonDocument document = JsonDocument.Parse(stream.ToArray());
        Require(NinoCodec<T>.Default.Decode(bytes, schema) is not null, "nothing is read by its own schema");
    }

    private void Same(string expected, object? value, string what, bool isNew = false)
    {
        var shapes = new Shapes(program);
        string actual = shapes.Of(value).ToString();
        if (actual != expected) throw new ProgramFailure(what, $"{what} ({typeof(T)}) is another one:{ProgramFailure.Difference(expected, actual)}");
        if (isNew && shapes.Calls.Any(static calls => calls != (1, 1, 0))) throw new ProgramFailure("callbacks", $"{what} ({typeof(T)}) was called back {string.Join(' ', shapes.Calls)}");
    }

    private static void Require(bool holds, string what)
    {
        if (!holds) throw new ProgramFailure(what.Split(':')[0], $"{typeof(T)}: {what}");
    }

    private static ReadOnlySequence<byte> Cut(byte[] bytes, Random random)
    {
        List<ReadOnlyMemory<byte>> pieces = [];
        for (int at = 0; at < bytes.Length || pieces.Count == 0;)
        {
            int length = Math.Min(bytes.Length - at, random.Next(random.Next(4) == 0 ? 100 : 6));
            if (length == 0 && at < bytes.Length && pieces.Count > 0 && random.Next(2) == 0) continue;
            pieces.Add(bytes.AsMemory(at, length));
            at += length;
        }

        return Pieces.Of<byte>(CollectionsMarshal.AsSpan(pieces));
    }
}
