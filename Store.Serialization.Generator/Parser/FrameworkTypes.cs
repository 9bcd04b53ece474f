// The tables of framework types: which have a codec in Store.Serialization, under which name and how wide, and which never will and why.
// docs/types.md shows the same to users; a test compares. The engine's own tables of types without arguments are Codecs/BuiltInCodecs.cs and FrameworkCodecs.cs.

namespace Store.Serialization.Generator.Parser;

internal static class FrameworkTypes
{
    private const string Handle = "a handle has no meaning outside the process; store a name of your own and look the type or member up in a table";

    /// <summary>Types without arguments, by their C# name: the codec (an @ stands for the namespace of codecs) and its width in bytes, 0 where values differ.</summary>
    public static readonly IReadOnlyDictionary<string, (string Codec, int FixedSize)> Simple = new Dictionary<string, (string, int)>
    {
        ["bool"] = ("@BooleanCodec", 1),
        ["sbyte"] = ("@SByteCodec", 1),
        ["byte"] = ("@ByteCodec", 1),
        ["short"] = ("@Int16Codec", 2),
        ["ushort"] = ("@UInt16Codec", 2),
        ["int"] = ("@Int32Codec", 4),
        ["uint"] = ("@UInt32Codec", 4),
        ["long"] = ("@Int64Codec", 8),
        ["ulong"] = ("@UInt64Codec", 8),
        ["nint"] = ("@NativeIntegerCodec<nint, long>", 8),
        ["nuint"] = ("@NativeIntegerCodec<nuint, ulong>", 8),
        ["global::System.IntPtr"] = ("@NativeIntegerCodec<nint, long>", 8),
        ["global::System.UIntPtr"] = ("@NativeIntegerCodec<nuint, ulong>", 8),
        ["global::System.Int128"] = ("@Int128Codec", 16),
        ["global::System.UInt128"] = ("@UInt128Codec", 16),
        ["global::System.Numerics.BigInteger"] = ("@BigIntegerCodec", 0),
        ["global::System.Half"] = ("@HalfCodec", 2),
        ["float"] = ("@SingleCodec", 4),
        ["double"] = ("@DoubleCodec", 8),
        ["decimal"] = ("@DecimalCodec", 16),
        ["global::System.Numerics.Complex"] = Components("Numerics.Complex", 16),
        ["global::System.Numerics.Vector2"] = Components("Numerics.Vector2", 8),
        ["global::System.Numerics.Vector3"] = Components("Numerics.Vector3", 12),
        ["global::System.Numerics.Vector4"] = Components("Numerics.Vector4", 16),
        ["global::System.Numerics.Quaternion"] = Components("Numerics.Quaternion", 16),
        ["global::System.Numerics.Plane"] = Components("Numerics.Plane", 16),
        ["global::System.Numerics.Matrix3x2"] = Components("Numerics.Matrix3x2", 24),
        ["global::System.Numerics.Matrix4x4"] = Components("Numerics.Matrix4x4", 64),
        ["global::System.Drawing.Point"] = Components("Drawing.Point", 8),
        ["global::System.Drawing.PointF"] = Components("Drawing.PointF", 8),
        ["global::System.Drawing.Size"] = Components("Drawing.Size", 8),
        ["global::System.Drawing.SizeF"] = Components("Drawing.SizeF", 8),
        ["global::System.Drawing.Rectangle"] = Components("Drawing.Rectangle", 16),
        ["global::System.Drawing.RectangleF"] = Components("Drawing.RectangleF", 16),
        ["char"] = ("@CharCodec", 2),
        ["global::System.Text.Rune"] = ("@RuneCodec", 4),
        ["global::System.Guid"] = ("@GuidCodec", 16),
        ["global::System.DateTime"] = ("@DateTimeCodec", 8),
        ["global::System.DateTimeOffset"] = ("@DateTimeOffsetCodec", 10),
        ["global::System.TimeSpan"] = ("@TimeSpanCodec", 8),
        ["global::System.DateOnly"] = ("@DateOnlyCodec", 4),
        ["global::System.TimeOnly"] = ("@TimeOnlyCodec", 8),
        ["global::System.Index"] = ("@IndexCodec", 5),
        ["global::System.Range"] = ("@RangeCodec", 10),
        ["global::System.Collections.Specialized.BitVector32"] = ("@BitVector32Codec", 4),
        ["string"] = ("@StringCodec", 0),
        ["global::System.Text.StringBuilder"] = Text("System.Text.StringBuilder", "StringBuilder"),
        ["global::System.Uri"] = Text("System.Uri", "Uri"),
        ["global::System.Version"] = Text("System.Version", "Version"),
        ["global::System.Collections.BitArray"] = ("@BitArrayCodec", 0),
        ["global::System.Globalization.CultureInfo"] = Text("System.Globalization.CultureInfo", "Culture"),
        ["global::System.Globalization.CompareInfo"] = Text("System.Globalization.CompareInfo", "Compare"),
        ["global::System.TimeZoneInfo"] = Text("System.TimeZoneInfo", "TimeZone"),
        ["global::System.Text.Encoding"] = Text("System.Text.Encoding", "Encoding"),
        ["global::System.StringComparer"] = Text("System.StringComparer", "Comparer"),
        ["global::System.Collections.Generic.IEqualityComparer<string>"] = Text("System.Collections.Generic.IEqualityComparer<string>", "Comparer"),
        ["global::System.Collections.Generic.IComparer<string>"] = Text("System.Collections.Generic.IComparer<string>", "Comparer"),
        ["global::System.Net.IPAddress"] = Text("System.Net.IPAddress", "IPAddress"),
        ["global::System.Net.IPEndPoint"] = Text("System.Net.IPEndPoint", "IPEndPoint"),
        ["global::System.Drawing.Color"] = Text("System.Drawing.Color", "Color"),
        ["global::System.Text.Json.JsonElement"] = Text("System.Text.Json.JsonElement", "JsonElement"),
        ["global::System.Text.Json.JsonDocument"] = Text("System.Text.Json.JsonDocument", "JsonDocument"),
        ["global::System.Text.Json.Nodes.JsonNode"] = Node("JsonNode"),
        ["global::System.Text.Json.Nodes.JsonObject"] = Node("JsonObject"),
        ["global::System.Text.Json.Nodes.JsonArray"] = Node("JsonArray"),
        ["global::System.Text.Json.Nodes.JsonValue"] = Node("JsonValue"),
        ["global::System.Exception"] = ("@ExceptionCodec", 0),
        ["global::System.Collections.Specialized.NameValueCollection"] = ("@NameValueCodec", 0),
        ["global::System.Collections.Specialized.StringCollection"] = ("@SequenceCodec<global::System.Collections.Specialized.StringCollection, string, @StringCodec, @StringCollectionForm>", 0),
    };

    /// <summary>A value that is a type itself, and its codec: {0} is the list of what may stand where object is declared, of which it is one.</summary>
    public static readonly (string Name, string Codec) Type = ("global::System.Type", "@TextCodec<global::System.Type, @TypeText<{0}>>");

    /// <summary>Generic types by metadata name. In the codec {self} is the type, {0} a type argument, {c0} its codec, @ the namespace of codecs.</summary>
    public static readonly IReadOnlyDictionary<string, string> Generic = new Dictionary<string, string>
    {
        ["System.Memory`1"] = Sequence("MemoryForm<{0}>"),
        ["System.ReadOnlyMemory`1"] = Sequence("ReadOnlyMemoryForm<{0}>"),
        ["System.ArraySegment`1"] = Sequence("ArraySegmentForm<{0}>"),
        ["System.Buffers.ReadOnlySequence`1"] = Sequence("ReadOnlySequenceForm<{0}>"),
        ["System.Lazy`1"] = "@LazyCodec<{0}, {c0}>",

        ["System.Collections.Generic.List`1"] = "@ListCodec<{0}, {c0}>",
        ["System.Collections.Generic.LinkedList`1"] = Sequence("LinkedListForm<{0}>"),
        ["System.Collections.Generic.Queue`1"] = Sequence("QueueForm<{0}>"),
        ["System.Collections.Generic.Stack`1"] = Sequence("StackForm<{0}>"),
        ["System.Collections.Generic.PriorityQueue`2"] = "@PriorityQueueCodec<{0}, {1}, {c0}, {c1}>",
        ["System.Collections.Generic.HashSet`1"] = "@HashSetCodec<{0}, {c0}>",
        ["System.Collections.Generic.SortedSet`1"] = "@SortedSetCodec<{0}, {c0}>",
        ["System.Collections.Generic.Dictionary`2"] = "@DictionaryCodec<{0}, {1}, {c0}, {c1}>",
        ["System.Collections.Generic.SortedDictionary`2"] = Map("SortedDictionaryForm<{0}, {1}>"),
        ["System.Collections.Generic.SortedList`2"] = Map("SortedListForm<{0}, {1}>"),
        ["System.Collections.Generic.OrderedDictionary`2"] = Map("OrderedDictionaryForm<{0}, {1}>"),

        ["System.Collections.ObjectModel.Collection`1"] = Sequence("CollectionForm<{0}>"),
        ["System.Collections.ObjectModel.ObservableCollection`1"] = Sequence("ObservableCollectionForm<{0}>"),
        ["System.Collections.ObjectModel.ReadOnlyCollection`1"] = Sequence("ReadOnlyCollectionForm<{0}>"),
        ["System.Collections.ObjectModel.ReadOnlyObservableCollection`1"] = Sequence("ReadOnlyObservableCollectionForm<{0}>"),
        ["System.Collections.ObjectModel.ReadOnlySet`1"] = "@SetInterfaceCodec<{self}, {0}, {c0}>",
        ["System.Collections.ObjectModel.ReadOnlyDictionary`2"] = Map("ReadOnlyDictionaryForm<{0}, {1}>"),

        ["System.Collections.Concurrent.ConcurrentQueue`1"] = Sequence("ConcurrentQueueForm<{0}>"),
        ["System.Collections.Concurrent.ConcurrentStack`1"] = Sequence("ConcurrentStackForm<{0}>"),
        ["System.Collections.Concurrent.ConcurrentBag`1"] = Sequence("ConcurrentBagForm<{0}>"),
        ["System.Collections.Concurrent.BlockingCollection`1"] = Sequence("BlockingCollectionForm<{0}>"),
        ["System.Collections.Concurrent.IProducerConsumerCollection`1"] = Sequence("ProducerConsumerForm<{0}>"),
        ["System.Collections.Concurrent.ConcurrentDictionary`2"] = Map("ConcurrentDictionaryForm<{0}, {1}>"),

        ["System.Collections.Immutable.ImmutableArray`1"] = Sequence("ImmutableArrayForm<{0}>"),
        ["System.Collections.Immutable.ImmutableList`1"] = Sequence("ImmutableListForm<{self}, {0}>"),
        ["System.Collections.Immutable.ImmutableQueue`1"] = Sequence("ImmutableQueueForm<{self}, {0}>"),
        ["System.Collections.Immutable.ImmutableStack`1"] = Sequence("ImmutableStackForm<{self}, {0}>"),
        ["System.Collections.Immutable.ImmutableHashSet`1"] = "@ImmutableHashSetCodec<{self}, {0}, {c0}>",
        ["System.Collections.Immutable.ImmutableSortedSet`1"] = "@ImmutableSortedSetCodec<{0}, {c0}>",
        ["System.Collections.Immutable.ImmutableDictionary`2"] = Map("ImmutableDictionaryForm<{self}, {0}, {1}>"),
        ["System.Collections.Immutable.ImmutableSortedDictionary`2"] = Map("ImmutableSortedDictionaryForm<{0}, {1}>"),
        ["System.Collections.Immutable.IImmutableList`1"] = Sequence("ImmutableListForm<{self}, {0}>"),
        ["System.Collections.Immutable.IImmutableQueue`1"] = Sequence("ImmutableQueueForm<{self}, {0}>"),
        ["System.Collections.Immutable.IImmutableStack`1"] = Sequence("ImmutableStackForm<{self}, {0}>"),
        ["System.Collections.Immutable.IImmutableSet`1"] = "@ImmutableHashSetCodec<{self}, {0}, {c0}>",
        ["System.Collections.Immutable.IImmutableDictionary`2"] = Map("ImmutableDictionaryForm<{self}, {0}, {1}>"),

        ["System.Collections.Frozen.FrozenSet`1"] = "@FrozenSetCodec<{0}, {c0}>",
        ["System.Collections.Frozen.FrozenDictionary`2"] = Map("FrozenDictionaryForm<{0}, {1}>"),

        ["Microsoft.FSharp.Collections.FSharpList`1"] = FSharp("SequenceCodec<{self}, {0}, {c0}", "FSharpListForm<{0}>"),
        ["Microsoft.FSharp.Collections.FSharpSet`1"] = FSharp("SequenceCodec<{self}, {0}, {c0}", "FSharpSetForm<{0}>"),
        ["Microsoft.FSharp.Collections.FSharpMap`2"] = FSharp("MapFormCodec<{self}, {0}, {1}, {c0}, {c1}", "FSharpMapForm<{0}, {1}>"),

        ["System.Collections.Generic.IEnumerable`1"] = "@CollectionCodec<{self}, {0}, {c0}>",
        ["System.Collections.Generic.IReadOnlyCollection`1"] = "@CollectionCodec<{self}, {0}, {c0}>",
        ["System.Collections.Generic.ICollection`1"] = "@CollectionCodec<{self}, {0}, {c0}>",
        ["System.Collections.Generic.IReadOnlyList`1"] = "@CollectionCodec<{self}, {0}, {c0}>",
        ["System.Collections.Generic.IList`1"] = "@CollectionCodec<{self}, {0}, {c0}>",
        ["System.Collections.Generic.ISet`1"] = "@SetInterfaceCodec<{self}, {0}, {c0}>",
        ["System.Collections.Generic.IReadOnlySet`1"] = "@SetInterfaceCodec<{self}, {0}, {c0}>",
        ["System.Collections.Generic.IReadOnlyDictionary`2"] = "@MapCodec<{self}, {0}, {1}, {c0}, {c1}>",
        ["System.Collections.Generic.IDictionary`2"] = "@MapCodec<{self}, {0}, {1}, {c0}, {c1}>",
        ["System.Linq.IGrouping`2"] = "@GroupingCodec<{0}, {1}, {c0}, {c1}>",
        ["System.Linq.ILookup`2"] = "@LookupCodec<{0}, {1}, {c0}, {c1}>",
    };

    /// <summary>Collections without type arguments, by metadata name: what is in them is declared as object. {self} is the type, {0} object, {c0} its codec and {c1} that of keys, @ the namespace of codecs.</summary>
    public static readonly IReadOnlyDictionary<string, string> OfObjects = new Dictionary<string, string>
    {
        ["System.Collections.ArrayList"] = Sequence("ArrayListForm"),
        ["System.Collections.Queue"] = Sequence("LooseQueueForm"),
        ["System.Collections.Stack"] = Sequence("LooseStackForm"),
        ["System.Collections.IEnumerable"] = "@LooseListCodec<{self}, {c0}>",
        ["System.Collections.ICollection"] = "@LooseListCodec<{self}, {c0}>",
        ["System.Collections.IList"] = "@LooseListCodec<{self}, {c0}>",
        ["System.Collections.Hashtable"] = LooseMap("HashtableForm"),
        ["System.Collections.SortedList"] = LooseMap("LooseSortedListForm"),
        ["System.Collections.Specialized.OrderedDictionary"] = LooseMap("LooseOrderedDictionaryForm"),
        ["System.Collections.Specialized.ListDictionary"] = LooseMap("ListDictionaryForm"),
        ["System.Collections.Specialized.HybridDictionary"] = LooseMap("HybridDictionaryForm"),
        ["System.Collections.IDictionary"] = LooseMap("LooseDictionaryForm"),
        ["System.Dynamic.ExpandoObject"] = "@LooseMapCodec<{self}, string, @StringCodec, {c0}, @ExpandoForm>",
    };

    /// <summary>Classes that are no ICollection&lt;T&gt; and that a collection of the user's may be derived from, by metadata name: its codec. {self} is the user's class, the rest as in <see cref="Generic"/>.</summary>
    public static readonly IReadOnlyDictionary<string, string> Bases = new Dictionary<string, string>
    {
        ["System.Collections.Generic.Queue`1"] = Derived("Generic.Queue"),
        ["System.Collections.Generic.Stack`1"] = Derived("Generic.Stack"),
        ["System.Collections.Generic.PriorityQueue`2"] = "@OwnPriorityQueueCodec<{self}, {0}, {1}, {c0}, {c1}>",
        ["System.Collections.Concurrent.ConcurrentQueue`1"] = Derived("Concurrent.ConcurrentQueue"),
        ["System.Collections.Concurrent.ConcurrentStack`1"] = Derived("Concurrent.ConcurrentStack"),
        ["System.Collections.Concurrent.ConcurrentBag`1"] = Derived("Concurrent.ConcurrentBag"),
        ["System.Collections.Queue"] = "@OwnLooseCodec<{self}, {0}, {c0}, @OwnLooseQueueForm<{self}>>",
        ["System.Collections.Stack"] = "@OwnLooseCodec<{self}, {0}, {c0}, @OwnLooseStackForm<{self}>>",
    };

    /// <summary>Classes without type arguments that are an IList or IDictionary and that a collection of the user's may be derived from, by metadata name: what is in them is what they enumerate.</summary>
    public static readonly HashSet<string> LooseBases =
    [
        "System.Collections.ArrayList", "System.Collections.CollectionBase", "System.Collections.DictionaryBase", "System.Collections.Hashtable", "System.Collections.SortedList", "System.Collections.Specialized.StringCollection",
        "System.Collections.Specialized.OrderedDictionary", "System.Collections.Specialized.ListDictionary", "System.Collections.Specialized.HybridDictionary",
    ];

    /// <summary>The codec of a class or struct of the user's that is a list without a type argument, as in <see cref="Bases"/>.</summary>
    public const string OwnLooseList = "@OwnLooseCodec<{self}, {0}, {c0}, @OwnListForm<{self}, {0}>>";

    /// <summary>Likewise of a dictionary: {c0} is the codec of keys.</summary>
    public const string OwnLooseMap = "@OwnLooseMapCodec<{self}, {c0}, {c1}>";

    /// <summary>Types that are plain data and need no mark, by metadata name: their codecs are generated from their public members.</summary>
    public static readonly HashSet<string> PlainData =
    [
        "System.Collections.Generic.KeyValuePair`2",
        "System.ValueTuple", "System.ValueTuple`1", "System.ValueTuple`2", "System.ValueTuple`3", "System.ValueTuple`4",
        "System.ValueTuple`5", "System.ValueTuple`6", "System.ValueTuple`7", "System.ValueTuple`8",
        "System.Tuple`1", "System.Tuple`2", "System.Tuple`3", "System.Tuple`4", "System.Tuple`5", "System.Tuple`6", "System.Tuple`7", "System.Tuple`8",
    ];

    private const string Builder = "a builder is an immutable collection on the way: store what its ToImmutable() gives, and ask that for a builder (ToBuilder())";

    private const string Table = "it keeps its rows in private members; store them as a list of a type of your own, or the text that its WriteXml writes with XmlWriteMode.WriteSchema";

    private const string Comparer = "a comparer is code, not data; of strings declare a StringComparer, IEqualityComparer<string> or IComparer<string>, else leave it out with [NinoIgnore] and set it again from what it depends on";

    /// <summary>Types that have no encoding on purpose, by metadata name, and what to do instead.</summary>
    public static readonly IReadOnlyDictionary<string, string> Refused = new Dictionary<string, string>
    {
        ["System.Collections.Generic.IEqualityComparer`1"] = Comparer,
        ["System.Collections.Generic.IComparer`1"] = Comparer,
        ["System.Collections.Generic.EqualityComparer`1"] = Comparer,
        ["System.Collections.Generic.Comparer`1"] = Comparer,
        ["System.Collections.IEqualityComparer"] = Comparer,
        ["System.Collections.IComparer"] = Comparer,
        ["System.ComponentModel.BindingList`1"] = "its constructors need code that trimming takes away ([RequiresUnreferencedCode]), which nobody who reads one would be told; derive a class of yours from it, which is told and is stored as its elements, or store an ObservableCollection<T> or List<T> and make one over it",
        ["System.Collections.Specialized.StringDictionary"] = "it keeps what it has in private members; store a Dictionary<string, string> with StringComparer.OrdinalIgnoreCase, which records keep",
        ["System.Collections.Specialized.IOrderedDictionary"] = "it does not say what it is read as; declare it as an OrderedDictionary, with or without type arguments",
        ["System.Collections.Immutable.ImmutableArray`1+Builder"] = Builder,
        ["System.Collections.Immutable.ImmutableList`1+Builder"] = Builder,
        ["System.Collections.Immutable.ImmutableHashSet`1+Builder"] = Builder,
        ["System.Collections.Immutable.ImmutableSortedSet`1+Builder"] = Builder,
        ["System.Collections.Immutable.ImmutableDictionary`2+Builder"] = Builder,
        ["System.Collections.Immutable.ImmutableSortedDictionary`2+Builder"] = Builder,
        ["System.Text.RegularExpressions.Regex"] = "it is code that is made of a pattern, and one from strangers may take for ever; store the pattern (ToString()) and its Options",
        ["System.Data.DataTable"] = Table,
        ["System.Data.DataSet"] = Table,
        ["System.RuntimeTypeHandle"] = Handle,
        ["System.RuntimeMethodHandle"] = Handle,
        ["System.RuntimeFieldHandle"] = Handle,
        ["System.Numerics.Vector`1"] = "how many elements it has depends on the processor, so another machine could not read it; store an array of the elements",
        ["System.Runtime.Intrinsics.Vector64`1"] = Register,
        ["System.Runtime.Intrinsics.Vector128`1"] = Register,
        ["System.Runtime.Intrinsics.Vector256`1"] = Register,
        ["System.Runtime.Intrinsics.Vector512`1"] = Register,
    };

    private const string Register = "it is a register of a processor; store an array of the elements, or a vector of System.Numerics";

    private static (string, int) Text(string type, string form) => ($"@TextCodec<global::{type}, @{form}Text>", 0);

    private static (string, int) Node(string type) => ($"@TextCodec<global::System.Text.Json.Nodes.{type}, @JsonNodeText<global::System.Text.Json.Nodes.{type}>>", 0);

    private static (string, int) Components(string type, int size) => ($"@ComponentsCodec<global::System.{type}, @{type.Substring(type.IndexOf('.') + 1)}Shape>", size);

    private static string Sequence(string form) => "@SequenceCodec<{self}, {0}, {c0}, @" + form + ">";

    private static string Derived(string type) => "@OwnSequenceCodec<{self}, global::System.Collections." + type + "<{0}>, {0}, {c0}, @" + type.Substring(type.IndexOf('.') + 1) + "Form<{0}>>";

    /// <summary>The form is generated: the engine does not reference FSharp.Core.</summary>
    private static string FSharp(string codec, string form) => $"@{codec}, global::{GenerationParser.GeneratedNamespace}.{form}>";

    private static string LooseMap(string form) => "@LooseMapCodec<{self}, {0}, {c1}, {c0}, @" + form + ">";

    private static string Map(string form) => "@MapFormCodec<{self}, {0}, {1}, {c0}, {c1}, @" + form + ">";
}
