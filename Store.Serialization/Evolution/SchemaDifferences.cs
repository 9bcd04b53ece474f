// What a plan between two schemas does, in words: for the schema file. What reading refuses altogether has no plan; here is what it refuses of some records, and what
// it reads otherwise than it was stored.

using System.Globalization;

namespace Store.Serialization.Evolution;

/// <summary>Walks a plan once and collects sentences.</summary>
internal sealed class SchemaDifferences
{
    private const string TooLarge = "a number that does not fit is refused";
    private const string TooMany = "more than one element is refused";
    private const string OtherLength = "what is stored has another length and is refused";

    private readonly HashSet<object> _seen = new(ReferenceEqualityComparer.Instance);
    private readonly Queue<object> _unseen = new();
    private readonly List<string> _breaking = [];
    private readonly List<string> _narrowing = [];
    private readonly List<string> _compatible = [];

    private SchemaDifferences()
    {
    }

    /// <summary>Changes after which every value is refused, though the plan reads it: the type does not take it.</summary>
    public IReadOnlyList<string> Breaking => _breaking;

    /// <summary>Changes after which a record is refused where it holds something that has no place now.</summary>
    public IReadOnlyList<string> Narrowing => _narrowing;

    /// <summary>Changes after which every record is read.</summary>
    public IReadOnlyList<string> Compatible => _compatible;

    private int Count => _breaking.Count + _narrowing.Count + _compatible.Count;

    /// <param name="plan">How its records are read.</param>
    /// <param name="meanings">The enums that the plan reads as others.</param>
    public static SchemaDifferences Of(ValueMap plan, SchemaMeanings meanings)
    {
        var found = new SchemaDifferences();
        if (plan.Form is not (ValueForm.Object or ValueForm.Union)) found.Node("the record", plan, isStruct: false);
        found.Meet(plan);
        while (found._unseen.TryDequeue(out object? pair))
        {
            if (pair is ObjectMap types) found.Types(types);
            else found.Bases((UnionMap)pair);
        }

        foreach ((EnumDefinition stored, EnumDefinition own) in meanings.Enums) found.Numbers(stored, own);
        return found;
    }

    private void Types(ObjectMap map)
    {
        string type = map.Own.Name;
        if (map.Stored.Name != type) _compatible.Add($"'{type}' was called '{map.Stored.Name}'.");
        if (map.Stored.IsReference != map.Own.IsReference)
            _compatible.Add($"'{type}' {(map.Own.IsReference ? "is a class, was a struct" : "is a struct, was a class; null becomes its zero")}.");
        int before = Count, last = -1;
        _breaking.AddRange(Renumbered(map));
        bool isReordered = false;
        for (int i = 0; i < map.Sources.Length; i++)
        {
            SchemaField field = map.Own.Fields[i];
            string member = $"'{type}.{field.Name}'";
            if (map.Sources[i] < 0)
            {
                _compatible.Add($"{member} added, {SchemaText.WithRules(field.Node)}.");
                continue;
            }

            SchemaField stored = map.Stored.Fields[map.Sources[i]];
            isReordered |= map.Sources[i] < last;
            last = map.Sources[i];
            if (stored.Name != field.Name) _compatible.Add($"{member} was '{stored.Name}'.");
            if (stored.Id != field.Id) _compatible.Add($"{member} has {Id(field)}, had {Id(stored)}.");
            Node(member, map.Values[i]!, isStruct: true);
            Meet(map.Values[i]!);
        }

        for (int i = 0; i < map.Stored.Fields.Count; i++)
        {
            if (!map.Sources.Contains(i)) _compatible.Add($"'{map.Stored.Name}.{map.Stored.Fields[i].Name}' removed; what is stored of it is left out.");
        }

        // Members change their places with their widths: only where nothing else did is the order the change.
        if (isReordered && before == Count) _compatible.Add($"the members of '{type}' are stored in another order.");

        static string Id(SchemaField field) => field.Id == 0 ? "no id" : "the id " + field.Id.ToString(CultureInfo.InvariantCulture);
    }

    /// <summary>Members that are called what they were and have another id: the id is what is stored, so they read what another has written, or nothing.</summary>
    private static IEnumerable<string> Renumbered(ObjectMap map)
    {
        List<SchemaField> before = [.. map.Stored.Fields];
        foreach (SchemaField field in map.Own.Fields.Where(static field => field.Id > 0))
        {
            int index = before.FindIndex(stored => stored.Name == field.Name && stored.Id > 0 && stored.Id != field.Id);
            if (index < 0) continue;
            int reader = Array.IndexOf(map.Sources, index);
            string lost = reader < 0 ? "left out" : $"read as '{map.Own.Fields[reader].Name}'";
            yield return string.Create(CultureInfo.InvariantCulture, $"the id of '{map.Own.Name}.{field.Name}' was {map.Stored.Fields[index].Id} and is {field.Id}: what is stored of it would be {lost}. Give it its old id back, or another name.");
        }
    }

    /// <summary>One value: what it is called, and what of it is refused.</summary>
    private void Node(string what, ValueMap map, bool isStruct)
    {
        string stored = SchemaText.WithRules(map.Stored), own = SchemaText.WithRules(map.Own);
        string[] refused = [.. Refused(map).Distinct()];
        if (stored == own && refused.Length == 0) return;
        string change = $"{what} {(isStruct ? "" : "is ")}{own}, was {stored}";
        if (refused.Contains(OtherLength)) _breaking.Add($"{change}; {string.Join(", ", refused)}.");
        else if (refused.Length > 0) _narrowing.Add($"{change}; {string.Join(", ", refused)}.");
        else if (!IsOnlyRenamed(map)) _compatible.Add(change + ".");
    }

    /// <summary>The name of a type is told with the type.</summary>
    private static bool IsOnlyRenamed(ValueMap map) => map.Form is ValueForm.Object or ValueForm.Union && map.Stored.Kind == map.Own.Kind;

    private static IEnumerable<string> Refused(ValueMap map)
    {
        if (map.Form == ValueForm.Fixed && !ScalarConversions.FitsAlways(ValueMap.Inner(map.Stored), ValueMap.Inner(map.Own))) yield return TooLarge;
        SchemaNode stored = ValueMap.Inner(map.Stored), own = ValueMap.Inner(map.Own);
        if (WhyMeantOtherwise(map, stored, own) is { } meant) yield return meant;
        int? length = LengthOf(stored);
        // The one element of a list has the rules of a single value: those are asked for with it.
        if (map.Form == ValueForm.Unwrap && length != 1) yield return length is null ? TooMany : OtherLength;
        if (map.Form != ValueForm.Unwrap)
        {
            foreach (SchemaRule rule in own.Rules)
            {
                if (!stored.Rules.Contains(rule) && WhyRefused(rule, map, length) is { } why) yield return why;
            }
        }

        if (WhyMerged(map, stored, own) is { } merged) yield return merged;
        foreach (string reason in new[] { map.Key, map.Element }.OfType<ValueMap>().SelectMany(Refused)) yield return reason;
    }

    /// <summary>
    /// A codec of the user's says what its numbers mean: cents that become a decimal become as many whole ones, and nothing is refused. Of types of fixed width only such a codec is a rule.
    /// </summary>
    private static string? WhyMeantOtherwise(ValueMap map, SchemaNode stored, SchemaNode own) =>
        map.Form == ValueForm.Fixed && stored.Kind != own.Kind && stored.Rules.Count > 0
            ? $"what is stored is converted as it is, whatever the codec meant by it ({string.Join(", ", stored.Rules.Select(static rule => rule.Text))})"
            : null;

    /// <summary>Which keys, or elements of a set that was one, are refused though they were different.</summary>
    private static string? WhyMerged(ValueMap map, SchemaNode stored, SchemaNode own)
    {
        ValueMap? compared = map.Form == ValueForm.Map ? map.Key : map.Form == ValueForm.List && stored.Rules.Contains(SchemaRule.Distinct) && own.Rules.Contains(SchemaRule.Distinct) ? map.Element : null;
        string[] reasons = compared is null ? [] : [.. KeyMerges.Of(compared).Distinct()];
        return reasons.Length == 0 ? null : $"{(map.Form == ValueForm.Map ? "keys that are equal or null now" : "elements that are equal now")} ({string.Join(", ", reasons)}) are refused";
    }

    /// <summary>What of the stored values breaks a rule that they were stored without.</summary>
    private static string? WhyRefused(SchemaRule rule, ValueMap map, int? storedLength)
    {
        // A single value becomes a list of one, an absent one an empty list.
        bool isSingle = map.Form == ValueForm.Wrap;
        if (rule == SchemaRule.Distinct && isSingle) return null;
        if (rule == SchemaRule.NoNull && (isSingle || storedLength is not null)) return null;
        if (rule.Length is null) return rule.Refusal;
        if (isSingle && rule.Length == 1) return map.StoredIsOptional || map.Stored.HasNull ? rule.Refusal : null;
        return isSingle || storedLength is not null ? OtherLength : rule.Refusal;
    }

    /// <summary>How many elements a list of the type always has; null where any number.</summary>
    internal static int? LengthOf(SchemaNode node) => node.Rules.Select(static rule => rule.Length).FirstOrDefault(static length => length is not null);

    private void Bases(UnionMap map)
    {
        string own = map.Own is { IsOfObjects: true } ? "object" : map.Own?.Name ?? map.Cases.Select(static one => one.Body?.Own.Name).First(static name => name is not null)!;
        if (map.Stored is { } stored && map.Own is { } now)
        {
            if (stored.Name != own && !now.IsOfObjects) _compatible.Add($"'{own}' was called '{stored.Name}'.");
            if (stored.HasExplicitTags != now.HasExplicitTags)
                _compatible.Add($"the cases of '{own}' {(now.HasExplicitTags ? "have tags of [NinoUnion], and were told apart by their names" : "are told apart by their names, and had tags of [NinoUnion]")}.");
            if (stored.SkipsUnknown != now.SkipsUnknown)
                _compatible.Add($"a case of '{own}' that is not known is {(now.SkipsUnknown ? "skipped and read as null, and was refused" : "refused, and was skipped and read as null")}.");
        }
        else
        {
            _compatible.Add(map.Own is { } union ? $"'{own}' has derived types, and had none; what is stored is the case '{map.Only!.Stored.Name}'." : $"'{own}' has no derived types, and had some.");
        }

        HashSet<ObjectDefinition> known = new(ReferenceEqualityComparer.Instance);
        foreach (CaseMap one in map.Only is { } only ? [only] : map.Cases)
        {
            if (one.Body is { } body)
            {
                known.Add(body.Own);
                Enqueue(body);
                continue;
            }

            string gone = $"'{one.Stored.Name}' is no case of '{own}' any more";
            if (one.Problem is { } problem) _narrowing.Add($"'{one.Stored.Name}' as a case of '{own}' is refused: {problem.Message}");
            else if (one.NewTag is { } tag) known.Add((ObjectDefinition)map.Own!.Find(tag)!.Node.Definition!); // Told by what its tag meant (SchemaMeanings).
            else if (one.IsSkipped(map)) _compatible.Add(gone + "; what is stored of it is read as null.");
            else _narrowing.Add(gone + "; what is stored of it is refused.");
        }

        foreach (UnionCase one in map.Own?.Cases ?? [])
        {
            if (!known.Contains((ObjectDefinition)one.Node.Definition!)) _compatible.Add($"'{one.Node.Definition!.Name}' is a new case of '{own}'; older programs {(map.Own!.SkipsUnknown ? "read it as null" : "refuse it")}.");
        }
    }

    private void Numbers(EnumDefinition stored, EnumDefinition own)
    {
        if (stored.Name != own.Name) _compatible.Add($"'{own.Name}' was called '{stored.Name}'.");
        if (stored.IsFlags != own.IsFlags) _compatible.Add($"'{own.Name}' {(own.IsFlags ? "has [Flags] now" : "has no [Flags] any more")}; its numbers are the same.");
        HashSet<string> before = [.. stored.Members.Select(static member => member.Name)], now = [.. own.Members.Select(static member => member.Name)];
        List<EnumMember> added = [.. own.Members.Where(member => !before.Contains(member.Name))];
        foreach (EnumMember member in stored.Members.Where(member => !now.Contains(member.Name)))
        {
            int renamed = added.FindIndex(other => other.Value == member.Value);
            _compatible.Add(renamed >= 0 ? $"'{own.Name}.{added[renamed].Name}' was called '{member.Name}'." : $"'{own.Name}.{member.Name}' ({Value(member)}) removed; its number is read as before.");
            if (renamed >= 0) added.RemoveAt(renamed);
        }

        _compatible.AddRange(added.Select(member => $"'{own.Name}.{member.Name}' ({Value(member)}) added."));

        static string Value(EnumMember member) => member.Value.ToString(CultureInfo.InvariantCulture);
    }

    private void Meet(ValueMap map)
    {
        if (map.Object is { } types) Enqueue(types);
        if (map.Union is { } bases) Enqueue(bases);
        if (map.Key is { } key) Meet(key);
        if (map.Element is { } element) Meet(element);
    }

    private void Enqueue(object pair)
    {
        if (_seen.Add(pair)) _unseen.Enqueue(pair);
    }
}
