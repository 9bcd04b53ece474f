using System.Buffers;
using Store.Serialization;

namespace Store.Tests.Generator.RoundTrips;

internal static class RoundTrip
{
    /// <summary>Writes and reads a value with the registered codec, and checks what must hold for every type: reading takes every byte, writing again gives the same bytes, the schema describes exactly these bytes, and every cut is noticed.</summary>
    public static T Of<T>(T value)
    {
        byte[] bytes = Write(value);
        Assert.Equal(bytes, NinoSerializer.Serialize(value));
        T copy = NinoSerializer.Deserialize<T>(bytes);
        Assert.Equal(bytes, Write(copy));
        Walk(bytes, NinoSchema.Parse(NinoSerializer.SchemaOf<T>().CanonicalBytes.Span));
        for (int length = 0; length < bytes.Length; length++) Assert.Throws<NinoSerializationException>(() => NinoSerializer.Deserialize<T>(bytes.AsSpan(0, length)));
        return copy;
    }

    /// <summary>Moves over a record by its schema alone: it must end at the last byte.</summary>
    public static void Walk(ReadOnlySpan<byte> bytes, NinoSchema schema)
    {
        var reader = new NinoReader(bytes);
        RecordWalker.SkipRecord(ref reader, schema.Root);
        Assert.Equal(0, reader.Remaining);
        if (schema.FixedRecordSize > 0) Assert.Equal(schema.FixedRecordSize, bytes.Length);
    }

    public static byte[] Write<T>(T value)
    {
        var output = new ArrayBufferWriter<byte>();
        var writer = new NinoWriter(output);
        NinoCodec<T>.Default.WriteRecord(ref writer, in value);
        writer.Flush();
        return output.WrittenSpan.ToArray();
    }

    public static T Read<T>(ReadOnlySpan<byte> bytes)
    {
        var reader = new NinoReader(bytes);
        T value = NinoCodec<T>.Default.ReadRecord(ref reader);
        Assert.Equal(0, reader.Remaining);
        return value;
    }
}
