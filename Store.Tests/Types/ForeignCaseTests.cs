using Microsoft.CodeAnalysis;
using Store.Tests.Generator;

namespace Store.Tests.Types;

/// <summary>A registered base that names its derived types with the attributes of another serializer has them as its cases, by the hashes of their names.</summary>
public sealed class ForeignCaseTests
{
    private const string Library = """
        namespace MemoryPack { public sealed class MemoryPackableAttribute : Attribute; [AttributeUsage(AttributeTargets.All, AllowMultiple = true)] public sealed class MemoryPackUnionAttribute(ushort tag, Type type) : Attribute { public object[] All => [tag, type]; } }
        namespace MessagePack { public sealed class MessagePackObjectAttribute : Attribute; [AttributeUsage(AttributeTargets.All, AllowMultiple = true)] public sealed class UnionAttribute(int key, Type type) : Attribute { public object[] All => [key, type]; } }
        namespace ProtoBuf
        {
            public sealed class ProtoContractAttribute : Attribute; public sealed class ProtoMemberAttribute(int tag) : Attribute { public int Tag => tag; }
            [AttributeUsage(AttributeTargets.All, AllowMultiple = true)] public sealed class ProtoIncludeAttribute(int tag, Type type) : Attribute { public object[] All => [tag, type]; }
        }
        namespace Lib
        {
            using MemoryPack; using MessagePack; using ProtoBuf; using System.Runtime.Serialization; using System.Text.Json.Serialization;
            [MemoryPackable, MemoryPackUnion(0, typeof(PackedA)), MemoryPackUnion(1, typeof(PackedB))] public interface IPacked;
            [MemoryPackable] public class PackedA : IPacked { public int A { get; set; } }
            [MemoryPackable] public struct PackedB : IPacked { public string? B { get; set; } }
            [Union(0, typeof(KeyedA)), Union(1, typeof(KeyedB<>))] public abstract class Keyed<T>;
            public sealed class KeyedA : Keyed<int> { public int A { get; set; } }
            public sealed class KeyedB<T> : Keyed<T> { public T? B { get; set; } }
            [ProtoContract, ProtoInclude(10, typeof(Middle))] public class Tagged { [ProtoMember(1)] public int Id { get; set; } }
            [ProtoContract, ProtoInclude(10, typeof(Leaf))] public abstract class Middle : Tagged;
            [ProtoContract] public class Leaf : Middle { [ProtoMember(1)] public int A { get; set; } }
            [DataContract, KnownType(typeof(Known)), KnownType(typeof(List<string>)), KnownType("Others")] public abstract class Contract { public static Type[] Others() => []; }
            [DataContract] public class Known : Contract { [DataMember] public int A { get; set; } }
            [JsonDerivedType(typeof(JsonBase)), JsonDerivedType(typeof(JsonA), "a"), JsonDerivedType(typeof(JsonB), 2)] public class JsonBase { public int Id { get; set; } }
            public class JsonA : JsonBase { public int A { get; set; } }
            public class JsonB : JsonBase { public int B { get; set; } }
        }
        """;

    private const string Registrations = """
        using Lib;
        [assembly: NinoSerializable(typeof(IPacked))] [assembly: NinoSerializable(typeof(Keyed<int>))] [assembly: NinoSerializable(typeof(Tagged))] [assembly: NinoSerializable(typeof(Contract))] [assembly: NinoSerializable(typeof(JsonBase))]
        [NinoType] public sealed record All(IPacked[] Packed, List<Keyed<int>> Keyed, Tagged? Tagged, Contract? Contract, JsonBase[] Json);

        """;

    private const string Calls = """
        All copy = Copy(new All([new PackedA { A = 1 }, new PackedB { B = "b" }], [new KeyedA { A = 2 }, new KeyedB<int> { B = 3 }], new Leaf { Id = 4, A = 5 }, new Known { A = 6 }, [new JsonBase { Id = 7 }, new JsonA { Id = 8, A = 9 }, new JsonB { B = 10 }]));
        Equal((1, "b"), (((PackedA)copy.Packed[0]).A, ((PackedB)copy.Packed[1]).B));
        Equal((2, 3), (((KeyedA)copy.Keyed[0]).A, ((KeyedB<int>)copy.Keyed[1]).B));
        Equal((4, 5, 6), (copy.Tagged!.Id, ((Leaf)copy.Tagged).A, ((Known)copy.Contract!).A));
        Equal((7, typeof(JsonBase), 8, 9, 10), (copy.Json[0].Id, copy.Json[0].GetType(), copy.Json[1].Id, ((JsonA)copy.Json[1]).A, ((JsonB)copy.Json[2]).B));
        Equal(11, ((JsonA)Copy<JsonBase>(new JsonA { A = 11 })).A);
        Equal(12, Copy(new KeyedB<int> { B = 12 }).B);
        Equal("0:Id:Int32 0:A:Int32", Fields<Leaf>());
        Equal("Lib.Leaf Lib.Tagged", Cases<Tagged>());
        Equal("Lib.JsonA Lib.JsonB Lib.JsonBase", Cases<JsonBase>());
        static string Cases<T>()
        {
            var union = (UnionDefinition)NinoSerializer.SchemaOf<T>().Root.Definition!;
            Equal(false, union.Form.HasFlag(UnionForm.ExplicitTags));
            List<string> names = [];
            foreach (UnionCase one in union.Cases) { names.Add(one.Node.Definition!.Name); Equal(UnionDefinition.HashOf(one.Node.Definition.Name), one.Tag); }
            names.Sort(StringComparer.Ordinal);
            return string.Join(" ", names);
        }
        """;

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void NamedTypesAreCasesOfBasesOfAnotherAssembly(bool seesReferenceAssembly) => Programs.Run(Registrations, Calls, Library, seesReferenceAssembly);

    [Fact]
    public void NamedTypesAreCasesOfBasesOfTheSameAssembly() => Programs.Run(Registrations + Library, Calls);

    [Fact]
    public void TypesThatAreRegisteredAreCasesBesideThoseThatAreNamed() => Programs.Run("""
        using System.Runtime.Serialization;
        [assembly: NinoSerializable(typeof(Animal))] [assembly: NinoSerializable(typeof(Cat))]
        [KnownType(typeof(Dog))] public abstract class Animal { public int Age { get; set; } }
        public class Dog : Animal;
        public class Cat : Animal;
        """, "Equal(3, Copy<Animal>(new Dog { Age = 1 }).Age + Copy<Animal>(new Cat { Age = 2 }).Age);");

    [Fact]
    public void ABaseOfOnesOwnDoesNotFollowTheAttributesOfOthers()
    {
        string[] ids = [.. GeneratorHarness.Diagnose("[assembly: NinoSerializable(typeof(Animal))] [NinoType, System.Runtime.Serialization.KnownType(typeof(Dog))] internal abstract class Animal; class Dog : Animal { public int X; }").Select(static one => one.Id).Distinct()];
        Assert.Equal(["NINO011"], ids);
    }

    [Fact]
    public void ATypeThatIsNotDerivedFromTheBaseIsAnErrorButForKnownTypes()
    {
        const string source = "[assembly: NinoSerializable(typeof(A))] [System.Text.Json.Serialization.JsonDerivedType(typeof(string)), System.Runtime.Serialization.KnownType(typeof(Uri))] public class A { public int X; }";
        Diagnostic diagnostic = Assert.Single(GeneratorHarness.Diagnose(source));
        Assert.Equal("NINO031", diagnostic.Id);
        Assert.Contains("[JsonDerivedType] names 'string', which cannot be a case of 'A': it is not derived from the base", diagnostic.GetMessage(null));
    }

    private const string Hiding = """
        namespace Lib
        {
            using System.Runtime.Serialization; using System.Text.Json.Serialization;
            [KnownType(typeof(Circle)), KnownType(typeof(Hidden))] public abstract class Shape { public int X { get; set; } public static Shape MakeHidden() => new Hidden(); }
            public class Circle : Shape;
            internal class Hidden : Shape;
            public static class Zoo
            {
                [JsonDerivedType(typeof(Cat)), JsonDerivedType(typeof(Nested)), JsonDerivedType(typeof(Inner))] public class Pet { public int Age { get; set; } }
                private class Nested : Pet;
                private abstract class Inner : Pet;
                public static Pet MakeNested() => new Nested();
            }
            public class Cat : Zoo.Pet;
        }
        """;

    [Fact]
    public void AHiddenTypeThatAModelOfAnotherAssemblyNamesIsAWarningAtItsRegistration()
    {
        const string program = "[assembly: NinoSerializable(typeof(Lib.Shape))] [assembly: NinoSerializable(typeof(Lib.Zoo.Pet))]";
        Diagnostic[] diagnostics = [.. GeneratorHarness.DiagnoseWithLibrary(Hiding, program, isReferenceAssembly: false)];
        Assert.Equal(
            [
                "[KnownType] of 'Lib.Shape' names 'Lib.Hidden', which generated code cannot reach: it is no case of 'Lib.Shape', and writing an object of it is an error",
                "[JsonDerivedType] of 'Lib.Zoo.Pet' names 'Lib.Zoo.Nested', which generated code cannot reach: it is no case of 'Lib.Zoo.Pet', and writing an object of it is an error",
            ],
            diagnostics.Select(static one => one.GetMessage(null)));
        Assert.All(diagnostics, static one => Assert.Equal(("NINO034", DiagnosticSeverity.Warning), (one.Id, one.DefaultSeverity)));
        Assert.Equal([program.IndexOf("NinoSerializable", StringComparison.Ordinal), program.LastIndexOf("NinoSerializable", StringComparison.Ordinal)], diagnostics.Select(static one => one.Location.SourceSpan.Start - GeneratorHarness.Usings.Length));
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void AnObjectOfAHiddenTypeIsRefusedAndTheOtherCasesAreStored(bool seesReferenceAssembly) => Programs.Run("""
        #pragma warning disable NINO034
        [assembly: NinoSerializable(typeof(Lib.Shape))] [assembly: NinoSerializable(typeof(Lib.Zoo.Pet))]
        """, """
        Equal(1, Copy<Lib.Shape>(new Lib.Circle { X = 1 }).X);
        Equal(2, ((Lib.Cat)Copy<Lib.Zoo.Pet>(new Lib.Cat { Age = 2 })).Age);
        Refused(Lib.Shape.MakeHidden());
        Refused(Lib.Zoo.MakeNested());
        static void Refused<T>(T value)
        {
            try { NinoSerializer.Serialize(value); }
            catch (NinoSerializationException error) when (error.Message.Contains(value!.GetType().ToString())) { return; }
            throw new InvalidOperationException(value + " was written");
        }
        """, Hiding, seesReferenceAssembly);

    [Fact]
    public void ATypeThatAModelNamesAndThatHasAPartUnderAnAliasOnlyIsAWarningToo()
    {
        const string library = "namespace Lib; [System.Runtime.Serialization.KnownType(typeof(Circle<int>)), System.Runtime.Serialization.KnownType(typeof(Circle<Low.Plain>))] public class Shape { public int X { get; set; } } public class Circle<T> : Shape;";
        Diagnostic diagnostic = Assert.Single(GeneratorHarness.DiagnoseWithLibraries("namespace Low; public class Plain { public int Id { get; set; } }", library, "[assembly: NinoSerializable(typeof(Lib.Shape))]", "Old"));
        Assert.Equal(("NINO034", DiagnosticSeverity.Warning), (diagnostic.Id, diagnostic.DefaultSeverity));
        Assert.Contains("names 'Lib.Circle<Low.Plain>', which generated code cannot reach: it is no case of 'Lib.Shape', and writing an object of it is an error; the assembly 'Lower' of 'Low.Plain' is referenced under the alias 'Old' only", diagnostic.GetMessage(null));
    }

    [Fact]
    public void AHiddenTypeOfOnesOwnThatIsNamedIsAnError() => Assert.Equal("NINO003", Assert.Single(GeneratorHarness.Diagnose(
        "[assembly: NinoSerializable(typeof(Outer.Shape))] public class Outer { [System.Runtime.Serialization.KnownType(typeof(Hidden))] public class Shape { public int X; } private class Hidden : Shape; }")).Id);
}
