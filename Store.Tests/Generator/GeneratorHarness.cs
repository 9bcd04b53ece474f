// Runs the generator on source text, without a project or a disk.

using System.Collections.Concurrent;
using System.Collections.Immutable;
using System.Reflection;
using System.Runtime.Loader;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.Diagnostics;
using Microsoft.CodeAnalysis.Emit;
using Store.Serialization;
using Store.Serialization.Generator;
using Store.Tests.Generator.RoundTrips;
using Store.Tests.Types;

namespace Store.Tests.Generator;

internal static class GeneratorHarness
{
    private static readonly CSharpParseOptions ParseOptions = new(LanguageVersion.Preview);

    private static readonly ImmutableArray<MetadataReference> References =
    [
        .. ((string)AppContext.GetData("TRUSTED_PLATFORM_ASSEMBLIES")!)
            .Split(Path.PathSeparator)
            .Where(static path => Path.GetFileName(path) is var name && (name.StartsWith("System.", StringComparison.Ordinal) || name == "netstandard.dll"))
            .Append(typeof(NinoTypeAttribute).Assembly.Location)
            .Append(typeof(Microsoft.FSharp.Core.Unit).Assembly.Location)
            .Select(static path => MetadataReference.CreateFromFile(path)),
    ];

    private static readonly ConcurrentDictionary<(string Source, bool IsReferenceAssembly), (byte[] Image, MetadataReference Seen)> s_libraries = new();

    /// <summary>Usings that every test source gets, in front of its first line.</summary>
    public const string Usings = "using System; using System.Collections.Generic; using System.Diagnostics.CodeAnalysis; using Store.Serialization;\n";

    public static CSharpCompilation Compile(params string[] sources) => Compile(ParseOptions, sources);

    private static CSharpCompilation Compile(CSharpParseOptions options, string[] sources) => CSharpCompilation.Create(
        "Shop",
        sources.Select((text, index) => CSharpSyntaxTree.ParseText(Usings + text, options, $"File{index}.cs")),
        References,
        // Projects may check overflow everywhere, generated code included: numbers that wrap there on purpose would throw.
        new CSharpCompilationOptions(OutputKind.DynamicallyLinkedLibrary, allowUnsafe: true, checkOverflow: true, nullableContextOptions: NullableContextOptions.Enable, generalDiagnosticOption: ReportDiagnostic.Error,
            specificDiagnosticOptions: [new("CS1591", ReportDiagnostic.Suppress)]));

    public static SyntaxTree Parse(string text, string path) => CSharpSyntaxTree.ParseText(Usings + text, ParseOptions, path);

    public static CSharpGeneratorDriver Driver() => Driver(ParseOptions);

    private static CSharpGeneratorDriver Driver(CSharpParseOptions options) => CSharpGeneratorDriver.Create(
        [new NinoGenerator().AsSourceGenerator()],
        parseOptions: options,
        driverOptions: new GeneratorDriverOptions(IncrementalGeneratorOutputKind.None, trackIncrementalGeneratorSteps: true));

    /// <summary>Generates, and fails the test when anything, user code or generated, has an error or warning.</summary>
    public static GeneratorRunResult Generate(params string[] sources) => Generate(ParseOptions, sources);

    /// <summary>As <see cref="Generate(string[])"/>, in a project that sets the language version.</summary>
    public static GeneratorRunResult GenerateAs(LanguageVersion version, params string[] sources) => Generate(new CSharpParseOptions(version), sources);

    private static GeneratorRunResult Generate(CSharpParseOptions options, string[] sources)
    {
        CSharpCompilation compilation = Compile(options, sources);
        GeneratorDriver driver = Driver(options).RunAbroad(compilation, out Compilation output, out ImmutableArray<Diagnostic> diagnostics);
        Assert.DoesNotContain(diagnostics, static diagnostic => !diagnostic.IsSuppressed);
        using var assembly = new MemoryStream();
        Assert.Empty(output.Emit(assembly).Diagnostics.Where(static diagnostic => diagnostic.Severity != DiagnosticSeverity.Hidden));
        GeneratorRunResult result = Assert.Single(driver.GetRunResult().Results);
        Assert.Null(result.Exception);
        return result;
    }

    /// <summary>The diagnostics of the generator. Fails the test when the compiler has any of its own: bad types must not drag broken code behind them.</summary>
    public static ImmutableArray<Diagnostic> Diagnose(params string[] sources) => Diagnosed(Compile(sources));

    /// <summary>As <see cref="Diagnose"/>, in a project that sets the language version.</summary>
    public static ImmutableArray<Diagnostic> DiagnoseAs(LanguageVersion version, params string[] sources) => Diagnosed(Compile(new CSharpParseOptions(version), sources), new CSharpParseOptions(version));

    /// <summary>The diagnostics of the generator for a program that references a library: its assembly, or the reference assembly that a build in projects hands on.</summary>
    /// <param name="library">What the library declares.</param>
    /// <param name="program">What the program declares.</param>
    /// <param name="isReferenceAssembly">The program sees the library's reference assembly.</param>
    /// <param name="aliases">Those of the reference; none is the global one.</param>
    public static ImmutableArray<Diagnostic> DiagnoseWithLibrary(string library, string program, bool isReferenceAssembly, params string[] aliases)
    {
        MetadataReference reference = MetadataReference.CreateFromImage(Emit(Compile(library).WithAssemblyName("Library"), isReferenceAssembly)).WithAliases(aliases);
        return Diagnosed(Compile(program).AddReferences(reference));
    }

    /// <summary>As <see cref="Diagnose"/>, for a program that references the types of F# of the tests.</summary>
    public static ImmutableArray<Diagnostic> DiagnoseWithFSharp(string program) => Diagnosed(Compile(program).AddReferences(MetadataReference.CreateFromFile(typeof(Shop.FSharp.Label).Assembly.Location)));

    /// <summary>A program with its generated code that sees the reference assembly of a library.</summary>
    /// <param name="library">What the library declares.</param>
    /// <param name="program">What the program declares.</param>
    /// <param name="generated">All generated code of the program.</param>
    public static CSharpCompilation CompileWithLibrary(string library, string program, out string generated)
    {
        CSharpCompilation compilation = Compile(program).AddReferences(MetadataReference.CreateFromImage(Emit(Compile(library).WithAssemblyName("Library"), isReferenceAssembly: true)));
        GeneratorDriver driver = Driver().RunAbroad(compilation, out Compilation output, out ImmutableArray<Diagnostic> diagnostics);
        Assert.Empty(diagnostics);
        generated = string.Concat(driver.GetRunResult().Results.Single().GeneratedSources.Select(static one => one.SourceText.ToString()));
        return (CSharpCompilation)output;
    }

    /// <summary>As <see cref="DiagnoseWithLibrary"/>, with one reference to the library for each alias.</summary>
    public static ImmutableArray<Diagnostic> DiagnoseWithLibraryTwice(string library, string program, string[] aliases)
    {
        byte[] image = Emit(Compile(library).WithAssemblyName("Library"));
        return Diagnosed(Compile(program).AddReferences(aliases.Select(alias => MetadataReference.CreateFromImage(image).WithAliases([alias]))));
    }

    /// <summary>As <see cref="DiagnoseWithLibrary"/>, with another library below it, which the program sees under an alias only.</summary>
    public static ImmutableArray<Diagnostic> DiagnoseWithLibraries(string lower, string library, string program, string aliasOfLower)
    {
        MetadataReference below = MetadataReference.CreateFromImage(Emit(Compile(lower).WithAssemblyName("Lower")));
        MetadataReference above = MetadataReference.CreateFromImage(Emit(Compile(library).WithAssemblyName("Library").AddReferences(below)));
        return Diagnosed(Compile(program).AddReferences(above, below.WithAliases([aliasOfLower])));
    }

    /// <summary>The diagnostics of the generator for a program that sees the engine under aliases, without <see cref="Usings"/>.</summary>
    public static ImmutableArray<Diagnostic> DiagnoseWithEngineUnder(string[] aliases, string program)
    {
        CSharpCompilation compilation = Compile([]);
        MetadataReference engine = compilation.References.Single(static one => Path.GetFileName(one.Display) == "NinoStore.Serialization.dll");
        return Diagnosed(compilation.ReplaceReference(engine, engine.WithAliases(aliases)).AddSyntaxTrees(CSharpSyntaxTree.ParseText(program, ParseOptions, "File0.cs")));
    }

    private static ImmutableArray<Diagnostic> Diagnosed(CSharpCompilation compilation, CSharpParseOptions? options = null)
    {
        Driver(options ?? ParseOptions).RunAbroad(compilation, out Compilation output, out ImmutableArray<Diagnostic> diagnostics);
        Assert.DoesNotContain(output.GetDiagnostics(), static diagnostic => diagnostic is { Severity: DiagnosticSeverity.Error, IsWarningAsError: false });
        return diagnostics;
    }

    /// <summary>What the compiler says of the generated code for source that it need not take. Fails the test when the generator throws.</summary>
    public static IEnumerable<string> ErrorsInGeneratedCode(string source)
    {
        GeneratorDriver driver = Driver().RunAbroad(Compile(source), out Compilation output, out _);
        GeneratorRunResult result = Assert.Single(driver.GetRunResult().Results);
        Assert.True(result.Exception is null, $"{source}\n{result.Exception}");
        HashSet<SyntaxTree> generated = [.. result.GeneratedSources.Select(static one => one.SyntaxTree)];
        return output.GetDiagnostics()
            .Where(diagnostic => diagnostic is { Severity: DiagnosticSeverity.Error, IsWarningAsError: false } && diagnostic.Location.SourceTree is { } tree && generated.Contains(tree))
            .Select(static diagnostic => $"{Path.GetFileName(diagnostic.Location.SourceTree!.FilePath)}: {diagnostic.Id} {diagnostic.GetMessage(System.Globalization.CultureInfo.InvariantCulture)}");
    }

    /// <summary>What a program needs that uses the store.</summary>
    public static MetadataReference StoreReference { get; } = MetadataReference.CreateFromFile(typeof(NinoStore).Assembly.Location);

    /// <summary>The diagnostics of analyzers that stand beside the generator.</summary>
    public static Task<ImmutableArray<Diagnostic>> AnalyzeAsync(Compilation compilation, params ImmutableArray<DiagnosticAnalyzer> analyzers) => compilation.WithAnalyzers(analyzers).GetAnalyzerDiagnosticsAsync();

    public static string SourceOf(GeneratorRunResult result, string hintName) => result.GeneratedSources.Single(source => source.HintName == hintName).SourceText.ToString();

    /// <summary>Compiles a library and a program that references it, each with its generated code, loads both and runs <c>Program.Run()</c>; then walks what it left in <c>Program.Records</c> by schema.</summary>
    /// <param name="library">What the library declares.</param>
    /// <param name="program">What the program declares.</param>
    /// <param name="laterLibrary">What the library declares when the program runs, if something else.</param>
    /// <param name="seesReferenceAssembly">The program is compiled against the library's reference assembly.</param>
    public static void RunWithLibrary(string library, string program, string? laterLibrary = null, bool seesReferenceAssembly = false)
    {
        (byte[] libraryImage, MetadataReference seen) = EmitLibrary(library, seesReferenceAssembly);
        byte[] programImage = Emit(Compile(program).AddReferences(seen));
        if (laterLibrary is not null) libraryImage = Emit(Compile(laterLibrary).WithAssemblyName("Library"));
        var context = new AssemblyLoadContext("Generated", isCollectible: true);
        context.LoadFromStream(new MemoryStream(libraryImage));
        RunAndWalk(context, programImage);
    }

    // Most programs see one of a few libraries, and none of these is changed by being loaded.
    private static (byte[] Image, MetadataReference Seen) EmitLibrary(string source, bool seesReferenceAssembly)
    {
        if (s_libraries.TryGetValue((source, seesReferenceAssembly), out (byte[] Image, MetadataReference Seen) known)) return known;
        Compilation library = Generated(Compile(source).WithAssemblyName("Library"));
        byte[] image = Emitted(library, isReferenceAssembly: false);
        (byte[], MetadataReference) emitted = (image, MetadataReference.CreateFromImage(seesReferenceAssembly ? Emitted(library, isReferenceAssembly: true) : image));
        if (source is Programs.Nothing or ForeignAttributes.Source) s_libraries[(source, seesReferenceAssembly)] = emitted;
        return emitted;
    }

    /// <summary>As <see cref="RunIsolated"/> with an assembly that is there, which is loaded once more: in this engine its types would have the program's codecs, for whichever test comes later.</summary>
    /// <param name="library">A type of it.</param>
    /// <param name="program">What the program declares.</param>
    public static void RunIsolatedWith(Type library, string program) =>
        RunAlone(Emit(QuietOfVersions(Compile(program)).AddReferences(MetadataReference.CreateFromFile(library.Assembly.Location))), context => context.LoadFromAssemblyPath(library.Assembly.Location));

    // It was built against an older framework.
    private static CSharpCompilation QuietOfVersions(CSharpCompilation compilation) => compilation.WithOptions(compilation.Options.WithSpecificDiagnosticOptions(compilation.Options.SpecificDiagnosticOptions.SetItem("CS1701", ReportDiagnostic.Suppress)));

    private static void RunAndWalk(AssemblyLoadContext context, byte[] program, Action<Type>? then = null)
    {
        Assembly loaded = context.LoadFromStream(new MemoryStream(program));
        Type entry = loaded.GetType("Program")!;
        entry.GetMethod("Run")!.Invoke(null, BindingFlags.DoNotWrapExceptions, null, null, null);
        var records = (List<(byte[] Bytes, NinoSchema Schema)>)entry.GetField("Records")!.GetValue(null)!;
        Assert.NotEmpty(records);
        foreach ((byte[] bytes, NinoSchema schema) in records) RoundTrip.Walk(bytes, schema);
        then?.Invoke(entry);
        context.Unload();
    }

    /// <summary>As <see cref="RunWithLibrary"/> with several libraries, each of which references as many of the first ones as it says, and a program that references all and may use the store.</summary>
    /// <param name="libraries">Their names, what they declare, and how many of the others each sees.</param>
    /// <param name="program">What the program declares.</param>
    /// <param name="missing">The name of one that is not there when the program runs.</param>
    /// <param name="seesReferenceAssemblies">All are compiled against the libraries' reference assemblies.</param>
    /// <param name="then">What to do with the program's class when it ran.</param>
    public static void RunWithLibraries((string Name, string Source, int Sees)[] libraries, string program, string? missing = null, bool seesReferenceAssemblies = false, Action<Type>? then = null)
    {
        List<MetadataReference> references = [];
        var context = new AssemblyLoadContext("Generated", isCollectible: true);
        foreach ((string name, string source, int sees) in libraries)
        {
            CSharpCompilation compilation = Compile(source).WithAssemblyName(name).AddReferences(references.Take(sees));
            byte[] image = Emit(compilation);
            references.Add(MetadataReference.CreateFromImage(seesReferenceAssemblies ? Emit(compilation, isReferenceAssembly: true) : image));
            if (name != missing) context.LoadFromStream(new MemoryStream(image));
        }

        RunAndWalk(context, Emit(Compile(program).AddReferences(references).AddReferences(StoreReference)), then);
    }

    /// <summary>As <see cref="RunWithLibraries"/>, where each library was compiled against another version of the lowest one.</summary>
    /// <param name="lowest">Its name, and what it declares when the program runs.</param>
    /// <param name="libraries">Their names, what the lowest one declared when they were compiled, and what they declare.</param>
    /// <param name="program">What the program declares.</param>
    public static void RunWithVersions((string Name, string Source) lowest, (string Name, string Seen, string Source)[] libraries, string program)
    {
        byte[] now = Emit(Compile(lowest.Source).WithAssemblyName(lowest.Name));
        List<MetadataReference> references = [MetadataReference.CreateFromImage(now)];
        var context = new AssemblyLoadContext("Generated", isCollectible: true);
        context.LoadFromStream(new MemoryStream(now));
        foreach ((string name, string seen, string source) in libraries)
        {
            byte[] image = Emit(Compile(source).WithAssemblyName(name).AddReferences(MetadataReference.CreateFromImage(Emit(Compile(seen).WithAssemblyName(lowest.Name)))));
            references.Add(MetadataReference.CreateFromImage(image));
            context.LoadFromStream(new MemoryStream(image));
        }

        RunAndWalk(context, Emit(Compile(program).AddReferences(references)));
    }

    /// <summary>As <see cref="RunWithLibrary"/> with an engine of their own, in which nothing was registered or used yet. Records are not walked.</summary>
    public static void RunIsolated(string library, string program)
    {
        byte[] libraryImage = Emit(Compile(library).WithAssemblyName("Library"));
        RunAlone(Emit(Compile(program).AddReferences(MetadataReference.CreateFromImage(libraryImage))), context => context.LoadFromStream(new MemoryStream(libraryImage)));
    }

    private static void RunAlone(byte[] program, Action<AssemblyLoadContext> loadLibrary)
    {
        // It stays: its engine has statics of every thread that ran it, the test's among them, and taking such a context apart beside a collection in the background is not worth the megabytes.
        var context = new AssemblyLoadContext("Isolated", isCollectible: false);
        context.LoadFromAssemblyPath(typeof(NinoTypeAttribute).Assembly.Location);
        loadLibrary(context);
        context.LoadFromStream(new MemoryStream(program)).GetType("Program")!.GetMethod("Run")!.Invoke(null, BindingFlags.DoNotWrapExceptions, null, null, null);
    }

    /// <summary>An assembly with its generated code.</summary>
    public static byte[] Emit(CSharpCompilation compilation, bool isReferenceAssembly = false) => Emitted(Generated(compilation), isReferenceAssembly);

    private static Compilation Generated(CSharpCompilation compilation)
    {
        Driver().RunAbroad(compilation, out Compilation output, out ImmutableArray<Diagnostic> diagnostics);
        Assert.DoesNotContain(diagnostics, static diagnostic => !diagnostic.IsSuppressed);
        return output;
    }

    private static byte[] Emitted(Compilation output, bool isReferenceAssembly)
    {
        using var image = new MemoryStream();
        EmitOptions? options = isReferenceAssembly ? new EmitOptions(metadataOnly: true, includePrivateMembers: false) : null;
        Assert.Empty(output.Emit(image, options: options).Diagnostics.Where(static diagnostic => diagnostic.Severity == DiagnosticSeverity.Error));
        return image.ToArray();
    }
}
