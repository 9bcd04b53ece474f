using Store.Tests.Generator;

namespace Store.Tests.Types;

/// <summary>Values that are types themselves: names of those that the assembly knows, and of no other.</summary>
public sealed class TypeAsValueTests
{
    private const string Envelope = """
        [assembly: NinoSerializable(typeof(List<Opened>)), NinoSerializable(typeof(IEnumerable<int>))]
        [NinoType] public sealed record Opened(int Id);
        [NinoType] public abstract class Animal { }
        [NinoType] public sealed class Dog : Animal { }
        [NinoType] public interface IAnswer { }
        [NinoType] public abstract class Plan<T> { }
        [NinoType] public struct Pair<T> { public T A; }
        public sealed class Stranger { }
        [NinoType, NinoFormerName("Text")] public sealed class Envelope { public Type? Of { get; set; } public List<Type?> All { get; set; } = []; public Dictionary<Type, int> Counts { get; set; } = []; public Type[]? Some; }
        """;

    [Fact]
    public void ATypeIsAMemberAnElementAKeyAndIsStoredByItsName() => Programs.Run(Envelope, """
        Envelope copy = Copy(new Envelope { Of = typeof(Opened), All = [typeof(Dog), null, typeof(int), typeof(byte[]), typeof(List<Opened>)], Counts = { [typeof(string)] = 1, [typeof(Opened)] = 2 }, Some = [typeof(Guid)] });
        Equal(typeof(Opened), copy.Of!);
        Equal("Dog|null|System.Int32|System.Byte[]|System.Collections.Generic.List`1[Opened]", string.Join("|", copy.All.ConvertAll(type => type?.ToString() ?? "null")));
        Equal((1, 2), (copy.Counts[typeof(string)], copy.Counts[typeof(Opened)]));
        Equal(typeof(Guid), copy.Some![0]);
        Equal("0:Of:String 0:All:List 0:Counts:Map 0:Some:List", Fields<Envelope>());
        Equal("Opened", NinoValue.Decode(NinoSerializer.SchemaOf<Envelope>(), NinoSerializer.Serialize(new Envelope { Of = typeof(Opened) }))["Of"].AsString()!);
        """);

    [Fact]
    public void InterfacesAndAbstractClassesAreTypesToo() => Programs.Run(Envelope, """
        Equal(typeof(Animal), Copy(new Envelope { Of = typeof(Animal) }).Of!);
        Equal(typeof(IAnswer), Copy(new Envelope { Of = typeof(IAnswer) }).Of!);
        Equal(typeof(IEnumerable<int>), Copy(new Envelope { Of = typeof(IEnumerable<int>) }).Of!);
        Refused(() => Copy(new Envelope { Of = typeof(Plan<int>) }), "[assembly: NinoSerializable(typeof(Plan<");
        """);

    [Fact]
    public void ATypeThatTheAssemblyDoesNotKnowIsRefusedWithWhatToDo() => Programs.Run(Envelope, """
        Copy(new Envelope());
        Refused(() => Copy(new Envelope { Of = typeof(Stranger) }), "The type 'Stranger' is a value that is declared as 'Type'", "Put [NinoType] on it");
        Refused(() => Copy(new Envelope { Of = typeof(System.Diagnostics.Process) }), "System.Diagnostics.Process", "[assembly: NinoSerializable(typeof(System.Diagnostics.Process))]");
        Refused(() => Copy(new Envelope { Of = typeof(Pair<>) }), "type parameters are open");
        Refused(() => Copy(new Envelope { Of = typeof(Span<int>) }), "There are no objects");
        """);

    [Theory]
    [InlineData("System.Diagnostics.Process")]
    [InlineData("System.Diagnostics.Process, System.Diagnostics.Process")]
    [InlineData("Stranger")]
    [InlineData("")]
    [InlineData("system.int32")]
    public void NoTypeIsLookedForByANameOfTheBytes(string name)
    {
        const string Told = "is none of the types that the assembly";
        Programs.Run(Envelope + "[NinoType] public sealed class Text { public string? Of; }", $$"""
            Refused(() => Evolve<Text, Envelope>(new Text { Of = "{{name}}" }), "'{{name}}' {{Told}}", "SkipUnknownCases");
            Equal(typeof(Opened), Evolve<Text, Envelope>(new Text { Of = "Opened" }).Of!);
            """);
        Programs.Run(Envelope.Replace("[assembly:", "[assembly: NinoSerializable(typeof(object), SkipUnknownCases = true)]\n[assembly:") + "[NinoType] public sealed class Text { public string? Of; }", $$"""
            Equal(null, Evolve<Text, Envelope>(new Text { Of = "{{name}}" }).Of);
            """);
    }

    [Fact]
    public void ARenamedTypeIsFoundByItsFormerName() => Programs.Run("""
        [NinoType, NinoFormerName("Was")] public sealed class Is { }
        [NinoType, NinoFormerName("AnimalWas")] public abstract class Animal { }
        [NinoType, NinoFormerName("Is")] public sealed class Thief { }
        [NinoType] public sealed class Text { public string? Of; }
        [NinoType, NinoFormerName("Text")] public sealed class Envelope { public Type? Of; }
        """, """
        Equal(typeof(Is), Evolve<Text, Envelope>(new Text { Of = "Was" }).Of!);
        Equal(typeof(Animal), Evolve<Text, Envelope>(new Text { Of = "AnimalWas" }).Of!);
        Equal(typeof(Is), Evolve<Text, Envelope>(new Text { Of = "Is" }).Of!);
        """);

    [Fact]
    public void ATypeIsARecordAndStandsWhereObjectIsDeclaredOnceItIsRegistered() => Programs.Run("""
        [assembly: NinoSerializable(typeof(Type))]
        [NinoType] public sealed class Bag { public object? Value; }
        """, """
        Equal(typeof(Bag), Copy<Type>(typeof(Bag)));
        Equal(typeof(Bag), (Type)Copy(new Bag { Value = typeof(Bag) }).Value!);
        """);

    [Fact]
    public void ADamagedListLeavesAnErrorAndNoOther()
    {
        // Where the list of what is known is an error itself, generated code still compiles.
        Assert.Equal(["NINO002"], GeneratorHarness.Diagnose("""
            [NinoType] public sealed class Broken { public Span<int> X => default; public IntPtr[]? Y; public RuntimeTypeHandle Z; }
            [NinoType, NinoFormerName("Text")] public sealed class Envelope { public Type? Of; }
            """).Select(static one => one.Id));
    }
}
