using System.Text;

namespace Store.Serialization.Values;

/// <summary>One node of a <see cref="RecordPlan"/>: a schema node with what decoding needs worked out. Immutable once its plan is built.</summary>
internal sealed class PlanNode(SchemaNode schema)
{
    public SchemaNode Schema { get; } = schema;

    public SchemaKind Kind { get; } = schema.Kind;

    /// <summary>How a scalar's bytes are to be read: the kind, or the number below an enum.</summary>
    public SchemaKind NumberKind { get; init; } = schema.Kind;

    /// <summary>Bytes of every value, 0 where values differ. Saturated at <see cref="int.MaxValue"/>, which is longer than any record.</summary>
    public int FixedSize { get; internal set; }

    /// <summary>Least bytes of a value, presence byte included. At least 1.</summary>
    public int MinSize { get; internal set; }

    public PlanNode? Key { get; init; }

    public PlanNode? Element { get; init; }

    public PlanObject? Object { get; init; }

    public EnumNames? Enum { get; init; }

    /// <summary>True for a list whose header tells whether it holds nulls.</summary>
    public bool HasNullsFlag => Element?.Object is { IsReference: true } && Kind == SchemaKind.List;

    /// <summary>True when a value of this kind can stand as a JSON property name and different values are different names.</summary>
    public bool CanBeName => Kind is SchemaKind.String or SchemaKind.Char or SchemaKind.Rune or SchemaKind.Guid or SchemaKind.Enum or (>= SchemaKind.SByte and <= SchemaKind.UInt128);
}

/// <summary>The fields of one named type.</summary>
internal sealed class PlanObject(ObjectDefinition definition)
{
    public ObjectDefinition Definition { get; } = definition;

    public bool IsReference { get; } = definition.IsReference;

    public PlanField[] Fields { get; internal set; } = [];

    /// <summary>Least bytes of a value without its presence byte; 0 until measured, then at least 1.</summary>
    public int MinBodySize { get; internal set; }

    /// <summary>Bytes of every value without its presence byte, 0 where they differ.</summary>
    public int FixedBodySize { get; internal set; }

    /// <summary>True when values can hold values of the same type: only those count against <see cref="NinoLimits.MaxDepth"/>, as in generated code.</summary>
    public bool IsRecursive { get; internal set; }
}

/// <summary>One field. Names are unique within their type: a second field of a name gets a suffix.</summary>
internal readonly struct PlanField(string name, PlanNode node)
{
    public string Name { get; } = name;

    public byte[] Utf8Name { get; } = Encoding.UTF8.GetBytes(name);

    public PlanNode Node { get; } = node;
}
