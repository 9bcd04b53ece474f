using Microsoft.CodeAnalysis;
using Store.Tests.Generator;

namespace Store.Tests.Types;

/// <summary>Fields of models of other serializers: marks on what the compiler gives an auto-property, and private fields that their own serializer stores. Stored where they are seen, and else told.</summary>
public sealed class ModelFieldTests
{
    /// <summary>As DataContractSerializer and System.Text.Json do, whatever the property is.</summary>
    [Theory]
    [InlineData("[System.Runtime.Serialization.DataContract] public class Model { [field: System.Runtime.Serialization.DataMember] public int A { get; set; } [System.Runtime.Serialization.DataMember] public int B; public int Get() => A; public Model Be(int a) { A = a; return this; } }")]
    [InlineData("[ProtoBuf.ProtoContract] public class Model { [field: ProtoBuf.ProtoMember(2)] public int A { get; set; } [ProtoBuf.ProtoMember(1)] public int B; public int Get() => A; public Model Be(int a) { A = a; return this; } }")]
    [InlineData("[ProtoBuf.ProtoContract, System.Runtime.Serialization.DataContract] public class Model { [field: System.Runtime.Serialization.DataMember(Order = 2)] public int A { get; set; } [ProtoBuf.ProtoMember(1)] public int B; public int Get() => A; public Model Be(int a) { A = a; return this; } }")]
    [InlineData("[ProtoBuf.ProtoContract, System.Xml.Serialization.XmlType] public class Model { [field: System.Xml.Serialization.XmlElement(Order = 2)] public int A { get; set; } [ProtoBuf.ProtoMember(1)] public int B; public int Get() => A; public Model Be(int a) { A = a; return this; } }")]
    public void AMarkOnTheFieldOfAnAutoPropertyStoresIt(string model)
    {
        const string Register = "[assembly: NinoSerializable(typeof(Model))] [NinoType] public sealed record Fine(int A);\n";
        Programs.Run(Register + ForeignAttributes.Source + model, "Equal(3, Copy(new Model { B = 1 }.Be(3)).Get());");
        foreach (bool seesReferenceAssembly in new[] { false, true }) Programs.Run(Register, "Refused(() => NinoSerializer.Serialize(new Model()), \"'Model.<A>k__BackingField'\"); Copy(new Fine(1));", ForeignAttributes.Source + model, seesReferenceAssembly);
    }

    /// <summary>Of a whole assembly it is known before the program runs.</summary>
    [Theory]
    [InlineData("public struct Model { [field: System.Text.Json.Serialization.JsonInclude] private int A { get; set; } [System.Text.Json.Serialization.JsonInclude] public int B; public readonly int Get() => A; public Model Be(int a) { A = a; return this; } }")]
    [InlineData("public class Model { [field: System.Text.Json.Serialization.JsonInclude] private int A { get; set; } [System.Text.Json.Serialization.JsonInclude] public int B; public int Get() => A; public Model Be(int a) { A = a; return this; } }")]
    public void OnTheFieldOfAPrivateOneItIsAnErrorWhereItIsSeenThatItIsThere(string model)
    {
        const string Register = "[assembly: NinoSerializable(typeof(Model))] [NinoType] public sealed record Fine(int A);\n";
        Programs.Run(Register + ForeignAttributes.Source + model, "Equal(3, Copy(new Model { B = 1 }.Be(3)).Get());");
        Diagnostic told = Assert.Single(GeneratorHarness.DiagnoseWithLibrary(ForeignAttributes.Source + model, "[assembly: NinoSerializable(typeof(Model))]", isReferenceAssembly: false));
        Assert.Equal("NINO019", told.Id);
        Assert.Contains("'Model.A', which [JsonInclude] stores", told.GetMessage(), StringComparison.Ordinal);
        Programs.Run(Register, "Refused(() => NinoSerializer.Serialize(new Model()), \"'Model.<A>k__BackingField'\"); Copy(new Fine(1));", ForeignAttributes.Source + model, seesReferenceAssembly: true);
    }

    /// <summary>A class that its base names with [ProtoInclude] needs no mark itself.</summary>
    [Fact]
    public void WhatABaseMarksIsStoredOfAClassWithoutAMarkToo()
    {
        const string Library = ForeignAttributes.Source + "[ProtoBuf.ProtoContract] public abstract class Base { [ProtoBuf.ProtoMember(2)] private int _a; public int Get() => _a; public void Set(int a) => _a = a; } public class Model : Base { public int B; public Model Be(int a) { Set(a); return this; } }", Register = "[assembly: NinoSerializable(typeof(Model))] [NinoType] public sealed record Fine(int A);\n";
        Programs.Run(Register + Library, "Equal((3, 1), (Copy(new Model { B = 1 }.Be(3)).Get(), Copy(new Model { B = 1 }).B));");
        Assert.Equal("NINO019", Assert.Single(GeneratorHarness.DiagnoseWithLibrary(Library, "[assembly: NinoSerializable(typeof(Model))]", isReferenceAssembly: false)).Id);
        Programs.Run(Register, "Refused(() => NinoSerializer.Serialize(new Model()), \"'Base._a'\"); Copy(new Fine(1));", Library, seesReferenceAssembly: true);
    }

    /// <summary>Every compiler sees the fields of a struct.</summary>
    [Theory]
    [InlineData("[System.Runtime.Serialization.DataContract] public struct Model { [field: System.Runtime.Serialization.DataMember] public int A { get; set; } [System.Runtime.Serialization.DataMember] public int B; }")]
    [InlineData("[System.Runtime.Serialization.DataContract] public record struct Model([field: System.Runtime.Serialization.DataMember] int A, [property: System.Runtime.Serialization.DataMember] int B);")]
    [InlineData("[ProtoBuf.ProtoContract] public struct Model { [field: ProtoBuf.ProtoMember(2)] public int A { get; set; } [ProtoBuf.ProtoMember(1)] public int B; }")]
    [InlineData("[ProtoBuf.ProtoContract, System.Runtime.Serialization.DataContract] public struct Model { [field: System.Runtime.Serialization.DataMember(Order = 2)] public int A { get; set; } [ProtoBuf.ProtoMember(1)] public int B; }")]
    public void OfAStructOfAnotherAssemblyToo(string model)
    {
        const string Register = "[assembly: NinoSerializable(typeof(Model))]\n", Run = "Model copy = Copy(new Model { A = 3, B = 1 }); Equal((3, 1), (copy.A, copy.B));";
        Programs.Run(Register + ForeignAttributes.Source + model, Run);
        foreach (bool seesReferenceAssembly in new[] { false, true }) Programs.Run(Register, Run, ForeignAttributes.Source + model, seesReferenceAssembly);
    }

    /// <summary>Where it is left out in some cases only it is stored, and refused where it is hidden.</summary>
    [Fact]
    public void AHiddenMemberThatIsLeftOutUnderAConditionIsRefused() => Programs.Run("[assembly: NinoSerializable(typeof(Lib.Model))] [assembly: NinoSerializable(typeof(Lib.Fine))]", """
        Refused(() => NinoSerializer.Serialize(new Lib.Model()), "'Lib.Model._a': marked with [JsonInclude]");
        Copy(new Lib.Fine());
        """, ForeignAttributes.Quiet + """
        namespace Lib
        {
            using System.Text.Json.Serialization;
            public class Model { [JsonInclude, JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingDefault)] private int _a; public int B { get; set; } }
            public class Fine { [JsonInclude, JsonIgnore(Condition = JsonIgnoreCondition.Always)] private int _a; [JsonInclude, JsonIgnore] private int _b; public int B { get; set; } }
        }
        """, seesReferenceAssembly: true);

    /// <summary>MemoryPack copies the memory of a struct without references, with all fields.</summary>
    [Theory]
    [InlineData("[MemoryPack.MemoryPackable] public partial struct Model { private int _a; public int B; public int A() => _a; }", "'Model._a'")]
    [InlineData("[MemoryPack.MemoryPackable] public partial struct Model { [MemoryPack.MemoryPackInclude] private int _a; public int B; public int A() => _a; }", null)]
    [InlineData("[MemoryPack.MemoryPackable] public partial struct Model { [MemoryPack.MemoryPackIgnore] private int _a; public int B; public int A() => _a; }", "'Model._a'")]
    [InlineData("[MemoryPack.MemoryPackable] public partial struct Model { [NinoIgnore, MemoryPack.MemoryPackIgnore] private int _a; public int B; public int A() => _a; }", null)]
    [InlineData("[MemoryPack.MemoryPackable] public partial struct Model(int c) { public int B { get; set; } = c; }", null)]
    [InlineData("[MemoryPack.MemoryPackable] public partial struct Model { private int _a; public int A { get => _a; set => _a = value; } }", null)]
    [InlineData("[MemoryPack.MemoryPackable] public partial struct Model { private int _a; public string? B; public int A() => _a; }", null)]
    public void APrivateFieldOfAStructThatMemoryPackCopiesIsTold(string model, string? field) =>
        AssertLost(model, field is null ? null : $"The field {field} is not stored, although MemoryPack stores all of the memory of such a struct: store it with [NinoInclude]");

    /// <summary>It copies what a model holds in the same way, in collections and in other structs too, whether that has a mark of its own or of this library.</summary>
    [Theory]
    [InlineData("[MemoryPackable] public partial class Model { public Held A; }", "public struct Held { private int _a; public int B; public int A() => _a; }", "field 'Held._a'", "Model.A")]
    [InlineData("[MemoryPackable] public partial class Model { public int B; public List<(Held, int)>? A { get; set; } }", "public struct Held { private int A { get; set; } public int B; public void C() => A++; }", "property 'Held.A'", "Model.A")]
    [InlineData("[MemoryPackable] public partial struct Model { public Outer O; } public struct Outer { public Held[] A() => [I]; public Held I; }", "public struct Held { internal int _a; public int B; }", "field 'Held._a'", "Model.O")]
    [InlineData("[MemoryPackable] public partial class Model { public Held? A; }", "public struct Held(int a) { public int B; public int A() => a; }", "constructor parameter 'Held.a'", "Model.A")]
    [InlineData("[MemoryPackable] public partial class Model { public Dictionary<Held, int>? A; }", "[NinoType] public struct Held { private int _a; public int B; public int A() => _a; }", "field 'Held._a'", "Model.A")]
    [InlineData("[MemoryPackable] public partial class Model { public Held A; }", "public struct Held { [NinoInclude] private int _a; [NinoIgnore] private int _c; public int B; public int A() => _a + _c; }", null, "")]
    [InlineData("[MemoryPackable] public partial class Model { public Held A; }", "public readonly struct Held { private readonly int _a; public Held(int a) => _a = a; public int A => _a; }", null, "")]
    [InlineData("[MemoryPackable] public partial class Model { public Held A; }", "[MessagePackObject] public struct Held { private int _a; [Key(0)] public int B; public int A() => _a; }", null, "")]
    [InlineData("[MemoryPackable] public partial class Model { [MemoryPackIgnore] public Held A; public int B; }", "public struct Held { private int _a; public int B; public int A() => _a; }", null, "")]
    [InlineData("[MessagePackObject] public partial class Model { [Key(0)] public Held A; }", "public struct Held { private int _a; public int B; public int A() => _a; }", null, "")]
    public void APrivateFieldOfAStructThatAModelOfMemoryPackHoldsIsTold(string model, string held, string? state, string holder)
    {
        string source = $"{ForeignAttributes.Usings}{ForeignAttributes.Quiet}[assembly: NinoSerializable(typeof(Model))]\n{(held.StartsWith("[NinoType]", StringComparison.Ordinal) ? "" : "[assembly: NinoSerializable(typeof(Held))]\n")}{(model.Contains("Outer", StringComparison.Ordinal) ? "[assembly: NinoSerializable(typeof(Outer))]\n" : "")}{ForeignAttributes.Source}{model} {held}";
        List<Diagnostic> told = [.. GeneratorHarness.Diagnose(source)];
        Assert.Equal(state is null ? [] : [$"The {state} is not stored, although MemoryPack stores all of the memory of such a struct, which '{holder}' holds: "], told.Select(static one => one.GetMessage()).Select(static text => text[..(text.IndexOf("holds: ", StringComparison.Ordinal) + 7)]));
    }

    /// <summary>A model of several serializers is stored as the first of them stores it. What only another one marks to be stored is told, unless something else stores or leaves it out.</summary>
    [Theory]
    [InlineData("[DataContract] public class Model { [JsonInclude] private int _a; [DataMember] public int B; public int A() => _a; }", "field 'Model._a'", "[JsonInclude]", "[DataContract]")]
    [InlineData("[DataContract] public class Model { [JsonInclude] public int A; [DataMember] public int B; }", "field 'Model.A'", "[JsonInclude]", "[DataContract]")]
    [InlineData("[MessagePackObject] public class Model { [Newtonsoft.Json.JsonProperty] private int A { get; set; } [Key(0)] public int B; public int C() => A++; }", "property 'Model.A'", "[JsonProperty]", "[MessagePackObject]")]
    [InlineData("[MemoryPackable, MessagePackObject] public partial class Model { [Key(0)] private int _a; [Key(1)] public int B; public int A() => _a; }", "field 'Model._a'", "[Key]", "[MemoryPackable]")]
    [InlineData("[MessagePackObject, ProtoContract] public class Model { [ProtoMember(1)] private int _a; [Key(1)] public int B; public int A() => _a; }", "field 'Model._a'", "[ProtoMember]", "[MessagePackObject]")]
    [InlineData("[ProtoContract] public class Model { [JsonInclude] public int A { get; set; } [ProtoMember(1)] public int B; }", "property 'Model.A'", "[JsonInclude]", "[ProtoContract]")]
    [InlineData("[DataContract] public class Model { [JsonInclude] private int _a; [DataMember] public int A { get => _a; set => _a = value; } }", null, "", "")]
    [InlineData("[DataContract] public class Model { [JsonInclude, IgnoreDataMember] private int _a; [JsonInclude, JsonIgnore] private int _c; [JsonInclude, NinoIgnore] private int _d; [NinoInclude, JsonInclude] private int _e; [DataMember] public int B; public int A() => _a + _c + _d + _e; }", null, "", "")]
    [InlineData("[DataContract] public class Model { [Key(0)] private int _a; [ProtoMember(4)] private int _c; [JsonPropertyName(\"d\")] public int D; [JsonInclude] public int E => B; private int _f; [DataMember] public int B; public int A() => _a + _c + _f; }", null, "", "")]
    [InlineData("[MemoryPackable] public partial class Model { [MemoryPackInclude, JsonInclude] private int _a; [JsonInclude, MemoryPackIgnore] public int C; [JsonInclude] public int B; public int A() => _a; }", null, "", "")]
    public void WhatOnlyASerializerMarksThatDoesNotCountIsTold(string model, string? state, string mark, string counts)
    {
        string source = $"{ForeignAttributes.Usings}{ForeignAttributes.Quiet}[assembly: NinoSerializable(typeof(Model))]\n{ForeignAttributes.Source} namespace Newtonsoft.Json {{ public sealed class JsonPropertyAttribute : Attribute; }} {model}";
        string[] expected = state is null ? [] : [$"The {state} is not stored, although {mark} is on it, by which another serializer stores it, and {counts} on its class counts: store it with [NinoInclude], or mark it with [NinoIgnore] when it may be lost"];
        Assert.Equal(expected, GeneratorHarness.Diagnose(source).Select(static one => one.GetMessage()));
    }

    /// <summary>The compiler keeps it in a field, which is stored with all others.</summary>
    [Theory]
    [InlineData("[ProtoBuf.ProtoContract(ImplicitFields = ProtoBuf.ImplicitFields.AllFields)] public class Model(int a) { public int A { get => a; set => a = value; } public int B; }", "the property 'Model.A' is computed from it: store a property of its name that shows it, with [NinoInclude] where that has code")]
    [InlineData("[ProtoBuf.ProtoContract(ImplicitFields = ProtoBuf.ImplicitFields.AllFields)] public class Model(int a) { [ProtoBuf.ProtoIgnore] public int A { get => a; set => a = value; } public int B; }", "the property 'Model.A' is computed from it")]
    [InlineData("[ProtoBuf.ProtoContract(ImplicitFields = ProtoBuf.ImplicitFields.AllFields)] public class Model(int a) { public Model() : this(0) { } public int Twice() => 2 * a; public int B; }", "its serializer stores all fields of the class (ImplicitFields.AllFields), that in which the compiler keeps it among them: reading calls a constructor that does not take it")]
    [InlineData("[ProtoBuf.ProtoContract(ImplicitFields = ProtoBuf.ImplicitFields.AllFields)] public class Model(int a) { [NinoInclude] public int A { get => a; set => a = value; } public int B; }", null)]
    [InlineData("[ProtoBuf.ProtoContract(ImplicitFields = ProtoBuf.ImplicitFields.AllFields)] public class Model(int a) { [NinoIgnore] public int A { get => a; set => a = value; } public int B; }", null)]
    [InlineData("[ProtoBuf.ProtoContract(ImplicitFields = ProtoBuf.ImplicitFields.AllFields)] public class Model(int a) { public int A { get; set; } = a; public int B; }", null)]
    [InlineData("[ProtoBuf.ProtoContract] public class Model(int a) { public int A { get => a; set => a = value; } [ProtoBuf.ProtoMember(1)] public int B; }", null)]
    [InlineData("[MemoryPack.MemoryPackable] public partial struct Model(int a) { public int B; public int A() => a; }", "MemoryPack stores all of the memory of such a struct: reading calls a constructor that does not take it")]
    public void AParameterOfTheHeadThatCodeOfTheClassNamesIsTold(string model, string? why) =>
        AssertLost(model, why is null ? null : "The constructor parameter 'Model.a' is not stored, although " + why);

    /// <summary>The keyword <c>field</c>: what its serializer stores is not what the getter gives, which is what is stored here. One that only puts something in the place of null gives it.</summary>
    [Theory]
    [InlineData("[ProtoBuf.ProtoContract(ImplicitFields = ProtoBuf.ImplicitFields.AllFields)] public class Model { public bool B; public string? A { get => B ? field : null; set; } }", "its serializer stores all fields of the class (ImplicitFields.AllFields)")]
    [InlineData("[ProtoBuf.ProtoContract(ImplicitFields = ProtoBuf.ImplicitFields.AllFields)] public class Model { public bool B; public string? A { get { return B ? field : null; } set; } }", "its serializer stores all fields of the class (ImplicitFields.AllFields)")]
    [InlineData("[ProtoBuf.ProtoContract(ImplicitFields = ProtoBuf.ImplicitFields.AllFields)] public class Base { public int A { get => field * 2; set; } } public class Model : Base { public int B; }", "its serializer stores all fields of the class (ImplicitFields.AllFields)")]
    [InlineData("[Serializable] public class Model { public int A { get => field * 2; set; } }", "DataContractSerializer and the formatters store every field of a [Serializable] class")]
    [InlineData("[Serializable] public class Model<T> { public T? A { get => B ? field : default; set; } public bool B; }", "DataContractSerializer and the formatters store every field of a [Serializable] class", "Model<int>")]
    [InlineData("[Serializable] public partial class Model { public partial int A { get; set; } public partial int A { get => field * 2; set; } }", "DataContractSerializer and the formatters store every field of a [Serializable] class")]
    [InlineData("[System.Runtime.Serialization.DataContract] public class Model { [field: System.Runtime.Serialization.DataMember] public int A { get => field * 2; set; } }", "[DataMember] is on it")]
    [InlineData("public class Model { [field: System.Text.Json.Serialization.JsonInclude] public int A { get => field * 2; set; } }", "[JsonInclude] is on it")]
    [InlineData("[MemoryPack.MemoryPackable] public partial struct Model { public int A { get => field * 2; set; } }", "MemoryPack stores all of the memory of such a struct")]
    [InlineData("[Serializable] public class Model { [NinoInclude] public int A { get => field * 2; set; } }", null)]
    [InlineData("[Serializable] public class Model { [NinoIgnore] public int A { get => field * 2; set; } public int B; }", null)]
    [InlineData("[Serializable] public class Model { public string A { get => field ?? \"-\"; set; } public string B { get { field ??= \"-\"; return field!; } set; } public int C { get => (field); set => field = value; } = 1; public int D { get; set => field = Math.Abs(value); } }", null)]
    [InlineData("[System.Runtime.Serialization.DataContract] public class Model { [System.Runtime.Serialization.DataMember] public int A { get => field * 2; set; } }", null)]
    [InlineData("[NinoType, Serializable] public class Model { public int A { get => field * 2; set; } }", null)]
    public void AFieldOfWhichTheGetterMakesSomethingElseIsToldWhereItsSerializerStoresTheField(string model, string? why, string registered = "Model") =>
        AssertLost(model, why is null ? null : $".A' is not stored, although {why}, and the getter makes something else of it: keep the value in a field of your own with [NinoInclude]", registered);

    /// <summary>Fields with [NonSerialized] apart, and what a stored property shows.</summary>
    [Theory]
    [InlineData("[Serializable] public class Model { private int _a; public int B; public int A() => _a; }", "'Model._a'")]
    [InlineData("[Serializable] public class Model { private int A { get; set; } public int B; }", "'Model.A'")]
    [InlineData("[System.Runtime.Serialization.DataContract] public class Root { private int _c; } [Serializable] public class Model : Root { private int _a; public int B; }", "'Model._a'")]
    [InlineData("[Serializable] public class Model { [NonSerialized] private int _a; [NinoIgnore] private int _b; [NinoInclude] private int _c; private int _d; public int B { get => _d; set => _d = value; } private Action? _done; }", null)]
    [InlineData("[NinoType, Serializable] public class Model { private int _a; public int B; }", null)]
    [InlineData("[MessagePack.MessagePackObject(true), Serializable] public class Model { private int _a; public int B; }", null)]
    [InlineData("public class Model { private int _a; public int B; }", null)]
    [InlineData("[Serializable] public class Model { private protected object? Total { get; set; } public int A; }", "The property 'Model.Total'")]
    [InlineData("[Serializable] public class Model { private object? _total; public int A; public bool Has() => _total is not null; public void Set() => _total = 1; }", "The field 'Model._total'")]
    [InlineData("[Serializable] public class Model { private object _total = default!; public int A; public object Total() => _total; public void Set() => _total = 1; }", "The field 'Model._total'")]
    [InlineData("[Serializable] public class Model { private object _lock = new(); private readonly object _other; public int A; public Model() { _other = new(); } public void Run() { lock (_lock) lock (_other) A++; } }", null)]
    [InlineData("[Serializable] public class Model { [NonSerialized] private object? _cache; public int A; public object Cache() => _cache ??= A; }", null)]
    public void APrivateFieldOfASerializableClassIsTold(string model, string? field) =>
        AssertLost(model, field is null ? null : $"{field} is not stored, although DataContractSerializer and the formatters store every field of a [Serializable] class: store it with [NinoInclude]");

    /// <summary>A reference assembly has no such fields, so nothing is known of them.</summary>
    [Theory]
    [InlineData("[Serializable] public class Model { private int _a; public int B; public int A() => _a; }", "The type 'Model' keeps '_a' to itself")]
    [InlineData("[Serializable] public class Model { private int A { get; set; } public int B; }", "The type 'Model' keeps 'A' to itself")]
    [InlineData("[Serializable] public class Base { private int _a; public int A() => _a; } [Serializable] public class Model : Base { public int B; }", "The type 'Base' keeps '_a' to itself")]
    [InlineData("[Serializable] public class Base { private int _a; public int A() => _a; } [Serializable] public class Model : Base { private int _b; public int B { get => _b; set => _b = value; } }", "The type 'Base' keeps '_a' to itself")]
    [InlineData("[Serializable] public class Model { private int _a; [System.Xml.Serialization.XmlIgnore] public int A { get => _a; set => _a = value; } public int B; }", null)]
    [InlineData("[System.Runtime.Serialization.DataContract] public class Root { [System.Runtime.Serialization.DataMember] public int C; } [Serializable] public class Model : Root { private int _a; public int B; }", "The type 'Model' keeps '_a' to itself")]
    [InlineData("[Serializable] public class Model { private int _a; private int _c; public int B { get => _a; set => _a = value; } }", "The type 'Model' keeps '_a', '_c' to itself")]
    [InlineData("[Serializable] public class Model { [NonSerialized] private int _a; private int _d; public int B { get => _d; set => _d = value; } private Action? _done; private static int s_e; }", null)]
    [InlineData("[Serializable, System.Runtime.Serialization.DataContract] public class Model { private int _a; [System.Runtime.Serialization.DataMember] public int B; }", null)]
    public void APrivateFieldOfASerializableClassOfAnotherAssemblyIsToldWhereThatIsWhole(string model, string? message)
    {
        Diagnostic[] Told(bool isReferenceAssembly) => [.. GeneratorHarness.DiagnoseWithLibrary(ForeignAttributes.Quiet + model, "[assembly: NinoSerializable(typeof(Model))]", isReferenceAssembly)];
        Assert.Equal(message is null ? [] : ["NINO020"], Told(isReferenceAssembly: false).Select(static one => one.Id));
        if (message is not null) Assert.Contains(message, Told(isReferenceAssembly: false)[0].GetMessage(), StringComparison.Ordinal);
        Assert.Empty(Told(isReferenceAssembly: true));
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void WhatXmlIncludeNamesIsACase(bool seesReferenceAssembly) => Programs.Run("[assembly: NinoSerializable(typeof(Lib.Base))] [assembly: NinoSerializable(typeof(Lib.Shape))] [NinoType] public class All { public Lib.Base? B; public Lib.Shape? S; }", """
        All copy = Copy(new All { B = new Lib.Below { A = 1 }, S = new Lib.Circle { R = 2 } });
        Equal((1, 2), (((Lib.Below)copy.B!).A, ((Lib.Circle)copy.S!).R));
        """, """
        namespace Lib
        {
            using System.Xml.Serialization;
            [XmlInclude(typeof(Below)), XmlInclude(typeof(Other))] public class Base { public int Id { get; set; } } public class Below : Base { public int A { get; set; } } public class Other { public int X { get; set; } }
            [XmlInclude(typeof(Circle))] public abstract class Shape; public class Circle : Shape { public int R { get; set; } }
        }
        """, seesReferenceAssembly);

    /// <summary>The generator says of a model that something is lost (NINO017), and nothing else; or nothing.</summary>
    private static void AssertLost(string model, string? part, string registered = "Model")
    {
        string register = model.Contains("[NinoType", StringComparison.Ordinal) ? "" : $"[assembly: NinoSerializable(typeof({registered}))]\n";
        Diagnostic[] told = [.. GeneratorHarness.Diagnose(register + ForeignAttributes.Quiet + ForeignAttributes.Source + model)];
        Assert.Equal(part is null ? [] : ["NINO017"], told.Select(static one => one.Id));
        if (part is not null) Assert.Contains(part, told[0].GetMessage(), StringComparison.Ordinal);
    }
}
