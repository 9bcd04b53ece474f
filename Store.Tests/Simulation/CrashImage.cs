// How is one folder after a power failure made? From the durable state and, for every unsynced change, its fate.

namespace Store.Tests.Simulation;

internal enum SimFateKind
{
    /// <summary>Nothing of it reached the disk.</summary>
    Lost,

    /// <summary>All of it did.</summary>
    Whole,

    /// <summary>The file got its length; the bytes did not arrive: zeros where the write extended the file, old bytes elsewhere.</summary>
    LengthOnly,

    /// <summary>The first units arrived.</summary>
    Prefix,

    /// <summary>Some units arrived, without order.</summary>
    Scattered,
}

/// <summary>What of one change of a file reached the disk.</summary>
/// <param name="Kind">How much. A cut is <see cref="SimFateKind.Lost"/> or <see cref="SimFateKind.Whole"/>.</param>
/// <param name="Pattern">Of a prefix the number of units; of scattered ones up to 16 units a bit for each, above that the seed of the bits.</param>
/// <param name="UnitSize">What arrives as a whole: 512 or 4096 bytes, aligned in the file.</param>
/// <param name="KeepsLength">A torn write gave the file its whole length nevertheless.</param>
internal readonly record struct SimFate(SimFateKind Kind, int Pattern = 0, int UnitSize = SimChange.SectorSize, bool KeepsLength = false)
{
    public static readonly SimFate Lost = new(SimFateKind.Lost);
    public static readonly SimFate Whole = new(SimFateKind.Whole);
    public static readonly SimFate LengthOnly = new(SimFateKind.LengthOnly);

    public static SimFate Prefix(int units, int unitSize = SimChange.SectorSize, bool keepsLength = false) => new(SimFateKind.Prefix, units, unitSize, keepsLength);

    public static SimFate Scattered(int pattern, int unitSize = SimChange.SectorSize, bool keepsLength = false) => new(SimFateKind.Scattered, pattern, unitSize, keepsLength);

    /// <summary>Whether unit number <paramref name="unit"/> of <paramref name="units"/> arrived.</summary>
    public bool Keeps(int unit, int units) => Kind switch
    {
        SimFateKind.Prefix => unit < Pattern,
        _ when units <= 16 => ((Pattern >> unit) & 1) != 0,
        _ => (Mix(((ulong)(uint)Pattern << 32) | (uint)unit) & 1) != 0,
    };

    private static ulong Mix(ulong value)
    {
        // The finalizer of SplitMix64.
        value = (value ^ (value >> 30)) * 0xBF58476D1CE4E5B9;
        value = (value ^ (value >> 27)) * 0x94D049BB133111EB;
        return value ^ (value >> 31);
    }
}

/// <summary>One way the power can fail.</summary>
/// <param name="Files">The fate of each of <see cref="CrashImage.Changes"/>.</param>
/// <param name="Entries">Whether each of <see cref="CrashImage.EntryChanges"/> survives.</param>
internal sealed record CrashChoice(SimFate[] Files, bool[] Entries);

/// <summary>The durable state and the unsynced changes at one moment. Immutable.</summary>
internal sealed class CrashImage
{
    private readonly string _name;
    private readonly KeyValuePair<string, SimNode>[] _durableEntries;
    private readonly Dictionary<SimNode, Stored> _nodes = [];

    /// <summary>Taken under the lock of the directory.</summary>
    public CrashImage(string name, SimStatistics statistics, Dictionary<string, SimNode> durableEntries, List<SimEntryChange> unsyncedEntries)
    {
        _name = name;
        Statistics = statistics;
        _durableEntries = [.. durableEntries.OrderBy(e => e.Key, StringComparer.Ordinal)];
        EntryChanges = [.. unsyncedEntries];
        var changes = new List<SimChange>();
        foreach (var node in _durableEntries.Select(e => e.Value).Concat(EntryChanges.Select(e => e.Node)).Distinct())
        {
            _nodes.Add(node, new Stored(node.Durable, changes.Count, node.Unsynced.Count));
            changes.AddRange(node.Unsynced);
        }
        Changes = [.. changes];
    }

    public SimStatistics Statistics { get; }

    /// <summary>The unsynced changes of files that a name can lead to, file by file in order of durable name, then of creation; each file's in order of time.</summary>
    public SimChange[] Changes { get; }

    /// <summary>The unsynced changes of the folder, in order of time.</summary>
    public SimEntryChange[] EntryChanges { get; }

    /// <summary>The choice in which nothing unsynced survives.</summary>
    public CrashChoice NothingSurvives => new(new SimFate[Changes.Length], new bool[EntryChanges.Length]);

    /// <summary>The choice in which everything survives.</summary>
    public CrashChoice EverythingSurvives => new([.. Changes.Select(_ => SimFate.Whole)], [.. EntryChanges.Select(_ => true)]);

    /// <summary>The folder after the power failure, with nothing unsynced.</summary>
    public SimDirectory Build(CrashChoice choice)
    {
        if (choice.Files.Length != Changes.Length || choice.Entries.Length != EntryChanges.Length)
            throw new ArgumentException($"The choice is for {choice.Files.Length} and {choice.Entries.Length} changes; there are {Changes.Length} and {EntryChanges.Length}.", nameof(choice));

        var entries = new Dictionary<string, SimNode>(_durableEntries);
        for (var i = 0; i < EntryChanges.Length; i++)
        {
            if (choice.Entries[i])
                EntryChanges[i].ApplyTo(entries);
        }
        foreach (var (name, node) in entries)
            entries[name] = new SimNode(ContentOf(node, choice));
        return SimDirectory.FromDurable(_name, Statistics, entries);
    }

    private SimContent ContentOf(SimNode node, CrashChoice choice)
    {
        var stored = _nodes[node];
        var content = stored.Durable;
        for (var i = stored.FirstChange; i < stored.FirstChange + stored.ChangeCount; i++)
        {
            if (choice.Files[i].Kind == SimFateKind.Lost)
                continue;
            if (content == stored.Durable)
                content = content.Clone();
            Changes[i].ApplyTo(content, choice.Files[i]);
        }
        return content;
    }

    private readonly record struct Stored(SimContent Durable, int FirstChange, int ChangeCount);
}
