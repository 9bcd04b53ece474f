using Microsoft.CodeAnalysis;
using Store.Tests.Generator;

namespace Store.Tests.Types;

/// <summary>Registered types whose objects keep their identity: because their own serializer is told so, or because the program says so.</summary>
public sealed class ForeignReferenceTests
{
    // The attributes as their packages declare them, as far as they are read.
    private const string Attributes = """
        namespace MemoryPack { public enum GenerateType { Object, VersionTolerant, CircularReference } public sealed class MemoryPackableAttribute(GenerateType type = GenerateType.Object) : Attribute { public GenerateType Type => type; } }
        namespace ProtoBuf { public sealed class ProtoContractAttribute : Attribute { public bool AsReferenceDefault { get; set; } } public sealed class ProtoMemberAttribute(int tag) : Attribute { public int Tag => tag; public bool AsReference { get; set; } } [AttributeUsage(AttributeTargets.Class, AllowMultiple = true)] public sealed class ProtoPartialMemberAttribute(int tag, string name) : Attribute { public (int, string) Member => (tag, name); public bool AsReference { get; set; } } }

        """;

    public static TheoryData<string, string, bool> Models => new()
    {
        { "[System.Runtime.Serialization.DataContract(IsReference = true)]", "[System.Runtime.Serialization.DataMember]", true },
        { "[System.Runtime.Serialization.DataContract(IsReference = false)]", "[System.Runtime.Serialization.DataMember]", false },
        { "[System.Runtime.Serialization.DataContract]", "[System.Runtime.Serialization.DataMember]", false },
        { "[MemoryPack.MemoryPackable(MemoryPack.GenerateType.CircularReference)]", "", true },
        { "[MemoryPack.MemoryPackable(MemoryPack.GenerateType.VersionTolerant)]", "", false },
        { "[ProtoBuf.ProtoContract(AsReferenceDefault = true)]", "[ProtoBuf.ProtoMember(1)]", true },
    };

    [Theory]
    [MemberData(nameof(Models))]
    public void ObjectsKeepTheirIdentityWhereTheirOwnSerializerIsToldSo(string type, string mark, bool isKept)
    {
        foreach (bool seesReferenceAssembly in new[] { false, true })
        {
            Programs.Run("[assembly: NinoSerializable(typeof(Lib.Node))] [NinoType] public class Both { public List<Lib.Node> All = []; }", $$"""
                var node = new Lib.Node();
                Both both = Copy(new Both { All = { node, node } });
                Equal({{(isKept ? "true" : "false")}}, ReferenceEquals(both.All[0], both.All[1]));
                {{(isKept ? "node.Next = node; Lib.Node copy = Copy(node); Equal(true, ReferenceEquals(copy, copy.Next));" : "")}}
                """, Attributes + $$"""namespace Lib { {{type}} public class Node { {{mark}} public Node? Next { get; set; } } }""", seesReferenceAssembly);
        }
    }

    /// <summary>Said by Newtonsoft.Json on the class, of what is derived from it too, or on a member: of a collection its elements.</summary>
    [Theory]
    [InlineData("[JsonObject(IsReference = true)]", "", "", true)]
    [InlineData("[System.Runtime.Serialization.DataContract, JsonObject(IsReference = true)]", "", "", true)]
    [InlineData("", "[JsonProperty(IsReference = true)]", "", true)]
    [InlineData("", "", "[JsonProperty(ItemIsReference = true)]", true)]
    [InlineData("", "", "[System.Text.Json.Serialization.JsonPropertyName(\"all\"), JsonProperty(ItemIsReference = true)]", true)]
    [InlineData("[JsonObject(IsReference = false)]", "[JsonProperty(IsReference = false)]", "[JsonProperty(IsReference = true)]", false)]
    [InlineData("", "[JsonProperty(ItemIsReference = true)]", "", false)]
    [InlineData("[MemoryPack.MemoryPackable, JsonObject(IsReference = true)]", "", "", false)]
    public void ObjectsKeepTheirIdentityWhereNewtonsoftIsToldSo(string type, string held, string all, bool isKept)
    {
        foreach (bool seesReferenceAssembly in new[] { false, true })
        {
            Programs.Run("[assembly: NinoSerializable(typeof(Lib.Node))] [assembly: NinoSerializable(typeof(Lib.Leaf))] [assembly: NinoSerializable(typeof(Lib.Graph))]", $$"""
                var node = new Lib.Leaf();
                Lib.Graph copy = Copy(new Lib.Graph { Held = node, All = [node, node] });
                Equal({{(isKept ? "true" : "false")}}, ReferenceEquals(copy.All[0], copy.All[1]) && ReferenceEquals(copy.Held, copy.All[0]));
                """, Attributes + $$"""
                namespace Newtonsoft.Json { public sealed class JsonObjectAttribute : Attribute { public bool IsReference { get; set; } } public sealed class JsonPropertyAttribute : Attribute { public bool IsReference { get; set; } public bool ItemIsReference { get; set; } } }
                namespace Lib
                {
                    using Newtonsoft.Json;
                    {{type}} public class Node { public int Id { get; set; } }
                    public class Leaf : Node { public string? Name { get; set; } }
                    public class Graph { {{held}} public Node? Held { get; set; } {{all}} public List<Node> All { get; set; } = []; }
                }
                """, seesReferenceAssembly);
        }
    }

    /// <summary>The mark on a member counts for the type of the objects that it leads to, whatever was parsed first, and for nobody else.</summary>
    [Theory]
    [InlineData("Node?", "AsReference = true", true)]
    [InlineData("List<Node>", "AsReference = true", true)]
    [InlineData("Node[]", "AsReference = true", true)]
    [InlineData("Dictionary<int, List<Node>>", "AsReference = true", true)]
    [InlineData("Node?", "AsReference = false", false)]
    public void AMemberThatProtobufTracksKeepsTheIdentityOfWhatItHolds(string type, string option, bool isKept)
    {
        foreach (bool seesReferenceAssembly in new[] { false, true })
        {
            Programs.Run("[assembly: NinoSerializable(typeof(Lib.Node))] [assembly: NinoSerializable(typeof(Lib.Other))] [assembly: NinoSerializable(typeof(Lib.Graph))]", $$"""
                var node = new Lib.Node { Name = "n" };
                var other = new Lib.Other();
                Lib.Graph copy = Copy(new Lib.Graph { All = [node, node], Others = [other, other] });
                Equal({{(isKept ? "true" : "false")}}, ReferenceEquals(copy.All[0], copy.All[1]));
                Equal("n", copy.All[1].Name);
                Equal(false, ReferenceEquals(copy.Others[0], copy.Others[1]));
                """, Attributes + $$"""
                namespace Lib
                {
                    using ProtoBuf;
                    [ProtoContract] public class Node { [ProtoMember(1)] public string? Name { get; set; } }
                    [ProtoContract] public class Other { [ProtoMember(1)] public int Id { get; set; } }
                    [ProtoContract] public class Graph { [ProtoMember(1, {{option}})] public {{type}} Held { get; set; } = default!; [ProtoMember(2)] public List<Node> All { get; set; } = []; [ProtoMember(3)] public List<Other> Others { get; set; } = []; }
                }
                """, seesReferenceAssembly);
        }
    }

    /// <summary>On a base of the model too, and where the class names the member.</summary>
    [Theory]
    [InlineData("[ProtoContract] public class Base { [ProtoMember(1, AsReference = true)] public Node? Held { get; set; } } [ProtoContract] public class Graph : Base { [ProtoMember(2)] public List<Node> All { get; set; } = []; }", true)]
    [InlineData("[ProtoContract, ProtoPartialMember(1, \"Held\", AsReference = true)] public class Graph { public Node? Held { get; set; } [ProtoMember(2)] public List<Node> All { get; set; } = []; }", true)]
    [InlineData("[System.Runtime.Serialization.DataContract] public class Graph { [ProtoMember(1, AsReference = true)] public Node? Held { get; set; } [ProtoMember(2)] public List<Node> All { get; set; } = []; }", true)]
    [InlineData("[ProtoContract, ProtoPartialMember(1, \"Held\")] public class Graph { public Node? Held { get; set; } [ProtoMember(2)] public List<Node> All { get; set; } = []; }", false)]
    public void TheMarkCountsWhereverProtobufTakesIt(string graph, bool isKept) => Programs.Run("[assembly: NinoSerializable(typeof(Lib.Graph))] [assembly: NinoSerializable(typeof(Lib.Node))]", $$"""
        var node = new Lib.Node { Name = "n" };
        Lib.Graph copy = Copy(new Lib.Graph { Held = node, All = [node, node] });
        Equal(({{(isKept ? "true" : "false")}}, "n"), (ReferenceEquals(copy.Held, copy.All[1]), copy.All[0].Name));
        """, Attributes + $$"""namespace Lib { using ProtoBuf; [ProtoContract] public class Node { [ProtoMember(1)] public string? Name { get; set; } } {{graph}} }""", seesReferenceAssembly: true);

    /// <summary>The elements of a collection are the objects that it leads to. What else is generic is an object itself.</summary>
    [Fact]
    public void OfAGenericClassThatIsNoCollectionTheObjectsAreItsOwn() => Programs.Run("[assembly: NinoSerializable(typeof(Lib.Graph))] [assembly: NinoSerializable(typeof(Lib.Box<Lib.Node>))] [assembly: NinoSerializable(typeof(Lib.Node))]", """
        var node = new Lib.Node { Name = "n" };
        var box = new Lib.Box<Lib.Node> { Value = node };
        Lib.Graph copy = Copy(new Lib.Graph { Held = box, Boxes = [box, new Lib.Box<Lib.Node> { Value = node }] });
        Equal((true, false), (ReferenceEquals(copy.Held, copy.Boxes[0]), ReferenceEquals(copy.Boxes[0].Value, copy.Boxes[1].Value)));
        """, Attributes + """
        namespace Lib
        {
            using ProtoBuf;
            [ProtoContract] public class Node { [ProtoMember(1)] public string? Name { get; set; } }
            [ProtoContract] public class Box<T> { [ProtoMember(1)] public T? Value { get; set; } }
            [ProtoContract] public class Graph { [ProtoMember(1, AsReference = true)] public Box<Node>? Held { get; set; } [ProtoMember(2)] public List<Box<Node>> Boxes { get; set; } = []; }
        }
        """, seesReferenceAssembly: true);

    /// <summary>Its bytes are the same in every assembly, whether that sees a model with such a member or none.</summary>
    [Fact]
    public void ATypeWithAMarkOfItsOwnSaysForItselfWhetherReferencesAreKept() => Programs.Run("""
        [assembly: NinoSerializable(typeof(Graph))]
        [NinoType] public class Own { public int Id { get; set; } }
        [ProtoBuf.ProtoContract] public class Graph { [ProtoBuf.ProtoMember(1, AsReference = true)] public Own? Held { get; set; } [ProtoBuf.ProtoMember(2)] public List<Own> All { get; set; } = []; }
        """, """
        var own = new Own { Id = 3 };
        Graph copy = Copy(new Graph { Held = own, All = [own, own] });
        Equal((false, false, 3), (ReferenceEquals(copy.Held, copy.All[0]), ReferenceEquals(copy.All[0], copy.All[1]), copy.All[1].Id));
        """, Attributes);

    [Fact]
    public void AModelThatLeadsToItselfByATrackedMemberMayBeACycle() => Programs.Run("[assembly: NinoSerializable(typeof(Lib.Node))]", """
        var node = new Lib.Node();
        node.Next = node;
        Lib.Node copy = Copy(node);
        Equal(true, ReferenceEquals(copy, copy.Next));
        """, Attributes + "namespace Lib { [ProtoBuf.ProtoContract] public class Node { [ProtoBuf.ProtoMember(1, AsReference = true)] public Node? Next { get; set; } } }", seesReferenceAssembly: true);

    [Fact]
    public void WhatIsDerivedFromSuchAModelKeepsReferencesAsItsBaseDoes() => Programs.Run("[assembly: NinoSerializable(typeof(Lib.Shape))] [NinoType] public class Pair { public Lib.Shape? A; public Lib.Circle? B; }", """
        var circle = new Lib.Circle { Radius = 2 };
        Pair pair = Copy(new Pair { A = circle, B = circle });
        Equal(true, ReferenceEquals(pair.A, pair.B));
        """, """
        namespace Lib;
        using System.Runtime.Serialization;
        [DataContract(IsReference = true), KnownType(typeof(Circle))] public abstract class Shape;
        [DataContract(IsReference = true)] public class Circle : Shape { [DataMember] public int Radius { get; set; } }
        """, seesReferenceAssembly: true);

    [Fact]
    public void TheProgramAsksForReferencesToATypeThatSaysNothing() => Programs.Run("[assembly: NinoSerializable(typeof(Lib.Node), References = true)] [NinoType] public class Both { public List<Lib.Node> All = []; }", """
        var node = new Lib.Node();
        node.Next = node;
        Both both = Copy(new Both { All = { node, node } });
        Equal(true, ReferenceEquals(both.All[0], both.All[1]) && ReferenceEquals(both.All[0], both.All[0].Next));
        """, "namespace Lib; public class Node { public Node? Next { get; set; } }", seesReferenceAssembly: true);

    [Theory]
    [InlineData("public struct Point { public int X; }", "‹[assembly: NinoSerializable(typeof(Point), References = true)]›", "a struct has no identity")]
    [InlineData("[NinoType] public class Own { public int X; }", "‹[assembly: NinoSerializable(typeof(Own), References = true)]›", "[NinoType(References = true)]")]
    [InlineData("public class Own { public int X; }", "‹[assembly: NinoSerializable(typeof(List<Own>), References = true)]› [assembly: NinoSerializable(typeof(Own))]", "stored member by member")]
    [InlineData("public abstract class Base; [NinoType] public class Own : Base { public int X; }", "‹[assembly: NinoSerializable(typeof(Base), References = true)]›", "'Own'")]
    public void ReferencesToWhatHasNoneOfItsOwnHereAreAnError(string library, string program, string message)
    {
        Diagnostic diagnostic = Assert.Single(GeneratorHarness.DiagnoseWithLibrary(library, program.Replace("‹", "").Replace("›", ""), isReferenceAssembly: true));
        Assert.Equal("NINO033", diagnostic.Id);
        Assert.Contains(message, diagnostic.GetMessage());
        Assert.Equal(GeneratorHarness.Usings.Length + program.IndexOf('‹') + "[assembly: ".Length, diagnostic.Location.SourceSpan.Start);
    }
}
