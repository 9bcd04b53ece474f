// What does a change look like in the log? A record of an object named "KeyValue:<name>", described by its own schema, so that inspect shows keys and values
// without the program:
//
//   Operation  1 byte   enum KeyValue.Operation: Put = 1, Delete = 2
//   Key        …        the key, encoded as a field of its type
//   Value      …        the value, encoded as a field of its type that may be absent; absent in a Delete
//
// The bytes of a key's and a value's own record are contiguous parts of it (a class only gets its presence byte in front), so one buffer serves the log and the engine.
// Format page: docs/formats/key-value-checkpoint.md, "change records".

using System.Buffers;
using Store.Reading;
using Store.Serialization;

namespace Store.KeyValue.Changes;

/// <summary>What a change does.</summary>
internal enum ChangeOperation : byte
{
    Put = 1,
    Delete = 2,
}

/// <summary>Where the parts of a change record are in it. The value goes to its end; a deletion has none, and ends with the key as far as an engine is concerned.</summary>
internal readonly record struct ChangeParts(ChangeOperation Operation, int KeyStart, int KeyEnd, int ValueStart);

/// <summary>The parts of a change record; spans into it.</summary>
internal readonly ref struct Change(ChangeOperation operation, ReadOnlySpan<byte> key, ReadOnlySpan<byte> value)
{
    public ChangeOperation Operation { get; } = operation;

    public ReadOnlySpan<byte> Key { get; } = key;

    /// <summary>Empty in a deletion.</summary>
    public ReadOnlySpan<byte> Value { get; } = value;
}

/// <summary>The schema of the changes of one keyed state, and how a change is taken apart. Safe for any number of threads, but for <see cref="MapperFrom"/>, which opening calls.</summary>
internal abstract class ChangeFormat
{
    private readonly Dictionary<ulong, NinoRecordMapper> _mappers = [];

    protected ChangeFormat(string name, NinoSchema keySchema, NinoSchema valueSchema)
    {
        // A change is one record with one numbering of the objects in it; the value's bytes, which the engine keeps alone, begin a numbering of their own.
        if (keySchema.Definitions.Any(static definition => definition is ObjectDefinition { KeepsReferences: true } or UnionDefinition { KeepsReferences: true }))
            throw new NotSupportedException($"The keyed state '{name}' cannot have keys of '{Text(keySchema.Root)}': it keeps references, and keys are told apart by their bytes. Use a key without references.");
        Name = name;
        KeySchema = keySchema;
        ValueSchema = valueSchema;
        Schema = Describe(SchemaName(name), keySchema.Root, valueSchema.Root);
        KeyHasPresenceByte = keySchema.Root.HasPresenceByte;
        ValueHasPresenceByte = valueSchema.Root.HasPresenceByte || NeedsNullable(valueSchema.Root);
    }

    /// <summary>Name of the keyed state.</summary>
    public string Name { get; }

    /// <summary>Schema of the change records.</summary>
    public NinoSchema Schema { get; }

    public NinoSchema KeySchema { get; }

    public NinoSchema ValueSchema { get; }

    protected bool KeyHasPresenceByte { get; }

    protected bool ValueHasPresenceByte { get; }

    /// <summary>Name by which the changes of a keyed state are found in the log.</summary>
    public static string SchemaName(string name) => "KeyValue:" + name;

    /// <summary>Takes a record apart.</summary>
    /// <inheritdoc cref="Locate"/>
    public Change Parse(ReadOnlySpan<byte> record) => Take(record, Locate(record));

    /// <summary>The parts of a record, where they are known.</summary>
    public static Change Take(ReadOnlySpan<byte> record, ChangeParts parts) =>
        new(parts.Operation, record[parts.KeyStart..parts.KeyEnd], parts.Operation == ChangeOperation.Put ? record[parts.ValueStart..] : []);

    /// <summary>Tells where the parts of a record are.</summary>
    /// <param name="record">A change as the program writes it.</param>
    /// <param name="wasMapped">It was stored in another shape: then a deletion may have something in the place of the value.</param>
    /// <exception cref="NinoSerializationException">The bytes are no change of this state.</exception>
    public abstract ChangeParts Locate(ReadOnlySpan<byte> record, bool wasMapped = false);

    /// <summary>A change as it lies in the log, in the shape of the program's types.</summary>
    /// <param name="record">Its record.</param>
    /// <param name="mapped">Takes what is rewritten; what it held is gone.</param>
    /// <param name="parts">Where the parts are.</param>
    /// <returns>The bytes of the change: the record's own, or what it was rewritten to.</returns>
    /// <exception cref="SchemaMismatchException">It cannot be read as the program's, or its value is null now.</exception>
    /// <exception cref="NinoSerializationException">It is damaged, or holds what the types have no place for.</exception>
    public ReadOnlyMemory<byte> Read(in LogRecord record, ArrayBufferWriter<byte> mapped, out ChangeParts parts)
    {
        NinoRecordMapper? mapper = MapperFrom(record.Schema, record.Sequence);
        ReadOnlyMemory<byte> change = record.Payload;
        try
        {
            if (mapper is not null)
            {
                mapped.ResetWrittenCount();
                mapper.Map(change.Span, mapped, StoredLimits.Default);
                change = mapped.WrittenMemory;
            }

            parts = Locate(change.Span, wasMapped: mapper is not null);
            return change;
        }
        catch (SchemaMismatchException e)
        {
            throw new SchemaMismatchException($"Record {record.Sequence} of the log: {e.Message}", null, e);
        }
        catch (NinoSerializationException e)
        {
            throw LogRecord.At(record.Sequence, e);
        }
    }

    /// <summary>How changes stored under a schema are read: null when they are encoded as the program's are.</summary>
    /// <exception cref="SchemaMismatchException">They cannot be read as the program's.</exception>
    public NinoRecordMapper? MapperFrom(NinoSchema stored, long sequence)
    {
        if (ReferenceEquals(stored, Schema) || stored.Fingerprint == Schema.Fingerprint) return null;
        if (_mappers.TryGetValue(stored.Fingerprint, out NinoRecordMapper? known)) return known.IsIdentical ? null : known;
        string where = $"record {sequence} of the log";
        if (stored.Root.Definition is not ObjectDefinition { Fields: { } fields }) throw Mismatch("nothing", "nothing", where, $"Its record is no change, but a '{stored.Root.Kind}' of the name of one.");
        string key = fields.Count > 1 ? Text(fields[1].Node) : "nothing", value = fields.Count > 2 ? Text(fields[2].Node) : "nothing";
        if (fields.Count > 1 && !KeysStayApart(fields[1].Node)) throw Mismatch(key, value, where, "Keys keep their identity only where their encoding stays, or where they are scalars that change their width.");
        try
        {
            NinoRecordMapper mapper = NinoRecordMapper.Create(stored, Schema);
            _mappers.Add(stored.Fingerprint, mapper);
            return mapper.IsIdentical ? null : mapper;
        }
        catch (NinoSchemaMismatchException e)
        {
            throw Mismatch(key, value, where, e.Message, e);
        }
    }

    /// <summary>True when keys and values that a checkpoint holds are encoded as the program's are; false when only their changes in the log can be read as the program's.</summary>
    /// <exception cref="SchemaMismatchException">They cannot be read as the program's.</exception>
    public bool IsEncodedAlike(NinoSchema key, NinoSchema value, string file)
    {
        if (key.Fingerprint == KeySchema.Fingerprint && value.Fingerprint == ValueSchema.Fingerprint) return true;
        string storedKey = Text(key.Root), storedValue = Text(value.Root), where = $"'{file}'";
        if (!KeysStayApart(key.Root)) throw Mismatch(storedKey, storedValue, where, "Keys keep their identity only where their encoding stays, or where they are scalars that change their width.");
        try
        {
            return NinoRecordMapper.Create(key, KeySchema).IsIdentical && NinoRecordMapper.Create(value, ValueSchema).IsIdentical;
        }
        catch (NinoSchemaMismatchException e)
        {
            throw Mismatch(storedKey, storedValue, where, e.Message, e);
        }
    }

    /// <summary>Two keys that were different must not become one: a key that loses a member could, and so could one of several types of which one does, or a list that becomes a single value. Only scalars become others one to one.</summary>
    private bool KeysStayApart(SchemaNode stored)
    {
        if (stored.Definition is null or EnumDefinition && stored.Kind is not (SchemaKind.List or SchemaKind.Map or SchemaKind.Nullable)) return true;
        try
        {
            return NinoRecordMapper.Create(NinoSchema.Create(stored), KeySchema).KeepsApart;
        }
        catch (NinoSchemaMismatchException)
        {
            // The same again with the words of the whole record comes from whoever asked. But a key is a member there, and as a member a list may become a single value: of several lists the same one.
            return stored.Kind == KeySchema.Root.Kind;
        }
    }

    private static bool NeedsNullable(SchemaNode value) => !value.HasNull;

    private static NinoSchema Describe(string name, SchemaNode key, SchemaNode value)
    {
        var builder = new SchemaBuilder();
        SchemaNode operation = builder.Enum(typeof(ChangeOperation), "KeyValue.Operation", SchemaKind.Byte, isFlags: false, [new("Put", (long)ChangeOperation.Put), new("Delete", (long)ChangeOperation.Delete)]);
        SchemaNode root = builder.Object(typeof(Change), name, isReference: false, fields =>
        {
            fields.Add("Operation", 0, operation);
            fields.Add("Key", 0, key);
            fields.Add("Value", 0, NeedsNullable(value) ? SchemaNode.Nullable(value) : value);
        });
        return NinoSchema.Create(root);
    }

    internal static string Text(SchemaNode node) => node.Definition?.Name ?? node.Kind switch
    {
        SchemaKind.Nullable => Text(node.Element!) + "?",
        SchemaKind.List => $"list of {Text(node.Element!)}",
        SchemaKind.Map => $"map from {Text(node.Key!)} to {Text(node.Element!)}",
        _ => node.Kind.ToString(),
    };

    private SchemaMismatchException Mismatch(string storedKey, string storedValue, string where, string reason, Exception? cause = null) =>
        new($"The keyed state '{Name}' holds keys of '{storedKey}' and values of '{storedValue}' in {where}; the program has keys of '{Text(KeySchema.Root)}' and values of '{Text(ValueSchema.Root)}'"
            + $" of another shape. {reason} Open it with the types it was written with, copy it into a keyed state of another name, and use that.", null, cause);
}
