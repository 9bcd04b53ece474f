// From a schema to something that decodes fast: sizes, cases and UTF-8 names are worked out once per schema and kept by it. The schema
// itself was validated when it was built; no recursion over definitions here, because a file may chain very many.

namespace Store.Serialization.Values;

/// <summary>The decoding plan of one schema. Immutable; safe for any number of threads.</summary>
internal sealed class RecordPlan
{
    private readonly Dictionary<SchemaDefinition, PlanObject> _objects = new(ReferenceEqualityComparer.Instance);
    private readonly Dictionary<SchemaDefinition, PlanUnion> _unions = new(ReferenceEqualityComparer.Instance);
    private readonly Dictionary<SchemaDefinition, EnumNames> _enums = new(ReferenceEqualityComparer.Instance);

    public RecordPlan(NinoSchema schema)
    {
        foreach (SchemaDefinition definition in schema.Definitions)
        {
            if (definition is ObjectDefinition type) _objects.Add(type, new PlanObject(type));
            else if (definition is UnionDefinition union) _unions.Add(union, new PlanUnion(union));
            else _enums.Add(definition, new EnumNames((EnumDefinition)definition));
        }

        foreach (PlanObject plan in _objects.Values)
            plan.Fields = [.. plan.Definition.Fields.Select(f => new PlanField(f.Name, NodeOf(f.Node)))];
        foreach (PlanUnion plan in _unions.Values)
            plan.Cases = plan.Definition.Cases.ToDictionary(static one => one.Node.Definition!, one => NodeOf(one.Node));
        Root = NodeOf(schema.Root);
    }

    public PlanNode Root { get; }

    private PlanNode NodeOf(SchemaNode schema) => new(schema)
    {
        Key = schema.Key is { } key ? NodeOf(key) : null,
        Element = schema.Element is { } element ? NodeOf(element) : null,
        Object = schema.Definition is ObjectDefinition type ? _objects[type] : null,
        Enum = schema.Definition is EnumDefinition set ? _enums[set] : null,
        Union = schema.Definition is UnionDefinition union ? _unions[union] : null,
    };
}
