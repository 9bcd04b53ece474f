// Bases of which no assembly is the owner of the codec: only others have them, as wider ones.

namespace Store.Tests.Generator.Polymorphism;

/// <summary>What was written for one codec a type goes on where several put theirs together, or is refused by name.</summary>
public class RootOwnerTests
{
    [Fact]
    public void ABaseOfWhichOnlyOthersHaveCodecsIsRegisteredForObjectMembers() => Programs.RunWith(
        [("Lib", "namespace Lib; [NinoType] public class Animal<T> { public T? Value; }", 0)],
        "using Lib; [NinoType] public class Dog : Animal<int> { public int Legs; } [NinoType] public class Has { public object? O; }", """
        NinoObjects.Register<Animal<int>>();
        Animal<int> plain = (Animal<int>)Copy(new Has { O = new Animal<int> { Value = 3 } }).O!;
        Equal(typeof(Animal<int>), plain.GetType());
        Equal(3, plain.Value);
        Equal(4, ((Dog)Copy<Animal<int>>(new Dog { Legs = 4 })).Legs);
        """);

    [Theory]
    [InlineData("new P1.Use(); new P2.A2();")]
    [InlineData("new P2.A2(); new P1.Use();")]
    public void ACodecOfOnesOwnBesideThatOfAnotherLibraryIsRefusedByName(string use) => Programs.RunWith(
        [
            ("Base", "namespace Lib; public abstract class Animal { public int Id; }", 0),
            ("P1", """
                [assembly: NinoSerializable(typeof(Lib.Animal), Codec = typeof(P1.Own))]
                namespace P1;
                public class Use;
                public readonly struct Own : INinoCodec<Lib.Animal>
                {
                    public static int MinSize => 4;
                    public static SchemaNode Describe(SchemaBuilder builder) => SchemaNode.Primitive(SchemaKind.Int32);
                    public void Write(ref NinoWriter writer, in Lib.Animal value) => default(Store.Serialization.Codecs.Int32Codec).Write(ref writer, value.Id);
                    public Lib.Animal Read(ref NinoReader reader) => throw new System.NotSupportedException();
                }
                """, 1),
            ("P2", "[assembly: NinoSerializable(typeof(Lib.Animal))] namespace P2; [NinoType] public class A2 : Lib.Animal { public string? Two; }", 1),
        ],
        "using Lib;", $$"""
        {{use}}
        try { NinoSerializer.Serialize<Animal>(new P2.A2()); }
        catch (InvalidOperationException error) when (error.Message.Contains("'P1' has a codec of its own for 'Lib.Animal'") && error.Message.Contains("'P2'")) { return; }
        throw new InvalidProgramException("One of two codecs was taken.");
        """);
}
