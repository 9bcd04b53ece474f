using Store.Tests.Generator;

namespace Store.Tests.Types;

/// <summary>Models whose own serializer makes their objects by a constructor that is not public: reading calls it too, also where it is private in another assembly, of which compilers see nothing.</summary>
public sealed class HiddenConstructorTests
{
    private const string Registered = "[assembly: NinoSerializable(typeof(Lib.Model))]";

    public static TheoryData<string, string> Contracts => new()
    {
        { "[ProtoBuf.ProtoContract]", "[ProtoBuf.ProtoMember(1)]" },
        { "[System.Runtime.Serialization.DataContract]", "[System.Runtime.Serialization.DataMember]" },
        { "[MessagePack.MessagePackObject]", "[MessagePack.Key(0)]" },
        { "[MemoryPack.MemoryPackable]", "[MemoryPack.MemoryPackInclude]" },
        { "", "[System.Text.Json.Serialization.JsonInclude]" },
    };

    [Theory]
    [MemberData(nameof(Contracts))]
    public void APrivateOneOfAnotherAssemblyIsCalled(string contract, string member)
    {
        foreach (bool seesReferenceAssembly in new[] { false, true })
        {
            Programs.Run(Registered, """
                Lib.Model copy = Copy(Lib.Model.Of(5));
                Equal((5, "made"), (copy.A, copy.How()));
                NinoSerializer.Deserialize(NinoSerializer.Serialize(Lib.Model.Of(6)), ref copy!);
                Equal((6, "made"), (copy.A, copy.How()));
                Equal(7, NinoSerializer.Clone(new List<Lib.Model> { Lib.Model.Of(7) })[0].A);
                """, ForeignAttributes.Source + $$"""
                namespace Lib
                {
                    {{contract}} public sealed class Model
                    {
                        private readonly string _how;
                        private Model() => _how = "made";
                        public static Model Of(int a) => new() { A = a };
                        {{member}} public int A { get; private set; }
                        public string How() => _how;
                    }
                }
                """, seesReferenceAssembly);
        }
    }

    /// <summary>Serializers that look at run time call any.</summary>
    [Theory]
    [InlineData("[ProtoBuf.ProtoContract]", "[ProtoBuf.ProtoMember(1)]")]
    [InlineData("[System.Runtime.Serialization.DataContract]", "[System.Runtime.Serialization.DataMember]")]
    public void AProtectedOneAndOneOfAFriendAreCalledToo(string contract, string member)
    {
        string model = $$"""namespace Lib { {{contract}} public class Model { protected Model() { } public static Model Of(int a) => new() { A = a }; {{member}} public int A { get; private set; } } }""";
        const string Kept = "Equal(5, Copy(Lib.Model.Of(5)).A);";
        Programs.Run(Registered, Kept, ForeignAttributes.Source + model, seesReferenceAssembly: true);
        Programs.Run(Registered, Kept, "[assembly: System.Runtime.CompilerServices.InternalsVisibleTo(\"Shop\")]\n" + ForeignAttributes.Source + model.Replace("protected Model", "internal Model"), seesReferenceAssembly: true);
    }

    /// <summary>Whoever derives from a generic base, has cases and keeps references is made by it as others by a public one.</summary>
    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void OneOfAGenericTypeOfACaseAndOfWhatRefersToItselfIsCalled(bool seesReferenceAssembly) => Programs.Run("[assembly: NinoSerializable(typeof(Lib.Box<int>))] [assembly: NinoSerializable(typeof(Lib.Shape))] [assembly: NinoSerializable(typeof(Lib.Circle))] [assembly: NinoSerializable(typeof(Lib.Node))]", """
        Equal((7, 2), (Copy(Lib.Box<int>.Of(7, 2)).Value, Copy(Lib.Box<int>.Of(7, 2)).Id));
        Equal(3, ((Lib.Circle)Copy<Lib.Shape>(Lib.Circle.Of(3))).Radius);
        Lib.Node node = NinoSerializer.Deserialize<Lib.Node>(NinoSerializer.Serialize(Lib.Node.Loop(9)));
        Equal((true, 9), (ReferenceEquals(node, node.Next!.Next), node.Number));
        """, ForeignAttributes.Source + """
        namespace Lib
        {
            using ProtoBuf; using System.Runtime.Serialization;
            [DataContract] public abstract class Entity { private protected Entity() { } [DataMember] public int Id { get; private set; } protected void Be(int id) => Id = id; }
            [DataContract] public sealed class Box<T> : Entity where T : struct { private Box() { } [DataMember] public T Value { get; private set; } public static Box<T> Of(T value, int id) { var box = new Box<T> { Value = value }; box.Be(id); return box; } }
            [ProtoContract] public abstract class Shape { }
            [ProtoContract] public sealed class Circle : Shape { private Circle() { } [ProtoMember(1)] public int Radius { get; private set; } public static Circle Of(int radius) => new() { Radius = radius }; }
            [ProtoContract(AsReferenceDefault = true)] public sealed class Node
            {
                private Node() { }
                [ProtoMember(1)] public int Number { get; private set; }
                [ProtoMember(2)] public Node? Next { get; private set; }
                public static Node Loop(int number) { var first = new Node { Number = number }; first.Next = new Node { Next = first }; return first; }
            }
        }
        """, seesReferenceAssembly);

    /// <summary>What it gives a new object is what members have that an older record lacks, and what getters show is filled.</summary>
    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void WhatItLeavesInAnObjectIsWhatOlderRecordsLack(bool seesReferenceAssembly) => Programs.Run("[assembly: NinoSerializable(typeof(Lib.Now))]", """
        Lib.Now now = Evolve<Lib.Before, Lib.Now>(new Lib.Before { A = 1, Gone = "g", All = [4] });
        Equal((1, "new", 4), (now.A, now.B, now.All[^1]));
        Equal("b", Copy(Lib.Now.Of("b")).B);
        """, """
        namespace Lib;
        using System.Runtime.Serialization;
        [NinoType(Name = "Lib.Now")] public sealed class Before { public int A { get; set; } public string? Gone { get; set; } public List<int> All { get; set; } = []; }
        [DataContract] public sealed class Now
        {
            private Now() => B = "new";
            public static Now Of(string b) => new() { B = b };
            [DataMember] public int A { get; init; }
            [DataMember] public string? B { get; private set; }
            [DataMember] public List<int> All { get; } = [];
        }
        """, seesReferenceAssembly);

    /// <summary>protobuf-net needs one without parameters: that there is a public one that nobody could call does not matter.</summary>
    [Fact]
    public void APublicOneThatCannotBeCalledDoesNotHideIt()
    {
        const string Model = "[ProtoContract] public sealed class Model { private Model() { } public Model(System.Uri from) => A = from.Port; [ProtoMember(1)] public int A { get; private set; } }";
        const string Kept = "Equal(80, Copy(new Model(new System.Uri(\"http://h\"))).A);";
        Programs.Run("using Lib; " + Registered, Kept, ForeignAttributes.Source + "namespace Lib { using ProtoBuf; " + Model + " }", seesReferenceAssembly: true);
        Programs.Run("using ProtoBuf; [assembly: NinoSerializable(typeof(Model))] " + Model, Kept, ForeignAttributes.Source);
    }

    /// <summary>Records show one that copies, which is not public either.</summary>
    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void OneOfARecordIsCalled(bool seesReferenceAssembly) => Programs.Run("[assembly: NinoSerializable(typeof(Lib.Model))]", "Equal(Lib.Model.Of(5), Copy(Lib.Model.Of(5)));", """
        namespace Lib { using System.Runtime.Serialization; [DataContract] public record Model { private Model() { } public static Model Of(int a) => new() { A = a }; [DataMember] public int A { get; private init; } } }
        """, seesReferenceAssembly);

    private const string WithoutOne = "namespace Lib { [ProtoBuf.ProtoContract] public class Model { private Model(int a) => A = a; public static Model Of(int a) => new(a); [ProtoBuf.ProtoMember(1)] public int A { get; private set; } } }";

    [Fact]
    public void AModelThatHasNoneIsRefusedAtFirstUse() => Programs.Run(Registered + " [NinoType] public class Holder { public int B { get; set; } public object? Any { get; set; } }", """
        string[] parts = ["'Lib.Model'", "no constructor without parameters", "a private one is enough", "Codec = "];
        Refused(() => NinoSerializer.Serialize(Lib.Model.Of(1)), parts);
        Refused(() => NinoSerializer.Deserialize<Lib.Model>(new byte[12]), parts);
        Refused(() => NinoSerializer.SchemaOf<Lib.Model>(), parts);
        Refused(() => NinoSerializer.Serialize(new Holder { Any = Lib.Model.Of(1) }), parts);
        Equal(2, Copy(new Holder { B = 2, Any = "fine" }).B);
        """, ForeignAttributes.Source + WithoutOne, seesReferenceAssembly: true);

    [Fact]
    public void OfAWholeAssemblyThatIsAnError() =>
        Assert.Equal("NINO004", Assert.Single(GeneratorHarness.DiagnoseWithLibrary(ForeignAttributes.Source + WithoutOne, Registered, isReferenceAssembly: false)).Id);

    /// <summary>Where nothing says that there is a hidden one, the compiler's word is the last.</summary>
    [Theory]
    [InlineData("public class Model { private Model() { } public int A { get; set; } }", "NINO004")]
    [InlineData("[MessagePack.MessagePackObject] public class Model { private Model() { } public Model(System.Uri from) { } [MessagePack.Key(0)] public int A { get; set; } }", "NINO006")]
    [InlineData("public class Model { private Model() { } public Model(System.Uri from) { } [System.Text.Json.Serialization.JsonPropertyName(\"a\")] public int A { get; set; } }", "NINO006")]
    public void WithoutAWordOfItsSerializerItIsNotCalled(string model, string id) =>
        Assert.Equal(id, Assert.Single(GeneratorHarness.DiagnoseWithLibrary(ForeignAttributes.Source + "namespace Lib { " + model + " }", Registered, isReferenceAssembly: true)).Id);
}
