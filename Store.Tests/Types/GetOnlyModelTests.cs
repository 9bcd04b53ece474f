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

    /// <summary>A new object may have nothing there that could be filled. Where the setter is not seen, what may be null is set and the rest is filled.</summary>
    [Fact]
    public void ACollectionBehindAPrivateSetterIsSet()
    {
        const string Members = "Many { MARK public List<string>? Tags { get; private set; } MARK2 public Dictionary<int, string> Map { get; private set; } = []; public static Many Of(params List<string>? tags) => new() { Tags = tags, Map = { [1] = \"a\" } }; }";
        foreach ((string type, string mark, string mark2) in ((string, string, string)[])
        [
            ("[DataContract] public class", "[DataMember]", "[DataMember]"), ("[ProtoContract] public class", "[ProtoMember(1)]", "[ProtoMember(2)]"), ("[MessagePackObject] public class", "[Key(0)]", "[Key(1)]"),
            ("[MemoryPackable] public partial class", "", ""), ("public class", "[JsonInclude]", "[JsonInclude]"),
        ])
        {
            foreach (bool seesReferenceAssembly in new[] { false, true }) Programs.Run("[assembly: NinoSerializable(typeof(Many))]", """
                Equal((2, "y", "a"), (Copy(Many.Of("x", "y")).Tags!.Count, Copy(Many.Of("x", "y")).Tags![1], Copy(Many.Of()).Map[1]));
                Equal(true, Copy(Many.Of(null)).Tags is null);
                """, $"{ForeignAttributes.Usings}{ForeignAttributes.Source}{type} {Members.Replace("MARK2", mark2, StringComparison.Ordinal).Replace("MARK", mark, StringComparison.Ordinal)}", seesReferenceAssembly);
        }
    }

    [Theory]
    [MemberData(nameof(Models))]
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
}
