// Which types a schema holds, whether records of it can exist, and how many bytes their values take. No recursion over definitions: a hostile
// schema may chain very many.

namespace Store.Serialization;

internal static class SchemaShape
{
    /// <summary>How deep nullables, lists and maps may nest in one node.</summary>
    public const int MaxNodeDepth = 32;

    private const long MaxFixedBytes = 1 << 30;

    /// <summary>The definitions reached from a root, in the order in which they are first met: those of the root node, then those of the fields of each definition in turn.</summary>
    public static List<SchemaDefinition> Collect(SchemaNode root)
    {
        var found = new List<SchemaDefinition>();
        var known = new HashSet<SchemaDefinition>(ReferenceEqualityComparer.Instance);
        var names = new HashSet<string>(StringComparer.Ordinal);
        CollectNode(root, 0);
        for (int i = 0; i < found.Count; i++)
        {
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
                if (!names.Add(definition.Name)) throw new NinoSerializationException($"A schema has two types named '{definition.Name}'. Give one of them another name with [NinoType(Name = ...)].");
                found.Add(definition);
            }
        }
    }

    /// <summary>Computes the sizes of every definition: first those of structs without structs inside, then those that wait for them.</summary>
    public static void Measure(List<SchemaDefinition> definitions)
    {
        var waiting = new Dictionary<ObjectDefinition, int>(ReferenceEqualityComparer.Instance);
        var waiters = new Dictionary<ObjectDefinition, List<ObjectDefinition>>(ReferenceEqualityComparer.Instance);
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
            foreach (ObjectDefinition waiter in list)
            {
                if (--waiting[waiter] == 0) ready.Enqueue(waiter);
            }
        }

        if (measured != waiting.Count)
        {
            string name = waiting.First(pair => pair.Value > 0).Key.Name;
            throw new NinoSerializationException($"In a schema the struct '{name}' contains itself: no value of it could end.");
        }
    }

    /// <summary>Marks the types that can hold themselves: what is left after taking away, again and again, types that hold no type left and types that no type left holds.</summary>
    public static void MarkRecursive(List<SchemaDefinition> definitions)
    {
        var holds = new Dictionary<ObjectDefinition, List<ObjectDefinition>>(ReferenceEqualityComparer.Instance);
        var heldBy = new Dictionary<ObjectDefinition, List<ObjectDefinition>>(ReferenceEqualityComparer.Instance);
        foreach (ObjectDefinition type in definitions.OfType<ObjectDefinition>())
        {
            type.IsRecursive = true;
            holds.Add(type, []);
            heldBy.Add(type, []);
        }

        foreach (ObjectDefinition type in holds.Keys)
        {
            foreach (SchemaField field in type.Fields) Connect(type, field.Node);
        }

        Peel(holds, heldBy);
        Peel(heldBy, holds);

        void Connect(ObjectDefinition type, SchemaNode node)
        {
            if (node.Key is { } key) Connect(type, key);
            if (node.Element is { } element) Connect(type, element);
            if (node.Definition is not ObjectDefinition inner) return;
            holds[type].Add(inner);
            heldBy[inner].Add(type);
        }

        static void Peel(Dictionary<ObjectDefinition, List<ObjectDefinition>> forward, Dictionary<ObjectDefinition, List<ObjectDefinition>> backward)
        {
            var left = forward.Where(static pair => pair.Key.IsRecursive).ToDictionary(static pair => pair.Key, static pair => pair.Value.Count(static type => type.IsRecursive));
            var ready = new Queue<ObjectDefinition>(left.Where(static pair => pair.Value == 0).Select(static pair => pair.Key));
            while (ready.TryDequeue(out ObjectDefinition? type))
            {
                type.IsRecursive = false;
                foreach (ObjectDefinition other in backward[type])
                {
                    if (other.IsRecursive && --left[other] == 0) ready.Enqueue(other);
                }
            }
        }
    }

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
        return node.Definition is ObjectDefinition { IsReference: false } type ? type.MinBodySize : 1;
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
        var names = new HashSet<string>(StringComparer.Ordinal);
        var ids = new HashSet<int>();
        foreach (SchemaField field in type.Fields)
        {
            if (!names.Add(field.Name)) throw new NinoSerializationException($"In a schema the type '{type.Name}' has two fields named '{field.Name}'.");
            if (field.Id < 0 || (field.Id > 0 && !ids.Add(field.Id))) throw new NinoSerializationException($"In a schema the id {field.Id} of the field '{type.Name}.{field.Name}' is negative or used twice.");
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
