using Store.Tests.Generator;

namespace Store.Tests.Types;

/// <summary>Hierarchies of [DataContract] and [Serializable] classes, which DataContractSerializer takes: each class has a contract of its own.</summary>
public sealed class SerializableLevelTests
{
    private const string Models = """
        namespace Lib
        {
            using System.Runtime.Serialization;
            [Serializable] public class Entity { public int Id; public string? Name { get; set; } public virtual int Rank { get; set; } [NonSerialized] public int Skipped; [IgnoreDataMember] public int Kept; }
            [DataContract] public class Customer : Entity { [DataMember] public string? City { get; set; } public int NotStored; public override int Rank { get; set; } }
            [DataContract] public class Shape { [DataMember(Name = "w")] public int Width { get; set; } public int NotStored; }
            [Serializable] public class Box : Shape { public int Height; [NonSerialized] public int Skipped; }
            [Serializable] public class Crate : Box { public string? Label { get; set; } }
            public class Unmarked { public int Left; }
            [DataContract] public class Marked : Unmarked { [DataMember] public int A; }
        }
        """;

    private const string Run = """
        Lib.Customer customer = Copy(new Lib.Customer { Id = 1, Name = "n", Rank = 2, Skipped = 3, Kept = 4, City = "c", NotStored = 5 });
        Equal((1, "n", 2, 0, 4, "c", 0), (customer.Id, customer.Name, customer.Rank, customer.Skipped, customer.Kept, customer.City, customer.NotStored));
        Lib.Crate crate = Copy(new Lib.Crate { Width = 1, NotStored = 2, Height = 3, Skipped = 4, Label = "l" });
        Equal((1, 0, 3, 0, "l"), (crate.Width, crate.NotStored, crate.Height, crate.Skipped, crate.Label));
        Equal(true, Fields<Lib.Crate>().Contains(":w:"));
        Lib.Marked marked = Copy(new Lib.Marked { A = 1, Left = 2 });
        Equal((1, 0), (marked.A, marked.Left));
        """;

    private static readonly string s_registered = "#pragma warning disable NINO026\n" + string.Concat(new[] { "Customer", "Crate", "Marked" }.Select(static name => $"[assembly: NinoSerializable(typeof(Lib.{name}))]\n"));

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void WhatASerializableClassBelowOrAboveAContractHoldsIsStored(bool seesReferenceAssembly) => Programs.Run(s_registered, Run, Models, seesReferenceAssembly);

    [Fact]
    public void SoItIsInTheProgramItself() => Programs.Run(s_registered + Models, Run);

    /// <summary>Whatever contract stands below.</summary>
    [Theory]
    [InlineData("[ProtoBuf.ProtoContract]", "[ProtoBuf.ProtoMember(1)]")]
    [InlineData("[MemoryPack.MemoryPackable]", "")]
    [InlineData("", "[System.Text.Json.Serialization.JsonPropertyName(\"y\")]")]
    public void WhatASerializableLevelIgnoresIsStoredAndTold(string mark, string member)
    {
        string models = ForeignAttributes.Source + $"namespace Lib {{ using System.Runtime.Serialization; [DataContract] public class A {{ [DataMember] public int P; }} [Serializable] public class B : A {{ [IgnoreDataMember] public int X; }} {mark} public class C : B {{ {member} public int Y {{ get; set; }} }} }}";
        Microsoft.CodeAnalysis.Diagnostic told = Assert.Single(GeneratorHarness.Diagnose("[assembly: NinoSerializable(typeof(Lib.C))]\n" + models), static one => one.Id == "NINO026");
        Assert.Contains("'Lib.B.X'", told.GetMessage(), StringComparison.Ordinal);
        Programs.Run("#pragma warning disable NINO026\n[assembly: NinoSerializable(typeof(Lib.C))]\n" + models, "Equal((1, 2, 3), Copy(new Lib.C { P = 1, X = 2, Y = 3 }) is var copy ? (copy.P, copy.X, copy.Y) : default);");
    }

    [Fact]
    public void APrivateMemberOfAContractBelowASerializableClassIsStored() => Programs.Run("""
        [assembly: NinoSerializable(typeof(Leaf))]
        [System.Runtime.Serialization.DataContract] public class Root { [System.Runtime.Serialization.DataMember] private int _kept; public int Kept() => _kept; public void Keep(int value) => _kept = value; }
        [Serializable] public class Leaf : Root { public int Own; }
        """, """
        Leaf leaf = new() { Own = 1 };
        leaf.Keep(2);
        leaf = Copy(leaf);
        Equal((1, 2), (leaf.Own, leaf.Kept()));
        """);

    [Fact]
    public void OneThatAnotherAssemblyHidesIsAnError() => Assert.Contains(GeneratorHarness.DiagnoseWithLibrary("""
        namespace Lib;
        [System.Runtime.Serialization.DataContract] public class Root { [System.Runtime.Serialization.DataMember] private int _kept; public int Kept() => _kept; public void Keep(int value) => _kept = value; }
        [System.Serializable] public class Leaf : Root { public int Own; }
        """, "[assembly: Store.Serialization.NinoSerializable(typeof(Lib.Leaf))]", isReferenceAssembly: false), static one => one.Id == "NINO019");
}
