// Where views of stored records are made: the one place that compares schemas. A view knows one layout; records of another shape are first rewritten in it.

using Store.Serialization.Evolution;

namespace Store.Serialization;

/// <summary>Makes views of records that are stored beside their schema. Safe for any number of threads.</summary>
public static class NinoView
{
    /// <summary>A view of a record. It reads the bytes where they lie: valid as long as they are.</summary>
    /// <typeparam name="TView">The generated view of the record's type.</typeparam>
    /// <param name="record">The record, all of it.</param>
    /// <param name="stored">The schema it was written with. Keep one instance for many records: it is compared by reference first.</param>
    /// <exception cref="NinoSchemaMismatchException">The record has another shape than the view's type has now: give a <see cref="NinoViewBuffer"/>, or read it with NinoCodec.Decode.</exception>
    /// <exception cref="NinoSerializationException">There are fewer bytes than the fixed part of any such record.</exception>
    public static TView Open<TView>(ReadOnlySpan<byte> record, NinoSchema stored) where TView : struct, INinoRecordView<TView>, allows ref struct
    {
        ArgumentNullException.ThrowIfNull(stored);
        if (IsSame<TView>(stored)) return TView.Over(record);
        if (ViewSchemas<TView>.Mappers.From(stored).IsIdentical) return TView.Over(record);
        throw new NinoSchemaMismatchException($"The record has the schema {stored.Fingerprint:x16} of '{stored.Name}', and views of '{TView.Schema.Name}' read the schema {TView.Schema.Fingerprint:x16}: the type had another shape when it was written. Give a NinoViewBuffer, in which it is rewritten, or read it with NinoCodec.Decode.")
        {
            TypeName = TView.Schema.Name,
            StoredPath = "",
            OwnPath = "",
        };
    }

    /// <summary>As <see cref="Open{TView}(ReadOnlySpan{byte}, NinoSchema)"/>; a record of another shape is rewritten into the buffer, and the view is of that: valid until the buffer is used again.</summary>
    /// <param name="record">The record, all of it.</param>
    /// <param name="stored">The schema it was written with.</param>
    /// <param name="buffer">Memory for records of other shapes. Not touched for those of the view's own.</param>
    /// <param name="limits">Bounds for a record that is rewritten.</param>
    /// <exception cref="NinoSchemaMismatchException">Records of that schema cannot be read as this type.</exception>
    /// <exception cref="NinoSerializationException">There are fewer bytes than the fixed part of any such record, or a record of another shape is damaged.</exception>
    public static TView Open<TView>(ReadOnlySpan<byte> record, NinoSchema stored, NinoViewBuffer buffer, NinoLimits? limits = null) where TView : struct, INinoRecordView<TView>, allows ref struct
    {
        ArgumentNullException.ThrowIfNull(stored);
        if (IsSame<TView>(stored)) return TView.Over(record);
        ArgumentNullException.ThrowIfNull(buffer);
        NinoRecordMapper mapper = ViewSchemas<TView>.Mappers.From(stored);
        return TView.Over(mapper.IsIdentical ? record : buffer.Rewrite(mapper, record, limits));
    }

    /// <summary>True when records of a stored schema are of the view's type, by name; their shape may differ.</summary>
    public static bool IsOf<TView>(NinoSchema stored) where TView : struct, INinoRecordView<TView>, allows ref struct
    {
        ArgumentNullException.ThrowIfNull(stored);
        return ReferenceEquals(stored, ViewSchemas<TView>.Match) || TView.Schema.IsNamed(stored.Name);
    }

    /// <summary>Makes sure that records of a stored schema can be viewed, be it rewritten, without looking at one.</summary>
    /// <exception cref="NinoSchemaMismatchException">They cannot be.</exception>
    public static void CheckReadable<TView>(NinoSchema stored) where TView : struct, INinoRecordView<TView>, allows ref struct
    {
        ArgumentNullException.ThrowIfNull(stored);
        if (!IsSame<TView>(stored)) ViewSchemas<TView>.Mappers.From(stored);
    }

    /// <summary>True when records of a stored schema are as the view reads them.</summary>
    internal static bool IsSame<TView>(NinoSchema stored) where TView : struct, INinoRecordView<TView>, allows ref struct =>
        ReferenceEquals(stored, ViewSchemas<TView>.Match) || IsEqual<TView>(stored);

    private static bool IsEqual<TView>(NinoSchema stored) where TView : struct, INinoRecordView<TView>, allows ref struct
    {
        NinoSchema own = TView.Schema;
        if (stored.Fingerprint != own.Fingerprint || stored.Name != own.Name) return false;
        Volatile.Write(ref ViewSchemas<TView>.Match, stored);
        return true;
    }

    private static class ViewSchemas<TView> where TView : struct, INinoRecordView<TView>, allows ref struct
    {
        /// <summary>The schema that was the view's own the last time.</summary>
        public static NinoSchema? Match;

        public static readonly MapperCache Mappers = new(TView.Schema);
    }
}

/// <summary>Memory in which records of other shapes are rewritten to be viewed. Grows to the largest record and is used again for each. Not thread-safe.</summary>
public sealed class NinoViewBuffer
{
    private readonly System.Buffers.ArrayBufferWriter<byte> _bytes = new();

    internal int CapacityBytes => _bytes.Capacity;

    internal ReadOnlySpan<byte> Rewrite(NinoRecordMapper mapper, ReadOnlySpan<byte> record, NinoLimits? limits)
    {
        _bytes.ResetWrittenCount();
        mapper.Map(record, _bytes, limits);
        return _bytes.WrittenSpan;
    }
}
