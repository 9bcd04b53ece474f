using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CodeActions;
using Microsoft.CodeAnalysis.CodeFixes;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.Text;
using Store.Serialization.CodeFixes;
using Store.Serialization.Generator.Diagnostics;

namespace Store.Tests.Generator;

/// <summary>What an editor offers for a diagnostic: the change, and that the diagnostic is gone after it.</summary>
public sealed class CodeFixTests
{
    private static readonly CodeFixProvider[] Providers = [.. typeof(MarkTypeFix).Assembly.GetTypes().Where(static type => type is { IsAbstract: false } && type.IsSubclassOf(typeof(CodeFixProvider))).Select(static type => (CodeFixProvider)Activator.CreateInstance(type)!)];

    /// <summary>Id, title of the fix, the source before, and after.</summary>
    public static TheoryData<string, string, string, string> Fixes => new()
    {
        { "NINO001", "Put [NinoType] on 'Line'", "public class Line { public int X; }\n[NinoType] public class A { public Line? L; }", "[NinoType]\npublic class Line { public int X; }\n[NinoType] public class A { public Line? L; }" },
        { "NINO001", "Put [NinoType] on 'Line'", "namespace N\n{\n    /// <summary>A line.</summary>\n    public class Line { public int X; }\n    [NinoType] public record A(Dictionary<int, Line[]> L);\n}", "namespace N\n{\n    /// <summary>A line.</summary>\n    [NinoType]\n    public class Line { public int X; }\n    [NinoType] public record A(Dictionary<int, Line[]> L);\n}" },
        { "NINO001", "Leave the member out with [NinoIgnore]", "public class Line { public int X; }\n[NinoType] public class A { public int Id; public Line? L { get; set; } }", "public class Line { public int X; }\n[NinoType] public class A { public int Id; [NinoIgnore] public Line? L { get; set; } }" },
        { "NINO001", "Register 'Diagnostic' with [NinoSerializable]", "[NinoType] public class A { public Store.Foreign.Diagnostic? D; }", "[assembly: NinoSerializable(typeof(Store.Foreign.Diagnostic))]\n[NinoType] public class A { public Store.Foreign.Diagnostic? D; }" },
        { "NINO002", "Leave the member out with [NinoIgnore]", "[NinoType] public class A { public int Id; public Action? Run; }", "[NinoType] public class A { public int Id; [NinoIgnore] public Action? Run; }" },
        { "NINO003", "Make 'Inner' internal", "public class Outer { [NinoType] private class Inner { public int X; } }", "public class Outer { [NinoType] internal class Inner { public int X; } }" },
        { "NINO003", "Make 'Inner' internal", "public class Outer { [NinoType] sealed class Inner { public int X; } }", "public class Outer { [NinoType] internal sealed class Inner { public int X; } }" },
        { "NINO003", "Make 'A' internal", "[NinoType] file class A { public int X; }", "[NinoType] internal class A { public int X; }" },
        { "NINO005", "Read with A(int)", "[NinoType] public class A { public A(int x) { X = x; } public A(long y) { Y = y; } public int X { get; } public long Y { get; } }", "[NinoType] public class A { [NinoConstructor] public A(int x) { X = x; } public A(long y) { Y = y; } public int X { get; } public long Y { get; } }" },
        { "NINO007", "Give the member the id 3", "[NinoType] public class A { [NinoMember(1)] public int X; [NinoMember(2)] public int Z; [NinoMember(1)] public int Y; }", "[NinoType] public class A { [NinoMember(1)] public int X; [NinoMember(2)] public int Z; [NinoMember(3)] public int Y; }" },
        { "NINO008", "Leave the member out with [NinoIgnore]", "[NinoType] public class A { public int Id; public int[] Items { get; } = new int[2]; }", "[NinoType] public class A { public int Id; [NinoIgnore] public int[] Items { get; } = new int[2]; }" },
        { "NINO009", "Leave the member out with [NinoIgnore]", "[NinoType] public class A { public int Id; public int Born { get; } = 5; }", "[NinoType] public class A { public int Id; [NinoIgnore] public int Born { get; } = 5; }" },
        { "NINO011", "Leave the member out with [NinoIgnore]", "public interface IShape; [NinoType] public class A { public int Id; public IShape? Shape; }", "public interface IShape; [NinoType] public class A { public int Id; [NinoIgnore] public IShape? Shape; }" },
        { "NINO017", "Store the member with [NinoInclude]", "[NinoType] public class A { public int Id; private int _count; public int Count => _count; public void Add() => _count++; }", "[NinoType] public class A { public int Id; [NinoInclude] private int _count; public int Count => _count; public void Add() => _count++; }" },
        { "NINO017", "Leave the member out with [NinoIgnore]", "[NinoType] public class A { public int Id; private int _count; public int Count => _count; public void Add() => _count++; }", "[NinoType] public class A { public int Id; [NinoIgnore] private int _count; public int Count => _count; public void Add() => _count++; }" },
        { "NINO032", "Name 'B' as case 4 of 'S'", "[NinoType, NinoUnion(3, typeof(A))] public abstract class S; [NinoType] public class A : S { public int X; }\n[NinoType] public class B : S { public int X; }", "[NinoUnion(4, typeof(B))]\n[NinoType, NinoUnion(3, typeof(A))] public abstract class S; [NinoType] public class A : S { public int X; }\n[NinoType] public class B : S { public int X; }" },
    };

    [Theory]
    [MemberData(nameof(Fixes))]
    public async Task AFixChangesWhatItSaysAndTheDiagnosticIsGone(string id, string title, string before, string after)
    {
        using var workspace = new AdhocWorkspace();
        Document document = Open(workspace, GeneratorHarness.Usings + before);
        Diagnostic diagnostic = Assert.Single(await DiagnoseAsync(document), one => one.Id == id);

        CodeAction action = Assert.Single(await ActionsAsync(document, diagnostic), one => one.Title == title);
        ApplyChangesOperation operation = Assert.Single((await action.GetOperationsAsync(CancellationToken.None)).OfType<ApplyChangesOperation>());
        Document changed = operation.ChangedSolution.GetDocument(document.Id)!;

        Assert.Equal(GeneratorHarness.Usings + after, (await changed.GetTextAsync()).ToString());
        Assert.DoesNotContain(await DiagnoseAsync(changed), one => one.Id == id);
        Assert.DoesNotContain((await changed.Project.GetCompilationAsync())!.GetDiagnostics(), static one => one.Severity == DiagnosticSeverity.Error);
    }

    [Fact]
    public async Task WithoutTheNamespaceAnAttributeIsWrittenInFull()
    {
        using var workspace = new AdhocWorkspace();
        Document document = Open(workspace, "[Store.Serialization.NinoType] public class A { public int Id; public System.Action? Run; }");
        CodeAction action = Assert.Single(await ActionsAsync(document, Assert.Single(await DiagnoseAsync(document))));
        Document changed = (await action.GetOperationsAsync(CancellationToken.None)).OfType<ApplyChangesOperation>().Single().ChangedSolution.GetDocument(document.Id)!;
        Assert.Contains("[Store.Serialization.NinoIgnore] public System.Action? Run;", (await changed.GetTextAsync()).ToString());
    }

    [Fact]
    public void EveryFixIsTestedForEveryIdAndThePageOfTheIdNamesIt()
    {
        string[] known = [.. NinoDiagnostics.All.Select(static descriptor => descriptor.Id)];
        HashSet<string> tested = [.. Fixes.Select(static row => (string)row[0])];
        foreach (string id in Providers.SelectMany(static provider => provider.FixableDiagnosticIds).Distinct())
        {
            Assert.Contains(id, known);
            Assert.Contains(id, tested);
        }

        foreach (string id in known)
        {
            string page = Repository.Read($"docs/diagnostics/{id}.md");
            Assert.Equal(tested.Contains(id), page.Contains("An editor offers", StringComparison.Ordinal));
        }
    }

    [Fact]
    public void TheGeneratorDoesNotKnowTheFixes()
    {
        Assert.DoesNotContain(typeof(Store.Serialization.Generator.NinoGenerator).Assembly.GetReferencedAssemblies(), static name => name.Name!.Contains("Workspaces") || name.Name.Contains("CodeFixes"));
        Assert.DoesNotContain(typeof(MarkTypeFix).Assembly.GetTypes(), static type => type.IsSubclassOf(typeof(Microsoft.CodeAnalysis.Diagnostics.DiagnosticAnalyzer)) || typeof(IIncrementalGenerator).IsAssignableFrom(type));
    }

    private static Document Open(AdhocWorkspace workspace, string source)
    {
        Compilation compilation = GeneratorHarness.Compile();
        MetadataReference foreign = CSharpCompilation.Create("Foreign", [CSharpSyntaxTree.ParseText("namespace Store.Foreign; public class Diagnostic { public int X { get; set; } }")], compilation.References, new CSharpCompilationOptions(OutputKind.DynamicallyLinkedLibrary)).ToMetadataReference();
        ProjectInfo project = ProjectInfo.Create(ProjectId.CreateNewId(), VersionStamp.Default, "Shop", "Shop", LanguageNames.CSharp,
            compilationOptions: new CSharpCompilationOptions(OutputKind.DynamicallyLinkedLibrary, nullableContextOptions: NullableContextOptions.Enable),
            parseOptions: new CSharpParseOptions(LanguageVersion.Preview), metadataReferences: [.. compilation.References, foreign]);
        workspace.AddProject(project);
        return workspace.AddDocument(DocumentInfo.Create(DocumentId.CreateNewId(project.Id), "File.cs", loader: TextLoader.From(TextAndVersion.Create(SourceText.From(source), VersionStamp.Default)), filePath: "File.cs"));
    }

    private static async Task<IReadOnlyList<Diagnostic>> DiagnoseAsync(Document document)
    {
        GeneratorHarness.Driver().RunGeneratorsAndUpdateCompilation((await document.Project.GetCompilationAsync())!, out _, out System.Collections.Immutable.ImmutableArray<Diagnostic> diagnostics);
        return diagnostics;
    }

    private static async Task<List<CodeAction>> ActionsAsync(Document document, Diagnostic diagnostic)
    {
        List<CodeAction> actions = [];
        foreach (CodeFixProvider provider in Providers.Where(provider => provider.FixableDiagnosticIds.Contains(diagnostic.Id)))
            await provider.RegisterCodeFixesAsync(new CodeFixContext(document, diagnostic, (action, _) => actions.Add(action), CancellationToken.None));
        return actions;
    }
}
