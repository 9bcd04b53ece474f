// Types with members declared as object, as users write them.

using System.Collections;
using System.Collections.Specialized;
using System.Dynamic;
using System.Runtime.CompilerServices;
using Store.Serialization;
using Store.Serialization.Codecs;
using Store.Tests.Generator.Objects;
using Store.Tests.Generator.RoundTrips;

[assembly: NinoSerializable(typeof(object))]
[assembly: NinoSerializable(typeof(List<object>))]
[assembly: NinoSerializable(typeof(Dictionary<string, object>))]
[assembly: NinoSerializable(typeof(int[,]))]
[assembly: NinoSerializable(typeof(Suit))]
[assembly: NinoSerializable(typeof(Uri))]
[assembly: NinoSerializable(typeof(System.Net.IPAddress))]
[assembly: NinoSerializable(typeof(System.Numerics.Complex))]
[assembly: NinoSerializable(typeof(Store.Tests.Types.Tag))]

namespace Store.Tests.Generator.Objects;

public enum Suit : byte { Clubs, Hearts = 3 }

[NinoType]
public sealed class Bag
{
    public int Id { get; set; }
    public object? One { get; set; }
    public List<object?>? Many { get; set; }
    public Dictionary<string, object?>? ByName { get; set; }
    public object[]? Array { get; set; }
    public string? Last { get; set; }
}

/// <summary>What is dynamic to the compiler is an object in the record.</summary>
[NinoType]
public sealed class Loose(dynamic? made)
{
    [NinoInclude] private dynamic? _hidden;

    public dynamic? Made { get; } = made;
    public dynamic? One { get; set; }
    public required dynamic? Needed { get; init; }
    public List<dynamic?>? Many;
    public Dictionary<string, dynamic?[]>? ByName { get; set; }
    public Pair<dynamic?, int>? Pair { get; set; }
    public Pair<object?, int>? Same { get; set; }
    public LooseValue Value;

    public object? Hidden() => _hidden;

    public void Hide(object? value) => _hidden = value;
}

[NinoType]
public record struct LooseValue(dynamic? Any, int Number);

/// <summary>Collections without type arguments.</summary>
[NinoType]
public sealed class Loosened
{
    public ArrayList? List { get; set; }
    public Queue? Queue { get; set; }
    public Stack? Stack { get; set; }
    public IEnumerable? Any { get; set; }
    public ICollection? Some { get; set; }
    public IList? Listed { get; set; }
    public Hashtable? Table { get; set; }
    public SortedList? Sorted { get; set; }
    public OrderedDictionary? Ordered { get; set; }
    public IDictionary? Map { get; set; }
    public ExpandoObject? Expando { get; set; }
}

/// <summary>Specialized ones.</summary>
[NinoType]
public sealed class SpecializedBag
{
    public HybridDictionary? Hybrid { get; set; }
    public ListDictionary? Short { get; set; }
    public StringCollection? Texts { get; set; }
}

/// <summary>Collections of the user's without type arguments.</summary>
[NinoType]
public sealed class OwnLoosened
{
    public OwnObjects? List { get; set; }
    public OwnWaiting? Queue { get; set; }
    public OwnPiled? Stack { get; set; }
    public OwnTexts? Texts { get; set; }
    public OwnSuits? Suits { get; set; }
    public OwnTable? Table { get; set; }
    public OwnPrices? Prices { get; set; }
}

public sealed class OwnObjects : ArrayList;

public sealed class OwnWaiting : Queue;

public sealed class OwnPiled : Stack;

public sealed class OwnTexts : StringCollection;

public sealed class OwnSuits : CollectionBase
{
    public Suit this[int index] => (Suit)List[index]!;

    public void Add(Suit suit) => List.Add(suit);
}

public sealed class OwnTable : Hashtable;

public sealed class OwnPrices : DictionaryBase
{
    public decimal this[string name] { get => (decimal)Dictionary[name]!; set => Dictionary[name] = value; }
}

/// <summary>The same in an older release.</summary>
[NinoType]
public sealed record OldBag(int Id, object? One, Shelf? Only);

[NinoType, NinoFormerName("Store.Tests.Generator.Objects.OldBag")]
public sealed record NewBag(long Id, object? One, object? Only, string Added = "new");

[NinoType]
public sealed record Shelf(string Name);

/// <summary>Nobody marked it.</summary>
public sealed class Stranger;

/// <summary>Nobody marked it; the program registers it when it starts.</summary>
public sealed record PlugIn(int Number);

public readonly struct PlugInCodec : INinoCodec<PlugIn>
{
    public static int MinSize => 4;

    public static CodecForm Form => CodecForm.Fixed;

    public static int FixedSize => 4;

    public static SchemaNode Describe(SchemaBuilder builder) => Int32Codec.Describe(builder);

    public void Write(ref NinoWriter writer, in PlugIn value) => default(Int32Codec).Write(ref writer, value.Number);

    public PlugIn Read(ref NinoReader reader) => new(default(Int32Codec).Read(ref reader));

    public void WriteFixed(ref byte destination, in PlugIn value) => default(Int32Codec).WriteFixed(ref destination, value.Number);

    public PlugIn ReadFixed(ref readonly byte source) => new(default(Int32Codec).ReadFixed(in source));

    [ModuleInitializer]
    internal static void Register()
    {
        NinoObjects.Register<PlugIn, PlugInCodec>("plug-in");
        NinoObjects.Register<Store.Tests.Generator.RoundTrips.Pair<int, Store.Tests.Generator.RoundTrips.Pair<string, Store.Tests.Generator.RoundTrips.Money?>>>();
    }
}
