// Bases and cases as users write them.

using Store.Serialization;

namespace Store.Tests.Generator.Polymorphism;

[NinoType]
public abstract record Shape(string? Name);

[NinoType]
public sealed record Circle(string? Name, double Radius) : Shape(Name);

[NinoType]
public record Box(string? Name, int Width, int Height) : Shape(Name);

/// <summary>Derived from a case: both are cases of every base above.</summary>
[NinoType]
public sealed record Cube(string? Name, int Width, int Height, int Depth) : Box(Name, Width, Height);

/// <summary>Holds its own base, so depth counts.</summary>
[NinoType]
public sealed record Group(string? Name, List<Shape?> Members) : Shape(Name);

/// <summary>Nobody marked it.</summary>
public sealed record Unmarked(string? Name) : Shape(Name);

[NinoType]
public sealed record Drawing(int Id, Shape? Main, List<Shape?>? All, Dictionary<string, Shape>? ByName, Box? Box, Shape?[]? Array);

[NinoType]
public interface IToken;

[NinoType]
public readonly record struct Number(int Value) : IToken;

[NinoType]
public readonly record struct Word(string? Text) : IToken;

[NinoType]
public sealed record Plus(IToken Left, IToken Right) : IToken;

/// <summary>A struct that holds its own base.</summary>
[NinoType]
public readonly record struct Negative(IToken? Inner) : IToken;

[NinoType]
public sealed record Line(IToken First, IReadOnlyList<IToken> Rest);

[NinoType, NinoUnion(0, typeof(Started)), NinoUnion(7, typeof(Moved)), NinoUnion(300, typeof(Note<int>)), NinoUnion(70_000, typeof(Stopped))]
public abstract class Event
{
    public int At { get; set; }
}

[NinoType]
public sealed class Started : Event;

[NinoType]
public sealed class Moved : Event { public long X { get; set; } }

[NinoType]
public sealed class Note<T> : Event { public T? Value { get; set; } public string? Text { get; set; } }

[NinoType]
public sealed class Stopped : Event { public Event? Cause { get; set; } }

[NinoType]
public sealed record Journal(List<Event?> Events);

[NinoType(SkipUnknownCases = true)]
public abstract class Message
{
    public int Id { get; set; }
}

[NinoType]
public sealed class Ping : Message;

[NinoType]
public sealed class Chat : Message { public string? Text { get; set; } }

[NinoType]
public sealed class Forward : Message { public Message? Inner { get; set; } public List<Message?>? More { get; set; } }

[NinoType]
public sealed class Mailbox { public Message? First { get; set; } public List<Message?>? All { get; set; } public int Count { get; set; } }

[NinoType]
public abstract class Slot<T> { public T? Value { get; set; } }

[NinoType]
public sealed class Plain<T> : Slot<T> { public int Id { get; set; } }

[NinoType]
public sealed class Keyed<T> : Slot<T> where T : class { public string? Key { get; set; } }

[NinoType]
public sealed class IntSlot : Slot<int> { public bool Set { get; set; } }

[NinoType]
public sealed class Slots { public Slot<int>? Int { get; set; } public Slot<string>? Text { get; set; } }

[NinoType]
public abstract class Wide { public int Value { get; set; } }

[NinoType] public sealed class Wide01 : Wide;
[NinoType] public sealed class Wide02 : Wide;
[NinoType] public sealed class Wide03 : Wide;
[NinoType] public sealed class Wide04 : Wide;
[NinoType] public sealed class Wide05 : Wide;
[NinoType] public sealed class Wide06 : Wide;
[NinoType] public sealed class Wide07 : Wide;
[NinoType] public sealed class Wide08 : Wide;
[NinoType] public sealed class Wide09 : Wide;
[NinoType] public sealed class Wide10 : Wide;
[NinoType] public sealed class Wide11 : Wide;
[NinoType] public sealed class Wide12 : Wide;
[NinoType] public sealed class Wide13 : Wide;
[NinoType] public sealed class Wide14 : Wide;
[NinoType] public sealed class Wide15 : Wide;
[NinoType] public sealed class Wide16 : Wide;
[NinoType] public sealed class Wide17 : Wide { public string? Extra { get; set; } }
