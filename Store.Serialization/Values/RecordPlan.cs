// From a schema to something that decodes fast: sizes, recursion and UTF-8 names are worked out once per schema and kept as long as it lives.

using System.Runtime.CompilerServices;

namespace Store.Serialization.Values;

/// <summary>The decoding plan of one schema. Immutable; safe for any number of threads.</summary>
internal sealed class RecordPlan
{
    private static readonly ConditionalWeakTable<NinoSchema, RecordPlan> Plans = [];

    private RecordPlan(SchemaNode root) => Root = new RecordPlanBuilder().Build(root);

    public PlanNode Root { get; }

    /// <exception cref="NinoSerializationException">No value of the schema can exist.</exception>
    public static RecordPlan Of(NinoSchema schema) => Plans.GetValue(schema, static s => new RecordPlan(s.Root));
}
