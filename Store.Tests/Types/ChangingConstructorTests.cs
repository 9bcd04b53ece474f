using Store.Tests.Generator;

namespace Store.Tests.Types;

/// <summary>Models with a constructor that makes something else of what it is given, and whose own serializer sets the member behind it or without it.</summary>
public sealed class ChangingConstructorTests
{
    private const string Attributes = ForeignAttributes.Source + "namespace MessagePack { public sealed class SerializationConstructorAttribute : Attribute; } namespace MemoryPack { public sealed class MemoryPackConstructorAttribute : Attribute; }\n";

    public static TheoryData<string> Models => new()
    {
        "public class Model { [JsonInclude] public int A { get; private set; } public int B { get; set; } public Model() { } public Model(int a) { A = a * 2; } }",
        "public class Model { [JsonInclude] public int A { get; private set; } public int B { get; set; } [JsonConstructor] private Model() { } public Model(int a) { A = a * 2; } }",
        "[DataContract] public class Model { [DataMember] public int A { get; private set; } [DataMember] public int B { get; set; } public Model(int a) { A = a * 2; } }",
        "[DataContract] public class Model { [DataMember] public int A { get; internal set; } [DataMember] public int B { get; set; } private Model() { } public Model(int a) { A = a * 2; } }",
        "[Serializable] public class Model { public readonly int A; public int B; public Model(int a) { A = a * 2; } }",
        "[Serializable] public class Model { public int A { get; } public int B { get; set; } public Model(int a) { A = a * 2; } }",
        "[Serializable] public class Model { public int A { get; private set; } public int B { get; set; } public Model(int a) { A = a * 2; } }",
        "[ProtoContract(ImplicitFields = ImplicitFields.AllPublic)] public class Model { public int A { get; private set; } public int B { get; set; } public Model() { } public Model(int a) { A = a * 2; } }",
        "[Serializable] public readonly struct Model { public int A { get; } public int B { get; init; } public Model(int a) { A = a * 2; } }",
        "[Serializable] public class Base { [XmlIgnore] public string? Text; } [Serializable] public class Model(int a) : Base { public int A { get; } = a * 2; public int B { get; set; } }",
        "[DataContract] public class Model { [DataMember(Order = 1)] public int A { get; } [DataMember(Order = 2)] public int B { get; set; } private Model() { } public Model(int a) { A = a * 2; } }",
        "[DataContract] public struct Model(int a) { [ProtoMember(2)] public int A { get; } = a * 2; [DataMember] public int B { get; set; } }",
        "[DataContract] public readonly struct Model { [field: DataMember] public int A { get; } [DataMember] public int B { get; init; } public Model(int a) { A = a * 2; } }",
        "[ProtoContract] public class Model { [ProtoMember(1)] public int A { get; private set; } [ProtoMember(2)] public int B { get; set; } public Model() { } public Model(int a) { A = a * 2; } }",
        "[ProtoContract(SkipConstructor = true)] public class Model { [ProtoMember(1)] public int A { get; private set; } [ProtoMember(2)] public int B { get; set; } public Model(int a) { A = a * 2; } }",
        "[ProtoContract] public class Model { [ProtoMember(1)] public int A { get; } [ProtoMember(2)] public int B { get; set; } public Model() { } public Model(int a) { A = a * 2; } }",
        "[ProtoContract] public readonly struct Model { [ProtoMember(1)] public int A { get; } [ProtoMember(2)] public int B { get; init; } public Model(int a) { A = a * 2; } }",
        "[ProtoContract(ImplicitFields = ImplicitFields.AllPublic)] public class Model { public readonly int A; public int B; public Model(int a) { A = a * 2; } }",
        "[MemoryPackable] public partial struct Model(int a) { [MemoryPackInclude] public int A { get; } = a * 2; public int B { get; set; } }",
        "[MessagePackObject(AllowPrivate = true)] public class Model { [Key(0)] public int A { get; private set; } [Key(1)] public int B { get; set; } [SerializationConstructor] private Model() { } public Model(int a) { A = a * 2; } }",
        "[MemoryPackable] public class Model { public int A { get; private set; } public int B { get; set; } [MemoryPackConstructor] private Model() { } public Model(int a) { A = a * 2; } }",
    };

    [Theory]
    [MemberData(nameof(Models))]
    public void WhatAConstructorMakesOfAValueIsNotWhatIsRead(string model)
    {
        const string Register = "[assembly: NinoSerializable(typeof(Model))]\n", Run = """
            Model model = new(5) { B = 3 }, into = new(100) { B = 4 };
            Model copy = Copy(model);
            Equal((10, 3), (copy.A, copy.B));
            Equal(10, NinoSerializer.Clone(model).A);
            NinoSerializer.Deserialize(NinoSerializer.Serialize(model), ref into!);
            Equal((10, 3), (into.A, into.B));
            """;
        string library = ForeignAttributes.Usings + Attributes + model;
        Programs.Run(ForeignAttributes.Usings + Register + Attributes + model, Run);
        foreach (bool seesReferenceAssembly in new[] { false, true }) Programs.Run(Register, Run, library, seesReferenceAssembly);
    }

    /// <summary>Where there is no setter, what the constructor made of it stays, as where its serializer calls that too.</summary>
    [Fact]
    public void OneThatNothingElseSetsIsReadByTheConstructor()
    {
        const string Library = "public class Model { [System.Text.Json.Serialization.JsonInclude] public int A { get; } [System.Text.Json.Serialization.JsonInclude] public int B { get; set; } public Model(int a) { A = a * 2; } }", Register = "[assembly: NinoSerializable(typeof(Model))]\n", Run = "Equal((20, 3), (Copy(new Model(5) { B = 3 }).A, Copy(new Model(5) { B = 3 }).B));";
        Programs.Run(Register + Library, Run);
        foreach (bool seesReferenceAssembly in new[] { false, true }) Programs.Run(Register, Run, Library, seesReferenceAssembly);
    }

    /// <summary>As of a compiler that gives the field of an auto-property another name than that of C#.</summary>
    [Fact]
    public void APropertyWhoseFieldHasAnotherNameIsWhatTheConstructorMadeOfIt()
    {
        const string Library = "[Serializable] public class Model { private int _a; public int A { [System.Runtime.CompilerServices.CompilerGenerated] get => _a; } public int B { get; set; } public Model(int a) { _a = a * 2; } }", Register = "#pragma warning disable NINO020\n[assembly: NinoSerializable(typeof(Model))]\n", Run = "Equal((20, 3), (Copy(new Model(5) { B = 3 }).A, Copy(new Model(5) { B = 3 }).B));";
        foreach (bool seesReferenceAssembly in new[] { false, true }) Programs.Run(Register, Run, Library, seesReferenceAssembly);
    }

    /// <summary>With [InternalsVisibleTo] an internal property is seen, and its field is told all the same.</summary>
    [Fact]
    public void AnInternalPropertyOfAStructThatMemoryPackCopiesIsToldWhereItIsSeenToo() =>
        Assert.Equal("NINO020", Assert.Single(GeneratorHarness.DiagnoseWithLibrary("[assembly: System.Runtime.CompilerServices.InternalsVisibleTo(\"Shop\")]\n" + ForeignAttributes.Source + "[MemoryPack.MemoryPackable] public partial struct Model { internal int A { get; set; } public int B { get; set; } }", "[assembly: NinoSerializable(typeof(Model))]", isReferenceAssembly: false)).Id);
}
