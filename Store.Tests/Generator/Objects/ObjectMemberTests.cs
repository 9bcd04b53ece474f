using System.Buffers;
using System.Buffers.Binary;
using System.Net;
using System.Numerics;
using System.Text;
using System.Text.Json;
using Store.Serialization;
using Store.Serialization.Generator.Parser;
using Store.Tests.Generator.Polymorphism;
using Store.Tests.Generator.References;
using Store.Tests.Generator.RoundTrips;
using Store.Tests.Types;
using Xunit.Abstractions;

namespace Store.Tests.Generator.Objects;

/// <summary>Members, elements and values declared as object.</summary>
public sealed class ObjectMemberTests(ITestOutputHelper output)
{
    [Fact]
    public void AnObjectOfNoOtherClassIsToldThatItHasNothingToStore()
    {
        string message = Assert.Throws<NinoSerializationException>(static () => NinoSerializer.Serialize(new Bag { One = new object() })).Message;
        Assert.Contains("store null there", message, StringComparison.Ordinal);
        Assert.DoesNotContain("Put [assembly:", message, StringComparison.Ordinal);
    }

    [Fact]
    public void AnObjectHoldsEveryScalarAndEveryTypeOfTheAssembly()
    {
        object?[] values =
        [
            null, true, (sbyte)-1, (byte)2, (short)-3, (ushort)4, 5, 6u, -7L, 8UL, (nint)9, (nuint)10, Int128.MinValue, UInt128.MaxValue, (Half)1.5, 1.5f, 2.5, 3.5m, 'c', Guid.NewGuid(),
            DateTime.UnixEpoch, DateTimeOffset.UnixEpoch, TimeSpan.FromDays(1), new DateOnly(2026, 1, 2), new TimeOnly(3, 4), "text \u20AC", "",
            new Circle("c", 1), new Box("b", 1, 2), new Cube("q", 1, 2, 3), new Number(5), new Word(null), new Money(1, 2), Suit.Hearts, new Complex(1, 2), new Uri("https://example.org"), new PlugIn(11),
            new Pair<int, Pair<string, Money?>>(1, new("x", null)), new MarkedTag("m").Text,
        ];
        foreach (object? value in values)
        {
            Assert.Equal(value, RoundTrip.Of(new Bag { One = value, Id = 1 }).One);
            Assert.Equal(value?.GetType(), RoundTrip.Of(new Bag { Many = [value, null] }).Many![0]?.GetType());
        }

        Bag copy = RoundTrip.Of(new Bag { Many = [.. values], ByName = values.Select(static (value, i) => (value, i)).ToDictionary(static pair => $"k{pair.i}", static pair => pair.value), Array = values!, Last = "end" });
        Assert.Equal(values, copy.Many);
        Assert.Equal(values, copy.ByName!.Values);
        Assert.Equal(values, copy.Array);
        Assert.Equal("end", copy.Last);
    }

    [Fact]
    public void AnObjectHoldsCollectionsThatAreRegisteredAndThemselvesHoldObjects()
    {
        Assert.Equal(new byte[] { 1, 2 }, RoundTrip.Of(new Bag { One = new byte[] { 1, 2 } }).One);
        Assert.Equal(new[,] { { 1, 2 }, { 3, 4 } }, RoundTrip.Of(new Bag { One = new[,] { { 1, 2 }, { 3, 4 } } }).One);
        var list = (List<object>)RoundTrip.Of(new Bag { One = new List<object> { 1, "a", new List<object> { 2.5, new Bag { Id = 3 } } } }).One!;
        Assert.Equal(3, ((Bag)((List<object>)list[2])[1]).Id);
        var map = (Dictionary<string, object>)RoundTrip.Of(new Bag { One = new Dictionary<string, object> { ["k"] = new Dictionary<string, object> { ["l"] = 1m } } }).One!;
        Assert.Equal(1m, ((Dictionary<string, object>)map["k"])["l"]);
    }

    [Fact]
    public void ACodecOfTheUsersAndHiddenClassesOfTheFrameworkWork()
    {
        Assert.Equal("t", ((Tag)RoundTrip.Of(new Bag { One = new Tag("t") }).One!).Text);
        Assert.Equal("m", ((MarkedTag)RoundTrip.Of(new Bag { One = new MarkedTag("m") }).One!).Text);
        // IPAddress.Loopback is of a class that nobody sees.
        Assert.Equal(IPAddress.Loopback, RoundTrip.Of(new Bag { One = IPAddress.Loopback }).One);
    }

    [Fact]
    public void ReferencesAreKeptAcrossObjectMembers()
    {
        var ann = new Person { Id = 1 };
        ann.Friend = ann;
        Bag copy = NinoSerializer.Clone(new Bag { One = ann, Many = [ann, new Person { Id = 2, Friend = ann }] });
        Assert.Same(copy.One, copy.Many![0]);
        Assert.Same(copy.One, ((Person)copy.Many[1]!).Friend);
        Assert.Same(copy.One, ((Person)copy.One!).Friend);
    }

    [Fact]
    public void AsARecordAnObjectSaysWhatItIs()
    {
        byte[] bytes = NinoSerializer.Serialize<object>(new Circle("c", 2));
        Assert.Equal(new Circle("c", 2), NinoSerializer.Deserialize<object>(bytes));
        Assert.Equal(5, NinoSerializer.Deserialize<object>(NinoSerializer.Serialize<object>(5)));
        Assert.Equal(UnionDefinition.HashOf("System.Int32"), BinaryPrimitives.ReadUInt32LittleEndian(NinoSerializer.Serialize<object>(5)));
        Assert.Equal("1A4C5B3F 05000000", Hex(NinoSerializer.Serialize<object>(5)));
        Assert.Equal(NinoSerializer.Serialize<object>(5).Length, NinoSerializer.GetSize<object>(5));
    }

    [Fact]
    public void ATypeThatNobodyKnowsIsRefusedNamingWhatToDo()
    {
        var error = Assert.Throws<NinoSerializationException>(() => NinoSerializer.Serialize(new Bag { One = new Stranger() }));
        Assert.Contains("Stranger", error.Message);
        Assert.Contains("NinoSerializable", error.Message);
        Assert.Throws<NinoSerializationException>(() => NinoSerializer.Serialize(new Bag { One = typeof(int) }));
        Assert.Throws<NinoSerializationException>(() => NinoSerializer.Serialize(new Bag { One = new int?[1] }));
    }

    [Fact]
    public void AnUnknownTagIsRefusedAndNoTypeIsLoadedForIt()
    {
        byte[] bytes = NinoSerializer.Serialize<object>(5);
        bytes[0] ^= 1;
        NinoSerializationException error = Assert.Throws<NinoSerializationException>(() => NinoSerializer.Deserialize<object>(bytes));
        Assert.Contains("none of its known cases", error.Message);
        Assert.Throws<NinoSerializationException>(() => NinoValue.Decode(NinoSerializer.SchemaOf<object>(), bytes));
        Assert.Throws<NinoSerializationException>(() => NinoSerializer.Deserialize<object>(Enumerable.Range(0, 4).Select(static _ => (byte)0).ToArray()));
    }

    [Fact]
    public void ToolsShowTheTypeAndTheValueWithoutAnyType()
    {
        string json = Json(new Bag { Id = 1, One = 5, Many = [new Circle("c", 1), "s", null, Suit.Hearts], ByName = new() { ["b"] = new byte[] { 1 } } });
        Assert.Contains("\"One\":{\"$type\":\"System.Int32\",\"Value\":5}", json);
        Assert.Contains("{\"$type\":\"Store.Tests.Generator.Polymorphism.Circle\",", json);
        Assert.Contains("{\"$type\":\"System.String\",\"Value\":\"s\"},null,{\"$type\":\"Store.Tests.Generator.Objects.Suit\",\"Value\":\"Hearts\"}", json);
    }

    [Fact]
    public void AnObjectThatHoldsItselfIsRefusedAtTheLimitOfDepth()
    {
        var list = new List<object>();
        list.Add(list);
        Assert.Contains("deep", Assert.Throws<NinoSerializationException>(() => NinoSerializer.Serialize(list)).Message);
        for (int depth = 1; ; depth++)
        {
            object value = 1;
            for (int i = 0; i < depth; i++) value = new List<object> { value };
            byte[] bytes;
            try
            {
                bytes = NinoSerializer.Serialize(value, typeof(object));
            }
            catch (NinoSerializationException)
            {
                Assert.InRange(depth, 60, 70);
                return;
            }

            // What the codec writes, it reads, and tools read.
            NinoSerializer.Deserialize<object>(bytes);
            NinoValue.Decode(NinoSerializer.SchemaOf<object>(), bytes);
        }
    }

    [Fact]
    public void UnknownTypesAreSkippedWhereTheAssemblyAsksForIt() => GeneratorHarness.RunWithLibrary("namespace Lib; [NinoType] public sealed record Customer(int Id, string? Name); public sealed class Unknown { }", """
        using Lib;
        [assembly: NinoSerializable(typeof(object), SkipUnknownCases = true)]
        [assembly: NinoSerializable(typeof(Customer))]
        [NinoType] public sealed record Order(int Id, object? Item, object? Other);
        public static class Program
        {
            public static List<(byte[], NinoSchema)> Records = [];
            public static void Run()
            {
                byte[] bytes = NinoSerializer.Serialize(new Order(1, new Customer(2, "n"), "other"));
                Records.Add((bytes, NinoSerializer.SchemaOf<Order>()));
                if (NinoSerializer.Deserialize<Order>(bytes) != new Order(1, new Customer(2, "n"), "other")) throw new Exception("read back");
                bytes[4] ^= 0x55;
                if (NinoSerializer.Deserialize<Order>(bytes) != new Order(1, null, "other")) throw new Exception("skipped");
                for (int cut = 0; cut < bytes.Length; cut++)
                {
                    try { NinoSerializer.Deserialize<Order>(bytes.AsSpan(0, cut)); throw new Exception("cut"); }
                    catch (NinoSerializationException) { }
                }
            }
        }
        """);

    [Fact]
    public void EachAssemblyHasAListOfItsOwn() => GeneratorHarness.RunWithLibrary("""
        namespace Lib; [NinoType] public sealed record Customer(int Id, object? Tag); [NinoType] public sealed record Theirs(int Id);
        """, """
        using Lib;
        [assembly: NinoSerializable(typeof(Customer))]
        [NinoType] public sealed record Ours(int Id);
        [NinoType] public sealed record Order(Customer? Buyer, object? Item);
        public static class Program
        {
            public static List<(byte[], NinoSchema)> Records = [];
            public static void Run()
            {
                var order = new Order(new Customer(1, new Theirs(2)), new Ours(3));
                byte[] bytes = NinoSerializer.Serialize(order);
                Records.Add((bytes, NinoSchema.Parse(NinoSerializer.SchemaOf<Order>().CanonicalBytes.Span)));
                if (NinoSerializer.Deserialize<Order>(bytes) != order) throw new Exception("read back");
                if (NinoSerializer.Deserialize<Order>(NinoSerializer.Serialize(new Order(null, new Customer(1, 5)))) != new Order(null, new Customer(1, 5))) throw new Exception("a type of the library that is registered");
                try { NinoSerializer.Serialize(new Order(new Customer(1, new Ours(1)), null)); throw new Exception("unknown there"); }
                catch (NinoSerializationException e) when (e.Message.Contains("'Library'")) { }
                try { NinoSerializer.Serialize(new Order(null, new Theirs(1))); throw new Exception("unknown here"); }
                catch (NinoSerializationException e) when (e.Message.Contains("'Shop'")) { }
            }
        }
        """);

    [Fact]
    public void RegisteringATypeTooLateIsRefused()
    {
        NinoSerializer.Serialize<object>(1);
        Assert.Contains("too late", Assert.Throws<InvalidOperationException>(NinoObjects.Register<Shelf>).Message);
        Assert.Throws<InvalidOperationException>(() => NinoObjects.Register<PlugIn, PlugInCodec>("other"));
    }

    [Fact]
    public void TheGeneratorAndTheEngineAgreeOnWhatNeedsNoRegistration() =>
        Assert.Equal(NinoObjects.BuiltIn().Select(static one => one.Name), ObjectCases.BuiltInNames);

    [Fact]
    public void MutatedRecordsGiveAValueOrTheOneException()
    {
        const int Seed = 20261121, Tries = 20_000;
        output.WriteLine($"{Tries} mutated records with object members, seed {Seed}");
        var random = new Random(Seed);
        byte[] golden = NinoSerializer.Serialize(new Bag { Id = 1, One = new List<object> { 1, "a", new Box("b", 1, 2) }, Many = [new Number(1), Suit.Hearts, new[,] { { 1 } }], ByName = new() { ["x"] = 2m }, Last = "l" });
        int read = 0;
        for (int i = 0; i < Tries; i++)
        {
            byte[] bytes = [.. golden];
            for (int flips = random.Next(1, 4); flips > 0; flips--) bytes[random.Next(bytes.Length)] = (byte)random.Next(256);
            try
            {
                NinoSerializer.Deserialize<Bag>(bytes);
                read++;
            }
            catch (NinoSerializationException)
            {
                continue;
            }

            // What a program reads, tools read.
            NinoValue.Decode(NinoSerializer.SchemaOf<Bag>(), bytes);
        }

        Assert.InRange(read, 1, Tries - 1);
    }

    private static string Hex(byte[] bytes) => Convert.ToHexString(bytes.AsSpan(0, 4)) + " " + Convert.ToHexString(bytes.AsSpan(4));

    private static string Json<T>(T value)
    {
        var bytes = new ArrayBufferWriter<byte>();
        using (var writer = new Utf8JsonWriter(bytes)) NinoJson.Write(writer, NinoSchema.Parse(NinoSerializer.SchemaOf<T>().CanonicalBytes.Span), NinoSerializer.Serialize(value));
        return Encoding.UTF8.GetString(bytes.WrittenSpan);
    }
}
