// Which case of a stored union is which case now? With tags given on both sides the tag is the identity, else the name of the case's type or a former one. A class
// that had no derived types was an object, and is a union when it has some: the object is the case of its own type.

using Store.Serialization.Codecs;

namespace Store.Serialization.Evolution;

/// <summary>One stored case.</summary>
/// <param name="Stored">Its type.</param>
/// <param name="Tag">The tag it has now.</param>
/// <param name="Body">How its body becomes that of the case now; null where there is no such case any more.</param>
internal sealed record CaseMap(ObjectDefinition Stored, uint Tag, ObjectMap? Body)
{
    /// <summary>Of an object member: why records of the case cannot be read as what it is now.</summary>
    public MapProblem? Problem { get; init; }

    /// <summary>True when references behind a value of it count objects in it: it cannot be skipped.</summary>
    public bool HoldsReferences { get; init; }

    /// <summary>True for the base itself where the base has another name now and no former one: most likely it was renamed, so a value is refused and not skipped.</summary>
    public bool IsRenamedBase { get; init; }

    /// <summary>Where tags are given: the one that its type has now, where no case has its own any more; else null. A value is refused and not skipped: the type is there.</summary>
    public uint? NewTag { get; init; }

    /// <summary>True when a value of it is read as null, and not refused.</summary>
    /// <param name="union">The pair that it is a case of.</param>
    public bool IsSkipped(UnionMap union) => Body is null && union.Own is { SkipsUnknown: true } && !HoldsReferences && !IsRenamedBase && NewTag is null;

    /// <summary>Refuses a value of a case that is none any more.</summary>
    /// <param name="what">Where it stands: <c>record</c>.</param>
    /// <param name="declared">What is declared there now.</param>
    public NinoSerializationException Refused(string what, string declared) =>
        new($"A stored {what} is a '{Stored.Name}', which '{declared}' cannot hold now.{(Problem is null ? "" : " " + Problem.Message)}") { IsUnfit = true };
}

/// <summary>One pair of a union and a union or object. Immutable once the builder has finished.</summary>
/// <param name="stored">The stored union, or null where an object is stored.</param>
/// <param name="own">The union now, or null where it is an object now.</param>
internal sealed class UnionMap(UnionDefinition? stored, UnionDefinition? own)
{
    private readonly Dictionary<uint, CaseMap> _cases = new(SeededHash.Instance);

    public UnionDefinition? Stored { get; } = stored;

    public UnionDefinition? Own { get; } = own;

    /// <summary>Where an object is stored: the case that it is now.</summary>
    public CaseMap? Only { get; set; }

    /// <summary>The stored cases.</summary>
    public IEnumerable<CaseMap> Cases => _cases.Values;

    /// <summary>Values stay as they are.</summary>
    public bool IsIdentical { get; set; } = true;

    /// <summary>Every stored case has its tag and form still, so that values stay as they are if their bodies do.</summary>
    public bool KeepsForm => Stored is not null && Own is not null && Stored.Form == Own.Form && _cases.All(static one => one.Value.Body is not null && one.Key == one.Value.Tag);

    /// <summary>Every stored case is one of its own still, whatever its tag, and its body stays as it is: different values remain different.</summary>
    public bool KeepsApart => Stored is not null && _cases.Values.All(static one => one.Body is { IsIdentical: true }) && _cases.Values.DistinctBy(static one => one.Tag).Count() == _cases.Count;

    public void Add(uint tag, CaseMap one) => _cases.Add(tag, one);

    /// <summary>Takes a case out, which cannot be read.</summary>
    public void Refuse(uint tag, MapProblem problem)
    {
        if (Stored is not null) _cases[tag] = _cases[tag] with { Tag = 0, Body = null, Problem = problem };
    }

    /// <summary>The case of a stored tag.</summary>
    /// <exception cref="NinoSerializationException">The stored schema has no such case.</exception>
    public CaseMap Find(uint tag)
    {
        if (!_cases.TryGetValue(tag, out CaseMap? one)) Throw.UnknownTag(Stored!.Name, Stored.Describe(tag), Stored.KnownCases());
        return one;
    }

    /// <summary>Reads the tag of a value.</summary>
    public static uint ReadTag(UnionDefinition union, ref NinoReader reader, out bool isNull)
    {
        uint stored = union.HasExplicitTags ? reader.ReadCompact() : NinoGenerated.ReadTag(ref reader);
        isNull = stored == 0;
        if (isNull && union.KeepsReferences) Throw.NullCase();
        return union.HasExplicitTags && !isNull ? stored - 1 : stored;
    }

    public static void WriteTag(UnionDefinition union, uint tag, ref NinoWriter writer)
    {
        if (union.HasExplicitTags) writer.WriteCompact(tag + 1);
        else NinoGenerated.WriteTag(ref writer, tag);
    }
}
