// The text of a schema file. docs/evolution.md, "schema file", describes it; SchemaFileReader takes it apart again.

using System.Globalization;
using System.Text;

namespace Store.Serialization;

/// <summary>
/// Each named type stands once, whichever records it is reached from. Only where records have different types of one name (of two assemblies, or a base of which they know different
/// cases) do the later ones stand in a group of their own, with all types that they reach.
/// </summary>
internal sealed class SchemaFileWriter
{
    private readonly List<string> _records = [];
    private readonly SortedDictionary<string, string> _types = new(StringComparer.Ordinal);

    private SchemaFileWriter()
    {
    }

    public static string Write(string title, IReadOnlyList<NinoSchema> schemas, IReadOnlyList<RefusedSchema> refused)
    {
        var text = new StringBuilder();
        text.Append("# What the record types of ").Append(title).Append(" look like in files. Written by NinoSchemaFile.Describe; do not edit.\n");
        List<SchemaFileWriter> groups = [];
        foreach (NinoSchema schema in schemas)
        {
            KeyValuePair<string, string>[] types = [.. schema.Definitions.Select(static type => KeyValuePair.Create(SchemaFileWords.Of(type), BlockOf(type)))];
            SchemaFileWriter? group = groups.Find(group => group.Agrees(types));
            if (group is null) groups.Add(group = new SchemaFileWriter());
            group.Add(schema, types);
        }

        foreach (SchemaFileWriter group in groups)
        {
            text.Append('\n').Append(SchemaFileWords.Records).Append('\n').AppendJoin("", group._records.Order(StringComparer.Ordinal));
            foreach (string block in group._types.Values) text.Append('\n').Append(block);
        }

        text.Append('\n').Append(SchemaFileWords.End).Append('\n');
        foreach (RefusedSchema one in refused)
        {
            text.Append("\n# ").Append(one.Name).Append(one.IsOfHiddenMembers ? " has no schema: it, or what it is made of, hides members that would be lost, so it is neither written nor read.\n"
                : " has no schema: assemblies that were loaded when this was written contradict each other about what it is made of.\n");
        }

        return text.ToString();
    }

    private bool Agrees(KeyValuePair<string, string>[] types) => Array.TrueForAll(types, type => !_types.TryGetValue(type.Key, out string? known) || known == type.Value);

    private void Add(NinoSchema schema, KeyValuePair<string, string>[] types)
    {
        _records.Add($"  {SchemaFileWords.Of(schema.Root)}{SchemaFileWords.Fingerprint}{schema.Fingerprint.ToString("x16", CultureInfo.InvariantCulture)}\n");
        foreach ((string name, string block) in types) _types[name] = block;
    }

    private static string BlockOf(SchemaDefinition definition)
    {
        var text = new StringBuilder(SchemaFileWords.Of(definition));
        switch (definition)
        {
            case ObjectDefinition type:
                text.Append(type.KeepsReferences ? SchemaFileWords.KeepsReferences : "").Append('\n');
                foreach (SchemaField field in type.Fields)
                    text.Append("  ").Append(SchemaFileWords.Name(field.Name)).Append(": ").Append(SchemaFileWords.Of(field.Node)).Append(field.Id > 0 ? SchemaFileWords.Id + field.Id.ToString(CultureInfo.InvariantCulture) : "").Append('\n');
                break;
            case EnumDefinition type:
                text.Append(SchemaFileWords.On).Append(type.Underlying).Append(type.IsFlags ? SchemaFileWords.Combines : "").Append('\n');
                foreach (EnumMember member in type.Members) text.Append(CultureInfo.InvariantCulture, $"  {SchemaFileWords.Name(member.Name)} = {member.Value}\n");
                break;
            case UnionDefinition type:
                foreach ((UnionForm form, string words) in SchemaFileWords.Forms) text.Append((type.Form & form) != 0 ? words : "");
                text.Append('\n');
                foreach (UnionCase one in type.Cases) text.Append("  ").Append(type.Describe(one.Tag)).Append(": ").Append(SchemaFileWords.Of(one.Node)).Append('\n');
                break;
        }

        return text.ToString();
    }
}
