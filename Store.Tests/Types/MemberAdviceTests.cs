using Microsoft.CodeAnalysis;
using Store.Tests.Generator;

namespace Store.Tests.Types;

/// <summary>What is advised for a member of a model that cannot be stored: attributes of its own serializer, which its owner may use, and that are read.</summary>
public sealed class MemberAdviceTests
{
    private const string Register = "[assembly: NinoSerializable(typeof(Model))]\n";

    // Each by what its type, a member with the place for the mark, and a base look like; then which mark the advice names, and what is put there when it is followed.
    private static readonly (string Type, string Stored, string Advice, string Followed)[] s_models =
    [
        ("[MemoryPackable] public partial class", "", "leave {0} out with [MemoryPackIgnore]", "[MemoryPackIgnore]"),
        ("[MessagePackObject(true)] public class", "", "leave {0} out with [IgnoreMember]", "[IgnoreMember]"),
        ("[MessagePackObject] public class", "[Key(5)]", "leave {0} out with [IgnoreMember]", "[Key(5), IgnoreMember]"),
        ("[ProtoContract] public class", "[ProtoMember(5)]", "take [ProtoMember] off {0}", ""),
        ("[DataContract] public class", "[DataMember]", "take [DataMember] off {0}", ""),
        ("public class", "[JsonPropertyOrder(5)]", "leave {0} out with [JsonIgnore]", "[JsonIgnore]"),
        ("public class", "", "leave {0} out with [IgnoreDataMember]", "[IgnoreDataMember]"),
        ("[Serializable] public class", "", "leave {0} out with [XmlIgnore]", "[XmlIgnore]"),
    ];

    private static readonly (string Id, string Members, string Name)[] s_problems =
    [
        ("NINO001", "{type} Inner { public int X { get; set; } } {type} Model { {a} public int A { get; set; } {mark} public Inner? I { get; set; } }", "the member"),
        ("NINO008", "{type} Model { {a} public int A { get; set; } {mark} public int[] I { get; } = new int[2]; }", "it"),
        ("NINO009", "{type} Model { {a} public int A { get; set; } {mark} public int I { get; } = System.Environment.ProcessId; }", "it"),
        ("NINO014", "{type} Base { {mark} public int I { get; set; } } {type} Model : Base { {a} public int A { get; set; } {a2} public new long I { get; set; } }", "'Base.I'"),
    ];

    public static TheoryData<int, int> All
    {
        get
        {
            TheoryData<int, int> all = [];
            for (int problem = 0; problem < s_problems.Length; problem++)
            {
                for (int model = 0; model < s_models.Length; model++)
                {
                    // A member that is marked to be stored and cannot be set is NINO010, and without a mark on the property it is not stored there.
                    bool isMarked = s_models[model].Stored.Length > 0 && !s_models[model].Stored.Contains("Json", StringComparison.Ordinal);
                    if (s_problems[problem].Id is "NINO008" or "NINO009" && (isMarked || IsSetByField(model))) continue;
                    all.Add(problem, model);
                }
            }

            return all;
        }
    }

    /// <summary>What has no setter is no problem there.</summary>
    private static bool IsSetByField(int model) => s_models[model].Type.StartsWith("[Serializable]", StringComparison.Ordinal);

    private static string Source(int problem, int model, string mark)
    {
        string stored = s_models[model].Stored;
        return s_problems[problem].Members.Replace("{type}", s_models[model].Type, StringComparison.Ordinal).Replace("{mark}", mark, StringComparison.Ordinal)
            .Replace("{a}", stored.Replace('5', '6'), StringComparison.Ordinal).Replace("{a2}", stored.Replace('5', '7'), StringComparison.Ordinal);
    }

    [Theory]
    [MemberData(nameof(All))]
    public void ForAModelOfAnotherAssemblyItIsPossibleThereAndWorks(int problem, int model)
    {
        (string id, _, string name) = s_problems[problem];
        Diagnostic told = Assert.Single(GeneratorHarness.DiagnoseWithLibrary(ForeignAttributes.Usings + ForeignAttributes.Source + Source(problem, model, s_models[model].Stored), Register, isReferenceAssembly: false));
        Assert.Equal(id, told.Id);
        Assert.Contains(string.Format(null, s_models[model].Advice, name) + " there", told.GetMessage());
        Assert.DoesNotContain("[NinoI", told.GetMessage());
        Assert.Equal(id != "NINO001", told.GetMessage().Contains("write a codec of your own and name it with [assembly: NinoSerializable(typeof(Model), Codec = typeof(...))]", StringComparison.Ordinal));
        foreach (bool seesReferenceAssembly in new[] { false, true })
            Programs.Run(Register, "Equal(3, Copy(new Model { A = 3 }).A);", ForeignAttributes.Usings + ForeignAttributes.Source + Source(problem, model, s_models[model].Followed), seesReferenceAssembly);
    }

    [Theory]
    [MemberData(nameof(All))]
    public void ForAModelOfTheProgramItWorksToo(int problem, int model)
    {
        (string id, _, string name) = s_problems[problem];
        Diagnostic told = Assert.Single(GeneratorHarness.Diagnose(ForeignAttributes.Usings + Register + ForeignAttributes.Source + Source(problem, model, s_models[model].Stored)));
        Assert.Equal(id, told.Id);
        bool isPlain = s_models[model].Followed is "[IgnoreDataMember]" or "[XmlIgnore]", isTakenOff = s_models[model].Followed.Length == 0;
        string advice = isPlain ? $"leave {name} out with [NinoIgnore]" : string.Format(null, s_models[model].Advice, name) + (isTakenOff ? "" : " or [NinoIgnore]");
        Assert.Contains(advice, told.GetMessage());
        Assert.DoesNotContain(" there", told.GetMessage());
        Assert.DoesNotContain("Codec = ", told.GetMessage());
        foreach (string followed in new[] { s_models[model].Followed, "[NinoIgnore]" }) Programs.Run(ForeignAttributes.Usings + Register + ForeignAttributes.Source + Source(problem, model, followed), "Equal(3, Copy(new Model { A = 3 }).A);");
    }

    /// <summary>Or the member is stored after all.</summary>
    [Theory]
    [InlineData("[MemoryPackable] public partial class Model", "", "store it with [MemoryPackInclude]", "[MemoryPackInclude]")]
    [InlineData("public class Model", "[JsonPropertyOrder(1)]", "store it with [JsonInclude]", "[JsonInclude]")]
    [InlineData("public class Model", "", "store it with [NinoInclude] or [JsonInclude]", "[JsonInclude]")]
    [InlineData("public class Model", "", "store it with [NinoInclude] or [JsonInclude]", "[NinoInclude]")]
    public void TheMarkThatStoresAReadonlyFieldOfAnotherAssemblyIsTold(string type, string mark, string advice, string followed)
    {
        string Model(string mark) => ForeignAttributes.Usings + ForeignAttributes.Source + $"{type} {{ {mark} public readonly int I; public int A {{ get; set; }} public Model() {{ }} private Model(int x) => I = x; public static Model Of(int x) => new(x); }}";
        Diagnostic told = Assert.Single(GeneratorHarness.DiagnoseWithLibrary(Model(mark), Register, isReferenceAssembly: true));
        Assert.Equal("NINO009", told.Id);
        Assert.Contains(advice, told.GetMessage());
        Programs.Run(Register, "Equal(4, Copy(Model.Of(4)).I);", Model(followed), seesReferenceAssembly: true);
    }

    [Theory]
    [InlineData("[Serializable] public class Model { public int A { get; set; } public Action? I; }", "[NonSerialized]")]
    [InlineData("[DataContract] public class Root { [DataMember] public int A { get; set; } } [Serializable] public class Model : Root { public Part? I; } public class Part { public int X; }", "[NonSerialized]")]
    [InlineData("[DataContract] public class Root { [DataMember] public int A { get; set; } } [Serializable] public class Model : Root { public Part? I { get; set; } } public class Part { public int X; }", "[Store.Serialization.NinoIgnore]")]
    public void WhatLeavesAMemberOfASerializableClassOutIsTold(string model, string mark)
    {
        Diagnostic told = Assert.Single(GeneratorHarness.DiagnoseWithLibrary(ForeignAttributes.Usings + ForeignAttributes.Source + model, Register, isReferenceAssembly: true));
        if (told.Id != "NINO002") Assert.Contains($"out with {mark.Replace("Store.Serialization.", "", StringComparison.Ordinal)} there", told.GetMessage());
        Programs.Run(Register, "Equal(3, Copy(new Model { A = 3 }).A);", ForeignAttributes.Usings + ForeignAttributes.Source + model.Replace("public Part? I", mark + " public Part? I", StringComparison.Ordinal).Replace("public Action? I", mark + " public Action? I", StringComparison.Ordinal), seesReferenceAssembly: true);
    }

    /// <summary>A class of one's own with [NinoType] reads no other attributes, whatever assembly its base is of.</summary>
    [Fact]
    public void ForATypeWithAMarkOfItsOwnItIsTheAttributeOfThisPackage() =>
        Assert.Contains("leave it out with [NinoIgnore] there", Assert.Single(GeneratorHarness.DiagnoseWithLibrary("public class Base { public int A { get; set; } public int B { get; } = 5; }", "[NinoType] public class Own : Base;", isReferenceAssembly: false)).GetMessage());

    [Fact]
    public void ACaseIsNoMemberThatCouldBeLeftOut() =>
        Assert.DoesNotContain("leave", Assert.Single(GeneratorHarness.Diagnose("[NinoType, NinoUnion(1, typeof(B))] public abstract class A; public class B : A { public int X; }")).GetMessage());

    /// <summary>Whoever registers a type without touching it is told how to do the same with what it leads to.</summary>
    [Theory]
    [InlineData("public class Part { public Deep? D; } public class Deep { public int X; }", "NINO001", "add [assembly: NinoSerializable(typeof(Part))], put [NinoType] on 'Part', or leave the member out with [NinoIgnore]; what it leads to needs that too: [assembly: NinoSerializable(typeof(Deep))]")]
    [InlineData("public abstract class Part; public class Case : Part { public int X; }", "NINO011", "an abstract class: register it and the types derived from it that are stored, each as in [assembly: NinoSerializable(typeof(Part))], put [NinoType] on them, or use a concrete class or struct")]
    public void WhatARegisteredTypeLeadsToIsToBeRegisteredOrMarked(string part, string id, string advice)
    {
        Diagnostic told = Assert.Single(GeneratorHarness.Diagnose("[assembly: NinoSerializable(typeof(A))] " + part + " public class A { public Part? P { get; set; } }"));
        Assert.Equal(id, told.Id);
        Assert.Contains(advice, told.GetMessage(), StringComparison.Ordinal);
    }

    /// <summary>With [NinoType] its attributes would not be read: what they store of private members would be lost.</summary>
    [Theory]
    [InlineData("[MessagePack.MessagePackObject] public class Part { [MessagePack.Key(0)] private int _x; }", "Part", "NINO001", "add [assembly: NinoSerializable(typeof(Part))]")]
    [InlineData("[ProtoBuf.ProtoContract] public class Part<T> { [ProtoBuf.ProtoMember(1)] public T? X; }", "Part<string>", "NINO001", "add [assembly: NinoSerializable(typeof(Part<string>))]")]
    [InlineData("public class Part { public Deep? D; } [System.Runtime.Serialization.DataContract] public class Deep { [System.Runtime.Serialization.DataMember] private int _x; }", "Part", "NINO001", "put [NinoType] on 'Part', or leave the member out with [NinoIgnore]; what it leads to needs that too: [assembly: NinoSerializable(typeof(Deep))]")]
    [InlineData("[System.Runtime.Serialization.DataContract, System.Runtime.Serialization.KnownType(typeof(Case))] public abstract class Part; [System.Runtime.Serialization.DataContract] public class Case : Part;", "Part", "NINO011", "an abstract class: register it and the types derived from it that are stored, each as in [assembly: NinoSerializable(typeof(Part))]")]
    [InlineData("public interface Part; [System.Runtime.Serialization.DataContract] public class Case : Part { [System.Runtime.Serialization.DataMember] private int _x; }", "Part", "NINO011", "an interface: put [NinoType] on it and on the types derived from it, register those that are models of another serializer, as in [assembly: NinoSerializable(typeof(Case))], or use a concrete class or struct")]
    [InlineData("[NinoType] public abstract class Part; [System.Runtime.Serialization.DataContract] public class Case : Part { [System.Runtime.Serialization.DataMember] private int _x; }", "Part", "NINO011", "put [NinoType] on the types that are meant, register those that are models of another serializer, as in [assembly: NinoSerializable(typeof(Case))]")]
    [InlineData("[NinoType] public abstract class Part; public class Holder { [System.Runtime.Serialization.DataContract] private class Hidden : Part { [System.Runtime.Serialization.DataMember] private int _x; } } [System.Runtime.Serialization.DataContract] public class Open<T> : Part { [System.Runtime.Serialization.DataMember] private T? _x; } [System.Runtime.Serialization.DataContract] public class Seen : Part { [System.Runtime.Serialization.DataMember] private int _x; }", "Part", "NINO011", "as in [assembly: NinoSerializable(typeof(Seen))]")]
    public void AModelOfAnotherSerializerIsToBeRegisteredAndNotMarked(string part, string type, string id, string advice) =>
        Assert.Contains(GeneratorHarness.Diagnose(ForeignAttributes.Quiet + ForeignAttributes.Source + part + $" [NinoType] public class A {{ public {type}? P; }}"), diagnostic => diagnostic.Id == id && diagnostic.GetMessage().Contains(advice, StringComparison.Ordinal));
}
