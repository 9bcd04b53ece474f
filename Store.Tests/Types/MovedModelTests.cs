using Microsoft.CodeAnalysis;
using Store.Tests.Generator;

namespace Store.Tests.Types;

/// <summary>Model libraries as teams have them when they come from another serializer: what that one stores by attributes that are not its own, and what is said where it cannot be followed.</summary>
public sealed class MovedModelTests
{
    [Fact]
    public void ProtobufStoresWhatDataContractAndXmlNumberOnAClassThatHasTheirMarkToo() => Programs.Run("""
        [assembly: NinoSerializable(typeof(Lib.Both))] [assembly: NinoSerializable(typeof(Lib.Offset))] [assembly: NinoSerializable(typeof(Lib.Xml))] [assembly: NinoSerializable(typeof(Lib.Only))] [assembly: NinoSerializable(typeof(Lib.Derived))]
        """, """
        Lib.Both both = Copy(new Lib.Both { A = 1, B = 2, C = "c", D = 4, E = 5 });
        Equal((1, 2, "c", 0, 0), (both.A, both.B, both.C, both.D, both.E));
        Equal("1:A:Int32 2:B:Int32 3:C:String", Fields<Lib.Both>());
        Equal("11:A:Int32 12:B:String", Fields<Lib.Offset>());
        Equal("b", Copy(new Lib.Offset { A = 1, B = "b" }).B);
        Equal("1:A:Int32 5:B:Int32 2:Many:List", Fields<Lib.Xml>());
        Equal("2:B:Int32", Fields<Lib.Only>());
        Equal("1:A:Int32 4:F:Int32", Fields<Lib.Derived>());
        """, ForeignAttributes.Source + """
        namespace Lib
        {
            using System.Runtime.Serialization; using System.Xml.Serialization; using ProtoBuf;
            [ProtoContract, DataContract] public class Both { [DataMember(Order = 1)] public int A { get; set; } [ProtoMember(2)] public int B { get; set; } [DataMember(Order = 3)] public string? C { get; set; } [DataMember] public int D { get; set; } [DataMember(Order = 5), ProtoIgnore] public int E { get; set; } }
            [ProtoContract(DataMemberOffset = 10), DataContract] public class Offset { [DataMember(Order = 1)] public int A { get; set; } [DataMember(Order = 2)] public string? B { get; set; } }
            [ProtoContract, XmlType] public class Xml { [XmlElement(Order = 1)] public int A { get; set; } [XmlArray(Order = 2)] public List<int>? Many { get; set; } [XmlElement] public int Left { get; set; } [ProtoMember(5)] public int B { get; set; } }
            [ProtoContract(UseProtoMembersOnly = true), DataContract] public class Only { [DataMember(Order = 1)] public int A { get; set; } [ProtoMember(2)] public int B { get; set; } }
            [ProtoContract] public class Derived : Base { [DataMember(Order = 3)] public int E { get; set; } [ProtoMember(4)] public int F { get; set; } }
            [ProtoContract, DataContract] public class Base { [DataMember(Order = 1)] public virtual int A { get; set; } }
        }
        """);

    private const string MarkedByXml = """
        [XmlType] public class Xml { [XmlElement(Order = 1)] private int _a; [XmlArray(Order = 2)] private List<int>? L { get; set; } [ProtoMember(3)] private int _c; public int B { get; set; } [XmlElement(Order = 4)] public int D { get; private set; } public Xml Be(int a) { _a = _c = D = a; L = [a]; return this; } public string Told() => $"{_a} {L?.Count} {_c} {D}"; }
        [XmlType, DataContract] public class Both { [XmlElement(Order = 1)] private int _a; [DataMember] public int B { get; set; } [XmlElement(Order = 3)] public int C { get; set; } public Both Be(int a) { _a = C = a; return this; } public string Told() => $"{_a} {C}"; }
        [XmlType] public class Base { [XmlElement(Order = 1)] private int _a; public int B { get; set; } public void Be(int a) => _a = a; public string Told() => $"{_a}"; }
        [ProtoContract] public class Derived : Base { [ProtoMember(2)] public int C { get; set; } public Derived Set(int a) { Be(a); C = a; return this; } }
        [XmlType] public class Left { [XmlElement] private int _a; [XmlElement(Order = 1), XmlIgnore] private int _b; [XmlElement(Order = 2), ProtoIgnore] private int _c; [XmlAttribute] private int _d; public int B { get; set; } public Left Be(int a) { _a = _b = _c = _d = a; return this; } public string Told() => $"{_a} {_b} {_c} {_d}"; }
        [XmlType, MessagePackObject] public class Packed { [XmlElement(Order = 1)] private int _a; [Key(0)] public int B { get; set; } public Packed Be(int a) { _a = a; return this; } }
        [XmlRoot("r")] public class Root { [XmlElement(Order = 1)] private int _a; public int B { get; set; } public Root Be(int a) { _a = a; return this; } public string Told() => $"{_a}"; }
        """;

    /// <summary>protobuf-net takes [XmlType] on a class for a mark of its own.</summary>
    [Fact]
    public void ProtobufStoresWhatXmlNumbersOnAClassThatOnlyXmlTypeMarks() => Programs.Run($"""
        {ForeignAttributes.Usings}{ForeignAttributes.Quiet}[assembly: NinoSerializable(typeof(Xml))] [assembly: NinoSerializable(typeof(Both))] [assembly: NinoSerializable(typeof(Derived))] [assembly: NinoSerializable(typeof(Left))] [assembly: NinoSerializable(typeof(Root))]
        {ForeignAttributes.Source}{MarkedByXml}
        """, """
        Equal(("7 1 7 7", 2), (Copy(new Xml { B = 2 }.Be(7)).Told(), Copy(new Xml { B = 2 }).B));
        Equal(("7 7", 2), (Copy(new Both { B = 2 }.Be(7)).Told(), Copy(new Both { B = 2 }).B));
        Equal("0:B:Int32 0:C:Int32 0:_a:Int32", string.Join(" ", System.Linq.Enumerable.Order(Fields<Both>().Split(' '), StringComparer.Ordinal)));
        Equal(("7", 7), (Copy(new Derived().Set(7)).Told(), Copy(new Derived().Set(7)).C));
        Equal(("0 0 0 0", 2), (Copy(new Left { B = 2 }.Be(7)).Told(), Copy(new Left { B = 2 }).B));
        Equal("0", Copy(new Root().Be(7)).Told());
        """);

    [Theory]
    [InlineData("Xml", "'Lib.Xml._a'", "'Lib.Xml.L'", "'Lib.Xml._c'")]
    [InlineData("Both", "'Lib.Both._a'")]
    [InlineData("Derived", "'Lib.Base._a'")]
    [InlineData("Left")]
    [InlineData("Root")]
    [InlineData("Packed")]
    public void WhatXmlNumbersThereAndAnotherAssemblyHidesIsTold(string name, params string[] hidden)
    {
        string library = $"{ForeignAttributes.Quiet}{ForeignAttributes.Source}namespace Lib {{ {ForeignAttributes.Usings}{MarkedByXml} }}", program = $"[assembly: NinoSerializable(typeof(Lib.{name}))]\n";
        Assert.Equal(hidden.Select(static _ => "NINO019"), GeneratorHarness.DiagnoseWithLibrary(library, program, isReferenceAssembly: false).Select(static one => one.Id));
        string parts = string.Join(", ", hidden.Select(static one => $"\"{one}\""));
        Programs.Run(program, hidden.Length == 0 ? $"Copy(new Lib.{name}());" : $"Refused(() => NinoSerializer.Serialize(new Lib.{name}()), {parts}); Copy(1);", library, seesReferenceAssembly: true);
    }

    [Fact]
    public void MessagePackLeavesOutWhatTheFrameworksAttributeLeavesOut() => Programs.Run("[assembly: NinoSerializable(typeof(Lib.Node))]", """
        var root = new Lib.Node { Id = 1 };
        root.Children.Add(new Lib.Node { Id = 2, Parent = root, Changed = Console.WriteLine });
        Lib.Node copy = Copy(root);
        Equal((1, 2, true), (copy.Id, copy.Children[0].Id, copy.Children[0].Parent is null));
        """, ForeignAttributes.Source + """
        namespace Lib
        {
            using System.Runtime.Serialization; using MessagePack;
            [MessagePackObject(keyAsPropertyName: true)] public class Node { public int Id { get; set; } public List<Node> Children { get; set; } = []; [IgnoreDataMember] public virtual Node? Parent { get; set; } [IgnoreDataMember] public Action? Changed { get; set; } }
        }
        """);

    /// <summary>As MemoryPack does it, whose generated half is in the class.</summary>
    [Fact]
    public void MemoryPackNeedsNoMarkOnAPropertyWithAPrivateSetter()
    {
        foreach (bool seesReferenceAssembly in new[] { false, true })
        {
            Programs.Run("[assembly: NinoSerializable(typeof(Lib.Person))] [assembly: NinoSerializable(typeof(Own))] [MemoryPack.MemoryPackable] public partial class Own { public int A { get; private set; } public void Be(int a) => A = a; }", """
                Lib.Person copy = Copy(Lib.Person.Of(3, "n"));
                Equal((3, "n", 6, 0), (copy.Id, copy.Name, copy.Twice, copy.Left));
                var own = new Own();
                own.Be(7);
                Equal(7, Copy(own).A);
                """, ForeignAttributes.Source + """
                namespace Lib
                {
                    [MemoryPack.MemoryPackable] public partial class Person
                    {
                        public int Id { get; private set; }
                        public string Name { get; protected set; } = "";
                        [MemoryPack.MemoryPackIgnore] public int Left { get; private set; }
                        [MemoryPack.MemoryPackIgnore] public int Twice => Id * 2;
                        public static Person Of(int id, string name) => new() { Id = id, Name = name, Left = 9 };
                    }
                }
                """, seesReferenceAssembly);
        }
    }

    [Fact]
    public void AModelWithoutMembersIsStoredThoughItIsOfAnotherAssembly()
    {
        foreach (bool seesReferenceAssembly in new[] { false, true })
        {
            Programs.Run("""
                [assembly: NinoSerializable(typeof(Lib.Message))] [assembly: NinoSerializable(typeof(Lib.Order))] [assembly: NinoSerializable(typeof(Lib.Contract))] [assembly: NinoSerializable(typeof(Lib.Packed))] [assembly: NinoSerializable(typeof(Lib.Nothing))] SECRET
                """.Replace("SECRET", seesReferenceAssembly ? "[assembly: NinoSerializable(typeof(Lib.Secret))]" : "", StringComparison.Ordinal), (seesReferenceAssembly ? "Refused(() => NinoSerializer.Serialize(new Lib.Secret()), \"'Lib.Secret._a'\");" : "") + """
                Equal(typeof(Lib.Ping), Copy<Lib.Message>(new Lib.Ping()).GetType());
                Equal(typeof(Lib.Order), Copy(new Lib.Order()).GetType());
                Copy(new Lib.Contract());
                Copy(new Lib.Packed());
                Copy(new Lib.Nothing());
                """, ForeignAttributes.Quiet + ForeignAttributes.Source + """
                namespace Lib
                {
                    [MessagePack.MessagePackObject, MessagePack.Union(0, typeof(Ping))] public abstract class Message { [MessagePack.IgnoreMember] public int Skipped { get; set; } }
                    [MessagePack.MessagePackObject] public class Ping : Message { [MessagePack.IgnoreMember] public string Name => "ping"; }
                    [ProtoBuf.ProtoContract] public class Order { public string Name => "order"; }
                    [System.Runtime.Serialization.DataContract] public class Contract;
                    [MemoryPack.MemoryPackable] public partial class Packed;
                    [System.Runtime.Serialization.DataContract] public class Secret { [System.Runtime.Serialization.DataMember] private int _a; }
                    public readonly struct Nothing;
                }
                """, seesReferenceAssembly);
        }
    }

    [Theory]
    [InlineData("[ProtoBuf.ProtoContract] public class Model { public int A { get; set; } }", "NINO015", "Codec = typeof(...)")]
    [InlineData("[ProtoBuf.ProtoContract(Surrogate = typeof(string))] public class Model { private int _a; }", "NINO015", "Codec = typeof(...)")]
    [InlineData("public class Model { private int _a; public void Add() => _a++; }", "NINO015", "Codec = typeof(...)")]
    [InlineData("public struct Model { private int _a; }", "NINO015", "Codec = typeof(...)")]
    [InlineData("public class Model : List<int> { public string? Title { get; set; } }", "NINO002", "'Title' would be lost; write a codec of your own and name it with [assembly: NinoSerializable(typeof(Model), Codec = typeof(...))]")]
    [InlineData("[ProtoBuf.ProtoContract(IgnoreListHandling = true)] public class Model : List<int> { [ProtoBuf.ProtoMember(1)] public string? Title { get; set; } }", "NINO002", "'Title' would be lost; write a codec")]
    public void WhatWouldBeLostOfAnotherAssemblyIsToldWithWhatCanBeDoneFromOutside(string model, string id, string message)
    {
        foreach (bool isReferenceAssembly in new[] { false, true })
        {
            Diagnostic told = Assert.Single(GeneratorHarness.DiagnoseWithLibrary(ForeignAttributes.Quiet + ForeignAttributes.Source + model, "[assembly: NinoSerializable(typeof(Model))]", isReferenceAssembly));
            Assert.Equal(id, told.Id);
            Assert.Contains(message, told.GetMessage());
            Assert.DoesNotContain("[NinoI", told.GetMessage());
        }
    }

    /// <summary>Nothing marks them, so that nobody could look for them when the program runs.</summary>
    [Fact]
    public void AModelOfWhichAllFieldsAreStoredIsNotTakenAsOneWithoutMembers()
    {
        foreach (bool isReferenceAssembly in new[] { false, true })
            Assert.Contains(GeneratorHarness.DiagnoseWithLibrary(ForeignAttributes.Quiet + ForeignAttributes.Source + "[ProtoBuf.ProtoContract(ImplicitFields = ProtoBuf.ImplicitFields.AllFields)] public class Model { private int _a; }", "[assembly: NinoSerializable(typeof(Model))]", isReferenceAssembly), static told => told.Id == "NINO015");
    }

    [Fact]
    public void ACollectionMayShowWhatItsSerializerLeavesOut() => Programs.Run("[assembly: NinoSerializable(typeof(Lib.Names))] [assembly: NinoSerializable(typeof(Lib.Parts))]", """
        Lib.Names names = Copy(new Lib.Names { "a", "b" });
        Equal((2, "b", true), (names.Count, names[1], names.Cache is null));
        Equal(3, Copy(new Lib.Parts { 3 })[0]);
        """, ForeignAttributes.Source + """
        namespace Lib
        {
            public class Names : List<string> { [System.Runtime.Serialization.IgnoreDataMember] public object? Cache { get; set; } }
            [ProtoBuf.ProtoContract] public class Parts : List<int> { public object? Cache { get; set; } }
        }
        """);

    [Theory]
    [InlineData("public class", "[JsonIgnore]", "public")]
    [InlineData("public class", "[IgnoreDataMember]", "public")]
    [InlineData("[ProtoContract] public class", "", "public")]
    [InlineData("[ProtoContract] public class", "[ProtoIgnore]", "public")]
    [InlineData("[DataContract] public class", "", "public")]
    [InlineData("[DataContract] public class", "[IgnoreDataMember]", "internal")]
    [InlineData("[MessagePackObject(true)] public class", "[IgnoreMember]", "public")]
    [InlineData("[MemoryPackable] public partial class", "[MemoryPackIgnore]", "public")]
    [InlineData("[MemoryPackable] public partial struct", "[MemoryPackIgnore]", "internal")]
    public void TheMarksOfThisLibraryHaveTheLastWord(string type, string ignore, string access) => Programs.Run(ForeignAttributes.Usings + ForeignAttributes.Quiet + $$"""
        [assembly: NinoSerializable(typeof(Model))]
        {{ForeignAttributes.Source}}
        {{type}} Model { [NinoInclude]{{ignore}} {{access}} int A { get; set; } [NinoMember(9)]{{ignore}} {{access}} int B; [NinoIgnore, ProtoMember(3), DataMember] public int C; }
        """, "Model copy = Copy(new Model { A = 1, B = 2, C = 3 }); Equal((1, 2, 0), (copy.A, copy.B, copy.C));");

    /// <summary>Of one that keeps its elements itself, a marked member may be what they are kept in.</summary>
    [Theory]
    [InlineData("[ProtoContract(IgnoreListHandling = true)] public class Model : List<int> { [ProtoMember(1)] protected byte Kind { get; set; } }", "Kind")]
    [InlineData("[ProtoContract(IgnoreListHandling = true)] public class Model : List<int> { private List<string>? _names; [ProtoMember(1)] public List<string> Names => _names ??= new(); }", "Names")]
    [InlineData("[ProtoContract(IgnoreListHandling = true)] public class Model : List<int> { [ProtoMember(1)] private int _kind; }", "_kind")]
    [InlineData("[ProtoContract(IgnoreListHandling = true, ImplicitFields = ImplicitFields.AllFields)] public class Model : List<int> { private int _kind; }", "_kind")]
    [InlineData("[DataContract] public class Model : List<int> { [DataMember] private int _kind; }", "_kind")]
    [InlineData("[ProtoContract] public class Model : List<int> { [ProtoMember(1)] private int _kind; }", null)]
    [InlineData("[ProtoContract(IgnoreListHandling = true)] public class Model : List<int> { [ProtoMember(1), NinoIgnore] private int _kind; private int _other; }", null)]
    [InlineData("[ProtoContract(IgnoreListHandling = true)] public class Model : Own { [ProtoMember(1)] private int[] _items = []; [ProtoMember(2)] private int _count; public override int Count => _count; public override IEnumerator<int> GetEnumerator() { for (int i = 0; i < _count; i++) yield return _items[i]; } }", null)]
    [InlineData("[ProtoContract(IgnoreListHandling = true)] public class Model : Own { [ProtoMember(1)] private List<int> _items = []; [ProtoMember(2)] private int _kind; public override int Count => _items.Count; public override IEnumerator<int> GetEnumerator() => _items.GetEnumerator(); }", "_kind")]
    public void WhatACollectionHasBesideItsElementsAndItsSerializerStoresIsAnErrorWhateverAccessItHas(string model, string? member)
    {
        const string own = "public abstract class Own : ICollection<int> { public abstract int Count { get; } public bool IsReadOnly => false; public void Add(int item) { } public void Clear() { } public bool Contains(int item) => false; public void CopyTo(int[] array, int index) { } public bool Remove(int item) => false; public abstract IEnumerator<int> GetEnumerator(); System.Collections.IEnumerator System.Collections.IEnumerable.GetEnumerator() => GetEnumerator(); } ";
        Diagnostic[] told = [.. GeneratorHarness.Diagnose(ForeignAttributes.Usings + "[assembly: NinoSerializable(typeof(Model))]\n" + ForeignAttributes.Quiet + ForeignAttributes.Source + own + model)];
        Assert.Equal(member is null ? [] : ["NINO002"], told.Select(static one => one.Id));
        if (member is not null) Assert.Contains($"it is a collection, and its member '{member}' would be lost; leave it out with [NinoIgnore]", told[0].GetMessage(), StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("[System.Text.Json.Serialization.JsonConverter(typeof(int))] public class Model { public int A { get; set; } private int _b; }", "[JsonConverter]")]
    [InlineData("[MessagePack.MessagePackFormatter(typeof(int))] public class Model { public int A { get; set; } private int _b; }", "[MessagePackFormatter]")]
    [InlineData("[ProtoBuf.ProtoContract(Surrogate = typeof(int))] public class Model { [ProtoBuf.ProtoMember(1)] public int A { get; set; } private int _b; }", "[ProtoContract(Surrogate = ...)]")]
    [InlineData("[Serializable] public class Model : System.Runtime.Serialization.ISerializable { public int A { get; set; } private int _b; public void GetObjectData(System.Runtime.Serialization.SerializationInfo info, System.Runtime.Serialization.StreamingContext context) { } }", "ISerializable")]
    [InlineData("[ProtoBuf.ProtoContract] public class Model { private int? _a; [ProtoBuf.ProtoMember(1)] public int A { get => _a ?? 7; set => _a = value; } public bool ShouldSerializeA() => _a is not null; }", "'ShouldSerializeA'")]
    [InlineData("[ProtoBuf.ProtoContract] public class Model { [ProtoBuf.ProtoMember(1)] public int A { get; set; } [ProtoBuf.ProtoIgnore] public bool ASpecified { get; set; } }", "'ASpecified'")]
    [InlineData("public struct Model { public float A; private int _b; }", "'_b'")]
    [InlineData("public class Model { public int A { get; set; } public int B { internal get; set; } }", "'B'")]
    [InlineData("public struct Model { private int _a; internal int B; public int A { get => _a; set => _a = value; } }", "'B'")]
    [InlineData("[MemoryPack.MemoryPackable] public partial struct Model { public float A; private int _b; }", "'_b'")]
    [InlineData("[MemoryPack.MemoryPackable(MemoryPack.GenerateType.NoGenerate)] public partial class Model { public int A { get; set; } private int _b; }", "[MemoryPackable(NoGenerate)]")]
    [InlineData("[System.Text.Json.Serialization.JsonConverter(typeof(int))] public class Model : List<int> { private int _b; }", "is a collection that is written by code of its own ([JsonConverter])")]
    [InlineData("[MessagePack.MessagePackFormatter(typeof(int))] public class Model : Dictionary<int, string> { private int _b; }", "is a collection that is written by code of its own ([MessagePackFormatter])")]
    [InlineData("[MemoryPack.MemoryPackable(MemoryPack.GenerateType.NoGenerate)] public partial class Model : Queue<int> { private int _b; }", "is a collection that is written by code of its own ([MemoryPackable(NoGenerate)])")]
    [InlineData("[System.Text.Json.Serialization.JsonConverter(typeof(int))] public class Model : System.Collections.ObjectModel.Collection<int> { private int _b; }", "is a collection that is written by code of its own ([JsonConverter])")]
    [InlineData("[System.Runtime.Serialization.DataContract] public class Model : System.Runtime.Serialization.IObjectReference { [System.Runtime.Serialization.DataMember] public string? Name { get; set; } public object GetRealObject(System.Runtime.Serialization.StreamingContext context) => this; }", "'Model' gives another object for one that was read (IObjectReference)")]
    public void WhatAModelsSerializerIsToldByCodeIsAWarning(string model, string message)
    {
        foreach (bool isReferenceAssembly in new[] { false, true })
        {
            Diagnostic told = Assert.Single(GeneratorHarness.DiagnoseWithLibrary("#pragma warning disable SYSLIB0050\n" + ForeignAttributes.Quiet + ForeignAttributes.Source + model, "[assembly: NinoSerializable(typeof(Model))]", isReferenceAssembly));
            Assert.Equal("NINO020", told.Id);
            Assert.Contains(message, told.GetMessage());
        }
    }

    /// <summary>Of another assembly NINO020 says it. What a stored property shows is stored.</summary>
    [Theory]
    [InlineData("[System.Text.Json.Serialization.JsonConverter(typeof(int))] public class Model { private int _b; public int A { get; set; } public int B() => _b; }", "code of its own writes the type ([JsonConverter]) and may store it")]
    [InlineData("[MessagePack.MessagePackFormatter(typeof(int))] public class Model { private int _b; public int A { get; set; } }", "([MessagePackFormatter])")]
    [InlineData("[System.Text.Json.Serialization.JsonConverter(typeof(int))] public class Model { private int _b; public int B { get => _b; set => _b = value; } }", null)]
    [InlineData("[System.Text.Json.Serialization.JsonConverter(typeof(int))] public class Model { [NinoIgnore] private int _b; private readonly object _lock = new(); public int A { get; set; } public void Run() { lock (_lock) A++; } }", null)]
    [InlineData("[System.Text.Json.Serialization.JsonConverter(typeof(int)), NinoType] public class Model { private int _b; public int A { get; set; } }", null)]
    [InlineData("public class Model : System.Runtime.Serialization.ISerializable { private int _b; public int A { get; set; } public void GetObjectData(System.Runtime.Serialization.SerializationInfo info, System.Runtime.Serialization.StreamingContext context) => info.AddValue(\"b\", _b); }", "(ISerializable)")]
    public void APrivateFieldThatCodeOfTheModelMayStoreIsTold(string model, string? why)
    {
        string register = model.Contains("NinoType", StringComparison.Ordinal) ? "" : "[assembly: NinoSerializable(typeof(Model))]\n";
        Diagnostic[] told = [.. GeneratorHarness.Diagnose(register + ForeignAttributes.Quiet + ForeignAttributes.Source + model)];
        Assert.Equal(why is null ? [] : ["NINO017"], told.Select(static one => one.Id));
        if (why is not null) Assert.Contains(why, told[0].GetMessage(), StringComparison.Ordinal);
    }

    /// <summary>One of a fixed set of objects, which is found by what was read: what the model does not store is lost, wherever it is.</summary>
    [Theory]
    [InlineData("[System.Runtime.Serialization.DataContract]", "[System.Runtime.Serialization.DataMember] public string? Name;", true)]
    [InlineData("[Serializable]", "public string? Name; [NonSerialized] public int Other;", true)]
    [InlineData("[ProtoBuf.ProtoContract]", "[ProtoBuf.ProtoMember(1)] public string? Name;", false)]
    [InlineData("[NinoType]", "public string? Name;", false)]
    public void ThatAnotherObjectIsGivenForAModelIsAWarningOfOnesOwnToo(string mark, string members, bool isTold)
    {
        string model = $"{mark} public class Model : System.Runtime.Serialization.IObjectReference {{ {members} public object GetRealObject(System.Runtime.Serialization.StreamingContext context) => this; }}";
        string register = mark == "[NinoType]" ? "" : "[assembly: NinoSerializable(typeof(Model))]\n";
        Assert.Equal(isTold ? ["NINO020"] : [], GeneratorHarness.Diagnose(register + "#pragma warning disable SYSLIB0050\n" + ForeignAttributes.Quiet + ForeignAttributes.Source + model).Select(static one => one.Id));
    }

    /// <summary>What keeps its elements in a collection of the framework, and has no field of its own, has no more than them; a reference assembly does not tell.</summary>
    [Fact]
    public void AConverterOfACollectionIsNoWarningWhereThatIsKnownToHoldItsElementsOnly()
    {
        const string Model = "[System.Text.Json.Serialization.JsonConverter(typeof(int))] public class Model : List<int> { private static int s_count; }";
        Assert.Empty(GeneratorHarness.DiagnoseWithLibrary(ForeignAttributes.Quiet + Model, "[assembly: NinoSerializable(typeof(Model))]", isReferenceAssembly: false));
        Assert.Equal("NINO020", Assert.Single(GeneratorHarness.DiagnoseWithLibrary(ForeignAttributes.Quiet + Model, "[assembly: NinoSerializable(typeof(Model))]", isReferenceAssembly: true)).Id);
    }

    [Theory]
    [InlineData("[System.Text.Json.Serialization.JsonConverter(typeof(int))] public struct Model { public int A { get; set; } }")]
    [InlineData("[MemoryPack.MemoryPackable, System.Text.Json.Serialization.JsonConverter(typeof(int))] public partial class Model { public int A { get; set; } }")]
    [InlineData("[ProtoBuf.ProtoContract] public class Model { [ProtoBuf.ProtoMember(1)] public int A { get; set; } [ProtoBuf.ProtoMember(2)] public bool ASpecified { get; set; } }")]
    [InlineData("public class Model { public int A { get; set; } public bool ASpecified { get; set; } }")]
    [InlineData("public class Model { public int A { get; set; } public int Old { set => A = value; } [System.Runtime.Serialization.IgnoreDataMember] public int B { internal get; set; } }")]
    [InlineData("public struct Model { private int _a; public int A { get => _a; set => _a = value; } }")]
    [InlineData("public struct Model { [System.Runtime.Serialization.IgnoreDataMember] private int _b; public int A { get; set; } }")]
    [InlineData("[MessagePack.MessagePackObject] public struct Model { [MessagePack.Key(0)] public int A { get; set; } private int _b; }")]
    public void WhereAllIsStoredOrIsLeftOutByItsSerializerTooThereIsNoWarning(string model)
    {
        foreach (bool isReferenceAssembly in new[] { false, true }) Assert.Empty(GeneratorHarness.DiagnoseWithLibrary(ForeignAttributes.Quiet + ForeignAttributes.Source + model, "[assembly: NinoSerializable(typeof(Model))]", isReferenceAssembly));
    }

    /// <summary>Navigation properties of entities lead from a child back to its parent.</summary>
    [Fact]
    public void ACycleIsToldWithWhatWouldKeepIt() => Programs.Run("[assembly: NinoSerializable(typeof(Lib.Parent))] [assembly: NinoSerializable(typeof(Lib.Other), References = true)]", """
        var parent = new Lib.Parent();
        parent.Children.Add(parent);
        Refused(() => NinoSerializer.Serialize(parent), "[assembly: NinoSerializable(typeof(...), References = true)]");
        var other = new Lib.Other();
        other.Children.Add(other);
        other = Copy(other);
        Equal(true, ReferenceEquals(other, other.Children[0]));
        """, "namespace Lib; public class Parent { public List<Parent> Children { get; set; } = []; } public class Other { public List<Other> Children { get; set; } = []; }");

    /// <summary>Teams that share models without the package declare the attributes themselves.</summary>
    [Fact]
    public void AttributesThatAreInternalToTheLibraryCount() => Programs.Run("[assembly: NinoSerializable(typeof(Lib.Model))]", """
        Equal("3:A:Int32", Fields<Lib.Model>());
        Equal(5, Copy(new Lib.Model { A = 5, B = 6 }).A);
        """, ForeignAttributes.Source.Replace("public sealed class Proto", "internal sealed class Proto", StringComparison.Ordinal) + "namespace Lib { [ProtoBuf.ProtoContract] public class Model { [ProtoBuf.ProtoMember(3)] public int A { get; set; } public int B { get; set; } } }", seesReferenceAssembly: true);
}
