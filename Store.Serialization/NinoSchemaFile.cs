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

    /// <summary>The text for an assembly's record types as they are now: readable, and with each schema's own bytes so that it can be compared.</summary>
    public static string Describe(Assembly assembly)
    {
        ArgumentNullException.ThrowIfNull(assembly);
        return Describe(assembly.GetName().Name ?? "", NinoRegistry.SchemasOf(assembly));
    }

    /// <summary>What has changed since a text was committed.</summary>
    /// <param name="committed">The text of the file; empty when there is none yet.</param>
    /// <param name="assembly">The program as it is now.</param>
    /// <exception cref="FormatException">The text is not one that <see cref="Describe(Assembly)"/> wrote.</exception>
    public static NinoSchemaChanges Compare(string committed, Assembly assembly)
    {
        ArgumentNullException.ThrowIfNull(committed);
        ArgumentNullException.ThrowIfNull(assembly);
        return Compare(committed, assembly.GetName().Name ?? "", NinoRegistry.SchemasOf(assembly));
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

    internal static string Describe(string title, IReadOnlyList<NinoSchema> schemas)
    {
        var text = new StringBuilder();
        text.Append("# What the record types of ").Append(title).Append(" look like in files. Written by NinoSchemaFile.Describe; do not edit.\n");
        foreach (NinoSchema schema in schemas)
        {
            text.Append("\ntype ").Append(schema.Name).Append(CultureInfo.InvariantCulture, $" fingerprint {schema.Fingerprint:x16}\n");
            foreach (SchemaDefinition definition in schema.Definitions) Append(text, definition);
            if (schema.Definitions.Count == 0) text.Append("  ").Append(SchemaText.Of(schema.Root)).Append('\n');
            text.Append(SchemaLine).Append(Convert.ToBase64String(schema.CanonicalBytes.Span)).Append('\n');
        }

        return text.ToString();
    }

    internal static NinoSchemaChanges Compare(string committed, string title, IReadOnlyList<NinoSchema> schemas)
    {
        List<string> breaking = [], compatible = [];
        var known = new HashSet<NinoSchema>(ReferenceEqualityComparer.Instance);
        foreach (NinoSchema old in Parse(committed))
        {
            if (schemas.FirstOrDefault(schema => schema.IsNamed(old.Name)) is not { } now)
            {
                breaking.Add($"{old.Name}: the type is gone, so its records are read no more. Keep it, or put [NinoFormerName(\"{old.Name}\")] on what it is called now.");
                continue;
            }

            known.Add(now);
            if (old.CanonicalBytes.Span.SequenceEqual(now.CanonicalBytes.Span)) continue;
            int before = breaking.Count;
            var meanings = new SchemaMeanings(old, now);
            try
            {
                MapBuilder.Build(old, now, meanings);
            }
            catch (NinoSchemaMismatchException error)
            {
                breaking.Add($"{now.Name}: {error.Message}");
            }

            meanings.MeetByName();
            (string Change, bool Breaks)[] retagged = [.. meanings.Retagged()];
            breaking.AddRange(meanings.Renumbered().Concat(retagged.Where(static one => one.Breaks).Select(static one => one.Change)).Select(change => $"{now.Name}: {change}"));
            if (breaking.Count > before) continue;
            string[] differences = [.. retagged.Select(one => $"{now.Name}: {one.Change}"), .. Differences(old, now)];
            compatible.AddRange(differences.Length > 0 ? differences : [$"{now.Name}: order of members, names of types or members of enums changed."]);
        }

        compatible.AddRange(schemas.Where(schema => !known.Contains(schema)).Select(static schema => $"{schema.Name}: the type is new."));
        string text = Describe(title, schemas);
        return new NinoSchemaChanges(breaking, compatible, text, committed.ReplaceLineEndings("\n") == text);
    }

    private static IEnumerable<string> Differences(NinoSchema old, NinoSchema now)
    {
        foreach (ObjectDefinition type in old.Definitions.OfType<ObjectDefinition>())
        {
            // Of several constructions of a generic type, or grids of as many dimensions, that of the same name.
            ObjectDefinition[] same = [.. now.Definitions.OfType<ObjectDefinition>().Where(other => FieldMatch.IsSameType(type, other))];
            if ((Array.Find(same, other => other.Name == type.Name) ?? same.FirstOrDefault()) is not { } other) continue;
            int[] sources = FieldMatch.Find(type, other);
            for (int i = 0; i < sources.Length; i++)
            {
                SchemaField field = other.Fields[i];
                string? change = sources[i] < 0 ? $"added, {SchemaText.Of(field.Node)}"
                    : SchemaText.Of(type.Fields[sources[i]].Node) is var was && was != SchemaText.Of(field.Node) ? $"{SchemaText.Of(field.Node)}, was {was}"
                    : type.Fields[sources[i]].Name != field.Name ? $"was '{type.Fields[sources[i]].Name}'"
                    : null;
                if (change is null) continue;
                yield return $"{now.Name}: '{other.Name}.{field.Name}' {change}.";
            }

            for (int i = 0; i < type.Fields.Count; i++)
            {
                if (sources.Contains(i)) continue;
                yield return $"{now.Name}: '{type.Name}.{type.Fields[i].Name}' removed; what is stored of it is left out.";
            }
        }
    }

    private static void Append(StringBuilder text, SchemaDefinition definition)
    {
        switch (definition)
        {
            case ObjectDefinition type:
                text.Append(type.IsReference ? "  class " : "  struct ").Append(type.Name).Append(type.KeepsReferences ? ", keeps references\n" : "\n");
                foreach (SchemaField field in type.Fields)
                    text.Append("    ").Append(field.Name).Append(": ").Append(SchemaText.Of(field.Node)).Append(field.Id > 0 ? $", id {field.Id.ToString(CultureInfo.InvariantCulture)}\n" : "\n");
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

    private static List<NinoSchema> Parse(string committed)
    {
        var schemas = new List<NinoSchema>();
        string[] lines = committed.Split('\n');
        for (int i = 0; i < lines.Length; i++)
        {
            if (!lines[i].StartsWith(SchemaLine, StringComparison.Ordinal)) continue;
            try
            {
                schemas.Add(NinoSchema.Parse(Convert.FromBase64String(lines[i][SchemaLine.Length..].Trim())));
            }
            catch (Exception error) when (error is FormatException or NinoSerializationException)
            {
                throw new FormatException($"Line {i + 1} of the schema file is no schema: {error.Message} Take the file from the last commit, or accept the present state with NinoSchemaFile.Describe.", error);
            }
        }

        return schemas;
    }
}

/// <summary>What has changed in an assembly's stored shapes. Immutable.</summary>
/// <param name="Breaking">Changes after which existing records can be read no more, or mean something else.</param>
/// <param name="Compatible">Changes that existing records survive (docs/evolution.md).</param>
/// <param name="Text">The text as it would be committed now.</param>
/// <param name="IsUpToDate">The committed text is <paramref name="Text"/>.</param>
public sealed record NinoSchemaChanges(IReadOnlyList<string> Breaking, IReadOnlyList<string> Compatible, string Text, bool IsUpToDate)
{
    /// <summary>What changed, what of it breaks, and how to accept it.</summary>
    public override string ToString()
    {
        var text = new StringBuilder();
        if (IsUpToDate) return "The stored shapes are those of the schema file.";
        if (Breaking.Count > 0) text.Append("BREAKING: existing records could not be read, or would mean something else.\n");
        foreach (string change in Breaking) text.Append("  ").Append(change).Append('\n');
        if (Compatible.Count > 0) text.Append("Compatible: existing records are read.\n");
        foreach (string change in Compatible) text.Append("  ").Append(change).Append('\n');
        text.Append("To accept, replace the schema file by NinoSchemaFile.Describe(assembly) and commit it; a breaking change only when no such record exists any more.");
        return text.ToString();
    }
}
