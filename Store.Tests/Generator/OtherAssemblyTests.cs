namespace Store.Tests.Generator;

/// <summary>Types of another assembly: marked there, registered here, generic, and structs whose width is known only at run time.</summary>
public class OtherAssemblyTests
{
    private const string Library = """
        namespace Lib;
        [NinoType] public record struct Money(decimal Amount, int Currency);
        [NinoType] public record struct Note(string? Text);
        [NinoType] public sealed record Customer(int Id, string? Name);
        [NinoType] public sealed record Box<T>(T Value, Money Price);
        public class Poco { public int Id { get; set; } public string? Name; }
        public sealed class ImmutablePoco { public ImmutablePoco(int id, string? name) { Id = id; Name = name; } public int Id { get; } public string? Name { get; } }
        """;

    private const string Helper = """
        public static List<(byte[], NinoSchema)> Records = [];
        public static T RoundTrip<T>(T value, int length)
        {
            byte[] bytes = NinoSerializer.Serialize(value);
            Equal(length, bytes.Length);
            Records.Add((bytes, NinoSerializer.SchemaOf<T>()));
            return NinoSerializer.Deserialize<T>(bytes);
        }
        public static void Equal<T>(T expected, T actual) { if (!EqualityComparer<T>.Default.Equals(expected, actual)) throw new InvalidOperationException($"{actual} and not {expected}."); }
        """;

    [Fact]
    public void AMarkedTypeIsWrittenByTheCodecOfItsOwnAssembly() => GeneratorHarness.RunWithLibrary(Library, """
        using Lib;
        [NinoType] public sealed record Order(Customer? Buyer, Box<int> Item, Money Price, int Id);
        public static class Program
        {
            public static void Run()
            {
                var order = new Order(new Customer(1, "n"), new Box<int>(2, new Money(3, 4)), new Money(5, 6), 7);
                Equal(order, RoundTrip(order, 4 + (1 + 4 + 2) + (1 + 4 + 20) + 20));
            }
        """ + Helper + "}");

    [Fact]
    public void AStructOfFixedWidthMembersOfAnotherAssemblyIsFixedWidthItself() => GeneratorHarness.RunWithLibrary(Library, """
        using Lib;
        [NinoType] public record struct Line(Money Price, int Count, Money? Discount);
        [NinoType] public sealed record Lines(List<Line> All, Line? Absent, Line? Present, Line[] Array);
        public static class Program
        {
            public static void Run()
            {
                Equal(20 + 4 + 21, NinoCodec<Line>.Default.FixedSize);
                var line = new Line(new Money(1, 2), 3, new Money(4, 5));
                Equal(line, RoundTrip(line, 45));
                var lines = new Lines([line, default], null, line, [line, line]);
                Lines copy = RoundTrip(lines, (1 + 90) + 46 + 46 + (1 + 90));
                Equal(line, copy.All[0]);
                Equal<Line?>(null, copy.Absent);
                Equal<Line?>(line, copy.Present);
                Equal(line, copy.Array[1]);
            }
        """ + Helper + "}");

    [Fact]
    public void AStructWithAVariableMemberOfAnotherAssemblyIsNot() => GeneratorHarness.RunWithLibrary(Library, """
        using Lib;
        [NinoType] public record struct Line(Note Note, int Count);
        [NinoType] public sealed record Lines(List<Line> All, Line? Absent, Line? Present);
        public static class Program
        {
            public static void Run()
            {
                Equal(0, NinoCodec<Line>.Default.FixedSize);
                var line = new Line(new Note("ab"), 3);
                Equal(line, RoundTrip(line, 4 + 3));
                Lines copy = RoundTrip(new Lines([line, default], null, line), (1 + 7 + 5) + 1 + (1 + 7));
                Equal(line, copy.All[0]);
                Equal<Line?>(line, copy.Present);
            }
        """ + Helper + "}");

    [Fact]
    public void UnmarkedTypesAreRegisteredAndGeneratedHere() => GeneratorHarness.RunWithLibrary(Library, """
        using Lib;
        [assembly: NinoSerializable(typeof(Poco))]
        [assembly: NinoSerializable(typeof(ImmutablePoco))]
        [NinoType] public sealed record Both(Poco A, ImmutablePoco B);
        public static class Program
        {
            public static void Run()
            {
                Both copy = RoundTrip(new Both(new Poco { Id = 1, Name = "a" }, new ImmutablePoco(2, "b")), (1 + 4 + 2) * 2);
                Equal((1, "a", 2, "b"), (copy.A.Id, copy.A.Name, copy.B.Id, copy.B.Name));
            }
        """ + Helper + "}");

    [Fact]
    public void ALibraryThatRegisteredACollectionIsFoundByTheTypesInsideIt() => GeneratorHarness.RunWithLibrary(Library + """
        [NinoType] public sealed class Quotes { public int X; }
        [NinoSerializable(typeof(Dictionary<int, Quotes[]>))] internal static class Types;
        """, """
        using Lib;
        public static class Program
        {
            // Nothing of the library was used before: only its types are named.
            public static void Run()
            {
                Equal(0, NinoSerializer.Deserialize<Dictionary<int, Quotes[]>>([1]).Count);
                Records.Add(([1], NinoSerializer.SchemaOf<Dictionary<int, Quotes[]>>()));
            }
        """ + Helper + "}");

    [Fact]
    public void CodecsOfOneNameInTwoAssembliesDoNotDisturbEachOther() => GeneratorHarness.RunWithLibrary("""
        [assembly: System.Runtime.CompilerServices.InternalsVisibleTo("Shop")]
        namespace Lib { [NinoType] internal sealed class Inner { public KeyValuePair<int, string> Pair { get; set; } } }
        """, """
        using Lib;
        [NinoType] internal sealed class Outer { public KeyValuePair<int, string> Pair; public Inner? Inner; }
        public static class Program
        {
            public static void Run()
            {
                var outer = new Outer { Pair = new(1, "a"), Inner = new Inner() };
                Equal(outer.Pair, RoundTrip(outer, (4 + 2) + 1 + (4 + 1)).Pair);
            }
        """ + Helper + "}");
}
