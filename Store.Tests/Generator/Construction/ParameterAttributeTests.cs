namespace Store.Tests.Generator.Construction;

/// <summary>Attributes stand on constructor parameters too: of a record, of a class, here and in another assembly. None is passed over in silence.</summary>
public class ParameterAttributeTests
{
    private const string Library = """
        namespace Lib;
        [NinoType, NinoFormerName("OldBox")] public record Box<T>([NinoMember(2)] T Value, [NinoMember(1), NinoFormerName("Old")] string? Name, [NinoUtf8] string? Text)
        {
            public Box() : this(default!, null, null) { }
        }
        [NinoType] public record Base([NinoMember(7)] int Id, int Other);
        public sealed record Foreign([NinoMember(2)] int A, [NinoMember(1)] int B);
        public readonly record struct Pair([NinoMember(2)] int A, [NinoMember(1)] int B);
        public class Plain([NinoMember(2)] int a, [NinoMember(1)] int b) { public int A { get; } = a; public int B { get; } = b; }
        """;

    [Fact]
    public void ThoseOfARecordOfAnotherAssemblyCountAsThoseOfOneHere() => Programs.Run("""
        using Lib;
        [assembly: NinoSerializable(typeof(Box<int>))]
        [assembly: NinoSerializable(typeof(Foreign))]
        [assembly: NinoSerializable(typeof(Pair))]
        [assembly: NinoSerializable(typeof(Plain))]
        [NinoType] public sealed record Here<T>([NinoMember(2)] T Value, [NinoMember(1), NinoFormerName("Old")] string? Name, [NinoUtf8] string? Text);
        [NinoType] public sealed record UsesHere(Here<int> Here);
        [NinoType] public sealed record Derived(int Id, int Other, [NinoMember(1)] int First) : Base(Id, Other);
        [NinoType] public sealed class OldBox { [NinoMember(2)] public int Value; public string? Old; }
        """, """
        Equal("2:Value:Int32 1:Name:String 0:Text:Utf8String", Fields<Box<int>>());
        Equal("1:First:Int32 7:Id:Int32 0:Other:Int32", Fields<Derived>());
        Equal("1:B:Int32 2:A:Int32", Fields<Foreign>());
        Equal("1:B:Int32 2:A:Int32", Fields<Pair>());
        Equal("1:B:Int32 2:A:Int32", Fields<Plain>());
        Equal("2:Value:Int32 1:Name:String 0:Text:Utf8String", string.Join(" ", System.Linq.Enumerable.Select(((ObjectDefinition)((ObjectDefinition)NinoSerializer.SchemaOf<UsesHere>().Root.Definition!).Fields[0].Node.Definition!).Fields, f => $"{f.Id}:{f.Name}:{f.Node.Kind}")));
        Equal(new Box<int>(1, "n", "t"), Copy(new Box<int>(1, "n", "t")));
        Equal(new Derived(1, 2, 3), Copy(new Derived(1, 2, 3)));
        Equal(new Pair(1, 2), Copy(new Pair(1, 2)));
        Equal(new Box<int>(4, "old", null), Evolve<OldBox, Box<int>>(new OldBox { Value = 4, Old = "old" }));
        """, Library);

    [Fact]
    public void ThoseOfTheConstructorOfAClassCountForTheMembersItSets() => Programs.Run("""
        [NinoType] public sealed class Head([NinoMember(2)] int id, [NinoMember(1), NinoUtf8] string? name) { public int Id { get; } = id; public string? Name { get; } = name; }
        [NinoType, NinoFormerName("OldBody")] public sealed class Body
        {
            private readonly string? _name;
            public Body() { }
            [NinoConstructor] public Body([NinoMember(3)] int id, [NinoFormerName("Name"), NinoUtf8] string? title) { Id = id; _name = title; }
            public int Id { get; }
            [NinoIgnore] public int Length => _name?.Length ?? 0;
            public string? Title => _name;
        }
        [NinoType] public sealed class OldBody { public int Id; [NinoUtf8] public string? Name; }
        """, """
        Equal("2:Id:Int32 1:Name:Utf8String", Fields<Head>());
        Equal("3:Id:Int32 0:Title:Utf8String", Fields<Body>());
        Equal("was", Evolve<OldBody, Body>(new OldBody { Id = 1, Name = "was" }).Title);
        Equal("n", Copy(new Head(1, "n")).Name);
        """);
}
