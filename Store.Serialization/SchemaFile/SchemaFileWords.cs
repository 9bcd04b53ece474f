using System.Text;

namespace Store.Serialization;

/// <summary>The words of a schema file, and how nodes and names are written with them. A node is told by its first word, so that every text has one meaning.</summary>
internal static class SchemaFileWords
{
    public const string Records = "records";
    public const string End = "end";
    public const string Fingerprint = ", fingerprint ";
    public const string KeepsReferences = ", keeps references";
    public const string On = " on ";
    public const string Combines = ", values combine";
    public const string Id = ", id ";
    public const string Nullable = "nullable ";
    public const string List = "list";
    public const string OfElement = " of ";
    public const string Map = "map";
    public const string From = " from ";
    public const string To = " to ";
    public const string As = "as ";
    public const string Class = "class ";
    public const string Struct = "struct ";
    public const string Enum = "enum ";
    public const string Union = "union ";

    /// <summary>What a union says of its values, in this order.</summary>
    public static readonly (UnionForm Form, string Words)[] Forms = [(UnionForm.ExplicitTags, ", tags given"), (UnionForm.SkipsUnknown, ", unknown ones are skipped"), (UnionForm.KeepsReferences, KeepsReferences)];

    private const string Marks = " \":()=\\";

    /// <summary>A named type: what it is and its name.</summary>
    public static string Of(SchemaDefinition type) => WordOf(type) + Name(type.Name);

    /// <summary>A node, with its rules.</summary>
    public static string Of(SchemaNode node)
    {
        var text = new StringBuilder();
        Append(node);
        return text.ToString();

        void Append(SchemaNode node)
        {
            switch (node.Kind)
            {
                case SchemaKind.Nullable:
                    text.Append(Nullable);
                    Append(node.Element!);
                    break;
                case SchemaKind.List:
                    text.Append(List).Append(RulesOf(node)).Append(OfElement);
                    Append(node.Element!);
                    break;
                case SchemaKind.Map:
                    text.Append(Map).Append(RulesOf(node)).Append(From);
                    Append(node.Key!);
                    text.Append(To);
                    Append(node.Element!);
                    break;
                default:
                    text.Append(node.Definition is { } type ? Of(type) : node.Kind + RulesOf(node));
                    break;
            }
        }
    }

    /// <summary>A name: as it is, or in quotes where it has characters that stand between words.</summary>
    public static string Name(string name) =>
        EndOfWord(name, 0) == name.Length ? name : $"\"{name.Replace("\\", "\\\\", StringComparison.Ordinal).Replace("\"", "\\\"", StringComparison.Ordinal)}\"";

    /// <summary>Where a name without quotes that begins at a place ends. A comma is part of it (<c>Int32[,]</c>) where no blank follows.</summary>
    public static int EndOfWord(string text, int start)
    {
        int end = start;
        while (end < text.Length && !Marks.Contains(text[end], StringComparison.Ordinal) && !(text[end] == ',' && (end + 1 == text.Length || text[end + 1] == ' '))) end++;
        return end;
    }

    private static string WordOf(SchemaDefinition type) => type switch
    {
        ObjectDefinition { IsReference: true } => Class,
        ObjectDefinition => Struct,
        EnumDefinition => Enum,
        _ => Union,
    };

    private static string RulesOf(SchemaNode node) =>
        node.Rules.Count == 0 ? "" : $" ({string.Join(", ", node.Rules.Select(static rule => rule.Text).Order(StringComparer.Ordinal).Select(static rule => rule.StartsWith(As, StringComparison.Ordinal) ? As + Name(rule[As.Length..]) : rule))})";
}
