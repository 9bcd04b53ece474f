using Store.Serialization;

namespace Store.Log;

/// <summary>A schema's number in this log, and the last segment that declares it.</summary>
internal sealed class SchemaSlot(int id, NinoSchema schema)
{
    public int Id { get; } = id;

    public NinoSchema Schema { get; } = schema;

    public long DeclaredInSegment { get; set; }
}

/// <summary>
/// Numbers for the schemas of a log. A number keeps its meaning as long as the log is open; every segment declares the ones it uses. Called under
/// the log's gate.
/// </summary>
internal sealed class SchemaTable
{
    private readonly Dictionary<NinoSchema, SchemaSlot> _byInstance = new(ReferenceEqualityComparer.Instance);
    private readonly Dictionary<(string Name, ulong Fingerprint, int Length), SchemaSlot> _byContent = [];
    private SchemaSlot? _last;
    private int _nextId = 1;

    /// <summary>Takes over the schemas that the last segment already declares.</summary>
    public void Load(IReadOnlyDictionary<int, NinoSchema> declared, long segmentNumber)
    {
        foreach ((int id, NinoSchema schema) in declared)
        {
            var slot = new SchemaSlot(id, schema) { DeclaredInSegment = segmentNumber };
            _byContent[Key(schema)] = slot;
            _nextId = Math.Max(_nextId, id + 1);
        }
    }

    /// <summary>The slot of a schema, new when it was never used.</summary>
    public SchemaSlot Get(NinoSchema schema)
    {
        if (_last is { } last && ReferenceEquals(last.Schema, schema)) return last;
        if (_byInstance.TryGetValue(schema, out SchemaSlot? slot)) return _last = slot;
        if (!_byContent.TryGetValue(Key(schema), out SchemaSlot? known))
        {
            if (_nextId > ushort.MaxValue) throw new StoreException($"The log already has {ushort.MaxValue} schemas; no more can be numbered. Open a new store.");
            slot = new SchemaSlot(_nextId++, schema);
            _byContent.Add(Key(schema), slot);
        }
        else
        {
            // The same schema read from a file is another instance: give this one the same number.
            slot = new SchemaSlot(known.Id, schema) { DeclaredInSegment = known.DeclaredInSegment };
            _byContent[Key(schema)] = slot;
        }

        _byInstance.Add(schema, slot);
        return _last = slot;
    }

    // Canonical bytes differ where only display names of enum members do; their length tells most such schemas apart so that inspect sees both.
    private static (string, ulong, int) Key(NinoSchema schema) => (schema.Name, schema.Fingerprint, schema.CanonicalBytes.Length);
}
