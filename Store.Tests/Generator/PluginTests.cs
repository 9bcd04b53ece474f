using System.Reflection;
using System.Runtime.CompilerServices;
using System.Runtime.Loader;
using Microsoft.CodeAnalysis;
using Store.Serialization;

namespace Store.Tests.Generator;

/// <summary>Assemblies in contexts of their own: two versions of one beside each other, and that what the engine knows of types does not keep a collectible context that nothing else keeps (docs/trimming.md).</summary>
public sealed class PluginTests
{
    private const string Types = """
        [assembly: NinoSerializable(typeof(List<Order>)), NinoSerializable(typeof(Dictionary<string, Order>)), NinoSerializable(typeof(Kind)), NinoSerializable(typeof(Plain)), NinoSerializable(typeof(Box<Order>))]
        public enum Kind { One }
        public sealed class Plain { public int Id { get; set; } }
        [NinoType] public sealed record Box<T>(T Value);
        [NinoType] public abstract record Event(int Id);
        [NinoType] public sealed record Opened(int Id) : Event(Id);
        [NinoType] public sealed record Order(int Id, string? Name, Event? Last, object? Any) { public List<string> Lines { get; } = ["a"]; public DateTime At { get; set; } }
        [NinoType] public sealed class Small { public int Id { get; set; } }
        [NinoType, NinoFormerName("Small")] public sealed class Larger { public int Id { get; set; } public string Text { get; set; } = "none"; }
        [NinoType(References = true)] public sealed class Node { public Node? Next { get; set; } }
        """;

    private const string EveryVerb = """
        Order order = new(1, "n", new Opened(2), new Plain());
        byte[] bytes = NinoSerializer.Serialize(order);
        Equal(1, NinoSerializer.Deserialize<Order>(bytes).Id);
        NinoSerializer.Deserialize(bytes, ref order!);
        NinoSerializer.Deserialize<Order[]>(NinoSerializer.Serialize(new[] { order }));
        NinoSerializer.Deserialize<List<Order>>(NinoSerializer.Serialize(new List<Order> { order }));
        NinoSerializer.Deserialize<Dictionary<string, Order>>(NinoSerializer.Serialize(new Dictionary<string, Order> { ["a"] = order }));
        NinoSerializer.Deserialize<Box<Order>>(NinoSerializer.Serialize(new Box<Order>(order)));
        NinoSerializer.Deserialize<Event>(NinoSerializer.Serialize<Event>(new Opened(3)));
        NinoSerializer.Deserialize(typeof(Order), NinoSerializer.Serialize((object)order));
        NinoSerializer.Deserialize(typeof(Event[]), NinoSerializer.Serialize(new Event[] { new Opened(3) }, typeof(Event[])));
        NinoSerializer.Clone(order);
        NinoSerializer.GetSize(order);
        Node node = new();
        node.Next = node;
        NinoSerializer.Deserialize<Node>(NinoSerializer.Serialize(node));
        NinoSchemaFile.Verify(NinoSchemaFile.Describe(typeof(Order).Assembly), typeof(Order).Assembly);
        Equal(4, Evolve<Small, Larger>(new Small { Id = 4 }).Id);
        Refused(() => NinoSerializer.Deserialize<Order>([1]));
        string folder = System.IO.Path.Combine(System.IO.Path.GetTempPath(), System.IO.Path.GetRandomFileName());
        using (var store = Store.NinoStore.Open(folder))
        {
            store.Append(order);
            store.AppendBatch<Order>([order, order]);
            foreach (var record in store.Read<Order>()) Equal(1, record.Value.Id);
            store.CheckpointAsync(order).GetAwaiter().GetResult();
        }

        System.IO.Directory.Delete(folder, recursive: true);
        """;

    private const string Library = """
        [assembly: NinoSerializable(typeof(Exception))]
        namespace Lib;
        [NinoType] public sealed class Note { public object? Any { get; set; } public Exception? Cause { get; set; } }
        [NinoType] public abstract class Animal;
        [NinoType] public sealed class Cow : Animal;
        public static class Farm { public static void Use() => NinoSerializer.Serialize<Animal>(new Cow()); }
        """;

    private const string Plugin = "[NinoType] public sealed class Cat : Lib.Animal { public int Lives { get; set; } }";

    [Fact]
    public void AnAssemblyWhoseTypesWereStoredIsUnloaded() => Assert.True(IsGone(Run(Types, EveryVerb)));

    [Fact]
    public void OneWhoseCasesComeAfterTheFirstUseOfTheirBaseIsUnloaded() => Assert.True(IsGone(Run(Plugin, "Equal(4, Copy(new Cat { Lives = 4 }).Lives);", isBaseUsed: true)));

    [Fact]
    public void OneThatRegistersACollectionOfTheFrameworkIsUnloaded() =>
        Assert.True(IsGone(Run("[assembly: NinoSerializable(typeof(Dictionary<sbyte, ulong>))]", "Equal(1, NinoSerializer.Deserialize<Dictionary<sbyte, ulong>>(NinoSerializer.Serialize(new Dictionary<sbyte, ulong> { [1] = 2 })).Count);")));

    [Fact]
    public void OneThatRegistersACollectionOfAnotherPluginIsUnloadedBeforeThat()
    {
        Assembly library = LoadLibrary(out byte[] image, isCollectible: true);
        Assert.True(IsGone(Run(library, image, "[assembly: NinoSerializable(typeof(List<Lib.Cow>))]", "Equal(1, NinoSerializer.Deserialize<List<Lib.Cow>>(NinoSerializer.Serialize(new List<Lib.Cow> { new() })).Count);")));
        GC.KeepAlive(library);
    }

    /// <summary>Which exceptions stood where an assembly that stays declares object, that one's list knows only as long as there are such types.</summary>
    [Fact]
    public void OneWhoseExceptionStoodWhereAnotherAssemblyDeclaresObjectIsUnloaded()
    {
        Assembly library = LoadLibrary(out byte[] image);
        foreach (string message in new[] { "gone", "of a changed version" })
        {
            Assert.True(IsGone(Run(library, image, "public sealed class Trouble(string message) : Exception(message);", $$"""
                Lib.Note read = Copy(new Lib.Note { Any = new Trouble("{{message}}"), Cause = new Trouble("cause") });
                Equal(("Trouble", "{{message}}", "cause"), (((NinoStoredException)read.Any!).TypeName, ((Exception)read.Any).Message, read.Cause!.Message));
                """)));
        }
    }

    /// <summary>What it registered for a type of others is that one's codec from there on.</summary>
    [Theory]
    [InlineData(Plugin)]
    [InlineData("[assembly: NinoSerializable(typeof((Lib.Cow, byte)))]")]
    public void OneThatRegistersForATypeOfOthersStays(string types) => Assert.False(IsGone(Run(types, "")));

    /// <summary>Types of one name in two contexts are two types: each is written and read by the codec of its own assembly.</summary>
    [Fact]
    public void TwoVersionsSideBySideReadEachOthersRecords()
    {
        const string Early = "[NinoType] public sealed record Order(int Id);";
        Type early = Order(Early), again = Order(Early), later = Order("[NinoType] public sealed record Order(string Note, long Id);");
        object first = Activator.CreateInstance(early, 7)!, last = Activator.CreateInstance(later, "n", 7L)!;
        byte[][] records = [NinoSerializer.Serialize(first, early, NinoHeader.Schema), NinoSerializer.Serialize(last, later, NinoHeader.Schema)];
        Assert.NotEqual(records[0], records[1]);
        foreach (Type type in new[] { early, again, later })
        {
            foreach (byte[] record in records)
            {
                object read = NinoSerializer.Deserialize(type, record, NinoHeader.Schema);
                Assert.Same(type, read.GetType());
                Assert.Equal(7L, Convert.ToInt64(type.GetProperty("Id")!.GetValue(read), System.Globalization.CultureInfo.InvariantCulture));
                Assert.Equal(NinoSerializer.Serialize(read), NinoSerializer.Serialize(NinoSerializer.Clone(read)));
            }

            Assert.Same(type.MakeArrayType(), NinoSerializer.Deserialize(type.MakeArrayType(), NinoSerializer.Serialize((object)Array.CreateInstance(type, 1))).GetType());
        }

        Assert.Throws<ArgumentException>(() => NinoSerializer.Serialize(first, again));

        static Type Order(string types) => new AssemblyLoadContext("Plugin", isCollectible: true).LoadFromStream(new MemoryStream(GeneratorHarness.Emit(GeneratorHarness.Compile(types).WithAssemblyName("Plugin")))).GetType("Order")!;
    }

    private static bool IsGone(WeakReference context)
    {
        for (int i = 0; i < 20 && context.IsAlive; i++)
        {
            GC.Collect();
            GC.WaitForPendingFinalizers();
        }

        return !context.IsAlive;
    }

    // Not inlined: nothing on the stack may hold the context.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private static WeakReference Run(string types, string run, bool isBaseUsed = false)
    {
        Assembly library = LoadLibrary(out byte[] image);
        if (isBaseUsed) library.GetType("Lib.Farm")!.GetMethod("Use")!.Invoke(null, null);
        return Run(library, image, types, run);
    }

    private static Assembly LoadLibrary(out byte[] image, bool isCollectible = false)
    {
        image = GeneratorHarness.Emit(GeneratorHarness.Compile(Library).WithAssemblyName("Library"));
        return new AssemblyLoadContext("Host", isCollectible).LoadFromStream(new MemoryStream(image));
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static WeakReference Run(Assembly library, byte[] image, string types, string run)
    {
        var context = new AssemblyLoadContext("Plugin", isCollectible: true);
        context.Resolving += (_, name) => name.Name == "Library" ? library : null;
        Assembly plugin = context.LoadFromStream(new MemoryStream(GeneratorHarness.Emit(GeneratorHarness.Compile(Programs.Source(types, run)).AddReferences(MetadataReference.CreateFromImage(image), GeneratorHarness.StoreReference))));
        plugin.GetType("Program")!.GetMethod("Run")!.Invoke(null, BindingFlags.DoNotWrapExceptions, null, null, null);
        context.Unload();
        return new WeakReference(context);
    }
}
