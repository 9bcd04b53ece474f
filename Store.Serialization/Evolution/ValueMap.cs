// How one stored value becomes a value of the program's schema. The maps of a schema pair form a graph of their own (types may hold themselves); running
// them is NinoRecordMapper.cs.

namespace Store.Serialization.Evolution;

internal enum ValueForm : byte
{
    /// <summary>Both are fixed-width as a whole: a <see cref="FixedPlan"/>.</summary>
    Fixed,

    /// <summary>An object of the same or a former name.</summary>
    Object,

    /// <summary>A string stays a string.</summary>
    String,

    /// <summary>A char or Rune becomes a string of one character, a string one in the other of the two encodings.</summary>
    Text,

    /// <summary>Elements one by one.</summary>
    List,

    /// <summary>Pairs one by one.</summary>
    Map,

    /// <summary>A single value becomes a list of one; an absent one an empty list.</summary>
    Wrap,

    /// <summary>A list of at most one becomes a single value; an empty or absent one the zero of the type.</summary>
    Unwrap,

    /// <summary>One of several types, on one side or on both.</summary>
    Union,

    /// <summary>Another kind without parts, the same on both sides: copied.</summary>
    Opaque,
}

/// <summary>One pair of schema nodes. Immutable once the builder has finished.</summary>
internal sealed class ValueMap(SchemaNode stored, SchemaNode own, ValueForm form)
{
    public SchemaNode Stored { get; } = stored;

    public SchemaNode Own { get; } = own;

    public ValueForm Form { get; } = form;

    /// <summary>The stored value starts with a presence byte: a nullable, or an object of a reference type.</summary>
    public bool StoredIsOptional { get; } = stored.Kind == SchemaKind.Nullable || stored.HasPresenceByte;

    /// <summary>The value that is made starts with a presence byte.</summary>
    public bool OwnIsOptional { get; } = own.Kind == SchemaKind.Nullable || own.HasPresenceByte;

    /// <summary>Zeros that an absent stored nullable of fixed width takes behind its presence byte.</summary>
    public int StoredAbsentBytes { get; } = stored.Kind == SchemaKind.Nullable ? SchemaShape.FixedSizeOf(stored.Element!) : 0;

    /// <summary>What is written where nothing is stored.</summary>
    public byte[] OwnZero => field ??= ZeroValue.Of(Own);

    public int StoredSize { get; } = SchemaShape.FixedSizeOf(stored);

    public int OwnSize { get; } = SchemaShape.FixedSizeOf(own);

    /// <summary>How the scalar that either side is, or may be, converts.</summary>
    public ScalarConversion Conversion { get; init; }

    /// <summary><see cref="ValueForm.Object"/>: the bodies.</summary>
    public ObjectMap? Object { get; init; }

    /// <summary><see cref="ValueForm.Union"/>: which case becomes which.</summary>
    public UnionMap? Union { get; init; }

    /// <summary><see cref="ValueForm.Map"/>: the keys.</summary>
    public ValueMap? Key { get; init; }

    /// <summary>The elements or map values; <see cref="ValueForm.Wrap"/>, <see cref="ValueForm.Unwrap"/>: the single value. Of a nullable in variable form: none.</summary>
    public ValueMap? Element { get; init; }

    /// <summary>The bytes stay as they are.</summary>
    public bool IsIdentical { get; set; }

    /// <summary>Both sides fixed-width and not identical: how.</summary>
    public FixedPlan? Fixed { get; set; }

    /// <summary>Moves over the stored value.</summary>
    public SkipNode Skip { get; set; } = null!;

    /// <summary>The node behind a nullable, else the node itself.</summary>
    public static SchemaNode Inner(SchemaNode node) => node.Kind == SchemaKind.Nullable ? node.Element! : node;
}

internal enum BodyOp : byte
{
    /// <summary>The next stored field has no place any more: checked and left out.</summary>
    Drop,

    /// <summary>The next stored fields stay as they are.</summary>
    Copy,

    /// <summary>The next stored field becomes the next own field.</summary>
    Map,

    /// <summary>A stored field at a constant offset in the fixed prefix becomes the next own field.</summary>
    MapAt,

    /// <summary>A stored field whose place was looked up becomes the next own field.</summary>
    MapFound,

    /// <summary>An own field that the stored type lacks.</summary>
    Constant,
}

/// <summary>One step of a body.</summary>
internal readonly record struct BodyStep(BodyOp Op)
{
    public SchemaNode? Node { get; init; }

    public SkipNode[]? Skips { get; init; }

    public ValueMap? Value { get; init; }

    /// <summary><see cref="BodyOp.MapAt"/>: offset in the prefix. <see cref="BodyOp.MapFound"/>: number of the stored field behind the prefix.</summary>
    public int Place { get; init; }

    public byte[]? Bytes { get; init; }
}

/// <summary>One pair of types: the fields matched, and the steps from one body to the other.</summary>
internal sealed class ObjectMap(ObjectDefinition stored, ObjectDefinition own)
{
    public ObjectDefinition Stored { get; } = stored;

    public ObjectDefinition Own { get; } = own;

    /// <summary>By own field: the stored field it comes from, or -1.</summary>
    public int[] Sources { get; set; } = [];

    /// <summary>By own field: how its value comes about, or null where the stored type lacks it.</summary>
    public ValueMap?[] Values { get; set; } = [];

    /// <summary>By own field: its bytes where the stored type lacks it, else null.</summary>
    public byte[]?[] Defaults { get; set; } = [];

    /// <summary>Bodies stay as they are.</summary>
    public bool IsIdentical { get; set; } = true;

    /// <summary>Of structs of fixed width that differ: the steps from the beginning of the one to that of the other, once they were asked for.</summary>
    public FixedStep[]? StructSteps { get; set; }

    /// <summary>The plan of those.</summary>
    public FixedPlan? StructPlan { get; set; }

    /// <summary>Moves over a stored body.</summary>
    public SkipObject Skip { get; set; } = null!;

    /// <summary>Bytes of the stored fields in front whose offsets are constant.</summary>
    public int StoredPrefix { get; set; }

    /// <summary>What becomes of the prefix: the own fields in front whose offsets are constant; null where there are none.</summary>
    public FixedPlan? Prefix { get; set; }

    /// <summary>The stored fields behind the prefix, when own fields want them in another order than they lie; else empty.</summary>
    public (SkipNode Skip, bool IsDropped)[] Lookup { get; set; } = [];

    public BodyStep[] Steps { get; set; } = [];

    /// <summary>Some own field comes from a stored one that was passed already.</summary>
    public bool ReadsBack { get; set; }

    /// <summary>Values are mapped inside of these bodies: the stack may grow with the schema.</summary>
    public bool Nests { get; set; }
}
