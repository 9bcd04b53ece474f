namespace Store.Tests.Generator.Objects;

/// <summary>NinoObjects.Register, each time in an engine where nothing was used yet.</summary>
public class RegisteredObjectTests
{
    private const string Library = "namespace Lib; [NinoType] public sealed class Theirs { public int Id; public object? Tag { get; set; } }";

    private const string Types = """
        using System.Linq;
        using System.Threading;
        using Lib;
        [assembly: NinoSerializable(typeof(List<object>))]
        [NinoType] public sealed class Ours { public int Id; public object? Tag { get; set; } }
        public sealed class Stranger;
        public static class Program
        {
        """;

    [Fact]
    public void ATypeThatReachesObjectMembersItselfCanBeRegistered() => GeneratorHarness.RunIsolated(Library, Types + """
            public static void Run()
            {
                NinoObjects.Register<Ours>();
                NinoObjects.Register<Theirs>();
                NinoObjects.Register<List<object>>();
                Ours copy = NinoSerializer.Deserialize<Ours>(NinoSerializer.Serialize(new Ours { Tag = new Theirs { Tag = new List<object> { new Ours { Tag = 5 }, 6 } } }));
                var list = (List<object>)((Theirs)copy.Tag!).Tag!;
                if (!5.Equals(((Ours)list[0]).Tag) || !6.Equals(list[1])) throw new Exception("read back");
                // Under the names that whole descriptions give them.
                uint[] tags = ((UnionDefinition)NinoSerializer.SchemaOf<Theirs>().Definitions.First(one => one is UnionDefinition)).Cases.Select(one => one.Tag).ToArray();
                foreach (string name in new[] { "Ours", "Lib.Theirs", "System.Collections.Generic.List<System.Object>" })
                {
                    if (!tags.Contains(UnionDefinition.HashOf(name))) throw new Exception(name);
                }
            }
        }
        """);

    /// <summary>Its own assembly has no codec for a construction of it. An abstract one is no object itself: what others know of it stands for it.</summary>
    [Fact]
    public void ABaseOfWhichOnlyOthersHaveCodecsCanBeRegistered() => GeneratorHarness.RunIsolated("namespace Lib; [NinoType] public class Animal<T> { public T? Value { get; set; } } [NinoType] public abstract class Plant<T> { public T? Value { get; set; } }", """
        using Lib;
        [NinoType] public sealed class Dog : Animal<int> { public int Legs { get; set; } }
        [NinoType] public sealed class Tree : Plant<int> { public int Rings { get; set; } }
        [NinoType] public sealed class Has { public object? O { get; set; } }
        public static class Program
        {
            public static void Run()
            {
                NinoObjects.Register<Animal<int>>();
                NinoObjects.Register<Plant<int>>();
                var copy = (Animal<int>)NinoSerializer.Deserialize<Has>(NinoSerializer.Serialize(new Has { O = new Animal<int> { Value = 3 } })).O!;
                if (copy.GetType() != typeof(Animal<int>) || copy.Value != 3) throw new Exception("read back");
                if (((Tree)NinoSerializer.Deserialize<Has>(NinoSerializer.Serialize(new Has { O = new Tree { Rings = 5, Value = 6 } })).O!) is not { Rings: 5, Value: 6 }) throw new Exception("a case");
                if (((Dog)NinoSerializer.Deserialize<Animal<int>>(NinoSerializer.Serialize<Animal<int>>(new Dog { Legs = 4 }))).Legs != 4) throw new Exception("the root");
            }
        }
        """);

    [Fact]
    public void ListsOfTwoAssembliesAreFilledAtTheSameTime() => GeneratorHarness.RunIsolated(Library, Types + """
            public static void Run()
            {
                NinoObjects.Register<Ours>();
                NinoObjects.Register<Theirs>();
                using var start = new Barrier(4);
                int done = 0;
                Thread[] threads = Enumerable.Range(0, 4).Select(i => new Thread(() =>
                {
                    start.SignalAndWait();
                    if (i % 2 == 0) NinoSerializer.Serialize(new Ours { Tag = new Theirs { Tag = 1 } });
                    else NinoSerializer.Serialize(new Theirs { Tag = new Ours { Tag = 1 } });
                    Interlocked.Increment(ref done);
                }) { IsBackground = true }).ToArray();
                foreach (Thread thread in threads) thread.Start();
                foreach (Thread thread in threads) thread.Join(TimeSpan.FromSeconds(20));
                if (done != 4) throw new Exception("they wait for each other");
            }
        }
        """);

    [Fact]
    public void AMissingCodecIsReportedEachTimeAndNotOnlyOnce() => GeneratorHarness.RunIsolated(Library, Types + """
            public static void Run()
            {
                NinoObjects.Register<Stranger>();
                for (int i = 0; i < 2; i++)
                {
                    try { NinoSerializer.Serialize(new Ours { Tag = 1 }); }
                    catch (NinoTypeNotRegisteredException error) when (error.Message.Contains("Stranger")) { continue; }
                    throw new Exception("written");
                }
            }
        }
        """);

    private const string PriceCodecs = """
        using Store.Serialization.Codecs;
        [assembly: NinoSerializable(typeof(List<object>))]
        public readonly record struct Price(long Number);
        public readonly struct PriceCodec : INinoCodec<Price>
        {
            public static int MinSize => StringCodec.MinSize;
            public static SchemaNode Describe(SchemaBuilder builder) => StringCodec.Describe(builder);
            public void Write(ref NinoWriter writer, in Price value) => default(StringCodec).Write(ref writer, value.Number.ToString());
            public Price Read(ref NinoReader reader) => new(long.Parse(default(StringCodec).Read(ref reader)!));
        }
        public readonly struct OtherCodec : INinoCodec<Price>
        {
            public static int MinSize => StringCodec.MinSize;
            public static SchemaNode Describe(SchemaBuilder builder) => StringCodec.Describe(builder);
            public void Write(ref NinoWriter writer, in Price value) => default(StringCodec).Write(ref writer, (-value.Number).ToString());
            public Price Read(ref NinoReader reader) => new(-long.Parse(default(StringCodec).Read(ref reader)!));
        }
        public readonly struct GuidTextCodec : INinoCodec<Guid>
        {
            public static int MinSize => 1;
            public static SchemaNode Describe(SchemaBuilder builder) => StringCodec.Describe(builder);
            public void Write(ref NinoWriter writer, in Guid value) => default(StringCodec).Write(ref writer, value.ToString());
            public Guid Read(ref NinoReader reader) => Guid.Parse(default(StringCodec).Read(ref reader)!);
        }
        public static class Program
        {
        """;

    /// <summary>Whoever comes first would be asked, and the other one's values would stand in the files under the first one's name.</summary>
    [Fact]
    public void ATypeIsRegisteredInOneWayOnly() => GeneratorHarness.RunIsolated(Library, PriceCodecs + """
            public static void Run()
            {
                NinoObjects.Register<Price, PriceCodec>("price");
                NinoObjects.Register<Price, PriceCodec>("price");
                Refused(() => NinoObjects.Register<Price, OtherCodec>("price"));
                Refused(() => NinoObjects.Register<Price, PriceCodec>("cost"));
                Refused(() => NinoObjects.Register<Price>());
                byte[] record = NinoSerializer.Serialize(new List<object> { new Price(7) });
                if (!new Price(7).Equals(NinoSerializer.Deserialize<List<object>>(record)[0])) throw new Exception("read back");
            }

            private static void Refused(Action register)
            {
                try { register(); }
                catch (InvalidOperationException error) when (error.Message.Contains("'Price' is registered as") && error.Message.Contains("PriceCodec")) { return; }
                throw new Exception("registered");
            }
        }
        """);

    [Fact]
    public void ACodecForWhatTheEngineKnowsByItselfIsRefused() => GeneratorHarness.RunIsolated(Library, PriceCodecs + """
            public static void Run()
            {
                NinoObjects.Register<Guid>();
                try { NinoObjects.Register<Guid, GuidTextCodec>("guid"); }
                catch (ArgumentException error) when (error.Message.Contains("GuidTextCodec' would not be asked")) { return; }
                throw new Exception("registered");
            }
        }
        """);

    /// <summary>As one that the generator lists itself, and what is made of it, and one whose codec describes an object of the name it is registered with.</summary>
    [Fact]
    public void ARegisteredTypeThatWasRenamedIsFoundByItsFormerName()
    {
        const string Records = nameof(ARegisteredTypeThatWasRenamedIsFoundByItsFormerName);
        const string Price = """
            public readonly struct PriceCodec : INinoCodec<Price>
            {
                public static int MinSize => StringCodec.MinSize;
                public static SchemaNode Describe(SchemaBuilder builder) => StringCodec.Describe(builder);
                public void Write(ref NinoWriter writer, in Price value) => default(StringCodec).Write(ref writer, value.Cents.ToString());
                public Price Read(ref NinoReader reader) => new(int.Parse(default(StringCodec).Read(ref reader)!));
            }
            public readonly struct CoinCodec : INinoCodec<Coin>
            {
                public static int MinSize => StringCodec.MinSize;
                public static SchemaNode Describe(SchemaBuilder builder) => builder.Object(typeof(Coin), "COIN", isReference: false, static fields => fields.Add("Cents", 0, SchemaNode.Primitive(SchemaKind.String)));
                public void Write(ref NinoWriter writer, in Coin value) => default(StringCodec).Write(ref writer, value.Cents.ToString());
                public Coin Read(ref NinoReader reader) => new(int.Parse(default(StringCodec).Read(ref reader)!));
            }
            """;
        const string Theirs = """
            [assembly: NinoSerializable(typeof(Lib.Shade))]
            [assembly: NinoSerializable(typeof(Lib.Row))]
            [assembly: NinoSerializable(typeof(List<Lib.Shade>))]
            [assembly: NinoSerializable(typeof(Dictionary<Lib.Shade, Lib.Row[]>))]
            namespace Lib;
            FORMERPRICE public readonly record struct Price(int Cents);
            FORMERCOIN public readonly record struct Coin(int Cents);
            FORMERSHADE public enum Shade { Light, Dark }
            FORMERROW public sealed class Row : List<Shade>;
            """;
        const string Envelope = """
            using System.Linq;
            using Lib;
            using Store.Serialization.Codecs;
            [NinoType] public sealed class Envelope { public List<object?> Of { get; set; } = []; public List<Type?> Named { get; set; } = []; }
            """;
        const string Registering = """
            public static class Program
            {
                public static void Run()
                {
                    NinoObjects.Register<Price, PriceCodec>("PRICE");
                    NinoObjects.Register<Coin, CoinCodec>("COIN");
                    NinoObjects.Register<Shade>();
                    NinoObjects.Register<Row>();
                    NinoObjects.Register<List<Shade>>();
                    NinoObjects.Register<Dictionary<Shade, Row[]>>();
            """;
        GeneratorHarness.RunIsolated(Theirs.Replace("FORMERPRICE", "").Replace("FORMERCOIN", "").Replace("FORMERSHADE", "").Replace("FORMERROW", ""), (Envelope + Price + Registering).Replace("PRICE", "price").Replace("COIN", "coin") + $$"""
                    Envelope all = new()
                    {
                        Of = { new Price(7), new Coin(8), Shade.Dark, new Row { Shade.Dark }, new List<Shade> { Shade.Dark }, new Dictionary<Shade, Row[]> { [Shade.Dark] = new[] { new Row { Shade.Dark } } } },
                        Named = { typeof(Price), typeof(Coin), typeof(Shade), typeof(Row), typeof(List<Shade>), typeof(Dictionary<Shade, Row[]>) },
                    };
                    AppContext.SetData("{{Records}}", NinoSerializer.Serialize(all, NinoHeader.Schema));
                }
            }
            """);
        string later = Theirs.Replace("FORMERCOIN", "[NinoFormerName(\"coin\")]").Replace("FORMERPRICE", "[NinoFormerName(\"price\")]").Replace("FORMERSHADE", "[NinoFormerName(\"Lib.Shade\")]").Replace("FORMERROW", "[NinoFormerName(\"Lib.Row\")]");
        GeneratorHarness.RunIsolated(Later(later), Later((Envelope + Price + Registering).Replace("PRICE", "cost").Replace("COIN", "money")) + $$"""
                    Envelope all = NinoSerializer.Deserialize<Envelope>((byte[])AppContext.GetData("{{Records}}")!, NinoHeader.Schema);
                    if (!all.Of.Take(3).SequenceEqual(new object[] { new Cost(7), new Coin(8), Hue.Dark }) || ((Line)all.Of[3]!).Single() != Hue.Dark) throw new Exception("the values");
                    if (((List<Hue>)all.Of[4]!).Single() != Hue.Dark || ((Dictionary<Hue, Line[]>)all.Of[5]!)[Hue.Dark][0].Single() != Hue.Dark) throw new Exception("what is made of them");
                    if (!all.Named.SequenceEqual(new[] { typeof(Cost), typeof(Coin), typeof(Hue), typeof(Line), typeof(List<Hue>), typeof(Dictionary<Hue, Line[]>) })) throw new Exception("the types");
                }
            }
            """);

        static string Later(string source) =>
            System.Text.RegularExpressions.Regex.Replace(source, "(?<!\"Lib[.])\\b(Price|Shade|Row)\\b", static name => name.Value switch { "Price" => "Cost", "Shade" => "Hue", _ => "Line" });
    }
}
