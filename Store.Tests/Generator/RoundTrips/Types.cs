// Types as users write them; the generator attached to this project makes their codecs.

using System.Diagnostics.CodeAnalysis;
using Store.Serialization;
using Store.Tests.Generator.RoundTrips;

[assembly: NinoSerializable(typeof(Plain))]
[assembly: NinoSerializable(typeof(Dictionary<string, Plain>))]
[assembly: NinoSerializable(typeof(Pair<int, Pair<string, Money?>>))]
[assembly: NinoSerializable(typeof((int, string)))]
[assembly: NinoSerializable(typeof(KeyValuePair<Money, string>))]
[assembly: NinoSerializable(typeof(System.Numerics.Vector3))]

namespace Store.Tests.Generator.RoundTrips;

public enum SByteEnum : sbyte { Low = -128, High = 127 }
public enum ByteEnum : byte { Low, High = 255 }
public enum Int16Enum : short { Low = short.MinValue, High = short.MaxValue }
public enum UInt16Enum : ushort { Low, High = ushort.MaxValue }
public enum Int32Enum { Low = int.MinValue, High = int.MaxValue }
public enum UInt32Enum : uint { Low, High = uint.MaxValue }
public enum Int64Enum : long { Low = long.MinValue, High = long.MaxValue }
public enum UInt64Enum : ulong { Low, High = ulong.MaxValue }

[NinoType]
public sealed record Enums(
    SByteEnum SByte, ByteEnum Byte, Int16Enum Int16, UInt16Enum UInt16, Int32Enum Int32, UInt32Enum UInt32, Int64Enum Int64, UInt64Enum UInt64,
    ByteEnum? Absent, Int64Enum? Present);

[NinoType]
public sealed record Primitives(
    bool Boolean, sbyte SByte, byte Byte, short Int16, ushort UInt16, int Int32, uint UInt32, long Int64, ulong UInt64, Int128 Int128, UInt128 UInt128,
    Half Half, float Single, double Double, decimal Decimal, char Char, System.Text.Rune Rune, Guid Guid,
    DateTime DateTime, DateTimeOffset DateTimeOffset, TimeSpan TimeSpan, DateOnly DateOnly, TimeOnly TimeOnly, string String, int? Absent, Guid? Present);

/// <summary>Variable members are declared in between: the encoding moves the fixed ones to the front.</summary>
[NinoType]
public sealed class Mixed
{
    public string? Name { get; set; }
    public int Number;
    public List<int>? Scores { get; set; }
    public bool Flag { get; init; }
    public required ushort Key { get; set; }
    [NinoIgnore] public Action? Ignored { get; set; }
    public int Computed => Number * 2;
    public static int Shared { get; set; }
    public const int Constant = 5;
}

[NinoType]
public sealed class WithIds
{
    public int Unnumbered { get; set; }
    [NinoMember(20)] public byte Twenty { get; set; }
    [NinoMember(10)] public byte Ten { get; set; }
    [NinoMember(2)] public string? Two { get; set; }
    [NinoMember(1)] public string? One { get; set; }
}

[NinoType]
public record struct Money(decimal Amount, int Currency);

[NinoType]
public readonly struct Interval(int from, int to)
{
    public int From { get; } = from;
    public readonly int To = to;
}

[NinoType]
public struct Labelled
{
    public string? Label;
    public Money Money;
    public Interval? Interval { get; set; }
}

[NinoType]
public sealed class Immutable
{
    public Immutable(string name, IReadOnlyList<int> numbers)
    {
        Name = name;
        Numbers = numbers;
    }

    public string Name { get; }
    public IReadOnlyList<int> Numbers { get; }
}

[NinoType]
public sealed class PrefersTheConstructorThatKeepsState
{
    public PrefersTheConstructorThatKeepsState() { }
    public PrefersTheConstructorThatKeepsState(int fixedAtBirth) => FixedAtBirth = fixedAtBirth;
    public int FixedAtBirth { get; }
    public int Later { get; set; }
}

[NinoType]
public class Animal
{
    public string? Name { get; set; }
    public virtual int Legs { get; set; }
}

[NinoType]
public sealed class Dog : Animal
{
    public override int Legs { get; set; } = 4;
    public bool Barks { get; set; }
}

/// <summary>Nobody with a mark derives from it, so it is no base.</summary>
[NinoType]
public class Vehicle { public int Wheels { get; set; } }

public sealed class Truck : Vehicle;

[NinoType]
public sealed class SecretKeeper
{
    [NinoInclude] private int _number;
    [NinoInclude] private readonly string? _text;
    [NinoInclude] private List<int>? Hidden { get; set; }
    [NinoInclude] public int Guarded { get; private set; }

    [NinoConstructor]
    private SecretKeeper() { }

    public static SecretKeeper Create(int number, string? text, List<int>? hidden, int guarded) => new(number, text) { Hidden = hidden, Guarded = guarded };

    private SecretKeeper(int number, string? text) { _number = number; _text = text; }

    public (int Number, string? Text, List<int>? Hidden, int Guarded) Reveal() => (_number, _text, Hidden, Guarded);
}

[NinoType]
public sealed class GenericSecret<T, TKey> where TKey : notnull, IComparable<TKey>
{
    [NinoInclude] private T? _value;
    [NinoInclude] private TKey Key { get; init; }

    public GenericSecret() => Key = default!;

    [SetsRequiredMembers]
    public GenericSecret(T? item, TKey index) { _value = item; Key = index; }

    public (T?, TKey) Reveal() => (_value, Key);
}

public abstract class KeeperBase<T>
{
    [NinoInclude] private T? _hidden;
    protected internal T? Hidden { get => _hidden; set => _hidden = value; }
}

/// <summary>Its base classes carry no attribute and one is abstract: their members belong to it all the same.</summary>
[NinoType]
public sealed class DerivedKeeper : KeeperBase<List<string>>
{
    [NinoConstructor] internal DerivedKeeper(bool made) => Made = made;
    public bool Made { get; }
    public required string Label { get; init; }
    [NinoIgnore] public required object Lock { get; init; }

    [SetsRequiredMembers]
    public DerivedKeeper(List<string> hidden, string label) { Hidden = hidden; Label = label; Lock = new(); }

    public List<string>? Reveal() => Hidden;
}

[NinoType]
public struct StructSecret(int number)
{
    [NinoInclude] private int _number = number;
    [NinoInclude] private string? Text { get; set; }

    public StructSecret WithText(string? text) => this with { Text = text };

    public readonly (int, string?) Reveal() => (_number, Text);
}

[NinoType]
public record Pair<TFirst, TSecond>(TFirst First, TSecond Second);

[NinoType]
public sealed class Everything
{
    public Pair<int, string>? Pair { get; set; }
    public GenericSecret<Money, string>? Secret { get; set; }
    public StructSecret StructSecret { get; set; }
    public Money[]? Array { get; set; }
    public Dog?[]? Dogs { get; set; }
    public List<Labelled>? List { get; set; }
    public HashSet<Guid>? Set { get; set; }
    public Dictionary<string, List<Dog>>? Kennels { get; set; }
    public Dictionary<Money, Interval?>? Map { get; set; }
    public int[][]? Jagged { get; set; }
    public IReadOnlyDictionary<string, int>? ReadOnly { get; set; }
    public (int Count, string? Text) Tuple { get; set; }
    public (int, int, int, int, int, int, int, int, string) LongTuple { get; set; }
    public Tuple<int, string>? OldTuple { get; set; }
    public KeyValuePair<int, Dog?> KeyValue { get; set; }
}

[NinoType]
public sealed class Tree
{
    public int Value { get; set; }
    public Tree? Left { get; set; }
    public List<Tree>? Children { get; set; }
    public Leaf? Leaf { get; set; }
}

[NinoType]
public sealed class Leaf { public Dictionary<int, Tree>? Trees { get; set; } }

[NinoType]
public class Marker;

[NinoType]
public readonly struct Nothing;

[NinoType]
public sealed class Nothings { public Marker? Marker; public Nothing Nothing; public Nothing? Maybe; public List<Marker?>? List; }

[NinoType(Name = "renamed.type")]
public sealed record Renamed<T>(T Value, [property: NinoMember(7)] int Seven, [NinoMember(3)] int Three, [property: NinoIgnore] int Left = 9);

[NinoType]
public sealed record Holder(Renamed<int> A, Renamed<string> B);

/// <summary>Carries no attribute; the assembly registers it.</summary>
public sealed class Plain
{
    public int Number { get; set; }
    public string? Text;
}

[NinoType]
public sealed class Guarded(sbyte value)
{
    public sbyte Value { get; } = value >= 0 ? value : throw new ArgumentOutOfRangeException(nameof(value));
}

[NinoType]
public sealed class Guards
{
    public byte Percent { get; set => field = value <= 100 ? value : throw new InvalidOperationException("Above 100."); }
    public Guarded? First { get; set; }
    public List<Guarded>? All { get; set; }
}

[NinoType]
public sealed class PrivateDefaults
{
    private int _factor;
    private string? _label;

    [NinoConstructor]
    private PrivateDefaults(int value, int factor = 7, string? label = "seven")
    {
        Value = value;
        _factor = factor;
        _label = label;
    }

    public int Value { get; }

    public static PrivateDefaults Create(int value) => new(value);

    public int Factor() => _factor;

    public string? Label() => _label;
}

public class Overridable
{
    public virtual int Level { get; protected set; }
}

[NinoType]
public sealed class HalfOverridden : Overridable
{
    [NinoInclude]
    public override int Level => base.Level;

    [NinoInclude]
    public int Born { get; private init; }

    public static HalfOverridden Create(int level, int born) => new HalfOverridden { Born = born }.With(level);

    private HalfOverridden With(int level)
    {
        base.Level = level;
        return this;
    }
}
