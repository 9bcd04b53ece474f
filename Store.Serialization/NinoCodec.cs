// From a type argument to its codec: one static field per T. Generated code fills the registry from a module initializer.

using System.Buffers;
using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;
using Store.Serialization.Codecs;
using Store.Serialization.Evolution;
using Store.Serialization.Streaming;

namespace Store.Serialization;

/// <summary>The codec of one record type as an object: what a store holds on to. One virtual call a record; inside, everything is direct. Safe for any number of threads.</summary>
/// <typeparam name="T">The record type.</typeparam>
public abstract class NinoCodec<T> : IHasSchema
{
    private static NinoCodec<T>? _default;
    private static NinoCodec<T>? _owned;
    private static NinoCodec<T>? _exact;

    // Codecs that know other cases of the type (WiderCodecs<T>): open for more. Once the default was found, what it was found to be (RootCodec<T>): closed, so that none comes between and is lost.
    private static object? _wider;
    private NinoSchema? _schema;
    private MapperCache? _mappers;
    private StoredSchemas? _storedSchemas;

    private protected NinoCodec() { }

    /// <summary>The registered codec of <typeparamref name="T"/>. Primitives, strings, and arrays and lists of anything registered need no registration of their own.</summary>
    /// <exception cref="NinoTypeNotRegisteredException">No generated code registered the type.</exception>
    public static NinoCodec<T> Default
    {
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        get
        {
            NinoCodec<T> found = _default ?? Find();
            if (typeof(T).IsValueType) return Settled.Codec;
            return found;
        }
    }

    /// <summary>The schema of the records.</summary>
    public NinoSchema Schema => _schema ?? CreateSchema();

    /// <summary>The exact number of bytes of every record, or 0 where records differ.</summary>
    public int FixedSize => Schema.FixedRecordSize;

    /// <summary>Writes a record at the cursor. A record is never null. The caller flushes the writer; after an exception what was written is to be thrown away.</summary>
    /// <exception cref="ArgumentNullException">The value is null.</exception>
    /// <exception cref="NinoSerializationException">The value has no encoding or exceeds a limit.</exception>
    public abstract void WriteRecord(ref NinoWriter writer, in T value);

    /// <summary>Reads a record at the cursor. The caller checks that nothing is left after it; <see cref="Decode(ReadOnlySpan{byte}, NinoLimits?)"/> does both and tells the place of damage.</summary>
    /// <exception cref="NinoSerializationException">The bytes are no record of this type, or code of the type threw (a constructor, setter, callback or codec of your own), which is then the inner exception.</exception>
    public abstract T ReadRecord(ref NinoReader reader);

    /// <summary>Writes a record to a buffer writer and returns its length in bytes. After an exception the buffer writer may hold part of a record.</summary>
    /// <inheritdoc cref="WriteRecord" path="/exception"/>
    public abstract long Encode(IBufferWriter<byte> output, in T value, NinoLimits? limits = null);

    /// <summary>Writes a record to a new array of exactly its length.</summary>
    /// <inheritdoc cref="WriteRecord" path="/exception"/>
    internal abstract byte[] EncodeToArray(in T value, NinoLimits? limits);

    /// <summary>How many bytes a record takes where that is known before, and nothing can fail when it is written; else 0.</summary>
    internal abstract int SizeIfCertain(in T value, NinoLimits? limits);

    /// <summary>Stores a record of which <see cref="SizeIfCertain"/> just told the length.</summary>
    /// <param name="destination">Of that length at least. Nothing behind the record is touched.</param>
    /// <param name="value">The value.</param>
    internal abstract void EncodeCertain(Span<byte> destination, in T value);

    /// <summary>Reads the record that <paramref name="record"/> is, from its first byte to its last. Nothing of the span is kept.</summary>
    /// <exception cref="NinoSerializationException">The bytes are no record of this type, or more than one, or code of the type threw (a constructor, setter, callback or codec of your own), which is then the inner exception: with type name, member path and byte offset.</exception>
    public abstract T Decode(ReadOnlySpan<byte> record, NinoLimits? limits = null);

    /// <summary>As <see cref="Decode(ReadOnlySpan{byte}, NinoLimits?)"/>, into what the variable holds already where that can be used (docs/reading-into.md).</summary>
    /// <param name="record">The bytes of the record, all of them. Nothing of the span is kept.</param>
    /// <param name="value">What to fill, or null. Afterwards the same object or another one; after an exception what it holds is a mixture of both records, fit only to be filled again.</param>
    /// <param name="limits">Other limits than the default ones.</param>
    /// <inheritdoc cref="Decode(ReadOnlySpan{byte}, NinoLimits?)" path="/exception"/>
    public abstract void Decode(ReadOnlySpan<byte> record, [NotNull] ref T? value, NinoLimits? limits = null);

    /// <summary>
    /// Reads a record that was stored under another schema: an older or newer shape of the type (docs/evolution.md). The schema's own fingerprint is
    /// read as by <see cref="Decode(ReadOnlySpan{byte}, NinoLimits?)"/>; for another a plan is built once and kept. Nothing of the span is kept.
    /// </summary>
    /// <param name="record">The bytes of the record, all of them.</param>
    /// <param name="stored">The schema they were written with. Keep one instance for many records: it is compared by reference first.</param>
    /// <param name="limits">Bounds for the stored record and for the record it becomes.</param>
    /// <exception cref="NinoSchemaMismatchException">Records of that schema cannot be read as this type.</exception>
    /// <exception cref="NinoSerializationException">The bytes are no record of the stored schema, or hold a value that the type cannot.</exception>
    public abstract T Decode(ReadOnlySpan<byte> record, NinoSchema stored, NinoLimits? limits = null);

    /// <summary>As <see cref="Decode(ReadOnlySpan{byte}, NinoSchema, NinoLimits?)"/>, into what the variable holds already.</summary>
    /// <param name="record">The bytes of the record, all of them. Nothing of the span is kept.</param>
    /// <param name="stored">The schema they were written with.</param>
    /// <param name="value">As in <see cref="Decode(ReadOnlySpan{byte}, ref T, NinoLimits?)"/>.</param>
    /// <param name="limits">Bounds for the stored record and for the record it becomes.</param>
    /// <inheritdoc cref="Decode(ReadOnlySpan{byte}, NinoSchema, NinoLimits?)" path="/exception"/>
    public void Decode(ReadOnlySpan<byte> record, NinoSchema stored, [NotNull] ref T? value, NinoLimits? limits = null)
    {
        if (MapperFrom(stored) is not { } mapper) Decode(record, ref value, limits);
        else value = value is null && TryDecodeOlder(record, mapper, limits, out T? read) ? read! : Rewrite(record, mapper, value, limits)!;
    }

    /// <summary>Makes sure that records of a stored schema can be read, without reading one.</summary>
    /// <exception cref="NinoSchemaMismatchException">They cannot be.</exception>
    public void CheckReadable(NinoSchema stored)
    {
        ArgumentNullException.ThrowIfNull(stored);
        if (!IsEncodedAlike(stored)) (_mappers ?? CreateMappers()).From(stored);
    }

    /// <summary>
    /// True when records of a stored schema are read as the type's own, without a plan: by <see cref="Decode(ReadOnlySpan{byte}, NinoLimits?)"/>. The answer for a schema never
    /// changes: whoever reads many records of one schema asks once.
    /// </summary>
    internal bool IsEncodedAlike(NinoSchema stored)
    {
        NinoSchema own = Schema;
        return ReferenceEquals(stored, own) || (stored.Fingerprint == own.Fingerprint && stored.Name == own.Name);
    }

    /// <summary>What a stored schema's records are read by; null where they are read as the type's own.</summary>
    /// <exception cref="NinoSchemaMismatchException">They cannot be read.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private protected NinoRecordMapper? MapperFrom(NinoSchema stored)
    {
        ArgumentNullException.ThrowIfNull(stored);
        if (IsEncodedAlike(stored)) return null;
        NinoRecordMapper mapper = (_mappers ?? CreateMappers()).From(stored);
        return mapper.IsIdentical ? null : mapper;
    }

    // The verbs for value types: as Encode and EncodeToArray, without a frame of their own where the value is plain fields.
    internal abstract long EncodeValue(IBufferWriter<byte> output, in T value, NinoLimits? limits);
    internal abstract byte[] EncodeValueToArray(in T value, NinoLimits? limits);

    /// <summary>The assembly that wrote the codec, for messages.</summary>
    internal abstract string Origin { get; }

    // What RegisteredCodec needs to stand for the type's own codec inside another type's codec. Same meanings as in INinoCodec<T>.
    internal abstract CodecForm Form { get; }
    internal abstract int MinSize { get; }
    internal abstract int FixedValueSize { get; }
    internal abstract int MinBodySize { get; }
    internal abstract int FixedBodySize { get; }
    internal abstract SchemaNode Describe(SchemaBuilder builder);
    internal abstract void Write(ref NinoWriter writer, in T value);
    internal abstract T Read(ref NinoReader reader);
    internal abstract void WriteFixed(ref byte destination, in T value);
    internal abstract T ReadFixed(ref readonly byte source);
    internal abstract void WriteBody(ref NinoWriter writer, in T value);
    internal abstract T ReadBody(ref NinoReader reader);
    internal abstract void WriteFixedBody(ref byte destination, in T value);
    internal abstract T ReadFixedBody(ref readonly byte source);
    internal abstract bool CanReadInto { get; }
    internal abstract void ReadInto(ref NinoReader reader, ref T value);
    internal abstract void ReadBodyInto(ref NinoReader reader, ref T value);

    /// <summary>Reads a record at the cursor into what the variable holds; see <see cref="ReadRecord"/>.</summary>
    internal abstract void ReadRecordInto(ref NinoReader reader, ref T value);

    /// <summary>The codec that the assembly of the type registered: what members in other assemblies use, whatever cases a third assembly adds.</summary>
    internal static NinoCodec<T> Owned => _owned ?? FindOwned();

    /// <summary>A schema that stands in front of a record, parsed once.</summary>
    internal NinoSchema StoredSchema(ReadOnlySpan<byte> canonicalBytes)
    {
        StoredSchemas known = _storedSchemas ?? Interlocked.CompareExchange(ref _storedSchemas, new StoredSchemas(Schema), null) ?? _storedSchemas;
        return known.Of(canonicalBytes);
    }

    /// <summary>The codec of objects of exactly this type: as a case of a polymorphic base. Differs from <see cref="Owned"/> where the type is a base itself.</summary>
    internal static NinoCodec<T> Exact => _exact ?? FindExact();

    internal static void SetOwned(NinoCodec<T> codec) => Interlocked.CompareExchange(ref _owned, codec, null);

    internal static void SetExact(NinoCodec<T> codec) => Interlocked.CompareExchange(ref _exact, codec, null);

    /// <summary>Adds a codec that knows other cases than that of the type's own assembly. What all of them know together is the default, unless that was used already: a default never changes.</summary>
    /// <returns>False when it comes too late for that.</returns>
    internal static bool AddWider(NinoCodec<T> codec)
    {
        while (true)
        {
            object? before = Volatile.Read(ref _wider);
            if (before is RootCodec<T>) return false;
            WiderCodecs<T> all = before is WiderCodecs<T> known ? known.With(codec) : new RegisteredWider<T>([codec]);
            if (Interlocked.CompareExchange(ref _wider, all, before) == before) return true;
        }
    }

    /// <summary>
    /// The default once more, in a field that never changes: optimized code that knows T reads the codec's class from it, calls the codec directly and takes small ones in. The verbs that are called for every
    /// small object read the field themselves, after <see cref="Settle"/>: behind a property the class is known only after the compiler has guessed it from what it counted, in code that all classes share
    /// (docs/performance.md, "One call of a verb"). In code that is itself shared between classes it is a second look-up: half a nanosecond more.
    /// </summary>
    internal static class Settled
    {
        public static readonly NinoCodec<T> Codec;

        // Written out, so that it runs at the first access and not before: by then the default was found.
        static Settled() => Codec = _default!;
    }

    /// <summary>Finds the default: before <see cref="Settled"/> is read.</summary>
    /// <exception cref="NinoTypeNotRegisteredException">No generated code registered the type.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static void Settle()
    {
        if (_default is null) Find();
    }

    private protected T Rewrite(ReadOnlySpan<byte> record, NinoRecordMapper mapper, T? existing, NinoLimits? limits)
    {
        ContiguousBuffer buffer = ContiguousBuffer.Rent();
        try
        {
            if (mapper.TryMapDirect(record, buffer, limits)) return ReadDirect(record, buffer, mapper, existing, limits);
            buffer.SetUsed(0);
            return DecodeByPlan(record, buffer, mapper, existing, limits);
        }
        finally
        {
            buffer.Return();
        }
    }

    private T ReadDirect(ReadOnlySpan<byte> record, ContiguousBuffer buffer, NinoRecordMapper mapper, T? existing, NinoLimits? limits)
    {
        var reader = new NinoReader(buffer.Written, limits, mapper.Own);
        T value = existing!;
        try
        {
            ReadRecordInto(ref reader, ref value);
        }
        catch (NinoSerializationException error)
        {
            throw Unfit(error, record, mapper, buffer.Written, reader.FailedAt, limits);
        }

        return reader.Remaining == 0 ? value : throw Unfit(null, record, mapper, default, 0, limits);
    }

    /// <inheritdoc cref="OlderRecord{T, TCodec}.TryDecode"/>
    internal abstract bool TryDecodeOlder(ReadOnlySpan<byte> record, NinoRecordMapper mapper, NinoLimits? limits, out T? value);

    /// <summary>What is wrong with a record that was rewritten on the direct way, which checks less than the plan does, and could not be read then.</summary>
    internal static Exception Unfit(NinoSerializationException? error, ReadOnlySpan<byte> record, NinoRecordMapper mapper, ReadOnlySpan<byte> mapped, int position, NinoLimits? limits)
    {
        ContiguousBuffer buffer = ContiguousBuffer.Rent();
        var stored = new NinoReader(record, limits, mapper.Stored);
        try
        {
            NinoWriter writer = NinoRecordMapper.WriterFor(record, buffer, limits);
            mapper.Map(ref stored, ref writer);
        }
        catch (NinoSerializationException mapping)
        {
            return mapper.Failed(mapping, record, stored.Position, limits);
        }
        finally
        {
            buffer.Return();
        }

        return error is null ? TooMany(mapper) : RecordErrors.LocateMapped(error, mapper, record, mapped, position, limits);
    }

    private T DecodeByPlan(ReadOnlySpan<byte> record, ContiguousBuffer buffer, NinoRecordMapper mapper, T? existing, NinoLimits? limits)
    {
        var stored = new NinoReader(record, limits, mapper.Stored);
        bool isMapped = false;
        NinoReader reader = default;
        try
        {
            NinoWriter writer = NinoRecordMapper.WriterFor(record, buffer, limits);
            mapper.Map(ref stored, ref writer);
            writer.Flush();
            isMapped = true;
            reader = new NinoReader(buffer.Written, limits, mapper.Own);
            T value = existing!;
            ReadRecordInto(ref reader, ref value);
            return reader.Remaining == 0 ? value : throw TooMany(mapper);
        }
        catch (NinoSerializationException error)
        {
            throw isMapped ? RecordErrors.LocateMapped(error, mapper, record, buffer.Written, reader.FailedAt, limits) : mapper.Failed(error, record, stored.Position, limits);
        }
    }

    private static InvalidOperationException TooMany(NinoRecordMapper mapper) => new($"A record of '{mapper.Stored.Name}' was rewritten as '{mapper.Own.Name}' with bytes too many.");

    private MapperCache CreateMappers()
    {
        var created = new MapperCache(Schema);
        return Interlocked.CompareExchange(ref _mappers, created, null) ?? created;
    }

    private NinoSchema CreateSchema()
    {
        var builder = new SchemaBuilder();
        try
        {
            NinoSchema created = builder.Create(Describe(builder));
            return Interlocked.CompareExchange(ref _schema, created, null) ?? created;
        }
        catch (NinoSerializationException error) when (error.IsOfHiddenMembers)
        {
            throw builder.Reached(error);
        }
    }

    private static NinoCodec<T> Find()
    {
        if (_owned is null) NinoRegistry.Prepare(typeof(T));
        RootCodec<T> root = FindRoot();
        root.Prepare();
        Volatile.Write(ref _default, root.Codec);
        return root.Codec;
    }

    // No lock: describing runs code of other assemblies, module initializers that register among it. When one came meanwhile, all is found again.
    private static RootCodec<T> FindRoot()
    {
        while (true)
        {
            object? before = Volatile.Read(ref _wider);
            if (before is RootCodec<T> settled) return settled;
            RootCodec<T> found = before is WiderCodecs<T> wider ? wider.Settle(_owned) : new RootCodec<T>(FindOwned());
            if (Interlocked.CompareExchange(ref _wider, found, before) == before) return found;
        }
    }

    private static NinoCodec<T> FindExact()
    {
        // Before that of the assembly is taken, which is the same unless the type is a base.
        if (_owned is null) NinoRegistry.Prepare(typeof(T));
        return _exact ?? FindOwned();
    }

    private static NinoCodec<T> FindOwned()
    {
        if (_owned is null) NinoRegistry.Prepare(typeof(T));
        if (_owned is null && NinoRegistry.CreateForCollection(typeof(T)) is NinoCodec<T> created) SetOwned(created);
        // The base of another assembly, of which only others have codecs: what they are together is all there is.
        return _owned ?? (Volatile.Read(ref _wider) is not null ? Default : throw new NinoTypeNotRegisteredException(typeof(T)));
    }
}
