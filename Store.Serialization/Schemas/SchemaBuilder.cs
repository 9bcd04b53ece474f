using System.Reflection;
using Store.Serialization.Evolution;

namespace Store.Serialization;

/// <summary>Collects the named types of one schema while codecs describe themselves, each type once. Not thread-safe.</summary>
public sealed class SchemaBuilder
{
    private readonly Dictionary<Type, SchemaNode> _named = [];
    private readonly Dictionary<string, SchemaNode> _shapes = new(StringComparer.Ordinal);
    private readonly Dictionary<Type, SchemaNode> _unions = [];
    private bool _isForNames;

    /// <summary>A builder whose named types stay empty: what a codec is called is known without describing all that it reaches.</summary>
    internal static SchemaBuilder ForNames() => new() { _isForNames = true };

    /// <summary>The node of a type with fields. <paramref name="describe"/> runs once, when the type is first seen.</summary>
    /// <param name="type">The CLR type: the key by which a recursive type finds itself.</param>
    /// <param name="name">Its name in the schema.</param>
    /// <param name="isReference">True for a class.</param>
    /// <param name="describe">Adds the fields in encoding order.</param>
    /// <param name="keepsReferences">True for a class whose objects are numbered.</param>
    public SchemaNode Object(Type type, string name, bool isReference, Action<FieldList> describe, bool keepsReferences = false)
    {
        if (_named.TryGetValue(type, out SchemaNode? known)) return known;
        var definition = new ObjectDefinition(name, isReference, keepsReferences);
        SchemaNode node = SchemaNode.Reference(definition);
        _named.Add(type, node);
        if (!_isForNames) describe(new FieldList(this, definition));
        return node;
    }

    /// <inheritdoc cref="Shape(IEnumerable{string}, bool, Action{FieldList})"/>
    internal SchemaNode Shape(string name, bool isReference, Action<FieldList> describe) => Shape([name], isReference, describe);

    /// <summary>
    /// The node of a type that is called by its structure, such as <c>Int32[,]</c>: different types of one structure (a grid of arrays, one of lists) are one
    /// type of the schema. The name says all there is to know of the fields. It was another where types that it names had others.
    /// </summary>
    internal SchemaNode Shape(IEnumerable<string> names, bool isReference, Action<FieldList> describe)
    {
        string[] all = [.. names];
        string name = all[0];
        if (_shapes.TryGetValue(name, out SchemaNode? known)) return known;
        var definition = new ObjectDefinition(name, isReference) { FormerNames = all[1..] };
        SchemaNode node = SchemaNode.Reference(definition);
        _shapes.Add(name, node);
        if (!_isForNames) describe(new FieldList(this, definition));
        return node;
    }

    /// <summary>The node of a polymorphic base. <paramref name="describe"/> runs once, when the base is first seen; cases are put into the order of their tags.</summary>
    /// <param name="type">The CLR type of the base. It may be an object of the schema too, where it is not abstract.</param>
    /// <param name="name">Its name in the schema.</param>
    /// <param name="form">How values are encoded.</param>
    /// <param name="describe">Adds the cases.</param>
    public SchemaNode Union(Type type, string name, UnionForm form, Action<CaseList> describe)
    {
        if (_unions.TryGetValue(type, out SchemaNode? known)) return known;
        var definition = new UnionDefinition(name, form);
        SchemaNode node = SchemaNode.Reference(definition);
        _unions.Add(type, node);
        if (!_isForNames) describe(new CaseList(this, definition));
        definition.Sort();
        return node;
    }

    /// <summary>The node of an enum. Members are put into the order of their values, then names.</summary>
    public SchemaNode Enum(Type type, string name, SchemaKind underlying, bool isFlags, IReadOnlyList<EnumMember> members)
    {
        if (_named.TryGetValue(type, out SchemaNode? known)) return known;
        // Reflection promises no order among members of one value, and equal types must give equal schemas.
        EnumMember[] ordered = [.. members];
        Array.Sort(ordered, static (a, b) => a.Value != b.Value ? a.Value.CompareTo(b.Value) : string.CompareOrdinal(a.Name, b.Name));
        SchemaNode node = SchemaNode.Reference(new EnumDefinition(name, underlying, isFlags, ordered) { FormerNames = [.. type.GetCustomAttributes<NinoFormerNameAttribute>(inherit: false).Select(static former => former.Name)] });
        _named.Add(type, node);
        return node;
    }

    /// <summary>The fields of one type under description.</summary>
    public readonly struct FieldList
    {
        private readonly ObjectDefinition _definition;

        internal FieldList(SchemaBuilder builder, ObjectDefinition definition)
        {
            Builder = builder;
            _definition = definition;
        }

        /// <summary>The builder, for the codecs of the fields.</summary>
        public SchemaBuilder Builder { get; }

        /// <summary>Adds the next field in encoding order.</summary>
        /// <param name="name">Name of the member.</param>
        /// <param name="id">Its identity, or 0.</param>
        /// <param name="node">How it is encoded.</param>
        /// <param name="isRequired">True when records without the field cannot be read as this type.</param>
        /// <param name="formerNames">What the member was called in older records.</param>
        public void Add(string name, int id, SchemaNode node, bool isRequired = false, params string[] formerNames) =>
            _definition.Add(new SchemaField(name, id, node) { IsRequired = isRequired, FormerNames = formerNames });

        /// <summary>Says what the type was called in older records. Not part of the schema's bytes.</summary>
        public void FormerTypeNames(params string[] names) => _definition.FormerNames = names;

        /// <summary>Says what a new object looks like before any member is set: members that older records lack get its values. Not part of the schema's bytes.</summary>
        /// <typeparam name="T">The type.</typeparam>
        /// <param name="create">Makes such an object. Called when older records are first met, then once for each of their schemas. What it throws is taken for a refusal: then members are zero or null.</param>
        /// <param name="encode">Encodes one field of it, given the number of the field in the order of the encoding. A field that has no encoding is zero or null.</param>
        public void Defaults<T>(Func<T> create, Func<T, int, byte[]> encode)
        {
            ObjectDefinition definition = _definition;
            definition.NewFields = () => DefaultFields.Encode(create, encode, definition.Fields.Count);
        }
    }

    /// <summary>The cases of one polymorphic base under description.</summary>
    public readonly struct CaseList
    {
        private readonly UnionDefinition _definition;

        internal CaseList(SchemaBuilder builder, UnionDefinition definition)
        {
            Builder = builder;
            _definition = definition;
        }

        /// <summary>The builder, for the codecs of the cases.</summary>
        public SchemaBuilder Builder { get; }

        /// <summary>Says what the base was called in older records. Not part of the schema's bytes.</summary>
        public void FormerTypeNames(params string[] names) => _definition.FormerNames = names;

        /// <summary>Adds a case.</summary>
        public void Add(uint tag, SchemaNode node) => _definition.Add(new UnionCase(tag, node));
    }
}
