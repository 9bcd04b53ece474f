// What stands in front of a record that travels on its own:
//
//   none         nothing
//   fingerprint  8 bytes, little-endian
//   schema       length in bytes (compact), the schema's canonical bytes
//
// Format page: docs/formats/record.md, "with something in front".

using System.Runtime.CompilerServices;

namespace Store.Serialization.Streaming;

internal static class RecordHeader
{
    /// <summary>Most bytes that a header may take.</summary>
    public const int MaxBytes = CompactNumber.MaxBytes + SchemaEncoding.MaxBytes;

    public static void Write(ref NinoWriter writer, NinoSchema schema, NinoHeader header)
    {
        switch (header)
        {
            case NinoHeader.None:
                break;
            case NinoHeader.Fingerprint:
                Unsafe.WriteUnaligned(ref writer.Take(sizeof(ulong)), schema.Fingerprint);
                break;
            case NinoHeader.Schema:
                WriteSchema(ref writer, schema);
                break;
            default:
                throw new ArgumentOutOfRangeException(nameof(header), header, "There is no such header.");
        }
    }

    public static void WriteSchema(ref NinoWriter writer, NinoSchema schema)
    {
        ReadOnlySpan<byte> bytes = schema.CanonicalBytes.Span;
        writer.WriteCompact((uint)bytes.Length);
        writer.WriteBytes(bytes);
    }

    /// <summary>Takes the header off.</summary>
    /// <param name="source">Header and record.</param>
    /// <param name="header">What is in front.</param>
    /// <param name="codec">The codec that is to read the record.</param>
    /// <param name="record">The record alone.</param>
    /// <returns>The schema of the record.</returns>
    /// <exception cref="NinoSchemaMismatchException">The fingerprint is another than the type's.</exception>
    /// <exception cref="NinoSerializationException">The bytes are no such header: with the type's name, and the offset in <paramref name="source"/>.</exception>
    public static NinoSchema Read<T>(ReadOnlySpan<byte> source, NinoHeader header, NinoCodec<T> codec, out ReadOnlySpan<byte> record)
    {
        record = source;
        if (header == NinoHeader.None) return codec.Schema;

        // Limits are for the record: a header has its own.
        var reader = new NinoReader(source[..Math.Min(source.Length, MaxBytes)]);
        int schemaStart = 0;
        try
        {
            NinoSchema stored = header switch
            {
                NinoHeader.Fingerprint => WithFingerprint(codec.Schema, Unsafe.ReadUnaligned<ulong>(in reader.Take(sizeof(ulong)))),
                NinoHeader.Schema => codec.StoredSchema(TakeSchema(ref reader, ref schemaStart)),
                _ => throw new ArgumentOutOfRangeException(nameof(header), header, "There is no such header."),
            };
            record = source[reader.Position..];
            return stored;
        }
        catch (NinoSerializationException error) when (error is not NinoSchemaMismatchException)
        {
            // What is wrong with the schema tells where in it.
            string name = codec.Schema.Name;
            long offset = schemaStart + Math.Max(error.ByteOffset, 0);
            throw new NinoSerializationException($"Header of a record '{name}', byte {offset}: {error.Message}", error.InnerException ?? error) { TypeName = name, ByteOffset = offset };
        }
    }

    private static ReadOnlySpan<byte> TakeSchema(ref NinoReader reader, ref int start)
    {
        uint length = reader.ReadCompact();
        if (length > SchemaEncoding.MaxBytes) throw new NinoSerializationException($"A schema of {length} bytes is longer than the {SchemaEncoding.MaxBytes} allowed.");
        start = reader.Position;
        return reader.TakeSpan((int)length);
    }

    private static NinoSchema WithFingerprint(NinoSchema own, ulong fingerprint) => fingerprint == own.Fingerprint ? own : throw new NinoSchemaMismatchException(
        $"The record has the schema {fingerprint:x16}, and '{own.Name}' has the schema {own.Fingerprint:x16}: the type had another shape when it was written. Read it with NinoCodec.Decode and the schema it was written with, or write with NinoHeader.Schema.")
    {
        TypeName = own.Name,
        StoredPath = "",
        OwnPath = "",
    };
}
