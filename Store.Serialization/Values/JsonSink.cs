using System.Buffers.Binary;
using System.Globalization;
using System.Numerics;
using System.Text.Json;

namespace Store.Serialization.Values;

/// <summary>Writes what it hears as JSON. <see cref="NinoJson"/> documents the form.</summary>
internal struct JsonSink(Utf8JsonWriter writer, MapKeys keys) : IRecordSink
{
    private const int DefaultMaxDepth = 1000;

    private readonly int _maxDepth = writer.Options.MaxDepth == 0 ? DefaultMaxDepth : writer.Options.MaxDepth;

    /// <summary>True when the next scalar or string is a property name.</summary>
    private bool _isName;

    public readonly void Null(PlanNode node) => writer.WriteNullValue();

    public void Scalar(PlanNode node, ReadOnlySpan<byte> bytes)
    {
        if (_isName)
        {
            _isName = false;
            Name(node, bytes);
            return;
        }

        switch (node.Kind)
        {
            case SchemaKind.Boolean:
                writer.WriteBooleanValue(bytes[0] != 0);
                break;
            case >= SchemaKind.SByte and <= SchemaKind.Int64:
                writer.WriteNumberValue(Scalars.ReadInt64(node.Kind, bytes));
                break;
            case SchemaKind.UInt64:
                writer.WriteNumberValue(BinaryPrimitives.ReadUInt64LittleEndian(bytes));
                break;
            case SchemaKind.Half when Half.IsFinite(BinaryPrimitives.ReadHalfLittleEndian(bytes)):
                Span<byte> half = stackalloc byte[Scalars.MaxTextBytes];
                writer.WriteRawValue(half[..Scalars.Format(SchemaKind.Half, bytes, half)], skipInputValidation: true);
                break;
            case SchemaKind.Single when float.IsFinite(BinaryPrimitives.ReadSingleLittleEndian(bytes)):
                writer.WriteNumberValue(BinaryPrimitives.ReadSingleLittleEndian(bytes));
                break;
            case SchemaKind.Double when double.IsFinite(BinaryPrimitives.ReadDoubleLittleEndian(bytes)):
                writer.WriteNumberValue(BinaryPrimitives.ReadDoubleLittleEndian(bytes));
                break;
            case SchemaKind.Decimal:
                writer.WriteNumberValue(Scalars.ReadDecimal(bytes));
                break;
            case SchemaKind.Char:
                JsonText.WriteUtf16(writer, bytes);
                break;
            case SchemaKind.BigInteger:
                writer.WriteStringValue(Scalars.ToText(new BigInteger(bytes)));
                break;
            case SchemaKind.Enum:
                EnumValue(node, bytes);
                break;
            default:
                Span<byte> text = stackalloc byte[Scalars.MaxTextBytes];
                writer.WriteStringValue(text[..Scalars.Format(node.Kind, bytes, text)]);
                break;
        }
    }

    public void Text(PlanNode node, ReadOnlySpan<byte> characters, bool isUtf16)
    {
        if (_isName)
        {
            _isName = false;
            JsonText.WriteName(writer, characters, isUtf16);
        }
        else if (isUtf16) JsonText.WriteUtf16(writer, characters);
        else JsonText.WriteLatin1(writer, characters);
    }

    public readonly void Bytes(PlanNode node, ReadOnlySpan<byte> bytes) => JsonText.WriteBase64(writer, bytes);

    public readonly void BeginObject(PlanNode node, bool isCase, int number)
    {
        CheckDepth();
        writer.WriteStartObject();
        if (number > 0) writer.WriteString("$id"u8, number.ToString(CultureInfo.InvariantCulture));
        if (isCase) writer.WriteString("$type"u8, node.Object!.Definition.Name);
    }

    public readonly void Reference(PlanNode node, int number)
    {
        CheckDepth();
        writer.WriteStartObject();
        writer.WriteString("$ref"u8, number.ToString(CultureInfo.InvariantCulture));
        writer.WriteEndObject();
    }

    public readonly void Field(PlanNode node, int index) => writer.WritePropertyName(node.Object!.Fields[index].JsonName);

    public readonly void EndObject(PlanNode node, bool isCase, int number) => writer.WriteEndObject();

    public readonly void BeginList(PlanNode node, int count)
    {
        CheckDepth();
        writer.WriteStartArray();
    }

    public readonly void Item(int index) { }

    public readonly void EndList(PlanNode node, int count) => writer.WriteEndArray();

    /// <returns>True when the map becomes an object, false for an array of pairs.</returns>
    public readonly bool BeginMap(PlanNode node, int count, NinoReader ahead)
    {
        CheckDepth();
        bool asObject = keys.AreDistinctNames(node, count, ref ahead);
        if (asObject) writer.WriteStartObject();
        else writer.WriteStartArray();
        return asObject;
    }

    public void Key(int index, bool asObject)
    {
        if (asObject)
        {
            _isName = true;
            return;
        }

        CheckDepth();
        writer.WriteStartObject();
        writer.WritePropertyName("key"u8);
    }

    public readonly void Value(bool asObject)
    {
        if (!asObject) writer.WritePropertyName("value"u8);
    }

    public readonly void EndPair(bool asObject)
    {
        if (!asObject) writer.WriteEndObject();
    }

    public readonly void EndMap(PlanNode node, int count, bool asObject)
    {
        if (asObject) writer.WriteEndObject();
        else writer.WriteEndArray();
    }

    private readonly void Name(PlanNode node, ReadOnlySpan<byte> bytes)
    {
        if (node.Kind == SchemaKind.Char)
        {
            JsonText.WriteName(writer, bytes, isUtf16: true);
            return;
        }

        if (node.Kind == SchemaKind.Enum)
        {
            long number = Scalars.ReadInt64(node.NumberKind, bytes);
            if (node.Enum!.TryGetName(number, out ReadOnlySpan<byte> name)) writer.WritePropertyName(name);
            else writer.WritePropertyName(node.Enum.ToText(number));
            return;
        }

        Span<byte> text = stackalloc byte[Scalars.MaxTextBytes];
        writer.WritePropertyName(text[..Scalars.Format(node.Kind, bytes, text)]);
    }

    private readonly void EnumValue(PlanNode node, ReadOnlySpan<byte> bytes)
    {
        EnumNames names = node.Enum!;
        long number = Scalars.ReadInt64(node.NumberKind, bytes);
        if (names.TryGetName(number, out ReadOnlySpan<byte> name))
        {
            writer.WriteStringValue(name);
            return;
        }

        Span<ulong> members = stackalloc ulong[64];
        int count = names.Split(number, members);
        for (int i = count - 1; i >= 0; i--)
        {
            writer.WriteStringValueSegment(names.NameOf(members[i]), isFinalSegment: i == 0);
            if (i > 0) writer.WriteStringValueSegment(", "u8, isFinalSegment: false);
        }

        if (count > 0) return;
        if (node.NumberKind == SchemaKind.UInt64) writer.WriteNumberValue((ulong)number);
        else writer.WriteNumberValue(number);
    }

    private readonly void CheckDepth()
    {
        if (writer.CurrentDepth >= _maxDepth)
            throw new NinoSerializationException($"The record nests deeper than the {_maxDepth} levels the JSON writer allows. Raise JsonWriterOptions.MaxDepth if such records are expected.");
    }
}
