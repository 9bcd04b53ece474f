using System.Globalization;
using System.Text.Json;
using Spectre.Console;
using Store.Serialization;

namespace Store.Inspect.Rendering;

/// <summary>Schemas: as declarations to read, or as JSON.</summary>
internal static class SchemaView
{
    public static void Write(Screen screen, NinoSchema schema)
    {
        var title = new StyledText(schema.Name, Theme.Title).Add("   ");
        if (schema.Root.Definition is { } root) title.Add($"{KeywordOf(root)}, ", Theme.Quiet);
        title.Add($"fingerprint {schema.Fingerprint:x16}", Theme.Quiet);
        if (schema.FixedRecordSize > 0) title.Add($", {Format.Count(schema.FixedRecordSize, "byte")} a record", Theme.Quiet);
        screen.Line(title);
        foreach (SchemaDefinition definition in schema.Definitions)
        {
            int indent = 2;
            if (!ReferenceEquals(definition, schema.Root.Definition))
            {
                screen.Line(new StyledText("  ").Add(definition.Name, Theme.Name).Add($"   {KeywordOf(definition)}", Theme.Quiet));
                indent = 4;
            }

            if (definition is EnumDefinition set) Enum(screen, indent, set);
            else if (definition is UnionDefinition union) Union(screen, indent, union);
            else Object(screen, indent, (ObjectDefinition)definition);
        }

        screen.Line();
    }

    public static void WriteJson(Utf8JsonWriter writer, NinoSchema schema)
    {
        writer.WriteStartObject();
        writer.WriteString("name"u8, schema.Name);
        writer.WriteString("fingerprint"u8, schema.Fingerprint.ToString("x16", CultureInfo.InvariantCulture));
        writer.WriteString("root"u8, KindOf(schema.Root));
        if (schema.FixedRecordSize > 0) writer.WriteNumber("recordBytes"u8, schema.FixedRecordSize);
        writer.WriteStartArray("types"u8);
        foreach (SchemaDefinition definition in schema.Definitions)
        {
            writer.WriteStartObject();
            writer.WriteString("name"u8, definition.Name);
            if (definition is EnumDefinition set) EnumJson(writer, set);
            else if (definition is UnionDefinition union) UnionJson(writer, union);
            else ObjectJson(writer, (ObjectDefinition)definition);
            writer.WriteEndObject();
        }

        writer.WriteEndArray();
        writer.WriteEndObject();
    }

    /// <summary>How a value is encoded, as a C# programmer would write it.</summary>
    public static string KindOf(SchemaNode node) => node.Kind switch
    {
        SchemaKind.Nullable => KindOf(node.Element!) + "?",
        SchemaKind.List => $"List<{KindOf(node.Element!)}>",
        SchemaKind.Map => $"Map<{KindOf(node.Key!)}, {KindOf(node.Element!)}>",
        SchemaKind.Object or SchemaKind.Enum or SchemaKind.Union => node.Definition!.Name,
        _ => node.Kind.ToString(),
    };

    private static string KeywordOf(SchemaDefinition definition) => definition switch
    {
        EnumDefinition set => (set.IsFlags ? "flags enum of " : "enum of ") + set.Underlying,
        UnionDefinition { SkipsUnknown: true } => "base, unknown cases are skipped",
        UnionDefinition { KeepsReferences: true } => "base that keeps references",
        UnionDefinition => "base",
        ObjectDefinition { KeepsReferences: true } => "class that keeps references",
        ObjectDefinition { IsReference: true } => "class",
        _ => "struct",
    };

    private static void Object(Screen screen, int indent, ObjectDefinition type)
    {
        var columns = new AlignedTable(screen, indent, ("offset", Justify.Right), ("bytes", Justify.Right), ("id", Justify.Right), ("field", Justify.Left), ("kind", Justify.Left));
        foreach ((SchemaField field, int offset) in WithOffsets(type))
        {
            columns.Add(
                offset < 0 ? new StyledText("-", Theme.Quiet) : Format.Count(offset),
                field.Node.FixedSize == 0 ? new StyledText("-", Theme.Quiet) : Format.Count(field.Node.FixedSize),
                field.Id == 0 ? new StyledText("-", Theme.Quiet) : field.Id.ToString(CultureInfo.InvariantCulture),
                field.Name,
                new StyledText(KindOf(field.Node), Theme.Name));
        }

        if (type.Fields.Count > 0) columns.Settle();
        else screen.Line(new StyledText(new string(' ', indent)).Add("no fields", Theme.Quiet));
    }

    private static void Enum(Screen screen, int indent, EnumDefinition set)
    {
        var columns = new AlignedTable(screen, indent, ("value", Justify.Right), ("name", Justify.Left));
        foreach (EnumMember member in set.Members) columns.Add(NumberOf(set, member), member.Name);
        columns.Settle();
    }

    private static void Union(Screen screen, int indent, UnionDefinition union)
    {
        var columns = new AlignedTable(screen, indent, ("tag", Justify.Right), ("case", Justify.Left));
        foreach (UnionCase one in union.Cases) columns.Add(TagOf(union, one), new StyledText(KindOf(one.Node), Theme.Name));
        columns.Settle();
    }

    private static void UnionJson(Utf8JsonWriter writer, UnionDefinition union)
    {
        writer.WriteString("kind"u8, "union");
        if (union.SkipsUnknown) writer.WriteBoolean("skipsUnknown"u8, true);
        if (union.KeepsReferences) writer.WriteBoolean("keepsReferences"u8, true);
        writer.WriteStartArray("cases"u8);
        foreach (UnionCase one in union.Cases)
        {
            writer.WriteStartObject();
            writer.WriteString("tag"u8, TagOf(union, one));
            writer.WriteString("kind"u8, KindOf(one.Node));
            writer.WriteEndObject();
        }

        writer.WriteEndArray();
    }

    private static string TagOf(UnionDefinition union, UnionCase one) =>
        union.HasExplicitTags ? one.Tag.ToString(CultureInfo.InvariantCulture) : "0x" + one.Tag.ToString("X8", CultureInfo.InvariantCulture);

    private static void ObjectJson(Utf8JsonWriter writer, ObjectDefinition type)
    {
        writer.WriteString("kind"u8, type.IsReference ? "class" : "struct");
        if (type.KeepsReferences) writer.WriteBoolean("keepsReferences"u8, true);
        writer.WriteStartArray("fields"u8);
        foreach ((SchemaField field, int offset) in WithOffsets(type))
        {
            writer.WriteStartObject();
            writer.WriteString("name"u8, field.Name);
            writer.WriteString("kind"u8, KindOf(field.Node));
            if (field.Id != 0) writer.WriteNumber("id"u8, field.Id);
            if (offset >= 0) writer.WriteNumber("offset"u8, offset);
            if (field.Node.FixedSize > 0) writer.WriteNumber("bytes"u8, field.Node.FixedSize);
            writer.WriteEndObject();
        }

        writer.WriteEndArray();
    }

    private static void EnumJson(Utf8JsonWriter writer, EnumDefinition set)
    {
        writer.WriteString("kind"u8, set.IsFlags ? "flags" : "enum");
        writer.WriteString("underlying"u8, set.Underlying.ToString());
        writer.WriteStartObject("members"u8);
        foreach (EnumMember member in set.Members)
        {
            writer.WritePropertyName(member.Name);
            writer.WriteRawValue(NumberOf(set, member));
        }

        writer.WriteEndObject();
    }

    private static string NumberOf(EnumDefinition set, EnumMember member) =>
        set.Underlying == SchemaKind.UInt64 ? ((ulong)member.Value).ToString(CultureInfo.InvariantCulture) : member.Value.ToString(CultureInfo.InvariantCulture);

    // Fixed fields lie at constant offsets up to the first that is not fixed.
    private static IEnumerable<(SchemaField Field, int Offset)> WithOffsets(ObjectDefinition type)
    {
        int offset = 0;
        foreach (SchemaField field in type.Fields)
        {
            bool isFixed = field.Node.FixedSize > 0 && offset >= 0;
            yield return (field, isFixed ? offset : -1);
            offset = isFixed ? offset + field.Node.FixedSize : -1;
        }
    }
}
