using Store.Serialization;

namespace Store.Log;

/// <summary>A schema's number in this log, and the last segment that declares it.</summary>
internal sealed class SchemaSlot(int id, NinoSchema schema)
{
    public int Id { get; } = id;

    public NinoSchema Schema { get; } = schema;

    public long DeclaredInSegment { get; set; }

    /// <summary>Whose records they are; null when they are anybody's.</summary>
    public SchemaClaim? Claim { get; set; }
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
    private readonly Dictionary<NinoSchema, SchemaSlot> _byContent = new(SameSchema.Comparer);
    private readonly Dictionary<int, SchemaSlot> _byId = [];
    private readonly Dictionary<string, SchemaClaim> _claims = new(StringComparer.Ordinal);
    private NinoSchema? _lastSchema;
    private SchemaSlot? _last;
    private int _nextId = 1;

    /// <summary>Takes over the schemas that the last segment already declares.</summary>
    public void Load(IReadOnlyDictionary<int, NinoSchema> declared, long segmentNumber)
    {
        foreach ((int id, NinoSchema schema) in declared)
        {
            Add(new SchemaSlot(id, schema) { DeclaredInSegment = segmentNumber });
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
                slot = new SchemaSlot(FreeId(), schema);
                Add(slot);
            }

            if (_byInstance.Count == MaxInstances) _byInstance.Clear();
            _byInstance.Add(schema, slot);
        }

        _lastSchema = schema;
        return _last = slot;
    }

    /// <summary>The slot of a schema under a number that somebody else gave it; null when the number has another meaning here.</summary>
    public SchemaSlot? TryAdopt(int id, NinoSchema schema)
    {
        if (!_byId.TryGetValue(id, out SchemaSlot? slot)) Add(slot = new SchemaSlot(id, schema));
        return SameSchema.AreEqual(slot.Schema, schema) ? slot : null;
    }

    /// <summary>True when <see cref="TryAdopt"/> would give a slot.</summary>
    public bool CanAdopt(int id, NinoSchema schema) => !_byId.TryGetValue(id, out SchemaSlot? slot) || SameSchema.AreEqual(slot.Schema, schema);

    /// <summary>The claim on records of a name, or null.</summary>
    public SchemaClaim? ClaimOf(string name) => _claims.GetValueOrDefault(name);

    /// <summary>Gives all names of a claim to it, or takes them from it.</summary>
    public void SetClaim(SchemaClaim claim, bool isHeld)
    {
        foreach (string name in claim.Names)
        {
            if (isHeld) _claims.Add(name, claim);
            else if (ReferenceEquals(ClaimOf(name), claim)) _claims.Remove(name);
        }

        foreach (SchemaSlot slot in _byId.Values) slot.Claim = ClaimOf(slot.Schema.Name);
    }

    /// <summary>Forgets every number. Slots given before are not to be used any more. Only where a segment begins.</summary>
    public void Clear()
    {
        _byInstance.Clear();
        _byContent.Clear();
        _byId.Clear();
        (_last, _lastSchema, _nextId) = (null, null, 1);
    }

    private void Add(SchemaSlot slot)
    {
        slot.Claim = ClaimOf(slot.Schema.Name);
        _byContent[slot.Schema] = slot;
        _byId[slot.Id] = slot;
        _nextId = Math.Max(_nextId, slot.Id + 1);
    }

    // Numbers that came from elsewhere may have left holes.
    private int FreeId()
    {
        if (_nextId <= ushort.MaxValue) return _nextId;
        for (int id = 1; id <= ushort.MaxValue; id++)
        {
            if (!_byId.ContainsKey(id)) return id;
        }

        throw new StoreException($"{ushort.MaxValue} schemas were numbered since the store was opened, and no more can be. Close it and open it again: what its last segment does not use is forgotten then.");
    }
}
