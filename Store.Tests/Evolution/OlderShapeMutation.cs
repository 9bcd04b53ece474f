using System.Runtime.InteropServices;
using Store.Serialization;
using Store.Serialization.Evolution;

namespace Store.Tests.Evolution;

/// <summary>A schema that a type may have had before, whose members of a fixed width had other kinds, places and neighbours: mostly so that its records are read where they lie.</summary>
internal sealed class OlderShapeMutation(Random random)
{
    private static readonly SchemaKind[] Scalars = [.. Enum.GetValues<SchemaKind>().Where(static kind => kind < SchemaKind.BigInteger)];

    private int _names;

    public NinoSchema Of(NinoSchema own) => NinoSchema.Create(own.Root.Kind == SchemaKind.List ? SchemaNode.List(Object(own.Root.Element!, isElement: true)) : Object(own.Root, isElement: false));

    private SchemaNode Object(SchemaNode own, bool isElement)
    {
        var type = (ObjectDefinition)own.Definition!;
        var stored = new ObjectDefinition(type.Name, isElement && random.Next(20) == 0 ? !type.IsReference : type.IsReference);
        var fixedOnes = new List<SchemaField>();
        var others = new List<SchemaField>();
        foreach (SchemaField field in type.Fields)
        {
            if (random.Next(field.Node.Kind == SchemaKind.String ? 40 : 6) == 0) continue;
            SchemaNode node = Member(field.Node);
            (SchemaShape.FixedSizeOf(node) > 0 ? fixedOnes : others).Add(new SchemaField(field.Name, 0, node));
        }

        for (int i = random.Next(3); i > 0; i--) fixedOnes.Insert(random.Next(fixedOnes.Count + 1), new SchemaField($"Gone{_names++}", 0, SchemaNode.Primitive(Scalars[random.Next(Scalars.Length)])));
        if (random.Next(30) == 0) others.Insert(random.Next(others.Count + 1), new SchemaField($"Gone{_names++}", 0, SchemaNode.Primitive(SchemaKind.String)));
        if (random.Next(2) == 0) random.Shuffle(CollectionsMarshal.AsSpan(fixedOnes));
        SchemaField[] fields = [.. fixedOnes, .. others];
        if (random.Next(30) == 0) random.Shuffle(fields);
        foreach (SchemaField field in fields) stored.Add(field);
        return SchemaNode.Reference(stored);
    }

    private SchemaNode Member(SchemaNode own)
    {
        if (own.Kind == SchemaKind.String) return SchemaNode.Primitive(random.Next(60) switch { 0 => SchemaKind.Utf8String, 1 => SchemaKind.Char, _ => SchemaKind.String });
        SchemaNode inner = ValueMap.Inner(own);
        bool isNullable = own.Kind == SchemaKind.Nullable ? random.Next(4) > 0 : random.Next(12) == 0;
        SchemaNode bare = inner.Kind == SchemaKind.Object ? Object(inner, isElement: false) : Scalar(inner);
        return isNullable ? SchemaNode.Nullable(bare) : bare;
    }

    private SchemaNode Scalar(SchemaNode own)
    {
        if (random.Next(2) == 0) return own;
        SchemaKind[] fitting = [.. Scalars.Where(kind => ScalarConversions.Find(SchemaNode.Primitive(kind), own) != ScalarConversion.None)];
        return fitting.Length == 0 ? own : SchemaNode.Primitive(fitting[random.Next(fitting.Length)]);
    }
}
