namespace Store.Tests.Generator;

/// <summary>Programs of a test, compiled with their generated code and run: what a <c>Run</c> method needs, and where its records are kept.</summary>
internal static class Programs
{
    private const string Helper = """
            public static List<(byte[] Bytes, NinoSchema Schema)> Records = [];
            public static T Copy<T>(T value)
            {
                byte[] bytes = NinoSerializer.Serialize(value);
                Records.Add((bytes, NinoSerializer.SchemaOf<T>()));
                return NinoSerializer.Deserialize<T>(bytes);
            }
            public static TNow Evolve<TOld, TNow>(TOld value)
            {
                byte[] bytes = NinoSerializer.Serialize(value);
                Records.Add((bytes, NinoSerializer.SchemaOf<TOld>()));
                return NinoCodec<TNow>.Default.Decode(bytes, NinoSerializer.SchemaOf<TOld>());
            }
            public static string Fields<T>() => string.Join(" ", System.Linq.Enumerable.Select(((ObjectDefinition)NinoSerializer.SchemaOf<T>().Root.Definition!).Fields, field => $"{field.Id}:{field.Name}:{field.Node.Kind}"));
            public static void Equal<T>(T expected, T actual) { if (!EqualityComparer<T>.Default.Equals(expected, actual)) throw new InvalidOperationException($"{actual} and not {expected}."); }
            public static void Refused(Action action, params string[] parts)
            {
                try { action(); }
                catch (NinoSerializationException error)
                {
                    foreach (string part in parts) if (!error.Message.Contains(part)) throw new InvalidOperationException($"Not '{part}': {error.Message}");
                    return;
                }
                throw new InvalidOperationException("Nothing was thrown.");
            }
        """;

    /// <summary>A library of which a program needs nothing.</summary>
    public const string Nothing = "public static class Nothing;";

    /// <summary>Compiles and runs; then walks the records that were copied. What a type was before may stand beside what it is.</summary>
    /// <param name="types">What the program declares.</param>
    /// <param name="run">The body of its <c>Run</c>.</param>
    /// <param name="library">What an assembly that it references declares.</param>
    /// <param name="seesReferenceAssembly">It is compiled against that one's reference assembly.</param>
    /// <param name="laterLibrary">What that assembly declares when the program runs, if something else.</param>
    public static void Run(string types, string run, string library = Nothing, bool seesReferenceAssembly = false, string? laterLibrary = null) => GeneratorHarness.RunWithLibrary(library, laterLibrary: laterLibrary, seesReferenceAssembly: seesReferenceAssembly, program: Source(types, run));

    /// <summary>As <see cref="Run"/> with several libraries.</summary>
    public static void RunWith((string Name, string Source, int Sees)[] libraries, string types, string run, string? missing = null, bool seesReferenceAssemblies = false, Action<Type>? then = null) => GeneratorHarness.RunWithLibraries(libraries, Source(types, run), missing, seesReferenceAssemblies, then);

    /// <summary>As <see cref="Run"/> with libraries that were compiled against other versions of the lowest one.</summary>
    public static void RunWithVersions((string Name, string Source) lowest, (string Name, string Seen, string Source)[] libraries, string run) => GeneratorHarness.RunWithVersions(lowest, libraries, Source("using Lib;", run));

    /// <summary>The whole text of a program.</summary>
    public static string Source(string types, string run) => $$"""
        #pragma warning disable NINO021, NINO027, NINO028, NINO029
        {{types}}
        public static class Program
        {
            public static void Run()
            {
                {{run}}
            }
        {{Helper}}
        }
        """;
}
