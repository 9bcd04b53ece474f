// A polymorphic base of which two assemblies know different cases, in one record: the schema is true of both, and whoever has nothing but the schema reads the record.

using Store.Serialization;
using Store.Tests.Inspect;
using Store.Tests.Log;

namespace Store.Tests.Generator.Polymorphism;

/// <summary>Records that hold a base by the codecs of several assemblies.</summary>
public sealed class SeveralAssembliesTests : IDisposable
{
    private const string Library = """
        namespace Lib;
        [NinoType] public abstract class Animal { public int Id; }
        [NinoType] public class Dog : Animal { public string? Name; }
        [NinoType] public class Cage { public Animal? Inside; }
        [NinoType] public class Box<T> { public T? Value; public int Width; }
        [NinoType] public class Crate { public Box<Animal>? Box; public Animal[,]? Grid; public (Animal?, int) Pair; }
        [NinoType] public class Keeper { public Animal? Pet; }
        [NinoType] public class Drawer { public object? Thing; public Box<object>? Box; }
        """;

    private const string Program = """
        using Lib;
        [NinoType] public class Cat : Animal { public int Lives; public string? Colour; }
        """;

    private const string Cases = """
        static string Cases<T>() => string.Join(" ", System.Linq.Enumerable.Select(System.Linq.Enumerable.Single(System.Linq.Enumerable.OfType<UnionDefinition>(NinoSerializer.SchemaOf<T>().Definitions), union => union.Name == "Lib.Animal").Cases, one => one.Node.Definition!.Name));
        """;

    private readonly TemporaryFolder _folder = new();

    public void Dispose() => _folder.Dispose();

    [Theory]
    [InlineData("public Cage? Cage; public Animal? Pet;", "Cage = new Cage { Inside = new Dog { Id = 1 } }, Pet = new Cat { Lives = 9 }")]
    [InlineData("public Animal? Pet; public Cage? Cage;", "Cage = new Cage { Inside = new Dog { Id = 1 } }, Pet = new Cat { Lives = 9 }")]
    [InlineData("public Crate? Crate; public Box<Animal>? Own;", "Crate = new Crate { Box = new Box<Animal> { Value = new Dog() } }, Own = new Box<Animal> { Value = new Cat { Lives = 9 } }")]
    [InlineData("public Crate? Crate; public Animal[,]? Own;", "Crate = new Crate { Grid = new Animal[,] { { new Dog() } } }, Own = new Animal[,] { { new Cat { Lives = 9 } } }")]
    [InlineData("public Crate? Crate; public (Animal?, int) Own;", "Crate = new Crate { Pair = (new Dog(), 1) }, Own = (new Cat { Lives = 9 }, 2)")]
    [InlineData("public Keeper? Keeper; public Head? Head;", "Keeper = new Keeper { Pet = new Dog() }, Head = new Head { Pet = new Cat { Lives = 9 } }")]
    [InlineData("public Drawer? Drawer; public Box<object>? Own;", "Drawer = new Drawer { Thing = new Dog(), Box = new Box<object> { Value = 5 } }, Own = new Box<object> { Value = new Cat { Lives = 9 } }")]
    public void TheSchemaHasWhatEveryPlaceOfTheRecordMayHold(string members, string values) => Programs.RunWith([("Library", Library, 0)], $$"""
        {{Program}}
        [NinoType] public class Head : Keeper { public int Rank; }
        [NinoType] public class Zoo { {{members}} }
        """, $$"""
        var zoo = new Zoo { {{values}} };
        Copy(zoo);
        NinoValue.Decode(NinoSerializer.SchemaOf<Zoo>(), NinoSerializer.Serialize(zoo));
        using var json = new System.IO.MemoryStream();
        using (var writer = new System.Text.Json.Utf8JsonWriter(json)) NinoJson.Write(writer, NinoSerializer.SchemaOf<Zoo>(), NinoSerializer.Serialize(zoo));
        Equal(true, System.Text.Encoding.UTF8.GetString(json.ToArray()).Contains("\"Lives\":9"));
        """);

    [Fact]
    public void ARecordHasNoMoreCasesThanItsPlacesKnowAndTheOrderOfThoseDoesNotMatter() => Programs.RunWith([("Library", Library, 0)], $$"""
        {{Program}}
        [NinoType] public class First { public Cage? Cage; public Animal? Pet; }
        [NinoType] public class Second { public Animal? Pet; public Cage? Cage; }
        [NinoType] public class Plain { public Cage? Cage; }
        """, $$"""
        {{Cases}}
        Copy(new Plain());
        Equal("Lib.Dog", Cases<Plain>());
        Equal("Lib.Dog", Cases<Cage>());
        Equal(Cases<First>(), Cases<Second>());
        Equal(2, Cases<First>().Split(' ').Length);
        """);

    [Fact]
    public void ALaterShapeReadsTheRecord() => Programs.RunWith([("Library", Library, 0)], $$"""
        {{Program}}
        namespace Before { [NinoType(Name = "Zoo")] public class Zoo { public Cage? Cage; public Animal? Pet; } }
        namespace After { [NinoType(Name = "LaterZoo")] [NinoFormerName("Zoo")] public class Zoo { public Cage? Cage; public Animal? Pet; public int Added = 3; } }
        """, """
        var zoo = new Before.Zoo { Cage = new Cage { Inside = new Dog { Id = 1 } }, Pet = new Cat { Lives = 9 } };
        Copy(zoo);
        After.Zoo read = NinoSerializer.Deserialize<After.Zoo>(NinoSerializer.Serialize(zoo, NinoHeader.Schema), NinoHeader.Schema);
        Equal(9, ((Cat)read.Pet!).Lives);
        Equal(1, ((Dog)read.Cage!.Inside!).Id);
        Equal(3, read.Added);
        """);

    [Fact]
    public void AStoreAndItsToolReadTheRecord()
    {
        Programs.RunWith([("Library", Library, 0)], $$"""
            {{Program}}
            [NinoType] public class Zoo { public Cage? Cage; public Animal? Pet; }
            """, $$"""
            var zoo = new Zoo { Cage = new Cage { Inside = new Dog { Name = "Rex" } }, Pet = new Cat { Lives = 9, Colour = "red" } };
            Copy(zoo);
            using (Store.NinoStore store = Store.NinoStore.Open(@"{{_folder["store"]}}")) store.Append(zoo);
            using (Store.NinoStore store = Store.NinoStore.Open(@"{{_folder["store"]}}"))
            {
                foreach (Store.LogRecord<Zoo> read in store.Read<Zoo>()) Equal("red", ((Cat)read.Value.Pet!).Colour);
            }
            """);
        ToolRun run = ToolRun.Of("cat", "--json", _folder["store"]);
        Assert.Equal((0, ""), (run.ExitCode, run.Error));
        Assert.Contains("\"Name\":\"Rex\"", run.Output);
        Assert.Contains("\"Colour\":\"red\"", run.Output);
    }

    [Fact]
    public void AUnionOfFSharpIsDescribedByEachAssemblyAndIsOneTypeOfTheSchema() => Programs.RunWith(
        [("Library", "namespace Lib; [NinoType] public class Holder { public Microsoft.FSharp.Core.FSharpResult<int, string> Result; }", 0)],
        "[NinoType] public class Outer { public Lib.Holder? Holder; public Microsoft.FSharp.Core.FSharpResult<int, string> Own; }", """
        Outer copy = Copy(new Outer { Holder = new Lib.Holder { Result = Microsoft.FSharp.Core.FSharpResult<int, string>.NewOk(5) }, Own = Microsoft.FSharp.Core.FSharpResult<int, string>.NewError("e") });
        Equal((5, "e"), (copy.Holder!.Result.ResultValue, copy.Own.ErrorValue));
        """);

    [Fact]
    public void ATypeThatTwoAssembliesEncodeInDifferentWaysHasNoSchemaAndTheMessageSaysWhy()
    {
        var builder = new SchemaBuilder();
        SchemaNode first = First.Describe(builder);
        Assert.Same(first, First.Describe(builder));
        // Under another name, which a codec of one's own may give, it is another type.
        Assert.NotSame(first, Named.Describe(builder));
        ArgumentException error = Assert.Throws<ArgumentException>(() => Other.Describe(builder));
        Assert.Contains("'Money' as two assemblies encode it in different ways", error.Message);
        Assert.Contains("[Amount: Int32] and [Amount: Int64]", error.Message);
    }

    [Fact]
    public void ACaseThatTwoAssembliesEncodeInDifferentWaysHasNoSchemaEither()
    {
        // As unions of F# describe theirs: cases without a CLR type, new ones each time.
        Assert.Single(((UnionDefinition)Described(SchemaKind.Int32, SchemaKind.Int32).Definition!).Cases);
        Assert.Contains("[Amount: Int32] and [Amount: Int64]", Assert.Throws<ArgumentException>(static () => Described(SchemaKind.Int32, SchemaKind.Int64)).Message);

        static SchemaNode Described(SchemaKind first, SchemaKind second)
        {
            var builder = new SchemaBuilder();
            builder.Union(typeof(decimal), "Price", UnionForm.ExplicitTags, cases => cases.Add(1, Case(first)));
            return builder.Union(typeof(decimal), "Price", UnionForm.ExplicitTags, new Again(second).Describe);
        }
    }

    [Fact]
    public void AClassThatOneAssemblyRegistersWithReferencesAndAnotherWithoutIsToldAsThat() => Programs.RunWith(
        [
            ("Base", "namespace Base; public sealed class Node { public int Number { get; set; } public Node? Next { get; set; } }", 0),
            ("Library", "[assembly: NinoSerializable(typeof(Base.Node), References = true)] namespace Lib; [NinoType] public sealed class Ring { public Base.Node? First { get; set; } }", 1),
        ],
        """
        [assembly: NinoSerializable(typeof(Base.Node))]
        [NinoType] public sealed class Both { public Lib.Ring? Ring { get; set; } public Base.Node? Node { get; set; } }
        [NinoType] public sealed class Alone { public Lib.Ring? Ring { get; set; } }
        """, """
        var ring = new Base.Node { Number = 3 };
        ring.Next = ring;
        Base.Node copy = Copy(new Alone { Ring = new Lib.Ring { First = ring } }).Ring!.First!;
        Equal(copy, copy.Next);
        Equal(4, Copy(new Base.Node { Number = 4 }).Number);
        try { NinoSerializer.Serialize(new Both { Ring = new Lib.Ring { First = ring }, Node = new Base.Node() }, NinoHeader.Schema); }
        catch (ArgumentException error) when (error.Message.Contains("'Base.Node' as two assemblies encode it in different ways") && error.Message.Contains("one keeps references to its objects, and the other does not. Register it with References = true in both or in neither.")) { return; }
        throw new Exception("written");
        """);

    /// <summary>The classes that hold it differ in nothing else.</summary>
    [Fact]
    public void SoItIsWhereBothRegisterWhatHoldsItToo() => Programs.RunWith(
        [
            ("Base", "namespace Base; public sealed class Node { public int Number { get; set; } public Node? Next { get; set; } } public sealed class Holder { public Node? Node { get; set; } }", 0),
            ("Library", "[assembly: NinoSerializable(typeof(Base.Node), References = true)] [assembly: NinoSerializable(typeof(Base.Holder))] namespace Lib; [NinoType] public sealed class Ring { public Base.Holder? Holder { get; set; } }", 1),
        ],
        """
        [assembly: NinoSerializable(typeof(Base.Node))]
        [assembly: NinoSerializable(typeof(Base.Holder))]
        [NinoType] public sealed class Both { public Lib.Ring? Ring { get; set; } public Base.Holder? Holder { get; set; } }
        """, """
        Equal(4, Copy(new Base.Node { Number = 4 }).Number);
        try { NinoSerializer.Serialize(new Both { Ring = new Lib.Ring() }, NinoHeader.Schema); }
        catch (ArgumentException error) when (error.Message.Contains("'Base.Node' as two assemblies encode it in different ways") && error.Message.Contains("one keeps references to its objects")) { return; }
        throw new Exception("written");
        """);

    private static SchemaNode Case(SchemaKind kind) => Values.Shapes.Class("Net", ("Amount", Values.Shapes.Of(kind)));

    private sealed class Again(SchemaKind kind)
    {
        public void Describe(SchemaBuilder.CaseList cases) => cases.Add(1, Case(kind));
    }

    private static class First
    {
        public static SchemaNode Describe(SchemaBuilder builder) => builder.Object(typeof(decimal), "Money", true, static fields => fields.Add("Amount", 0, SchemaNode.Primitive(SchemaKind.Int32)));
    }

    private static class Other
    {
        public static SchemaNode Describe(SchemaBuilder builder) => builder.Object(typeof(decimal), "Money", true, static fields => fields.Add("Amount", 0, SchemaNode.Primitive(SchemaKind.Int64)));
    }

    private static class Named
    {
        public static SchemaNode Describe(SchemaBuilder builder) => builder.Object(typeof(decimal), "Cents", true, static fields => fields.Add("Amount", 0, SchemaNode.Primitive(SchemaKind.Int64)));
    }
}
