// Records of one type: alone, with something in front, beside the schema of another.

using System.Buffers.Binary;
using System.Runtime.Loader;
using Store.Fuzz.Driver;
using Store.Serialization;
using Store.Tests.Fuzz;
using Store.Tests.Values;

namespace Store.Fuzz.Targets;

/// <summary>Records alone.</summary>
internal sealed class RecordLane(FuzzTarget type, FuzzDepth depth) : FuzzLane(type.Type.ToString())
{
    private const int SeedsAType = 8;

    public static IReadOnlyList<FuzzTarget> Types { get; } = FuzzTarget.All(typeof(RecordLane).Assembly, static type => AssemblyLoadContext.GetLoadContext(type.Assembly) != AssemblyLoadContext.Default);

    public static IReadOnlyList<FuzzLane> All(FuzzDepth depth) => [.. Types.Select(type => new RecordLane(type, depth))];

    /// <summary>Records of a schema, every fourth with something wrong in it.</summary>
    public static IEnumerable<byte[]> Samples(NinoSchema schema, int seed) => Enumerable.Range(0, SeedsAType).Select(i => new RandomRecord(schema, seed + i, i % 4 == 3 ? 6 : 0).Bytes);

    // Bounded where the type is read; what is compared and written again is not.
    public override long MaxAllocation(int length) => long.MaxValue;

    public override IEnumerable<byte[]> Seeds(int seed) => [.. Samples(type.Schema, seed), .. FuzzSeeds.Of(type.Type)];

    public override void Run(byte[] input) => type.Try(input, depth);

    public override byte[] Mutate(byte[] input, byte[] other, Havoc havoc) => havoc.Random.Next(4) == 0 ? Mutation.Of(input, other, havoc.Random) : base.Mutate(input, other, havoc);
}

/// <summary>Header and record: the first byte says which header is expected.</summary>
internal sealed class HeaderLane(FuzzTarget type) : FuzzLane(type.Type.ToString())
{
    public static IReadOnlyList<FuzzLane> All() => [.. RecordLane.Types.Where(static type => type.Schema.CanonicalBytes.Length <= StoredLane.MaxSchemaBytes).Select(static type => new HeaderLane(type))];

    public override long MaxAllocation(int length) => long.MaxValue;

    public override IEnumerable<byte[]> Seeds(int seed)
    {
        foreach (byte[] record in RecordLane.Samples(type.Schema, seed).Take(3))
        {
            byte[] fingerprint = BitConverter.GetBytes(type.Schema.Fingerprint);
            yield return [0, .. fingerprint, .. record];
            yield return [1, .. Compact(type.Schema.CanonicalBytes.Length), .. type.Schema.CanonicalBytes.Span, .. record];
        }
    }

    public override void Run(byte[] input)
    {
        if (input.Length > 0) type.TryWithHeader(input[1..], (input[0] & 1) == 0 ? NinoHeader.Fingerprint : NinoHeader.Schema);
    }

    private static byte[] Compact(int length) => length < 251 ? [(byte)length] : [253, (byte)length, (byte)(length >> 8)];
}

/// <summary>Length of the schema (2 bytes), schema, record.</summary>
internal sealed class StoredLane(FuzzTarget type) : FuzzLane(type.Type.ToString())
{
    // Under the few schemas that hold hundreds of types there would be time for little else.
    public const int MaxSchemaBytes = 2048;

    public static IReadOnlyList<FuzzLane> All() => [.. RecordLane.Types.Where(static type => type.Schema.CanonicalBytes.Length <= MaxSchemaBytes).Select(static type => new StoredLane(type))];

    public override long MaxAllocation(int length) => long.MaxValue;

    public override IEnumerable<byte[]> Seeds(int seed)
    {
        foreach (byte[] record in RecordLane.Samples(type.Schema, seed).Take(3)) yield return Join(type.Schema.CanonicalBytes.Span, record);
        var edits = new SchemaEdits(new Random(seed));
        for (int i = 0; i < 6; i++)
        {
            if (edits.Of(type.Schema) is { } edited) yield return Join(edited.CanonicalBytes.Span, new RandomRecord(edited, seed + i).Bytes);
        }
    }

    public override void Run(byte[] input)
    {
        (byte[] schema, byte[] record) = Split(input);
        NinoSchema stored;
        try
        {
            stored = NinoSchema.Parse(schema);
        }
        catch (NinoSerializationException)
        {
            return;
        }

        type.TryStored(stored, record);
    }

    public override byte[] Mutate(byte[] input, byte[] other, Havoc havoc)
    {
        (byte[] schema, byte[] record) = Split(input);
        (byte[] otherSchema, byte[] otherRecord) = Split(other);
        switch (havoc.Random.Next(6))
        {
            case 0 or 1 when TryEdit(schema, havoc.Random) is { } edited:
                return Join(edited.CanonicalBytes.Span, havoc.Random.Next(2) == 0 ? record : new RandomRecord(edited, havoc.Random.Next(), havoc.Random.Next(3) == 0 ? 6 : 0).Bytes);
            case 2:
                return Join(havoc.Of(schema, otherSchema, Words, MaxSchemaBytes), record);
            default:
                return Join(schema, havoc.Of(record, otherRecord, Words, MaxLength));
        }
    }

    private static NinoSchema? TryEdit(byte[] schema, Random random)
    {
        try
        {
            return new SchemaEdits(random).Of(NinoSchema.Parse(schema));
        }
        catch (NinoSerializationException)
        {
            return null;
        }
    }

    private static byte[] Join(ReadOnlySpan<byte> schema, ReadOnlySpan<byte> record) => [(byte)schema.Length, (byte)(schema.Length >> 8), .. schema, .. record];

    private static (byte[] Schema, byte[] Record) Split(ReadOnlySpan<byte> input)
    {
        if (input.Length < 2) return ([], input.ToArray());
        int length = Math.Min(BinaryPrimitives.ReadUInt16LittleEndian(input), input.Length - 2);
        return (input.Slice(2, length).ToArray(), input[(2 + length)..].ToArray());
    }
}
