// Types of which one object is met again inside of what its constructor takes, as users write them.

using Store.Serialization;

[assembly: NinoSerializable(typeof(Store.Tests.Generator.References.Knot<string>))]
[assembly: NinoSerializable(typeof(Store.Tests.Generator.References.Knot<Store.Tests.Generator.References.Parent>))]

namespace Store.Tests.Generator.References;

/// <summary>The ordinary graph: the children know whose they are.</summary>
[NinoType(References = true)]
public sealed record Parent(string Name, List<Child> Children);

[NinoType(References = true)]
public sealed class Child
{
    public string? Name { get; set; }
    public Parent? Parent { get; set; }
}

/// <summary>A struct between, a constructor that is not public, members set behind it.</summary>
[NinoType(References = true)]
public sealed class Knot<T> where T : class
{
    [NinoConstructor]
    private Knot(T? value, Loop<T> loop)
    {
        Value = value;
        Loop = loop;
        IsMade = true;
    }

    public static Knot<T> Of(T? value)
    {
        var knot = new Knot<T>(value, default) { Label = "l" };
        knot.Loop = new Loop<T>(knot, 1);
        return knot;
    }

    public T? Value { get; }
    [NinoInclude] public Loop<T> Loop { get; private set; }
    public required string Label { get; init; }
    [NinoIgnore] public bool IsMade { get; }
}

[NinoType]
public readonly record struct Loop<T>(Knot<T>? Knot, int Turns) where T : class;

/// <summary>The head of a class, with a base whose constructor takes what leads back.</summary>
[NinoType(References = true)]
public abstract class Part(Whole? whole, int number)
{
    public Whole? Whole { get; } = whole;
    public int Number { get; } = number;
}

[NinoType]
public sealed class Wheel(Whole? whole, int number, double size) : Part(whole, number)
{
    private readonly double _half = size / 2;
    public double Size => _half * 2;
}

[NinoType]
public sealed class Whole(List<Part?> parts, Whole? whole, int number) : Part(whole, number)
{
    public List<Part?> Parts { get; } = parts;
    public List<Part> Spare { get; set; } = [];
}

/// <summary>Tells what happened to it, in order.</summary>
[NinoType(References = true)]
public sealed class Witness
{
    [ThreadStatic] private static List<string>? t_log;

    internal static List<string>? Log { get => t_log; set => t_log = value; }

    public Witness(string name, Witness? other)
    {
        Name = name;
        Other = other;
        Log?.Add($"{name} made, other is {(other is null ? "null" : other.Name ?? "not made")}");
    }

    public string Name { get; }
    public Witness? Other { get; private set; }
    public int Later { get; set; }

    public void Meet(Witness other) => Other = other;

    [NinoOnDeserializing] private void Begin() => Log?.Add($"{Name} begins, later {Later}");
    [NinoOnDeserialized] private void End() => Log?.Add($"{Name} ends, later {Later}, other is {Other?.Name ?? "not made"}");
}

/// <summary>Its constructor refuses, and its finalizer counts on it.</summary>
[NinoType(References = true)]
public sealed class Guarded
{
    private static int s_broken;
    private readonly bool _isMade = true;

    public Guarded(string name, Guarded? inner)
    {
        Name = name;
        if (name == "refused") throw new ArgumentException("Not that name.");
        Inner = inner;
    }

    public string Name { get; }
    [NinoInclude] public Guarded? Inner { get; private set; }

    /// <summary>How many were finalized whose constructor never ran.</summary>
    public static int Broken => Volatile.Read(ref s_broken);

    public void Close() => Inner = this;

    ~Guarded()
    {
        if (!_isMade) Interlocked.Increment(ref s_broken);
    }
}

/// <summary>A factory method cannot run on an object that is there.</summary>
[NinoType(References = true)]
public sealed class Minted
{
    private Minted(Minted? other) => Other = other;

    [NinoConstructor] public static Minted Of(Minted? other) => new(other);

    public Minted? Other { get; private set; }
    public void Close() => Other = this;
}

/// <summary>Every constructor waits for the other's object.</summary>
[NinoType(References = true)]
public sealed record Left(int Id, Right? Right)
{
    private Right? _right = Right;
    public Right? Right { get => _right; init => _right = value; }
    public void Join(Right right) => _right = right;
    public override string ToString() => "Left";
}

[NinoType(References = true)]
public sealed record Right(int Id, Left? Left)
{
    public override string ToString() => "Right";
}

/// <summary>Is told from others by identity, so that it may be a key before its constructor ran.</summary>
[NinoType(References = true)]
public sealed class Clique(string name, HashSet<Clique> friends, Dictionary<Clique, int> since)
{
    public string Name { get; } = name;
    public HashSet<Clique> Friends { get; } = friends;
    public Dictionary<Clique, int> Since { get; } = since;
}

/// <summary>Looks into what its constructor takes, and has a setter that calls back.</summary>
[NinoType(References = true)]
public sealed class Curious(string name, Curious? other)
{
    private readonly List<string> _seen = [];
    private string? _note;

    public string Name { get; } = name;
    public Curious? Other { get; private set; } = other;
    [NinoIgnore] public string Saw { get; } = other is null ? "nobody" : other.Name ?? "nothing yet";
    public string? Note { get => _note; set { _note = value; if (value is not null) Other?._seen.Add(value); } }
    public void Meet(Curious other) => Other = other;
    public int Seen() => _seen.Count;
}
