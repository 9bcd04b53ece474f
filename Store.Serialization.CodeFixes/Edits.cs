// Small edits of source text: what a fix adds stands where a person would type it, and the rest of the file keeps every blank.

using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CodeActions;
using Microsoft.CodeAnalysis.CodeFixes;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;
using Microsoft.CodeAnalysis.Text;

namespace Store.Serialization.CodeFixes;

internal static class Edits
{
    public const string Namespace = "Store.Serialization";

    // In messages the compiler says int[*,*], which is no C#; and an attribute takes no dynamic, names of elements or annotations.
    private static readonly SymbolDisplayFormat TypeOfFormat = SymbolDisplayFormat.FullyQualifiedFormat
        .WithGlobalNamespaceStyle(SymbolDisplayGlobalNamespaceStyle.Omitted)
        .WithMiscellaneousOptions(SymbolDisplayMiscellaneousOptions.UseSpecialTypes | SymbolDisplayMiscellaneousOptions.EscapeKeywordIdentifiers | SymbolDisplayMiscellaneousOptions.ExpandValueTuple);

    /// <summary>Offers to insert text.</summary>
    public static void OfferInsert(CodeFixContext context, Document document, string title, int position, string text) =>
        Offer(context, document, title, new TextChange(new TextSpan(position, 0), text));

    /// <summary>Offers to change text.</summary>
    public static void Offer(CodeFixContext context, Document document, string title, TextChange change) => Offer(context, title, [(document, change)]);

    /// <summary>Offers to change text in several places at once, of one file or of several.</summary>
    /// <param name="context">Of what is offered.</param>
    /// <param name="title">What it is called.</param>
    /// <param name="changes">The text.</param>
    /// <param name="kind">What fixing all fixes together; the title where null, for what is done is the same everywhere.</param>
    public static void Offer(CodeFixContext context, string title, IReadOnlyList<(Document Document, TextChange Change)> changes, string? kind = null) =>
        context.RegisterCodeFix(CodeAction.Create(title, async cancellation =>
        {
            Solution solution = context.Document.Project.Solution;
            foreach (IGrouping<DocumentId, TextChange> file in changes.GroupBy(static change => change.Document.Id, static change => change.Change))
            {
                SourceText source = await solution.GetDocument(file.Key)!.GetTextAsync(cancellation).ConfigureAwait(false);
                solution = solution.WithDocumentText(file.Key, source.WithChanges(file.OrderBy(static change => change.Span.Start)));
            }

            return solution;
        }, equivalenceKey: kind ?? title), context.Diagnostics);

    /// <summary>Where an attribute of a declaration goes, and what is typed: in front of a member on its line, on a line of its own above a type.</summary>
    public static (int Position, string Text) Attribute(SyntaxNode declaration, string attribute, SemanticModel model)
    {
        int position = declaration.GetFirstToken().SpanStart;
        string name = Name(attribute, model, position);
        return declaration switch
        {
            ParameterSyntax => (position, $"[property: {name}] "),
            BaseTypeDeclarationSyntax => (position, $"[{name}]{LineEnd(declaration)}{Indent(declaration, position)}"),
            _ => (position, $"[{name}] "),
        };
    }

    /// <summary>Offers <c>[assembly: NinoSerializable]</c> for a type, where the file has a place for it.</summary>
    public static void OfferRegistration(CodeFixContext context, Document document, CompilationUnitSyntax unit, SemanticModel model, ITypeSymbol type, string shown)
    {
        if (AssemblyAttributePlace.In(unit) is not { } position) return;
        string name = Name($"NinoSerializable(typeof({InTypeOf(type)}))", model, position);
        OfferInsert(context, document, $"Register '{shown}' with [NinoSerializable]", position, $"[assembly: {name}]{LineEnd(unit)}");
    }

    /// <summary>A type as messages of the generator have it.</summary>
    public static string InMessage(ITypeSymbol type) => type.ToDisplayString(TypeOfFormat);

    /// <summary>A type as <c>typeof</c> in an attribute takes it.</summary>
    public static string InTypeOf(ITypeSymbol type) => string.Concat(type.ToDisplayParts(TypeOfFormat).Select(static part => part.Symbol is IDynamicTypeSymbol ? "object" : part.ToString()));

    /// <summary>An attribute's name as it has to be written at a place: in full where the namespace is not imported.</summary>
    public static string Name(string attribute, SemanticModel model, int position)
    {
        int end = attribute.IndexOf('(');
        string type = (end < 0 ? attribute : attribute.Substring(0, end)) + "Attribute";
        bool isImported = model.LookupNamespacesAndTypes(position, name: type).Any(static symbol => symbol.ContainingNamespace?.ToDisplayString() == Namespace);
        return isImported ? attribute : Namespace + "." + attribute;
    }

    /// <summary>The member, parameter of a record, or type that a diagnostic points at.</summary>
    public static SyntaxNode? DeclarationAt(SyntaxNode root, TextSpan span)
    {
        for (SyntaxNode? node = root.FindNode(span, getInnermostNodeForTie: true); node is not null; node = node.Parent)
        {
            if (node is ParameterSyntax { Parent.Parent: RecordDeclarationSyntax } or MemberDeclarationSyntax and not BaseNamespaceDeclarationSyntax) return node;
        }

        return null;
    }

    public static bool IsStoredMember(SyntaxNode? declaration) => declaration is ParameterSyntax or PropertyDeclarationSyntax or FieldDeclarationSyntax;

    /// <summary>The type of a member, or null.</summary>
    public static ITypeSymbol? TypeOf(SyntaxNode declaration, SemanticModel model, CancellationToken cancellation) => declaration switch
    {
        ParameterSyntax { Type: { } type } => model.GetTypeInfo(type, cancellation).Type,
        PropertyDeclarationSyntax property => model.GetTypeInfo(property.Type, cancellation).Type,
        FieldDeclarationSyntax field => model.GetTypeInfo(field.Declaration.Type, cancellation).Type,
        _ => null,
    };

    public static bool Has(ISymbol symbol, string attribute) => AttributesOf(symbol, attribute).Any();

    public static IEnumerable<AttributeData> AttributesOf(ISymbol symbol, string attribute) =>
        symbol.GetAttributes().Where(data => data.AttributeClass?.Name == attribute + "Attribute" && data.AttributeClass.ContainingNamespace.ToDisplayString() == Namespace);

    /// <summary>An argument of an attribute, or null.</summary>
    public static object? Argument(AttributeData attribute, int index) => attribute.ConstructorArguments.Length > index ? attribute.ConstructorArguments[index].Value : null;

    /// <summary>One more than the highest number; where there is no higher one, the lowest from <paramref name="least"/> on that is free.</summary>
    public static int Next(IEnumerable<int> numbers, int least)
    {
        HashSet<int> taken = [.. numbers];
        int highest = taken.Count == 0 ? least - 1 : Math.Max(taken.Max(), least - 1);
        return highest < int.MaxValue ? highest + 1 : Enumerable.Range(least, int.MaxValue - least).First(number => !taken.Contains(number));
    }

    /// <summary>The file of a project that a tree is of, or null: no fix changes what another generator writes.</summary>
    public static Document? Written(Project project, SyntaxTree tree) => project.GetDocument(tree) is { } document and not SourceGeneratedDocument ? document : null;

    public static string LineEnd(SyntaxNode node) => node.SyntaxTree.GetText().ToString().Contains("\r\n") ? "\r\n" : "\n";

    private static string Indent(SyntaxNode node, int position)
    {
        SourceText text = node.SyntaxTree.GetText();
        string line = text.Lines.GetLineFromPosition(position).ToString();
        return line.Substring(0, line.Length - line.TrimStart().Length);
    }
}
