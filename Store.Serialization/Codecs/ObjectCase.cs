// One type that may stand where object is declared. A case of a union is an object of the schema; what is none (a number, a string, a list) is boxed: an
// object of the type's name with the one field "Value".

namespace Store.Serialization.Codecs;

/// <summary>One type that may stand where object is declared. All of an assembly are described with the first value of any, so what is not of one type alone is compiled here, once for all.</summary>
internal abstract class ObjectCase(Type type, string name)
{
    /// <summary>The one field of a box.</summary>
    public const string BoxedField = "Value";

    public Type Type { get; } = type;

    /// <summary>Its name in schemas.</summary>
    public string Name { get; } = name;

    /// <summary>Those that it, or a box of it, had.</summary>
    public IReadOnlyList<string> FormerNames { get; init; } = [];

    /// <summary>That and its former ones.</summary>
    public IReadOnlyList<string> Names { get; set; } = [name];

    public uint Tag { get; } = UnionDefinition.HashOf(name);

    /// <summary>Objects of classes derived from the type are of it.</summary>
    public bool IsUnion { get; init; }

    /// <summary>Why values of the type are refused, which then is no case of the schema: it, or what it is made of, keeps members to itself that would be lost. Null for all others.</summary>
    public string? Refusal { get; set; }

    /// <summary>A value may hold an object to which references are kept and which may lead back to itself.</summary>
    public abstract bool MayLeadToItself { get; }

    /// <summary>A value is no object of the schema itself, but the one field of a box.</summary>
    protected bool IsBoxed { get; private set; }

    /// <summary>A value counts as nesting, and does not count itself: an object does.</summary>
    protected bool IsNesting { get; private set; }

    /// <summary>The type's own node where it is an object of the type's name, else a box around it.</summary>
    public SchemaNode Describe(SchemaBuilder builder)
    {
        SchemaNode node = DescribeType(builder);
        IsBoxed = node.Definition is not ObjectDefinition own || own.Name != Name;
        if (IsBoxed) return Box(builder, node);
        // What a codec of one's own describes says nothing of the attributes of its type.
        node.Definition!.FormerNames = [.. node.Definition.FormerNames.Union(FormerNames)];
        return node;
    }

    /// <summary>Takes what the schema says: before the first value is written or read.</summary>
    public void LayOut(ObjectDefinition definition) => IsNesting = IsBoxed && definition.IsRecursive;

    public abstract void Write(ref NinoWriter writer, object value);

    public abstract object Read(ref NinoReader reader);

    protected abstract SchemaNode DescribeType(SchemaBuilder builder);

    /// <summary>Of a class of its own for each codec: by that the builder tells who describes (SchemaBuilder.Described).</summary>
    protected abstract SchemaNode Box(SchemaBuilder builder, SchemaNode node);
}

/// <inheritdoc/>
internal sealed class ObjectCase<T, TCodec>(string name) : ObjectCase(typeof(T), name) where TCodec : struct, INinoCodec<T>
{
    // 0 as long as nobody asked, 1 no, 2 yes.
    private int _mayLeadToItself;

    public override bool MayLeadToItself => (_mayLeadToItself == 0 ? Find() : _mayLeadToItself) == 2;

    private bool IsBare => !IsBoxed && TCodec.Form == CodecForm.Object;

    protected override SchemaNode DescribeType(SchemaBuilder builder) => TCodec.Describe(builder);

    protected override SchemaNode Box(SchemaBuilder builder, SchemaNode node) => builder.Shape(FormerNames.Prepend(Name), isReference: false, fields => fields.Add(BoxedField, 0, node));

    // A schema of its own: in that of all cases, types that have object members reach everything.
    private int Find()
    {
        var builder = new SchemaBuilder();
        SchemaNode root = TCodec.Describe(builder);
        builder.Create(root);
        return _mayLeadToItself = SchemaShape.Collect(root).Exists(static definition => definition is ObjectDefinition { KeepsReferences: true, IsRecursive: true }) ? 2 : 1;
    }

    public override void Write(ref NinoWriter writer, object value)
    {
        T item = (T)value;
        if (IsBare)
        {
            default(TCodec).WriteBody(ref writer, in item);
            return;
        }

        if (IsNesting) writer.Enter();
        default(TCodec).Write(ref writer, in item);
        if (IsNesting) writer.Leave();
    }

    public override object Read(ref NinoReader reader)
    {
        if (IsBare) return default(TCodec).ReadBody(ref reader)!;
        if (IsNesting) reader.Enter();
        object? value = default(TCodec).Read(ref reader);
        if (IsNesting) reader.Leave();
        if (value is null) Throw.NullCase();
        return value;
    }
}
