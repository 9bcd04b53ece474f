// A schema comes from a file and may be hostile: types that contain themselves by value, sizes beyond 64 bits and nesting without end stop here.

using System.Runtime.CompilerServices;

namespace Store.Serialization.Values;

/// <summary>Builds one <see cref="RecordPlan"/>: first the graph, with the types that reach themselves (Tarjan's components), then the sizes.</summary>
internal sealed class RecordPlanBuilder
{
    private readonly Dictionary<ObjectDefinition, Visit> _visits = [];
    private readonly Stack<Visit> _open = [];
    private readonly List<PlanNode> _nodes = [];
    private readonly HashSet<PlanObject> _measuring = [];
    private Visit? _current;

    public PlanNode Build(SchemaNode root)
    {
        PlanNode plan = Node(root);
        foreach (PlanNode node in _nodes) Measure(node);
        return plan;
    }

    private PlanNode Node(SchemaNode schema)
    {
        EnsureStack();
        PlanNode node;
        switch (schema.Kind)
        {
            case SchemaKind.String:
                node = new PlanNode(schema);
                break;

            case SchemaKind.Nullable:
            case SchemaKind.List:
                node = new PlanNode(schema) { Element = Node(schema.Element!) };
                break;

            case SchemaKind.Map:
                node = new PlanNode(schema) { Key = Node(schema.Key!), Element = Node(schema.Element!) };
                break;

            case SchemaKind.Object:
                node = new PlanNode(schema) { Object = Object((ObjectDefinition)schema.Definition!) };
                break;

            case SchemaKind.Enum:
                var definition = (EnumDefinition)schema.Definition!;
                if (definition.Underlying is < SchemaKind.SByte or > SchemaKind.UInt64)
                    throw new NinoSerializationException($"The enum '{definition.Name}' of the schema is based on {definition.Underlying}, which is no integer: the schema is damaged.");
                node = new PlanNode(schema) { NumberKind = definition.Underlying, Enum = new EnumNames(definition) };
                break;

            default:
                if (Scalars.SizeOf(schema.Kind) == 0)
                    throw new NinoSerializationException($"The schema has a value of kind {(byte)schema.Kind}, which this version does not know. Use a newer version of NinoStore.");
                node = new PlanNode(schema);
                break;
        }

        _nodes.Add(node);
        return node;
    }

    private PlanObject Object(ObjectDefinition definition)
    {
        if (_visits.TryGetValue(definition, out Visit? known))
        {
            if (known.IsOpen && _current is not null) _current.LowLink = Math.Min(_current.LowLink, known.Order);
            if (known == _current) known.Plan.IsRecursive = true;
            return known.Plan;
        }

        var visit = new Visit(new PlanObject(definition), _visits.Count);
        _visits.Add(definition, visit);
        _open.Push(visit);
        Visit? outer = _current;
        _current = visit;

        var fields = new PlanField[definition.Fields.Count];
        var names = new HashSet<string>(fields.Length, StringComparer.Ordinal);
        for (int i = 0; i < fields.Length; i++)
        {
            SchemaField field = definition.Fields[i];
            string name = field.Name;
            for (int copy = 2; !names.Add(name); copy++) name = $"{field.Name}#{copy}";
            fields[i] = new PlanField(name, Node(field.Node));
        }

        visit.Plan.Fields = fields;
        if (visit.LowLink == visit.Order) CloseComponent(visit);
        if (outer is not null && visit.IsOpen) outer.LowLink = Math.Min(outer.LowLink, visit.LowLink);
        _current = outer;
        return visit.Plan;
    }

    /// <summary>All types opened since <paramref name="first"/> reach each other: with more than one of them, each reaches itself.</summary>
    private void CloseComponent(Visit first)
    {
        bool several = _open.Peek() != first;
        Visit member;
        do
        {
            member = _open.Pop();
            member.IsOpen = false;
            if (several) member.Plan.IsRecursive = true;
        }
        while (member != first);
    }

    private void Measure(PlanNode node)
    {
        if (node.MinSize != 0) return;
        EnsureStack();
        switch (node.Kind)
        {
            case SchemaKind.String or SchemaKind.List or SchemaKind.Map:
                node.MinSize = 1;
                break;

            case SchemaKind.Nullable:
                PlanNode element = node.Element!;
                Measure(element);
                node.FixedSize = element.FixedSize == 0 ? 0 : Add(1, element.FixedSize);
                node.MinSize = Math.Max(1, node.FixedSize);
                break;

            case SchemaKind.Object:
                PlanObject plan = node.Object!;
                if (plan.IsReference)
                {
                    node.MinSize = 1;
                    MeasureBody(plan);
                }
                else
                {
                    MeasureBody(plan);
                    if (plan.MinBodySize == 0) throw new NinoSerializationException($"The type '{plan.Definition.Name}' of the schema contains itself by value, so no value of it can exist: the schema is damaged.");
                    node.MinSize = plan.MinBodySize;
                    node.FixedSize = plan.FixedBodySize;
                }

                break;

            default:
                node.MinSize = node.FixedSize = Scalars.SizeOf(node.NumberKind);
                break;
        }
    }

    private void MeasureBody(PlanObject plan)
    {
        if (plan.MinBodySize != 0 || !_measuring.Add(plan)) return;
        int min = 0, fixedSize = 0;
        bool isFixed = true;
        foreach (PlanField field in plan.Fields)
        {
            Measure(field.Node);
            min = Add(min, field.Node.MinSize);
            isFixed &= field.Node.FixedSize != 0;
            fixedSize = Add(fixedSize, field.Node.FixedSize);
        }

        // Without fields a value takes one zero byte.
        plan.MinBodySize = Math.Max(1, min);
        plan.FixedBodySize = isFixed ? Math.Max(1, fixedSize) : 0;
    }

    private static int Add(int a, int b) => (int)Math.Min(int.MaxValue, (long)a + b);

    private static void EnsureStack()
    {
        if (!RuntimeHelpers.TryEnsureSufficientExecutionStack())
            throw new NinoSerializationException("The schema nests too deep to be decoded: it is damaged or was made to harm.");
    }

    /// <summary>A type on its way through Tarjan's algorithm.</summary>
    private sealed class Visit(PlanObject plan, int order)
    {
        public PlanObject Plan { get; } = plan;
        public int Order { get; } = order;
        public int LowLink { get; set; } = order;
        public bool IsOpen { get; set; } = true;
    }
}
