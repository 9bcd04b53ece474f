// The bytes of a schema:
//
//   schema      version (1 byte, 1), count of definitions, definition*, root node
//   definition  96 object: name, flags (1 byte, bit 0 = reference type, bit 1 = keeps references), count of fields, field*
//               97 enum:   name, kind of the number (1 byte), flags (1 byte, bit 0 = values combine), count of members, member*
//               98 union:  name, flags (1 byte, UnionForm), count of cases, case*
//   field       name, id (0 = the name is the identity), node
//   member      name, value (8 bytes, little-endian)
//   case        tag (4 bytes, little-endian), node
//   node        kind (1 byte); nullable, list: + element node; map: + key node, value node; object, enum, union: + index of the definition
//   name        length in bytes, UTF-8
//
// Counts, ids, lengths and indexes are compact numbers. Definitions stand in the order in which they are first met breadth-first from the root.
// For the fingerprint the flags and members of enums are left out. Format page: docs/formats/record.md, "schema".

using System.Buffers;
using System.Text;
using System.Text.Unicode;
using Store.Serialization.Codecs;

namespace Store.Serialization;

internal static class SchemaEncoding
{
    public const int MaxBytes = 1 << 20;

    private const byte Version = 1;
    private const int MaxNameBytes = 4096;
    private const byte ReferenceFlag = 1;
    private const byte KeepsReferencesFlag = 2;
    private const byte CombinesFlag = 1;
    private const UnionForm AllUnionForms = UnionForm.ExplicitTags | UnionForm.SkipsUnknown | UnionForm.KeepsReferences;

    private static readonly UTF8Encoding StrictUtf8 = new(encoderShouldEmitUTF8Identifier: false, throwOnInvalidBytes: true);

    public static byte[] Write(SchemaNode root, IReadOnlyList<SchemaDefinition> definitions, bool forFingerprint)
    {
        var indexes = new Dictionary<SchemaDefinition, int>(ReferenceEqualityComparer.Instance);
        for (int i = 0; i < definitions.Count; i++) indexes.Add(definitions[i], i);

        var output = new ArrayBufferWriter<byte>(256);
        var writer = new NinoWriter(output);
        writer.Take(1) = Version;
        writer.WriteCompact((uint)definitions.Count);
        foreach (SchemaDefinition definition in definitions)
        {
            if (definition is ObjectDefinition type) WriteObject(ref writer, type, indexes);
            else if (definition is UnionDefinition union) WriteUnion(ref writer, union, indexes);
            else WriteEnum(ref writer, (EnumDefinition)definition, forFingerprint);
        }

        WriteNode(ref writer, root, indexes);
        writer.Flush();
        return output.WrittenSpan.ToArray();
    }

    /// <summary>Reads the root node with the definitions it refers to. What the parts say is checked here, whether the whole makes sense in <see cref="SchemaShape"/>.</summary>
    /// <exception cref="NinoSerializationException">A part is none; the offset is where it begins.</exception>
    public static SchemaNode Read(ReadOnlySpan<byte> bytes)
    {
        if (bytes.Length > MaxBytes) throw new NinoSerializationException($"A schema of {bytes.Length} bytes is longer than the {MaxBytes} allowed.") { ByteOffset = MaxBytes };
        var reader = new SchemaReader(bytes);
        try
        {
            return Read(ref reader);
        }
        catch (NinoSerializationException error)
        {
            throw new NinoSerializationException(error.Message, error.InnerException ?? error) { ByteOffset = reader.Start };
        }
    }

    private static SchemaNode Read(ref SchemaReader reader)
    {
        byte version = reader.Byte();
        if (version != Version) throw new NinoSerializationException($"A schema has the version {version}; this engine knows version {Version}.");

        var references = new List<(SchemaNode Node, int Index, int Start)>();
        var definitions = new SchemaDefinition[reader.Count(minSize: 5)];
        for (int i = 0; i < definitions.Length; i++) definitions[i] = ReadDefinition(ref reader, references);
        SchemaNode root = ReadNode(ref reader, references, 0);
        reader.End();

        foreach ((SchemaNode node, int index, int start) in references)
        {
            reader.Start = start;
            if (index >= definitions.Length || SchemaNode.KindOf(definitions[index]) != node.Kind) throw new NinoSerializationException($"A schema refers to its type number {index} as {node.Kind}, and has no such type.");
            node.Bind(definitions[index]);
        }

        return root;
    }

    private static void WriteObject(ref NinoWriter writer, ObjectDefinition type, Dictionary<SchemaDefinition, int> indexes)
    {
        writer.Take(1) = (byte)SchemaKind.Object;
        WriteName(ref writer, type.Name);
        writer.Take(1) = (byte)((type.IsReference ? ReferenceFlag : 0) | (type.KeepsReferences ? KeepsReferencesFlag : 0));
        writer.WriteCompact((uint)type.Fields.Count);
        foreach (SchemaField field in type.Fields)
        {
            WriteName(ref writer, field.Name);
            writer.WriteCompact((uint)field.Id);
            WriteNode(ref writer, field.Node, indexes);
        }
    }

    private static void WriteEnum(ref NinoWriter writer, EnumDefinition type, bool forFingerprint)
    {
        writer.Take(1) = (byte)SchemaKind.Enum;
        WriteName(ref writer, type.Name);
        writer.Take(1) = (byte)type.Underlying;
        if (forFingerprint) return;

        writer.Take(1) = type.IsFlags ? CombinesFlag : (byte)0;
        writer.WriteCompact((uint)type.Members.Count);
        foreach (EnumMember member in type.Members)
        {
            WriteName(ref writer, member.Name);
            default(Int64Codec).Write(ref writer, member.Value);
        }
    }

    private static void WriteUnion(ref NinoWriter writer, UnionDefinition type, Dictionary<SchemaDefinition, int> indexes)
    {
        writer.Take(1) = (byte)SchemaKind.Union;
        WriteName(ref writer, type.Name);
        writer.Take(1) = (byte)type.Form;
        writer.WriteCompact((uint)type.Cases.Count);
        foreach (UnionCase one in type.Cases)
        {
            default(UInt32Codec).Write(ref writer, one.Tag);
            WriteNode(ref writer, one.Node, indexes);
        }
    }

    private static void WriteNode(ref NinoWriter writer, SchemaNode node, Dictionary<SchemaDefinition, int> indexes)
    {
        writer.Take(1) = (byte)node.Kind;
        if (node.Key is { } key) WriteNode(ref writer, key, indexes);
        if (node.Element is { } element) WriteNode(ref writer, element, indexes);
        if (node.Definition is { } definition) writer.WriteCompact((uint)indexes[definition]);
    }

    private static void WriteName(ref NinoWriter writer, string name)
    {
        byte[] bytes;
        try
        {
            bytes = StrictUtf8.GetBytes(name);
        }
        catch (EncoderFallbackException error)
        {
            throw new NinoSerializationException($"The name '{name}' is no valid text.", error);
        }

        if (name.Any(char.IsControl)) throw new NinoSerializationException("A schema has a name with control characters.");
        if (bytes.Length is 0 or > MaxNameBytes) throw new NinoSerializationException($"The name '{name}' takes {bytes.Length} bytes; a name takes 1 to {MaxNameBytes}.");
        writer.WriteCompact((uint)bytes.Length);
        writer.WriteBytes(bytes);
    }

    private static SchemaDefinition ReadDefinition(ref SchemaReader reader, List<(SchemaNode, int, int)> references)
    {
        byte tag = reader.Byte();
        if (tag is not ((byte)SchemaKind.Object or (byte)SchemaKind.Enum or (byte)SchemaKind.Union)) throw new NinoSerializationException($"A schema has a type of the kind {tag}, which this engine does not know.");
        string name = ReadName(ref reader);
        if (tag == (byte)SchemaKind.Object)
        {
            byte flags = ReadFlags(ref reader, ReferenceFlag | KeepsReferencesFlag);
            var type = new ObjectDefinition(name, (flags & ReferenceFlag) != 0, (flags & KeepsReferencesFlag) != 0);
            int fields = reader.Count(minSize: 4);
            for (int i = 0; i < fields; i++) type.Add(new SchemaField(ReadName(ref reader), ReadNumber(ref reader), ReadNode(ref reader, references, 0)));
            return type;
        }

        if (tag == (byte)SchemaKind.Union)
        {
            var union = new UnionDefinition(name, (UnionForm)ReadFlags(ref reader, (byte)AllUnionForms));
            int cases = reader.Count(minSize: 6);
            for (int i = 0; i < cases; i++) union.Add(new UnionCase(reader.UInt32(), ReadNode(ref reader, references, 0)));
            return union;
        }

        var underlying = (SchemaKind)reader.Byte();
        if (underlying is < SchemaKind.SByte or > SchemaKind.UInt64) throw new NinoSerializationException($"A schema has an enum on the kind {(byte)underlying}, which is no integer.");
        bool combines = ReadFlags(ref reader, CombinesFlag) != 0;
        var members = new EnumMember[reader.Count(minSize: 10)];
        for (int i = 0; i < members.Length; i++) members[i] = new EnumMember(ReadName(ref reader), reader.Int64());
        return new EnumDefinition(name, underlying, combines, members);
    }

    private static SchemaNode ReadNode(ref SchemaReader reader, List<(SchemaNode, int, int)> references, int depth)
    {
        if (depth > SchemaShape.MaxNodeDepth) throw new NinoSerializationException($"A schema nests collections deeper than {SchemaShape.MaxNodeDepth}.");

        var kind = (SchemaKind)reader.Byte();
        switch (kind)
        {
            case (>= SchemaKind.Boolean and <= SchemaKind.BigInteger) or SchemaKind.String or SchemaKind.Utf8String:
                return SchemaNode.Primitive(kind);
            case SchemaKind.Nullable:
                return SchemaNode.Nullable(ReadNode(ref reader, references, depth + 1));
            case SchemaKind.List:
                return SchemaNode.List(ReadNode(ref reader, references, depth + 1));
            case SchemaKind.Map:
                SchemaNode key = ReadNode(ref reader, references, depth + 1);
                return SchemaNode.Map(key, ReadNode(ref reader, references, depth + 1));
            case SchemaKind.Object or SchemaKind.Enum or SchemaKind.Union:
                SchemaNode node = SchemaNode.Unbound(kind);
                int index = ReadNumber(ref reader);
                references.Add((node, index, reader.Start));
                return node;
            default:
                throw new NinoSerializationException($"A schema has a field of the kind {(byte)kind}, which this engine does not know.");
        }
    }

    private static string ReadName(ref SchemaReader reader)
    {
        uint length = reader.Compact();
        if (length is 0 or > MaxNameBytes) throw new NinoSerializationException($"A schema has a name of {length} bytes; a name takes 1 to {MaxNameBytes}.");
        ReadOnlySpan<byte> bytes = reader.Span((int)length);
        if (!Utf8.IsValid(bytes)) throw new NinoSerializationException("A schema has a name that is not valid UTF-8.");

        // Names are shown: by tools, line by line, on terminals.
        string name = StrictUtf8.GetString(bytes);
        return name.Any(char.IsControl) ? throw new NinoSerializationException("A schema has a name with control characters.") : name;
    }

    private static byte ReadFlags(ref SchemaReader reader, byte known)
    {
        byte flags = reader.Byte();
        return (flags & ~known) == 0 ? flags : throw new NinoSerializationException($"A schema has the flags {flags}, which this engine does not know.");
    }

    private static int ReadNumber(ref SchemaReader reader)
    {
        uint number = reader.Compact();
        return number <= int.MaxValue ? (int)number : throw new NinoSerializationException($"A schema has the number {number}, which is too large.");
    }
}
