using Store.Serialization.Evolution;

namespace Store.Serialization;

/// <summary>
/// Collects the named types of one schema while codecs describe themselves, each type once. Where codecs of several assemblies write one type (a polymorphic base of which one knows more
/// cases, a generic type that holds such a base), each describes it, and the schema has one definition that is true of all (docs/formats/record.md, "Unions"). Not thread-safe.
/// </summary>
public sealed class SchemaBuilder
{
    // In the form of an object.
    private const int KeptReferences = 2;

    // The name and how values are encoded belong to the key: what differs there is another type of the schema.
    private readonly Dictionary<(Type Type, string Name, int Form), Described> _objects = [];
    private readonly Dictionary<(Type Type, string Name, int Form), Described> _unions = [];
    private readonly Dictionary<Type, SchemaNode> _enums = [];
    private readonly Dictionary<string, Described> _shapes = new(StringComparer.Ordinal);
    private readonly DescribedAgain _again = new();
    // The types under description, outermost first. One that throws leaves them as they are.
    private readonly List<string> _open = [];
    private bool _isForNames;
    private bool _isForCases;
    private bool _isWithoutObjects;

    /// <summary>A builder whose named types stay empty: what a codec is called is known without describing all that it reaches.</summary>
    internal static SchemaBuilder ForNames() => new() { _isForNames = true };

    /// <summary>A builder that describes no fields: which cases the codec of a base knows itself, whatever others know that it reaches.</summary>
    internal static SchemaBuilder ForCases() => new() { _isForCases = true };

    /// <summary>A builder to which what may stand where object is declared is nobody's part: what else a type is made of.</summary>
    internal static SchemaBuilder WithoutObjects() => new() { _isWithoutObjects = true };

    /// <summary>What a description ended with that threw, and how the type was reached; the builder is of no use after it.</summary>
    internal NinoSerializationException Reached(NinoSerializationException error) =>
        _open.Count < 2 ? error : new NinoSerializationException($"{error.Message} It is reached by '{string.Join("' > '", _open)}'.", error.InnerException ?? error) { TypeName = error.TypeName, IsOfHiddenMembers = error.IsOfHiddenMembers };

    /// <summary>The CLR types of the objects described so far.</summary>
    internal Dictionary<SchemaDefinition, Type> Types() => _objects.ToDictionary(static pair => pair.Value.Node.Definition!, static pair => pair.Key.Type);

    /// <summary>The schema of what was described here.</summary>
    /// <exception cref="InvalidOperationException">It holds two types of one name, as two assemblies have them.</exception>
    internal NinoSchema Create(SchemaNode root)
    {
        try
        {
            return NinoSchema.Create(root);
        }
        catch (ArgumentException error)
        {
            if (_objects.Keys.GroupBy(static key => (key.Type, key.Name)).FirstOrDefault(static keys => keys.Select(static key => key.Form & KeptReferences).Distinct().Count() > 1) is { Key.Name: { } twice }) throw new ArgumentException(DescribedAgain.ReferencesDiffer(twice), error);
            if (FindNamesakes() is not var (name, first, other)) throw;
            throw Namesakes.Contradiction($"A record of '{NinoSchema.NameOf(root)}' may hold two types named '{name}', {Namesakes.Both(first, other)}, and a schema tells types by their names. {Namesakes.Advice(first, other)}", error);
        }
    }

    private (string Name, Type First, Type Other)? FindNamesakes()
    {
        Dictionary<(string, SchemaKind), Type> known = [];
        foreach ((string name, SchemaKind kind, Type type) in _objects.Concat(_unions).Select(static pair => (pair.Key.Name, pair.Value.Node.Kind, pair.Key.Type))
            .Concat(_enums.Select(static pair => (pair.Value.Definition!.Name, pair.Value.Kind, pair.Key))))
        {
            if (!known.TryAdd((name, kind), type) && known[(name, kind)] is var first && first != type) return (name, first, type);
        }

        return null;
    }

    /// <summary>The node of a type with fields. <paramref name="describe"/> runs once for each codec of the type, when that is first met.</summary>
    /// <param name="type">The CLR type: the key by which a recursive type finds itself.</param>
    /// <param name="name">Its name in the schema.</param>
    /// <param name="isReference">True for a class.</param>
    /// <param name="describe">Adds the fields in encoding order. A method of the codec, or a lambda in one: by where it is declared codecs are told apart.</param>
    /// <param name="keepsReferences">True for a class whose objects are numbered.</param>
    /// <exception cref="ArgumentException">Codecs of several assemblies write the type in different ways.</exception>
    public SchemaNode Object(Type type, string name, bool isReference, Action<FieldList> describe, bool keepsReferences = false)
    {
        (Type, string, int) key = (type, name, (isReference ? 1 : 0) | (keepsReferences ? KeptReferences : 0));
        bool isFirst = !_objects.TryGetValue(key, out Described? known);
        if (isFirst) _objects.Add(key, known = new Described(SchemaNode.Reference(new ObjectDefinition(name, isReference, keepsReferences))));
        if (!known!.IsNewOf(describe) || _isForNames || _isForCases) return known.Node;

        DescribeObject(known.Node, isFirst, describe);
        return known.Node;
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
        bool isFirst = !_shapes.TryGetValue(name, out Described? known);
        if (isFirst) _shapes.Add(name, known = new Described(SchemaNode.Reference(new ObjectDefinition(name, isReference) { FormerNames = all[1..] })));
        if (!known!.IsNewOf(describe) || _isForNames) return known.Node;
        DescribeObject(known.Node, isFirst, describe);
        return known.Node;
    }

    /// <summary>
    /// The node of a polymorphic base. <paramref name="describe"/> runs once for each codec of the base, when that is first met; the definition has the cases of all of them, in the order of their tags.
    /// So it may allow a case where the codec of that place knows none: names of definitions are unique, and what a case is its tag says alone. The cases are a set, whichever codec is met first.
    /// </summary>
    /// <param name="type">The CLR type of the base. It may be an object of the schema too, where it is not abstract.</param>
    /// <param name="name">Its name in the schema.</param>
    /// <param name="form">How values are encoded.</param>
    /// <param name="describe">Adds the cases. A method of the codec, or a lambda in one: by where it is declared codecs are told apart.</param>
    /// <exception cref="ArgumentException">Codecs of several assemblies write a case in different ways.</exception>
    public SchemaNode Union(Type type, string name, UnionForm form, Action<CaseList> describe)
    {
        if (!_unions.TryGetValue((type, name, (int)form), out Described? known)) _unions.Add((type, name, (int)form), known = new Described(SchemaNode.Reference(new UnionDefinition(name, form))));
        if (!known.IsNewOf(describe) || _isForNames || (_isWithoutObjects && ((UnionDefinition)known.Node.Definition!).IsOfObjects)) return known.Node;
        var definition = (UnionDefinition)known.Node.Definition!;
        List<UnionCase> cases = [];
        _open.Add(name);
        describe(new CaseList(this, definition, cases));
        _open.RemoveAt(_open.Count - 1);
        _again.Merge(definition, cases);
        if (_open.Count == 0) _again.Settle();
        return known.Node;
    }

    /// <summary>The node of an enum. Members are put into the order of their values, then names.</summary>
    public SchemaNode Enum(Type type, string name, SchemaKind underlying, bool isFlags, IReadOnlyList<EnumMember> members)
    {
        if (_enums.TryGetValue(type, out SchemaNode? known)) return known;
        // Reflection promises no order among members of one value, and equal types must give equal schemas.
        EnumMember[] ordered = [.. members];
        Array.Sort(ordered, static (a, b) => a.Value != b.Value ? a.Value.CompareTo(b.Value) : string.CompareOrdinal(a.Name, b.Name));
        SchemaNode node = SchemaNode.Reference(new EnumDefinition(name, underlying, isFlags, ordered) { FormerNames = [.. SchemaNames.FormerNamesOn(type)] });
        _enums.Add(type, node);
        return node;
    }

    // Another codec's description counts for what it reaches; what it says itself has to be the same.
    private void DescribeObject(SchemaNode node, bool isFirst, Action<FieldList> describe)
    {
        var first = (ObjectDefinition)node.Definition!;
        ObjectDefinition definition = isFirst ? first : new ObjectDefinition(first.Name, first.IsReference, first.KeepsReferences);
        _open.Add(first.Name);
        describe(new FieldList(this, definition));
        _open.RemoveAt(_open.Count - 1);
        if (!isFirst) _again.Add(first, definition);
        if (_open.Count == 0) _again.Settle();
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
        public void FormerTypeNames(params string[] names) => _definition.FormerNames = [.. _definition.FormerNames.Union(names)];

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
        private readonly List<UnionCase> _cases;

        internal CaseList(SchemaBuilder builder, UnionDefinition definition, List<UnionCase> cases)
        {
            Builder = builder;
            _definition = definition;
            _cases = cases;
        }

        /// <summary>The builder, for the codecs of the cases.</summary>
        public SchemaBuilder Builder { get; }

        /// <summary>Says what the base was called in older records. Not part of the schema's bytes.</summary>
        public void FormerTypeNames(params string[] names) => _definition.FormerNames = [.. _definition.FormerNames.Union(names)];

        /// <summary>Adds a case.</summary>
        public void Add(uint tag, SchemaNode node) => _cases.Add(new UnionCase(tag, node));
    }

    // A type of the schema, and by which codecs it was described so far.
    private sealed class Described(SchemaNode node)
    {
        private readonly List<object> _by = new(1);

        public SchemaNode Node { get; } = node;

        /// <summary>True for a codec that has not described the type yet: told by the method, or by the class that holds its lambda, since a lambda with captures is another object each time.</summary>
        public bool IsNewOf(Delegate describe)
        {
            object codec = describe.Target?.GetType() ?? (object)describe;
            if (_by.Contains(codec)) return false;
            _by.Add(codec);
            return true;
        }
    }
}
