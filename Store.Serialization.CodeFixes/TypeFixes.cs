// What can be done to a type: mark or register it, make it reachable, choose its constructor, name it as a case of its base.

using System.Collections.Immutable;
using System.Composition;
using System.Globalization;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CodeFixes;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;
using Microsoft.CodeAnalysis.Text;

namespace Store.Serialization.CodeFixes;

/// <summary>Marks the type of a member with <c>[NinoType]</c>, or registers it where it is another assembly's.</summary>
[ExportCodeFixProvider(LanguageNames.CSharp), Shared]
public sealed class MarkTypeFix : CodeFixProvider
{
    private const int ShownMax = 4;

    /// <inheritdoc/>
    public override ImmutableArray<string> FixableDiagnosticIds { get; } = ["NINO001", "NINO011"];

    /// <inheritdoc/>
    public override FixAllProvider? GetFixAllProvider() => WellKnownFixAllProviders.BatchFixer;

    /// <inheritdoc/>
    public override async Task RegisterCodeFixesAsync(CodeFixContext context)
    {
        if (await Place.FindAsync(context).ConfigureAwait(false) is not { } place || Edits.TypeOf(place.Declaration, place.Model, context.CancellationToken) is not { } type) return;
        // The generator says which type is meant, and what are models of another serializer: with [NinoType] the attributes of that are not read.
        ImmutableDictionary<string, string?> told = context.Diagnostics[0].Properties;
        if (!told.TryGetValue("type", out string? meant) || !told.TryGetValue("models", out string? names)) return;
        HashSet<string> models = [.. names!.Split('\n')];
        foreach (INamedTypeSymbol one in Unmarked(type, place.Model.Compilation, isOfBase: context.Diagnostics[0].Id == "NINO011").Concat(Argument(type, meant!, place.Model.Compilation)).Distinct<INamedTypeSymbol>(SymbolEqualityComparer.Default))
        {
            if (!NamesParameter(one) && Edits.InMessage(one) != meant) continue;
            if (SymbolEqualityComparer.Default.Equals(one.ContainingAssembly, place.Model.Compilation.Assembly) && !models.Contains(meant!))
            {
                // Marked, it would be the next error: generated code cannot name it.
                if (HiddenTypes.IsHidden(one)) continue;
                // A base alone is no case: what is derived from it is marked with it, or nothing is offered.
                List<INamedTypeSymbol> derived = one.IsAbstract || one.TypeKind == TypeKind.Interface ? [.. SourceTypes.DerivedFrom(one, place.Model.Compilation)] : [];
                if ((one.IsAbstract || one.TypeKind == TypeKind.Interface) && derived.Count == 0) continue;
                if (derived.Exists(type => models.Contains(Edits.InMessage(type)))) continue;
                List<INamedTypeSymbol> marked = [.. derived.Prepend(one).Where(static type => !Edits.Has(type, "NinoType"))];
                await OfferMarksAsync(context, marked).ConfigureAwait(false);
            }
            else if (context.Diagnostics[0].Id == "NINO001" && place.Declaration.SyntaxTree.GetRoot(context.CancellationToken) is CompilationUnitSyntax unit)
            {
                Edits.OfferRegistration(context, place.Document, unit, place.Model, one, one.Name);
            }
        }
    }

    internal static async Task OfferMarksAsync(CodeFixContext context, List<INamedTypeSymbol> types)
    {
        List<(Document, TextChange)> changes = [];
        foreach (INamedTypeSymbol type in types)
        {
            // A part that another generator writes cannot be edited.
            SyntaxReference? reference = type.DeclaringSyntaxReferences.FirstOrDefault(part => context.Document.Project.GetDocument(part.SyntaxTree) is not (null or SourceGeneratedDocument));
            if (reference is null || context.Document.Project.GetDocument(reference.SyntaxTree) is not { } document || await document.GetSemanticModelAsync(context.CancellationToken).ConfigureAwait(false) is not { } model) return;
            (int position, string text) = Edits.Attribute(await reference.GetSyntaxAsync(context.CancellationToken).ConfigureAwait(false), "NinoType", model);
            changes.Add((document, new TextChange(new TextSpan(position, 0), text)));
        }

        if (types.Count == 0) return;
        string[] names = [.. types.Take(ShownMax).Select(static type => $"'{type.Name}'")];
        string more = types.Count > ShownMax ? $" and {(types.Count - ShownMax).ToString(CultureInfo.InvariantCulture)} more" : "";
        string list = names.Length == 1 || more.Length > 0 ? string.Join(", ", names) : string.Join(", ", names.Take(names.Length - 1)) + " and " + names[names.Length - 1];
        Edits.Offer(context, $"Put [NinoType] on {list}{more}", changes, kind: "Put [NinoType]");
    }

    /// <summary>The type argument that a member of a generic type has where it cannot be stored: the member itself names a type parameter.</summary>
    private static IEnumerable<INamedTypeSymbol> Argument(ITypeSymbol type, string name, Compilation compilation) =>
        !NamesParameter(type) ? [] : SourceTypes.Of(compilation).Where(one => one.Arity == 0 && Edits.InMessage(one) == name).SelectMany(one => Unmarked(one, compilation, isOfBase: false));

    private static bool NamesParameter(ITypeSymbol type) => type switch
    {
        ITypeParameterSymbol => true,
        IArrayTypeSymbol array => NamesParameter(array.ElementType),
        INamedTypeSymbol named => named.TypeArguments.Any(NamesParameter),
        _ => false,
    };

    // The types inside a type that nobody marked: elements, keys, arguments. Where the problem is a base without cases, one that is marked too.
    private static IEnumerable<INamedTypeSymbol> Unmarked(ITypeSymbol type, Compilation compilation, bool isOfBase)
    {
        if (type is IArrayTypeSymbol array) return Unmarked(array.ElementType, compilation, isOfBase);
        if (type is not INamedTypeSymbol named) return [];
        bool isCandidate = named.TypeKind is TypeKind.Class or TypeKind.Struct or TypeKind.Interface && named.SpecialType == SpecialType.None
            && (!Edits.Has(named.OriginalDefinition, "NinoType") || (isOfBase && named.IsAbstract && SymbolEqualityComparer.Default.Equals(named.ContainingAssembly, compilation.Assembly))) && !IsFramework(named);
        IEnumerable<INamedTypeSymbol> inside = named.TypeArguments.SelectMany(argument => Unmarked(argument, compilation, isOfBase));
        return isCandidate ? inside.Prepend(named) : inside;
    }

    private static bool IsFramework(INamedTypeSymbol type)
    {
        INamespaceSymbol? space = type.ContainingNamespace;
        while (space is { ContainingNamespace.IsGlobalNamespace: false }) space = space.ContainingNamespace;
        return space?.Name == "System";
    }
}

/// <summary>Makes a type internal that generated code cannot reach.</summary>
[ExportCodeFixProvider(LanguageNames.CSharp), Shared]
public sealed class MakeInternalFix : CodeFixProvider
{
    /// <inheritdoc/>
    public override ImmutableArray<string> FixableDiagnosticIds { get; } = ["NINO003"];

    /// <inheritdoc/>
    public override FixAllProvider? GetFixAllProvider() => WellKnownFixAllProviders.BatchFixer;

    /// <inheritdoc/>
    public override async Task RegisterCodeFixesAsync(CodeFixContext context)
    {
        if (await Place.FindAsync(context).ConfigureAwait(false) is not { Declaration: BaseTypeDeclarationSyntax declared } place || place.Model.GetDeclaredSymbol(declared, context.CancellationToken) is not { } type) return;
        List<string> names = [];
        List<INamedTypeSymbol> shown = [];
        List<(Document, TextChange)> changes = [];
        for (INamedTypeSymbol? level = type; level is not null; level = level.ContainingType)
        {
            if (!level.IsFileLocal && level.DeclaredAccessibility is not (Accessibility.Private or Accessibility.Protected or Accessibility.ProtectedAndInternal)) continue;
            if (await PartsAsync(level, context).ConfigureAwait(false) is not { } parts) return;
            names.Insert(0, $"'{level.Name}'");
            shown.Add(level);
            changes.AddRange(parts);
        }

        if (changes.Count > 0 && !shown.Any(level => HiddenTypes.ShowsOne(level, shown))) Edits.Offer(context, $"Make {string.Join(" and ", names)} internal", changes, kind: "Make internal");
    }

    /// <summary>What makes a type internal: every part that says otherwise says so, and one where none says anything. Null where a part cannot be changed.</summary>
    private static async Task<List<(Document, TextChange)>?> PartsAsync(INamedTypeSymbol type, CodeFixContext context)
    {
        List<(Document, TextChange)> saying = [], silent = [];
        foreach (SyntaxReference reference in type.DeclaringSyntaxReferences)
        {
            if (await reference.GetSyntaxAsync(context.CancellationToken).ConfigureAwait(false) is not BaseTypeDeclarationSyntax part) return null;
            Document? document = context.Document.Project.GetDocument(reference.SyntaxTree);
            List<SyntaxToken> hiding = [.. part.Modifiers.Where(static modifier => modifier.IsKind(SyntaxKind.PrivateKeyword) || modifier.IsKind(SyntaxKind.FileKeyword) || modifier.IsKind(SyntaxKind.ProtectedKeyword))];
            // Another generator writes it.
            if (document is null or SourceGeneratedDocument)
            {
                if (hiding.Count > 0) return null;
                continue;
            }

            // Who derives from a protected one elsewhere goes on to see it.
            SyntaxToken changed = hiding.FirstOrDefault(static modifier => !modifier.IsKind(SyntaxKind.ProtectedKeyword));
            if (changed != default) saying.Add((document, new TextChange(changed.Span, "internal")));
            else if (hiding.Count > 0) saying.Add((document, new TextChange(hiding[0].Span, "protected internal")));
            else silent.Add((document, new TextChange(new TextSpan((part.Modifiers.Count > 0 ? part.Modifiers[0] : Keyword(part)).SpanStart, 0), "internal ")));
        }

        if (saying.Count == 0 && silent.Count > 0) saying.Add(silent[0]);
        return saying.Count > 0 ? saying : null;
    }

    private static SyntaxToken Keyword(BaseTypeDeclarationSyntax type) => type is EnumDeclarationSyntax set ? set.EnumKeyword : ((TypeDeclarationSyntax)type).Keyword;
}

/// <summary>Chooses one of several constructors: <c>[NinoConstructor]</c>.</summary>
[ExportCodeFixProvider(LanguageNames.CSharp), Shared]
public sealed class ChooseConstructorFix : CodeFixProvider
{
    /// <inheritdoc/>
    public override ImmutableArray<string> FixableDiagnosticIds { get; } = ["NINO005"];

    // Which one is a choice.
    /// <inheritdoc/>
    public override FixAllProvider? GetFixAllProvider() => null;

    /// <inheritdoc/>
    public override async Task RegisterCodeFixesAsync(CodeFixContext context)
    {
        if (await Place.FindAsync(context).ConfigureAwait(false) is not { } place || place.Declaration.FirstAncestorOrSelf<TypeDeclarationSyntax>() is not { } type) return;
        List<ConstructorDeclarationSyntax> constructors = [.. type.Members.OfType<ConstructorDeclarationSyntax>().Where(static c => !c.Modifiers.Any(SyntaxKind.StaticKeyword))];
        // Several are marked already: which mark goes, only a person knows.
        if (constructors.Exists(c => place.Model.GetDeclaredSymbol(c, context.CancellationToken) is { } symbol && Edits.Has(symbol, "NinoConstructor"))) return;
        foreach (ConstructorDeclarationSyntax constructor in constructors)
        {
            (int position, string text) = Edits.Attribute(constructor, "NinoConstructor", place.Model);
            Edits.OfferInsert(context, place.Document, $"Read with {type.Identifier.ValueText}({string.Join(", ", constructor.ParameterList.Parameters.Select(static p => p.Type))})", position, text);
        }
    }
}

/// <summary>Names a derived type as a case of the base that names its cases, under the next tag.</summary>
[ExportCodeFixProvider(LanguageNames.CSharp), Shared]
public sealed class AddCaseFix : CodeFixProvider
{
    /// <inheritdoc/>
    public override ImmutableArray<string> FixableDiagnosticIds { get; } = ["NINO032"];

    // One at a time: two cases must not get the same next tag.
    /// <inheritdoc/>
    public override FixAllProvider? GetFixAllProvider() => null;

    /// <inheritdoc/>
    public override async Task RegisterCodeFixesAsync(CodeFixContext context)
    {
        if (await Place.FindAsync(context).ConfigureAwait(false) is not { Declaration: BaseTypeDeclarationSyntax declared } place || place.Model.GetDeclaredSymbol(declared, context.CancellationToken) is not INamedTypeSymbol type) return;
        foreach (INamedTypeSymbol level in Bases(type))
        {
            List<AttributeData> cases = [.. Edits.AttributesOf(level.OriginalDefinition, "NinoUnion")];
            if (cases.Count == 0 || cases.Exists(one => Edits.Argument(one, 1) is INamedTypeSymbol known && SymbolEqualityComparer.Default.Equals(known.OriginalDefinition, type.OriginalDefinition))) continue;
            if (level.DeclaringSyntaxReferences.FirstOrDefault() is not { } reference || context.Document.Project.GetDocument(reference.SyntaxTree) is not { } document) continue;
            if (await document.GetSemanticModelAsync(context.CancellationToken).ConfigureAwait(false) is not { } model) continue;
            int next = Edits.Next(cases.Select(static one => Edits.Argument(one, 0) is int tag ? tag : 0), least: 0);
            SyntaxNode target = await reference.GetSyntaxAsync(context.CancellationToken).ConfigureAwait(false);
            string shown = type.IsGenericType ? type.ConstructUnboundGenericType().ToDisplayString() : type.ToMinimalDisplayString(model, target.SpanStart);
            (int position, string text) = Edits.Attribute(target, $"NinoUnion({next.ToString(CultureInfo.InvariantCulture)}, typeof({shown}))", model);
            Edits.OfferInsert(context, document, $"Name '{type.Name}' as case {next.ToString(CultureInfo.InvariantCulture)} of '{level.Name}'", position, text);
        }
    }

    private static IEnumerable<INamedTypeSymbol> Bases(INamedTypeSymbol type)
    {
        for (INamedTypeSymbol? level = type.BaseType; level is not null; level = level.BaseType) yield return level;
        foreach (INamedTypeSymbol level in type.AllInterfaces) yield return level;
    }
}
