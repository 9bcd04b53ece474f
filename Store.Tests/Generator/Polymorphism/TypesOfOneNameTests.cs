using System.Reflection;
using System.Runtime.CompilerServices;
using System.Runtime.Loader;
using Microsoft.CodeAnalysis;
using Store.Serialization;
using Store.Tests.Log;

namespace Store.Tests.Generator.Polymorphism;

/// <summary>Two types of one name in one record: a file that two assemblies compile, or an assembly that is loaded twice. No schema can hold both, which is told with where they are, and costs nobody else his.</summary>
public sealed class TypesOfOneNameTests : IDisposable
{
    private const string Library = """
        namespace Lib;
        [NinoType] public abstract class Animal { public int Age { get; set; } }
        [NinoType] public sealed class Pair<T, U> { public T? One { get; set; } public U? Other { get; set; } }
        [NinoType] public sealed class Any { public object? Value { get; set; } }
        """;

    private readonly TemporaryFolder _folder = new();

    public void Dispose() => _folder.Dispose();

    /// <summary>An assembly with a case of the library's base that holds a type of a file that others compile too.</summary>
    private static string Linked(string name) =>
        $"namespace Shared {{ [NinoType] public sealed class Tag {{ public int Number {{ get; set; }} }} }} namespace {name} {{ [NinoType] public sealed class Of{name} : Lib.Animal {{ public Shared.Tag? Tag {{ get; set; }} public static Of{name} Make(int number) => new() {{ Tag = new() {{ Number = number }} }}; public int Number() => Tag!.Number; }} }}";

    [Fact]
    public void AFileThatTwoAssembliesCompileIsToldWithBothByEveryVerbThatNeedsASchema() => Programs.RunWith(
        [("Library", Library, 0), ("A", Linked("A"), 1), ("B", Linked("B"), 1)], "", $$"""
        // No schema is needed, and each case has the codec of its own assembly.
        Equal(7, ((B.OfB)NinoSerializer.Deserialize<Lib.Animal>(NinoSerializer.Serialize<Lib.Animal>(B.OfB.Make(7)))).Number());
        Copy(A.OfA.Make(1));
        using Store.NinoStore store = Store.NinoStore.Open(@"{{_folder["store"]}}");
        foreach (Action verb in new Action[]
        {
            () => NinoSerializer.SchemaOf<Lib.Animal>(),
            () => NinoSerializer.Serialize<Lib.Animal>(A.OfA.Make(1), NinoHeader.Schema),
            () => NinoSerializer.Deserialize<Lib.Animal>(NinoSerializer.Serialize(A.OfA.Make(1), NinoHeader.Schema), NinoHeader.Schema),
            () => store.Append<Lib.Animal>(B.OfB.Make(1)),
            () => System.Linq.Enumerable.Count(store.Read<Lib.Animal>()),
        })
        {
            try { verb(); }
            catch (InvalidOperationException error)
            {
                Equal("A record of 'Lib.Animal' may hold two types named 'Shared.Tag', that of 'A' and that of 'B', and a schema tells types by their names. Give one of them another name with [NinoType(Name = ...)], or declare the type once, in an assembly that both reference.", error.Message);
                continue;
            }
            throw new NotSupportedException("Nothing was thrown.");
        }
        Equal(1L, store.Append(A.OfA.Make(1)));
        """);

    [Fact]
    public void TheSchemaFileHasAllOthersAndSaysOfWhichTheAssembliesContradictEachOther() => Programs.RunWith(
        [("Library", Library, 0), ("A", Linked("A"), 1), ("B", Linked("B"), 1)], "[assembly: NinoSerializable(typeof(Lib.Pair<A.OfA, B.OfB>))] [NinoType] public sealed class Other { public A.OfA? One { get; set; } }", """
        Copy(new Other { One = A.OfA.Make(3) });
        string text = NinoSchemaFile.Describe(typeof(Other).Assembly);
        Equal(true, text.Contains("\n  class Other, fingerprint "));
        Equal(true, text.Contains("\n# Lib.Pair<A.OfA, B.OfB> has no schema: assemblies that were loaded when this was written contradict each other about what it is made of.\n"));
        Equal(true, NinoSchemaFile.Compare(text, typeof(Other).Assembly).IsUpToDate);
        """);

    [Fact]
    public void AnAssemblyThatIsLoadedTwiceIsToldWithItsContexts()
    {
        byte[] image = GeneratorHarness.Emit(GeneratorHarness.Compile(Library).WithAssemblyName("Library"));
        Assembly library = new AssemblyLoadContext("Host", isCollectible: false).LoadFromStream(new MemoryStream(image));
        object first = Make("early"), other = Make("late");
        Type animal = library.GetType("Lib.Animal")!;
        InvalidOperationException error = Assert.Throws<InvalidOperationException>(() => NinoSerializer.Serialize(first, animal));
        Assert.StartsWith("The base 'Lib.Animal' has two cases of the tag 0x", error.Message);
        Assert.Contains("that of 'Plugin' in the load context 'early' and that of 'Plugin' in the load context 'late'. The assembly 'Plugin' is loaded twice", error.Message);
        foreach (object one in new[] { first, other }) Assert.Same(one.GetType(), NinoSerializer.Deserialize(one.GetType(), NinoSerializer.Serialize(one, one.GetType(), NinoHeader.Schema), NinoHeader.Schema).GetType());
        Assert.Contains("class Cat, fingerprint ", NinoSchemaFile.Describe(first.GetType().Assembly));

        object Make(string context)
        {
            var place = new AssemblyLoadContext(context, isCollectible: false);
            place.Resolving += (_, name) => name.Name == "Library" ? library : null;
            Assembly plugin = place.LoadFromStream(new MemoryStream(GeneratorHarness.Emit(GeneratorHarness.Compile("[NinoType] public sealed class Cat : Lib.Animal { public int Lives { get; set; } }").WithAssemblyName("Plugin").AddReferences(MetadataReference.CreateFromImage(image)))));
            RuntimeHelpers.RunModuleConstructor(plugin.ManifestModule.ModuleHandle);
            return Activator.CreateInstance(plugin.GetType("Cat")!)!;
        }
    }

    /// <summary>An engine of its own: what is registered for object members counts in the whole process.</summary>
    [Fact]
    public void TwoTypesOfOneNameWhereObjectIsDeclaredAreToldWithTheirAssemblies() => GeneratorHarness.RunIsolated(
        "[NinoType] public sealed class Any { public object? Value { get; set; } } [NinoType] public sealed class Plain { public int Id { get; set; } } namespace Shared { [NinoType(Name = \"Tag\")] public sealed class Ours { public int Id { get; set; } } }", """
        [NinoType(Name = "Tag")] public sealed class Theirs { public int Id { get; set; } }
        public static class Program
        {
            public static void Run()
            {
                NinoObjects.Register<Theirs>();
                try { NinoSerializer.Serialize(new Any { Value = 5 }); }
                catch (InvalidOperationException error)
                {
                    if (error.Message != "Where the assembly 'Library' declares object, two types named 'Tag' may stand, that of 'Library' and that of 'Shop', and a value is told by the name of its type. Give one of them another name with [NinoType(Name = ...)], or declare the type once, in an assembly that both reference.") throw new NotSupportedException(error.Message);
                    string text = NinoSchemaFile.Describe(typeof(Any).Assembly);
                    if (!text.Contains("\n  class Plain, fingerprint ") || !text.Contains("\n# Any has no schema: assemblies")) throw new NotSupportedException(text);
                    return;
                }
                throw new NotSupportedException("Nothing was thrown.");
            }
        }
        """);
}
