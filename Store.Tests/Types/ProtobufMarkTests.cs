using Microsoft.CodeAnalysis;
using Store.Tests.Generator;

namespace Store.Tests.Types;

/// <summary>Members that protobuf-net stores by marks which are on the member of an interface, or on a class that is no contract of its own.</summary>
public sealed class ProtobufMarkTests
{
    private const string Registered = """
        [assembly: NinoSerializable(typeof(Lib.Mixed))] [assembly: NinoSerializable(typeof(Lib.Numbered))] [assembly: NinoSerializable(typeof(Lib.Below))]
        """;

    private const string Contracts = ForeignAttributes.Quiet + ForeignAttributes.Usings + ForeignAttributes.Source + """
        namespace Lib
        {
            [DataContract] public class Mixed { [DataMember(Order = 1)] public int A { get; set; } [ProtoMember(2)] public string? B { get; set; } [DataMember(Name = "c")] public int C { get; set; } [ProtoMember(4), ProtoIgnore] public int Left { get; set; } public int Unmarked { get; set; } }
            [DataContract, ProtoPartialMember(1, "B")] public class Numbered { [ProtoMember(3)] public int A; public int B; public int Unmarked; }
            [DataContract] public class Base { [ProtoMember(1)] public virtual int A { get; set; } } [DataContract] public class Below : Base { public override int A { get; set; } [DataMember] public int D { get; set; } }
        }
        """;

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void AClassThatOnlyDataContractMarksHasTheMembersThatProtobufMarksToo(bool seesReferenceAssembly) => Programs.Run(Registered, """
        Lib.Mixed mixed = Copy(new Lib.Mixed { A = 1, B = "b", C = 3, Left = 4, Unmarked = 5 });
        Equal((1, "b", 3, 0, 0), (mixed.A, mixed.B, mixed.C, mixed.Left, mixed.Unmarked));
        Equal("0:c:Int32 0:A:Int32 0:B:String", Fields<Lib.Mixed>());
        Lib.Numbered numbered = Copy(new Lib.Numbered { A = 1, B = 2, Unmarked = 3 });
        Equal((1, 2, 0), (numbered.A, numbered.B, numbered.Unmarked));
        Lib.Below below = Copy(new Lib.Below { A = 1, D = 4 });
        Equal((1, 4), (below.A, below.D));
        """, Contracts, seesReferenceAssembly);

    [Fact]
    public void OneThatIsHiddenThereIsAnErrorOfAWholeAssemblyAndRefusedAtFirstUseElsewhere()
    {
        const string Library = ForeignAttributes.Quiet + ForeignAttributes.Usings + ForeignAttributes.Source + "namespace Lib { [DataContract] public class Hides { [DataMember] public int A { get; set; } [ProtoMember(2)] private int _b; } }";
        const string Program = "[assembly: NinoSerializable(typeof(Lib.Hides))]";
        Diagnostic diagnostic = Assert.Single(GeneratorHarness.DiagnoseWithLibrary(Library, Program, isReferenceAssembly: false));
        Assert.Equal("NINO019", diagnostic.Id);
        Assert.Contains("[ProtoMember]", diagnostic.GetMessage(), StringComparison.Ordinal);
        Programs.Run(Program + "[NinoType] public sealed record Fine(int A);", "Refused(() => NinoSerializer.Serialize(new Lib.Hides()), \"'Lib.Hides._b'\", \"[ProtoMember]\"); Copy(new Fine(1));", Library, seesReferenceAssembly: true);
    }

    /// <summary>The mark is on the class, which a reference assembly has too.</summary>
    [Fact]
    public void OneThatIsHiddenThereAndNamedByItsClassIsAnErrorEverywhere()
    {
        foreach (bool isReferenceAssembly in new[] { false, true })
        {
            Diagnostic diagnostic = Assert.Single(GeneratorHarness.DiagnoseWithLibrary(ForeignAttributes.Quiet + ForeignAttributes.Usings + ForeignAttributes.Source + "namespace Lib { [DataContract, ProtoPartialMember(2, \"_b\")] public class Hides { [DataMember] public int A { get; set; } private int _b; } }", "[assembly: NinoSerializable(typeof(Lib.Hides))]", isReferenceAssembly));
            Assert.Equal("NINO019", diagnostic.Id);
            Assert.Contains("'Lib.Hides._b', which [ProtoPartialMember] stores", diagnostic.GetMessage(), StringComparison.Ordinal);
        }
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void OneThatIsHiddenThereAndLeftOutIsNoReasonToRefuse(bool seesReferenceAssembly) => Programs.Run("[assembly: NinoSerializable(typeof(Lib.LeavesOut))] [assembly: NinoSerializable(typeof(Lib.NamesIt))] [assembly: NinoSerializable(typeof(Lib.Below))]", """
        Equal(1, Copy(new Lib.LeavesOut { A = 1 }).A);
        Equal(1, Copy(new Lib.NamesIt { A = 1 }).A);
        Equal(1, Copy(new Lib.Below { A = 1 }).A);
        """, ForeignAttributes.Quiet + ForeignAttributes.Usings + ForeignAttributes.Source + """
        namespace Lib
        {
            [DataContract] public class LeavesOut { [DataMember] public int A { get; set; } [ProtoMember(2), ProtoIgnore] private int _b; }
            [ProtoContract, ProtoPartialIgnore("_b")] public class NamesIt { [ProtoMember(1)] public int A { get; set; } [ProtoMember(2)] private int _b; }
            [DataContract, ProtoPartialIgnore("_b")] public class NamesItToo { [DataMember] public int A { get; set; } [ProtoMember(2)] private int _b; } [DataContract] public class Below : NamesItToo;
        }
        """, seesReferenceAssembly);

    [Fact]
    public void WhatDataContractStoresIsNotLeftOutByAMarkOfProtobuf() => Programs.Run("[assembly: NinoSerializable(typeof(Lib.Hides))] [NinoType] public sealed record Fine(int A);", """
        Refused(() => NinoSerializer.Serialize(new Lib.Hides()), "'Lib.Hides._b', 'Lib.Hides._c': marked with [DataMember]");
        Copy(new Fine(1));
        """, ForeignAttributes.Quiet + ForeignAttributes.Usings + ForeignAttributes.Source + """
        namespace Lib { [DataContract, ProtoPartialIgnore("_b")] public class Hides { [DataMember] public int A { get; set; } [DataMember, ProtoMember(2)] private int _b; [DataMember, ProtoMember(3), ProtoIgnore] private int _c; [ProtoMember(4), ProtoIgnore] private int _d; } }
        """, seesReferenceAssembly: true);

    private const string Include = "namespace ProtoBuf { [AttributeUsage(AttributeTargets.Class | AttributeTargets.Interface, AllowMultiple = true)] public sealed class ProtoIncludeAttribute(int tag, Type type) : Attribute { public object[] All => [tag, type]; } }\n";

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void WhatAnInterfaceMarksIsStoredOfTheClassesThatItNames(bool seesReferenceAssembly) => Programs.Run("[assembly: NinoSerializable(typeof(Lib.Holder))] [assembly: NinoSerializable(typeof(Lib.IShape))] [assembly: NinoSerializable(typeof(Lib.Other))] [assembly: NinoSerializable(typeof(Lib.Drawn))]", """
        var circle = (Lib.Circle)Copy(new Lib.Holder { Shape = new Lib.Circle { Name = "c", Layer = 3, Unmarked = 4 } }).Shape!;
        Equal(("c", 3, 0), (circle.Name, circle.Layer, circle.Unmarked));
        Equal((3, 0), (Copy(new Lib.Circle { Layer = 3, Unmarked = 4 }).Layer, Copy(new Lib.Circle { Unmarked = 4 }).Unmarked));
        var ring = (Lib.Ring)Copy(new Lib.Holder { Shape = new Lib.Ring { Name = "r", Layer = 5, Inner = 6 } }).Shape!;
        Equal(("r", 5, 6), (ring.Name, ring.Layer, ring.Inner));
        // An interface that names no class is none of its bases.
        Equal((0, 2), (Copy(new Lib.Other { Layer = 1, Id = 2 }).Layer, Copy(new Lib.Other { Layer = 1, Id = 2 }).Id));
        Equal(0, Copy(new Lib.Drawn { Left = 1 }).Left);
        """, ForeignAttributes.Usings + ForeignAttributes.Source + Include + """
        namespace Lib
        {
            [ProtoContract, ProtoInclude(10, typeof(Circle))] public interface IShape { [ProtoMember(1)] int Layer { get; set; } int Unmarked { get; set; } }
            [ProtoContract, ProtoInclude(11, typeof(Ring))] public class Circle : IShape { [ProtoMember(1)] public string? Name { get; set; } public int Layer { get; set; } public int Unmarked { get; set; } }
            [ProtoContract] public class Ring : Circle { [ProtoMember(1)] public int Inner { get; set; } }
            [ProtoContract] public class Holder { [ProtoMember(1)] public IShape? Shape { get; set; } }
            [ProtoContract] public interface ILoose { [ProtoMember(1)] int Layer { get; set; } } [ProtoContract] public class Other : ILoose { public int Layer { get; set; } [ProtoMember(2)] public int Id { get; set; } }
            [ProtoContract, ProtoInclude(10, typeof(Drawn))] public interface IDrawn { [ProtoMember(1)] int Left { get; set; } } [ProtoContract] public class Drawn : IDrawn { [ProtoIgnore] public int Left { get; set; } [ProtoMember(2)] public int Id { get; set; } }
        }
        """, seesReferenceAssembly);

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void WhatAnInterfaceMarksIsStoredOfABaseThatDoesNotHaveIt(bool seesReferenceAssembly) => Programs.Run("[assembly: NinoSerializable(typeof(Lib.Holder))] [assembly: NinoSerializable(typeof(Lib.IShape))] [assembly: NinoSerializable(typeof(Lib.Ring))] [assembly: NinoSerializable(typeof(Lib.Drawn))] [assembly: NinoSerializable(typeof(Lib.Plain))]", """
        var circle = (Lib.Circle)Copy(new Lib.Holder { Shape = new Lib.Circle { Name = "c", Layer = 3, Hidden = 4, Left = 5 } }).Shape!;
        Equal(("c", 3, 4, 0), (circle.Name, circle.Layer, circle.Hidden, circle.Left));
        Lib.Ring ring = Copy(new Lib.Ring { Name = "r", Layer = 5, Inner = 6 });
        Equal(("r", 5, 6), (ring.Name, ring.Layer, ring.Inner));
        Equal((7, 8), (Copy(new Lib.Drawn { Layer = 7, Id = 8 }).Layer, Copy(new Lib.Drawn { Layer = 7, Id = 8 }).Id));
        // Of what has not the interface the base's member is none of the contract.
        Equal((0, 8), (Copy(new Lib.Plain { Layer = 7, Id = 8 }).Layer, Copy(new Lib.Plain { Layer = 7, Id = 8 }).Id));
        """, ForeignAttributes.Usings + ForeignAttributes.Source + Include + """
        namespace Lib
        {
            public class Low<T> { public virtual T Hidden { get; set; } = default!; public int Left { get; set; } } public class Base : Low<int> { public int Layer { get; set; } }
            [ProtoContract, ProtoInclude(10, typeof(Circle)), ProtoInclude(11, typeof(Drawn))] public interface IShape { [ProtoMember(1)] int Layer { get; set; } [ProtoMember(2)] int Hidden { get; set; } int Left { get; set; } }
            [ProtoContract, ProtoInclude(11, typeof(Ring))] public class Circle : Base, IShape { [ProtoMember(1)] public string? Name { get; set; } }
            [ProtoContract] public class Ring : Circle { [ProtoMember(1)] public int Inner { get; set; } }
            [ProtoContract] public class Holder { [ProtoMember(1)] public IShape? Shape { get; set; } }
            [DataContract] public class Drawn : Base, IShape { [DataMember] public int Id { get; set; } }
            [ProtoContract] public class Plain : Base { [ProtoMember(1)] public int Id { get; set; } }
        }
        """, seesReferenceAssembly);

    [Theory]
    [InlineData("int IShape.Layer { get; set; }", "NINO009", "IShape.Layer")]
    [InlineData("private int _layer; int IShape.Layer { get => _layer; set => _layer = value; }", "NINO017", "'Circle._layer'")]
    public void AMemberThatImplementsItExplicitlyIsToldToBeLost(string member, string id, string part)
    {
        Diagnostic diagnostic = Assert.Single(GeneratorHarness.Diagnose("[assembly: NinoSerializable(typeof(Circle))]" + ForeignAttributes.Source + Include + $$"""
            [ProtoBuf.ProtoContract, ProtoBuf.ProtoInclude(10, typeof(Circle))] public interface IShape { [ProtoBuf.ProtoMember(1)] int Layer { get; set; } int Unmarked { get; set; } }
            [ProtoBuf.ProtoContract] public class Circle : IShape { [ProtoBuf.ProtoMember(1)] public string? Name { get; set; } {{member}} private int _unmarked; int IShape.Unmarked { get => _unmarked; set => _unmarked = value; } }
            """));
        Assert.Equal(id, diagnostic.Id);
        Assert.Contains(part, diagnostic.GetMessage(), StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("int IShape.Layer { get; set; }", "NINO009")]
    [InlineData("private int _layer; int IShape.Layer { get => _layer; set => _layer = value; }", "NINO020")]
    public void SoIsOneOfAnotherAssembly(string member, string id)
    {
        string library = ForeignAttributes.Source + Include + $$"""
            [ProtoBuf.ProtoContract, ProtoBuf.ProtoInclude(10, typeof(Circle))] public interface IShape { [ProtoBuf.ProtoMember(1)] int Layer { get; set; } int Unmarked { get; set; } }
            [ProtoBuf.ProtoContract] public class Circle : IShape { [ProtoBuf.ProtoMember(1)] public string? Name { get; set; } {{member}} private int _unmarked; int IShape.Unmarked { get => _unmarked; set => _unmarked = value; } }
            """;
        foreach (bool isReferenceAssembly in new[] { false, true })
        {
            Diagnostic diagnostic = Assert.Single(GeneratorHarness.DiagnoseWithLibrary(library, "[assembly: NinoSerializable(typeof(Circle))]", isReferenceAssembly));
            Assert.Equal(id, diagnostic.Id);
            Assert.Contains("IShape.Layer", diagnostic.GetMessage(), StringComparison.Ordinal);
            Assert.DoesNotContain("Unmarked", diagnostic.GetMessage(), StringComparison.Ordinal);
        }
    }
}
