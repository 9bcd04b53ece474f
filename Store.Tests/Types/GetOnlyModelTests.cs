using System.Collections.Immutable;
using Microsoft.CodeAnalysis;
using Store.Tests.Generator;

namespace Store.Tests.Types;

/// <summary>Properties of models that can only be read: collections are filled, whatever the model's serializer does with them, and an object is told as early as is known that nothing sets it.</summary>
public sealed class GetOnlyModelTests
{
    private const string Address = "{type} Address { {first} public string? City { get; set; } }\n";

    public static TheoryData<string, string> Models => new()
    {
        { "[DataContract] public class", "[DataMember]" },
        { "[ProtoContract] public class", "[ProtoMember(2)]" },
        { "[MessagePackObject] public class", "[Key(2)]" },
        { "[MessagePackObject(true)] public class", "" },
        { "[MemoryPackable] public partial class", "" },
        { "public class", "[JsonInclude]" },
        { "public class", "[JsonPropertyOrder(2)]" },
        { "public class", "" },
    };

    private static string Source(string text, string type, string mark) =>
        text.Replace("{type}", type, StringComparison.Ordinal).Replace("{first}", mark.Replace('2', '1'), StringComparison.Ordinal).Replace("{next}", mark.Replace('2', '3'), StringComparison.Ordinal).Replace("{mark}", mark, StringComparison.Ordinal);

    [Theory]
    [MemberData(nameof(Models))]
    public void ACollectionIsFilled(string type, string mark)
    {
        string model = Source(Address + "{type} Model { {first} public List<Address> Homes { get; } = []; {mark} public Dictionary<string, int> Map { get; } = []; {next} public int A { get; set; } }", type, mark);
        const string Register = "[assembly: NinoSerializable(typeof(Model))] [assembly: NinoSerializable(typeof(Address))]\n";
        const string Run = """
            var model = new Model { A = 1, Homes = { new Address { City = "a" } }, Map = { ["k"] = 7 } };
            Model copy = Copy(model);
            Equal((1, 1, "a", 7), (copy.A, copy.Homes.Count, copy.Homes[0].City, copy.Map["k"]));
            """;
        Programs.Run(ForeignAttributes.Usings + Register + ForeignAttributes.Source + model, Run);
        foreach (bool seesReferenceAssembly in new[] { false, true }) Programs.Run(Register, Run, ForeignAttributes.Usings + ForeignAttributes.Source + model, seesReferenceAssembly);
    }

    /// <summary>A new object may have nothing there that could be filled, and what the object holds may be null.</summary>
    [Fact]
    public void ACollectionBehindAPrivateSetterIsSet()
    {
        const string Members = "Many { MARK public List<string>? Tags { get; private set; } MARK2 public Dictionary<int, string> Map { get; private set; } = []; MARK3 public List<int> Bare { get; private set; } MARK4 public IDictionary<string, int> Pairs { get; private set; } = null!; public static Many Of(params List<string>? tags) => new() { Tags = tags, Map = { [1] = \"a\" }, Bare = tags is null ? null! : [7], Pairs = new SortedDictionary<string, int> { [\"k\"] = 8 } }; }";
        foreach ((string type, string mark) in ((string, string)[])
        [
            ("[DataContract] public class", "[DataMember]"), ("[ProtoContract] public class", "[ProtoMember(1)]"), ("[MessagePackObject] public class", "[Key(1)]"), ("[MemoryPackable] public partial class", ""), ("public class", "[JsonInclude]"),
        ])
        {
            foreach (bool seesReferenceAssembly in new[] { false, true }) Programs.Run("[assembly: NinoSerializable(typeof(Many))]", """
                Equal((2, "y", "a"), (Copy(Many.Of("x", "y")).Tags!.Count, Copy(Many.Of("x", "y")).Tags![1], Copy(Many.Of()).Map[1]));
                Equal((7, 8, typeof(Dictionary<string, int>)), (Copy(Many.Of()).Bare[0], Copy(Many.Of()).Pairs["k"], Copy(Many.Of()).Pairs.GetType()));
                Equal((true, true), (Copy(Many.Of(null)).Tags is null, Copy(Many.Of(null)).Bare is null));
                Many there = Many.Of("z");
                NinoSerializer.Deserialize(NinoSerializer.Serialize(Many.Of("x", "y")), ref there!);
                Equal(("y", 7), (there.Tags![1], there.Bare[0]));
                """, "#nullable disable warnings\n" + $"{ForeignAttributes.Usings}{ForeignAttributes.Source}{type} {Marked(Members, mark)}", seesReferenceAssembly);
        }
    }

    private static string Marked(string members, string mark)
    {
        for (int i = 4; i > 1; i--) members = members.Replace("MARK" + i, mark.Replace("1", i.ToString(System.Globalization.CultureInfo.InvariantCulture), StringComparison.Ordinal), StringComparison.Ordinal);
        return members.Replace("MARK", mark, StringComparison.Ordinal);
    }

    /// <summary>One that is there is filled where it turns out that nothing sets it, and it is told where that is null.</summary>
    [Fact]
    public void WhereNoSetterIsFoundACollectionThatMayBeNullIsFilled() => Programs.Run("[assembly: NinoSerializable(typeof(Many))] [assembly: NinoSerializable(typeof(Bare))]", """
        var many = new Many();
        many.Tags!.Add("a");
        many.Map!.Add(1, 2);
        Many copy = Copy(many);
        Equal(("a", 2), (copy.Tags![0], copy.Map![1]));
        Refused(() => NinoSerializer.Deserialize<Bare>(NinoSerializer.Serialize(new Bare(["x"]))), "'Bare.Tags'", "null");
        """, "#nullable disable warnings\n" + ForeignAttributes.Usings + ForeignAttributes.Source + """
        [DataContract] public class Many { [DataMember] public List<string>? Tags { get; } = []; [DataMember] public Dictionary<int, int>? Map { get; } = []; }
        [DataContract] public class Bare { public Bare() { } public Bare(params string[] list) => Tags = new(list); [DataMember] public List<string> Tags { get; } }
        """, seesReferenceAssembly: true);

    public static TheoryData<string, string> Protobuf => new()
    {
        { "[ProtoContract] public class", "[ProtoMember(2)]" },
        { "[ProtoContract, ProtoPartialMember(1, \"A\"), ProtoPartialMember(2, \"Home\"), ProtoPartialMember(3, \"Name\"), ProtoPartialMember(4, \"Many\"), ProtoPartialMember(5, \"Fixed\")] public class", "" },
        { "[ProtoContract(ImplicitFields = ImplicitFields.AllPublic)] public class", "" },
        { "[ProtoContract] public sealed record", "[ProtoMember(2)]" },
        { "[ProtoContract] public struct", "[ProtoMember(2)]" },
    };

    /// <summary>protobuf-net puts values into the fields that the compiler gave such properties.</summary>
    [Theory]
    [MemberData(nameof(Protobuf))]
    public void APropertyOfAProtobufModelIsSetByItsField(string type, string mark)
    {
        string members = """
            TYPE Model
            {
                MARK1 public int A { get; }
                MARK2 public Address? Home { get; }
                MARK3 public string? Name { get; private set; }
                MARK4 public int[]? Many { get; }
                MARK5 public List<int>? Fixed { get; }
                public Model(System.Uri from, int a, Address? home, string? name) { A = from.Port + a; Home = home; Name = name; Many = [a]; Fixed = [a, a]; }
                public Model() { Fixed = []; }
            }
            [ProtoContract] public class Address { [ProtoMember(1)] public string? City { get; } public Address() { } public Address(string? text, bool other) => City = other ? text : null; }
            [ProtoContract] public class Box<T> { [ProtoMember(1)] public T? Value { get; } public static Box<T> Of(T value) => new(value, true); public Box() { } private Box(T value, bool other) => Value = value; }
            [ProtoContract] public class Derived : Base { [ProtoMember(2)] public override int A { get; } [ProtoMember(3)] public int B { get; set; } public Derived() { } public Derived(System.Uri from) => A = from.Port; }
            [ProtoContract] public abstract class Base { public abstract int A { get; } }

            """.Replace("TYPE", type, StringComparison.Ordinal);
        for (int i = 1; i <= 5; i++) members = members.Replace("MARK" + i, mark.Replace("2", i.ToString(System.Globalization.CultureInfo.InvariantCulture), StringComparison.Ordinal), StringComparison.Ordinal);
        if (type.Contains("AllPublic", StringComparison.Ordinal)) members = members.Replace("{ get; private set; }", "{ get; set; }", StringComparison.Ordinal);
        const string Register = "[assembly: NinoSerializable(typeof(Model))] [assembly: NinoSerializable(typeof(Address))] [assembly: NinoSerializable(typeof(Box<string>))] [assembly: NinoSerializable(typeof(Derived))]\n";
        const string Run = """
            var model = new Model(new System.Uri("http://h"), 1, new Address("c", true), "n");
            Model copy = Copy(model);
            Equal((81, "c", "n", 1, 2), (copy.A, copy.Home!.City, copy.Name, copy.Many![0], copy.Fixed!.Count));
            NinoSerializer.Deserialize(NinoSerializer.Serialize(model), ref copy!);
            Equal((81, "c", "n", 1, 2), (copy.A, copy.Home!.City, copy.Name, copy.Many![0], copy.Fixed!.Count));
            Equal("v", Copy(Box<string>.Of("v")).Value);
            Equal((80, 3), (Copy(new Derived(new System.Uri("http://h")) { B = 3 }).A, Copy(new Derived { B = 3 }).B));
            """;
        Programs.Run(ForeignAttributes.Usings + Register + ForeignAttributes.Source + members, Run);
        foreach (bool seesReferenceAssembly in new[] { false, true }) Programs.Run(Register, Run, ForeignAttributes.Usings + ForeignAttributes.Source + members, seesReferenceAssembly);
    }

    /// <summary>What is computed has no field, and a setter that does more than store is called.</summary>
    [Fact]
    public void OneThatTheFieldIsNotAllOfIsNotSetByIt()
    {
        const string Model = "[ProtoContract] public class Model { [ProtoMember(1)] public int A { get; set; } [ProtoMember(2)] public int Sum => A + 1; }";
        Assert.Equal("NINO010", Assert.Single(GeneratorHarness.Diagnose(ForeignAttributes.Usings + "[assembly: NinoSerializable(typeof(Model))]" + ForeignAttributes.Source + Model)).Id);
        Assert.Equal("NINO010", Assert.Single(GeneratorHarness.DiagnoseWithLibrary(ForeignAttributes.Usings + ForeignAttributes.Source + Model, "[assembly: NinoSerializable(typeof(Model))]", isReferenceAssembly: false)).Id);
        foreach (bool seesReferenceAssembly in new[] { false, true }) Programs.Run("[assembly: NinoSerializable(typeof(Model))]", """
            Model copy = Copy(Model.Of(4));
            Equal((4, 1), (copy.A, copy.Calls));
            """, ForeignAttributes.Usings + ForeignAttributes.Source + "[ProtoContract] public class Model { public int Calls; [ProtoMember(1)] public int A { get; private set { field = value; Calls++; } } public static Model Of(int a) => new() { A = a }; }", seesReferenceAssembly);
    }

    public static IEnumerable<object[]> NotSetByAField => Models.Where(static model => !((string)model[0]).Contains("Contract", StringComparison.Ordinal));

    [Theory]
    [MemberData(nameof(NotSetByAField))]
    public void AnObjectIsAnErrorWhereItIsSeenThatNothingSetsItAndElseRefusedAtFirstUse(string type, string mark)
    {
        string model = Source(Address + "{type} Model { {first} public int A { get; set; } {mark} public Address Home { get; } = new(); }", type, mark);
        const string Register = "[assembly: NinoSerializable(typeof(Model))] [assembly: NinoSerializable(typeof(Address))]\n";
        string id = mark is "" or "[JsonPropertyOrder(2)]" ? "NINO009" : "NINO010";
        Diagnostic here = Assert.Single(GeneratorHarness.Diagnose(ForeignAttributes.Usings + Register + ForeignAttributes.Source + model));
        Assert.Equal(id, here.Id);
        Diagnostic there = Assert.Single(GeneratorHarness.DiagnoseWithLibrary(ForeignAttributes.Usings + ForeignAttributes.Source + model, Register, isReferenceAssembly: false));
        Assert.Equal(id, there.Id);
        Assert.Contains("write a codec of your own and name it with [assembly: NinoSerializable(typeof(Model), Codec = typeof(...))]", there.GetMessage());

        // Of a reference assembly nobody knows whether a property that is stored has a private setter.
        ImmutableArray<Diagnostic> unknown = GeneratorHarness.DiagnoseWithLibrary(ForeignAttributes.Usings + ForeignAttributes.Source + model, Register, isReferenceAssembly: true);
        if (id == "NINO009" && !type.Contains("MemoryPack", StringComparison.Ordinal))
        {
            Assert.Equal(id, Assert.Single(unknown).Id);
            return;
        }

        Assert.Empty(unknown);
        Programs.Run(Register, """
            Refused(() => NinoSerializer.Serialize(new Model()), "'Model.Home'", "no setter");
            Copy(new Address { City = "a" });
            """, ForeignAttributes.Usings + ForeignAttributes.Source + model, seesReferenceAssembly: true);
    }

    /// <summary>A constructor parameter of its name gives it.</summary>
    [Theory]
    [MemberData(nameof(Models))]
    public void AnObjectThatTheConstructorTakesIsStored(string type, string mark)
    {
        string model = Source(Address + "{type} Model { public Model(Address? home) => Home = home; {first} public int A { get; set; } {mark} public Address? Home { get; } }", type, mark);
        const string Register = "[assembly: NinoSerializable(typeof(Model))] [assembly: NinoSerializable(typeof(Address))]\n";
        foreach (bool seesReferenceAssembly in new[] { false, true })
            Programs.Run(Register, "Equal(\"c\", Copy(new Model(new Address { City = \"c\" })).Home!.City);", ForeignAttributes.Usings + ForeignAttributes.Source + model, seesReferenceAssembly);
    }

    /// <summary>A collection too, where the constructor that reading calls makes none.</summary>
    [Fact]
    public void ACollectionThatABaseOfASerializableClassDoesNotMakeIsSetByItsField() => Programs.Run("""
        [assembly: NinoSerializable(typeof(Model))]
        [Serializable] public class Base { public List<int>? Given { get; } public Base() { } public Base(List<int> given) => Given = given; }
        [Serializable] public class Model : Base { public int X { get; set; } public Model() { } private Model(List<int> given) : base(given) { } public static Model Of(List<int> given) => new(given); }
        """, """
        Equal((2, true), (Copy(Model.Of([1, 2])).Given!.Count, Copy(new Model()).Given is null));
        """);
}
