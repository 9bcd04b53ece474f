// From a Type object to the verbs of that type. Made by what registered the type, so that no generic type is made at run time.

using System.Buffers;
using System.Diagnostics.CodeAnalysis;

namespace Store.Serialization;

/// <summary>The verbs of <see cref="NinoSerializer"/> for a type that is known at run time only. Stateless.</summary>
internal abstract class UntypedRecord : IHasSchema
{
    private static readonly TypeTable<UntypedRecord> Known = new();
    // By classes that the framework hides: those of what it shows. Apart, because nobody reads such a class.
    private static readonly TypeTable<UntypedRecord> Hidden = new();

    /// <exception cref="NinoTypeNotRegisteredException">Nobody registered the type.</exception>
    public static UntypedRecord Of(Type type)
    {
        ArgumentNullException.ThrowIfNull(type);
        if (Known.TryGetValue(type, out UntypedRecord? verbs)) return verbs;
        return Known.GetOrAdd(type, (type.ContainsGenericParameters ? null : NinoRegistry.VerbsOf(type)) ?? throw new NinoTypeNotRegisteredException(type));
    }

    /// <summary>The verbs for a value whose type is its own: of an object of a class that the framework hides, those of the class that it shows.</summary>
    public static UntypedRecord OfValue(object value)
    {
        Type type = value.GetType();
        if (Known.TryGetValue(type, out UntypedRecord? verbs) || Hidden.TryGetValue(type, out verbs)) return verbs;
        if (NinoRegistry.VerbsOf(type) is not null) return Of(type);
        verbs = NinoObjects.ShownAs(type).Where(static shown => shown != typeof(object)).Select(NinoRegistry.VerbsOf).FirstOrDefault(static shown => shown is not null);
        return verbs is null ? Of(type) : Hidden.GetOrAdd(type, verbs);
    }

    public abstract NinoSchema Schema { get; }

    public abstract byte[] Serialize(object value, NinoHeader header, NinoLimits? limits);

    public abstract long Serialize(IBufferWriter<byte> output, object value, NinoHeader header, NinoLimits? limits);

    public abstract object Deserialize(ReadOnlySpan<byte> source, NinoHeader header, NinoLimits? limits);

    public abstract object Deserialize(in ReadOnlySequence<byte> source, NinoHeader header, NinoLimits? limits);

    /// <summary>Reads a record of a stored schema; see <see cref="NinoCodec{T}.Decode(ReadOnlySpan{byte}, NinoSchema, NinoLimits?)"/>.</summary>
    public abstract object Deserialize(ReadOnlySpan<byte> source, NinoSchema stored, NinoLimits? limits);

    public abstract NinoSchema StoredSchema(ReadOnlySpan<byte> canonicalBytes);

    public abstract void CheckReadable(NinoSchema stored);

    public abstract bool TrySerialize(object value, Span<byte> destination, out int written, NinoHeader header, NinoLimits? limits);

    public abstract void Deserialize(ReadOnlySpan<byte> source, [NotNull] ref object? value, NinoHeader header, NinoLimits? limits);

    public abstract long GetSize(object value, NinoHeader header, NinoLimits? limits);

    public abstract object Clone(object value, NinoLimits? limits);
}

/// <inheritdoc/>
internal sealed class UntypedRecord<T> : UntypedRecord
{
    public override NinoSchema Schema => NinoCodec<T>.Default.Schema;

    public override byte[] Serialize(object value, NinoHeader header, NinoLimits? limits)
    {
        T item = Cast(value);
        return header == NinoHeader.None ? NinoSerializer.Serialize<T>(in item, limits) : NinoSerializer.Serialize<T>(in item, header, limits);
    }

    public override long Serialize(IBufferWriter<byte> output, object value, NinoHeader header, NinoLimits? limits)
    {
        T item = Cast(value);
        return NinoSerializer.Serialize<T>(output, in item, header, limits);
    }

    public override object Deserialize(ReadOnlySpan<byte> source, NinoHeader header, NinoLimits? limits) =>
        (header == NinoHeader.None ? NinoSerializer.Deserialize<T>(source, limits) : NinoSerializer.Deserialize<T>(source, header, limits))!;

    public override object Deserialize(in ReadOnlySequence<byte> source, NinoHeader header, NinoLimits? limits) =>
        (header == NinoHeader.None ? NinoSerializer.Deserialize<T>(in source, limits) : NinoSerializer.Deserialize<T>(in source, header, limits))!;

    public override object Deserialize(ReadOnlySpan<byte> source, NinoSchema stored, NinoLimits? limits) => NinoCodec<T>.Default.Decode(source, stored, limits)!;

    public override NinoSchema StoredSchema(ReadOnlySpan<byte> canonicalBytes) => NinoCodec<T>.Default.StoredSchema(canonicalBytes);

    public override void CheckReadable(NinoSchema stored) => NinoCodec<T>.Default.CheckReadable(stored);

    public override bool TrySerialize(object value, Span<byte> destination, out int written, NinoHeader header, NinoLimits? limits) =>
        NinoSerializer.TrySerialize<T>(Cast(value), destination, out written, header, limits);

    public override void Deserialize(ReadOnlySpan<byte> source, [NotNull] ref object? value, NinoHeader header, NinoLimits? limits)
    {
        T? item = value is null ? default : Cast(value);
        NinoSerializer.Deserialize(source, header, ref item, limits);
        value = item;
    }

    public override long GetSize(object value, NinoHeader header, NinoLimits? limits) => NinoSerializer.GetSize<T>(Cast(value), header, limits);

    public override object Clone(object value, NinoLimits? limits) => NinoSerializer.Clone<T>(Cast(value), limits)!;

    private static T Cast(object value)
    {
        ArgumentNullException.ThrowIfNull(value);
        return value is T item ? item : throw new ArgumentException($"The value is of type '{value.GetType()}', not of '{typeof(T)}'.", nameof(value));
    }
}
