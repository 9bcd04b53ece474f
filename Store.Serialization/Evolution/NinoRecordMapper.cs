// Rewrites a record of a stored schema as a record of the program's schema; the program's own codec then reads that. So there is one place that knows
// what older records look like, and generated code knows only one layout. Rules: docs/evolution.md.
//
// Trusts no byte: every one is taken through NinoReader; what is copied is checked by the codec that reads the copy, what is left out is checked here.

using System.Buffers;
using Store.Serialization.Evolution;

namespace Store.Serialization;

/// <summary>
/// Rewrites records of one schema as records of another (docs/evolution.md): the plan is built once from the two schemas. Reading does this by itself; it is of
/// use to who keeps records as bytes. Immutable; safe for any number of threads.
/// </summary>
public sealed class NinoRecordMapper
{
    private readonly ValueMap _root;
    private readonly Lazy<DirectSteps?> _direct;
    private FlatPlan? _flat;

    private NinoRecordMapper(NinoSchema stored, NinoSchema own, ValueMap root, long members)
    {
        Members = members;
        Stored = stored;
        Own = own;
        _root = root;
        _direct = new(() => DirectBuilder.Of(root));
        IsIdentical = root.Union is null && (root.Stored.HasPresenceByte || root.Own.HasPresenceByte) ? root.Object is { IsIdentical: true } : root.IsIdentical;
    }

    /// <summary>The schema of the records that are read.</summary>
    public NinoSchema Stored { get; }

    /// <summary>The schema of the records that are written.</summary>
    public NinoSchema Own { get; }

    /// <summary>The records of both are encoded alike, only names differ: there is nothing to rewrite.</summary>
    public bool IsIdentical { get; }

    /// <summary>How many members the types in the plan have together.</summary>
    internal long Members { get; }

    /// <summary>Records that differ still do when they are rewritten: nothing but the tags of the root's cases changes, and those remain different.</summary>
    internal bool KeepsApart => IsIdentical || _root.Union is { KeepsApart: true };

    /// <summary>Works out how records of one schema are read as another.</summary>
    /// <exception cref="NinoSchemaMismatchException">They cannot be.</exception>
    public static NinoRecordMapper Create(NinoSchema stored, NinoSchema own)
    {
        ArgumentNullException.ThrowIfNull(stored);
        ArgumentNullException.ThrowIfNull(own);
        return new(stored, own, MapBuilder.Build(stored, own, out long members), members);
    }

    /// <summary>Rewrites one record and returns the length in bytes of what was written. After an exception the buffer writer may hold part of it.</summary>
    /// <param name="record">The stored record, all of it. What is copied as it is was not checked: that does who reads the result.</param>
    /// <param name="output">Where the record of the own schema goes.</param>
    /// <param name="limits">Bounds for both records.</param>
    /// <exception cref="NinoSerializationException">The bytes are no record of the stored schema, a value does not fit, or a limit is exceeded: with member path and byte offset.</exception>
    public long Map(ReadOnlySpan<byte> record, IBufferWriter<byte> output, NinoLimits? limits = null)
    {
        ArgumentNullException.ThrowIfNull(output);
        var reader = new NinoReader(record, limits, Stored);
        NinoWriter writer = WriterFor(record, output, limits);
        try
        {
            Map(ref reader, ref writer);
        }
        catch (NinoSerializationException error)
        {
            throw Failed(error, record, reader.Position, limits);
        }

        writer.Flush();
        return writer.BytesWritten;
    }

    /// <summary>A writer for what a stored record becomes: no longer than <see cref="NinoLimits.MaxGrowth"/> allows.</summary>
    internal static NinoWriter WriterFor(ReadOnlySpan<byte> record, IBufferWriter<byte> output, NinoLimits? limits)
    {
        limits ??= NinoLimits.Default;
        return new NinoWriter(output, limits, limits.MostGrown(record.Length));
    }

    /// <summary>What is wrong with a record that could not be rewritten, with its place.</summary>
    internal NinoSerializationException Failed(NinoSerializationException error, ReadOnlySpan<byte> record, int position, NinoLimits? limits)
    {
        limits ??= NinoLimits.Default;
        int most = limits.MostGrown(record.Length);
        if (!error.IsTooLarge || most == limits.MaxRecordBytes) return RecordErrors.Locate(error, Stored, record, position, limits);
        error.Stopped(position);
        return RecordErrors.Locate(Throw.GrownTooMuch(record.Length, most, limits.MaxGrowth), Stored, record, error.ReadTo, limits);
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
        else MapValues.Value(_root, ref reader, ref writer);
        if (reader.Remaining != 0) Throw.TrailingBytes(reader.Remaining);
        writer.EndRecord();
    }

    /// <summary>What becomes of records, or of the elements of records that are lists, of which only the members of a fixed width change: behind them are strings, which stay as they are. <see cref="FlatPlan.None"/> for others.</summary>
    internal FlatPlan Flat => _flat ?? FindFlat();

    /// <summary>Records have a direct way.</summary>
    internal bool HasDirectWay => _direct.Value is not null;

    /// <summary>
    /// Rewrites one record into an empty buffer on the direct way (DirectSteps.cs). False: there is none, or something is wrong with the record; then <see cref="Map(ref NinoReader, ref NinoWriter)"/> is asked, which tells
    /// what. True: the buffer holds what that would write, or a record that the type's codec refuses.
    /// </summary>
    internal bool TryMapDirect(ReadOnlySpan<byte> record, ContiguousBuffer buffer, NinoLimits? limits)
    {
        limits ??= NinoLimits.Default;
        if (record.Length > limits.MaxRecordBytes || _direct.Value is not { } steps) return false;
        try
        {
            var cursor = new DirectCursor(record, buffer, limits, limits.MostGrown(record.Length));
            steps.Run(ref cursor, 1);
            if (cursor.Position != record.Length || cursor.Used > cursor.MaxBytes) return false;
            buffer.SetUsed(cursor.Used);
            return true;
        }
        catch (NinoSerializationException)
        {
            // Told once more, by the plan, with its place.
            return false;
        }
    }

    // Immutable, so it is no harm when two threads make one each.
    private FlatPlan FindFlat()
    {
        DirectSteps? steps = _direct.Value;
        if (steps?.Elements is { } elements) steps = elements;
        return _flat = steps is { Texts: >= 0 } ? new FlatPlan(steps.Prefix, steps.StoredPrefix, steps.Texts) : FlatPlan.None;
    }

    private void Root(ObjectMap body, ref NinoReader reader, ref NinoWriter writer)
    {
        // A nullable struct, which a root may be, against a class: the nullable keeps its presence byte.
        if (_root.Stored.Kind == SchemaKind.Nullable && !reader.ReadPresence()) throw new NinoSerializationException("A stored record is null, and the type cannot be.") { IsUnfit = true };
        if (_root.Own.Kind == SchemaKind.Nullable) writer.Take(1) = 1;
        MapBodies.Body(body, ref reader, ref writer);
    }

    /// <summary>A root of a reference type is a bare body, one of a union or with references is a value.</summary>
    private void UnionRoot(UnionMap union, ref NinoReader reader, ref NinoWriter writer)
    {
        if (_root.Stored.HasPresenceByte)
        {
            MapUnions.WriteCase(union, union.Only!, _root.Own, ref reader, ref writer);
        }
        else if (_root.Own.HasPresenceByte)
        {
            uint tag = UnionMap.ReadTag(union.Stored!, ref reader, out bool isNull);
            if (isNull) throw new NinoSerializationException("A stored record is null, and the type cannot be.") { IsUnfit = true };
            CaseMap one = union.Find(tag);
            if (one.Body is null) throw one.Refused("record", Own.Name);
            MapUnions.CaseBody(union, one, ref reader, ref writer);
        }
        else
        {
            if (union is { Stored: { KeepsReferences: false } stored, Own.SkipsUnknown: true }) RefuseSkipped(union, stored, reader);
            MapValues.Value(_root, ref reader, ref writer);
        }
    }

    /// <summary>A case that is none now is null inside of a record. A record has nothing to be instead.</summary>
    private static void RefuseSkipped(UnionMap union, UnionDefinition stored, NinoReader ahead)
    {
        uint tag = UnionMap.ReadTag(stored, ref ahead, out bool isNull);
        if (isNull || union.Find(tag) is not { Body: null, HoldsReferences: false, NewTag: null } one) return;
        throw new NinoSerializationException($"The stored record is a '{one.Stored.Name}', which is no case of '{union.Own!.Name}' now. Unknown cases are skipped inside of records, and this is a record of its own, which cannot be null. Keep that type, or give the case that it is {FieldMatch.FormerNameMark(one.Stored.Name)}.") { IsUnfit = true };
    }
}
