using System.Collections.Immutable;
using Microsoft.CodeAnalysis;
using Store.Tests.Generator;

namespace Store.Tests.Types;

/// <summary>Private members that a model's serializer stores by a mark of another one, or by an option on the type: stored where they are seen, told where they are not.</summary>
public sealed class PrivateModelMemberTests
{

    public static TheoryData<string, string> Marked => new()
    {
        { "[ProtoContract, DataContract] public class", "[DataMember(Order = 2)]" },
        { "[ProtoContract, XmlType] public class", "[XmlElement(Order = 2)]" },
        { "[ProtoContract, XmlType] public class", "[XmlArray(Order = 2)]" },
        { "[ProtoContract(InferTagFromName = true), DataContract] public class", "[DataMember]" },
        { "[DataContract] public class", "[DataMember]" },
        { "[MessagePackObject(AllowPrivate = true)] public class", "[Key(2)]" },
        { "[MemoryPackable] public class", "[MemoryPackInclude]" },
        { "public class", "[JsonInclude]" },
    };

    private const string Members = "{first} public int Z { get; set; } {mark} private int _a; [IgnoreMember, ProtoIgnore, MemoryPackIgnore] private int _b; {other} private int C { get; set; } public void Be(int a, int c) { _a = a; _b = a; C = c; } public (int, int, int) All() => (_a, _b, C);";

    private static string Model(string type, string mark) => $"{type} Model {{ {Members.Replace("{mark}", mark, StringComparison.Ordinal).Replace("{first}", mark.Replace('2', '1'), StringComparison.Ordinal).Replace("{other}", mark.Replace('2', '3'), StringComparison.Ordinal)} }}\n";

    [Theory]
    [MemberData(nameof(Marked))]
    public void APrivateMemberOfAModelOfTheProgramIsStored(string type, string mark) =>
        Programs.Run(ForeignAttributes.Usings + "[assembly: NinoSerializable(typeof(Model))]\n" + ForeignAttributes.Source + Model(type, mark), """
            var model = new Model();
            model.Be(5, 6);
            Equal((5, 0, 6), Copy(model).All());
            """);

    [Theory]
    [MemberData(nameof(Marked))]
    public void OneOfAnotherAssemblyIsToldByItsMarkAtFirstUseAndOfAWholeOneBefore(string type, string mark)
    {
        string name = mark[..(mark.IndexOfAny(['(', ']']))] + "]";
        string library = ForeignAttributes.Quiet + ForeignAttributes.Usings + ForeignAttributes.Source + $$"""
            namespace Lib
            {
                {{Model(type, mark)}}
                {{type}} Derived : Model;
                {{type}} Fine { {{mark.Replace('2', '1')}} public int A { get; set; } [IgnoreMember, ProtoIgnore, MemoryPackIgnore] private int _b; }
            }
            """;
        const string Registered = "[assembly: NinoSerializable(typeof(Lib.Derived))] [assembly: NinoSerializable(typeof(Lib.Fine))]";
        Programs.Run("[assembly: NinoSerializable(typeof(Lib.Model))]" + Registered, $$"""
            string[] parts = ["'Lib.Model._a'", "'Lib.Model.C'", "marked with {{name}} to be stored", "Codec = "];
            Refused(() => NinoSerializer.Serialize(new Lib.Model()), parts);
            Refused(() => NinoSerializer.SchemaOf<Lib.Model>(), parts);
            Refused(() => NinoSerializer.Serialize(new Lib.Derived()), parts);
            Copy(new Lib.Fine());
            """, library, seesReferenceAssembly: true);
        ImmutableArray<Diagnostic> told = GeneratorHarness.DiagnoseWithLibrary(library, Registered, isReferenceAssembly: false);
        Assert.Equal(["NINO019", "NINO019"], told.Select(static one => one.Id));
        Assert.Contains($"'Lib.Model._a', which {name} stores", told[0].GetMessage());
    }

    /// <summary>What gives no number, or is left out beside it, is not stored by protobuf-net either.</summary>
    [Fact]
    public void AMarkThatItsSerializerDoesNotHeedIsNoReasonToRefuse() => Programs.Run("""
        [assembly: NinoSerializable(typeof(Lib.A))] [assembly: NinoSerializable(typeof(Lib.B))] [assembly: NinoSerializable(typeof(Lib.C))] [assembly: NinoSerializable(typeof(Lib.D))] [assembly: NinoSerializable(typeof(Lib.E))]
        """, """
        Equal(1, Copy(new Lib.A { X = 1 }).X);
        Equal(1, Copy(new Lib.B { X = 1 }).X);
        Equal(1, Copy(new Lib.C { X = 1 }).X);
        Equal(1, Copy(new Lib.D { X = 1 }).X);
        Equal((1, 0), (Copy(new Lib.E { X = 1, Y = 2 }).X, Copy(new Lib.E { X = 1, Y = 2 }).Y));
        """, ForeignAttributes.Quiet + ForeignAttributes.Source + """
        namespace Lib
        {
            using System.Runtime.Serialization; using System.Xml.Serialization; using ProtoBuf; using MessagePack;
            [ProtoContract, DataContract] public class A { [DataMember] private int _a; [ProtoMember(1)] public int X { get; set; } }
            [ProtoContract(UseProtoMembersOnly = true), DataContract] public class B { [DataMember(Order = 2)] private int _a; [ProtoMember(1)] public int X { get; set; } }
            [ProtoContract] public class C { [DataMember(Order = 2), XmlElement(Order = 2)] private int _a; [ProtoMember(1)] public int X { get; set; } }
            [MessagePackObject, DataContract] public class D { [DataMember(Order = 2)] private int _a; [Key(1)] public int X { get; set; } }
            [ProtoContract, XmlType] public class E { [XmlIgnore, XmlElement(Order = 2)] private int _a; [ProtoMember(1)] public int X { get; set; } [XmlIgnore, XmlElement(Order = 3)] public int Y { get; set; } }
        }
        """, seesReferenceAssembly: true);

    private const string AllMembers = """
        public class Base { private int _base; public void BeBase(int x) => _base = x; public int GetBase() => _base; }
        [MessagePackObject(true, AllowPrivate = true)] public class Model : Base
        {
            private int _a;
            private readonly string _name;
            [IgnoreMember] private int _left;
            [System.Runtime.Serialization.IgnoreDataMember] private int Right { get; set; }
            private int Own { get; set; }
            public int Shown { get; private set; }
            public int Half { private get; set; }
            private int Twice => _a * 2;
            public string Title => _name + _a;
            public event Action? Changed { add { } remove { } }
            public Model() => _name = "";
            public Model(int one, string two) { _a = one; _name = two; _left = 1; Right = 2; Own = 3; Shown = 4; Half = 5; }
            public (int, string, int, int, int, int, int) All() => (_a, _name, _left, Right, Own, Shown, Half);
        }

        """;

    [Fact]
    public void MessagePackStoresPrivateMembersWithoutAMarkWhereItIsToldSoAndKeysAreNames() => Programs.Run("using MessagePack; [assembly: NinoSerializable(typeof(Model))]\n" + ForeignAttributes.Source + AllMembers, """
        var model = new Model(7, "n");
        model.BeBase(9);
        Model copy = Copy(model);
        Equal((7, "n", 0, 0, 3, 4, 5), copy.All());
        Equal(9, copy.GetBase());
        """);

    [Fact]
    public void OfAnotherAssemblyThatIsAWarningAndPrivateSettersAreCalled()
    {
        string library = ForeignAttributes.Quiet + "using MessagePack;\n" + ForeignAttributes.Source + "[MessagePackObject(true, AllowPrivate = true)] public class Model { private int _a; [IgnoreMember] private int _b; public int Shown { get; private set; } public static Model Of(int a, int b) => new() { _a = a, Shown = b }; public int A() => _a; }";
        foreach (bool isReferenceAssembly in new[] { false, true })
        {
            Diagnostic told = Assert.Single(GeneratorHarness.DiagnoseWithLibrary(library, "[assembly: NinoSerializable(typeof(Model))]", isReferenceAssembly));
            Assert.Equal("NINO020", told.Id);
            Assert.Contains("'Model' stores all its members ([MessagePackObject(true, AllowPrivate = true)]), of which " + (isReferenceAssembly ? "those that are not public are not seen" : "'_a' cannot be seen"), told.GetMessage());
            Programs.Run("#pragma warning disable NINO020\n[assembly: NinoSerializable(typeof(Model))]", "Equal((0, 8), (Copy(Model.Of(7, 8)).A(), Copy(Model.Of(7, 8)).Shown));", library, isReferenceAssembly);
        }
    }

    /// <summary>Every compiler sees its fields, and those of properties that are not public only as what the compiler gave it.</summary>
    [Theory]
    [InlineData("[MessagePackObject(true, AllowPrivate = true)] public struct Model { private int A { get; set; } public int B { get; set; } private int _c; [IgnoreMember] private int _d; }", "stores all its members ([MessagePackObject(true, AllowPrivate = true)]), of which 'A' cannot be seen")]
    [InlineData("[MemoryPackable] public partial struct Model { private int A { get; set; } public int B { get; set; } }", "keeps 'A' to itself")]
    [InlineData("public struct Model { private int A { get; set; } public int B { get; set; } }", "keeps 'A' to itself")]
    [InlineData("public struct Model(int a) { public int B { get; set; } public readonly int Twice() => a * 2; }", "keeps 'a' to itself")]
    [InlineData("public struct Model { public int A { internal get; set; } public int B { get; set; } }", "lets 'A' be set")]
    [InlineData("[MessagePackObject(true)] public struct Model { private int A { get; set; } public int B { get; set; } }", null)]
    [InlineData("[DataContract] public struct Model { private int A { get; set; } [DataMember] public int B { get; set; } }", null)]
    [InlineData("public struct Model { public int B { get; set; } private Action? Done { get; set; } private static int Count { get; set; } }", null)]
    public void WhatAStructHidesInAPropertyIsToldByItsField(string model, string? message)
    {
        foreach (bool isReferenceAssembly in new[] { false, true })
        {
            ImmutableArray<Diagnostic> told = GeneratorHarness.DiagnoseWithLibrary(ForeignAttributes.Quiet + ForeignAttributes.Usings + ForeignAttributes.Source + model, "[assembly: NinoSerializable(typeof(Model))]", isReferenceAssembly);
            Assert.Equal(message is null ? [] : ["NINO020"], told.Select(static one => one.Id));
            if (message is not null) Assert.Contains(message, told[0].GetMessage());
        }
    }

    [Theory]
    [InlineData("[MemoryPackable] public partial struct Model { private int A { get; set; } private int _c; public int C => _c; public int B { get; set; } }", "shows 'C'", "'A'")]
    [InlineData("public struct Model { private int A { get; set; } public int C { internal get; set; } public int B { get; set; } }", "lets 'C' be set", "'A'")]
    // One of the fields may be that of C, and the other cannot.
    [InlineData("[MemoryPackable] public partial struct Model { private int _a; internal int A { get => _a; set => _a = value; } private int _c; public int C => _c; public int B { get; set; } }", "shows 'C'", "'_a', '_c'")]
    public void ItIsToldBesideWhatItShowsAndCannotBeStored(string model, string message, string hidden)
    {
        foreach (bool isReferenceAssembly in new[] { false, true })
        {
            string[] told = [.. GeneratorHarness.DiagnoseWithLibrary(ForeignAttributes.Quiet + ForeignAttributes.Usings + ForeignAttributes.Source + model, "[assembly: NinoSerializable(typeof(Model))]", isReferenceAssembly).Select(static one => one.GetMessage())];
            Assert.Equal(2, told.Length);
            Assert.Contains(message, told[0]);
            Assert.Contains($"keeps {hidden} to itself", told[1]);
        }
    }

    /// <summary>Of a whole assembly marks on what is hidden count, and what is not there needs no warning.</summary>
    [Theory]
    [InlineData("[MessagePackObject(true, AllowPrivate = true)] public class Model { [IgnoreMember] private int A { get; set; } public int B { get; set; } }")]
    [InlineData("[ProtoContract(ImplicitFields = ImplicitFields.AllFields)] public class Model { public int B { get; set; } [ProtoIgnore] private int _c; }")]
    [InlineData("[MessagePackObject(true, AllowPrivate = true)] public struct Model { [IgnoreMember] private int A { get; set; } public int B { get; set; } }")]
    [InlineData("public struct Model { [IgnoreDataMember] private int A { get; set; } public int B { get; set; } }")]
    public void WhatIsKnownToBeLeftOutIsNoWarning(string model)
    {
        string library = ForeignAttributes.Quiet + ForeignAttributes.Usings + ForeignAttributes.Source + model;
        Assert.Empty(GeneratorHarness.DiagnoseWithLibrary(library, "[assembly: NinoSerializable(typeof(Model))]", isReferenceAssembly: false));
        Assert.Equal("NINO020", Assert.Single(GeneratorHarness.DiagnoseWithLibrary(library, "[assembly: NinoSerializable(typeof(Model))]", isReferenceAssembly: true)).Id);
    }

    /// <summary>Without keys by name the option stores what is marked, and keys by name alone what is public.</summary>
    [Theory]
    [InlineData("[MessagePack.MessagePackObject(AllowPrivate = true)] public class Model { [MessagePack.Key(0)] public int A { get; set; } private int _b; public void Be(int b) => _b = b; public int B() => _b; }")]
    [InlineData("[MessagePack.MessagePackObject(true)] public class Model { public int A { get; set; } private int _b; public void Be(int b) => _b = b; public int B() => _b; }")]
    public void EachOfTheTwoAloneLeavesPrivateMembersOut(string model)
    {
        const string Run = "var model = new Model { A = 1 }; model.Be(2); Equal((1, 0), (Copy(model).A, Copy(model).B()));";
        Programs.Run("[assembly: NinoSerializable(typeof(Model))]", Run, ForeignAttributes.Source + model, seesReferenceAssembly: true);
        Programs.Run("[assembly: NinoSerializable(typeof(Model))]\n" + ForeignAttributes.Source + model, Run);
    }
}
