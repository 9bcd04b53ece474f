// Has a type changed its shape since the file was committed, and can what was stored then still be read? Answered by the plan that reading itself would use.

using System.Reflection;
using Store.Serialization.Evolution;

namespace Store.Serialization;

/// <summary>
/// The schemas of an assembly's record types as a text file that is committed beside the source, so that a review sees every change of a stored shape and a
/// test fails on it (docs/evolution.md, "schema file"). Reads and writes text only; the caller has the file. Safe for any number of threads.
/// </summary>
public static class NinoSchemaFile
{
    /// <summary>The text for an assembly's record types as they are now: readable, and complete, so that it can be compared. Each named type stands once. A type that cannot be stored, because it or what it is made of hides members that would be lost, has a comment instead, and so has one about which loaded assemblies contradict each other.</summary>
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

    internal static string Describe(string title, IReadOnlyList<NinoSchema> schemas, IReadOnlyList<RefusedSchema>? refused = null) => SchemaFileWriter.Write(title, schemas, refused ?? []);

    internal static NinoSchemaChanges Compare(string committed, string title, IReadOnlyList<NinoSchema> schemas, IReadOnlyList<RefusedSchema>? refused = null)
    {
        // A byte order mark, which some ways to read a file leave in front; and a name may hold what ReplaceLineEndings would take for the end of a line.
        string was = committed.TrimStart('\uFEFF').Replace("\r\n", "\n", StringComparison.Ordinal), text = Describe(title, schemas, refused);
        if (was == text) return new NinoSchemaChanges([], [], [], text, IsUpToDate: true);
        RecordChanges breaking = new(), narrowing = new(), compatible = new();
        List<string> gone = [];
        ILookup<string, NinoSchema> before = SchemaFileReader.Read(was).ToLookup(SchemaIdentity.Of), present = schemas.ToLookup(SchemaIdentity.Of);
        // What is as it was is not what another one of its name became: lists and sets of one element have one.
        var known = new HashSet<NinoSchema>(present.Where(same => before.Contains(same.Key)).SelectMany(static same => same), ReferenceEqualityComparer.Instance);
        foreach (NinoSchema old in before.Where(same => !present.Contains(same.Key)).SelectMany(static same => same))
        {
            if (schemas.Where(schema => schema.IsNamed(old.Name)).OrderBy(known.Contains).FirstOrDefault() is not { } now)
            {
                gone.Add(refused?.FirstOrDefault(one => one.Name == old.Name).Why is { } why ? $"{old.Name}: the type is refused now, so its records are read no more. {why}"
                    : $"{old.Name}: the type is gone, or the assembly has no codec for it any more, so its records are read no more. Keep it, or put {FieldMatch.FormerNameMark(old.Name)} on what it is called now.");
                continue;
            }

            known.Add(now);
            Compare(old, now, breaking, narrowing, compatible);
        }

        string[] fit = [.. compatible.Lines(), .. schemas.Where(schema => !known.Contains(schema)).Select(static schema => $"{schema.Name}: the type is new.")];
        var changes = new NinoSchemaChanges([.. gone, .. breaking.Lines()], [.. narrowing.Lines()], fit, text, IsUpToDate: false);
        return changes.Breaking.Count + changes.Narrowing.Count + fit.Length > 0 ? changes : changes with { Compatible = [FirstOtherLine(was.Split('\n'), text.Split('\n'))] };
    }

    private static void Compare(NinoSchema old, NinoSchema now, RecordChanges breaking, RecordChanges narrowing, RecordChanges compatible)
    {
        var meanings = new SchemaMeanings(old, now);
        ValueMap? plan = null;
        try
        {
            plan = MapBuilder.Build(old, now, out _, meanings);
        }
        catch (NinoSchemaMismatchException error)
        {
            breaking.Add(now.Name, error.Message);
        }

        meanings.MeetByName();
        (string Change, bool Breaks)[] retagged = [.. meanings.Retagged()];
        breaking.AddRange(now.Name, meanings.Renumbered().Concat(retagged.Where(static one => one.Breaks).Select(static one => one.Change)));
        compatible.AddRange(now.Name, retagged.Where(static one => !one.Breaks).Select(static one => one.Change));
        if (plan is null) return;
        SchemaDifferences differences = SchemaDifferences.Of(plan, meanings);
        breaking.AddRange(now.Name, differences.Breaking);
        narrowing.AddRange(now.Name, differences.Narrowing);
        compatible.AddRange(now.Name, differences.Compatible);
        if (retagged.Length + differences.Breaking.Count + differences.Narrowing.Count + differences.Compatible.Count == 0 && !meanings.Renumbered().Any())
            compatible.Add(now.Name, "its types, or the members of its enums, stand in another order; records are the same.");
    }

    /// <summary>Of a text that differs although no schema does: somebody edited what stands around the schemas.</summary>
    private static string FirstOtherLine(string[] committed, string[] now)
    {
        int line = committed.Zip(now).TakeWhile(static pair => pair.First == pair.Second).Count();
        return $"No schema changed, but the text did: line {line + 1} is {Shown(committed)}, and would be {Shown(now)}.";

        string Shown(string[] lines) => line < lines.Length ? $"'{lines[line].Trim()}'" : "not there";
    }
}
