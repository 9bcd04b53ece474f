// What somebody does to a program in an editor, drawn at random: most of it means something, some of it is half-written, some of it changes what is around the program.

using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace Store.Tests.Generator.RandomEdits;

/// <summary>Draws edits.</summary>
internal sealed class RandomEdit(Random random, IReadOnlyList<string> otherFiles)
{
    private static readonly (string Before, string After)[] Words =
    [
        ("sealed ", ""), ("abstract ", ""), ("partial ", ""), ("readonly ", ""), ("required ", ""), ("virtual ", ""), ("public ", "internal "), ("internal ", "public "), ("public ", "private "), ("private ", "public "), ("static ", ""),
        ("class ", "record "), ("record ", "class "), ("struct ", "class "), ("class ", "struct "), ("record struct ", "struct "), ("interface ", "abstract class "), ("int ", "long "), ("long ", "int "), ("int ", "string "), ("string ", "object "), ("byte ", "ushort "), ("?", ""),
        (" set; ", " init; "), (" set; ", " "), (" init; ", " set; "), ("List<", "HashSet<"), ("[]", "[,]"), (", ", ", int extra, "), ("namespace ", "namespace Moved."), ("NinoType", "NinoIgnore"), ("NinoInclude", "NinoIgnore"), ("NinoIgnore", "NinoInclude"), ("= 1", "= 2"), (" = ", " = 1 + "),
        ("References = true", "References = false"), ("SkipUnknownCases = true", ""), ("NinoUnion(", "NinoUnion(1"), ("NinoMember(", "NinoMember(9"), ("where ", "where T : class where "), (" : ", " : global::System.IDisposable, "), ("\"", "\"x"), ("NinoConstructor", "Obsolete"), ("{ }", "{ int x = 0; }"), ("disable", "restore"),
    ];

    private static readonly string[] Marks =
    [
        "[Store.Serialization.NinoType] ", "[Store.Serialization.NinoType(View = false)] ", "[Store.Serialization.NinoType(References = true)] ", "[Store.Serialization.NinoType(SkipUnknownCases = true)] ", "[Store.Serialization.NinoType(Name = \"given\")] ", "[Store.Serialization.NinoIgnore] ",
        "[Store.Serialization.NinoInclude] ", "[Store.Serialization.NinoMember(3)] ", "[Store.Serialization.NinoMember(4)] ", "[Store.Serialization.NinoFormerName(\"Before\")] ", "[Store.Serialization.NinoUtf8] ", "[Store.Serialization.NinoConstructor] ", "[Store.Serialization.NinoOnDeserialized] ",
        "[System.Obsolete] ", "[System.Obsolete(\"no\", true)] ", "[Store.Serialization.NinoUnion(7, typeof(Lib.First))] ", "public ", "sealed ", "required ", "static ", "partial ", "unsafe ", "file ",
    ];

    private static readonly string[] Members =
    [
        "public int Added { get; set; }", "public string? Added;", "[Store.Serialization.NinoInclude] private long _added;", "private int _unseen;", "public object? Anything { get; set; }", "public System.Collections.Generic.List<int> Filled { get; } = new();", "public Lib.Base? Foreign { get; set; }", "public Lib.Level Level;",
        "public (int, string) Pair;", "public System.Collections.Generic.Dictionary<Lib.Level, Lib.Thing?>? Map { get; set; }", "public void Method() { }", "public required int Needed { get; init; }", "public System.Action? Refused { get; set; }", "public System.Span<int> Never;", "public int? Maybe = 4;", "public const int Constant = 4;",
        "[Store.Serialization.NinoOnSerializing] private void Before() { }", "[Store.Serialization.NinoType] public class Nested { public int X; }", "public Nested? One;", "public int this[int i] => 1;", "public dynamic? Loose;", "public System.DayOfWeek Day { get; set; } = System.DayOfWeek.Friday;",
    ];

    private static readonly string[] Files =
    [
        "[Store.Serialization.NinoType] public class Fresh { public int X { get; set; } }", "[assembly: Store.Serialization.NinoDefaults(View = false)]", "[assembly: Store.Serialization.NinoSerializable(typeof(System.Collections.Generic.List<Lib.Thing>))]", "global using Thing = Lib.Thing;", "global using NT = Store.Serialization.NinoTypeAttribute;",
        "[NT] public class ByAlias { public int X; public object? Y; }", "namespace Lib { [Store.Serialization.NinoType] public class Thing { public int Mine; } }", "[assembly: System.Runtime.CompilerServices.InternalsVisibleTo(\"Other\")]", "namespace Store.Serialization { public class NinoTypeAttribute : System.Attribute; }",
        "[Store.Serialization.NinoType] public sealed class Leaf : Lib.Base { public int Id { get; set; } }", "[Store.Serialization.NinoType] public class Box<T> { public T? Value; } [Store.Serialization.NinoType] public class Boxes { public Box<int>? A; public Box<Lib.Level>? B; }", "file class Local { [Store.Serialization.NinoType] public class In { public int X; } }", "public enum Level { A, B }",
    ];

    /// <summary>What the last edit was.</summary>
    public string Name { get; private set; } = "";

    /// <summary>Draws an edit and applies it.</summary>
    public EditedProgram Apply(EditedProgram program)
    {
        SyntaxTree file = program.Files[random.Next(program.Files.Count)];
        string text = file.GetText().ToString();
        int choice = random.Next(28);
        EditedProgram? edited = choice switch
        {
            < 7 => Word(program, file, text),
            < 9 => Before<MemberDeclarationSyntax>(program, file, text, Marks, "mark"),
            < 12 => Before<MemberDeclarationSyntax>(program, file, text, [.. Members.Select(static one => one + " ")], "member", static node => node.Parent is TypeDeclarationSyntax),
            < 13 => Without<MemberDeclarationSyntax>(program, file, text),
            < 14 => Without<AttributeListSyntax>(program, file, text),
            < 15 => Without<EnumMemberDeclarationSyntax>(program, file, text),
            < 16 => Swap(program, file, text),
            < 17 => Rename(program, file),
            < 18 => Token(program, file, text),
            < 19 => Cut(program, file, text),
            < 20 => Space(program, file, text),
            < 22 => Settings(program),
            < 24 => Reference(program),
            < 25 => Add(program),
            < 26 => Remove(program, file),
            < 27 => Other(program, file),
            _ => Order(program),
        };
        return edited ?? Space(program, file, text);
    }

    private EditedProgram? Word(EditedProgram program, SyntaxTree file, string text)
    {
        (string before, string after) = Words[random.Next(Words.Length)];
        List<int> places = [];
        for (int at = text.IndexOf(before, StringComparison.Ordinal); at >= 0; at = text.IndexOf(before, at + 1, StringComparison.Ordinal)) places.Add(at);
        if (places.Count == 0) return null;
        int place = places[random.Next(places.Count)];
        Name = $"'{before}' becomes '{after}' at {place} of {file.FilePath}";
        return program.With(file, text[..place] + after + text[(place + before.Length)..]);
    }

    private EditedProgram? Before<TNode>(EditedProgram program, SyntaxTree file, string text, string[] what, string kind, Func<TNode, bool>? where = null) where TNode : SyntaxNode
    {
        if (Pick(file, where) is not { } node) return null;
        string inserted = what[random.Next(what.Length)];
        Name = $"{kind} '{inserted}' at {node.SpanStart} of {file.FilePath}";
        return program.With(file, text.Insert(node.SpanStart, inserted));
    }

    private EditedProgram? Without<TNode>(EditedProgram program, SyntaxTree file, string text) where TNode : SyntaxNode
    {
        if (Pick<TNode>(file) is not { } node) return null;
        Name = $"without '{node}' of {file.FilePath}";
        return program.With(file, text.Remove(node.SpanStart, node.Span.Length));
    }

    private EditedProgram? Swap(EditedProgram program, SyntaxTree file, string text)
    {
        if (Pick<MemberDeclarationSyntax>(file) is not { Parent: { } parent } one) return null;
        MemberDeclarationSyntax[] others = [.. parent.ChildNodes().OfType<MemberDeclarationSyntax>().Where(other => other.SpanStart > one.SpanStart)];
        if (others.Length == 0) return null;
        MemberDeclarationSyntax other = others[random.Next(others.Length)];
        Name = $"members at {one.SpanStart} and {other.SpanStart} of {file.FilePath} change places";
        return program.With(file, text[..one.SpanStart] + other + text[one.Span.End..other.SpanStart] + one + text[other.Span.End..]);
    }

    private EditedProgram? Rename(EditedProgram program, SyntaxTree file)
    {
        SyntaxToken[] names = [.. file.GetRoot().DescendantNodes().Select(static node => node switch { BaseTypeDeclarationSyntax type => type.Identifier, PropertyDeclarationSyntax property => property.Identifier, VariableDeclaratorSyntax field => field.Identifier, ParameterSyntax parameter => parameter.Identifier, EnumMemberDeclarationSyntax member => member.Identifier, _ => default }).Where(static token => token.ValueText.Length > 0)];
        if (names.Length == 0) return null;
        string name = names[random.Next(names.Length)].ValueText, now = name + "Now";
        Name = $"{name} becomes {now}";
        foreach (SyntaxTree one in program.Files)
        {
            SyntaxToken[] found = [.. one.GetRoot().DescendantTokens().Where(token => token.IsKind(SyntaxKind.IdentifierToken) && token.ValueText == name)];
            if (found.Length > 0) program = program.With(one, one.GetRoot().ReplaceTokens(found, (_, token) => SyntaxFactory.Identifier(token.LeadingTrivia, now, token.TrailingTrivia)).ToFullString());
        }

        return program;
    }

    private EditedProgram? Token(EditedProgram program, SyntaxTree file, string text)
    {
        SyntaxToken[] tokens = [.. file.GetRoot().DescendantTokens().Where(static token => token.Span.Length > 0)];
        if (tokens.Length == 0) return null;
        SyntaxToken token = tokens[random.Next(tokens.Length)];
        bool isTwice = random.Next(2) == 0;
        Name = $"'{token}' at {token.SpanStart} of {file.FilePath} {(isTwice ? "twice" : "gone")}";
        return program.With(file, isTwice ? text.Insert(token.SpanStart, token + " ") : text.Remove(token.SpanStart, token.Span.Length));
    }

    private EditedProgram Cut(EditedProgram program, SyntaxTree file, string text)
    {
        int length = random.Next(text.Length + 1);
        Name = $"{file.FilePath} ends at {length}";
        return program.With(file, text[..length]);
    }

    // What is said of a type must move with it, and nothing else may happen.
    private EditedProgram Space(EditedProgram program, SyntaxTree file, string text)
    {
        SyntaxToken[] tokens = [.. file.GetRoot().DescendantTokens()];
        int place = tokens[random.Next(tokens.Length)].SpanStart;
        string inserted = new[] { "\n", " ", "/* moved */ ", "\n// moved\n" }[random.Next(4)];
        Name = $"space at {place} of {file.FilePath}";
        return program.With(file, text.Insert(place, inserted));
    }

    private EditedProgram Settings(EditedProgram program)
    {
        CSharpCompilation compilation = program.Compilation;
        CSharpCompilationOptions options = compilation.Options;
        int choice = random.Next(8);
        Name = $"setting {choice}";
        return choice switch
        {
            0 => program with { Compilation = compilation.WithAssemblyName(compilation.AssemblyName == "Shop" ? "Other" : "Shop") },
            1 => program with { Compilation = compilation.WithOptions(options.WithNullableContextOptions(options.NullableContextOptions == NullableContextOptions.Enable ? NullableContextOptions.Disable : NullableContextOptions.Enable)) },
            2 => program with { Compilation = compilation.WithOptions(options.WithAllowUnsafe(!options.AllowUnsafe)) },
            3 => program with { Compilation = compilation.WithOptions(options.WithSpecificDiagnosticOptions([new("NINO001", (ReportDiagnostic)random.Next(6)), new("NINO032", (ReportDiagnostic)random.Next(6)), new("NINO010", (ReportDiagnostic)random.Next(6))])) },
            4 => program with { Compilation = compilation.WithOptions(options.WithGeneralDiagnosticOption((ReportDiagnostic)random.Next(6))) },
            5 => program with { Compilation = compilation.WithOptions(options.WithOutputKind(options.OutputKind == OutputKind.NetModule ? OutputKind.DynamicallyLinkedLibrary : OutputKind.NetModule)) },
            6 => program.As(program.Options.WithLanguageVersion(new[] { LanguageVersion.Preview, LanguageVersion.CSharp9, LanguageVersion.CSharp12, LanguageVersion.CSharp7_3 }[random.Next(4)])),
            _ => program.As(program.Options.WithPreprocessorSymbols(random.Next(2) == 0 ? (string[])["DEBUG"] : [])),
        };
    }

    private EditedProgram Reference(EditedProgram program)
    {
        MetadataReference[] known = [.. program.Compilation.References.Where(Library.Has)];
        int number = random.Next(Library.Count + 1);
        Name = $"library {number}";
        CSharpCompilation without = program.Compilation.RemoveReferences(known);
        if (number == Library.Count) return program with { Compilation = without };
        return program with { Compilation = known.Length == 1 && random.Next(2) == 0 ? program.Compilation.ReplaceReference(known[0], Library.Reference(number)) : without.AddReferences(Library.Reference(number)) };
    }

    private EditedProgram Add(EditedProgram program)
    {
        string text = random.Next(3) > 0 ? Files[random.Next(Files.Length)] : otherFiles[random.Next(otherFiles.Count)];
        string path = $"Added{program.Files.Count}_{random.Next(1_000)}.cs";
        Name = $"{path}: {text}";
        return program.Add(text, path);
    }

    private EditedProgram? Remove(EditedProgram program, SyntaxTree file)
    {
        if (program.Files.Count < 3) return null;
        Name = $"{file.FilePath} removed";
        return program with { Compilation = program.Compilation.RemoveSyntaxTrees(file) };
    }

    // As when another branch is checked out.
    private EditedProgram Other(EditedProgram program, SyntaxTree file)
    {
        if (random.Next(2) == 0)
        {
            Name = $"{file.FilePath} of the next version";
            return program.With(file, otherFiles[random.Next(otherFiles.Count)]);
        }

        Name = "the next version";
        SyntaxTree[] others = [.. otherFiles.Concat(Library.Uses).Select((text, index) => CSharpSyntaxTree.ParseText(text, program.Options, $"File{index}.cs"))];
        return program with { Compilation = program.Compilation.RemoveAllSyntaxTrees().AddSyntaxTrees(others) };
    }

    private EditedProgram Order(EditedProgram program)
    {
        SyntaxTree[] files = [.. program.Files];
        random.Shuffle(files);
        Name = "files in another order";
        return program with { Compilation = program.Compilation.RemoveAllSyntaxTrees().AddSyntaxTrees(files) };
    }

    private TNode? Pick<TNode>(SyntaxTree file, Func<TNode, bool>? where = null) where TNode : SyntaxNode
    {
        TNode[] nodes = [.. file.GetRoot().DescendantNodes().OfType<TNode>().Where(node => where is null || where(node))];
        return nodes.Length == 0 ? null : nodes[random.Next(nodes.Length)];
    }
}
