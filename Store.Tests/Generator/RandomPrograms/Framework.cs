// The framework's types that members of random programs have: the rows of docs/types.md, and what each may be used for.

namespace Store.Tests.Generator.RandomPrograms;

/// <summary>What a type can do as a key.</summary>
internal enum Keys
{
    /// <summary>It is no key.</summary>
    None,

    /// <summary>A key of hashed collections.</summary>
    Hashed,

    /// <summary>A key of ordered ones, too.</summary>
    Ordered,
}

/// <summary>A type of the framework without type arguments.</summary>
internal sealed record FrameworkScalar(string Name, bool IsValue, Keys Keys)
{
    /// <summary>It is stored as a list, so a list of it is another thing than itself in a list.</summary>
    public bool IsList => Name.EndsWith("Collection", StringComparison.Ordinal);
}

/// <summary>A generic type of the framework.</summary>
/// <param name="Name">How it is spelled.</param>
/// <param name="Arity">How many type arguments it has.</param>
/// <param name="IsValue">It is a struct.</param>
/// <param name="Needs">What its first argument (of a priority queue, its last) has to be.</param>
/// <param name="IsFilled">Reading fills one that its object has made.</param>
internal sealed record FrameworkGeneric(string Name, int Arity, bool IsValue, Keys Needs, bool IsFilled);

internal static class Framework
{
    public static FrameworkScalar Int32 { get; } = Value("int", Keys.Ordered);

    public static FrameworkScalar String { get; } = Reference("string", Keys.Ordered);

    public static FrameworkScalar Object { get; } = Reference("object");

    public static IReadOnlyList<FrameworkScalar> Common { get; } =
    [
        Int32, String,
        .. new[] { "bool", "sbyte", "byte", "short", "ushort", "uint", "long", "ulong", "char", "decimal" }.Select(static name => Value(name, Keys.Ordered)),
        Value("float"), Value("double"),
        .. new[] { "Guid", "DateTime", "DateTimeOffset", "DateOnly", "TimeOnly", "TimeSpan" }.Select(static name => Value("global::System." + name, Keys.Ordered)),
    ];

    public static IReadOnlyList<FrameworkScalar> Rare { get; } =
    [
        Value("nint", Keys.Ordered), Value("nuint", Keys.Ordered), Value("global::System.Int128", Keys.Ordered), Value("global::System.UInt128", Keys.Ordered), Value("global::System.Half"),
        Value("global::System.Numerics.BigInteger", Keys.Ordered), Value("global::System.Text.Rune", Keys.Ordered), Value("global::System.Index", Keys.Hashed), Value("global::System.Range", Keys.Hashed),
        .. new[] { "Complex", "Vector2", "Vector3", "Vector4", "Quaternion", "Plane", "Matrix3x2", "Matrix4x4" }.Select(static name => Value("global::System.Numerics." + name)),
        .. new[] { "Point", "Size", "Rectangle" }.Select(static name => Value("global::System.Drawing." + name, Keys.Hashed)),
        .. new[] { "PointF", "SizeF", "RectangleF", "Color" }.Select(static name => Value("global::System.Drawing." + name)),
        Value("global::System.Collections.Specialized.BitVector32", Keys.Hashed), Reference("global::System.Collections.BitArray"), Reference("global::System.Text.StringBuilder"),
        Reference("global::System.Uri", Keys.Hashed), Reference("global::System.Version", Keys.Ordered), Reference("global::System.Globalization.CultureInfo"), Reference("global::System.Globalization.CompareInfo"), Reference("global::System.TimeZoneInfo"),
        Reference("global::System.Type", Keys.Hashed), Reference("global::System.Text.Encoding"), Reference("global::System.StringComparer"), Reference("global::System.Net.IPAddress", Keys.Hashed), Reference("global::System.Net.IPEndPoint", Keys.Hashed),
        Value("global::System.Text.Json.JsonElement"), Reference("global::System.Text.Json.Nodes.JsonNode"), Reference("global::System.Text.Json.Nodes.JsonObject"), Reference("global::System.Text.Json.Nodes.JsonArray"),
        Reference("global::System.Collections.Specialized.NameValueCollection"), Reference("global::System.Collections.Specialized.StringCollection"), Reference("global::System.Exception"), Value("global::System.ValueTuple"),
        Reference("global::Own.Seal"), Value("global::Own.Cents", Keys.Ordered), Value("global::Own.Label", Keys.Hashed), Reference("global::Own.Deed"), Value("global::Own.Mode", Keys.Ordered),
    ];

    public static FrameworkGeneric List { get; } = Plain("List", isFilled: true);

    public static IReadOnlyList<FrameworkGeneric> Usual { get; } =
    [
        List, Plain("HashSet", needs: Keys.Hashed, isFilled: true), Plain("Dictionary", 2, Keys.Hashed, isFilled: true), Plain("IReadOnlyList"), Plain("IEnumerable"), Plain("IList", isFilled: true),
        Plain("IDictionary", 2, Keys.Hashed, isFilled: true), Plain("IReadOnlyDictionary", 2, Keys.Hashed),
        Named("Immutable.ImmutableArray", isValue: true), Plain("KeyValuePair", 2, isValue: true),
    ];

    public static IReadOnlyList<FrameworkGeneric> Unusual { get; } =
    [
        .. new[] { "LinkedList", "Queue", "Stack", "ICollection" }.Select(static name => Plain(name, isFilled: true)), Plain("IReadOnlyCollection"),
        Plain("SortedSet", needs: Keys.Ordered, isFilled: true), Plain("ISet", needs: Keys.Hashed, isFilled: true), Plain("IReadOnlySet", needs: Keys.Hashed),
        Plain("SortedDictionary", 2, Keys.Ordered, isFilled: true), Plain("SortedList", 2, Keys.Ordered, isFilled: true), Plain("OrderedDictionary", 2, Keys.Hashed, isFilled: true),
        Plain("PriorityQueue", 2, Keys.Ordered, isFilled: true),
        Named("ObjectModel.Collection", isFilled: true), Named("ObjectModel.ObservableCollection", isFilled: true), Named("ObjectModel.ReadOnlyCollection"), Named("ObjectModel.ReadOnlyObservableCollection"),
        Named("ObjectModel.ReadOnlySet", needs: Keys.Hashed), Named("ObjectModel.ReadOnlyDictionary", 2, Keys.Hashed),
        Named("Concurrent.ConcurrentQueue", isFilled: true), Named("Concurrent.ConcurrentStack", isFilled: true), Named("Concurrent.ConcurrentBag", isFilled: true), Named("Concurrent.BlockingCollection", isFilled: true),
        Named("Concurrent.IProducerConsumerCollection"), Named("Concurrent.ConcurrentDictionary", 2, Keys.Hashed, isFilled: true),
        Named("Immutable.ImmutableList"), Named("Immutable.ImmutableQueue"), Named("Immutable.ImmutableStack"), Named("Immutable.ImmutableHashSet", needs: Keys.Hashed), Named("Immutable.ImmutableSortedSet", needs: Keys.Ordered),
        Named("Immutable.ImmutableDictionary", 2, Keys.Hashed), Named("Immutable.ImmutableSortedDictionary", 2, Keys.Ordered), Named("Frozen.FrozenSet", needs: Keys.Hashed), Named("Frozen.FrozenDictionary", 2, Keys.Hashed),
        Named("Immutable.IImmutableList"), Named("Immutable.IImmutableQueue"), Named("Immutable.IImmutableStack"), Named("Immutable.IImmutableSet", needs: Keys.Hashed), Named("Immutable.IImmutableDictionary", 2, Keys.Hashed),
        .. new[] { "Memory", "ReadOnlyMemory", "ArraySegment", "Buffers.ReadOnlySequence" }.Select(static name => new FrameworkGeneric("global::System." + name, 1, true, Keys.None, false)),
        new("global::Own.Basket", 1, false, Keys.None, true), new("global::Own.Line", 1, false, Keys.None, true), new("global::Own.Pile", 1, false, Keys.None, true), new("global::Own.Register", 2, false, Keys.Hashed, true),
        new("global::Own.Tags", 1, false, Keys.Hashed, true), new("global::Own.Three", 1, true, Keys.None, false), new("global::Own.Crate", 1, true, Keys.None, false),
        new("global::System.Lazy", 1, false, Keys.None, false), new("global::System.Tuple", 2, false, Keys.None, false),
        new("global::System.Linq.IGrouping", 2, false, Keys.None, false), new("global::System.Linq.ILookup", 2, false, Keys.Hashed, false),
    ];

    private static FrameworkScalar Value(string name, Keys keys = Keys.None) => new(name, true, keys);

    private static FrameworkScalar Reference(string name, Keys keys = Keys.None) => new(name, false, keys);

    private static FrameworkGeneric Plain(string name, int arity = 1, Keys needs = Keys.None, bool isFilled = false, bool isValue = false) =>
        new("global::System.Collections.Generic." + name, arity, isValue, needs, isFilled);

    private static FrameworkGeneric Named(string name, int arity = 1, Keys needs = Keys.None, bool isFilled = false, bool isValue = false) =>
        new("global::System.Collections." + name, arity, isValue, needs, isFilled);
}
