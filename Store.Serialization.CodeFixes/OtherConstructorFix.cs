using System.Collections.Immutable;
using System.Composition;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CodeFixes;
using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace Store.Serialization.CodeFixes;

/// <summary>Lets reading call a constructor that it can call if it is marked, as one that is private: <c>[NinoConstructor]</c>.</summary>
[ExportCodeFixProvider(LanguageNames.CSharp), Shared]
public sealed class OtherConstructorFix : CodeFixProvider
{
    /// <inheritdoc/>
    public override ImmutableArray<string> FixableDiagnosticIds { get; } = ["NINO004", "NINO006"];

    // Of several parameters of one constructor each is reported, and the mark is one.
    /// <inheritdoc/>
    public override FixAllProvider? GetFixAllProvider() => WellKnownFixAllProviders.BatchFixer;

    /// <inheritdoc/>
    public override async Task RegisterCodeFixesAsync(CodeFixContext context)
    {
        // The generator says which those are.
        if (!context.Diagnostics[0].Properties.TryGetValue("constructors", out string? told) || await Place.FindAsync(context).ConfigureAwait(false) is not { } place || place.Declaration.FirstAncestorOrSelf<TypeDeclarationSyntax>() is not { } around) return;
        if (place.Model.GetDeclaredSymbol(around, context.CancellationToken) is not INamedTypeSymbol type) return;
        foreach (string meant in told!.Split('\n'))
        {
            if (type.InstanceConstructors.FirstOrDefault(one => Signature(one) == meant) is not { } constructor || await Declared.FindAsync(constructor, context.Document.Project, context.CancellationToken).ConfigureAwait(false) is not { Declaration: ConstructorDeclarationSyntax } declared) continue;
            (int position, string text) = Edits.Attribute(declared.Declaration, "NinoConstructor", declared.Model);
            Edits.OfferInsert(context, declared.Document, $"Read with {meant}", position, text);
        }
    }

    private static string Signature(IMethodSymbol constructor) => $"{constructor.ContainingType.Name}({string.Join(", ", constructor.Parameters.Select(static parameter => Edits.InMessage(parameter.Type)))})";
}
