namespace Store.Tests.Generator;

/// <summary>Types that several assemblies may write codecs for: constructions of generic types, tuples, and registered types.</summary>
public class SharedTypeTests
{
    private const string Members = """
        public Box<Money>? Box { get; set; }
        public Slot<Money> Slot { get; set; }
        public (Money, int) Pair { get; set; }
        public (Money?, (int, Money), int) Nested { get; set; }
        public Slot<Note> Note { get; set; }
        public Slot<(Money, long)>[]? Slots { get; set; }
        public Plain? Plain { get; set; }
        """;

    private const string Library = $$"""
        [assembly: NinoSerializable(typeof(Lib.Plain))]
        namespace Lib;
        [NinoType] public record struct Money(decimal Amount, int Currency);
        [NinoType] public record struct Note(string? Text);
        public sealed class Plain { public string? Text { get; set; } public Money Price { get; set; } public int Id { get; set; } }
        [NinoType] public sealed record Box<T>(T Value, int Id, T? Second, Money Extra);
        [NinoType] public record struct Slot<T>(T Value, int Id);
        [NinoType] public sealed class Theirs
        {
            {{Members}}
        }
        """;

    [Fact]
    public void EveryAssemblyWritesTheSameBytes() => Programs.Run($$"""
        using Lib;
        [assembly: NinoSerializable(typeof(Plain))]
        [NinoType] public sealed class Ours
        {
            {{Members}}
        }
        """, """
        var money = new Money(5m, 6);
        var box = new Box<Money>(money, 7, new Money(8m, 9), new Money(10m, 11));
        (Money?, (int, Money), int) nested = (money, (12, money), 13);
        var plain = new Plain { Text = "p", Price = money, Id = 14 };
        Slot<(Money, long)>[] slots = [new((money, 15), 16), new((money, 17), 18)];
        // One member at a time: the members of the two classes may lie in another order, as they are of two assemblies.
        Same(new Theirs { Box = box }, new Ours { Box = box });
        Same(new Theirs { Slot = new(money, 1) }, new Ours { Slot = new(money, 1) });
        Same(new Theirs { Pair = (money, 1) }, new Ours { Pair = (money, 1) });
        Same(new Theirs { Nested = nested }, new Ours { Nested = nested });
        Same(new Theirs { Note = new(new("n"), 1) }, new Ours { Note = new(new("n"), 1) });
        Same(new Theirs { Slots = slots }, new Ours { Slots = slots });
        Same(new Theirs { Plain = plain }, new Ours { Plain = plain });
        Ours read = Copy(new Ours { Box = box, Slot = new(money, 1), Nested = nested, Slots = slots, Plain = plain });
        Equal((box, 1, nested, slots[1], 14), (read.Box, read.Slot.Id, read.Nested, read.Slots![1], read.Plain!.Id));

        static void Same(Theirs theirs, Ours ours)
        {
            string Fields(NinoSchema schema, string name)
            {
                var text = new System.Text.StringBuilder();
                foreach (SchemaField field in ((ObjectDefinition)schema.Root.Definition!).Fields) Describe(field.Node, text.Append(field.Name).Append(' '));
                return text.ToString();
            }
            void Describe(SchemaNode node, System.Text.StringBuilder text)
            {
                text.Append(node.Kind).Append(' ');
                if (node.Element is { } element) Describe(element, text);
                if (node.Definition is not ObjectDefinition type) return;
                foreach (SchemaField field in type.Fields) Describe(field.Node, text.Append(field.Name).Append(':'));
            }
            Equal(Fields(NinoSerializer.SchemaOf<Theirs>(), ""), Fields(NinoSerializer.SchemaOf<Ours>(), ""));
            Equal(Convert.ToHexString(NinoSerializer.Serialize(theirs)), Convert.ToHexString(NinoSerializer.Serialize(ours)));
        }
        """, Library);

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void FieldsStandInFrontOfPropertiesSoThatEveryAssemblyWritesTheSameBytes(bool seesReferenceAssembly) => Programs.Run("""
        using Lib;
        [assembly: NinoSerializable(typeof(Plain))]
        [NinoType] public sealed class Ours { public Mixed<string>? Mixed { get; set; } public Plain? Plain { get; set; } }
        [NinoType] public sealed class Both { public Ours? Ours { get; set; } public Theirs? Theirs { get; set; } }
        """, """
        var mixed = new Mixed<string> { A = "a", B = "b", C = "c", D = 1, E = 2, F = 3 };
        mixed.Put("g");
        var plain = new Plain { A = "a", B = "b", C = "c" };
        Equal(Convert.ToHexString(NinoSerializer.Serialize(new Theirs { Mixed = mixed, Plain = plain })), Convert.ToHexString(NinoSerializer.Serialize(new Ours { Mixed = mixed, Plain = plain })));
        Both both = Copy(new Both { Ours = new() { Mixed = mixed, Plain = plain }, Theirs = new() { Mixed = mixed, Plain = plain } });
        foreach ((Mixed<string> one, Plain other) in new[] { (both.Ours!.Mixed!, both.Ours.Plain!), (both.Theirs!.Mixed!, both.Theirs.Plain!) }) Equal("abc123g abc", one.A + one.B + one.C + one.D + one.E + one.F + one.Got() + " " + other.A + other.B + other.C);
        """, """
        [assembly: NinoSerializable(typeof(Lib.Plain))]
        namespace Lib;
        public class Below { public string? A { get; set; } public string? B; }
        [NinoType] public class Mixed<T> : Below { public T? C { get; set; } [NinoInclude] protected string? G; public int D { get; set; } public int E; public int F { get; set; } public void Put(string g) => G = g; public string? Got() => G; }
        public sealed class Plain : Below { public string? C; }
        [NinoType] public sealed class Theirs { public Mixed<string>? Mixed { get; set; } public Plain? Plain { get; set; } }
        """, seesReferenceAssembly);

    [Fact]
    public void AConstructionOfAGenericTypeIsACaseWhereItIsRegistered() => Programs.Run("""
        [assembly: NinoSerializable(typeof(Named<int>))]
        [NinoType] public abstract class Event { public int At { get; set; } }
        [NinoType] public sealed class Started : Event;
        [NinoType] public sealed class Named<T> : Event { public T? Value { get; set; } }
        [NinoType] public sealed class Use { public Event? Event { get; set; } }
        """, """
        Equal(4, ((Named<int>)Copy(new Use { Event = new Named<int> { Value = 4 } }).Event!).Value);
        try
        {
            NinoSerializer.Serialize(new Use { Event = new Named<string>() });
            throw new InvalidOperationException("written");
        }
        catch (NinoSerializationException error)
        {
            Equal(true, error.Message.Contains("[assembly: NinoSerializable(typeof(Named<System.String>))]"));
        }
        """);
}
