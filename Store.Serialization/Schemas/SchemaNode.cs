namespace Store.Serialization;

/// <summary>One node of a schema: how one value is encoded. Immutable once its schema is built.</summary>
public sealed class SchemaNode
{
    private List<SchemaRule>? _rules;

    private SchemaNode(SchemaKind kind, SchemaNode? key, SchemaNode? element, SchemaDefinition? definition)
    {
        Kind = kind;
        Key = key;
        Element = element;
        Definition = definition;
    }

    /// <summary>How the value is encoded.</summary>
    public SchemaKind Kind { get; }

    /// <summary>The key of a <see cref="SchemaKind.Map"/>, else null.</summary>
    public SchemaNode? Key { get; }

    /// <summary>The element of a list or nullable, the value of a map, else null.</summary>
    public SchemaNode? Element { get; }

    /// <summary>The named type of an <see cref="SchemaKind.Object"/> (an <see cref="ObjectDefinition"/>), <see cref="SchemaKind.Enum"/> (an <see cref="EnumDefinition"/>) or <see cref="SchemaKind.Union"/> (a <see cref="UnionDefinition"/>), else null.</summary>
    public SchemaDefinition? Definition { get; private set; }

    /// <summary>True for an object of a reference type to which no references are kept: it starts with a presence byte; only as the element of a list, the list's header tells whether there are any nulls, and bodies are bare when there are none.</summary>
    public bool HasPresenceByte => Definition is ObjectDefinition { IsReference: true, KeepsReferences: false };

    /// <summary>True where null is part of the encoding: strings, lists, maps, unions, objects of reference types, and nullables. Null is <see cref="NullSize"/> zeros.</summary>
    public bool HasNull => Kind is SchemaKind.String or SchemaKind.Utf8String or SchemaKind.Nullable or SchemaKind.List or SchemaKind.Map or SchemaKind.Union || Definition is ObjectDefinition { IsReference: true };

    // What a value gets where none is stored, of a type without null whose encoding has one: a Memory<T> is a list, and null is none of its values. Known of the
    // program's own types only; no part of a schema's bytes.
    internal Func<byte[]>? Zero { get; private init; }

    // What the type demands of a value that its encoding does not say. No part of a schema's bytes either.
    internal IReadOnlyList<SchemaRule> Rules => _rules ?? (IReadOnlyList<SchemaRule>)[];

    /// <summary>Bytes of null, or 0 where there is none. Known once a schema with this node is built.</summary>
    public int NullSize => HasNull ? SchemaShape.MinSizeOf(this) : 0;

    /// <summary>Bytes of every value, or 0 where values differ. Known once a schema with this node is built.</summary>
    public int FixedSize => SchemaShape.FixedSizeOf(this);

    /// <summary>A node of a kind that stands for itself.</summary>
    public static SchemaNode Primitive(SchemaKind kind) =>
        kind < SchemaKind.Nullable ? new SchemaNode(kind, null, null, null) : throw new ArgumentOutOfRangeException(nameof(kind), kind, "This kind needs an element or a definition.");

    /// <summary>A value that may be absent.</summary>
    public static SchemaNode Nullable(SchemaNode element) => new(SchemaKind.Nullable, null, element, null);

    /// <summary>Elements in order.</summary>
    public static SchemaNode List(SchemaNode element) => new(SchemaKind.List, null, element, null);

    /// <summary>Pairs of key and value.</summary>
    public static SchemaNode Map(SchemaNode key, SchemaNode value) => new(SchemaKind.Map, key, value, null);

    /// <summary>A reference to a named type.</summary>
    public static SchemaNode Reference(SchemaDefinition definition) =>
        new(KindOf(definition), null, null, definition);

    internal SchemaNode WithZero(Func<byte[]> zero) => new(Kind, Key, Element, Definition) { Zero = zero, _rules = _rules };

    // Of a nullable the rule is that of the value; what has a name has the rules of its name.
    internal SchemaNode WithRule(SchemaRule rule) =>
        Kind == SchemaKind.Nullable ? new(Kind, null, Element!.WithRule(rule), null) { Zero = Zero }
        : Definition is not null ? this
        : new(Kind, Key, Element, null) { Zero = Zero, _rules = [.. Rules.Where(other => other != rule), rule] };

    // One that the node has not. Only before anybody else sees the node.
    internal void Demand(SchemaRule rule) => (_rules ??= []).Add(rule);

    internal static SchemaKind KindOf(SchemaDefinition definition) => definition switch
    {
        EnumDefinition => SchemaKind.Enum,
        UnionDefinition => SchemaKind.Union,
        _ => SchemaKind.Object,
    };

    // A reference whose definition comes later in the bytes of a schema; bound before anybody else sees the node.
    internal static SchemaNode Unbound(SchemaKind kind) => new(kind, null, null, null);

    internal void Bind(SchemaDefinition definition) => Definition = definition;
}
