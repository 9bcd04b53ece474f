// Which stored field is which own field? An id given by [NinoMember] is the identity; else the name is, then a former name. Each stored field is used once.

using Store.Serialization.Codecs;

namespace Store.Serialization.Evolution;

internal static class FieldMatch
{
    /// <summary>By own field: the index of the stored field that it is, or -1.</summary>
    public static int[] Find(ObjectDefinition stored, ObjectDefinition own)
    {
        var byId = new Dictionary<int, int>(SeededHash.Instance);
        var byName = new Dictionary<string, int>(StringComparer.Ordinal);
        for (int i = 0; i < stored.Fields.Count; i++)
        {
            if (stored.Fields[i].Id > 0) byId.Add(stored.Fields[i].Id, i);
            byName.Add(stored.Fields[i].Name, i);
        }

        int[] sources = new int[own.Fields.Count];
        bool[] isTaken = new bool[stored.Fields.Count];
        Array.Fill(sources, -1);

        // Ids first: a name never takes a field away from the id it belongs to.
        for (int i = 0; i < sources.Length; i++)
        {
            if (own.Fields[i].Id > 0 && byId.TryGetValue(own.Fields[i].Id, out int found)) Take(i, found);
        }

        for (int i = 0; i < sources.Length; i++)
        {
            if (sources[i] < 0) TryName(i, own.Fields[i].Name);
        }

        for (int i = 0; i < sources.Length; i++)
        {
            foreach (string name in own.Fields[i].FormerNames)
            {
                if (sources[i] < 0) TryName(i, name);
            }
        }

        return sources;

        void TryName(int field, string name)
        {
            // Two ids are two members, whatever their names.
            if (byName.TryGetValue(name, out int found) && !isTaken[found] && (stored.Fields[found].Id == 0 || own.Fields[field].Id == 0)) Take(field, found);
        }

        void Take(int field, int found)
        {
            sources[field] = found;
            isTaken[found] = true;
        }
    }

    /// <summary>True when a stored type may stand where the own one is expected: by name, type arguments and elements of grids aside, or by a former name.</summary>
    public static bool IsSameType(SchemaDefinition stored, ObjectDefinition own)
    {
        string name = WithoutArguments(stored.Name);
        if (name == WithoutArguments(own.Name)) return true;
        foreach (string former in own.FormerNames)
        {
            // A type of the program is no grid, whatever it says that it was.
            if (!IsGrid(former) && name == WithoutArguments(former)) return true;
        }

        return false;
    }

    /// <summary>
    /// A name without type arguments, that of a grid without the type of its elements (<c>[,]</c>): what they are shows in the fields, which are compared one by one.
    /// </summary>
    public static string WithoutArguments(string name)
    {
        if (IsGrid(name)) return name[name.LastIndexOf('[')..];
        int start = name.IndexOf('<', StringComparison.Ordinal);
        if (start < 0) return name;
        var text = new System.Text.StringBuilder(name.Length);
        int depth = 0;
        foreach (char c in name)
        {
            if (c == '<') depth++;
            else if (c == '>') depth = Math.Max(0, depth - 1);
            else if (depth == 0) text.Append(c);
        }

        return text.ToString();
    }

    /// <summary>The mark for a type that had a name, for messages.</summary>
    public static string FormerNameMark(string name) => $"[NinoFormerName(\"{FormerNameOf(name)}\")]";

    /// <summary>What the mark says: the name without type arguments. What no type of the user's is called stays whole, as it shows which type in it had another name.</summary>
    private static string FormerNameOf(string name) =>
        name.EndsWith(']') || name.StartsWith("System.", StringComparison.Ordinal) || name.StartsWith("List<", StringComparison.Ordinal) || name.StartsWith("Map<", StringComparison.Ordinal) || name.StartsWith("Nullable<", StringComparison.Ordinal)
            ? name : WithoutArguments(name);

    /// <summary>Whether a type is called as an array of several dimensions is: <c>Int32[,]</c>.</summary>
    public static bool IsGrid(string name)
    {
        int dimensions = name.LastIndexOf('[') + 1;
        return dimensions > 1 && dimensions < name.Length - 1 && name[^1] == ']' && name.AsSpan(dimensions..^1).Trim(',').IsEmpty;
    }
}
