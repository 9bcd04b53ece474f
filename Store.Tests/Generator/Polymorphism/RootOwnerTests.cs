// Bases of which no assembly owns the codec: several have one.

namespace Store.Tests.Generator.Polymorphism;

/// <summary>Codecs that cannot be put together are refused by name.</summary>
public class RootOwnerTests
{
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
                    public static int MinSize => 1;
                    public static SchemaNode Describe(SchemaBuilder builder) => SchemaNode.Primitive(SchemaKind.String);
                    public void Write(ref NinoWriter writer, in Lib.Animal value) => default(Store.Serialization.Codecs.StringCodec).Write(ref writer, value.Id.ToString());
                    public Lib.Animal Read(ref NinoReader reader) => throw new System.NotSupportedException();
                }
                """, 1),
            ("P2", "[assembly: NinoSerializable(typeof(Lib.Animal))] namespace P2; [NinoType] public class A2 : Lib.Animal { public string? Two; }", 1),
        ],
        "using Lib;", $$"""
        Copy(1); {{use}}
        try { NinoSerializer.Serialize<Animal>(new P2.A2()); }
        catch (InvalidOperationException error) when (error.Message.Contains("'P1' has a codec of its own for 'Lib.Animal'") && error.Message.Contains("'P2'")) { return; }
        throw new InvalidProgramException("One of two codecs was taken.");
        """);
}
