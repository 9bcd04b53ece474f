// What numbers of enums and tags of cases meant when they were stored, and what they mean now. Where that has changed, reading goes well and gives another value:
// no reader can notice, so the schema file tells.

namespace Store.Serialization.Evolution;

/// <summary>The enums and unions of an old schema with those that they are read as: told by the builder of the plan, and found by their names where there is no plan.</summary>
/// <param name="old">The schema of what is stored.</param>
/// <param name="now">The schema it is read as.</param>
internal sealed class SchemaMeanings(NinoSchema old, NinoSchema now)
{
    private readonly List<(EnumDefinition Stored, EnumDefinition Own)> _enums = [];
    private readonly List<(UnionDefinition Stored, UnionDefinition Own)> _unions = [];
    private readonly HashSet<(SchemaDefinition, SchemaDefinition)> _known = [];

    /// <summary>The enums, each with the one that it is read as.</summary>
    public IReadOnlyList<(EnumDefinition Stored, EnumDefinition Own)> Enums => _enums;

    /// <summary>One is read as the other.</summary>
    public void Meet(SchemaDefinition stored, SchemaDefinition own)
    {
        if (stored is EnumDefinition type && own is EnumDefinition typeNow && _known.Add((stored, own))) _enums.Add((type, typeNow));
        if (stored is UnionDefinition union && own is UnionDefinition unionNow && _known.Add((stored, own))) _unions.Add((union, unionNow));
    }

    /// <summary>Of what the builder did not come to: what has the name that it had, or had it.</summary>
    public void MeetByName()
    {
        HashSet<SchemaDefinition> met = [.. _known.Select(static pair => pair.Item1)];
        foreach (SchemaDefinition stored in old.Definitions)
        {
            if (met.Contains(stored)) continue;
            SchemaDefinition[] same = [.. now.Definitions.Where(own => own.GetType() == stored.GetType())];
            if ((same.FirstOrDefault(own => own.Name == stored.Name) ?? same.FirstOrDefault(own => own.FormerNames.Contains(stored.Name))) is { } found) Meet(stored, found);
        }
    }

    /// <summary>Members of enums whose numbers changed.</summary>
    public IEnumerable<string> Renumbered()
    {
        foreach ((EnumDefinition stored, EnumDefinition own) in _enums)
        {
            foreach (EnumMember member in stored.Members)
            {
                foreach (EnumMember same in own.Members)
                {
                    if (same.Name == member.Name && same.Value != member.Value)
                        yield return $"'{stored.Name}.{member.Name}' was {member.Value} and is {same.Value}: stored numbers would change their meaning. Give it its old number back.";
                }
            }
        }
    }

    /// <summary>Tags, given by [NinoUnion], whose case is not called what it was: what changed, and whether it breaks.</summary>
    public IEnumerable<(string Change, bool Breaks)> Retagged()
    {
        foreach ((UnionDefinition stored, UnionDefinition own) in _unions)
        {
            if (!stored.HasExplicitTags || !own.HasExplicitTags) continue;
            ObjectDefinition[] types = [.. stored.Cases.Select(static one => (ObjectDefinition)one.Node.Definition!)];
            var names = new CaseNames(own);
            ObjectDefinition?[] byName = names.Find(types);
            for (int i = 0; i < types.Length; i++)
            {
                uint tag = stored.Cases[i].Tag;
                var type = (ObjectDefinition?)own.Find(tag)?.Node.Definition;
                if (type?.Name == types[i].Name) continue;
                string change = $"the tag {stored.Describe(tag)} of '{stored.Name}' was '{types[i].Name}' and is {(type is null ? "none" : $"'{type.Name}'")}";
                if (type is null)
                {
                    // One that is gone altogether is told by the plan (SchemaDifferences).
                    if (byName[i] is { } moved) yield return ($"{change}, and '{moved.Name}' has the tag {own.Describe(names.TagOf(moved))}: what is stored of it would not be found. Give it its old tag back.", true);
                }
                else if (byName[i] == type)
                {
                    yield return ($"{change}, which was called so; what is stored of the one is read as the other.", false);
                }
                else if (byName[i] is null && !byName.Contains(type) && HaveSameMembers(types[i], type))
                {
                    yield return ($"{change}, with the same members; what is stored of the one is read as the other.", false);
                }
                else
                {
                    yield return ($"{change}: what is stored of the one would be read as the other. Give '{type.Name}' a tag that was never used, or put {FieldMatch.FormerNameMark(types[i].Name)} on it if it is the same type under a new name.", true);
                }
            }
        }
    }

    // Nothing tells types without members apart but their names.
    private static bool HaveSameMembers(ObjectDefinition stored, ObjectDefinition own)
    {
        if (own.Fields.Count == 0 || own.Fields.Count != stored.Fields.Count) return false;
        int[] sources = FieldMatch.Find(stored, own);
        for (int i = 0; i < sources.Length; i++)
        {
            if (sources[i] < 0 || SchemaText.Of(stored.Fields[sources[i]].Node) != SchemaText.Of(own.Fields[i].Node)) return false;
        }

        return true;
    }
}
