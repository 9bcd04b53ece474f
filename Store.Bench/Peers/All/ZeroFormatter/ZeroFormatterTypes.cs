// ZeroFormatter wants an index on each member and all members virtual, which the workloads' types do not have: the same types once more. Conversion is never
// timed; Copy is: what ZeroFormatter reads looks its members up in the bytes when it is asked, and a row reads whole objects.

using Store.Bench.Workloads;
using ZeroFormatter;

namespace Store.Bench.Peers;

/// <summary>A class whose objects ZeroFormatter reads from the bytes when their members are asked for.</summary>
public interface IZeroCopy<TSelf>
{
    /// <summary>A plain object: every member read.</summary>
    static abstract TSelf Copy(TSelf value);
}

/// <summary>SimpleClass for ZeroFormatter.</summary>
[ZeroFormattable]
public class ZeroSimpleClass : IZeroCopy<ZeroSimpleClass>
{
    [Index(0)] public virtual int Id { get; set; }
    [Index(1)] public virtual string Name { get; set; } = "";
    [Index(2)] public virtual int[] Numbers { get; set; } = [];
    [Index(3)] public virtual List<DateTime> Dates { get; set; } = [];
    [Index(4)] public virtual Dictionary<int, string> Texts { get; set; } = [];
    [Index(5)] public virtual Dictionary<int, int> Pairs { get; set; } = [];

    public static ZeroSimpleClass From(SimpleClass value) => new() { Id = value.Id, Name = value.Name, Numbers = value.Numbers, Dates = value.Dates, Texts = value.Texts, Pairs = value.Pairs };

    public static ZeroSimpleClass Copy(ZeroSimpleClass value) => new() { Id = value.Id, Name = value.Name, Numbers = value.Numbers, Dates = value.Dates, Texts = value.Texts, Pairs = value.Pairs };

    public SimpleClass To() => new() { Id = Id, Name = Name, Numbers = Numbers, Dates = Dates, Texts = Texts, Pairs = Pairs };
}

/// <summary>SimpleStruct for ZeroFormatter, which reads structs at once.</summary>
[ZeroFormattable]
public struct ZeroSimpleStruct(int id, DateTime createdAt)
{
    [Index(0)] public int Id = id;
    [Index(1)] public DateTime CreatedAt = createdAt;

    public static ZeroSimpleStruct From(SimpleStruct value) => new(value.Id, value.CreatedAt);

    public readonly SimpleStruct To() => new() { Id = Id, CreatedAt = CreatedAt };
}

/// <summary>Poco for ZeroFormatter.</summary>
[ZeroFormattable]
public class ZeroPoco : IZeroCopy<ZeroPoco>
{
    [Index(0)] public virtual string Text { get; set; } = "";
    [Index(1)] public virtual int Number { get; set; }
    [Index(2)] public virtual Guid Key { get; set; }
    [Index(3)] public virtual DateTime When { get; set; }

    public static ZeroPoco From(Poco value) => new() { Text = value.Text, Number = value.Number, Key = value.Key, When = value.When };

    public static ZeroPoco Copy(ZeroPoco value) => new() { Text = value.Text, Number = value.Number, Key = value.Key, When = value.When };

    public Poco To() => new() { Text = Text, Number = Number, Key = Key, When = When };
}

/// <summary>SimpleModel for ZeroFormatter.</summary>
[ZeroFormattable]
public class ZeroSimpleModel : IZeroCopy<ZeroSimpleModel>
{
    [Index(0)] public virtual int TestInt { get; set; }
    [Index(1)] public virtual string TestString { get; set; } = "";
    [Index(2)] public virtual bool TestBool { get; set; }

    public static ZeroSimpleModel From(SimpleModel value) => new() { TestInt = value.TestInt, TestString = value.TestString, TestBool = value.TestBool };

    public static ZeroSimpleModel Copy(ZeroSimpleModel value) => new() { TestInt = value.TestInt, TestString = value.TestString, TestBool = value.TestBool };

    public SimpleModel To() => new() { TestInt = TestInt, TestString = TestString, TestBool = TestBool };
}

/// <summary>NineInts for ZeroFormatter.</summary>
[ZeroFormattable]
public class ZeroNineInts : IZeroCopy<ZeroNineInts>
{
    [Index(0)] public virtual int P1 { get; set; }
    [Index(1)] public virtual int P2 { get; set; }
    [Index(2)] public virtual int P3 { get; set; }
    [Index(3)] public virtual int P4 { get; set; }
    [Index(4)] public virtual int P5 { get; set; }
    [Index(5)] public virtual int P6 { get; set; }
    [Index(6)] public virtual int P7 { get; set; }
    [Index(7)] public virtual int P8 { get; set; }
    [Index(8)] public virtual int P9 { get; set; }

    public static ZeroNineInts From(NineInts value) => new() { P1 = value.P1, P2 = value.P2, P3 = value.P3, P4 = value.P4, P5 = value.P5, P6 = value.P6, P7 = value.P7, P8 = value.P8, P9 = value.P9 };

    public static ZeroNineInts Copy(ZeroNineInts value) => new() { P1 = value.P1, P2 = value.P2, P3 = value.P3, P4 = value.P4, P5 = value.P5, P6 = value.P6, P7 = value.P7, P8 = value.P8, P9 = value.P9 };

    public NineInts To() => new() { P1 = P1, P2 = P2, P3 = P3, P4 = P4, P5 = P5, P6 = P6, P7 = P7, P8 = P8, P9 = P9 };
}
