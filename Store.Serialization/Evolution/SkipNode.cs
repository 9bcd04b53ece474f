// How far is it to the end of a value? Moves over values that are copied as they are: only what their length depends on is read, because the codec
// that reads the copy checks every bit. Values that nobody reads afterwards go through RecordWalker, which checks them itself.

using System.Runtime.CompilerServices;
using Store.Serialization.Codecs;

namespace Store.Serialization.Evolution;

/// <summary>A stored schema node with what moving over its values needs worked out. Immutable once its <see cref="SkipNodes"/> have finished.</summary>
internal sealed class SkipNode(SchemaNode schema)
{
    public SchemaNode Schema { get; } = schema;

    /// <summary>Bytes of every value, 0 where values differ.</summary>
    public int FixedSize { get; } = SchemaShape.FixedSizeOf(schema);

    /// <summary>Least bytes of a value.</summary>
    public int MinSize { get; } = SchemaShape.MinSizeOf(schema);

    /// <summary>What the length of a value depends on.</summary>
    public LengthForm Length { get; } = LengthOf(schema);

    /// <summary>Bytes of an element of a <see cref="LengthForm.Run"/>.</summary>
    public long RunBytes { get; } = FixedSizeOf(schema.Key) + FixedSizeOf(schema.Element);

    public SkipNode? Key { get; init; }

    public SkipNode? Element { get; init; }

    public SkipObject? Object { get; init; }

    public SkipUnion? Union { get; init; }

    /// <summary>Moves over one value as it stands in a field.</summary>
    public void Skip(ref NinoReader reader)
    {
        if (FixedSize > 0)
        {
            reader.Take(FixedSize);
            return;
        }

        switch (Schema.Kind)
        {
            case SchemaKind.String:
                SkipString(ref reader);
                break;
            case SchemaKind.Nullable:
                if (reader.ReadPresence()) Element!.Skip(ref reader);
                break;
            case SchemaKind.List:
                SkipList(ref reader);
                break;
            case SchemaKind.Map:
                SkipMap(ref reader);
                break;
            case SchemaKind.Object:
                SkipObject(ref reader);
                break;
            case SchemaKind.Union:
                Union!.Skip(ref reader);
                break;
            default:
                RecordWalker.Skip(ref reader, Schema);
                break;
        }
    }

    private static LengthForm LengthOf(SchemaNode schema) => schema.Kind switch
    {
        _ when SchemaShape.FixedSizeOf(schema) > 0 => LengthForm.Fixed,
        SchemaKind.String => LengthForm.String,
        SchemaKind.List when FixedSizeOf(schema.Element) > 0 => LengthForm.Run,
        SchemaKind.Map when FixedSizeOf(schema.Key) > 0 && FixedSizeOf(schema.Element) > 0 => LengthForm.Run,
        SchemaKind.Map when IsSimple(schema.Key!) && IsSimple(schema.Element!) => LengthForm.Pairs,
        _ => LengthForm.Other,
    };

    private static long FixedSizeOf(SchemaNode? schema) => schema is null ? 0 : SchemaShape.FixedSizeOf(schema);

    // Two of the widest behind one another are no number yet that could be taken for a place in the source.
    private static bool IsSimple(SchemaNode schema) => FixedSizeOf(schema) is > 0 and < 1 << 24 || schema.Kind == SchemaKind.String;

    // Numbers of objects are copied with them; that each is one, the codec that reads the copy finds out.
    private void SkipObject(ref NinoReader reader)
    {
        SkipObject type = Object!;
        bool isHere = type.KeepsReferences ? reader.ReadCompact() == 1 : !Schema.HasPresenceByte || reader.ReadPresence();
        if (isHere) type.Skip(ref reader);
    }

    private static void SkipString(ref NinoReader reader)
    {
        uint header = reader.ReadCompact();
        if (header <= 1) return;
        long length = (header - 1) >> 1;
        TakeLong(ref reader, ((header - 1) & 1) != 0 ? 2 * length : length);
    }

    private void SkipList(ref NinoReader reader)
    {
        SkipNode element = Element!;
        uint header = reader.ReadHeader(out _);
        if (header == 0) return;

        uint count = header - 1;
        if (element.Schema.HasPresenceByte)
        {
            bool hasNulls = (count & 1) != 0;
            count >>= 1;
            SkipObject type = element.Object!;
            reader.CheckCount(count, hasNulls ? 1 : type.MinSize);
            if (!hasNulls && type.FixedSize > 0)
            {
                TakeLong(ref reader, (long)count * type.FixedSize);
                return;
            }

            for (uint i = 0; i < count; i++)
            {
                if (!hasNulls || reader.ReadPresence()) type.Skip(ref reader);
            }

            return;
        }

        reader.CheckCount(count, element.MinSize);
        if (element.FixedSize > 0) TakeLong(ref reader, (long)count * element.FixedSize);
        else for (uint i = 0; i < count; i++) element.Skip(ref reader);
    }

    private void SkipMap(ref NinoReader reader)
    {
        SkipNode key = Key!, element = Element!;
        int count = reader.ReadCount(key.MinSize + element.MinSize, out _);
        if (count < 0) return;
        if (key.FixedSize > 0 && element.FixedSize > 0)
        {
            TakeLong(ref reader, (long)count * (key.FixedSize + element.FixedSize));
            return;
        }

        for (int i = 0; i < count; i++)
        {
            key.Skip(ref reader);
            element.Skip(ref reader);
        }
    }

    private static void TakeLong(ref NinoReader reader, long bytes)
    {
        if (bytes > reader.Remaining) Throw.EndOfInput(bytes, reader.Remaining);
        reader.Take((int)bytes);
    }
}

/// <summary>The fields of a stored type, neighbours of fixed width as one.</summary>
internal sealed class SkipObject(ObjectDefinition definition)
{
    private readonly List<(int Bytes, SkipNode? Node)> _parts = [];

    // Some field holds values of its own.
    private bool _nests;

    public int FixedSize { get; } = definition.FixedBodySize;

    public int MinSize { get; } = definition.MinBodySize;

    public bool KeepsReferences { get; } = definition.KeepsReferences;

    public void Add(SkipNode field)
    {
        if (field.FixedSize == 0) _parts.Add((0, field));
        else if (_parts.Count > 0 && _parts[^1].Node is null) _parts[^1] = (_parts[^1].Bytes + field.FixedSize, null);
        else _parts.Add((field.FixedSize, null));
        _nests |= field.Object is not null || field.Union is not null || field.Key is not null || field.Element is not null;
    }

    /// <summary>Moves over a body.</summary>
    public void Skip(ref NinoReader reader)
    {
        if (FixedSize > 0)
        {
            reader.Take(FixedSize);
            return;
        }

        // Depth is counted where codecs count it; a schema may also be a long chain of types.
        if (_nests && !RuntimeHelpers.TryEnsureSufficientExecutionStack()) Throw.StackTooShort();
        if (definition.IsRecursive) reader.Enter();
        foreach ((int bytes, SkipNode? node) in _parts)
        {
            if (node is null) reader.Take(bytes);
            else node.Skip(ref reader);
        }

        if (definition.IsRecursive) reader.Leave();
    }
}

/// <summary>The cases of a stored union.</summary>
internal sealed class SkipUnion(UnionDefinition definition)
{
    private readonly Dictionary<uint, SkipObject> _cases = new(SeededHash.Instance);

    public void Add(uint tag, SkipObject type) => _cases.Add(tag, type);

    public void Skip(ref NinoReader reader)
    {
        if (definition.KeepsReferences && reader.ReadCompact() != 1) return;
        uint tag = UnionMap.ReadTag(definition, ref reader, out bool isNull);
        if (isNull) return;
        if (definition.SkipsUnknown)
        {
            NinoGenerated.SkipCase(ref reader);
            return;
        }

        if (!_cases.TryGetValue(tag, out SkipObject? type)) Throw.UnknownTag(definition.Name, definition.Describe(tag), definition.KnownCases());
        if (!type.KeepsReferences || definition.KeepsReferences || reader.ReadCompact() == 1) type.Skip(ref reader);
    }
}

/// <summary>Makes the nodes of one stored schema. No recursion over definitions: a hostile schema may chain very many.</summary>
internal sealed class SkipNodes
{
    private readonly Dictionary<ObjectDefinition, SkipObject> _objects = new(ReferenceEqualityComparer.Instance);
    private readonly Dictionary<UnionDefinition, SkipUnion> _unions = new(ReferenceEqualityComparer.Instance);
    private readonly Queue<ObjectDefinition> _unfinished = new();

    public SkipNode Of(SchemaNode schema) => new(schema)
    {
        Key = schema.Key is { } key ? Of(key) : null,
        Element = schema.Element is { } element ? Of(element) : null,
        Object = schema.Definition is ObjectDefinition type ? Of(type) : null,
        Union = schema.Definition is UnionDefinition union ? Of(union) : null,
    };

    public SkipUnion Of(UnionDefinition union)
    {
        if (_unions.TryGetValue(union, out SkipUnion? known)) return known;
        var created = new SkipUnion(union);
        _unions.Add(union, created);
        foreach (UnionCase one in union.Cases) created.Add(one.Tag, Of((ObjectDefinition)one.Node.Definition!));
        return created;
    }

    public SkipObject Of(ObjectDefinition type)
    {
        if (_objects.TryGetValue(type, out SkipObject? known)) return known;
        var created = new SkipObject(type);
        _objects.Add(type, created);
        _unfinished.Enqueue(type);
        return created;
    }

    /// <summary>Gives the types met so far their fields.</summary>
    public void Finish()
    {
        while (_unfinished.TryDequeue(out ObjectDefinition? type))
        {
            foreach (SchemaField field in type.Fields) _objects[type].Add(Of(field.Node));
        }
    }
}
