// The verbs on one class. Written out for each, as the shapes of Peers/Shapes.cs are: in code that is generic over classes every call would look up its type first.

using System.Buffers;
using System.Runtime.CompilerServices;
using Store.Bench.Workloads;
using Store.Serialization;

namespace Store.Bench.Shapes;

/// <summary>What the serializer can be asked for beside <c>Serialize</c> to an array and <c>Deserialize</c> of one. Implemented by empty structs whose methods are inlined.</summary>
internal interface IVerbs<T>
{
    byte[] Serialize(T value);
    void Serialize(IBufferWriter<byte> output, T value);
    void Serialize(Stream output, T value);
    bool TrySerialize(T value, byte[] destination, out int written);
    long GetSize(T value);
    T Clone(T value);
    T Deserialize(byte[] record);
    T Deserialize(in ReadOnlySequence<byte> record);
    T Deserialize(Stream source);
}

internal readonly struct PocoVerbs : IVerbs<Poco>
{
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public byte[] Serialize(Poco value) => NinoSerializer.Serialize(in value);
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Serialize(IBufferWriter<byte> output, Poco value) => NinoSerializer.Serialize(output, in value);
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Serialize(Stream output, Poco value) => NinoSerializer.Serialize(output, in value);
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public bool TrySerialize(Poco value, byte[] destination, out int written) => NinoSerializer.TrySerialize(in value, destination, out written);
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public long GetSize(Poco value) => NinoSerializer.GetSize(in value);
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public Poco Clone(Poco value) => NinoSerializer.Clone(in value);
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public Poco Deserialize(byte[] record) => NinoSerializer.Deserialize<Poco>(record);
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public Poco Deserialize(in ReadOnlySequence<byte> record) => NinoSerializer.Deserialize<Poco>(in record);
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public Poco Deserialize(Stream source) => NinoSerializer.Deserialize<Poco>(source);
}

internal readonly struct SimpleClassVerbs : IVerbs<SimpleClass>
{
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public byte[] Serialize(SimpleClass value) => NinoSerializer.Serialize(in value);
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Serialize(IBufferWriter<byte> output, SimpleClass value) => NinoSerializer.Serialize(output, in value);
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Serialize(Stream output, SimpleClass value) => NinoSerializer.Serialize(output, in value);
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public bool TrySerialize(SimpleClass value, byte[] destination, out int written) => NinoSerializer.TrySerialize(in value, destination, out written);
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public long GetSize(SimpleClass value) => NinoSerializer.GetSize(in value);
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public SimpleClass Clone(SimpleClass value) => NinoSerializer.Clone(in value);
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public SimpleClass Deserialize(byte[] record) => NinoSerializer.Deserialize<SimpleClass>(record);
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public SimpleClass Deserialize(in ReadOnlySequence<byte> record) => NinoSerializer.Deserialize<SimpleClass>(in record);
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public SimpleClass Deserialize(Stream source) => NinoSerializer.Deserialize<SimpleClass>(source);
}
