using Microsoft.CodeAnalysis;
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
            public enum ImplicitFields { None, AllPublic, AllFields } public sealed class ProtoContractAttribute : Attribute { public ImplicitFields ImplicitFields { get; set; } }
            public sealed class ProtoMemberAttribute(int tag) : Attribute { public int Tag => tag; } public sealed class ProtoIgnoreAttribute : Attribute;
            [AttributeUsage(AttributeTargets.Class, AllowMultiple = true, Inherited = false)] public sealed class ProtoPartialMemberAttribute(int tag, string memberName) : Attribute { public int Tag => tag; public string MemberName => memberName; }
            [AttributeUsage(AttributeTargets.Class, AllowMultiple = true, Inherited = false)] public sealed class ProtoPartialIgnoreAttribute(string memberName) : Attribute { public string MemberName => memberName; }
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
            [ProtoContract, ProtoPartialMember(2, "A"), ProtoPartialMember(1, "B"), ProtoPartialIgnore("C")] public class Split
            {
                public int A { get; set; }
                public int B { get; set; }
                [ProtoMember(3)] public object? C { get; set; }
                public object? Skipped { get; set; }
            }
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

    private const string Helper = """
            public static List<(byte[], NinoSchema)> Records = [];
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
        """;

    [Fact]
    public void ModelsOfFiveSerializersAreStoredAsTheirOwnAttributesSay() => GeneratorHarness.RunWithLibrary(Attributes, """
        using Lib;
        [assembly: NinoSerializable(typeof(Packed))] [assembly: NinoSerializable(typeof(Keyed))] [assembly: NinoSerializable(typeof(Tagged))] [assembly: NinoSerializable(typeof(Implicit))]
        [assembly: NinoSerializable(typeof(Contract))] [assembly: NinoSerializable(typeof(Json))]
        public static class Program
        {
            public static void Run()
            {
                Packed packed = Of(new Packed(1) { B = 2, Skipped = new() }, "B A", "0 0");
                Keyed keyed = Of(new Keyed { A = 1, B = 2, Skipped = new() }, "B A", "1 2");
                Tagged tagged = Of(Tagged.Of(5), "A", "3");
                Implicit all = Of(new Implicit { A = 6 }, "A", "0");
                Contract contract = Of(new Contract { A = 1, B = 2, Skipped = new() }, "B A", "0 0");
                Json json = Of(new Json(9) { Skipped = new(), Kept = "k", Never = new() }, "x Kept", "0 0");
                Equal((1, 2, true), (packed.A, packed.B, packed.Skipped is null));
                Equal((1, 2, true), (keyed.A, keyed.B, keyed.Skipped is null));
                Equal((5, 0), (tagged.A, tagged.Skipped));
                Equal((6, true), (all.A, all.Skipped is null));
                Equal((1, 2, true), (contract.A, contract.B, contract.Skipped is null));
                Equal((9, true, "k", true), (json.A, json.Skipped is null, json.Kept, json.Never is null));
            }
        """ + Helper);

    [Fact]
    public void MarksOfProtobufOnTheTypeAloneCount() => GeneratorHarness.RunWithLibrary(Attributes, """
        using Lib; using ProtoBuf;
        [assembly: NinoSerializable(typeof(Split))] [assembly: NinoSerializable(typeof(Own))]
        [ProtoContract, ProtoPartialMember(7, "_secret"), ProtoPartialMember(8, "Nothing")] public class Own { private int _secret; public int Shown => _secret; public int Skipped { get; set; } public void Set(int secret) => _secret = secret; }
        public static class Program
        {
            public static void Run()
            {
                Split split = Of(new Split { A = 1, B = 2, C = new(), Skipped = new() }, "B A", "1 2");
                Equal((1, 2, true, true), (split.A, split.B, split.C is null, split.Skipped is null));
                Own own = new() { Skipped = 1 };
                own.Set(5);
                own = Of(own, "_secret", "7");
                Equal((5, 0), (own.Shown, own.Skipped));
            }
        """ + Helper);

    [Fact]
    public void AllFieldsOfProtobufAreTheFieldsAndWhatAutoPropertiesHold() => GeneratorHarness.RunWithLibrary(Attributes, """
        using ProtoBuf;
        [assembly: NinoSerializable(typeof(Fields))] [assembly: NinoSerializable(typeof(Upper))]
        [ProtoContract(ImplicitFields = ImplicitFields.AllFields)] public class Fields
        {
            private int _a;
            private string? _text;
            [ProtoIgnore] private object? _skipped;
            private Action? _changed;
            public void Fill(int a, int b, string text, object skipped) { _a = a; B = b; _text = text; _skipped = skipped; _changed = Console.WriteLine; }
            public int B { get; private set; }
            private int C { get; set; } = 4;
            public object? Computed { get => _skipped; set => _skipped = value; }
            public string Shown() => $"{_a} {B} {C} {_text} {_skipped} {_changed is null}";
            public void Change(int c) => C = c;
        }
        [ProtoContract(ImplicitFields = ImplicitFields.AllPublic)] public class Lower { public int A { get; set; } public Action? Changed { get; set; } private int _x = 1; public int X() => _x; }
        [ProtoContract] public class Upper : Lower { [ProtoMember(1)] public int B { get; set; } public int Skipped { get; set; } }
        public static class Program
        {
            public static void Run()
            {
                Fields fields = new();
                fields.Fill(1, 2, "t", "s");
                fields.Change(3);
                Equal("1 2 3 t  True", Of(fields, "_a B C _text", "0 0 0 0").Shown());
                Upper upper = Of(new Upper { A = 1, B = 2, Skipped = 3, Changed = Console.WriteLine }, "B A", "1 0");
                Equal((1, 2, 0, true), (upper.A, upper.B, upper.Skipped, upper.Changed is null));
            }
        """ + Helper);

    [Fact]
    public void AClassDerivedFromAModelOfMessagePackIsOneToo() => GeneratorHarness.RunWithLibrary(Attributes, """
        using Lib; using MessagePack;
        [assembly: NinoSerializable(typeof(More))]
        public class More : Keyed { [Key(2)] public int C { get; set; } [IgnoreMember] public object? Also { get; set; } }
        public static class Program
        {
            public static void Run()
            {
                More more = Of(new More { A = 1, B = 2, C = 3, Skipped = new(), Also = new() }, "B A C", "1 2 3");
                Equal((1, 2, 3, true, true), (more.A, more.B, more.C, more.Skipped is null, more.Also is null));
            }
        """ + Helper);

    /// <summary>As MessagePack does it where keys are numbers. Where the names of parameters are those of other members: ContractNameTests.</summary>
    [Theory]
    [InlineData("[Key(0)] public int Width { get; } [Key(1)] public int Height { get; } [SerializationConstructor] public Two(int w, int h) { Width = w; Height = h; } public static Two Made() => new(1, 2);")]
    [InlineData("[Key(1)] public int Height { get; } [Key(0)] public int Width { get; } public Two(int w, int h) { Width = w; Height = h; } public static Two Made() => new(1, 2);")]
    [InlineData("[Key(0)] public int Width { get; } [Key(1)] public int Height { get; } [SerializationConstructor] public Two(int height, int h) { Width = height; Height = h; } public static Two Made() => new(1, 2);")]
    [InlineData("[Key(0)] public int Width { get; } [Key(1)] public int Height { get; set; } [SerializationConstructor] public Two(int w) { Width = w; } public Two(int width, int height) : this(width) => Height = height; public static Two Made() => new(1, 2);")]
    public void AConstructorOfAModelOfMessagePackTakesItsParametersByTheirKeys(string members) => GeneratorHarness.RunWithLibrary(Attributes + $"namespace Lib {{ [MessagePack.MessagePackObject] public class Two {{ {members.Replace("[Key", "[MessagePack.Key", StringComparison.Ordinal).Replace("[Serialization", "[MessagePack.Serialization", StringComparison.Ordinal)} }} }}", """
        using Lib;
        [assembly: NinoSerializable(typeof(Two))]
        public static class Program
        {
            public static void Run()
            {
                Two two = Of(Two.Made(), "Width Height", "1 2");
                Equal((1, 2), (two.Width, two.Height));
            }
        """ + Helper);

    [Theory]
    [InlineData("[Key(0)] public int Width { get; } [Key(1)] public string? Name { get; } [SerializationConstructor] public Two(string n, int w) { Width = w; Name = n; }", "NINO006", "'n' of 'Two'")]
    [InlineData("[Key(0)] public int Width { get; } [SerializationConstructor] public Two(int w, int h) { Width = w; }", "NINO006", "'h' of 'Two'")]
    [InlineData("[Key(\"x\")] public int Width { get; } [SerializationConstructor] public Two(int w) { Width = w; }", "NINO006", "'w' of 'Two'")]
    [InlineData("[Key(0)] public int Width { get; } public Two(string n, int w) { } public Two(string n) { }", "NINO004", "'Two'")]
    [InlineData("[Key(0)] public int Width { get; } protected Two(int width) { }", "NINO004", "none is public")]
    public void WhereKeysDoNotTellEitherTheAdviceIsPossibleForATypeOfOthers(string members, string id, string part)
    {
        string library = Attributes + $"[MessagePack.MessagePackObject] public class Two {{ {members.Replace("[Key", "[MessagePack.Key", StringComparison.Ordinal).Replace("[Serialization", "[MessagePack.Serialization", StringComparison.Ordinal)} }}";
        Diagnostic[] diagnostics = [.. GeneratorHarness.DiagnoseWithLibrary(library, "[assembly: NinoSerializable(typeof(Two))]", isReferenceAssembly: false)];
        Assert.Contains(diagnostics, diagnostic => diagnostic.Id == id && diagnostic.GetMessage().Contains(part, StringComparison.Ordinal) && diagnostic.GetMessage().Contains("it is a type of 'Library', so write a codec of your own and name it with [assembly: NinoSerializable(typeof(Two), Codec = typeof(...))]", StringComparison.Ordinal));
        Assert.DoesNotContain(diagnostics, static diagnostic => diagnostic.GetMessage().Contains("[NinoConstructor]", StringComparison.Ordinal));
    }

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
