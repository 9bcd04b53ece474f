using Store.Tests.Generator;

namespace Store.Tests.Evolution;

/// <summary>Where the source does not show that a new object's members are zero, one is made and asked.</summary>
public class NewObjectInDoubtTests
{
    private const string Library = """
        namespace Lib;
        public class Root { public Root() { Level = 5; } public int Level { get; set; } }
        public class Foreign { public Foreign(int id) { Id = id; Retries = 3; } public int Id { get; } public int Retries { get; set; } }
        public struct Setting { public Setting(int id) { Id = id; Retries = 3; } public int Id { get; } public int Retries { get; set; } }
        [NinoType] public record Box<T>(int Id, T? Value) { public int Retries { get; set; } = 3; }
        """;

    [Fact]
    public void AnAddedMemberHasTheValueOfANewObjectWhereverThatComesFrom() => Programs.Run("""
        using Lib;
        [assembly: NinoSerializable(typeof(Foreign))]
        [assembly: NinoSerializable(typeof(Setting))]
        [assembly: NinoSerializable(typeof(Box<int>))]
        [NinoType] public sealed class Small { public int Id; }
        [NinoType, NinoFormerName("Small")] public sealed class Behind { private int _retries = 3; public int Id { get; set; } public int Retries { get => _retries; set => _retries = value; } }
        [NinoType, NinoFormerName("Small")] public sealed class Assigned { public Assigned(int id) { Id = id; Retries = 3; } public int Id { get; } public int Retries { get; set; } }
        [NinoType, NinoFormerName("Small")] public sealed class InHead(int id) { public int Id { get; } = id; public int Retries { get; set; } = 3; }
        [NinoType, NinoFormerName("Small")] public sealed class Derived : Root { public int Id { get; set; } }
        public class Middle { protected Middle() => Level = 6; public int Level { get; set; } }
        [NinoType, NinoFormerName("Small")] public sealed class Leaf : Middle { public int Id { get; set; } }
        public class Given(int level) { public int Level { get; set; } = level; }
        [NinoType, NinoFormerName("Small")] public sealed class Passes() : Given(7) { public int Id { get; set; } }
        [NinoType, NinoFormerName("Small")] public sealed record Positional(int Id, string? Name, int Zero);
        """, """
        var small = new Small { Id = 9 };
        Equal((9, 3), (Evolve<Small, Behind>(small).Id, Evolve<Small, Behind>(small).Retries));
        Equal((9, 3), (Evolve<Small, Assigned>(small).Id, Evolve<Small, Assigned>(small).Retries));
        Equal((9, 3), (Evolve<Small, InHead>(small).Id, Evolve<Small, InHead>(small).Retries));
        Equal((9, 5), (Evolve<Small, Derived>(small).Id, Evolve<Small, Derived>(small).Level));
        Equal((9, 6), (Evolve<Small, Leaf>(small).Id, Evolve<Small, Leaf>(small).Level));
        Equal((9, 7), (Evolve<Small, Passes>(small).Id, Evolve<Small, Passes>(small).Level));
        Equal(new Positional(9, null, 0), Evolve<Small, Positional>(small));
        Equal((1, 3), (Old<Foreign>("Lib.Foreign", true, 1).Id, Old<Foreign>("Lib.Foreign", true, 1).Retries));
        Equal((2, 3), (Old<Setting>("Lib.Setting", false, 2).Id, Old<Setting>("Lib.Setting", false, 2).Retries));
        Equal((3, 3), (Old<Box<int>>("Lib.Box", true, 3).Id, Old<Box<int>>("Lib.Box", true, 3).Retries));

        static T Old<T>(string name, bool isReference, int id) => NinoCodec<T>.Default.Decode(BitConverter.GetBytes(id), NinoSchema.Create(new SchemaBuilder().Object(typeof(Small), name, isReference, fields => fields.Add("Id", 0, SchemaNode.Primitive(SchemaKind.Int32)))));
        """, Library);

    [Fact]
    public void AMemberThatIsConvertedFromAParameterHasTheValueOfANewObject() => Programs.Run("""
        [NinoType] public readonly record struct Kelvin(int Degrees) { public static implicit operator Kelvin(int celsius) => new(celsius + 273); }
        [NinoType] public sealed class Small { public int Id; }
        [NinoType, NinoFormerName("Small")] public sealed class Converted(int heat) { public int Id { get; set; } public int Heat { get; } = heat; public Kelvin Warmth { get; set; } = heat; public Kelvin Field = heat; }
        """, """
        Converted now = Evolve<Small, Converted>(new Small { Id = 9 });
        Equal((9, 0, 273, 273), (now.Id, now.Heat, now.Warmth.Degrees, now.Field.Degrees));
        """);

    [Fact]
    public void AMemberThatAGetterMakesUpHasTheValueOfANewObjectInClassesAndStructs() => Programs.Run("""
        [NinoType] public sealed class Small { public int Id; }
        [NinoType] public struct Little { public int Id; }
        [NinoType, NinoFormerName("Small")] public sealed class InClass { private int? _timeout; public int Id { get; set; } public int Timeout { get => _timeout ?? 30; set => _timeout = value; } }
        [NinoType, NinoFormerName("Small")] public sealed class ByKeyword { public int Id { get; set; } public string Name { get => field ?? "none"; set; } }
        public class Root { private int _timeout; public virtual int Timeout { get => _timeout == 0 ? 30 : _timeout; set => _timeout = value; } }
        [NinoType, NinoFormerName("Small")] public sealed class Inherited : Root { public int Id { get; set; } }
        [NinoType, NinoFormerName("Little")] public struct InStruct { private int? _timeout; public int Id { get; set; } public int Timeout { readonly get => _timeout ?? 30; set => _timeout = value; } }
        """, """
        var small = new Small { Id = 9 };
        Equal((9, 30), (Evolve<Small, InClass>(small).Id, Evolve<Small, InClass>(small).Timeout));
        Equal((9, "none"), (Evolve<Small, ByKeyword>(small).Id, Evolve<Small, ByKeyword>(small).Name));
        Equal((9, 30), (Evolve<Small, Inherited>(small).Id, Evolve<Small, Inherited>(small).Timeout));
        var little = new Little { Id = 8 };
        Equal((8, 30), (Evolve<Little, InStruct>(little).Id, Evolve<Little, InStruct>(little).Timeout));
        """);

    [Fact]
    public void WhereTheSourceShowsThatAllIsZeroNoObjectIsAsked()
    {
        foreach (string source in new[]
        {
            "[NinoType] public sealed record {0}(int Id, string? Name);",
            "[NinoType] public sealed class {0} { public int Id { get; set; } public string? Name; }",
            "[NinoType] public sealed class {0}(int id) { public int Id { get; } = id; }",
            "public record Base(int Id); [NinoType] public sealed record {0}(int Id, string? Name) : Base(Id);",
            "[NinoType] public sealed class {0} { private static readonly int s_any = 3; public const int Three = 3; public int Id { get; set; } public {0}() { } public static int Any() => s_any; }",
        })
        {
            Assert.DoesNotContain("Defaults<", GeneratorHarness.SourceOf(GeneratorHarness.Generate(source.Replace("{0}", "Order")), "OrderCodec.g.cs"), StringComparison.Ordinal);
        }
    }

    [Fact]
    public void AFactoryIsNotAskedAndWhatIsAddedIsZero() => Programs.Run("""
        [NinoType] public sealed class Small { public int Id; }
        [NinoType, NinoFormerName("Small")] public sealed class Made
        {
            private Made(int id) => Id = id;
            public int Id { get; }
            public int Retries { get; set; } = 3;
            [NinoConstructor] public static Made Of(int id) => id == 0 ? throw new InvalidOperationException("asked") : new Made(id);
        }
        """, "Equal((9, 0), (Evolve<Small, Made>(new Small { Id = 9 }).Id, Evolve<Small, Made>(new Small { Id = 9 }).Retries));");
}
