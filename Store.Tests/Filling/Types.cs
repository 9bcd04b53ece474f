// Types with members that have no setter and hold collections, as users and their models have them.

using System.Collections.Concurrent;
using System.Collections.ObjectModel;
using Store.Serialization;

namespace Store.Tests.Filling;

[NinoType, NinoFormerName("Store.Tests.Filling.SettableBasket")]
public sealed class Basket
{
    public int Id { get; set; }
    public List<string> Items { get; } = [];
    public Dictionary<string, int> Counts { get; } = new(StringComparer.OrdinalIgnoreCase);
    public HashSet<int> Tags { get; } = [];
}

[NinoType, NinoFormerName("Store.Tests.Filling.Basket")]
public sealed class SettableBasket
{
    public int Id { get; set; }
    public List<string>? Items { get; set; }
    public Dictionary<string, int>? Counts { get; set; }
    public HashSet<int>? Tags { get; set; }
}

[NinoType]
public sealed class EveryKind
{
    public LinkedList<int> Linked { get; } = new();
    public SortedSet<int> SortedSet { get; } = [];
    public Collection<int> Collection { get; } = [];
    public ObservableCollection<int> Observable { get; } = [];
    public SortedDictionary<int, string> SortedMap { get; } = [];
    public SortedList<int, string> SortedList { get; } = [];
    public OrderedDictionary<int, string> Ordered { get; } = [];
    public ConcurrentDictionary<int, string> Concurrent { get; } = new();
    public Queue<int> Queue { get; } = new();
    public Stack<int> Stack { get; } = new();
    public PriorityQueue<string, int> Priority { get; } = new();
    public ConcurrentQueue<int> ConcurrentQueue { get; } = new();
    public ConcurrentStack<int> ConcurrentStack { get; } = new();
    public ConcurrentBag<int> Bag { get; } = [];
    public BlockingCollection<int> Blocking { get; } = [];
    public ICollection<int> AnyCollection { get; } = new HashSet<int>();
    public IList<int> AnyList { get; } = new ObservableCollection<int>();
    public ISet<int> AnySet { get; } = new SortedSet<int>();
    public IDictionary<int, string> AnyMap { get; } = new SortedDictionary<int, string>();
    public Names Own { get; } = [];
    public NameMap OwnMap { get; } = [];
    public WaitingLine OwnQueue { get; } = new();
    public PlatePile OwnStack { get; } = new();
    public Ranking OwnPriority { get; } = new();
    public readonly List<int> Field = [];
    [NinoInclude] private List<int> Private { get; } = [];

    public List<int> ShowPrivate() => Private;
}

public sealed class Names : Collection<string>;

public sealed class NameMap : Dictionary<string, int>;

public sealed class WaitingLine : Queue<int>;

public sealed class PlatePile : Stack<int>;

public sealed class Ranking : PriorityQueue<string, int>;

/// <summary>Whose collection is behind a getter with a body, prefilled, behind members that a constructor takes, and in a struct.</summary>
[NinoType]
public sealed class Prefilled(int id)
{
    private readonly List<BasketLine> _lines = [BasketLine.Shared, new BasketLine { Text = "own" }];
    private List<int>? _lazy;

    public IList<BasketLine> Lines => _lines;
    public List<int> Lazy => _lazy ??= [];
    public List<int> Kept { get => field ??= [1, 2]; }
    public string? Name { get; set; }
    public int Id { get; } = id;
}

[NinoType]
public sealed class BasketLine
{
    public static readonly BasketLine Shared = new() { Text = "shared" };
    public string? Text { get; set; }
}

[NinoType]
public readonly struct Cell
{
    public Cell() { }

    public List<int> Values { get; } = [];
    public readonly List<int> More = [];
}

[NinoType]
public sealed record Cells(Cell[] All, string Name)
{
    public List<Cell> Others { get; } = [];
    public int Size { get; init; }
}

[NinoType(References = true)]
public sealed class Node
{
    public List<Node> Next { get; } = [];
    public string? Name { get; set; }
}

[NinoType]
public sealed class Tree
{
    public int Value { get; set; }
    public List<Tree> Children { get; } = [];
    public string? Note { get; set; }
}

/// <summary>Whose constructor leaves it to others what it has.</summary>
[NinoType]
public sealed class Doubtful
{
    private IList<int>? _values;

    public Doubtful() => Make();

    [NinoIgnore]
    public static Func<IList<int>?> Maker { get; set; } = static () => [];

    public IList<int>? Values => _values;

    public static Doubtful Of(params int[] values)
    {
        var made = new Doubtful();
        foreach (int value in values) made._values!.Add(value);
        return made;
    }

    private void Make() => _values = Maker();
}
