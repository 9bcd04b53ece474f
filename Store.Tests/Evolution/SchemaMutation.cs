using Store.Serialization;
using Store.Serialization.Evolution;

namespace Store.Tests.Evolution;

/// <summary>A schema that a program might have after some releases: the stored one with members added, removed, reordered, renamed and retyped at random, always so that a plan exists.</summary>
internal sealed class SchemaMutation(Random random)
{
    private static readonly SchemaKind[] Scalars = [.. Enum.GetValues<SchemaKind>().Where(static kind => kind < SchemaKind.BigInteger)];

    private readonly Dictionary<SchemaDefinition, SchemaNode> _types = new(ReferenceEqualityComparer.Instance);
    private readonly HashSet<SchemaDefinition> _open = new(ReferenceEqualityComparer.Instance);
    private int _names;

    public NinoSchema Of(NinoSchema stored) => NinoSchema.Create(Node(stored.Root, isMember: false, isRoot: true));

    private SchemaNode Node(SchemaNode stored, bool isMember, bool isRoot = false)
    {
        if (isRoot) return Bare(stored);
        bool isSingle = ValueMap.Inner(stored).Kind is not (SchemaKind.List or SchemaKind.Map);
        if (isMember && isSingle && random.Next(12) == 0) return SchemaNode.List(Node(stored, isMember: false));
        if (isMember && stored.Kind == SchemaKind.List && ValueMap.Inner(stored.Element!).Kind is not (SchemaKind.List or SchemaKind.Map) && random.Next(8) == 0) return Node(stored.Element!, isMember: false);
        SchemaNode bare = Bare(stored.Kind == SchemaKind.Nullable ? stored.Element! : stored);
        bool canBeNullable = bare.Kind is < SchemaKind.String or SchemaKind.Enum || bare.Definition is ObjectDefinition { IsReference: false };
        bool isNullable = stored.Kind == SchemaKind.Nullable ? random.Next(6) != 0 : random.Next(8) == 0;
        return canBeNullable && isNullable ? SchemaNode.Nullable(bare) : bare;
    }

    private SchemaNode Bare(SchemaNode stored) => stored.Kind switch
    {
        SchemaKind.String or SchemaKind.Utf8String => SchemaNode.Primitive(random.Next(2) == 0 ? SchemaKind.String : SchemaKind.Utf8String),
        SchemaKind.List => SchemaNode.List(Node(stored.Element!, isMember: false)),
        SchemaKind.Map => SchemaNode.Map(Bare(stored.Key!), Node(stored.Element!, isMember: false)),
        SchemaKind.Object => Object((ObjectDefinition)stored.Definition!),
        SchemaKind.Nullable => SchemaNode.Nullable(Bare(stored.Element!) is var inner && inner.HasPresenceByte ? SchemaNode.Primitive(SchemaKind.Int32) : inner),
        _ => Scalar(stored),
    };

    private SchemaNode Scalar(SchemaNode stored)
    {
        if (random.Next(2) == 0) return stored.Definition is EnumDefinition type ? SameEnum(type) : SchemaNode.Primitive(stored.Kind);
        if (stored.Kind is SchemaKind.Char or SchemaKind.Rune && random.Next(3) == 0) return SchemaNode.Primitive(SchemaKind.String);
        SchemaKind[] candidates = [.. Scalars.Where(kind => ScalarConversions.Find(stored, SchemaNode.Primitive(kind)) != ScalarConversion.None)];
        SchemaKind chosen = candidates[random.Next(candidates.Length)];
        return chosen is >= SchemaKind.SByte and <= SchemaKind.UInt64 && random.Next(4) == 0
            ? SchemaNode.Reference(new EnumDefinition($"New{_names++}", chosen, isFlags: false, []))
            : SchemaNode.Primitive(chosen);
    }

    private SchemaNode SameEnum(EnumDefinition type)
    {
        if (!_types.TryGetValue(type, out SchemaNode? node)) _types.Add(type, node = SchemaNode.Reference(new EnumDefinition(type.Name, type.Underlying, type.IsFlags, type.Members)));
        return node;
    }

    private SchemaNode Object(ObjectDefinition stored)
    {
        if (_types.TryGetValue(stored, out SchemaNode? known)) return known;

        // A struct may not contain itself: only types without types inside change from class to struct.
        bool isLeaf = stored.Fields.All(static field => field.Node.Kind is < SchemaKind.String or SchemaKind.String or SchemaKind.Enum);
        bool isReference = stored.IsReference ? !(isLeaf && _open.Count > 0 && random.Next(4) == 0) : random.Next(5) == 0;
        bool isRenamed = random.Next(4) == 0;
        var own = new ObjectDefinition(isRenamed ? $"Renamed{_names++}" : stored.Name, isReference) { FormerNames = isRenamed ? ["Other", stored.Name] : [] };
        SchemaNode node = SchemaNode.Reference(own);
        _types.Add(stored, node);
        _open.Add(stored);
        var fields = new List<SchemaField>();
        foreach (SchemaField field in stored.Fields)
        {
            if (random.Next(6) == 0) continue;
            bool isNew = random.Next(5) == 0;
            fields.Add(new SchemaField(isNew ? $"N{_names++}" : field.Name, 0, Node(field.Node, isMember: true)) { FormerNames = isNew ? [field.Name] : [] });
        }

        for (int i = random.Next(3); i > 0; i--)
        {
            fields.Insert(random.Next(fields.Count + 1), new SchemaField($"A{_names++}", 0, random.Next(3) switch
            {
                0 => SchemaNode.Primitive(Scalars[random.Next(Scalars.Length)]),
                1 => SchemaNode.List(SchemaNode.Nullable(SchemaNode.Primitive(SchemaKind.Int64))),
                _ => SchemaNode.Nullable(SchemaNode.Primitive(SchemaKind.Decimal)),
            }));
        }

        SchemaField[] order = [.. fields];
        switch (random.Next(3))
        {
            case 0: random.Shuffle(order); break;
            case 1: order = [.. fields.Where(IsFixed), .. fields.Where(field => !IsFixed(field))]; break;
        }

        foreach (SchemaField field in order) own.Add(field);
        _open.Remove(stored);
        return node;
    }

    private static bool IsFixed(SchemaField field) => field.Node.Kind is < SchemaKind.String or SchemaKind.Enum;
}
