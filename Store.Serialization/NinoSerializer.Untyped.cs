// The verbs for values whose type is known at run time only. The bytes are those of the typed verbs: nothing in them names a type.

using System.Buffers;

namespace Store.Serialization;

/// <content>Values whose type is known at run time only.</content>
public static partial class NinoSerializer
{
    /// <summary>
    /// Serializes a value as its own type, whatever it is declared as. (To write it as a base, so that the bytes tell which case it is, name the base:
    /// <see cref="Serialize(object, Type, NinoHeader, NinoLimits?)"/>.) The type has to be registered; whoever reads has to know it.
    /// </summary>
    /// <inheritdoc cref="Serialize{T}(in T, NinoLimits?)" path="/exception"/>
    public static byte[] Serialize(object value, NinoLimits? limits = null)
    {
        ArgumentNullException.ThrowIfNull(value);
        return UntypedRecord.Of(value.GetType()).Serialize(value, NinoHeader.None, limits);
    }

    /// <summary>Serializes a value as a type: its own, or a base that is registered.</summary>
    /// <param name="value">The value.</param>
    /// <param name="type">A registered type, or an array or list of one.</param>
    /// <param name="header">What stands in front of the record.</param>
    /// <param name="limits">Other limits than the default ones.</param>
    /// <exception cref="ArgumentException">The value is not of that type.</exception>
    /// <inheritdoc cref="Serialize{T}(in T, NinoLimits?)" path="/exception"/>
    public static byte[] Serialize(object value, Type type, NinoHeader header = NinoHeader.None, NinoLimits? limits = null) => UntypedRecord.Of(type).Serialize(value, header, limits);

    /// <summary>As <see cref="Serialize(object, Type, NinoHeader, NinoLimits?)"/>, into a buffer writer. Returns the number of bytes.</summary>
    /// <inheritdoc cref="Serialize(object, Type, NinoHeader, NinoLimits?)" path="/exception"/>
    public static long Serialize(IBufferWriter<byte> output, object value, Type type, NinoHeader header = NinoHeader.None, NinoLimits? limits = null)
    {
        ArgumentNullException.ThrowIfNull(output);
        return UntypedRecord.Of(type).Serialize(output, value, header, limits);
    }

    /// <summary>As <see cref="Serialize(object, Type, NinoHeader, NinoLimits?)"/>, to a stream in one write. Returns the number of bytes. The stream is not flushed.</summary>
    /// <inheritdoc cref="Serialize(object, Type, NinoHeader, NinoLimits?)" path="/exception"/>
    public static long Serialize(Stream output, object value, Type type, NinoHeader header = NinoHeader.None, NinoLimits? limits = null)
    {
        ArgumentNullException.ThrowIfNull(output);
        byte[] bytes = UntypedRecord.Of(type).Serialize(value, header, limits);
        output.Write(bytes);
        return bytes.Length;
    }

    /// <summary>Reads the value that <paramref name="source"/> is, from its first byte to its last. Nothing of the source is kept.</summary>
    /// <param name="type">The type it was written as.</param>
    /// <param name="source">The bytes.</param>
    /// <param name="header">What stands in front of the record.</param>
    /// <param name="limits">Other limits than the default ones.</param>
    /// <inheritdoc cref="Deserialize{T}(ReadOnlySpan{byte}, NinoHeader, NinoLimits?)" path="/exception"/>
    public static object Deserialize(Type type, ReadOnlySpan<byte> source, NinoHeader header = NinoHeader.None, NinoLimits? limits = null) => UntypedRecord.Of(type).Deserialize(source, header, limits);

    /// <inheritdoc cref="Deserialize(Type, ReadOnlySpan{byte}, NinoHeader, NinoLimits?)"/>
    public static object Deserialize(Type type, in ReadOnlySequence<byte> source, NinoHeader header = NinoHeader.None, NinoLimits? limits = null) => UntypedRecord.Of(type).Deserialize(in source, header, limits);

    /// <summary>Reads the value that a stream is, from its position to its end. The stream stays open.</summary>
    /// <inheritdoc cref="Deserialize(Type, ReadOnlySpan{byte}, NinoHeader, NinoLimits?)" path="/param"/>
    /// <inheritdoc cref="Deserialize{T}(ReadOnlySpan{byte}, NinoHeader, NinoLimits?)" path="/exception"/>
    public static object Deserialize(Type type, Stream source, NinoHeader header = NinoHeader.None, NinoLimits? limits = null)
    {
        ArgumentNullException.ThrowIfNull(source);
        UntypedRecord verbs = UntypedRecord.Of(type);
        ContiguousBuffer buffer = ContiguousBuffer.Rent();
        try
        {
            Streaming.StreamRecords.ReadToEnd(source, buffer, Streaming.StreamRecords.MaxBytes(header, limits));
            return verbs.Deserialize(buffer.Written, header, limits);
        }
        finally
        {
            buffer.Return();
        }
    }

    /// <summary>How many bytes <see cref="Serialize(object, Type, NinoHeader, NinoLimits?)"/> takes for a value without a header.</summary>
    /// <inheritdoc cref="Serialize(object, Type, NinoHeader, NinoLimits?)" path="/exception"/>
    public static long GetSize(object value, Type type, NinoLimits? limits = null) => UntypedRecord.Of(type).GetSize(value, limits);

    /// <summary>A deep copy of a value as its own type, whatever it is declared as.</summary>
    /// <inheritdoc cref="Serialize{T}(in T, NinoLimits?)" path="/exception"/>
    public static object Clone(object value, NinoLimits? limits = null)
    {
        ArgumentNullException.ThrowIfNull(value);
        return UntypedRecord.Of(value.GetType()).Clone(value, limits);
    }

    /// <summary>The schema of a type's records.</summary>
    /// <exception cref="NinoTypeNotRegisteredException">Nobody registered the type.</exception>
    public static NinoSchema SchemaOf(Type type) => UntypedRecord.Of(type).Schema;
}
