// Nerdbank.MessagePack numbers members by an attribute on each, which the workloads' types do not carry: the same types once more. Conversion is never timed.

using Nerdbank.MessagePack;
using PolyType;
using Store.Bench.Workloads;

namespace Store.Bench.Peers;

/// <summary>SimpleClass with numbered members.</summary>
public sealed class ShapedSimpleClass
{
    [Key(0)] public int Id { get; set; }
    [Key(1)] public string Name { get; set; } = "";
    [Key(2)] public int[] Numbers { get; set; } = [];
    [Key(3)] public List<DateTime> Dates { get; set; } = [];
    [Key(4)] public Dictionary<int, string> Texts { get; set; } = [];
    [Key(5)] public Dictionary<int, int> Pairs { get; set; } = [];

    public static ShapedSimpleClass From(SimpleClass value) => new() { Id = value.Id, Name = value.Name, Numbers = value.Numbers, Dates = value.Dates, Texts = value.Texts, Pairs = value.Pairs };

    public SimpleClass To() => new() { Id = Id, Name = Name, Numbers = Numbers, Dates = Dates, Texts = Texts, Pairs = Pairs };
}

/// <summary>SimpleStruct with numbered members.</summary>
public struct ShapedSimpleStruct
{
    [Key(0)] public int Id;
    [Key(1)] public DateTime CreatedAt;

    public static ShapedSimpleStruct From(SimpleStruct value) => new() { Id = value.Id, CreatedAt = value.CreatedAt };

    public SimpleStruct To() => new() { Id = Id, CreatedAt = CreatedAt };
}

/// <summary>Poco with numbered members.</summary>
public class ShapedPoco
{
    [Key(0)] public string Text { get; set; } = "";
    [Key(1)] public int Number { get; set; }
    [Key(2)] public Guid Key { get; set; }
    [Key(3)] public DateTime When { get; set; }

    public static ShapedPoco From(Poco value) => new() { Text = value.Text, Number = value.Number, Key = value.Key, When = value.When };

    public Poco To() => new() { Text = Text, Number = Number, Key = Key, When = When };
}

/// <summary>SimpleModel with numbered members.</summary>
public class ShapedSimpleModel
{
    [Key(0)] public virtual int TestInt { get; set; }
    [Key(1)] public virtual string TestString { get; set; } = "";
    [Key(2)] public virtual bool TestBool { get; set; }

    public static ShapedSimpleModel From(SimpleModel value) => new() { TestInt = value.TestInt, TestString = value.TestString, TestBool = value.TestBool };

    public SimpleModel To() => new() { TestInt = TestInt, TestString = TestString, TestBool = TestBool };
}

/// <summary>NineInts with numbered members.</summary>
public class ShapedNineInts
{
    [Key(0)] public virtual int P1 { get; set; }
    [Key(1)] public virtual int P2 { get; set; }
    [Key(2)] public virtual int P3 { get; set; }
    [Key(3)] public virtual int P4 { get; set; }
    [Key(4)] public virtual int P5 { get; set; }
    [Key(5)] public virtual int P6 { get; set; }
    [Key(6)] public virtual int P7 { get; set; }
    [Key(7)] public virtual int P8 { get; set; }
    [Key(8)] public virtual int P9 { get; set; }

    public static ShapedNineInts From(NineInts value) => new() { P1 = value.P1, P2 = value.P2, P3 = value.P3, P4 = value.P4, P5 = value.P5, P6 = value.P6, P7 = value.P7, P8 = value.P8, P9 = value.P9 };

    public NineInts To() => new() { P1 = P1, P2 = P2, P3 = P3, P4 = P4, P5 = P5, P6 = P6, P7 = P7, P8 = P8, P9 = P9 };
}

/// <summary>ImmutablePoco with numbered members.</summary>
public sealed class ShapedImmutablePoco(string text, int number, Guid key, DateTime when)
{
    [Key(0)] public string Text { get; } = text;
    [Key(1)] public int Number { get; } = number;
    [Key(2)] public Guid Key { get; } = key;
    [Key(3)] public DateTime When { get; } = when;

    public static ShapedImmutablePoco From(ImmutablePoco value) => new(value.Text, value.Number, value.Key, value.When);

    public ImmutablePoco To() => new(Text, Number, Key, When);
}

/// <summary>Where the generator of PolyType puts the shapes of these types.</summary>
[GenerateShapeFor<ShapedSimpleClass>]
[GenerateShapeFor<ShapedSimpleStruct>]
[GenerateShapeFor<ShapedPoco>]
[GenerateShapeFor<ShapedImmutablePoco>]
[GenerateShapeFor<ShapedSimpleModel>]
[GenerateShapeFor<ShapedNineInts>]
[GenerateShapeFor<List<ShapedSimpleClass>>]
[GenerateShapeFor<ShapedSimpleStruct[]>]
[GenerateShapeFor<List<ShapedPoco>>]
[GenerateShapeFor<List<ShapedImmutablePoco>>]
[GenerateShapeFor<List<ShapedSimpleModel>>]
[GenerateShapeFor<List<ShapedNineInts>>]
internal sealed partial class PeerShapes;
