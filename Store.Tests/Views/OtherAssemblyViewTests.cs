using Store.Tests.Generator;

namespace Store.Tests.Views;

/// <summary>Views of types whose parts are in another assembly.</summary>
public class OtherAssemblyViewTests
{
    private const string Helper = """
        public static List<(byte[], NinoSchema)> Records = [];
        public static void Equal<T>(T expected, T actual) { if (!EqualityComparer<T>.Default.Equals(expected, actual)) throw new InvalidOperationException($"{actual} and not {expected}."); }
        """;

    [Fact]
    public void ATypeThatHoldsNumberedObjectsOfAnotherAssemblyHasNoView() => GeneratorHarness.RunWithLibrary("namespace Lib; [NinoType(References = true)] public sealed class Node { public int X { get; set; } }", """
        using Lib;
        [NinoType] public sealed class H { public Node? A; public Node[]? B; }
        [NinoType] public sealed class Listed { public Dictionary<string, List<Node>>? B; }
        [NinoType] public sealed class Holder { public Listed? L; }
        [NinoType] public sealed class Plain { public int Id; }
        public static class Program
        {
            public static void Run()
            {
                foreach (string name in new[] { "HView", "ListedView", "HolderView" }) Equal(null, typeof(H).Assembly.GetType(name));
                Equal(false, typeof(H).Assembly.GetType("PlainView") is null);
                Records.Add((NinoSerializer.Serialize(new H()), NinoSerializer.SchemaOf<H>()));
            }
        """ + Helper + "}");

    [Fact]
    public void ATypeInANamespaceCalledAsAKeywordIsSeenThroughTheViewOfItsOwnAssembly() => GeneratorHarness.RunWithLibrary("""
        namespace Lib.@event.@class;
        [NinoType] public sealed record Part(int Id, string? Name);
        """, """
        [NinoType] public sealed record Whole(string? Text, Lib.@event.@class.Part? Part);
        namespace @params { [NinoType] public sealed record Own(string? Text, Whole Whole); }
        public static class Program
        {
            public static void Run()
            {
                byte[] bytes = NinoSerializer.Serialize(new @params.Own("t", new Whole("u", new(5, "name"))));
                Records.Add((bytes, NinoSerializer.SchemaOf<@params.Own>()));
                Lib.@event.@class.PartView part = new @params.OwnView(bytes).Whole.Part;
                Equal((5, "name"), (part.Id, part.Name.ToString()));
            }
        """ + Helper + "}");

    [Fact]
    public void APartThatHoldsNumberedObjectsInsideAnotherAssemblyIsRefusedAndNotReadWrong() => GeneratorHarness.RunWithLibrary("""
        namespace Lib;
        [NinoType(References = true)] public sealed class Node { public int X { get; set; } }
        [NinoType] public sealed class Wrap { public Node? Node { get; set; } }
        """, """
        using Lib;
        [NinoType] public sealed class H { public Wrap? A; public List<Wrap>? B; public int Id; }
        public static class Program
        {
            public static void Run()
            {
                Node x = new() { X = 1 }, y = new() { X = 2 };
                byte[] bytes = NinoSerializer.Serialize(new H { A = new() { Node = x }, B = [new() { Node = y }, new() { Node = x }], Id = 7 });
                Records.Add((bytes, NinoSerializer.SchemaOf<H>()));
                H copy = NinoSerializer.Deserialize<H>(bytes);
                Equal(true, ReferenceEquals(copy.A!.Node, copy.B![1].Node));
                var view = new HView(bytes);
                Equal(7, view.Id);
                Refused(() => new HView(bytes).ReadA());
                Refused(() => new HView(bytes).ReadB());
            }
            private static void Refused(Action read)
            {
                try { read(); }
                catch (NotSupportedException error) when (error.Message.Contains("NinoSerializer.Deserialize")) { return; }
                throw new InvalidOperationException("read");
            }
        """ + Helper + "}");

    [Fact]
    public void ACaseThatIsABaseOfAnotherAssemblyIsSeenThroughItsExactView() => GeneratorHarness.RunWithLibrary("""
        namespace Lib;
        [NinoType] public abstract class Event { public int At { get; set; } }
        [NinoType] public class Started : Event;
        [NinoType] public sealed class Restarted : Started { public int Times { get; set; } }
        """, """
        using Lib;
        [NinoType] public sealed class Stopped : Event { public string? Why { get; set; } }
        [NinoType] public sealed class All { public Event? A; public Event? B; }
        public static class Program
        {
            public static void Run()
            {
                byte[] bytes = NinoSerializer.Serialize(new All { A = new Started { At = 1 }, B = new Restarted { Times = 2 } });
                Records.Add((bytes, NinoSerializer.SchemaOf<All>()));
                var view = new AllView(bytes);
                Equal(true, view.A.TryGet(out StartedExactView started));
                Equal(1, started.At);
                Equal(false, view.B.TryGet(out started));
                Equal(true, view.B.TryGet(out RestartedView restarted));
                Equal(2, restarted.Times);
            }
        """ + Helper + "}");

    /// <summary>The view of a Part, exactly, and that of a PartExact would have one name; where another assembly has them, neither is taken for the other.</summary>
    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void ATypeThatIsCalledAsTheExactViewOfAnotherHasOneOfItsOwn(bool isInNamespace)
    {
        string types = "[NinoType] public class Part { public int I; } [NinoType] public class PartExact : Part { public int J; }";
        if (isInNamespace) types = $"namespace Lib {{ {types} }}";
        (string use, string prefix) = isInNamespace ? ("using Lib;", "Lib_") : ("", "");
        const string Pair = "[NinoType] public class Pair { public Part? Any; public Part? Other; }";
        const string Run = """
            byte[] bytes = NinoSerializer.Serialize(new Pair { Any = new Part { I = 1 }, Other = new PartExact { I = 2, J = 3 } });
            Records.Add((bytes, NinoSerializer.SchemaOf<Pair>()));
            var view = new PairView(bytes);
            Equal(true, view.Any.Is<Part>());
            Equal(1, view.Any.Read()!.I);
            Equal(true, view.Other.Is<PartExact>());
            Equal(3, ((PartExact)view.Other.Read()!).J);
            """;
        Programs.Run($"{use} {Pair}", Run, types);
        Programs.Run($"{use} {types} {Pair}", $"""
            {Run}
            Equal(true, view.Any.TryGet(out {prefix}Part_7ExactView part));
            Equal(1, part.I);
            Equal(true, view.Other.TryGet(out {prefix}PartExactView exact));
            Equal(3, exact.J);
            """);
    }
}
