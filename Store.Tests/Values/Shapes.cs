using System.Buffers;
using System.Text;
using System.Text.Encodings.Web;
using System.Text.Json;
using Store.Serialization;

namespace Store.Tests.Values;

/// <summary>Short ways to say a schema and to see a record as JSON.</summary>
internal static class Shapes
{
    private static readonly JsonWriterOptions Readable = new() { Encoder = JavaScriptEncoder.UnsafeRelaxedJsonEscaping };

    public static SchemaNode Of(SchemaKind kind) => SchemaNode.Primitive(kind);

    public static SchemaNode Class(string name, params (string Name, SchemaNode Node)[] fields) => Object(name, isReference: true, fields);

    public static SchemaNode Struct(string name, params (string Name, SchemaNode Node)[] fields) => Object(name, isReference: false, fields);

    /// <summary>A class whose fields need its own node.</summary>
    public static SchemaNode Recursive(string name, Func<SchemaNode, (string Name, SchemaNode Node)[]> fields)
    {
        var definition = new ObjectDefinition(name, isReference: true);
        SchemaNode node = SchemaNode.Reference(definition);
        foreach ((string field, SchemaNode of) in fields(node)) definition.Add(new SchemaField(field, 0, of));
        return node;
    }

    public static SchemaNode Enum(SchemaKind underlying, bool isFlags, params (string Name, long Value)[] members) => Enum("E", underlying, isFlags, members);

    public static SchemaNode Enum(string name, SchemaKind underlying, bool isFlags, (string Name, long Value)[] members) =>
        SchemaNode.Reference(new EnumDefinition(name, underlying, isFlags, [.. members.Select(m => new EnumMember(m.Name, m.Value))]));

    /// <summary>A schema with one field named X of each node given: X, Y, Z…</summary>
    public static NinoSchema Schema(params SchemaNode[] nodes) =>
        NinoSchema.Create(Class("R", [.. nodes.Select((node, i) => (((char)('X' + i)).ToString(), node))]));

    public static string Json(NinoSchema schema, byte[] record, NinoLimits? limits = null)
    {
        var output = new ArrayBufferWriter<byte>();
        using (var writer = new Utf8JsonWriter(output, Readable)) NinoJson.Write(writer, schema, record, limits);
        return Encoding.UTF8.GetString(output.WrittenSpan);
    }

    /// <summary>JSON of a record that is one value, without the object around it.</summary>
    public static string JsonOf(SchemaNode node, RecordBytes record)
    {
        string json = Json(Schema(node), record);
        Assert.StartsWith("{\"X\":", json, StringComparison.Ordinal);
        return json[5..^1];
    }

    private static SchemaNode Object(string name, bool isReference, (string Name, SchemaNode Node)[] fields)
    {
        var definition = new ObjectDefinition(name, isReference);
        foreach ((string field, SchemaNode node) in fields) definition.Add(new SchemaField(field, 0, node));
        return SchemaNode.Reference(definition);
    }
}
