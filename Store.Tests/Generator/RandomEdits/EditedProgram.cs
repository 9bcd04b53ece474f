// A program as an editor has it: files that change one after the other, with settings and a library that change too. Every state is made from the one before, so that what did not change is the same object.

using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;

namespace Store.Tests.Generator.RandomEdits;

/// <summary>One state of a program that is being edited.</summary>
/// <param name="Compilation">The program.</param>
/// <param name="Options">How its files are parsed.</param>
internal sealed record EditedProgram(CSharpCompilation Compilation, CSharpParseOptions Options)
{
    /// <summary>The files.</summary>
    public IReadOnlyList<SyntaxTree> Files => Compilation.SyntaxTrees;

    /// <summary>A program whose declarations are in a file each.</summary>
    public static EditedProgram Of(string text, MetadataReference library, IEnumerable<string> more)
    {
        CSharpCompilation empty = GeneratorHarness.Compile().AddReferences(library);
        var options = new CSharpParseOptions(LanguageVersion.Preview);
        IEnumerable<SyntaxTree> files = Split(text, options).Concat(more).Select((file, index) => CSharpSyntaxTree.ParseText(file, options, $"File{index}.cs"));
        return new EditedProgram(empty.AddSyntaxTrees(files), options);
    }

    /// <summary>With another text in one file.</summary>
    public EditedProgram With(SyntaxTree file, string text) => With(file, CSharpSyntaxTree.ParseText(text, Options, file.FilePath));

    /// <summary>With another file in the place of one.</summary>
    public EditedProgram With(SyntaxTree file, SyntaxTree other) => this with { Compilation = Compilation.ReplaceSyntaxTree(file, other) };

    /// <summary>With one more file.</summary>
    public EditedProgram Add(string text, string path) => this with { Compilation = Compilation.AddSyntaxTrees(CSharpSyntaxTree.ParseText(text, Options, path)) };

    /// <summary>With all files parsed anew.</summary>
    public EditedProgram As(CSharpParseOptions options) =>
        new(Compilation.RemoveAllSyntaxTrees().AddSyntaxTrees(Files.Select(file => CSharpSyntaxTree.ParseText(file.GetText(), options, file.FilePath))), options);

    /// <summary>The declarations of a program, each with what stands in front of the first one.</summary>
    public static IEnumerable<string> Split(string text, CSharpParseOptions options)
    {
        Microsoft.CodeAnalysis.CSharp.Syntax.CompilationUnitSyntax root = CSharpSyntaxTree.ParseText(text, options).GetCompilationUnitRoot();
        string head = string.Concat(text.Split('\n').TakeWhile(static line => line.StartsWith('#') || string.IsNullOrWhiteSpace(line)).Select(static line => line + "\n"));
        yield return head + string.Concat(root.Usings.Select(static one => one.ToFullString())) + string.Concat(root.AttributeLists.Select(static list => list.ToString() + "\n"));
        foreach (Microsoft.CodeAnalysis.CSharp.Syntax.MemberDeclarationSyntax member in root.Members) yield return GeneratorHarness.Usings + head + member.ToString() + "\n";
    }
}
