// What an editor shows and offers: a file of a project, its diagnostics, and the fixes for them.

using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CodeActions;
using Microsoft.CodeAnalysis.CodeFixes;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.Text;
using Store.Serialization.CodeFixes;
using Store.Serialization.Generator.Analyzers;

namespace Store.Tests.Generator;

internal static class Editor
{
    public static readonly CodeFixProvider[] Providers = [.. typeof(MarkTypeFix).Assembly.GetTypes().Where(static type => type is { IsAbstract: false } && type.IsSubclassOf(typeof(CodeFixProvider))).Select(static type => (CodeFixProvider)Activator.CreateInstance(type)!)];

    /// <summary>The fix of the title makes the one source of the other, the diagnostic is gone then, and neither the generator nor the compiler has an error that it had not before.</summary>
    public static async Task AssertFixedAsync(string id, string title, string source, string after)
    {
        using var workspace = new AdhocWorkspace();
        Document document = Open(workspace, GeneratorHarness.Usings + source);
        Diagnostic diagnostic = Assert.Single(await DiagnoseAsync(document), one => one.Id == id);

        CodeAction action = Assert.Single(await ActionsAsync(document, diagnostic), one => one.Title == title);
        ApplyChangesOperation operation = Assert.Single((await action.GetOperationsAsync(CancellationToken.None)).OfType<ApplyChangesOperation>());
        Document changed = operation.ChangedSolution.GetDocument(document.Id)!;

        Assert.Equal(GeneratorHarness.Usings + after, (await changed.GetTextAsync()).ToString());
        IReadOnlyList<Diagnostic> left = await DiagnoseAsync(changed);
        Assert.DoesNotContain(left, one => one.Id == id);
        HashSet<string> known = [.. (await DiagnoseAsync(document)).Select(static one => one.Id)];
        Assert.DoesNotContain(left, one => one.DefaultSeverity == DiagnosticSeverity.Error && !known.Contains(one.Id));
        // What the compiler said before is not the fix's.
        HashSet<string> before = [.. await ErrorsAsync(document)];
        Assert.DoesNotContain(await ErrorsAsync(changed), one => !before.Contains(one));
    }

    /// <summary>Fixing all of an id makes the one source of the other, and none is left.</summary>
    public static async Task AssertAllFixedAsync(string id, string kind, string before, string after)
    {
        using var workspace = new AdhocWorkspace();
        Document document = Open(workspace, GeneratorHarness.Usings + before);
        Diagnostic[] found = [.. (await DiagnoseAsync(document)).Where(one => one.Id == id)];
        Assert.True(found.Length > 1);
        CodeFixProvider provider = await OfferingAsync(document, found[0], kind);
        var context = new FixAllContext(document, provider, FixAllScope.Document, kind, [id], new Found(found), CancellationToken.None);
        CodeAction action = (await provider.GetFixAllProvider()!.GetFixAsync(context))!;
        Document changed = (await action.GetOperationsAsync(CancellationToken.None)).OfType<ApplyChangesOperation>().Single().ChangedSolution.GetDocument(document.Id)!;

        Assert.Equal(GeneratorHarness.Usings + after, (await changed.GetTextAsync()).ToString());
        Assert.DoesNotContain(await DiagnoseAsync(changed), one => one.Id == id);
    }

    /// <summary>No title begins so.</summary>
    public static async Task AssertNotOfferedAsync(string id, string source, string title)
    {
        using var workspace = new AdhocWorkspace();
        Document document = Open(workspace, GeneratorHarness.Usings + source);
        Diagnostic diagnostic = Assert.Single(await DiagnoseAsync(document), one => one.Id == id);
        Assert.DoesNotContain(await ActionsAsync(document, diagnostic), one => one.Title.StartsWith(title, StringComparison.Ordinal));
    }

    private static async Task<IEnumerable<string>> ErrorsAsync(Document document) => (await document.Project.GetCompilationAsync())!.GetDiagnostics().Where(static one => one.Severity == DiagnosticSeverity.Error).Select(static one => one.Id);

    public static Document Open(AdhocWorkspace workspace, string source)
    {
        Compilation compilation = GeneratorHarness.Compile();
        MetadataReference foreign = CSharpCompilation.Create("Foreign", [CSharpSyntaxTree.ParseText("namespace Store.Foreign; public class Diagnostic { public int X { get; set; } } public class Grid<T> { public T X { get; set; } public class @event { public T Y { get; set; } } }")], compilation.References, new CSharpCompilationOptions(OutputKind.DynamicallyLinkedLibrary)).ToMetadataReference(["global", "old"]);
        ProjectInfo project = ProjectInfo.Create(ProjectId.CreateNewId(), VersionStamp.Default, "Shop", "Shop", LanguageNames.CSharp,
            compilationOptions: new CSharpCompilationOptions(OutputKind.DynamicallyLinkedLibrary, nullableContextOptions: NullableContextOptions.Enable),
            parseOptions: new CSharpParseOptions(LanguageVersion.Preview), metadataReferences: [.. compilation.References, GeneratorHarness.StoreReference, foreign]);
        workspace.AddProject(project);
        return workspace.AddDocument(DocumentInfo.Create(DocumentId.CreateNewId(project.Id), "File.cs", loader: TextLoader.From(TextAndVersion.Create(SourceText.From(source), VersionStamp.Default)), filePath: "File.cs"));
    }

    public static async Task<IReadOnlyList<Diagnostic>> DiagnoseAsync(Document document)
    {
        Compilation compilation = (await document.Project.GetCompilationAsync())!;
        GeneratorHarness.Driver().RunAbroad(compilation, out Compilation generated, out System.Collections.Immutable.ImmutableArray<Diagnostic> diagnostics);
        return [.. diagnostics, .. await GeneratorHarness.AnalyzeAsync(generated, new CollectionAsRecordAnalyzer(), new UnregisteredRecordAnalyzer(), new FormerNameAnalyzer())];
    }

    public static async Task<List<CodeAction>> ActionsAsync(Document document, Diagnostic diagnostic)
    {
        List<CodeAction> actions = [];
        foreach (CodeFixProvider provider in Providers.Where(provider => provider.FixableDiagnosticIds.Contains(diagnostic.Id)))
            await provider.RegisterCodeFixesAsync(new CodeFixContext(document, diagnostic, (action, _) => actions.Add(action), CancellationToken.None));
        return actions;
    }

    private static async Task<CodeFixProvider> OfferingAsync(Document document, Diagnostic diagnostic, string kind)
    {
        foreach (CodeFixProvider provider in Providers.Where(provider => provider.FixableDiagnosticIds.Contains(diagnostic.Id)))
        {
            List<CodeAction> actions = [];
            await provider.RegisterCodeFixesAsync(new CodeFixContext(document, diagnostic, (action, _) => actions.Add(action), CancellationToken.None));
            if (actions.Exists(action => action.EquivalenceKey == kind)) return provider;
        }

        throw new InvalidOperationException($"Nobody offers '{kind}' for {diagnostic.Id}.");
    }

    /// <summary>The diagnostics of one file, as an editor has them.</summary>
    private sealed class Found(Diagnostic[] found) : FixAllContext.DiagnosticProvider
    {
        public override Task<IEnumerable<Diagnostic>> GetAllDiagnosticsAsync(Project project, CancellationToken cancellationToken) => Task.FromResult<IEnumerable<Diagnostic>>(found);

        public override Task<IEnumerable<Diagnostic>> GetDocumentDiagnosticsAsync(Document document, CancellationToken cancellationToken) => Task.FromResult<IEnumerable<Diagnostic>>(found);

        public override Task<IEnumerable<Diagnostic>> GetProjectDiagnosticsAsync(Project project, CancellationToken cancellationToken) => Task.FromResult<IEnumerable<Diagnostic>>([]);
    }
}
