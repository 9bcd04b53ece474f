// Has a type changed its shape since the file was committed, and can what was stored then still be read? Answered by the plan that reading itself would use.

using System.Globalization;
using System.Reflection;
using System.Text;
using Store.Serialization.Evolution;

namespace Store.Serialization;

/// <summary>
/// The schemas of an assembly's record types as a text file that is committed beside the source, so that a review sees every change of a stored shape and a
/// test fails on it (docs/evolution.md, "schema file"). Reads and writes text only; the caller has the file. Safe for any number of threads.
/// </summary>
public static class NinoSchemaFile
{
    private const string SchemaLine = "  schema ";
    private const string RuleLine = "  rule ";
    private const string TypeLine = "type ";
    private const string Remedy = "Take the file from the last commit, finish the merge that it comes from, or accept the present state with NinoSchemaFile.Describe.";

    /// <summary>The text for an assembly's record types as they are now: readable, and with each schema's own bytes so that it can be compared. A type that cannot be stored, because it or what it is made of hides members that would be lost, has a comment instead, and so has one about which loaded assemblies contradict each other.</summary>
    public static string Describe(Assembly assembly)
    {
        ArgumentNullException.ThrowIfNull(assembly);
        return Describe(assembly.GetName().Name ?? "", NinoRegistry.SchemasOf(assembly, out IReadOnlyList<RefusedSchema> refused), refused);
    }

    /// <summary>What has changed since a text was committed.</summary>
    /// <param name="committed">The text of the file, with or without a byte order mark; empty when there is none yet.</param>
    /// <param name="assembly">The program as it is now.</param>
    /// <exception cref="FormatException">The text is not one that <see cref="Describe(Assembly)"/> wrote.</exception>
    public static NinoSchemaChanges Compare(string committed, Assembly assembly)
    {
        ArgumentNullException.ThrowIfNull(committed);
        ArgumentNullException.ThrowIfNull(assembly);
        return Compare(committed, assembly.GetName().Name ?? "", NinoRegistry.SchemasOf(assembly, out IReadOnlyList<RefusedSchema> refused), refused);
    }

    /// <summary>Fails when the text is not the one of the assembly's record types as they are now: for a unit test. The message lists what changed, what of it breaks, and how to accept it.</summary>
    /// <exception cref="InvalidOperationException">Something changed.</exception>
    /// <inheritdoc cref="Compare(string, Assembly)" path="/param"/>
    /// <inheritdoc cref="Compare(string, Assembly)" path="/exception"/>
    public static void Verify(string committed, Assembly assembly)
    {
        NinoSchemaChanges changes = Compare(committed, assembly);
        if (!changes.IsUpToDate) throw new InvalidOperationException(changes.ToString());
    }

    internal static string Describe(string title, IReadOnlyList<NinoSchema> schemas, IReadOnlyList<RefusedSchema>? refused = null)
    {
        var text = new StringBuilder();
        text.Append("# What the record types of ").Append(title).Append(" look like in files. Written by NinoSchemaFile.Describe; do not edit.\n");
        foreach (NinoSchema schema in schemas)
        {
            text.Append('\n').Append(TypeLine).Append(schema.Name).Append(CultureInfo.InvariantCulture, $" fingerprint {schema.Fingerprint:x16}\n");
            foreach (SchemaDefinition definition in schema.Definitions) Append(text, definition);
            if (schema.Definitions.Count == 0) text.Append("  ").Append(SchemaText.WithRules(schema.Root)).Append('\n');
            foreach (string rule in SchemaRules.Lines(schema)) text.Append(RuleLine).Append(rule).Append('\n');
            text.Append(SchemaLine).Append(Convert.ToBase64String(schema.CanonicalBytes.Span)).Append('\n');
        }

        foreach (RefusedSchema one in refused ?? [])
        {
            text.Append("\n# ").Append(one.Name).Append(one.IsOfHiddenMembers ? " has no schema: it, or what it is made of, hides members that would be lost, so it is neither written nor read.\n"
                : " has no schema: assemblies that were loaded when this was written contradict each other about what it is made of.\n");
        }

        return text.ToString();
    }

    internal static NinoSchemaChanges Compare(string committed, string title, IReadOnlyList<NinoSchema> schemas, IReadOnlyList<RefusedSchema>? refused = null)
    {
        // A byte order mark, which some ways to read a file leave in front.
        if (committed.StartsWith('\uFEFF')) committed = committed[1..];
        List<string> breaking = [], narrowing = [], compatible = [];
        List<NinoSchema> stored = Parse(committed);
        HashSet<string> before = [.. stored.Select(SchemaRules.Identity)], present = [.. schemas.Select(SchemaRules.Identity)];
        // What is as it was is not what another one of its name became: lists and sets of one element have one.
        var known = new HashSet<NinoSchema>(schemas.Where(schema => before.Contains(SchemaRules.Identity(schema))), ReferenceEqualityComparer.Instance);
        foreach (NinoSchema old in stored.Where(schema => !present.Contains(SchemaRules.Identity(schema))))
        {
            if (schemas.Where(schema => schema.IsNamed(old.Name)).OrderBy(known.Contains).FirstOrDefault() is not { } now)
            {
                breaking.Add(refused?.FirstOrDefault(one => one.Name == old.Name).Why is { } why ? $"{old.Name}: the type is refused now, so its records are read no more. {why}"
                    : $"{old.Name}: the type is gone, or the assembly has no codec for it any more, so its records are read no more. Keep it, or put [NinoFormerName(\"{old.Name}\")] on what it is called now.");
                continue;
            }

            known.Add(now);
            Compare(old, now, breaking, narrowing, compatible);
        }

        compatible.AddRange(schemas.Where(schema => !known.Contains(schema)).Select(static schema => $"{schema.Name}: the type is new."));
        string text = Describe(title, schemas, refused), was = committed.ReplaceLineEndings("\n");
        bool isUpToDate = was == text;
        if (!isUpToDate && breaking.Count + narrowing.Count + compatible.Count == 0) compatible.Add(FirstOtherLine(was.Split('\n'), text.Split('\n')));
        return new NinoSchemaChanges(breaking, narrowing, compatible, text, isUpToDate);
    }

    private static void Compare(NinoSchema old, NinoSchema now, List<string> breaking, List<string> narrowing, List<string> compatible)
    {
        var meanings = new SchemaMeanings(old, now);
        ValueMap? plan = null;
        try
        {
            plan = MapBuilder.Build(old, now, out _, meanings);
        }
        catch (NinoSchemaMismatchException error)
        {
            breaking.Add($"{now.Name}: {error.Message}");
        }

        meanings.MeetByName();
        (string Change, bool Breaks)[] retagged = [.. meanings.Retagged()];
        breaking.AddRange(meanings.Renumbered().Concat(retagged.Where(static one => one.Breaks).Select(static one => one.Change)).Select(change => $"{now.Name}: {change}"));
        string[] renamed = [.. retagged.Where(static one => !one.Breaks).Select(one => $"{now.Name}: {one.Change}")];
        compatible.AddRange(renamed);
        if (plan is null) return;
        SchemaDifferences differences = SchemaDifferences.Of(now.Name, plan, meanings);
        breaking.AddRange(differences.Breaking);
        narrowing.AddRange(differences.Narrowing);
        compatible.AddRange(differences.Compatible);
        if (retagged.Length + differences.Breaking.Count + differences.Narrowing.Count + differences.Compatible.Count == 0 && !meanings.Renumbered().Any())
            compatible.Add($"{now.Name}: its types, or the members of its enums, stand in another order; records are the same.");
    }

    /// <summary>Of a text that differs although no schema does: somebody edited what stands around the schemas.</summary>
    private static string FirstOtherLine(string[] committed, string[] now)
    {
        int line = committed.Zip(now).TakeWhile(static pair => pair.First == pair.Second).Count();
        return $"No schema changed, but the text did: line {line + 1} is {Shown(committed)}, and would be {Shown(now)}.";

        string Shown(string[] lines) => line < lines.Length ? $"'{lines[line].Trim()}'" : "not there";
    }

    private static void Append(StringBuilder text, SchemaDefinition definition)
    {
        switch (definition)
        {
            case ObjectDefinition type:
                text.Append(type.IsReference ? "  class " : "  struct ").Append(type.Name).Append(type.KeepsReferences ? ", keeps references\n" : "\n");
                foreach (SchemaField field in type.Fields)
                    text.Append("    ").Append(field.Name).Append(": ").Append(SchemaText.WithRules(field.Node)).Append(field.Id > 0 ? $", id {field.Id.ToString(CultureInfo.InvariantCulture)}\n" : "\n");
                break;
            case EnumDefinition type:
                text.Append("  enum ").Append(type.Name).Append(" on ").Append(type.Underlying).Append(type.IsFlags ? ", values combine\n" : "\n");
                foreach (EnumMember member in type.Members) text.Append(CultureInfo.InvariantCulture, $"    {member.Name} = {member.Value}\n");
                break;
            case UnionDefinition type:
                text.Append("  union ").Append(type.Name).Append(CultureInfo.InvariantCulture, $", {type.Form}\n");
                foreach (UnionCase one in type.Cases) text.Append("    ").Append(type.Describe(one.Tag)).Append(' ').Append(one.Node.Definition!.Name).Append('\n');
                break;
        }
    }

    // A comment, then for every type a line that names it, lines that show it, its rules, and its schema. A file of something else must not pass for one without types.
    private static List<NinoSchema> Parse(string committed)
    {
        var schemas = new List<NinoSchema>();
        string[] lines = committed.Split('\n');
        int? open = null;
        var rules = new List<int>();
        for (int i = 0; i < lines.Length; i++)
        {
            string line = lines[i].TrimEnd('\r');
            if (line.StartsWith(SchemaLine, StringComparison.Ordinal) && open is not null)
            {
                NinoSchema schema = ParseSchema(line[SchemaLine.Length..], i);
                int wrong = SchemaRules.Add(schema, [.. rules.Select(rule => lines[rule].TrimEnd('\r')[RuleLine.Length..])]);
                if (wrong >= 0) throw new FormatException($"The schema file cannot be read from line {rules[wrong] + 1} on, which is no rule of the type: '{lines[rules[wrong]].Trim()}'. {Remedy}");
                schemas.Add(schema);
                rules.Clear();
                open = null;
                continue;
            }

            if (line.StartsWith(RuleLine, StringComparison.Ordinal) && open is not null) rules.Add(i);

            bool isKnown = open is null
                ? line.Length == 0 || line[0] == '#' || line.StartsWith(TypeLine, StringComparison.Ordinal)
                : line.StartsWith("  ", StringComparison.Ordinal);
            // A blank line or the next type: the schema of the one before is missing.
            if (!isKnown) throw Unreadable(open is { } begun && (line.Length == 0 || line.StartsWith(TypeLine, StringComparison.Ordinal)) ? begun : i, lines);
            if (line.StartsWith(TypeLine, StringComparison.Ordinal)) open = i;
        }

        return open is { } last ? throw Unreadable(last, lines) : schemas;
    }

    private static FormatException Unreadable(int line, string[] lines)
    {
        string what = lines[line].StartsWith(TypeLine, StringComparison.Ordinal) ? "the type that begins there has no schema" : "no schema file has such a line";
        return new($"The schema file cannot be read from line {line + 1} on, '{lines[line].Trim()}': {what}. {Remedy}");
    }

    private static NinoSchema ParseSchema(string text, int line)
    {
        try
        {
            return NinoSchema.Parse(Convert.FromBase64String(text.Trim()));
        }
        catch (Exception error) when (error is FormatException or NinoSerializationException)
        {
            throw new FormatException($"The schema file cannot be read from line {line + 1} on, which is no schema: {error.Message} {Remedy}", error);
        }
    }
}

/// <summary>What has changed in an assembly's stored shapes. Immutable.</summary>
/// <param name="Breaking">Changes after which existing records can be read no more, or mean something else.</param>
/// <param name="Narrowing">Changes after which existing records are read, but for those that hold a value that does not fit, a case that is gone, or keys that are equal now: reading refuses these, one by one.</param>
/// <param name="Compatible">Changes that existing records survive (docs/evolution.md).</param>
/// <param name="Text">The text as it would be committed now.</param>
/// <param name="IsUpToDate">The committed text is <paramref name="Text"/>.</param>
public sealed record NinoSchemaChanges(IReadOnlyList<string> Breaking, IReadOnlyList<string> Narrowing, IReadOnlyList<string> Compatible, string Text, bool IsUpToDate)
{
    /// <summary>What changed, what of it breaks, and how to accept it.</summary>
    public override string ToString()
    {
        var text = new StringBuilder();
        if (IsUpToDate) return "The stored shapes are those of the schema file.";
        Append(text, "BREAKING: existing records could not be read, or would mean something else.", Breaking);
        Append(text, "NARROWING: existing records are read, but for those that hold what does not fit.", Narrowing);
        Append(text, "Compatible: existing records are read.", Compatible);
        text.Append("To accept, replace the schema file by NinoSchemaFile.Describe(assembly) and commit it; a breaking change only when no such record exists any more, a narrowing one only when no record holds what is refused.");
        return text.ToString();
    }

    private static void Append(StringBuilder text, string heading, IReadOnlyList<string> changes)
    {
        if (changes.Count > 0) text.Append(heading).Append('\n');
        foreach (string change in changes) text.Append("  ").Append(change).Append('\n');
    }
}
