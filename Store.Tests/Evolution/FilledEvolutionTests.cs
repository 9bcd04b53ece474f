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

    private static string Fields<T>() => string.Join(", ", ((ObjectDefinition)NinoSerializer.SchemaOf<T>().Root.Definition!).Fields.Select(static field => $"{field.Name} {field.Node.Kind}"));
}
