// Edits of a schema that no release of a program would make and a broken or hostile writer could: other kinds, wrapped and unwrapped nodes, flags, names, ids,
// tags, any type in any place. What comes out is a schema all the same, in canonical form.

using Store.Serialization;

namespace Store.Tests.Fuzz;

internal sealed class SchemaEdits(Random random)
{
    private static readonly SchemaKind[] s_scalars = [.. Enum.GetValues<SchemaKind>().Where(static kind => kind < SchemaKind.Nullable)];

    private readonly Dictionary<SchemaDefinition, SchemaDefinition> _copies = new(ReferenceEqualityComparer.Instance);
    private int _oneIn;
    private int _names;

    /// <summary>One to a few edits; null where what they make is no schema.</summary>
    public NinoSchema? Of(NinoSchema schema)
    {
        _copies.Clear();
        int places = schema.Definitions.Sum(static type => 2 + (type is ObjectDefinition body ? 2 * body.Fields.Count : type is UnionDefinition union ? union.Cases.Count : 0));
        _oneIn = Math.Max(2, places / random.Next(1, 4));
        foreach (SchemaDefinition type in schema.Definitions) _copies.Add(type, Shell(type));
        foreach (SchemaDefinition type in schema.Definitions)
        {
            if (type is ObjectDefinition body) Fill(body, (ObjectDefinition)_copies[body]);
            else if (type is UnionDefinition union) Fill(union, (UnionDefinition)_copies[union]);
        }

        try
        {
            return NinoSchema.Create(Node(schema.Root));
        }
        catch (ArgumentException)
        {
            return null;
        }
    }

    private bool IsEdited() => random.Next(_oneIn) == 0;

    private SchemaDefinition Shell(SchemaDefinition type)
    {
        string name = IsEdited() ? $"{type.Name}{_names++}" : type.Name;
        return type switch
        {
            ObjectDefinition body => new ObjectDefinition(name, body.IsReference ^ IsEdited(), body.KeepsReferences ^ (body.IsReference && IsEdited())),
            UnionDefinition union => new UnionDefinition(name, IsEdited() ? union.Form ^ (UnionForm)(1 << random.Next(3)) : union.Form),
            EnumDefinition set => new EnumDefinition(name, IsEdited() ? (SchemaKind)random.Next((int)SchemaKind.SByte, (int)SchemaKind.UInt64 + 1) : set.Underlying, set.IsFlags ^ IsEdited(), set.Members),
            _ => throw new InvalidOperationException(),
        };
    }

    private void Fill(ObjectDefinition from, ObjectDefinition to)
    {
        List<SchemaField> fields = [];
        foreach (SchemaField field in from.Fields)
        {
            var copy = new SchemaField(field.Name, field.Id, Node(field.Node));
            switch (IsEdited() ? random.Next(5) : -1)
            {
                case 0: continue;
                case 1: fields.Add(new SchemaField($"{field.Name}{_names++}", 0, Node(field.Node))); break;
                case 2: copy = copy with { Name = $"{field.Name}{_names++}" }; break;
                case 3: copy = copy with { Id = random.Next(100_000) }; break;
                case 4: fields.Insert(random.Next(fields.Count + 1), copy); continue;
            }

            fields.Add(copy);
        }

        foreach (SchemaField field in fields) to.Add(field);
    }

    private void Fill(UnionDefinition from, UnionDefinition to)
    {
        foreach (UnionCase one in from.Cases)
        {
            if (IsEdited()) continue;
            SchemaDefinition type = IsEdited() ? Any() : _copies[one.Node.Definition!];
            uint tag = !to.HasExplicitTags ? UnionDefinition.HashOf(type.Name) : IsEdited() || !from.HasExplicitTags ? (uint)random.Next(1000) : one.Tag;
            to.Add(new UnionCase(tag, SchemaNode.Reference(type)));
        }

        to.Sort();
    }

    private SchemaNode Node(SchemaNode node)
    {
        if (!IsEdited()) return Same(node);
        return random.Next(8) switch
        {
            0 => SchemaNode.Nullable(Same(node)),
            1 => SchemaNode.List(Same(node)),
            2 => SchemaNode.Map(Scalar(), Same(node)),
            3 when node.Element is { } element => Node(element),
            4 when node.Key is { } key => Node(key),
            5 => SchemaNode.Reference(Any()),
            6 => SchemaNode.Reference(new EnumDefinition($"New{_names++}", SchemaKind.Int32, isFlags: false, [])),
            _ => Scalar(),
        };
    }

    private SchemaNode Same(SchemaNode node) => node.Kind switch
    {
        SchemaKind.Nullable => SchemaNode.Nullable(Node(node.Element!)),
        SchemaKind.List => SchemaNode.List(Node(node.Element!)),
        SchemaKind.Map => SchemaNode.Map(Node(node.Key!), Node(node.Element!)),
        _ when node.Definition is { } type => SchemaNode.Reference(_copies[type]),
        _ => SchemaNode.Primitive(node.Kind),
    };

    private SchemaNode Scalar() => SchemaNode.Primitive(s_scalars[random.Next(s_scalars.Length)]);

    private SchemaDefinition Any() => _copies.Count > 0 ? _copies.Values.ElementAt(random.Next(_copies.Count)) : new EnumDefinition($"New{_names++}", SchemaKind.Byte, isFlags: false, []);
}
