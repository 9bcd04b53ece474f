// Rewrites a record of a stored schema as a record of the program's schema; the program's own codec then reads that. So there is one place that knows
// what older records look like, and generated code knows only one layout. Rules: docs/evolution.md.
//
// Trusts no byte: every one is taken through NinoReader; what is copied is checked by the codec that reads the copy, what is left out is checked here.

using System.Buffers;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using Store.Serialization.Codecs;
using Store.Serialization.Evolution;

namespace Store.Serialization;

/// <summary>
/// Rewrites records of one schema as records of another (docs/evolution.md): the plan is built once from the two schemas. Reading does this by itself; it is of
/// use to who keeps records as bytes. Immutable; safe for any number of threads.
/// </summary>
public sealed class NinoRecordMapper
{
    // How many bytes of elements are written at a time.
    private const int ChunkBytes = 4096;

    private readonly ValueMap _root;

    private NinoRecordMapper(NinoSchema stored, NinoSchema own, ValueMap root)
    {
        Stored = stored;
        Own = own;
        _root = root;
        IsIdentical = root.Union is null && (root.Stored.HasPresenceByte || root.Own.HasPresenceByte) ? root.Object is { IsIdentical: true } : root.IsIdentical;
    }

    /// <summary>The schema of the records that are read.</summary>
    public NinoSchema Stored { get; }

    /// <summary>The schema of the records that are written.</summary>
    public NinoSchema Own { get; }

    /// <summary>The records of both are encoded alike, only names differ: there is nothing to rewrite.</summary>
    public bool IsIdentical { get; }

    /// <summary>Works out how records of one schema are read as another.</summary>
    /// <exception cref="NinoSchemaMismatchException">They cannot be.</exception>
    public static NinoRecordMapper Create(NinoSchema stored, NinoSchema own)
    {
        ArgumentNullException.ThrowIfNull(stored);
        ArgumentNullException.ThrowIfNull(own);
        return new(stored, own, MapBuilder.Build(stored, own));
    }

    /// <summary>Rewrites one record and returns the length in bytes of what was written. After an exception the buffer writer may hold part of it.</summary>
    /// <param name="record">The stored record, all of it. What is copied as it is was not checked: that does who reads the result.</param>
    /// <param name="output">Where the record of the own schema goes.</param>
    /// <param name="limits">Bounds for both records.</param>
    /// <exception cref="NinoSerializationException">The bytes are no record of the stored schema, a value does not fit, or a limit is exceeded: with member path and byte offset.</exception>
    public long Map(ReadOnlySpan<byte> record, IBufferWriter<byte> output, NinoLimits? limits = null)
    {
        ArgumentNullException.ThrowIfNull(output);
        var reader = new NinoReader(record, limits);
        var writer = new NinoWriter(output, limits);
        try
        {
            Map(ref reader, ref writer);
        }
        catch (NinoSerializationException error)
        {
            throw RecordErrors.Locate(error, Stored, record, reader.Position, limits);
        }

        writer.Flush();
        return writer.BytesWritten;
    }

    /// <summary>Rewrites one record. After an exception the buffer writer may hold part of it.</summary>
    /// <param name="reader">Over the stored record, at its start; afterwards at its end.</param>
    /// <param name="writer">Where the record of the own schema goes. Its limits bound what is written.</param>
    /// <exception cref="NinoSerializationException">The bytes are no record of the stored schema, a value does not fit, or a limit is exceeded.</exception>
    internal void Map(ref NinoReader reader, ref NinoWriter writer)
    {
        writer.BeginRecord();
        // A record is never null: an object at the root has no presence byte.
        if (_root.Union is { } union) UnionRoot(union, ref reader, ref writer);
        else if (_root.Object is { } body && (_root.Stored.HasPresenceByte || _root.Own.HasPresenceByte)) Root(body, ref reader, ref writer);
        else Value(_root, ref reader, ref writer);
        if (reader.Remaining != 0) Throw.TrailingBytes(reader.Remaining);
        writer.EndRecord();
    }

    private void Root(ObjectMap body, ref NinoReader reader, ref NinoWriter writer)
    {
        // A nullable struct, which a root may be, against a class: the nullable keeps its presence byte.
        if (_root.Stored.Kind == SchemaKind.Nullable && !reader.ReadPresence()) throw new NinoSerializationException("A stored record is null, and the type cannot be.");
        if (_root.Own.Kind == SchemaKind.Nullable) writer.Take(1) = 1;
        Body(body, ref reader, ref writer);
    }

    // ---- One value

    private static void Value(ValueMap map, ref NinoReader reader, ref NinoWriter writer)
    {
        if (map.IsIdentical)
        {
            Stretch copied = new(ref reader);
            map.Skip.Skip(ref reader);
            writer.WriteBytes(copied.To(in reader));
        }
        else if (map.Fixed is { } plan)
        {
            plan.Run(reader.TakeSpan(plan.SourceSize), TakeSpan(ref writer, plan.TargetSize));
        }
        else if (map.Form == ValueForm.Union)
        {
            if (ReadCase(map, ref reader, ref writer) is { } one) WriteCase(map.Union!, one, map.Own, ref reader, ref writer);
        }
        else if (map is { Form: ValueForm.Object, Object.Stored.KeepsReferences: true })
        {
            if (CopyReference(ref reader, ref writer)) Body(map.Object, ref reader, ref writer);
        }
        else if (map.Form == ValueForm.Wrap)
        {
            Wrap(map.Element!, ref reader, ref writer);
        }
        else if (map.Form == ValueForm.Unwrap)
        {
            Unwrap(map, ref reader, ref writer);
        }
        else if (map.StoredIsOptional && !reader.ReadPresence())
        {
            if (reader.TakeSpan(map.StoredAbsentBytes).ContainsAnyExcept((byte)0)) Throw.BadAbsentValue(0);
            Zero(map, ref writer);
        }
        else
        {
            Present(map, ref reader, ref writer);
        }
    }

    /// <summary>A value whose presence byte, if it has one, is read.</summary>
    private static void Present(ValueMap map, ref NinoReader reader, ref NinoWriter writer)
    {
        if (map.OwnIsOptional) writer.Take(1) = 1;
        Inner(map, ref reader, ref writer);
    }

    /// <summary>What is behind the presence bytes.</summary>
    private static void Inner(ValueMap map, ref NinoReader reader, ref NinoWriter writer)
    {
        switch (map.Form)
        {
            case ValueForm.Object:
                Body(map.Object!, ref reader, ref writer);
                break;
            case ValueForm.List:
                List(map.Element!, ref reader, ref writer);
                break;
            case ValueForm.Map:
                Pairs(map, ref reader, ref writer);
                break;
            case ValueForm.Union:
                WriteCase(map.Union!, map.Union!.Only!, map.Own, ref reader, ref writer);
                break;
            case ValueForm.Text:
                Text(map, ref reader, ref writer);
                break;
            default:
                // Only whether it may be absent has changed.
                NinoReader start = reader;
                (map.Stored.Kind == SchemaKind.Nullable ? map.Skip.Element! : map.Skip).Skip(ref reader);
                writer.WriteBytes(start.TakeSpan(reader.Position - start.Position));
                break;
        }
    }

    /// <summary>Null or zero.</summary>
    private static void Zero(ValueMap map, ref NinoWriter writer) => writer.WriteBytes(map.OwnZero);

    private static void Text(ValueMap map, ref NinoReader reader, ref NinoWriter writer)
    {
        Span<char> chars = stackalloc char[2];
        int length = 1;
        if (ValueMap.Inner(map.Stored).Kind == SchemaKind.Char) chars[0] = default(CharCodec).Read(ref reader);
        else length = default(RuneCodec).Read(ref reader).EncodeToUtf16(chars);
        default(StringCodec).Write(ref writer, new string(chars[..length]));
    }

    // ---- Unions

    /// <summary>Copies the number that an object to which references are kept has, or the 1 in front of it. True: the object follows.</summary>
    private static bool CopyReference(ref NinoReader reader, ref NinoWriter writer)
    {
        uint reference = reader.ReadCompact();
        writer.WriteCompact(reference);
        return reference == 1;
    }

    /// <summary>Reads what is in front of the body of a case. Null: there is none; null, or the number of an object met before, was written.</summary>
    private static CaseMap? ReadCase(ValueMap map, ref NinoReader reader, ref NinoWriter writer)
    {
        UnionMap union = map.Union!;
        bool isNumbered = union.Stored?.KeepsReferences ?? union.Only!.Stored.KeepsReferences;
        if (isNumbered && !CopyReference(ref reader, ref writer)) return null;
        if (union.Stored is null)
        {
            if (isNumbered || !map.StoredIsOptional || reader.ReadPresence()) return union.Only;
            if (reader.TakeSpan(map.StoredAbsentBytes).ContainsAnyExcept((byte)0)) Throw.BadAbsentValue(0);
            Zero(map, ref writer);
            return null;
        }

        uint tag = UnionMap.ReadTag(union.Stored, ref reader, out bool isNull);
        CaseMap? one = isNull ? null : union.Find(tag);
        if (one is { Body: not null }) return one;
        if (one is not null)
        {
            if (union.Own is not { SkipsUnknown: true }) throw new NinoSerializationException($"A stored object is a '{one.Stored.Name}', which {(union.Own is null ? $"'{map.Own.Definition!.Name}' cannot hold" : $"is no case of '{union.Own.Name}'")} now. Keep that type, or give the case that it is [NinoFormerName(\"{one.Stored.Name}\")].");
            SkipStored(union.Stored, one, ref reader);
        }

        Zero(map, ref writer);
        return null;
    }

    private static void SkipStored(UnionDefinition union, CaseMap one, ref NinoReader reader)
    {
        int end = union.SkipsUnknown ? NinoGenerated.ReadCaseEnd(ref reader) : -1;
        one.Skip.Skip(ref reader);
        if (end >= 0) NinoGenerated.CheckCaseEnd(in reader, end);
    }

    /// <summary>Writes a case. The reader stands behind the tag.</summary>
    private static void WriteCase(UnionMap union, CaseMap one, SchemaNode own, ref NinoReader reader, ref NinoWriter writer)
    {
        if (union.Own is null)
        {
            // Where the type is an object now: its presence byte. A number, where references are kept, is written.
            if (own.HasPresenceByte) writer.Take(1) = 1;
            CaseBody(union, one, ref reader, ref writer);
            return;
        }

        UnionMap.WriteTag(union.Own, one.Tag, ref writer);
        if (!union.Own.SkipsUnknown)
        {
            CaseBody(union, one, ref reader, ref writer);
            return;
        }

        ContiguousBuffer buffer = ContiguousBuffer.Rent();
        try
        {
            NinoWriter part = writer.Part(buffer);
            CaseBody(union, one, ref reader, ref part);
            part.Flush();
            writer.WriteCompact((uint)buffer.Written.Length);
            writer.WriteBytes(buffer.Written);
        }
        finally
        {
            buffer.Return();
        }
    }

    private static void CaseBody(UnionMap union, CaseMap one, ref NinoReader reader, ref NinoWriter writer)
    {
        int end = union.Stored is { SkipsUnknown: true } ? NinoGenerated.ReadCaseEnd(ref reader) : -1;
        bool isNumbered = one.Stored.KeepsReferences && union.Stored is { KeepsReferences: false };
        if (!isNumbered || CopyReference(ref reader, ref writer)) Body(one.Body!, ref reader, ref writer);
        if (end >= 0) NinoGenerated.CheckCaseEnd(in reader, end);
    }

    /// <summary>A root of a reference type is a bare body, one of a union or with references is a value.</summary>
    private void UnionRoot(UnionMap union, ref NinoReader reader, ref NinoWriter writer)
    {
        if (_root.Stored.HasPresenceByte)
        {
            WriteCase(union, union.Only!, _root.Own, ref reader, ref writer);
        }
        else if (_root.Own.HasPresenceByte)
        {
            uint tag = UnionMap.ReadTag(union.Stored!, ref reader, out bool isNull);
            if (isNull) throw new NinoSerializationException("A stored record is null, and the type cannot be.");
            CaseMap one = union.Find(tag);
            if (one.Body is null) throw new NinoSerializationException($"A stored record is a '{one.Stored.Name}', which '{Own.Name}' cannot hold now.");
            CaseBody(union, one, ref reader, ref writer);
        }
        else
        {
            Value(_root, ref reader, ref writer);
        }
    }

    // ---- Bodies

    private static void Body(ObjectMap map, ref NinoReader reader, ref NinoWriter writer)
    {
        // Depth is counted where codecs count it; a schema may also be a long chain of types.
        if (!RuntimeHelpers.TryEnsureSufficientExecutionStack()) Throw.StackTooShort();
        if (map.Stored.IsRecursive) reader.Enter();
        if (map.IsIdentical) CopyBody(map, ref reader, ref writer);
        else MapBody(map, ref reader, ref writer);
        if (map.Stored.IsRecursive) reader.Leave();
    }

    private static void CopyBody(ObjectMap map, ref NinoReader reader, ref NinoWriter writer)
    {
        Stretch copied = new(ref reader);
        map.Skip.Skip(ref reader);
        writer.WriteBytes(copied.To(in reader));
    }

    private static void MapBody(ObjectMap map, ref NinoReader reader, ref NinoWriter writer)
    {
        NinoReader prefix = reader;
        ReadOnlySpan<byte> source = reader.TakeSpan(map.StoredPrefix);
        if (map.Prefix is { } plan) plan.Run(source, TakeSpan(ref writer, plan.TargetSize));
        if (map.Lookup.Length > 0)
        {
            MapLookedUp(map, prefix, ref reader, ref writer);
            return;
        }

        foreach (ref readonly BodyStep step in map.Steps.AsSpan())
        {
            switch (step.Op)
            {
                case BodyOp.Copy:
                    Stretch copied = new(ref reader);
                    foreach (SkipNode skip in step.Skips!) skip.Skip(ref reader);
                    writer.WriteBytes(copied.To(in reader));
                    break;
                case BodyOp.Map:
                    Value(step.Value!, ref reader, ref writer);
                    break;
                case BodyOp.Drop:
                    RecordWalker.Skip(ref reader, step.Node!);
                    break;
                default:
                    FromPrefix(in step, prefix, ref writer);
                    break;
            }
        }
    }

    private static void FromPrefix(ref readonly BodyStep step, NinoReader prefix, ref NinoWriter writer)
    {
        if (step.Op == BodyOp.Constant)
        {
            writer.WriteBytes(step.Bytes);
            return;
        }

        prefix.Take(step.Place);
        Value(step.Value!, ref prefix, ref writer);
    }

    private static void MapLookedUp(ObjectMap map, NinoReader prefix, ref NinoReader reader, ref NinoWriter writer)
    {
        const int MaxOnStack = 64;
        int[]? rented = map.Lookup.Length >= MaxOnStack ? ArrayPool<int>.Shared.Rent(map.Lookup.Length + 1) : null;
        try
        {
            Span<int> places = rented ?? stackalloc int[MaxOnStack];
            NinoReader start = reader;
            for (int i = 0; i < map.Lookup.Length; i++)
            {
                places[i] = reader.Position - start.Position;
                (SkipNode skip, bool isDropped) = map.Lookup[i];
                if (isDropped) RecordWalker.Skip(ref reader, skip.Schema);
                else skip.Skip(ref reader);
            }

            places[map.Lookup.Length] = reader.Position - start.Position;
            foreach (ref readonly BodyStep step in map.Steps.AsSpan())
            {
                if (step.Op != BodyOp.MapFound)
                {
                    FromPrefix(in step, prefix, ref writer);
                    continue;
                }

                NinoReader field = start;
                field.Take(places[step.Place]);
                if (step.Value!.IsIdentical) writer.WriteBytes(field.TakeSpan(places[step.Place + 1] - places[step.Place]));
                else Value(step.Value, ref field, ref writer);
            }
        }
        finally
        {
            if (rented is not null) ArrayPool<int>.Shared.Return(rented);
        }
    }

    // ---- Collections

    private static void List(ValueMap element, ref NinoReader reader, ref NinoWriter writer)
    {
        if (!ReadCount(element.Stored, ref reader, out uint count, out bool hasNulls, out KnownComparer comparer))
        {
            writer.WriteCompact(0);
            return;
        }

        WriteComparer(comparer, element.Own, ref writer);
        bool storedIsClass = element.Stored.HasPresenceByte, ownIsClass = element.Own.HasPresenceByte;
        if (ownIsClass)
        {
            bool writesNulls = storedIsClass ? hasNulls : (element.StoredIsOptional || element.Union is not null) && AnyAbsent(element, reader, count);
            WriteCount(((ulong)count << 1) | (writesNulls ? 1u : 0u), ref writer);
            Classes(element, count, hasNulls, writesNulls, ref reader, ref writer);
            return;
        }

        WriteCount(count, ref writer);
        if (storedIsClass) Structs(element, count, hasNulls, ref reader, ref writer);
        else if (element.Fixed is { } plan) FixedElements(plan, count, ref reader, ref writer);
        else for (uint i = 0; i < count; i++) Value(element, ref reader, ref writer);
    }

    /// <summary>Elements that become objects of a reference type: bare bodies unless some are null.</summary>
    private static void Classes(ValueMap element, uint count, bool hasNulls, bool writesNulls, ref NinoReader reader, ref NinoWriter writer)
    {
        bool readsPresence = element.Stored.HasPresenceByte ? hasNulls : element.StoredIsOptional, anyNull = false;
        for (uint i = 0; i < count; i++)
        {
            if (element.Union is { } union)
            {
                anyNull |= FromUnion(element, union, writesNulls, ref reader, ref writer);
                continue;
            }

            bool isPresent = !readsPresence || reader.ReadPresence();
            if (writesNulls) writer.Take(1) = isPresent ? (byte)1 : (byte)0;
            if (isPresent) Body(element.Object!, ref reader, ref writer);
            else if (reader.TakeSpan(element.StoredAbsentBytes).ContainsAnyExcept((byte)0)) Throw.BadAbsentValue(0);
            anyNull |= !isPresent;
        }

        if (writesNulls && !anyNull) Throw.NoNullElement();
    }

    /// <summary>One element of a union that becomes an object. True when it is null.</summary>
    private static bool FromUnion(ValueMap element, UnionMap union, bool writesNulls, ref NinoReader reader, ref NinoWriter writer)
    {
        uint tag = UnionMap.ReadTag(union.Stored!, ref reader, out bool isNull);
        if (writesNulls) writer.Take(1) = isNull ? (byte)0 : (byte)1;
        if (isNull) return true;
        CaseMap one = union.Find(tag);
        if (one.Body is null) throw new NinoSerializationException($"A stored element is a '{one.Stored.Name}', which '{element.Own.Definition!.Name}' cannot hold now.");
        CaseBody(union, one, ref reader, ref writer);
        return false;
    }

    /// <summary>Objects of a reference type that become values.</summary>
    private static void Structs(ValueMap element, uint count, bool hasNulls, ref NinoReader reader, ref NinoWriter writer)
    {
        bool anyNull = false;
        for (uint i = 0; i < count; i++)
        {
            if (!hasNulls || reader.ReadPresence())
            {
                Present(element, ref reader, ref writer);
                continue;
            }

            anyNull = true;
            Zero(element, ref writer);
        }

        if (hasNulls && !anyNull) Throw.NoNullElement();
    }

    private static void FixedElements(FixedPlan plan, uint count, ref NinoReader reader, ref NinoWriter writer)
    {
        // The count was checked against the bytes left.
        int left = (int)count, chunkElements = Math.Max(ChunkBytes / plan.TargetSize, 1);
        FixedStep? only = plan.OnlyConversion;
        while (left > 0)
        {
            int chunk = Math.Min(left, chunkElements);
            ReadOnlySpan<byte> source = reader.TakeSpan(chunk * plan.SourceSize);
            Span<byte> target = TakeSpan(ref writer, chunk * plan.TargetSize);
            left -= chunk;
            if (only is { } step && ScalarConversions.TryWidenRun(step.From, source, step.To, target)) continue;
            for (int i = 0; i < chunk; i++) plan.Run(source.Slice(i * plan.SourceSize, plan.SourceSize), target.Slice(i * plan.TargetSize, plan.TargetSize));
        }
    }

    private static void Pairs(ValueMap map, ref NinoReader reader, ref NinoWriter writer)
    {
        ValueMap key = map.Key!, element = map.Element!;
        int count = reader.ReadCount(SchemaShape.MinSizeOf(key.Stored) + SchemaShape.MinSizeOf(element.Stored), out KnownComparer comparer);
        if (comparer != KnownComparer.Default) RecordWalker.CheckComparer(key.Stored);
        if (count >= 0) WriteComparer(comparer, key.Own, ref writer);
        WriteCompactCount(count, ref writer);
        for (int i = 0; i < count; i++)
        {
            Value(key, ref reader, ref writer);
            Value(element, ref reader, ref writer);
        }
    }

    // ---- A value and a list of it

    private static void Wrap(ValueMap element, ref NinoReader reader, ref NinoWriter writer)
    {
        NinoReader start = reader;
        bool isPresent = element.Stored.Kind switch
        {
            SchemaKind.Object when element.Stored.Definition is ObjectDefinition { KeepsReferences: true } => reader.ReadCompact() != 0,
            SchemaKind.Nullable or SchemaKind.Object => !element.StoredIsOptional || reader.ReadPresence(),
            SchemaKind.Union => !IsNullUnion((UnionDefinition)element.Stored.Definition!, ref reader),
            SchemaKind.String => reader.ReadCompact() != 0,
            _ => true,
        };
        if (!isPresent)
        {
            if (reader.TakeSpan(element.StoredAbsentBytes).ContainsAnyExcept((byte)0)) Throw.BadAbsentValue(0);
            writer.WriteCompact(1);
            return;
        }

        reader = start;
        // One element: of a class ((1 << 1) | 0) + 1 and the bare body, else 1 + 1 and the value.
        if (!element.Own.HasPresenceByte)
        {
            writer.WriteCompact(2);
            Value(element, ref reader, ref writer);
            return;
        }

        writer.WriteCompact(3);
        if (element.Union is { } union)
        {
            FromUnion(element, union, writesNulls: false, ref reader, ref writer);
            return;
        }

        if (element.StoredIsOptional) reader.ReadPresence();
        Body(element.Object!, ref reader, ref writer);
    }

    private static bool IsNullUnion(UnionDefinition union, ref NinoReader reader)
    {
        if (union.KeepsReferences) return reader.ReadCompact() == 0;
        UnionMap.ReadTag(union, ref reader, out bool isNull);
        return isNull;
    }

    private static void Unwrap(ValueMap map, ref NinoReader reader, ref NinoWriter writer)
    {
        ValueMap element = map.Element!;
        if (!ReadCount(element.Stored, ref reader, out uint count, out bool hasNulls, out _) || count == 0)
        {
            Zero(map, ref writer);
            return;
        }

        if (count > 1) throw new NinoSerializationException($"A stored list has {count} elements, and the member holds one value now. Keep a collection for such records.");
        if (!element.Stored.HasPresenceByte)
        {
            Value(element, ref reader, ref writer);
        }
        else if (!hasNulls)
        {
            Present(element, ref reader, ref writer);
        }
        else
        {
            if (reader.ReadPresence()) Throw.NoNullElement();
            Zero(element, ref writer);
        }
    }

    // ---- Parts

    /// <summary>Reads the header of a list and checks that the bytes left can hold the elements. False: null.</summary>
    private static bool ReadCount(SchemaNode element, ref NinoReader reader, out uint count, out bool hasNulls, out KnownComparer comparer)
    {
        hasNulls = false;
        count = 0;
        uint header = reader.ReadHeader(out comparer);
        if (header == 0) return false;
        if (comparer != KnownComparer.Default) RecordWalker.CheckComparer(element);
        count = header - 1;
        int minSize = SchemaShape.MinSizeOf(element);
        if (element.HasPresenceByte)
        {
            hasNulls = (count & 1) != 0;
            count >>= 1;
            if (!hasNulls) minSize = ((ObjectDefinition)element.Definition!).MinBodySize;
            else if (count == 0) Throw.NoNullElement();
        }

        reader.CheckCount(count, minSize);
        return true;
    }

    /// <summary>The mark of a comparer goes along where there are still strings to compare.</summary>
    private static void WriteComparer(KnownComparer comparer, SchemaNode compared, ref NinoWriter writer)
    {
        if (compared.Kind is SchemaKind.String or SchemaKind.Utf8String) writer.WriteComparer(comparer);
    }

    private static bool AnyAbsent(ValueMap element, NinoReader reader, uint count)
    {
        for (uint i = 0; i < count; i++)
        {
            NinoReader start = reader;
            bool isAbsent;
            if (element.Union is { } union) UnionMap.ReadTag(union.Stored!, ref start, out isAbsent);
            else isAbsent = !start.ReadPresence();
            if (isAbsent) return true;
            element.Skip.Skip(ref reader);
        }

        return false;
    }

    private static void WriteCompactCount(int count, ref NinoWriter writer)
    {
        if (count < 0) writer.WriteCompact(0);
        else WriteCount((uint)count, ref writer);
    }

    private static void WriteCount(ulong number, ref NinoWriter writer)
    {
        if (number >= uint.MaxValue) throw new NinoSerializationException($"A stored list of {number} elements is too long for what its elements are now.");
        writer.WriteCompact((uint)number + 1);
    }

    private static Span<byte> TakeSpan(ref NinoWriter writer, int size) => MemoryMarshal.CreateSpan(ref writer.Take(size), size);

    /// <summary>Where a value begins that is moved over and then copied. A copy of the reader would do, at several times the cost. Bound: what is behind the place was taken from the same reader since.</summary>
    private readonly ref struct Stretch(ref NinoReader reader)
    {
        private readonly ref readonly byte _start = ref reader.Take(0);
        private readonly int _position = reader.Position;

        public ReadOnlySpan<byte> To(ref readonly NinoReader end) => MemoryMarshal.CreateReadOnlySpan(in _start, end.Position - _position);
    }
}
