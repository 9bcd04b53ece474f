// Models as they are written for other serializers of the framework, registered without being touched.

using System.Runtime.Serialization;
using System.Text.Json.Serialization;
using Store.Serialization;
using Store.Tests.Types;

[assembly: NinoSerializable(typeof(Vessel))]
[assembly: NinoSerializable(typeof(Invoice))]

namespace Store.Tests.Types;

[DataContract]
[KnownType(typeof(Ship))]
public abstract class Vessel
{
    [DataMember(Order = 1)] public int Id { get; set; }

    public string? Seen { get; private set; }

    [OnDeserialized]
    private void Read(StreamingContext context) => Seen = $"read {Id}";
}

[DataContract]
public sealed class Ship : Vessel
{
    [DataMember] public List<string> Drivers { get; } = [];
}

public sealed class Invoice : IJsonOnDeserialized
{
    [JsonInclude] public decimal Amount { get; private set; }

    [JsonIgnore] public decimal Rounded { get; private set; }

    public static Invoice Of(decimal amount) => new() { Amount = amount };

    void IJsonOnDeserialized.OnDeserialized() => Rounded = decimal.Round(Amount);
}

/// <summary>What generated code of another assembly does not see.</summary>
public class Secretive
{
    [NinoIgnore] public int Calls { get; private set; }

    [OnDeserialized]
    private void Read(StreamingContext context) => Calls++;

    [OnDeserialized]
    private protected virtual void ReadMore(StreamingContext context) => Calls += 10;
}

/// <summary>What generated code of another assembly cannot store, and a setter that it calls without seeing it.</summary>
public sealed class Reticent
{
    private Reticent() { }

    [DataMember] private int _a = 1;

    [DataMember] public int B { get; private set; } = 2;

    public void Next() => (_a, B) = (B, _a);
}

/// <summary>And whose override has the mark too: one call of the method that it overrides is both.</summary>
public sealed class MoreSecretive : Secretive
{
    [OnDeserialized]
    private protected override void ReadMore(StreamingContext context) => base.ReadMore(context);
}
