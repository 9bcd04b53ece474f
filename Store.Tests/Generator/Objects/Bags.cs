// Types with members declared as object, as users write them.

using System.Runtime.CompilerServices;
using Store.Serialization;
using Store.Serialization.Codecs;
using Store.Tests.Generator.Objects;

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
