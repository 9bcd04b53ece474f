// Graphs in which a parent has its children in collections that ask them for a key or an order, as users write them. A child's name stands behind its parent: a record that begins at a child reads the parent, and all of its
// collections, before it.

using System.Collections;
using System.Collections.ObjectModel;
using System.Diagnostics.CodeAnalysis;
using Store.Serialization;

namespace Store.Tests.Generator.References;

[NinoType(References = true)]
public sealed class Player
{
    [ThreadStatic] private static Action<Player>? t_done;

    internal static Action<Player>? Done { get => t_done; set => t_done = value; }

    public Team? Team { get; set; }
    public Player? Friend { get; set; }
    public string Name { get; set; } = "";
    public int Number { get; set; }

    [NinoOnDeserialized]
    private void OnDone() => Done?.Invoke(this);
}

[NinoType(References = true)]
public sealed class Team
{
    public Roster? Roster { get; set; }
    public Roster Bench { get; } = [];
    public ByLength? Ranking { get; set; }
    public NamedPlayers? Named { get; set; }
    public PlayerGoals? Goals { get; set; }
    public HashSet<Player> Known { get; } = new(NameEquality.Instance);
    public Dictionary<Player, int> Fouls { get; } = new(NameEquality.Instance);
    public IDictionary<Player, Player> Marks { get; } = new Dictionary<Player, Player>(NameEquality.Instance);
}

/// <summary>Finds players by their name.</summary>
public sealed class Roster : KeyedCollection<string, Player>
{
    // In lower case: what has no name yet has no such key either.
    protected override string GetKeyForItem(Player item) => item.Name.ToLowerInvariant();
}

/// <summary>Keeps players in the order in which their names are longer, and counts what was added.</summary>
public sealed class ByLength : ICollection<Player>
{
    private readonly List<Player> _players = [];

    internal int Added { get; private set; }

    public int Count => _players.Count;

    public bool IsReadOnly => false;

    public void Add(Player item)
    {
        Added++;
        if (_players.Exists(one => one.Name.Length == item.Name.Length)) throw new ArgumentException($"There is a name of {item.Name.Length} letters.");
        int at = _players.FindIndex(one => one.Name.Length > item.Name.Length);
        _players.Insert(at < 0 ? _players.Count : at, item);
    }

    public void Clear() => _players.Clear();

    public bool Contains(Player item) => _players.Contains(item);

    public void CopyTo(Player[] array, int arrayIndex) => _players.CopyTo(array, arrayIndex);

    public bool Remove(Player item) => _players.Remove(item);

    public IEnumerator<Player> GetEnumerator() => _players.GetEnumerator();

    IEnumerator IEnumerable.GetEnumerator() => GetEnumerator();
}

/// <summary>A sorted set with an order of its own.</summary>
public sealed class NamedPlayers() : SortedSet<Player>(Comparer<Player>.Create(static (a, b) => string.CompareOrdinal(a.Name, b.Name)));

/// <summary>A dictionary with an equality of its own.</summary>
public sealed class PlayerGoals() : Dictionary<Player, int>(NameEquality.Instance);

internal sealed class NameEquality : IEqualityComparer<Player>
{
    public static readonly NameEquality Instance = new();

    public bool Equals(Player? x, Player? y) => x?.Name == y?.Name;

    public int GetHashCode([DisallowNull] Player obj) => string.GetHashCode(obj.Name, StringComparison.Ordinal);
}

/// <summary>A log that lets nothing be taken out.</summary>
public sealed class Entries : ICollection<Entry>
{
    private readonly List<Entry> _entries = [];

    public int Count => _entries.Count;

    public bool IsReadOnly => false;

    public void Add(Entry item) => _entries.Add(item);

    public void Clear() => throw new NotSupportedException("It only grows.");

    public bool Contains(Entry item) => _entries.Contains(item);

    public void CopyTo(Entry[] array, int arrayIndex) => _entries.CopyTo(array, arrayIndex);

    public bool Remove(Entry item) => throw new NotSupportedException("It only grows.");

    public IEnumerator<Entry> GetEnumerator() => _entries.GetEnumerator();

    IEnumerator IEnumerable.GetEnumerator() => GetEnumerator();
}

[NinoType(References = true)]
public sealed class Entry
{
    public Entries? Log { get; set; }
    public string? Text { get; set; }
}
