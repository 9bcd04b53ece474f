// One type that may stand where object is declared. A case of a union is an object of the schema; what is none (a number, a string, a list) is boxed: an
// object of the type's name with the one field "Value".

namespace Store.Serialization.Codecs;

/// <summary>One type that may stand where object is declared.</summary>
internal abstract class ObjectCase(Type type, string name)
{
    public Type Type { get; } = type;

    /// <summary>Its name in schemas.</summary>
    public string Name { get; } = name;

    /// <summary>That and its former ones.</summary>
    public IReadOnlyList<string> Names { get; set; } = [name];

    public uint Tag { get; } = UnionDefinition.HashOf(name);

    /// <summary>Objects of classes derived from the type are of it.</summary>
    public bool IsUnion { get; init; }

    /// <summary>Why values of the type are refused, which then is no case of the schema: it, or what it is made of, keeps members to itself that would be lost. Null for all others.</summary>
    public string? Refusal { get; set; }

    /// <summary>A value may hold an object to which references are kept and which may lead back to itself.</summary>
    public abstract bool MayLeadToItself { get; }

    /// <summary>The type's own node where it is an object of the type's name, else a box around it.</summary>
    public abstract SchemaNode Describe(SchemaBuilder builder);

    /// <summary>Takes what the schema says: before the first value is written or read.</summary>
    public abstract void LayOut(ObjectDefinition definition);

    public abstract void Write(ref NinoWriter writer, object value);

    public abstract object Read(ref NinoReader reader);
}

/// <inheritdoc/>
internal sealed class ObjectCase<T, TCodec>(string name) : ObjectCase(typeof(T), name) where TCodec : struct, INinoCodec<T>
{
    private bool _isBoxed;
    private bool _isBare;
    private bool _isNesting;

    // 0 as long as nobody asked, 1 no, 2 yes.
    private int _mayLeadToItself;

    public override bool MayLeadToItself => (_mayLeadToItself == 0 ? Find() : _mayLeadToItself) == 2;

    public override SchemaNode Describe(SchemaBuilder builder)
    {
        SchemaNode node = TCodec.Describe(builder);
        _isBoxed = node.Definition is not ObjectDefinition own || own.Name != Name;
        return _isBoxed ? builder.Shape(Name, isReference: false, fields => fields.Add("Value", 0, node)) : node;
    }

    public override void LayOut(ObjectDefinition definition)
    {
        _isBare = !_isBoxed && TCodec.Form == CodecForm.Object;
        // An object counts its depth itself.
        _isNesting = _isBoxed && definition.IsRecursive;
    }

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
        if (_isBare)
        {
            default(TCodec).WriteBody(ref writer, in item);
            return;
        }

        if (_isNesting) writer.Enter();
        default(TCodec).Write(ref writer, in item);
        if (_isNesting) writer.Leave();
    }

    public override object Read(ref NinoReader reader)
    {
        if (_isBare) return default(TCodec).ReadBody(ref reader)!;
        if (_isNesting) reader.Enter();
        object? value = default(TCodec).Read(ref reader);
        if (_isNesting) reader.Leave();
        if (value is null) Throw.NullCase();
        return value;
    }
}
