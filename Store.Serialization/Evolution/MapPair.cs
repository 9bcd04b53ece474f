namespace Store.Serialization.Evolution;

/// <summary>A stored type and the own type it becomes, while the plan is built: what holds it, and whether it can be.</summary>
/// <param name="storedPath">Where the pair was first met.</param>
/// <param name="ownPath">Where that is in the own schema.</param>
internal sealed class MapPair(MapPath? storedPath, MapPath? ownPath)
{
    public MapPath? StoredPath { get; } = storedPath;

    public MapPath? OwnPath { get; } = ownPath;

    /// <summary>Two objects; or null.</summary>
    public ObjectMap? Object { get; init; }

    /// <summary>A union and a union or object; or null.</summary>
    public UnionMap? Union { get; init; }

    /// <summary>The pairs that have this one inside, as often as they do.</summary>
    public List<MapPair> Users { get; } = [];

    /// <summary>Of a union of objects: the cases that have a type now, each by its stored tag. Of those that cannot be read the others do not depend.</summary>
    public List<(uint Tag, MapPair Body)>? Cases { get; init; }

    /// <summary>Of <see cref="Cases"/>, how many can be read.</summary>
    public int Readable { get; set; }

    /// <summary>Why no value of it can be read; null when it can.</summary>
    public MapProblem? Problem { get; set; }

    public bool IsIdentical => Object?.IsIdentical ?? Union?.IsIdentical ?? true;

    public void Differs()
    {
        if (Object is not null) Object.IsIdentical = false;
        else if (Union is not null) Union.IsIdentical = false;
    }
}
