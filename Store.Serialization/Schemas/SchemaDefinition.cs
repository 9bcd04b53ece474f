namespace Store.Serialization;

/// <summary>A named type of a schema.</summary>
/// <param name="name">The name records of this type are found by: the CLR full name unless <see cref="NinoTypeAttribute.Name"/> sets another.</param>
public abstract class SchemaDefinition(string name)
{
    /// <summary>The name.</summary>
    public string Name { get; } = name;

    // True when a value may hold values of its own type at some depth: these count depth. Known once a schema with this definition is built.
    internal bool IsRecursive { get; set; }

    // What the type was called in older schemas. Known of the program's own types only; not part of a schema's bytes.
    internal IReadOnlyList<string> FormerNames { get; set; } = [];
}

/// <summary>A type with fields, in the order in which they are encoded: fixed-width ones first, then the others.</summary>
/// <param name="name">Its name.</param>
/// <param name="isReference">True for a class: a value of it may be null.</param>
/// <param name="keepsReferences">True for a class whose objects are numbered, so that one that occurs again is a number.</param>
public sealed class ObjectDefinition(string name, bool isReference, bool keepsReferences = false) : SchemaDefinition(name)
{
    private readonly List<SchemaField> _fields = [];
    private long _nameHash = -1;

    /// <summary>True for a class: a value of it may be null and has a presence byte, or a reference in its place.</summary>
    public bool IsReference { get; } = isReference;

    /// <summary>True for a class whose objects are numbered, so that one that occurs again is a number (<see cref="NinoTypeAttribute.References"/>).</summary>
    public bool KeepsReferences { get; } = keepsReferences;

    /// <summary>The fields in encoding order.</summary>
    public IReadOnlyList<SchemaField> Fields => _fields;

    // Bytes of every body, or 0 where bodies differ; and least bytes of any body. Known once a schema with this definition is built.
    internal int FixedBodySize { get; private set; }

    internal int MinBodySize { get; private set; }

    // The tag as a case of unions that give none; computed once, as one type may be a case of very many.
    internal uint NameHash => (uint)(_nameHash >= 0 ? _nameHash : _nameHash = UnionDefinition.HashOf(Name));

    // The members of a new object: from where members that older records lack take their values. Known of the program's own types only; not part of a schema's bytes.
    internal Func<byte[]?[]>? NewFields { get; set; }

    internal void Add(SchemaField field) => _fields.Add(field);

    internal void SetSizes(int fixedBodySize, int minBodySize)
    {
        FixedBodySize = fixedBodySize;
        MinBodySize = minBodySize;
    }
}

/// <summary>One field of an <see cref="ObjectDefinition"/>.</summary>
/// <param name="Name">Name of the property or field.</param>
/// <param name="Id">Identity given by <see cref="NinoMemberAttribute"/>, or 0 where the name is the identity.</param>
/// <param name="Node">How it is encoded.</param>
public sealed record SchemaField(string Name, int Id, SchemaNode Node)
{
    // True when records without the field cannot be read; and what it was called in older schemas. Known of the program's own types only.
    internal bool IsRequired { get; init; }

    internal IReadOnlyList<string> FormerNames { get; init; } = [];
}

/// <summary>An enum: encoded as its underlying number. Its members are for display only and not part of the fingerprint, so adding one changes no format.</summary>
/// <param name="name">Its name.</param>
/// <param name="underlying">The kind of the number.</param>
/// <param name="isFlags">True when values combine.</param>
/// <param name="members">Names and values; an unsigned 64-bit value is stored as the same bits.</param>
public sealed class EnumDefinition(string name, SchemaKind underlying, bool isFlags, IReadOnlyList<EnumMember> members) : SchemaDefinition(name)
{
    /// <summary>The kind of the number.</summary>
    public SchemaKind Underlying { get; } = underlying;

    /// <summary>True when values combine.</summary>
    public bool IsFlags { get; } = isFlags;

    /// <summary>Names and values.</summary>
    public IReadOnlyList<EnumMember> Members { get; } = members;
}

/// <summary>One member of an <see cref="EnumDefinition"/>.</summary>
/// <param name="Name">Its name.</param>
/// <param name="Value">Its value; of an unsigned 64-bit enum the same bits.</param>
public readonly record struct EnumMember(string Name, long Value);
