using System.Globalization;

namespace Store.Serialization;

/// <summary>
/// Reads what <see cref="SchemaFileWriter"/> wrote. Any other text is refused with its line: one that was cut off, half merged or edited by hand too, as far as fingerprints tell: they have no members of enums and no rules. A group's types are
/// made first, from the lines that name them, and then their members, which may be of types further below.
/// </summary>
internal sealed class SchemaFileReader
{
    private const string Indent = "  ";

    private readonly List<SchemaFileLine> _records = [];
    private readonly Dictionary<string, SchemaDefinition> _types = new(StringComparer.Ordinal);
    private readonly List<(SchemaFileLine Head, SchemaDefinition Type, List<EnumMember>? Members, List<SchemaFileLine> Lines)> _blocks = [];

    private SchemaFileReader()
    {
    }

    /// <exception cref="FormatException">The text is no schema file.</exception>
    public static List<NinoSchema> Read(string text)
    {
        List<NinoSchema> schemas = [];
        SchemaFileReader? group = null;
        List<SchemaFileLine>? block = null;
        SchemaFileLine? last = null;
        bool isEnded = false;
        string[] lines = text.Split('\n');
        for (int i = 0; i < lines.Length; i++)
        {
            var line = new SchemaFileLine(lines[i].TrimEnd('\r'), i + 1);
            if (line.IsAtEnd) continue;
            last = line;
            if (line.Text[0] == '#') continue;
            if (isEnded) throw line.Unreadable($"nothing but comments can stand behind '{SchemaFileWords.End}'");
            if (line.Take(Indent))
            {
                (block ?? throw line.Unreadable("no schema file has such a line")).Add(line);
            }
            else if (line.Text == SchemaFileWords.Records)
            {
                if (group is not null) schemas.AddRange(group.Schemas());
                group = new SchemaFileReader();
                block = group._records;
            }
            else if (line.Text == SchemaFileWords.End)
            {
                isEnded = true;
            }
            else
            {
                block = (group ?? throw line.Unreadable("no schema file has such a line")).Open(line);
            }
        }

        if (last is not null && !isEnded) throw last.Unreadable($"it is the last line, and '{SchemaFileWords.End}' is missing: the file is cut off");
        if (group is not null) schemas.AddRange(group.Schemas());
        return schemas;
    }

    private List<SchemaFileLine> Open(SchemaFileLine line)
    {
        (SchemaDefinition type, List<EnumMember>? members) = ReadHead(line);
        line.ExpectEnd();
        if (!_types.TryAdd(SchemaFileWords.Of(type), type)) throw line.Unreadable("the type is there twice");
        List<SchemaFileLine> lines = [];
        _blocks.Add((line, type, members, lines));
        return lines;
    }

    private static (SchemaDefinition Type, List<EnumMember>? Members) ReadHead(SchemaFileLine line)
    {
        bool isClass = line.Take(SchemaFileWords.Class);
        if (isClass || line.Take(SchemaFileWords.Struct)) return (new ObjectDefinition(line.TakeName(), isClass, line.Take(SchemaFileWords.KeepsReferences)), null);
        if (line.Take(SchemaFileWords.Enum))
        {
            string name = line.TakeName();
            line.Expect(SchemaFileWords.On);
            if (!TryKind(line.TakeWord(), out SchemaKind kind) || kind is < SchemaKind.SByte or > SchemaKind.UInt64) throw line.Unreadable("an enum is a number");
            List<EnumMember> members = [];
            return (new EnumDefinition(name, kind, line.Take(SchemaFileWords.Combines), members), members);
        }

        if (!line.Take(SchemaFileWords.Union)) throw line.Unreadable("no schema file has such a line");
        string union = line.TakeName();
        UnionForm form = UnionForm.Hashed;
        foreach ((UnionForm one, string words) in SchemaFileWords.Forms) form |= line.Take(words) ? one : UnionForm.Hashed;
        return (new UnionDefinition(union, form), null);
    }

    private List<NinoSchema> Schemas()
    {
        foreach ((_, SchemaDefinition type, List<EnumMember>? members, List<SchemaFileLine> lines) in _blocks)
        {
            foreach (SchemaFileLine line in lines)
            {
                if (type is ObjectDefinition fields) fields.Add(ReadField(line));
                else if (type is UnionDefinition cases) cases.Add(ReadCase(line, cases));
                else members!.Add(ReadMember(line));
                line.ExpectEnd();
            }
        }

        List<NinoSchema> schemas = [.. _records.Select(ReadRecord)];
        // Fingerprints do not tell that a record's own line was lost in a merge.
        var reached = new HashSet<SchemaDefinition>(schemas.SelectMany(static schema => schema.Definitions), ReferenceEqualityComparer.Instance);
        foreach ((SchemaFileLine head, SchemaDefinition type, _, _) in _blocks)
        {
            if (!reached.Contains(type)) throw head.Unreadable("no record above has such a type: the line of one is missing");
        }

        return schemas;
    }

    private NinoSchema ReadRecord(SchemaFileLine line)
    {
        SchemaNode root = ReadNode(line, 0);
        line.Expect(SchemaFileWords.Fingerprint);
        ulong fingerprint = line.TakeNumber<ulong>(NumberStyles.AllowHexSpecifier, "x16");
        line.ExpectEnd();
        NinoSchema schema;
        try
        {
            schema = NinoSchema.Create(root);
        }
        catch (ArgumentException error)
        {
            throw line.Unreadable($"what stands below is no schema of it ({error.Message})", error);
        }

        return schema.Fingerprint == fingerprint ? schema : throw line.Unreadable(FormattableString.Invariant($"the types below give it the fingerprint {schema.Fingerprint:x16}: a line was edited, or a merge put together what no version had"));
    }

    private SchemaField ReadField(SchemaFileLine line)
    {
        string name = line.TakeName();
        line.Expect(": ");
        SchemaNode node = ReadNode(line, 0);
        return new SchemaField(name, line.Take(SchemaFileWords.Id) ? line.TakeNumber<int>() : 0, node);
    }

    private static EnumMember ReadMember(SchemaFileLine line)
    {
        string name = line.TakeName();
        line.Expect(" = ");
        return new EnumMember(name, line.TakeNumber<long>(NumberStyles.AllowLeadingSign));
    }

    private UnionCase ReadCase(SchemaFileLine line, UnionDefinition union)
    {
        uint tag = union.HasExplicitTags ? line.TakeNumber<uint>() : ReadHash(line);
        line.Expect(": ");
        return new UnionCase(tag, ReadNode(line, 0));
    }

    private static uint ReadHash(SchemaFileLine line)
    {
        line.Expect("0x");
        return line.TakeNumber<uint>(NumberStyles.AllowHexSpecifier, "X8");
    }

    private SchemaNode ReadNode(SchemaFileLine line, int depth)
    {
        if (depth > SchemaShape.MaxNodeDepth) throw line.Unreadable("collections are nested too deep");
        if (line.Take(SchemaFileWords.Nullable)) return SchemaNode.Nullable(ReadNode(line, depth + 1));
        foreach (string word in (ReadOnlySpan<string>)[SchemaFileWords.Class, SchemaFileWords.Struct, SchemaFileWords.Enum, SchemaFileWords.Union])
        {
            if (!line.Take(word)) continue;
            string name = word + SchemaFileWords.Name(line.TakeName());
            return SchemaNode.Reference(_types.TryGetValue(name, out SchemaDefinition? type) ? type : throw line.Unreadable($"'{name}' is not there"));
        }

        string kind = line.TakeWord();
        List<string> rules = ReadRules(line);
        SchemaNode node;
        if (kind == SchemaFileWords.List)
        {
            line.Expect(SchemaFileWords.OfElement);
            node = SchemaNode.List(ReadNode(line, depth + 1));
        }
        else if (kind == SchemaFileWords.Map)
        {
            line.Expect(SchemaFileWords.From);
            SchemaNode key = ReadNode(line, depth + 1);
            line.Expect(SchemaFileWords.To);
            node = SchemaNode.Map(key, ReadNode(line, depth + 1));
        }
        else
        {
            node = TryKind(kind, out SchemaKind known) && known < SchemaKind.Nullable ? SchemaNode.Primitive(known) : throw line.Unreadable($"'{kind}' is no type");
        }

        foreach (string rule in rules) node.Demand(SchemaRule.Parse(rule, node) is { } demand && !node.Rules.Contains(demand) ? demand : throw line.Unreadable($"'{rule}' is no rule of it"));
        return node;
    }

    private static List<string> ReadRules(SchemaFileLine line)
    {
        List<string> rules = [];
        if (!line.Take(" (")) return rules;
        do rules.Add(line.Take(SchemaFileWords.As) ? SchemaFileWords.As + line.TakeName() : line.TakeUntil(',', ')'));
        while (line.Take(", "));
        line.Expect(")");
        return rules;
    }

    // By their names alone: numbers would pass for kinds.
    private static bool TryKind(string word, out SchemaKind kind) => System.Enum.TryParse(word, out kind) && kind.ToString() == word && System.Enum.IsDefined(kind);
}
