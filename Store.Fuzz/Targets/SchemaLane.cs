// Schemas alone: what is one has one encoding, and records of it can be read by it alone.

using Store.Fuzz.Driver;
using Store.Serialization;
using Store.Tests.Values;

namespace Store.Fuzz.Targets;

internal sealed class SchemaLane() : FuzzLane("")
{
    public override long MaxAllocation(int length) => 1024 * 1024 + (2048L * length);

    public override IEnumerable<byte[]> Seeds(int seed) =>
        [.. RecordLane.Types.Select(static type => type.Schema.CanonicalBytes.ToArray()).Where(static bytes => bytes.Length <= StoredLane.MaxSchemaBytes), .. Enumerable.Range(0, 40).Select(i => new RandomRecord(seed + i).Schema.CanonicalBytes.ToArray())];

    public override void Run(byte[] input)
    {
        NinoSchema schema;
        try
        {
            schema = NinoSchema.Parse(input);
        }
        catch (NinoSerializationException)
        {
            return;
        }

        if (!schema.CanonicalBytes.Span.SequenceEqual(input)) throw new LaneException("the bytes of a schema are not those it was read from");
        NinoSchema again = NinoSchema.Create(schema.Root);
        if (again.Fingerprint != schema.Fingerprint || !again.CanonicalBytes.Span.SequenceEqual(input)) throw new LaneException($"made again, a schema is {Convert.ToHexString(again.CanonicalBytes.Span)}");
        byte[] record = new RandomRecord(schema, 1).Bytes;
        try
        {
            NinoValue.Decode(schema, record);
        }
        catch (NinoSerializationException e)
        {
            // Records nest in what nests in itself.
            if (!e.Message.Contains("deep", StringComparison.Ordinal)) throw;
        }
    }
}
