// Types with callbacks and factory methods, as users write them.

using Store.Serialization;

namespace Store.Tests.Generator.Construction;

[NinoType]
public abstract class Logged
{
    [NinoIgnore]
    public List<string> Calls { get; } = [];

    [NinoOnSerializing]
    private void Before() => Calls.Add("base before");

    [NinoOnDeserialized]
    protected virtual void After() => Calls.Add("base after");
}

[NinoType]
public sealed class Session : Logged
{
    public int Id { get; set; }
    public string? Name { get; init; }
    public required string Key { get; init; }

    [NinoIgnore]
    public string? Lookup { get; private set; }

    [NinoOnSerializing]
    public void Starting() => Calls.Add($"before {Id}");

    [NinoOnSerialized]
    private void Ended() => Calls.Add($"written {Id}");

    [NinoOnDeserializing]
    internal void Made() => Calls.Add($"made {Id} {Name} {Key}");

    [NinoOnDeserialized]
    protected override void After()
    {
        base.After();
        Lookup = $"{Id}/{Name}/{Key}";
    }
}

[NinoType]
public struct Counter
{
    public int Value;

    [NinoIgnore] public bool WasRead;

    [NinoOnSerializing]
    private void Up() => Value++;

    [NinoOnDeserialized]
    private void Read() => WasRead = true;
}

[NinoType]
public struct Named
{
    public string? Name { get; init; }
    [NinoIgnore] public string? AtFirst;

    [NinoOnDeserializing] private void First() => AtFirst = Name ?? "nothing";
}

[NinoType]
public sealed class Sessions { public Session? One { get; set; } public Counter Counter { get; set; } public Named Named { get; set; } public List<Counter>? All { get; set; } public Logged? Any { get; set; } }

[NinoType]
public sealed class Loud
{
    public int Limit { get; set; }

    [NinoOnSerializing] private void Check() => _ = Limit < 100 ? 0 : throw new InvalidOperationException("too loud to write");

    [NinoOnDeserialized] private void CheckRead() => _ = Limit < 50 ? 0 : throw new InvalidOperationException("too loud to read");
}

[NinoType]
public class Generic<T>
{
    public T? Value { get; set; }

    [NinoIgnore] public int Reads { get; private set; }

    [NinoOnDeserialized] private void Count() => Reads++;
}

[NinoType]
public sealed class Money
{
    private static readonly Money[] Known = [new(0, "EUR"), new(1, "EUR")];

    private Money(long cents, string currency) { Cents = cents; Currency = currency; }

    public long Cents { get; }
    public string Currency { get; }
    public string? Note { get; init; }

    [NinoConstructor]
    public static Money Of(long cents, string currency) => cents is 0 or 1 && currency == "EUR" ? Known[cents] : cents == 13 ? null! : new Money(cents, currency);
}

[NinoType]
public readonly struct Percent
{
    private Percent(byte value) => Value = value;

    public byte Value { get; }

    [NinoConstructor]
    private static Percent Create(byte value, int scale = 1) => value <= 100 ? new((byte)(value * scale)) : throw new ArgumentOutOfRangeException(nameof(value));

    public static Percent Half { get; } = Create(50);
}

[NinoType]
public sealed class Wrapped<T>
{
    private Wrapped() { }

    [NinoInclude] private T? Inner { get; init; }

    [NinoConstructor]
    private static Wrapped<T> Create() => new();

    public static Wrapped<T> Of(T inner) => new() { Inner = inner };

    public T? Get() => Inner;
}

[NinoType]
public sealed class Factories { public Money? Money { get; set; } public Percent Percent { get; set; } public Wrapped<int>? Wrapped { get; set; } public List<Percent>? All { get; set; } public Generic<string>? Generic { get; set; } }

/// <summary>A base of the same assembly with state that nobody else sees.</summary>
public abstract class Keeper
{
    [NinoMember(5)] private int _count;
    [NinoInclude] private string? Secret { get; set; }
    protected void Keep(int count, string? secret) { _count = count; Secret = secret; }
    public (int, string?) Reveal() => (_count, Secret);
}

[NinoType]
public sealed class Vault : Keeper
{
    [NinoMember(2)] private readonly Dictionary<string, int> _content = [];
    public Vault() { }
    public Vault(int count, string? secret) { Keep(count, secret); _content["k"] = count; }
    public int this[string key] => _content[key];
}

/// <summary>Most constructors take parts, of which the value is made.</summary>
[NinoType]
public readonly struct PackedColor
{
    public PackedColor(uint rawValue) => RawValue = rawValue;

    public PackedColor(byte r, byte g, byte b) => RawValue = ((uint)r << 16) | ((uint)g << 8) | b;

    public PackedColor(int r, int g, int b) : this((byte)r, (byte)g, (byte)b)
    {
    }

    public uint RawValue { get; }
    public byte R => (byte)(RawValue >> 16);
    public byte G => (byte)(RawValue >> 8);
    public byte B => (byte)RawValue;
}
