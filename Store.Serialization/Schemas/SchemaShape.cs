// Which types a schema holds, whether records of it can exist, and how many bytes their values take. No recursion over definitions: a hostile
// schema may chain very many.

using Store.Serialization.Codecs;

namespace Store.Serialization;

internal static class SchemaShape
{
    /// <summary>How deep nullables, lists and maps may nest in one node.</summary>
    public const int MaxNodeDepth = 32;

    /// <summary>How deep structs may lie in structs. Each level of a class, a list, a map, a nullable or a union has bytes of its own in the record; those of structs have none, so that a chain of fifty thousand costs whoever walks a record that much time, and a tree of values that much memory, for each of its bytes.</summary>
    public const int MaxStructDepth = 32;

    private const long MaxFixedBytes = 1 << 30;

    // Sixteen of the longest names.
    private const int MaxRootNameChars = 1 << 16;

    // More than what stands around the names of the parts, and than the name of a kind.
    private const int CharsAPart = 16;

    /// <summary>The definitions reached from a root, in the order in which they are first met: those of the root node, then those of the fields of each definition in turn.</summary>
    public static List<SchemaDefinition> Collect(SchemaNode root)
    {
        var found = new List<SchemaDefinition>();
        var known = new HashSet<SchemaDefinition>(ReferenceEqualityComparer.Instance);
        var names = new HashSet<(string, SchemaKind)>();
        CollectNode(root, 0);
        for (int i = 0; i < found.Count; i++)
        {
            if (found[i] is UnionDefinition union)
            {
                CheckCases(union);
                foreach (UnionCase one in union.Cases) CollectNode(one.Node, 0);
            }

            if (found[i] is not ObjectDefinition type) continue;
            CheckFields(type);
            foreach (SchemaField field in type.Fields) CollectNode(field.Node, 0);
        }

        return found;

        void CollectNode(SchemaNode node, int depth)
        {
            if (depth > MaxNodeDepth) throw new NinoSerializationException($"A schema nests collections deeper than {MaxNodeDepth}.");
            if (node.Kind == SchemaKind.Nullable && !CanBeAbsent(node.Element!)) throw new NinoSerializationException($"A schema has a nullable of the kind {node.Element!.Kind}, which has a null of its own.");
            if (node.Key is { } key) CollectNode(key, depth + 1);
            if (node.Element is { } element) CollectNode(element, depth + 1);
            if (node.Definition is { } definition && known.Add(definition))
            {
                // A base that is no abstract class is an object and a union of one name, and so is an enum beside its box where object is declared.
                if (!names.Add((definition.Name, SchemaNode.KindOf(definition)))) throw new NinoSerializationException($"A schema has two types named '{definition.Name}'. Give one of them another name with [NinoType(Name = ...)].");
                found.Add(definition);
            }
        }
    }

    /// <summary>Computes the sizes of every definition: first those of structs without structs inside, then those that wait for them. Refuses structs that contain themselves or lie too deep in one another.</summary>
    public static void Measure(List<SchemaDefinition> definitions)
    {
        var waiting = new Dictionary<ObjectDefinition, int>(ReferenceEqualityComparer.Instance);
        var waiters = new Dictionary<ObjectDefinition, List<ObjectDefinition>>(ReferenceEqualityComparer.Instance);
        var depths = new Dictionary<ObjectDefinition, int>(ReferenceEqualityComparer.Instance);
        var ready = new Queue<ObjectDefinition>();
        foreach (SchemaDefinition definition in definitions)
        {
            if (definition is not ObjectDefinition type) continue;
            int needs = 0;
            foreach (SchemaField field in type.Fields)
            {
                if (EmbeddedStruct(field.Node) is not { } inner) continue;
                if (!waiters.TryGetValue(inner, out List<ObjectDefinition>? list)) waiters.Add(inner, list = []);
                list.Add(type);
                needs++;
            }

            waiting.Add(type, needs);
            if (needs == 0) ready.Enqueue(type);
        }

        int measured = 0;
        while (ready.TryDequeue(out ObjectDefinition? type))
        {
            MeasureBody(type);
            measured++;
            if (!waiters.TryGetValue(type, out List<ObjectDefinition>? list)) continue;
            int depth = depths.GetValueOrDefault(type) + 1;
            foreach (ObjectDefinition waiter in list)
            {
                if (depth >= MaxStructDepth && !waiter.IsReference) throw new NinoSerializationException($"In a schema the struct '{waiter.Name}' has structs in structs deeper than {MaxStructDepth}, itself counted.");
                depths[waiter] = Math.Max(depths.GetValueOrDefault(waiter), depth);
                if (--waiting[waiter] == 0) ready.Enqueue(waiter);
            }
        }

        if (measured != waiting.Count)
        {
            string name = waiting.First(pair => pair.Value > 0).Key.Name;
            throw new NinoSerializationException($"In a schema the struct '{name}' contains itself: no value of it could end.");
        }
    }

    /// <summary>A root that is no type is named by its parts: a hostile one may have a name of some thousand characters for every three of its bytes.</summary>
    public static void CheckName(SchemaNode root)
    {
        long chars = CharsOfName(root);
        if (chars > MaxRootNameChars) throw new NinoSerializationException($"The root of a schema has a name of up to {chars} characters, made of those of its parts; at most {MaxRootNameChars} are allowed.");
    }

    private static long CharsOfName(SchemaNode node) =>
        node.Definition?.Name.Length ?? CharsAPart + (node.Key is { } key ? CharsOfName(key) : 0) + (node.Element is { } element ? CharsOfName(element) : 0);

    /// <summary>Bytes of every value, or 0 where values differ. Only after <see cref="Measure"/>.</summary>
    public static int FixedSizeOf(SchemaNode node) => node.Kind switch
    {
        SchemaKind.Boolean or SchemaKind.SByte or SchemaKind.Byte => 1,
        SchemaKind.Int16 or SchemaKind.UInt16 or SchemaKind.Half or SchemaKind.Char => 2,
        SchemaKind.Int32 or SchemaKind.UInt32 or SchemaKind.Single or SchemaKind.Rune or SchemaKind.DateOnly => 4,
        SchemaKind.Int64 or SchemaKind.UInt64 or SchemaKind.Double or SchemaKind.DateTime or SchemaKind.TimeSpan or SchemaKind.TimeOnly => 8,
        SchemaKind.DateTimeOffset => 10,
        SchemaKind.Int128 or SchemaKind.UInt128 or SchemaKind.Decimal or SchemaKind.Guid => 16,
        SchemaKind.Enum => WidthOf(((EnumDefinition)node.Definition!).Underlying),
        SchemaKind.Nullable => FixedSizeOf(node.Element!) is > 0 and int size ? 1 + size : 0,
        SchemaKind.Object when node.Definition is ObjectDefinition { IsReference: false } type => type.FixedBodySize,
        _ => 0,
    };

    /// <summary>Least bytes of any value, at least 1. Only after <see cref="Measure"/>.</summary>
    public static int MinSizeOf(SchemaNode node)
    {
        int size = FixedSizeOf(node);
        if (size > 0) return size;
        if (node.Kind == SchemaKind.BigInteger) return 2;
        return node.Definition switch
        {
            ObjectDefinition { IsReference: false } type => type.MinBodySize,
            UnionDefinition union => union.MinSize,
            _ => 1,
        };
    }

    private static int WidthOf(SchemaKind integer) => integer switch
    {
        SchemaKind.SByte or SchemaKind.Byte => 1,
        SchemaKind.Int16 or SchemaKind.UInt16 => 2,
        SchemaKind.Int32 or SchemaKind.UInt32 => 4,
        SchemaKind.Int64 or SchemaKind.UInt64 => 8,
        _ => throw new NinoSerializationException($"A schema has an enum on the kind {integer}, which is no integer."),
    };

    private static void MeasureBody(ObjectDefinition type)
    {
        bool isFixed = true;
        long least = 0;
        foreach (SchemaField field in type.Fields)
        {
            isFixed &= FixedSizeOf(field.Node) > 0;
            least += MinSizeOf(field.Node);
            if (least > MaxFixedBytes) throw new NinoSerializationException($"In a schema a value of '{type.Name}' takes more than {MaxFixedBytes} bytes.");
        }

        // An object without members takes one zero byte.
        least = Math.Max(least, 1);
        type.SetSizes(isFixed ? (int)least : 0, (int)least);
    }

    private static void CheckFields(ObjectDefinition type)
    {
        if (type is { KeepsReferences: true, IsReference: false }) throw new NinoSerializationException($"In a schema the struct '{type.Name}' keeps references, which only a class can.");
        var names = new HashSet<string>(StringComparer.Ordinal);
        var ids = new HashSet<int>(SeededHash.Instance);
        foreach (SchemaField field in type.Fields)
        {
            if (!names.Add(field.Name)) throw new NinoSerializationException($"In a schema the type '{type.Name}' has two fields named '{field.Name}'.");
            if (field.Id < 0 || (field.Id > 0 && !ids.Add(field.Id))) throw new NinoSerializationException($"In a schema the id {field.Id} of the field '{type.Name}.{field.Name}' is negative or used twice.");
        }
    }

    // Cases are objects in the order of their tags; a hash is that of the name. With lengths of cases there are no references: numbers given inside a skipped case would be missing.
    private static void CheckCases(UnionDefinition union)
    {
        if (union.Cases.Count == 0) throw new NinoSerializationException($"In a schema the union '{union.Name}' has no cases.");
        if (union.SkipsUnknown && union.KeepsReferences) throw new NinoSerializationException($"In a schema the union '{union.Name}' both skips unknown cases and keeps references.");
        var types = new HashSet<SchemaDefinition>(ReferenceEqualityComparer.Instance);
        for (int i = 0; i < union.Cases.Count; i++)
        {
            (uint tag, SchemaNode node) = union.Cases[i];
            if (node.Definition is not ObjectDefinition type) throw new NinoSerializationException($"In a schema a case of the union '{union.Name}' is of the kind {node.Kind}, not an object.");
            if (!types.Add(type)) throw new NinoSerializationException($"In a schema the union '{union.Name}' has the case '{type.Name}' twice.");
            if (i > 0 && tag <= union.Cases[i - 1].Tag) throw new NinoSerializationException($"In a schema the union '{union.Name}' has the tag {union.Describe(tag)} twice or out of order. Give its cases tags with [NinoUnion].");
            if (union.HasExplicitTags ? tag > int.MaxValue : tag != type.NameHash || tag == 0) throw new NinoSerializationException($"In a schema the tag {union.Describe(tag)} cannot be that of the case '{type.Name}' of the union '{union.Name}'.");
        }
    }

    /// <summary>No case that can be skipped holds numbered objects: whoever skips it would lose count.</summary>
    public static void CheckReferences(List<SchemaDefinition> definitions)
    {
        var holders = new Dictionary<SchemaDefinition, List<SchemaDefinition>>(ReferenceEqualityComparer.Instance);
        var unseen = new Queue<SchemaDefinition>();
        foreach (SchemaDefinition definition in definitions)
        {
            if (definition is ObjectDefinition { KeepsReferences: true }) unseen.Enqueue(definition);
            if (definition is ObjectDefinition type) foreach (SchemaField field in type.Fields) Hold(definition, field.Node);
            if (definition is UnionDefinition union) foreach (UnionCase one in union.Cases) Hold(definition, one.Node);
        }

        var seen = new HashSet<SchemaDefinition>(unseen, ReferenceEqualityComparer.Instance);
        while (unseen.TryDequeue(out SchemaDefinition? held))
        {
            if (held is UnionDefinition { SkipsUnknown: true }) throw new NinoSerializationException($"In a schema the union '{held.Name}' skips unknown cases, and a case of it holds objects to which references are kept: whoever skips it would lose count of them.");
            if (!holders.TryGetValue(held, out List<SchemaDefinition>? list)) continue;
            foreach (SchemaDefinition holder in list)
            {
                if (seen.Add(holder)) unseen.Enqueue(holder);
            }
        }

        void Hold(SchemaDefinition holder, SchemaNode node)
        {
            if (node.Key is { } key) Hold(holder, key);
            if (node.Element is { } element) Hold(holder, element);
            if (node.Definition is not { } held) return;
            if (!holders.TryGetValue(held, out List<SchemaDefinition>? list)) holders.Add(held, list = []);
            list.Add(holder);
        }
    }

    // Structs may be encoded as strings or lists (a JsonElement, a Memory<T>), and may be absent beside the null of their own that some have.
    private static bool CanBeAbsent(SchemaNode node) =>
        node.Kind is < SchemaKind.Nullable or SchemaKind.List or SchemaKind.Enum || node.Definition is ObjectDefinition { IsReference: false };

    private static ObjectDefinition? EmbeddedStruct(SchemaNode node)
    {
        SchemaNode inner = node.Kind == SchemaKind.Nullable ? node.Element! : node;
        return inner.Definition is ObjectDefinition { IsReference: false } type ? type : null;
    }
}
