using Store.Tests.Generator;
using Store.Tests.Generator.RoundTrips;

namespace Store.Tests.Types;

/// <summary>Models of a library that carry the attributes of another serializer, registered by the program without being touched.</summary>
public sealed class ForeignModelTests
{
    // The attributes as their packages declare them, as far as they are read.
    private const string Attributes = """
        namespace MemoryPack
        {
            public sealed class MemoryPackableAttribute : Attribute; public sealed class MemoryPackIgnoreAttribute : Attribute; public sealed class MemoryPackIncludeAttribute : Attribute;
            public sealed class MemoryPackOrderAttribute(int order) : Attribute { public int Order => order; } public sealed class MemoryPackConstructorAttribute : Attribute;
        }
        namespace MessagePack
        {
            public sealed class MessagePackObjectAttribute(bool keyAsPropertyName = false) : Attribute { public bool K => keyAsPropertyName; } public sealed class IgnoreMemberAttribute : Attribute;
            public sealed class KeyAttribute : Attribute { public KeyAttribute(int x) { } public KeyAttribute(string x) { } } public sealed class SerializationConstructorAttribute : Attribute;
        }
        namespace ProtoBuf
        {
            public enum ImplicitFields { None, AllPublic } public sealed class ProtoContractAttribute : Attribute { public ImplicitFields ImplicitFields { get; set; } }
            public sealed class ProtoMemberAttribute(int tag) : Attribute { public int Tag => tag; } public sealed class ProtoIgnoreAttribute : Attribute;
        }
        namespace Lib
        {
            using MemoryPack; using MessagePack; using ProtoBuf; using System.Runtime.Serialization; using System.Text.Json.Serialization;
            [MemoryPackable] public class Packed
            {
                public Packed() => throw new InvalidOperationException("not this one");
                [MemoryPackConstructor] public Packed(int a) { A = a; }
                [MemoryPackOrder(1)] public int A { get; }
                [MemoryPackOrder(0)] public int B { get; set; }
                [MemoryPackIgnore] public object? Skipped { get; set; }
            }
            [MessagePackObject] public class Keyed
            {
                [Key(1)] public int A { get; set; }
                [Key(0)] public int B { get; set; }
                [IgnoreMember] public object? Skipped { get; set; }
            }
            [ProtoContract] public class Tagged
            {
                private protected Tagged() { }
                public static Tagged Of(int a) => new() { A = a, Skipped = 7 };
                [ProtoMember(3)] public int A { get; set; }
                public int Skipped { get; set; }
            }
            [ProtoContract(ImplicitFields = ImplicitFields.AllPublic)] public class Implicit { public int A { get; set; } [ProtoIgnore] public object? Skipped { get; set; } }
            [DataContract] public class Contract
            {
                [DataMember(Order = 2)] public int A { get; set; }
                [DataMember(Order = 1)] public int B { get; set; }
                public object? Skipped { get; set; }
            }
            public class Json
            {
                public Json(string wrong) => throw new InvalidOperationException(wrong);
                [JsonConstructor] public Json(int a) { A = a; }
                [JsonPropertyName("x")] public int A { get; }
                [JsonIgnore] public object? Skipped { get; set; }
                [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)] public string? Kept { get; set; }
                [JsonIgnore(Condition = JsonIgnoreCondition.Always)] public object? Never { get; set; }
            }
        }
        """;

    [Fact]
    public void ModelsOfFiveSerializersAreStoredAsTheirOwnAttributesSay() => GeneratorHarness.RunWithLibrary(Attributes, """
        using Lib;
        [assembly: NinoSerializable(typeof(Packed))] [assembly: NinoSerializable(typeof(Keyed))] [assembly: NinoSerializable(typeof(Tagged))] [assembly: NinoSerializable(typeof(Implicit))]
        [assembly: NinoSerializable(typeof(Contract))] [assembly: NinoSerializable(typeof(Json))]
        public static class Program
        {
            public static List<(byte[], NinoSchema)> Records = [];
            public static void Run()
            {
                Packed packed = Of(new Packed(1) { B = 2, Skipped = new() }, "B A", "0 0");
                Keyed keyed = Of(new Keyed { A = 1, B = 2, Skipped = new() }, "B A", "1 2");
                Tagged tagged = Of(Tagged.Of(5), "A", "3");
                Implicit all = Of(new Implicit { A = 6 }, "A", "0");
                Contract contract = Of(new Contract { A = 1, B = 2, Skipped = new() }, "B A", "0 0");
                Json json = Of(new Json(9) { Skipped = new(), Kept = "k", Never = new() }, "A Kept", "0 0");
                Equal((1, 2, true), (packed.A, packed.B, packed.Skipped is null));
                Equal((1, 2, true), (keyed.A, keyed.B, keyed.Skipped is null));
                Equal((5, 0), (tagged.A, tagged.Skipped));
                Equal((6, true), (all.A, all.Skipped is null));
                Equal((1, 2, true), (contract.A, contract.B, contract.Skipped is null));
                Equal((9, true, "k", true), (json.A, json.Skipped is null, json.Kept, json.Never is null));
            }
            static T Of<T>(T value, string names, string ids)
            {
                byte[] bytes = NinoSerializer.Serialize(value);
                NinoSchema schema = NinoSerializer.SchemaOf<T>();
                Records.Add((bytes, schema));
                var fields = ((ObjectDefinition)schema.Root.Definition!).Fields;
                List<string> n = [], i = [];
                foreach (var field in fields) { n.Add(field.Name); i.Add(field.Id.ToString()); }
                Equal(names, string.Join(" ", n));
                Equal(ids, string.Join(" ", i));
                return NinoSerializer.Deserialize<T>(bytes);
            }
            static void Equal<T>(T expected, T actual) { if (!EqualityComparer<T>.Default.Equals(expected, actual)) throw new InvalidOperationException($"{actual} and not {expected}."); }
        }
        """);

    [Fact]
    public void ModelsOfTheFrameworksSerializersComeBackWholeWithTheirCasesAndCallbacks()
    {
        Ship ship = Assert.IsType<Ship>(RoundTrip.Of<Vessel>(new Ship { Id = 1, Drivers = { "a", "b" } }));
        Assert.Equal((1, "read 1", "b"), (ship.Id, ship.Seen, ship.Drivers[1]));
        Assert.Equal(3m, RoundTrip.Of(Invoice.Of(2.6m)).Rounded);
    }

    [Fact]
    public void ATypeOfOnesOwnDoesNotFollowTheAttributesOfOthers() =>
        Assert.Contains("fields.Add(\"Kept\"", GeneratorHarness.SourceOf(GeneratorHarness.Generate("[NinoType] public class A { [System.Text.Json.Serialization.JsonIgnore] public int Kept; }"), "ACodec.g.cs"));

    [Fact]
    public void ATypeOfAnotherAssemblyGetsACodecOfTheUsers() => GeneratorHarness.RunWithLibrary(
        "namespace Lib; public sealed class Degrees(double value) { public double Value => value; }", """
        using Lib; using Store.Serialization.Codecs;
        [assembly: NinoSerializable(typeof(Degrees), Codec = typeof(DegreesCodec))]
        public readonly struct DegreesCodec : INinoCodec<Degrees>
        {
            public static int MinSize => 1;
            public static SchemaNode Describe(SchemaBuilder builder) => StringCodec.Describe(builder);
            public void Write(ref NinoWriter writer, in Degrees value) => default(StringCodec).Write(ref writer, value is null ? null! : value.Value.ToString("R", System.Globalization.CultureInfo.InvariantCulture));
            public Degrees Read(ref NinoReader reader) => default(StringCodec).Read(ref reader) is { } text ? new Degrees(double.Parse(text, System.Globalization.CultureInfo.InvariantCulture)) : null!;
        }
        [NinoType] public sealed record Both(Degrees? One, List<Degrees> Many);
        public static class Program
        {
            public static List<(byte[], NinoSchema)> Records = [];
            public static void Run()
            {
                byte[] bytes = NinoSerializer.Serialize(new Both(new Degrees(1.5), [new Degrees(2)]));
                Records.Add((bytes, NinoSerializer.SchemaOf<Both>()));
                Both copy = NinoSerializer.Deserialize<Both>(bytes);
                if ((copy.One!.Value, copy.Many[0].Value) != (1.5, 2) || bytes.Length != 4 + 3) throw new InvalidOperationException("not read back");
                Records.Add((NinoSerializer.Serialize(new Degrees(3)), NinoSerializer.SchemaOf<Degrees>()));
            }
        }
        """);
}
