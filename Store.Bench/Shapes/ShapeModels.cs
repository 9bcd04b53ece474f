// The classes and values inside of the shapes. Records, so that what was read is compared by the compiler's own equality.

using System.Text.Json.Serialization;
using Store.Serialization;

namespace Store.Bench.Shapes;

public enum Level
{
    Low,
    Middle,
    High,
    Highest,
}

/// <summary>Two doubles.</summary>
[NinoType]
public partial struct Point
{
    public double X;
    public double Y;
}

/// <summary>One of each plain type.</summary>
[NinoType]
public sealed partial record Plain
{
    public bool Flag { get; set; }
    public byte Small { get; set; }
    public short Short { get; set; }
    public long Long { get; set; }
    public float Single { get; set; }
    public double Double { get; set; }
    public decimal Price { get; set; }
    public char Letter { get; set; }
    public Guid Key { get; set; }
    public DateTimeOffset At { get; set; }
    public TimeSpan Took { get; set; }
    public DateOnly Day { get; set; }
    public TimeOnly Hour { get; set; }
    public Level Level { get; set; }
    public int? Absent { get; set; }
    public long? Present { get; set; }
}

/// <summary>Ten texts.</summary>
[NinoType]
public sealed partial record Form
{
    public string Name { get; set; } = "";
    public string Street { get; set; } = "";
    public string Code { get; set; } = "";
    public string City { get; set; } = "";
    public string Country { get; set; } = "";
    public string Mail { get; set; } = "";
    public string Phone { get; set; } = "";
    public string Firm { get; set; } = "";
    public string Subject { get; set; } = "";
    public string Message { get; set; } = "";
}

/// <summary>An order with its lines.</summary>
[NinoType]
public sealed partial class Order
{
    public long Number { get; set; }
    public string Customer { get; set; } = "";
    public DateTime Ordered { get; set; }
    public List<OrderLine> Lines { get; set; } = [];
}

/// <summary>A line of an order.</summary>
[NinoType]
public sealed partial record OrderLine
{
    public string Article { get; set; } = "";
    public int Count { get; set; }
    public decimal Price { get; set; }
}

/// <summary>A tree of records.</summary>
[NinoType]
public sealed partial record Branch(string Name, int Weight, Branch? Left, Branch? Right);

/// <summary>A base with three cases.</summary>
[NinoType]
[JsonDerivedType(typeof(Circle), 0), JsonDerivedType(typeof(Box), 1), JsonDerivedType(typeof(Label), 2)]
public abstract partial record Figure;

[NinoType]
public sealed partial record Circle : Figure
{
    public double Radius { get; set; }
}

[NinoType]
public sealed partial record Box : Figure
{
    public double Width { get; set; }
    public double Height { get; set; }
}

[NinoType]
public sealed partial record Label : Figure
{
    public string Text { get; set; } = "";
    public int Size { get; set; }
}

/// <summary>Somebody whom others refer to.</summary>
[NinoType(References = true)]
public sealed partial class Person
{
    public string Name { get; set; } = "";
    public Person? Chief { get; set; }
    public List<Person> Friends { get; set; } = [];
}
