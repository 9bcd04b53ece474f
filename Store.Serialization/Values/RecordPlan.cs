// From a schema to something that decodes fast: sizes, recursion and UTF-8 names are worked out once per schema and kept as long as it lives. The
// schema itself was validated when it was built; no recursion over definitions here, because a file may chain very many.

using System.Runtime.CompilerServices;

namespace Store.Serialization.Values;

/// <summary>The decoding plan of one schema. Immutable; safe for any number of threads.</summary>
internal sealed class RecordPlan
{
    private static readonly ConditionalWeakTable<NinoSchema, RecordPlan> Plans = [];

    private readonly Dictionary<SchemaDefinition, PlanObject> _objects = new(ReferenceEqualityComparer.Instance);
    private readonly Dictionary<SchemaDefinition, EnumNames> _enums = new(ReferenceEqualityComparer.Instance);

    private RecordPlan(NinoSchema schema)
    {
        foreach (SchemaDefinition definition in schema.Definitions)
        {
            if (definition is ObjectDefinition type) _objects.Add(type, new PlanObject(type));
            else _enums.Add(definition, new EnumNames((EnumDefinition)definition));
        }

        foreach (PlanObject plan in _objects.Values)
            plan.Fields = [.. plan.Definition.Fields.Select(f => new PlanField(f.Name, NodeOf(f.Node)))];
        Root = NodeOf(schema.Root);
        MarkRecursive();
    }

    public PlanNode Root { get; }

    public static RecordPlan Of(NinoSchema schema) => Plans.GetValue(schema, static s => new RecordPlan(s));

    private PlanNode NodeOf(SchemaNode schema) => new(schema)
    {
        Key = schema.Key is { } key ? NodeOf(key) : null,
        Element = schema.Element is { } element ? NodeOf(element) : null,
        Object = schema.Definition is ObjectDefinition type ? _objects[type] : null,
        Enum = schema.Definition is EnumDefinition set ? _enums[set] : null,
    };

    /// <summary>Takes away, again and again, the types that hold no others and the types that no others hold: what stays lies on a cycle, or between two.</summary>
    private void MarkRecursive()
    {
        foreach (PlanObject plan in _objects.Values) plan.IsRecursive = true;
        var holds = _objects.Values.ToDictionary(p => p, p => p.Fields.SelectMany(f => ObjectsIn(f.Node)).ToList());
        var heldBy = _objects.Values.ToDictionary(p => p, _ => new List<PlanObject>());
        foreach ((PlanObject holder, List<PlanObject> held) in holds)
        {
            foreach (PlanObject plan in held) heldBy[plan].Add(holder);
        }

        Peel(holds, heldBy);
        Peel(heldBy, holds);
    }

    private static void Peel(Dictionary<PlanObject, List<PlanObject>> links, Dictionary<PlanObject, List<PlanObject>> backLinks)
    {
        var count = links.ToDictionary(pair => pair.Key, pair => pair.Value.Count(p => p.IsRecursive));
        var loose = new Queue<PlanObject>(count.Where(pair => pair.Value == 0 && pair.Key.IsRecursive).Select(pair => pair.Key));
        while (loose.TryDequeue(out PlanObject? plan))
        {
            plan.IsRecursive = false;
            foreach (PlanObject other in backLinks[plan])
            {
                if (--count[other] == 0 && other.IsRecursive) loose.Enqueue(other);
            }
        }
    }

    private static IEnumerable<PlanObject> ObjectsIn(PlanNode node)
    {
        if (node.Object is { } plan) yield return plan;
        if (node.Key is { } key) foreach (PlanObject inner in ObjectsIn(key)) yield return inner;
        if (node.Element is { } element) foreach (PlanObject inner in ObjectsIn(element)) yield return inner;
    }
}
