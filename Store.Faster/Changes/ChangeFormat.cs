// What does a change look like in the log? A record of an object named "KeyValue:<name>", described by its own schema, so that inspect shows keys and values
// without the program:
//
//   Operation  1 byte   enum KeyValue.Operation: Put = 1, Delete = 2
//   Key        …        the key, encoded as a field of its type
//   Value      …        the value, encoded as a field of its type that may be absent; absent in a Delete
//
// The bytes of a key's and a value's own record are contiguous parts of it (a class only gets its presence byte in front), so one buffer serves the log and the engine.
// Format page: docs/formats/key-value-checkpoint.md, "change records".

using Store.Serialization;

namespace Store.Faster.Changes;

/// <summary>What a change does.</summary>
internal enum ChangeOperation : byte
{
    Put = 1,
    Delete = 2,
}

/// <summary>The parts of a change record; spans into it.</summary>
internal readonly ref struct Change(ChangeOperation operation, ReadOnlySpan<byte> key, ReadOnlySpan<byte> value)
{
    public ChangeOperation Operation { get; } = operation;

    public ReadOnlySpan<byte> Key { get; } = key;

    /// <summary>Empty in a deletion.</summary>
    public ReadOnlySpan<byte> Value { get; } = value;
}

/// <summary>The schema of the changes of one keyed state, and how a change is taken apart. Immutable; safe for any number of threads.</summary>
internal abstract class ChangeFormat
{
    protected ChangeFormat(string name, NinoSchema keySchema, NinoSchema valueSchema)
    {
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
    /// <exception cref="NinoSerializationException">The bytes are no change of this state.</exception>
    public abstract Change Parse(ReadOnlySpan<byte> record);

    /// <summary>Fails unless stored changes have the shape that the program's types have now.</summary>
    /// <exception cref="SchemaMismatchException">They have not.</exception>
    public void CheckStored(NinoSchema stored, long sequence)
    {
        if (ReferenceEquals(stored, Schema) || stored.Fingerprint == Schema.Fingerprint) return;
        IReadOnlyList<SchemaField> fields = ((ObjectDefinition)stored.Root.Definition!).Fields;
        throw Mismatch(fields.Count > 1 ? Text(fields[1].Node) : "nothing", fields.Count > 2 ? Text(fields[2].Node) : "nothing", $"record {sequence} of the log");
    }

    /// <inheritdoc cref="CheckStored(NinoSchema, long)"/>
    public void CheckStored(NinoSchema key, NinoSchema value, string file)
    {
        if (key.Fingerprint != KeySchema.Fingerprint || value.Fingerprint != ValueSchema.Fingerprint) throw Mismatch(Text(key.Root), Text(value.Root), $"'{file}'");
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

    private static string Text(SchemaNode node) => node.Definition?.Name ?? node.Kind switch
    {
        SchemaKind.Nullable => Text(node.Element!) + "?",
        SchemaKind.List => $"list of {Text(node.Element!)}",
        SchemaKind.Map => $"map from {Text(node.Key!)} to {Text(node.Element!)}",
        _ => node.Kind.ToString(),
    };

    private SchemaMismatchException Mismatch(string storedKey, string storedValue, string where) =>
        new($"The keyed state '{Name}' holds keys of '{storedKey}' and values of '{storedValue}' in {where}; the program has keys of '{Text(KeySchema.Root)}' and values of '{Text(ValueSchema.Root)}'"
            + " of another shape. Open it with the types it was written with, copy it into a keyed state of another name, and use that.");
}
