using System.Collections.Immutable;
using Microsoft.CodeAnalysis;
using Store.Tests.Generator;

namespace Store.Tests.Types;

/// <summary>Models of a library that keeps members and setters to itself: compilers see neither, least of all in its reference assembly.</summary>
public sealed class HiddenModelMemberTests
{
    public static TheoryData<string, string> Setters => new()
    {
        { "[System.Runtime.Serialization.DataContract] public class", "[System.Runtime.Serialization.DataMember]" },
        { "[ProtoBuf.ProtoContract] public class", "[ProtoBuf.ProtoMember(2)]" },
        { "[MessagePack.MessagePackObject] public class", "[MessagePack.Key(2)]" },
        { "[MemoryPack.MemoryPackable] public class", "[MemoryPack.MemoryPackInclude]" },
        { "public class", "[System.Text.Json.Serialization.JsonInclude]" },
        { "[System.Runtime.Serialization.DataContract] public struct", "[System.Runtime.Serialization.DataMember]" },
    };

    [Theory]
    [MemberData(nameof(Setters))]
    public void APropertyThatItsSerializerStoresIsSetByItsPrivateSetter(string type, string mark)
    {
        foreach (bool seesReferenceAssembly in new[] { false, true })
        {
            Programs.Run("[assembly: NinoSerializable(typeof(Lib.Model))]", """
                var model = new Lib.Model();
                model.Be(3, "n", [5, 6]);
                Lib.Model copy = Copy(model);
                Equal((3, "n", 6), (copy.Number, copy.Name, copy.Many![1]));
                """, ForeignAttributes.Source + $$"""
                namespace Lib
                {
                    {{type}} Model
                    {
                        private string? _name;
                        {{mark.Replace('2', '1')}} public int Number { get; private set; }
                        {{mark}} public string? Name { get => _name; internal set => _name = value; }
                        {{mark.Replace('2', '3')}} public int[]? Many { get; private set; }
                        public void Be(int number, string name, int[] many) => (Number, Name, Many) = (number, name, many);
                    }
                }
                """, seesReferenceAssembly);
        }
    }

    [Fact]
    public void APrivateSetterOfABaseAndOneOfAGenericTypeAreFound() => Programs.Run("[assembly: NinoSerializable(typeof(Lib.Box<int>))]", """
        var box = new Lib.Box<int>();
        box.Be(7);
        box.Put(8);
        Lib.Box<int> copy = Copy(box);
        Equal((7, 8), (copy.Id, copy.Value));
        """, """
        namespace Lib;
        using System.Runtime.Serialization;
        [DataContract] public abstract class Entity { [DataMember] public int Id { get; private set; } public void Be(int id) => Id = id; }
        [DataContract] public class Box<T> : Entity { [DataMember] public T? Value { get; private init; } public void Put(T value) => typeof(Box<T>).GetProperty("Value")!.SetValue(this, value); }
        """, seesReferenceAssembly: true);

    /// <summary>A parameter of the constructor may be all that there is.</summary>
    [Fact]
    public void WhatTheConstructorTakesNeedsNoSetter() => Programs.Run("[assembly: NinoSerializable(typeof(Lib.Model))]", """
        Equal((1, 2), (Copy(new Lib.Model(1) { B = 2 }).A, Copy(new Lib.Model(1) { B = 2 }).B));
        """, """
        namespace Lib;
        using System.Text.Json.Serialization;
        public class Model { [JsonConstructor] public Model(int a) => A = a; [JsonInclude] public int A { get; } public int B { get; set; } }
        """, seesReferenceAssembly: true);

    private const string Sums = """
        namespace Lib;
        using System.Runtime.Serialization;
        [DataContract] public class Model { [DataMember] public int A { get; set; } [DataMember] public int Sum => A + 1; }
        [DataContract] public class Fine { [DataMember] public int A { get; set; } }
        """;

    /// <summary>A reference assembly does not tell whether there is one.</summary>
    [Fact]
    public void AMarkedPropertyWithoutASetterIsRefusedAtFirstUse() => Programs.Run("[assembly: NinoSerializable(typeof(Lib.Model))] [assembly: NinoSerializable(typeof(Lib.Fine))]", """
        string[] parts = ["'Lib.Model.Sum'", "[DataMember]", "no setter", "Codec = "];
        Refused(() => NinoSerializer.Serialize(new Lib.Model { A = 1 }), parts);
        Refused(() => NinoSerializer.Deserialize<Lib.Model>(new byte[12]), parts);
        Refused(() => NinoSerializer.SchemaOf<Lib.Model>(), parts);
        Copy(new Lib.Fine { A = 1 });
        """, Sums, seesReferenceAssembly: true);

    [Fact]
    public void OfAWholeAssemblyThatIsAnError()
    {
        Diagnostic told = Assert.Single(GeneratorHarness.DiagnoseWithLibrary(Sums, "[assembly: NinoSerializable(typeof(Lib.Model))] [assembly: NinoSerializable(typeof(Lib.Fine))]", isReferenceAssembly: false));
        Assert.Equal("NINO010", told.Id);
        Assert.Contains("it has no setter, and no constructor parameter matches it: add a setter, init or a constructor parameter of the same name, remove the mark there, or write a codec of your own", told.GetMessage());
    }

    public static TheoryData<string, string, string> Hidden => new()
    {
        { "[System.Runtime.Serialization.DataContract] public class", "[System.Runtime.Serialization.DataMember]", "[DataMember]" },
        { "[ProtoBuf.ProtoContract] public class", "[ProtoBuf.ProtoMember(2)]", "[ProtoMember]" },
        { "[MessagePack.MessagePackObject] public class", "[MessagePack.Key(2)]", "[Key]" },
        { "[MemoryPack.MemoryPackable] public class", "[MemoryPack.MemoryPackInclude]", "[MemoryPackInclude]" },
        { "public class", "[System.Text.Json.Serialization.JsonInclude]", "[JsonInclude]" },
        { "public sealed class", "[System.Text.Json.Serialization.JsonInclude]", "[JsonInclude]" },
    };

    private static string Hiding(string type, string mark) => ForeignAttributes.Quiet + ForeignAttributes.Source + $$"""
        namespace Lib
        {
            {{type}} Model
            {
                {{mark}} private int _a;
                {{mark.Replace('2', '1')}} public string? B { get; set; }
                {{mark.Replace('2', '3')}} internal int C { get; set; }
            }
            {{type}} Fine { private int _a; {{mark.Replace('2', '1')}} public string? B { get; set; } internal int C { get; set; } }
        }
        """;

    [Theory]
    [MemberData(nameof(Hidden))]
    public void AMarkedMemberThatIsHiddenIsRefusedAtFirstUse(string type, string mark, string text) =>
        Programs.Run("[assembly: NinoSerializable(typeof(Lib.Model))] [assembly: NinoSerializable(typeof(Lib.Fine))]", $$"""
            string[] parts = ["'Lib.Model._a'", "'Lib.Model.C'", "{{text}}", "public", "Codec = "];
            Refused(() => NinoSerializer.Serialize(new Lib.Model { B = "b" }), parts);
            Refused(() => NinoSerializer.Deserialize<Lib.Model>(new byte[12]), parts);
            Refused(() => NinoSerializer.SchemaOf<Lib.Model>(), parts);
            Equal("b", Copy(new Lib.Fine { B = "b" }).B);
            """, Hiding(type, mark), seesReferenceAssembly: true);

    /// <summary>Those of a package are whole: nobody needs to run the program to be told.</summary>
    [Theory]
    [MemberData(nameof(Hidden))]
    public void OfAWholeAssemblyItIsAnError(string type, string mark, string text)
    {
        ImmutableArray<Diagnostic> told = GeneratorHarness.DiagnoseWithLibrary(Hiding(type, mark), "[assembly: NinoSerializable(typeof(Lib.Model))] [assembly: NinoSerializable(typeof(Lib.Fine))]", isReferenceAssembly: false);
        Assert.Equal(["NINO019", "NINO019"], told.Select(static one => one.Id));
        Assert.Contains($"'Lib.Model._a', which {text} stores and which only 'Library' itself sees: make it public there, or internal with [InternalsVisibleTo] for this assembly, or write a codec of your own", told[0].GetMessage());
        Assert.Contains("'Lib.Model.C'", told[1].GetMessage());
    }

    /// <summary>In a base, of a generic type, behind the marks of others, and not where it is left out.</summary>
    [Theory]
    [InlineData("public abstract class Animal { [JsonInclude] private int _a; } public class Model : Animal { public int B { get; set; } }", "'Lib.Animal._a'", "[JsonInclude]")]
    [InlineData("[DataContract] public class Box<T> { [DataMember] private T? _a; [DataMember] public int B { get; set; } } [DataContract] public class Model : Box<int>;", "'Lib.Box<int>._a'", "[DataMember]")]
    [InlineData("[ProtoContract, DataContract] public class Model { [DataMember(Order = 2)] private int _a; [DataMember] private int _b; [ProtoMember(1)] public int B { get; set; } }", "'Lib.Model._a'", "[DataMember]")]
    [InlineData("[DataContract] public class Model { [DataMember] private int A { get; set; } [IgnoreDataMember] private int B { get; set; } private int C { get; set; } }", "'Lib.Model.A'", "[DataMember]")]
    [InlineData("[DataContract] public struct Model { [DataMember] private int A { get; set; } [DataMember] private int _b; }", "'Lib.Model.A'", "[DataMember]")]
    [InlineData("[DataContract] public class Model : List<int> { [DataMember] private int _a; }", "'Lib.Model._a'", "[DataMember]")]
    public void WhateverHidesItIsNamed(string model, string member, string mark)
    {
        Diagnostic told = Assert.Single(GeneratorHarness.DiagnoseWithLibrary($"{ForeignAttributes.Quiet}{ForeignAttributes.Usings}{ForeignAttributes.Source}namespace Lib {{ {model} }}", "[assembly: NinoSerializable(typeof(Lib.Model))]", isReferenceAssembly: false));
        Assert.Equal("NINO019", told.Id);
        Assert.Contains($"{member}, which {mark} stores", told.GetMessage());
    }

    /// <summary>Elements are all that is stored of a collection, and a reference assembly does not show what its serializer would store beside them.</summary>
    [Theory]
    [InlineData("[DataContract] public class Model : List<int>;", "([DataContract])")]
    [InlineData("[MessagePackObject] public class Model : List<int>;", "([MessagePackObject])")]
    [InlineData("[ProtoContract(IgnoreListHandling = true)] public class Model : List<int>;", "([ProtoContract(IgnoreListHandling = true)])")]
    [InlineData("[MemoryPackable] public partial class Model : List<int>;", "([MemoryPackable])")]
    [InlineData("[ProtoContract] public class Model : List<int>;", null)]
    [InlineData("[MemoryPackable(GenerateType.Collection)] public partial class Model : List<int>;", null)]
    [InlineData("public class Model : List<int>;", null)]
    public void WhatACollectionMayHideIsAWarningWhereItsSerializerStoresMembers(string model, string? mark)
    {
        string library = ForeignAttributes.Usings + ForeignAttributes.Source + model;
        Assert.Empty(GeneratorHarness.DiagnoseWithLibrary(library, "[assembly: NinoSerializable(typeof(Model))]", isReferenceAssembly: false));
        ImmutableArray<Diagnostic> told = GeneratorHarness.DiagnoseWithLibrary(library, "[assembly: NinoSerializable(typeof(Model))]", isReferenceAssembly: true);
        Assert.Equal(mark is null ? [] : ["NINO020"], told.Select(static one => one.Id));
        if (mark is not null) Assert.Contains($"'Model' is a collection of which its serializer stores the members {mark}", told[0].GetMessage());
    }

    [Fact]
    public void HiddenMembersOfABaseCountAndThoseThatAreLeftOutDoNot() => Programs.Run("[assembly: NinoSerializable(typeof(Lib.Dog))] [assembly: NinoSerializable(typeof(Lib.Cat))]", """
        Refused(() => NinoSerializer.Serialize(new Lib.Dog { B = 1 }), "'Lib.Animal._a'");
        Equal(2, Copy(new Lib.Cat { B = 2 }).B);
        """, ForeignAttributes.Quiet + ForeignAttributes.Source + """
        namespace Lib
        {
            using System.Text.Json.Serialization; using MemoryPack;
            public abstract class Animal { [JsonInclude] private int _a; }
            public class Dog : Animal { public int B { get; set; } }
            [MemoryPackable] public class Cat { [MemoryPackInclude, MemoryPackIgnore] private int _a; [JsonInclude] private int _other; public int B { get; set; } }
        }
        """, seesReferenceAssembly: true);

    /// <summary>Of a struct private fields are shown, of a friend internal members, of a class that can be derived from protected ones.</summary>
    [Fact]
    public void WhatTheCompilerSeesIsStored() => Programs.Run("[assembly: NinoSerializable(typeof(Lib.Point))] [assembly: NinoSerializable(typeof(Lib.Open))] [assembly: NinoSerializable(typeof(Lib.Friend))]", """
        Equal(5, Copy(new Lib.Point(5)).X());
        Equal(6, Copy(new Lib.Open().Be(6)).A());
        Equal(7, Copy(new Lib.Friend().Be(7)).A());
        """, """
        using System.Runtime.Serialization;
        [assembly: System.Runtime.CompilerServices.InternalsVisibleTo("Shop")]
        namespace Lib
        {
            [DataContract] public struct Point { [DataMember] private int _x; public Point(int x) => _x = x; public int X() => _x; }
            [DataContract] public class Open { [DataMember] protected int _a; public int A() => _a; public Open Be(int a) { _a = a; return this; } }
            [DataContract] public class Friend { [DataMember] internal int _a; public int A() => _a; public Friend Be(int a) { _a = a; return this; } }
        }
        """, seesReferenceAssembly: true);

    /// <summary>Whoever registered the base is told what makes the object a case of it.</summary>
    [Fact]
    public void AnObjectOfADerivedModelIsRefusedWithTheAttributeThatMakesItACase() => Programs.Run("[assembly: NinoSerializable(typeof(Lib.Model))]", """
        Equal(3, Copy(new Lib.Model { A = 3 }).A);
        Refused(() => NinoSerializer.Serialize<Lib.Model>(new Lib.Derived { B = 1 }), "[assembly: NinoSerializable(typeof(Lib.Derived))]");
        """, ForeignAttributes.Source + "namespace Lib { [ProtoBuf.ProtoContract] public class Model { [ProtoBuf.ProtoMember(1)] public int A { get; set; } } [ProtoBuf.ProtoContract] public class Derived : Model { [ProtoBuf.ProtoMember(2)] public int B { get; set; } } }");

    [Theory]
    [InlineData("public class Model { public int A { get; private set; } }", "store it with [NinoInclude] or [JsonInclude] there if it has one")]
    [InlineData("[MessagePack.MessagePackObject] public class Model { public int A { get; private set; } }", "store it with [Key] there if it has one")]
    [InlineData("[System.Runtime.Serialization.DataContract] public class Model { [System.Runtime.Serialization.DataMember] public int A { private get; set; } }", "'Model' shows no getter of it outside of its assembly")]
    public void WhatCannotBeReachedIsToldByWhatWouldHelp(string model, string message)
    {
        foreach (bool isReferenceAssembly in new[] { false, true })
        {
            Diagnostic diagnostic = Assert.Single(GeneratorHarness.DiagnoseWithLibrary(ForeignAttributes.Source + model, "[assembly: NinoSerializable(typeof(Model))]", isReferenceAssembly));
            Assert.Contains(message, diagnostic.GetMessage());
        }
    }
}
