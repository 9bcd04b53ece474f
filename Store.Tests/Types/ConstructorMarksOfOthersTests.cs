using Store.Tests.Generator;

namespace Store.Tests.Types;

/// <summary>Constructors that serializers choose of which no more is read than their marks.</summary>
public sealed class ConstructorMarksOfOthersTests
{
    private const string Attributes = ForeignAttributes.Quiet + """
        namespace Newtonsoft.Json { public sealed class JsonConstructorAttribute : Attribute; public sealed class JsonPropertyAttribute : Attribute; }
        namespace MongoDB.Bson.Serialization.Attributes { public sealed class BsonConstructorAttribute(params string[] names) : Attribute { public string[] Names => names; } }
        namespace PolyType { public sealed class ConstructorShapeAttribute : Attribute; }
        namespace MsgPack.Serialization { public sealed class MessagePackDeserializationConstructorAttribute : Attribute; }
        namespace Dahomey.Cbor.Attributes { public sealed class CborConstructorAttribute : Attribute; }

        """;

    public static TheoryData<string> Marks => new() { "[Newtonsoft.Json.JsonConstructor]", "[MongoDB.Bson.Serialization.Attributes.BsonConstructor(\"A\", \"B\")]", "[PolyType.ConstructorShape]", "[MsgPack.Serialization.MessagePackDeserializationConstructor]", "[Dahomey.Cbor.Attributes.CborConstructor]" };

    /// <summary>The public one would lose B.</summary>
    [Theory]
    [MemberData(nameof(Marks))]
    public void TheConstructorThatAnotherSerializerMarksIsCalled(string mark) => Programs.Run("[assembly: NinoSerializable(typeof(Model))] [assembly: NinoSerializable(typeof(Two))]\n" + Attributes + $$"""
        public class Model { {{mark}} private Model(int a, string b) { A = a; B = b; } public Model(int a) { A = a; B = "of one"; } public int A { get; } public string B { get; private set; } public Model With(string b) => new(A, b); }
        public class Two { public Two() => How = "empty"; {{mark}} public Two(int a) { A = a; How = "marked"; } public int A { get; set; } [NinoIgnore] public string How { get; } }
        """, """
        Model copy = Copy(new Model(1).With("b"));
        Equal((1, "b"), (copy.A, copy.B));
        Equal((2, "marked"), (Copy(new Two(2)).A, Copy(new Two(2)).How));
        """);

    /// <summary>With [NinoType] nothing of others is read, and one with a parameter that no member has is not the only one.</summary>
    [Theory]
    [MemberData(nameof(Marks))]
    public void WhereItsMarkDoesNotCountOrItCannotBeCalledTheChoiceIsOpen(string mark) => Programs.Run("[assembly: NinoSerializable(typeof(Model))]\n" + Attributes + $$"""
        public class Model { {{mark}} private Model(int a, System.Uri from) => How = from.Host; public Model() => How = "empty"; public int A { get; set; } [NinoIgnore] public string How { get; } }
        [NinoType] public class Own { {{mark}} public Own(int a) { A = a; How = "marked"; } public Own() => How = "empty"; public int A { get; set; } [NinoIgnore] public string How { get; } }
        """, """
        Equal((2, "empty"), (Copy(new Model { A = 2 }).A, Copy(new Model { A = 2 }).How));
        Equal((3, "empty"), (Copy(new Own { A = 3 }).A, Copy(new Own { A = 3 }).How));
        """);
}
