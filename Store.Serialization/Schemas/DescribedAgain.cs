// What codecs of several assemblies say of one type: cases of a base are put together, everything else has to be the same. One schema cannot describe two encodings under one name,
// and one that describes the first only would leave records that only the program can read.

using Store.Serialization.Codecs;

namespace Store.Serialization;

/// <summary>The types of a schema that were described more than once. They are compared when all descriptions are complete: a type may be met again inside of itself.</summary>
internal sealed class DescribedAgain
{
    private readonly List<(ObjectDefinition First, ObjectDefinition Other)> _pairs = [];

    /// <summary>Notes that a type was described once more.</summary>
    public void Add(ObjectDefinition first, ObjectDefinition other) => _pairs.Add((first, other));

    /// <summary>Adds the cases of one description to those of earlier ones. A case of the same tag is the same type, or one that is described anew: those of F# have no CLR type by which they would be found.</summary>
    public void Merge(UnionDefinition union, IReadOnlyList<UnionCase> cases)
    {
        Dictionary<uint, SchemaDefinition?> known = new(union.Cases.Count, SeededHash.Instance);
        foreach (UnionCase one in union.Cases) known.TryAdd(one.Tag, one.Node.Definition);
        foreach (UnionCase one in cases)
        {
            if (!known.TryGetValue(one.Tag, out SchemaDefinition? before)) union.Add(one);
            else if (before is ObjectDefinition first && one.Node.Definition is ObjectDefinition other && !ReferenceEquals(first, other)) Add(first, other);
        }

        union.Sort();
    }

    /// <summary>Compares what was noted.</summary>
    /// <exception cref="ArgumentException">One type has two encodings.</exception>
    public void Settle()
    {
        // What is compared may put cases together and so note more.
        for (int i = 0; i < _pairs.Count; i++)
        {
            (ObjectDefinition first, ObjectDefinition other) = _pairs[i];
            if (!IsAlike(first, other))
                throw new ArgumentException($"Records hold '{first.Name}' as two assemblies encode it in different ways, which no schema can describe: [{Fields(first)}] and [{Fields(other)}]. Compile both against one version of its assembly, and let both name the same codec for it and its parts.");
        }

        _pairs.Clear();
    }

    /// <summary>What is said of a class that one assembly registers with references and another one without.</summary>
    public static string ReferencesDiffer(string name) =>
        $"Records hold '{name}' as two assemblies encode it in different ways, which no schema can describe: one keeps references to its objects, and the other does not. Register it with References = true in both or in neither.";

    private static void CheckReferences(ObjectDefinition first, ObjectDefinition other)
    {
        if (first.Name == other.Name && first.KeepsReferences != other.KeepsReferences) throw new ArgumentException(ReferencesDiffer(first.Name));
    }

    private bool IsAlike(ObjectDefinition first, ObjectDefinition other)
    {
        CheckReferences(first, other);
        if (first.Name != other.Name || first.IsReference != other.IsReference || first.Fields.Count != other.Fields.Count) return false;
        for (int i = 0; i < first.Fields.Count; i++)
        {
            if (first.Fields[i].Name != other.Fields[i].Name || first.Fields[i].Id != other.Fields[i].Id || !IsAlike(first.Fields[i].Node, other.Fields[i].Node)) return false;
        }

        return true;
    }

    private bool IsAlike(SchemaNode first, SchemaNode other)
    {
        if (first.Kind != other.Kind) return false;
        foreach (SchemaRule rule in other.Rules.Except(first.Rules).ToList()) first.Demand(rule);
        if (first.Key is { } key && !IsAlike(key, other.Key!)) return false;
        if (first.Element is { } element && !IsAlike(element, other.Element!)) return false;
        if (ReferenceEquals(first.Definition, other.Definition)) return true;
        if (first.Definition is ObjectDefinition type && other.Definition is ObjectDefinition another) CheckReferences(type, another);

        // Declared as object in a type that both assemblies write: each has its own list of what may stand there, and the bytes are those of one union.
        if (first.Definition is not UnionDefinition { IsOfObjects: true } list || other.Definition is not UnionDefinition { IsOfObjects: true } others || list.Form != others.Form) return false;
        Merge(list, others.Cases);
        return true;
    }

    private static string Fields(ObjectDefinition definition) => string.Join(", ", definition.Fields.Select(static field => $"{field.Name}: {NinoSchema.NameOf(field.Node)}"));
}
