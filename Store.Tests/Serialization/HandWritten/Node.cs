using Store.Serialization;
using Store.Serialization.Codecs;

namespace Store.Tests.Serialization.HandWritten;

/// <summary>A recursive type, and one whose objects are elements.</summary>
public sealed class Node
{
    public string? Name { get; set; }

    public Node? Next { get; set; }

    public Node?[]? Children { get; set; }
}

#nullable disable // as generated code

/// <summary>A type that can reach itself counts its depth: Enter before the body, Leave after it. Layout: Name, Next, Children.</summary>
public readonly struct NodeCodec : INinoCodec<Node>
{
    public static CodecForm Form => CodecForm.Object;

    public static int MinSize => 1;

    public static int MinBodySize => 3;

    public static SchemaNode Describe(SchemaBuilder builder) => builder.Object(typeof(Node), "Store.Tests.Serialization.HandWritten.Node", isReference: true, static fields =>
    {
        fields.Add("Name", 0, StringCodec.Describe(fields.Builder));
        fields.Add("Next", 0, NodeCodec.Describe(fields.Builder));
        fields.Add("Children", 0, ArrayCodec<Node, NodeCodec>.Describe(fields.Builder));
    });

    public void Write(ref NinoWriter writer, in Node value)
    {
        if (value is null)
        {
            writer.Take(1) = 0;
            return;
        }

        writer.Take(1) = 1;
        WriteBody(ref writer, in value);
    }

    public Node Read(ref NinoReader reader) => reader.ReadPresence() ? ReadBody(ref reader) : null;

    public void WriteBody(ref NinoWriter writer, in Node value)
    {
        writer.Enter();
        Node node = value;
        default(StringCodec).Write(ref writer, node.Name);
        default(NodeCodec).Write(ref writer, node.Next);
        default(ArrayCodec<Node, NodeCodec>).Write(ref writer, node.Children);
        writer.Leave();
    }

    public Node ReadBody(ref NinoReader reader)
    {
        reader.Enter();
        string name = default(StringCodec).Read(ref reader);
        Node next = default(NodeCodec).Read(ref reader);
        Node[] children = default(ArrayCodec<Node, NodeCodec>).Read(ref reader);
        reader.Leave();
        return new Node { Name = name, Next = next, Children = children };
    }
}

/// <summary>An object without members: its body is one zero byte.</summary>
public sealed class Nothing;

public readonly struct NothingCodec : INinoCodec<Nothing>
{
    public static CodecForm Form => CodecForm.Object;

    public static int MinSize => 1;

    public static int MinBodySize => 1;

    public static SchemaNode Describe(SchemaBuilder builder) => builder.Object(typeof(Nothing), "Store.Tests.Serialization.HandWritten.Nothing", isReference: true, static _ => { });

    public void Write(ref NinoWriter writer, in Nothing value)
    {
        writer.Take(1) = value is null ? (byte)0 : (byte)1;
        if (value is not null) WriteBody(ref writer, in value);
    }

    public Nothing Read(ref NinoReader reader) => reader.ReadPresence() ? ReadBody(ref reader) : null;

    public void WriteBody(ref NinoWriter writer, in Nothing value) => writer.Take(1) = 0;

    public Nothing ReadBody(ref NinoReader reader)
    {
        reader.ReadEmptyBody();
        return new Nothing();
    }
}
