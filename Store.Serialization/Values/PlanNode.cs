using System.Text;

namespace Store.Serialization.Values;

/// <summary>One node of a <see cref="RecordPlan"/>: a schema node with what decoding needs worked out. Immutable.</summary>
internal sealed class PlanNode(SchemaNode schema)
{
    public SchemaNode Schema { get; } = schema;

    public SchemaKind Kind { get; } = schema.Kind;

    /// <summary>How a scalar's bytes are to be read: the kind, or the number below an enum.</summary>
    public SchemaKind NumberKind { get; } = schema.Definition is EnumDefinition e ? e.Underlying : schema.Kind;

    /// <summary>Bytes of every value, 0 where values differ.</summary>
    public int FixedSize { get; } = SchemaShape.FixedSizeOf(schema);

    /// <summary>Least bytes of a value, presence byte included. At least 1.</summary>
    public int MinSize { get; } = SchemaShape.MinSizeOf(schema);

    public PlanNode? Key { get; init; }

    public PlanNode? Element { get; init; }

    public PlanObject? Object { get; init; }

    public EnumNames? Enum { get; init; }

    public PlanUnion? Union { get; init; }

    /// <summary>True for an object that is numbered, and stored as its number when it occurs again.</summary>
    public bool KeepsReferences { get; } = schema.Definition is ObjectDefinition { KeepsReferences: true };

    /// <summary>True when a value of this kind can stand as a JSON property name and different values are different names.</summary>
    public bool CanBeName => IsName(Kind);

    /// <inheritdoc cref="CanBeName"/>
    public static bool IsName(SchemaKind kind) => kind is SchemaKind.String or SchemaKind.Utf8String or SchemaKind.Char or SchemaKind.Rune or SchemaKind.Guid or SchemaKind.Enum or (>= SchemaKind.SByte and <= SchemaKind.UInt128);
}

/// <summary>The fields of one named type.</summary>
internal sealed class PlanObject(ObjectDefinition definition)
{
    public ObjectDefinition Definition { get; } = definition;

    public PlanField[] Fields { get; internal set; } = [];

    /// <summary>True when values can hold values of the same type: only those count against <see cref="NinoLimits.MaxDepth"/>, as in generated code.</summary>
    public bool IsRecursive => Definition.IsRecursive;
}

/// <summary>The cases of one polymorphic base.</summary>
internal sealed class PlanUnion(UnionDefinition definition)
{
    public UnionDefinition Definition { get; } = definition;

    /// <summary>By the type of the case.</summary>
    public Dictionary<SchemaDefinition, PlanNode> Cases { get; internal set; } = [];
}

/// <summary>One field.</summary>
internal readonly struct PlanField(string name, PlanNode node)
{
    public string Name { get; } = name;

    /// <summary>Its property in JSON: of a name that begins with $ one more stands in front, so that none is that of what JSON says of the object besides.</summary>
    public byte[] JsonName { get; } = Encoding.UTF8.GetBytes(name.StartsWith('$') ? "$" + name : name);

    public PlanNode Node { get; } = node;
}
