namespace Store.Serialization;

/// <summary>
/// The description of a record type: everything needed to decode its records without the CLR type. Immutable; safe for any number of threads.
/// </summary>
public sealed class NinoSchema
{
    private NinoSchema(SchemaNode root, string name, ulong fingerprint, byte[] canonicalBytes)
    {
        Root = root;
        Name = name;
        Fingerprint = fingerprint;
        _canonicalBytes = canonicalBytes;
    }

    private readonly byte[] _canonicalBytes;

    /// <summary>How a record is encoded. A reference type as a record's root is written without its presence byte.</summary>
    public SchemaNode Root { get; }

    /// <summary>Name of the root type; records are found by it.</summary>
    public string Name { get; }

    /// <summary>64 bits that are equal exactly when two schemas encode alike: names, ids, order and types of all fields reached from the root.</summary>
    public ulong Fingerprint { get; }

    /// <summary>The exact number of bytes of every record, or 0 where records differ.</summary>
    public int FixedRecordSize => throw new NotImplementedException();

    /// <summary>The schema's own encoding (docs/formats/record.md, "schema"), as files store it.</summary>
    public ReadOnlyMemory<byte> CanonicalBytes => _canonicalBytes;

    /// <summary>Builds the schema of a root node.</summary>
    public static NinoSchema Create(SchemaNode root) => throw new NotImplementedException();

    /// <summary>Reads a schema from its canonical bytes.</summary>
    /// <exception cref="NinoSerializationException">The bytes are no schema.</exception>
    public static NinoSchema Parse(ReadOnlySpan<byte> canonicalBytes) => throw new NotImplementedException();
}
