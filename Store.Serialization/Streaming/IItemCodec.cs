// What a stream of items needs to know of its items' type: at compile time, or at run time only. The second is one instantiation for all types.

using System.Buffers;

namespace Store.Serialization.Streaming;

/// <summary>The codec of the items of one stream.</summary>
internal interface IItemCodec<T>
{
    NinoSchema Schema { get; }

    void Encode(IBufferWriter<byte> output, in T item, NinoLimits? limits);

    /// <summary>The schema that stands in front of the items.</summary>
    NinoSchema StoredSchema(ReadOnlySpan<byte> canonicalBytes);

    /// <exception cref="NinoSchemaMismatchException">Items of that schema cannot be read.</exception>
    void CheckReadable(NinoSchema stored);

    T Decode(ReadOnlySpan<byte> item, NinoSchema stored, NinoLimits? limits);
}

/// <summary>Items of a type that is known at compile time.</summary>
internal readonly struct TypedItemCodec<T>(NinoCodec<T> codec) : IItemCodec<T>
{
    public NinoSchema Schema => codec.Schema;

    public void Encode(IBufferWriter<byte> output, in T item, NinoLimits? limits) => codec.Encode(output, in item, limits);

    public NinoSchema StoredSchema(ReadOnlySpan<byte> canonicalBytes) => codec.StoredSchema(canonicalBytes);

    public void CheckReadable(NinoSchema stored) => codec.CheckReadable(stored);

    public T Decode(ReadOnlySpan<byte> item, NinoSchema stored, NinoLimits? limits) => codec.Decode(item, stored, limits);
}

/// <summary>Items of a type that is known at run time only.</summary>
internal readonly struct UntypedItemCodec(UntypedRecord verbs) : IItemCodec<object>
{
    public NinoSchema Schema => verbs.Schema;

    public void Encode(IBufferWriter<byte> output, in object item, NinoLimits? limits) => verbs.Serialize(output, item, NinoHeader.None, limits);

    public NinoSchema StoredSchema(ReadOnlySpan<byte> canonicalBytes) => verbs.StoredSchema(canonicalBytes);

    public void CheckReadable(NinoSchema stored) => verbs.CheckReadable(stored);

    public object Decode(ReadOnlySpan<byte> item, NinoSchema stored, NinoLimits? limits) => verbs.Deserialize(item, stored, limits);
}
