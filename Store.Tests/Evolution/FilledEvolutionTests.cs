using Store.Serialization;
using Store.Tests.Filling;
using Store.Tests.Generator;

namespace Store.Tests.Evolution;

/// <summary>A collection without a setter is the same in a record as one with it, and one that older records lack is what the constructor made.</summary>
public sealed class FilledEvolutionTests
{
    [Fact]
    public void ThePlanOfASetterIsThatOfNone()
    {
        Assert.Equal(Fields<SettableBasket>(), Fields<Basket>());
        byte[] bytes = NinoSerializer.Serialize(new Basket { Id = 5, Items = { "a", "b" }, Counts = { ["x"] = 1 }, Tags = { 7 } });
        SettableBasket settable = NinoCodec<SettableBasket>.Default.Decode(bytes, NinoSerializer.SchemaOf<Basket>());
        Assert.Equal(["a", "b"], settable.Items);
        byte[] again = NinoSerializer.Serialize(settable);
        Assert.Equal(bytes, again);
        Assert.Equal(["a", "b"], NinoCodec<Basket>.Default.Decode(again, NinoSerializer.SchemaOf<SettableBasket>()).Items);
    }

    [Fact]
    public void AnAddedMemberKeepsWhatTheConstructorMade() => Programs.Run("""
        [NinoType] public sealed class Old { public int Id { get; set; } }
        [NinoType, NinoFormerName("Old")] public sealed class Now { public int Id { get; set; } public List<string> Roles { get; } = ["guest"]; public HashSet<int> Marks { get; } = []; }
        """, """
        Now now = Evolve<Old, Now>(new Old { Id = 3 });
        Equal((3, "guest", 0), (now.Id, string.Join(",", now.Roles), now.Marks.Count));
        """);

    /// <summary>Only what may hold a numbered object could take a number: an object member may, where the assembly has a type that keeps references.</summary>
    [Fact]
    public void BesideReferencesAnAddedMemberHasTheValueOfANewObject() => Programs.Run("""
        namespace Old
        {
            [NinoType(References = true)] public sealed class Node { public string Name { get; set; } = ""; public Node? Next { get; set; } }
            [NinoType] public sealed class Envelope { public object? Payload { get; set; } }
        }
        namespace Now
        {
            [NinoType(References = true), NinoFormerName("Old.Node")] public sealed class Node { public string Name { get; set; } = ""; public Node? Next { get; set; } public bool IsActive { get; set; } = true; public List<string> Roles { get; } = ["guest"]; public List<Node> Others { get; } = []; }
            [NinoType, NinoFormerName("Old.Envelope")] public sealed class Envelope { public object? Payload { get; set; } public int Priority { get; set; } = 5; public object? Note { get; set; } = "new"; }
        }
        """, """
        var first = new Old.Node { Name = "a" };
        first.Next = new Old.Node { Name = "b", Next = first };
        Now.Node now = Evolve<Old.Node, Now.Node>(first);
        Equal(("b", true), (now.Next!.Name, ReferenceEquals(now, now.Next.Next)));
        Equal((true, "guest", true, 0), (now.IsActive, string.Join(",", now.Next.Roles), now.Next.IsActive, now.Others.Count));
        Now.Envelope envelope = Evolve<Old.Envelope, Now.Envelope>(new Old.Envelope { Payload = 7 });
        Equal(((object?)7, 5, (object?)null), (envelope.Payload, envelope.Priority, envelope.Note));
        """);

    private static string Fields<T>() => string.Join(", ", ((ObjectDefinition)NinoSerializer.SchemaOf<T>().Root.Definition!).Fields.Select(static field => $"{field.Name} {field.Node.Kind}"));
}
