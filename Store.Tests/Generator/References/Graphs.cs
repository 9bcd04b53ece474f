// Types whose objects keep their identity, as users write them.

using Store.Serialization;

[assembly: NinoSerializable(typeof(List<Store.Tests.Generator.References.Cell<string>>))]

namespace Store.Tests.Generator.References;

[NinoType(References = true)]
public sealed class Person
{
    public int Id { get; set; }
    public string? Name { get; set; }
    public Person? Friend { get; set; }
    public List<Person?> Children { get; set; } = [];
    public Dictionary<string, Person>? ByRole { get; set; }
}

/// <summary>What the constructor takes comes first; what is set after it may lead back.</summary>
[NinoType(References = true)]
public sealed record Employee(int Id, string Name, Employee? Boss)
{
    public List<Employee> Staff { get; init; } = [];
    public Employee? Deputy { get; set; }
}

[NinoType(References = true)]
public sealed class Strict
{
    public required string Label { get; init; }
    public required Strict? Self { get; init; }
    [NinoInclude] private Strict? _hidden;
    [NinoIgnore] public required object Lock { get; init; }
    public Strict? Hidden() => _hidden;
    public void Hide(Strict? value) => _hidden = value;
}

[NinoType(References = true)]
public abstract class Item
{
    public string? Name { get; set; }
    public Crate? In { get; set; }
}

[NinoType]
public sealed class Crate : Item
{
    public List<Item?> Items { get; set; } = [];
}

[NinoType]
public sealed class Tool : Item
{
    public double Weight { get; set; }
    public (Item?, int) Pair { get; set; }
}

/// <summary>Holds objects of tracked types under several declared types, and is not tracked itself.</summary>
[NinoType]
public sealed class Depot
{
    public Item? Any { get; set; }
    public Crate? Crate { get; set; }
    public Tool?[]? Tools { get; set; }
    public Dictionary<int, Item>? ByNumber { get; set; }
    public IHolder? Holder { get; set; }
}

/// <summary>A base that does not keep references, with a case that does.</summary>
[NinoType]
public interface IHolder;

[NinoType(References = true)]
public sealed class TrackedHolder : IHolder { public IHolder? Next { get; set; } public int Value { get; set; } }

[NinoType]
public sealed class LooseHolder : IHolder { public IHolder? First { get; set; } public IHolder? Second { get; set; } }

[NinoType(References = true)]
public sealed class Cell<T> where T : class { public T? Value { get; set; } public Cell<T>? Next { get; set; } }
