using Microsoft.CodeAnalysis;

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
    public void ATypeOfAnAssemblyThatIsReferencedUnderAnAliasIsAnErrorThatSaysSo()
    {
        const string library = """
            namespace Lib;
            [NinoType] public sealed class Marked { public int Id { get; set; } }
            public sealed class Plain { public int Id { get; set; } }
            public enum Kind { One }
            public sealed class Names : List<string>;
            """;
        const string program = """
            namespace Shop
            {
                extern alias Old;
                [NinoSerializable(typeof(Old::Lib.Plain))] internal static class Registers;
                [NinoType] internal sealed class Ours { public Old::Lib.Marked? Marked; public Old::Lib.Kind Kind; public List<Old::Lib.Names>? Names; }
            }
            """;
        Diagnostic[] diagnostics = [.. GeneratorHarness.DiagnoseWithLibrary(library, program, false, "Old")];
        Assert.Equal(4, diagnostics.Length);
        Assert.All(diagnostics, static one =>
        {
            Assert.Equal("NINO002", one.Id);
            Assert.Contains("its assembly 'Library' is referenced under the alias 'Old' only", one.GetMessage(null));
        });
        Assert.Empty(GeneratorHarness.DiagnoseWithLibrary(library, program, false, "global", "Old"));
    }

    [Fact]
    public void AnAliasIsFoundInsideATypeAndInItsBases()
    {
        const string library = """
            namespace Lib;
            public sealed class Plain { public int Id; }
            public abstract class Base { [NinoOnDeserialized] public void After() { } }
            public abstract class Guarded { protected Guarded() { } [NinoInclude] protected int Hidden; }
            public interface INoted { int Note { get; set; } }
            public interface IThing;
            """;
        const string program = """
            namespace Shop
            {
                extern alias Old;
                [NinoType] internal sealed class Mine : Old::Lib.IThing { public int Id; }
                [NinoType] internal sealed class Passed { public Passed(Old::Lib.IThing? thing = null, int other = 0) { Thing = thing as Mine; Sum = other; } public Mine? Thing { get; } [NinoIgnore] public int Sum { get; } }
                internal class Around<T> where T : IEnumerable<Old::Lib.IThing> { [NinoType] internal sealed class Held { [NinoInclude] private int _x; public int Ask() => _x++; } }
                [NinoType] internal sealed class Kept<T> where T : Old::Lib.IThing { [NinoInclude] private int _x; public int Ask() => _x++; }
                [NinoType] internal sealed class Named<T> where T : Old::Lib.IThing { public int Id; }
                [NinoSerializable(typeof(Kept<Mine>)), NinoSerializable(typeof(Around<Mine[]>.Held)), NinoSerializable(typeof(Named<Mine>))] internal static class Constrained;
                [NinoType] internal sealed class Box<T> { public int Id; }
                internal sealed class Outer<T> { [NinoType] internal sealed class Inside { public int Id; } }
                [NinoSerializable(typeof(Box<Old::Lib.Plain>)), NinoSerializable(typeof(Box<List<Old::Lib.Plain>[]>)), NinoSerializable(typeof(Outer<Old::Lib.Plain>.Inside))] internal static class Registers;
                [NinoType] internal sealed class Called : Old::Lib.Base { public int Id; }
                [NinoType] internal sealed class Reaching : Old::Lib.Guarded { public int Id; }
                [NinoType] internal sealed class Noted : Old::Lib.INoted { public int Note { get; set; } }
                [NinoType] internal sealed class Optional { public Optional(int id, Old::Lib.Plain? plain = null) => Id = id; public int Id { get; } }
                [NinoType] internal sealed class Given { [NinoConstructor] private Given(int id, Old::Lib.Plain? plain = null) => Id = id; public int Id { get; } }
            }
            """;
        Diagnostic[] diagnostics = [.. GeneratorHarness.DiagnoseWithLibrary(library, program, false, "Old").Where(static one => one.Severity == DiagnosticSeverity.Error)];
        Assert.All(diagnostics, static one =>
        {
            Assert.Equal("NINO002", one.Id);
            Assert.Contains("is referenced under the alias 'Old' only", one.GetMessage(null));
        });
        Assert.Equal(9, diagnostics.Length);
        Assert.Equal(4, diagnostics.Count(static one => one.GetMessage(null).Contains("'Lib.Plain'")));
        Assert.Equal(3, diagnostics.Count(static one => one.GetMessage(null).Contains("Lib.IThing")));
        Assert.DoesNotContain(GeneratorHarness.DiagnoseWithLibrary(library, program, false, "global", "Old"), static one => one.Severity == DiagnosticSeverity.Error);
    }

    [Fact]
    public void AnAliasIsFoundInWhatAPrivateConstructorOrCallbackIsReachedThrough()
    {
        const string program = """
            namespace Shop
            {
                extern alias Old;
                internal sealed class Mine : Old::Lib.IThing;
                [NinoType] internal sealed class Made<T> where T : Old::Lib.IThing { [NinoConstructor] private Made(int id) => Id = id; public int Id { get; } }
                [NinoType] internal sealed class Called<T> where T : Old::Lib.IThing { public int Id; [NinoOnDeserialized] private void After() => Id++; }
                [NinoSerializable(typeof(Made<Mine>)), NinoSerializable(typeof(Called<Mine>))] internal static class Constrained;
            }
            """;
        Diagnostic[] diagnostics = [.. GeneratorHarness.DiagnoseWithLibrary("namespace Lib; public interface IThing;", program, false, "Old").Where(static one => one.Severity == DiagnosticSeverity.Error)];
        Assert.Equal(["NINO002", "NINO002"], diagnostics.Select(static one => one.Id));
        Assert.All(diagnostics, static one => Assert.Contains("Lib.IThing", one.GetMessage(null)));
        Assert.DoesNotContain(GeneratorHarness.DiagnoseWithLibrary("namespace Lib; public interface IThing;", program, false, "global", "Old"), static one => one.Severity == DiagnosticSeverity.Error);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void AnAssemblyThatIsReferencedTwiceIsNamedByTheReferenceWithoutAnAlias(bool isAliasFirst)
    {
        const string library = "namespace Lib; [NinoType] public sealed class Marked { public int Id { get; set; } } public sealed class Plain { public int Id { get; set; } }";
        const string program = """
            namespace Shop
            {
                extern alias Old;
                [NinoSerializable(typeof(Old::Lib.Plain))] internal static class Registers;
                [NinoType] internal sealed class Ours { public Old::Lib.Marked? Marked; public global::Lib.Marked? Same; }
            }
            """;
        Assert.Empty(GeneratorHarness.DiagnoseWithLibraryTwice(library, program, isAliasFirst ? ["Old", "global"] : ["global", "Old"]));
    }

    [Fact]
    public void AnEnumThatBecameWiderThanTheProgramKnowsIsRefusedBeforeAByteIsWritten()
    {
        const string program = """
            using Lib;
            [NinoType] public record struct Light(int Id, Color Color, int Behind);
            public static class Program
            {
                public static void Run() => Equal(new Light(1, Color.Red, 2), RoundTrip(new Light(1, Color.Red, 2), 9));
            """;
        GeneratorHarness.RunWithLibrary("namespace Lib; public enum Color : byte { Red }", program + Helper + "}");
        GeneratorHarness.RunWithLibrary("namespace Lib; public enum Color : byte { Red }", program + Helper + "}", "namespace Lib; public enum Color : byte { Red, Blue }");
        var error = Assert.Throws<TypeInitializationException>(() => GeneratorHarness.RunWithLibrary("namespace Lib; public enum Color : byte { Red }", program + Helper + "}", "namespace Lib; public enum Color : long { Red }"));
        Assert.Contains("The enum 'Lib.Color' of 'Library' has 8 bytes; it had 1", Assert.IsType<NotSupportedException>(error.InnerException).Message);
    }

    [Fact]
    public void AMarkedTypeIsSeenThroughTheViewOfItsOwnAssembly() => GeneratorHarness.RunWithLibrary(Library, """
        using Lib;
        [assembly: NinoSerializable(typeof(Poco))]
        [NinoType] public sealed record Order(Customer? Buyer, Box<int> Item, Money Price, Note Note, Poco? Poco, List<Customer> All, int Id);
        public static class Program
        {
            public static void Run()
            {
                var order = new Order(new Customer(1, "n"), new Box<int>(2, new Money(3, 4)), new Money(5, 6), new Note("note"), new Poco { Id = 8, Name = "p" }, [new Customer(9, "last")], 7);
                byte[] bytes = NinoSerializer.Serialize(order);
                var view = new OrderView(bytes);
                CustomerView buyer = view.Buyer;
                Equal((1, "n", 2, 4), (buyer.Id, buyer.Name.ToString(), view.Item.Value, view.Item.Price.Currency));
                Equal((5m, "note", 8, "p", 7), (view.Price.Amount, view.Note.Text.ToString(), view.Poco.Id, view.Poco.Name.ToString(), view.Id));
                foreach (CustomerView one in view.All) Equal((9, "last"), (one.Id, one.Name.ToString()));
                Records.Add((bytes, NinoSerializer.SchemaOf<Order>()));
            }
        """ + Helper + "}");

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

    private const string Bases = """
        namespace Lib;
        [NinoType] public abstract class Event { public int At { get; set; } }
        [NinoType] public class Started : Event;
        [NinoType] public sealed class Restarted : Started { public int Times { get; set; } }
        [NinoType] public class Person { public string? Name { get; set; } }
        [NinoType] public interface IMark;
        [NinoType] public readonly record struct Dot(int X) : IMark;
        [NinoType] public abstract class Slot<T> { public T? Value { get; set; } }
        [NinoType] public sealed class Full<T> : Slot<T>;
        [NinoType] internal sealed class Hidden : Event;
        [NinoType] public sealed class Log { public List<Event>? Events { get; set; } }
        """;

    [Fact]
    public void CasesOfTwoAssembliesStandBehindOneBase() => GeneratorHarness.RunWithLibrary(Bases, """
        using Lib;
        [NinoType] public sealed class Stopped : Event { public string? Why { get; set; } }
        [NinoType] public sealed class Employee : Person { public int Salary { get; set; } }
        [NinoType] public sealed class Square : IMark { public int Side { get; set; } }
        [NinoType] public sealed class Half<T> : Slot<T>;
        [NinoType] public sealed class All { public Event? A, B, C; public Person? P, Q; public IMark[]? Marks; public Slot<int>? S, T; }
        public static class Program
        {
            public static void Run()
            {
                var all = new All
                {
                    A = new Stopped { Why = "w" }, B = new Started { At = 1 }, C = new Restarted { Times = 2 }, P = new Person { Name = "p" }, Q = new Employee { Salary = 3 },
                    Marks = [new Dot(1), new Square { Side = 2 }], S = new Full<int> { Value = 4 }, T = new Half<int> { Value = 5 },
                };
                All copy = NinoSerializer.Deserialize<All>(NinoSerializer.Serialize(all));
                Records.Add((NinoSerializer.Serialize(all), NinoSerializer.SchemaOf<All>()));
                Equal("w", ((Stopped)copy.A!).Why);
                Equal(typeof(Started), copy.B!.GetType());
                Equal(2, ((Restarted)copy.C!).Times);
                Equal(typeof(Person), copy.P!.GetType());
                Equal(3, ((Employee)copy.Q!).Salary);
                Equal(2, ((Square)copy.Marks![1]).Side);
                Equal(5, ((Half<int>)copy.T!).Value);

                // As a root: what this assembly knows takes the place of what the library knows.
                Equal("r", ((Stopped)RoundTrip<Event>(new Stopped { Why = "r" }, 4 + 4 + 2)).Why);
                Equal(typeof(Restarted), RoundTrip<Started>(new Restarted(), 4 + 8).GetType());
                Equal(7, ((Employee)RoundTrip<Person>(new Employee { Salary = 7 }, 4 + 4 + 1)).Salary);
                Equal("e", ((Stopped)NinoSerializer.Deserialize<List<Event>>(NinoSerializer.Serialize<List<Event>>([new Stopped { Why = "e" }]))[0]).Why);

                // What the library compiled knows the library's own cases only, whoever else is there.
                Log log = NinoSerializer.Deserialize<Log>(NinoSerializer.Serialize(new Log { Events = [new Started(), new Restarted()] }));
                Equal(2, log.Events!.Count);
                try
                {
                    NinoSerializer.Serialize(new Log { Events = [new Stopped()] });
                    throw new InvalidOperationException("written");
                }
                catch (NinoSerializationException error)
                {
                    Equal(true, error.Message.Contains("'Stopped' is no known case of 'Lib.Event'"));
                }
            }
        """ + Helper + "}");

    [Fact]
    public void ABaseWithoutMoreCasesIsWrittenByTheCodecOfItsOwnAssembly() => GeneratorHarness.RunWithLibrary(Bases, """
        using Lib;
        [NinoType] public sealed class All { public Started? A; public Person? P; }
        public static class Program
        {
            public static void Run()
            {
                All copy = RoundTrip(new All { A = new Restarted { Times = 2 }, P = new Person { Name = "p" } }, 4 + 4 + 4 + 1 + 2);
                Equal(2, ((Restarted)copy.A!).Times);
                Equal("p", copy.P!.Name);
                Equal(NinoSerializer.SchemaOf<Started>().Fingerprint, NinoSerializer.SchemaOf<Started>().Fingerprint);
            }
        """ + Helper + "}");

    [Fact]
    public void ReferencesAndCallbacksWorkAcrossAssemblies() => GeneratorHarness.RunWithLibrary("""
        namespace Lib;
        [NinoType(References = true)] public abstract class Item { public Item? Next { get; set; } protected List<string> Log { get; } = []; public string Calls() => string.Join(",", Log); [NinoOnDeserialized] protected void Done() => Log.Add("done"); }
        [NinoType] public sealed class Tool : Item { public int Id { get; set; } }
        """, """
        using Lib;
        [NinoType] public sealed class Crate : Item { public List<Item> Items { get; set; } = []; }
        [NinoType] public sealed class Both { public Item? A; public Tool? B; public Crate? C; }
        public static class Program
        {
            public static void Run()
            {
                var tool = new Tool { Id = 1 };
                var crate = new Crate { Items = [tool] };
                crate.Next = crate;
                crate.Items.Add(crate);
                Both copy = RoundTrip(new Both { A = crate, B = tool, C = crate }, 1 + 4 + 1 + (1 + (1 + 4 + 4 + 1) + 1) + 1 + 1);
                Equal<object?>(copy.C, copy.A);
                Equal<object?>(copy.B, copy.C!.Items[0]);
                Equal<object?>(copy.C, copy.C.Items[1]);
                Equal("done", copy.C.Calls());
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
