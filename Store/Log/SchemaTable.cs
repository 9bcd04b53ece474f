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
    // Instances are a short cut. Who parses a schema anew for each record must not make the table grow.
    private const int MaxInstances = 1024;

    private readonly Dictionary<NinoSchema, SchemaSlot> _byInstance = new(ReferenceEqualityComparer.Instance);
    private readonly Dictionary<NinoSchema, SchemaSlot> _byContent = new(new SameBytes());
    private NinoSchema? _lastSchema;
    private SchemaSlot? _last;
    private int _nextId = 1;

    /// <summary>Takes over the schemas that the last segment already declares.</summary>
    public void Load(IReadOnlyDictionary<int, NinoSchema> declared, long segmentNumber)
    {
        foreach ((int id, NinoSchema schema) in declared)
        {
            _byContent[schema] = new SchemaSlot(id, schema) { DeclaredInSegment = segmentNumber };
            _nextId = Math.Max(_nextId, id + 1);
        }
    }

    /// <summary>The slot of a schema, new when none with the same canonical bytes was ever used.</summary>
    public SchemaSlot Get(NinoSchema schema)
    {
        if (ReferenceEquals(_lastSchema, schema)) return _last!;
        if (!_byInstance.TryGetValue(schema, out SchemaSlot? slot))
        {
            if (!_byContent.TryGetValue(schema, out slot))
            {
                if (_nextId > ushort.MaxValue) throw new StoreException($"The log already has {ushort.MaxValue} schemas; no more can be numbered. Open a new store.");
                slot = new SchemaSlot(_nextId++, schema);
                _byContent.Add(schema, slot);
            }

            if (_byInstance.Count == MaxInstances) _byInstance.Clear();
            _byInstance.Add(schema, slot);
        }

        _lastSchema = schema;
        return _last = slot;
    }

    // Not the fingerprint: schemas that differ only in the names of enum members share it, and each is to be shown as it was.
    private sealed class SameBytes : IEqualityComparer<NinoSchema>
    {
        public bool Equals(NinoSchema? x, NinoSchema? y) => x!.CanonicalBytes.Span.SequenceEqual(y!.CanonicalBytes.Span);

        public int GetHashCode(NinoSchema schema) => schema.Fingerprint.GetHashCode();
    }
}
