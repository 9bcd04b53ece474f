using Store.Serialization;
using Store.Serialization.Evolution;

namespace Store.Tests.Evolution;

/// <summary>
/// A random schema of a few types that hold each other, with bases of every form and types that keep references, and the schema that a program might have some releases
/// later: cases that are gone, new or under another tag, bases that skip what they do not know, bases that are objects now and objects that are bases, classes that
/// are structs. The same seed gives the same.
/// </summary>
internal sealed class CasePair
{
    private static readonly SchemaNode Int = SchemaNode.Primitive(SchemaKind.Int32), Long = SchemaNode.Primitive(SchemaKind.Int64), Text = SchemaNode.Primitive(SchemaKind.String), Flag = SchemaNode.Primitive(SchemaKind.Boolean);

    private readonly Random _random;
    private readonly List<ObjectDefinition> _numbered = [], _classes = [], _leaves = [];
    private readonly List<UnionDefinition> _unions = [];
    private readonly Dictionary<SchemaDefinition, SchemaDefinition> _now = new(ReferenceEqualityComparer.Instance);
    private int _names;

    private CasePair(int seed) => _random = new Random(seed);

    /// <summary>Both schemas; null where those that came up are none, or there is no plan between them.</summary>
    public static NinoRecordMapper? Create(int seed)
    {
        var pair = new CasePair(seed);
        try
        {
            NinoSchema stored = pair.Stored();
            return NinoRecordMapper.Create(stored, pair.Now(stored));
        }
        catch (Exception error) when (error is ArgumentException or NinoSchemaMismatchException)
        {
            return null;
        }
    }

    private bool OneIn(int n) => _random.Next(n) == 0;

    private T Any<T>(IReadOnlyList<T> of) => of[_random.Next(of.Count)];

    // ---- What is stored

    private NinoSchema Stored()
    {
        for (int i = _random.Next(1, 3); i > 0; i--) _numbered.Add(new ObjectDefinition($"N{i}", isReference: true, keepsReferences: true));
        for (int i = _random.Next(1, 3); i > 0; i--) _classes.Add(new ObjectDefinition($"C{i}", isReference: true));
        for (int i = _random.Next(2, 5); i > 0; i--) _leaves.Add(new ObjectDefinition($"L{i}", isReference: !OneIn(3)));
        for (int i = _random.Next(1, 4); i > 0; i--) _unions.Add(Union($"U{i}"));
        foreach (ObjectDefinition type in _numbered.Concat(_classes)) Fill(type, _random.Next(1, 4), () => Node(2));
        foreach (ObjectDefinition type in _leaves) Fill(type, _random.Next(0, 3), Leaf);
        var root = new ObjectDefinition("R", isReference: true);
        Fill(root, _random.Next(3, 7), () => Node(2));
        return NinoSchema.Create(SchemaNode.Reference(root));
    }

    private UnionDefinition Union(string name)
    {
        UnionForm form = (OneIn(2) ? UnionForm.ExplicitTags : UnionForm.Hashed) | _random.Next(4) switch { 0 => UnionForm.SkipsUnknown, 1 => UnionForm.KeepsReferences, _ => UnionForm.Hashed };
        var union = new UnionDefinition(name, form);
        ObjectDefinition[] types = [.. union.KeepsReferences ? _numbered : union.SkipsUnknown ? _leaves : _numbered.Concat(_classes).Concat(_leaves)];
        _random.Shuffle(types);
        Cases(union, types.Take(_random.Next(1, 6)).Select((type, i) => (type, (uint)(3 * i) + 1)));
        return union;
    }

    private static void Cases(UnionDefinition union, IEnumerable<(ObjectDefinition Type, uint Tag)> cases)
    {
        foreach ((ObjectDefinition type, uint tag) in cases) union.Add(new UnionCase(union.HasExplicitTags ? tag : UnionDefinition.HashOf(type.Name), SchemaNode.Reference(type)));
        union.Sort();
    }

    private static void Fill(ObjectDefinition type, int fields, Func<SchemaNode> node)
    {
        for (int i = 0; i < fields; i++) type.Add(new SchemaField($"F{i}", 0, node()));
    }

    private SchemaNode Leaf() => _random.Next(7) switch
    {
        0 or 1 => Int,
        2 or 3 => Text,
        4 => Flag,
        5 => SchemaNode.Nullable(Int),
        _ => _unions.FirstOrDefault(static union => union.SkipsUnknown) is { } union ? SchemaNode.Reference(union) : Int,
    };

    private SchemaNode Node(int depth) => _random.Next(depth > 0 ? 12 : 9) switch
    {
        0 => Leaf(),
        1 or 2 or 3 => SchemaNode.Reference(Any(_numbered)),
        4 => SchemaNode.Reference(Any(_classes)),
        5 => Any(_leaves) is var type && !type.IsReference && OneIn(2) ? SchemaNode.Nullable(SchemaNode.Reference(type)) : SchemaNode.Reference(type),
        6 or 7 or 8 => SchemaNode.Reference(Any(_unions)),
        9 or 10 => SchemaNode.List(Node(depth - 1)),
        _ => SchemaNode.Map(Int, Node(depth - 1)),
    };

    // ---- What the program has now

    private NinoSchema Now(NinoSchema stored)
    {
        HashSet<SchemaDefinition> holders = CaseModel.Holders(stored);
        foreach (ObjectDefinition type in stored.Definitions.OfType<ObjectDefinition>())
        {
            bool isStruct = type.KeepsReferences || type.Name == "R" ? !type.IsReference : type.IsReference ? _leaves.Contains(type) && OneIn(4) : !OneIn(4);
            bool isRenamed = type.Name != "R" && OneIn(4);
            _now.Add(type, new ObjectDefinition(isRenamed ? "Now" + type.Name : type.Name, !isStruct, type.KeepsReferences) { FormerNames = isRenamed ? ["Other", type.Name] : [] });
        }

        foreach (UnionDefinition union in stored.Definitions.OfType<UnionDefinition>()) _now.Add(union, NowOf(union, holders));
        foreach (ObjectDefinition type in stored.Definitions.OfType<ObjectDefinition>()) FillNow(type, (ObjectDefinition)_now[type], holders);
        return NinoSchema.Create(SchemaNode.Reference(_now[stored.Root.Definition!]));
    }

    private UnionDefinition NowOf(UnionDefinition stored, HashSet<SchemaDefinition> holders)
    {
        UnionForm form = stored.Form & UnionForm.KeepsReferences;
        if (OneIn(6) != stored.HasExplicitTags) form |= UnionForm.ExplicitTags;
        if (form is UnionForm.Hashed or UnionForm.ExplicitTags && OneIn(2)) form |= UnionForm.SkipsUnknown;
        bool skips = (form & UnionForm.SkipsUnknown) != 0;
        UnionCase[] kept = [.. stored.Cases.Where(one => !(skips && holders.Contains(one.Node.Definition!)) && !OneIn(4))];
        if (kept.Length == 0)
        {
            form &= ~UnionForm.SkipsUnknown;
            kept = [stored.Cases[0]];
        }

        var own = new UnionDefinition(OneIn(4) ? "Now" + stored.Name : stored.Name, form);
        uint[] tags = [.. kept.Select(static one => one.Tag)];
        if (!stored.HasExplicitTags) tags = [.. tags.Select(static (_, i) => (uint)i + 5)];
        else if (tags.Length > 1 && OneIn(8)) (tags[0], tags[1]) = (tags[1], tags[0]);
        List<(ObjectDefinition, uint)> cases = [.. kept.Select((one, i) => ((ObjectDefinition)_now[one.Node.Definition!], tags[i]))];
        if (OneIn(4)) cases.Add((New(stored.KeepsReferences), 1000));
        Cases(own, cases);
        return own;
    }

    private ObjectDefinition New(bool keepsReferences)
    {
        var type = new ObjectDefinition($"New{_names++}", isReference: true, keepsReferences);
        type.Add(new SchemaField("F0", 0, Int));
        return type;
    }

    private void FillNow(ObjectDefinition stored, ObjectDefinition own, HashSet<SchemaDefinition> holders)
    {
        bool Holds(SchemaField field) => CaseModel.Holds(holders, field.Node);
        SchemaField[] order = [.. stored.Fields.Where(field => Holds(field) || !OneIn(6))];

        // What holds numbered objects keeps its order: those members stand where the shuffle put any of them.
        SchemaField[] shuffled = [.. order];
        if (OneIn(3)) _random.Shuffle(shuffled);
        var inOrder = new Queue<SchemaField>(order.Where(Holds));
        var fields = shuffled.Select(field => Holds(field) ? inOrder.Dequeue() : field).Select(field => new SchemaField(field.Name, 0, NodeNow(field.Node, isMember: true))).ToList();
        for (int i = _random.Next(3); i > 0; i--) fields.Insert(_random.Next(fields.Count + 1), new SchemaField($"A{_names++}", 0, OneIn(2) ? Long : SchemaNode.List(Text)));
        foreach (SchemaField field in fields) own.Add(field);
    }

    private SchemaNode NodeNow(SchemaNode stored, bool isMember)
    {
        SchemaNode inner = ValueMap.Inner(stored);
        if (isMember && inner.Kind is not (SchemaKind.List or SchemaKind.Map) && OneIn(12)) return SchemaNode.List(NodeNow(stored, isMember: false));
        if (isMember && inner.Kind == SchemaKind.List && inner.Element!.Kind is not (SchemaKind.List or SchemaKind.Map) && OneIn(10)) return NodeNow(inner.Element, isMember: false);
        switch (inner.Kind)
        {
            case SchemaKind.List: return SchemaNode.List(NodeNow(inner.Element!, isMember: false));
            case SchemaKind.Map: return SchemaNode.Map(OneIn(2) ? Int : Long, NodeNow(inner.Element!, isMember: false));
            case SchemaKind.String: return OneIn(3) ? SchemaNode.Primitive(SchemaKind.Utf8String) : Text;
            case SchemaKind.Boolean: return OneIn(3) ? Int : Flag;
            case SchemaKind.Int32: return OneIn(5) != (stored.Kind == SchemaKind.Nullable) ? SchemaNode.Nullable(OneIn(2) ? Int : Long) : OneIn(2) ? Int : Long;
            case SchemaKind.Object: return ObjectNow((ObjectDefinition)_now[inner.Definition!], stored.Kind == SchemaKind.Nullable);
            default:
                var union = (UnionDefinition)inner.Definition!;
                ObjectDefinition one = (ObjectDefinition)Any(union.Cases).Node.Definition!;
                return OneIn(4) && one.KeepsReferences == union.KeepsReferences ? Single((ObjectDefinition)_now[one], wasNullable: true) : SchemaNode.Reference(_now[union]);
        }
    }

    private SchemaNode ObjectNow(ObjectDefinition own, bool wasNullable)
    {
        if (!OneIn(8)) return Single(own, wasNullable);
        var around = new UnionDefinition($"B{_names++}", (OneIn(2) ? UnionForm.ExplicitTags : UnionForm.Hashed) | (own.KeepsReferences ? UnionForm.KeepsReferences : UnionForm.Hashed));
        Cases(around, [(own, 7), (New(own.KeepsReferences), 9)]);
        return SchemaNode.Reference(around);
    }

    private SchemaNode Single(ObjectDefinition own, bool wasNullable)
    {
        SchemaNode node = SchemaNode.Reference(own);
        return !own.IsReference && (wasNullable ? !OneIn(4) : OneIn(4)) ? SchemaNode.Nullable(node) : node;
    }
}
