using System.Buffers.Binary;
using System.Security.Cryptography;
using Store.Serialization.Values;

namespace Store.Serialization;

/// <summary>
/// The description of a record type: everything needed to decode its records without the CLR type. Immutable; safe for any number of threads.
/// </summary>
public sealed class NinoSchema : IHasSchema
{
    // How many names a root made of renamed types may have.
    private const int MaxFormerNames = 64;

    private readonly byte[] _canonicalBytes;
    private readonly string[] _names;
    private RecordPlan? _plan;

    private NinoSchema(SchemaNode root, IReadOnlyList<SchemaDefinition> definitions, int fixedRecordSize)
    {
        Root = root;
        Definitions = definitions;
        Name = NameOf(root);
        _names = [.. NamesOf(root)];
        FixedRecordSize = fixedRecordSize;
        _canonicalBytes = SchemaEncoding.Write(root, definitions, forFingerprint: false);
        Fingerprint = BinaryPrimitives.ReadUInt64LittleEndian(SHA256.HashData(SchemaEncoding.Write(root, definitions, forFingerprint: true)));
    }

    /// <summary>How a record is encoded. A reference type as a record's root is written without its presence byte.</summary>
    public SchemaNode Root { get; }

    /// <summary>The named types reached from the root, each once, in the order in which they are first met breadth-first.</summary>
    public IReadOnlyList<SchemaDefinition> Definitions { get; }

    /// <summary>Name of the root type, by which records are found: its own name, or one made of its parts such as <c>List&lt;Int32&gt;</c>.</summary>
    public string Name { get; }

    NinoSchema IHasSchema.Schema => this;

    /// <summary>64 bits that are equal exactly when two schemas encode alike (as far as 64 bits of SHA-256 tell): names, ids, order and types of all fields reached from the root. Members of enums do not count.</summary>
    public ulong Fingerprint { get; }

    /// <summary>The exact number of bytes of every record, or 0 where records differ.</summary>
    public int FixedRecordSize { get; }

    /// <summary>The schema's own encoding (docs/formats/record.md, "schema"), as files store it. Equal types give equal bytes in every process.</summary>
    public ReadOnlyMemory<byte> CanonicalBytes => _canonicalBytes;

    /// <summary>How records are decoded without their CLR type. Worked out when it is asked for the first time; threads that ask at once may do so each, and keep one.</summary>
    internal RecordPlan Plan => Volatile.Read(ref _plan) ?? Interlocked.CompareExchange(ref _plan, new RecordPlan(this), null) ?? _plan!;

    /// <summary>The names under which records of this type may be stored: its own first, then former ones. Known of the program's own types only.</summary>
    internal IReadOnlyList<string> Names => _names;

    /// <summary>True when records stored under a name are records of this type.</summary>
    internal bool IsNamed(string name) => name == Name || (_names.Length > 1 && _names.Contains(name, StringComparer.Ordinal));

    /// <summary>True when the bytes, all of them, can be walked as a record of this schema: whoever refuses them then does so for what they say.</summary>
    internal bool IsRecord(ReadOnlySpan<byte> record, NinoLimits? limits = null)
    {
        var reader = new NinoReader(record, limits);
        try
        {
            RecordWalker.SkipRecord(ref reader, Root);
            return reader.Remaining == 0;
        }
        catch (NinoSerializationException)
        {
            return false;
        }
    }

    /// <summary>Builds the schema of a root node.</summary>
    /// <exception cref="ArgumentException">No record can have this schema: two types or fields of one name, a struct that contains itself or keeps references, a name or the whole too long.</exception>
    public static NinoSchema Create(SchemaNode root)
    {
        ArgumentNullException.ThrowIfNull(root);
        NinoSchema schema;
        try
        {
            schema = Build(root);
        }
        catch (NinoSerializationException error)
        {
            throw new ArgumentException($"The schema is not valid: {error.Message}", nameof(root), error);
        }

        return schema._canonicalBytes.Length <= SchemaEncoding.MaxBytes ? schema : throw new ArgumentException($"The schema of '{schema.Name}' takes {schema._canonicalBytes.Length} bytes; at most {SchemaEncoding.MaxBytes} are allowed.", nameof(root));
    }

    /// <summary>Reads a schema from its canonical bytes. Safe on bytes from anywhere: every length, number, reference and name is checked.</summary>
    /// <exception cref="NinoSerializationException">The bytes are no schema, or not the canonical ones. <see cref="NinoSerializationException.ByteOffset"/> is where the part begins that is none, the first byte that is another, or 0 where each part is one and the whole makes no sense.</exception>
    public static NinoSchema Parse(ReadOnlySpan<byte> canonicalBytes)
    {
        try
        {
            NinoSchema schema = Build(SchemaEncoding.Read(canonicalBytes));
            if (canonicalBytes.SequenceEqual(schema._canonicalBytes)) return schema;
            throw new NinoSerializationException("The bytes of a schema are not in canonical form: they are damaged or were not written by this engine.") { ByteOffset = canonicalBytes.CommonPrefixLength(schema._canonicalBytes) };
        }
        catch (NinoSerializationException error)
        {
            long offset = Math.Max(error.ByteOffset, 0);
            throw new NinoSerializationException($"Schema, byte {offset}: {error.Message}", error.InnerException ?? error) { ByteOffset = offset };
        }
    }

    /// <summary>The name.</summary>
    public override string ToString() => Name;

    private static NinoSchema Build(SchemaNode root)
    {
        List<SchemaDefinition> definitions = SchemaShape.Collect(root);
        SchemaShape.CheckReferences(definitions);
        SchemaShape.CheckName(root);
        SchemaShape.Measure(definitions);
        SchemaCycles.Mark(definitions);
        int size = root is { HasPresenceByte: true, Definition: ObjectDefinition body } ? body.FixedBodySize : SchemaShape.FixedSizeOf(root);
        return new NinoSchema(root, definitions, size);
    }

    /// <summary>What a node is called and was: the present name first, then as many former ones as are kept.</summary>
    internal static IEnumerable<string> NamesOf(SchemaNode node) => AllNamesOf(node).Distinct(StringComparer.Ordinal).Take(1 + MaxFormerNames);

    /// <summary>As <see cref="NamesOf(SchemaNode)"/>, of two with a comma between them.</summary>
    internal static IEnumerable<string> NamesOf(SchemaNode first, SchemaNode second)
    {
        string[] seconds = [.. NamesOf(second)];
        return NamesOf(first).SelectMany(name => seconds.Select(other => $"{name}, {other}")).Take(1 + MaxFormerNames);
    }

    private static IEnumerable<string> AllNamesOf(SchemaNode node) => node.Kind switch
    {
        SchemaKind.Nullable => NamesOf(node.Element!).Select(static name => $"Nullable<{name}>"),
        SchemaKind.List => NamesOf(node.Element!).Select(static name => $"List<{name}>"),
        SchemaKind.Map => NamesOf(node.Key!, node.Element!).Select(static names => $"Map<{names}>"),
        SchemaKind.Object or SchemaKind.Union or SchemaKind.Enum => node.Definition!.FormerNames.Prepend(NameOf(node)),
        _ => [NameOf(node)],
    };

    /// <summary>What a node is called: a type by its name, others by their structure. <c>object</c> without the assembly whose types it may be: records are to be found when that is called otherwise, and no attribute could tell its former name.</summary>
    internal static string NameOf(SchemaNode node) => node.Kind switch
    {
        SchemaKind.Nullable => $"Nullable<{NameOf(node.Element!)}>",
        SchemaKind.List => $"List<{NameOf(node.Element!)}>",
        SchemaKind.Map => $"Map<{NameOf(node.Key!)}, {NameOf(node.Element!)}>",
        SchemaKind.Union when node.Definition is UnionDefinition { IsOfObjects: true } => NinoObjectCases.RecordName,
        SchemaKind.Object or SchemaKind.Enum or SchemaKind.Union => node.Definition!.Name,
        _ => node.Kind.ToString(),
    };
}
