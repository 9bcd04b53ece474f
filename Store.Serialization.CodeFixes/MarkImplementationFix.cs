using System.Collections.Immutable;
using System.Composition;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CodeFixes;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;
using Microsoft.CodeAnalysis.Text;

namespace Store.Serialization.CodeFixes;

/// <summary>Marks the methods that implement one of an interface as it is marked there, where the mark says nothing.</summary>
[ExportCodeFixProvider(LanguageNames.CSharp), Shared]
public sealed class MarkImplementationFix : CodeFixProvider
{
    /// <inheritdoc/>
    public override ImmutableArray<string> FixableDiagnosticIds { get; } = ["NINO040"];

    /// <inheritdoc/>
    public override FixAllProvider? GetFixAllProvider() => WellKnownFixAllProviders.BatchFixer;

    /// <inheritdoc/>
    public override async Task RegisterCodeFixesAsync(CodeFixContext context)
    {
        if (await Place.FindAsync(context).ConfigureAwait(false) is not { Declaration: MethodDeclarationSyntax { Parent: InterfaceDeclarationSyntax } method } place) return;
        // One with another shape would be the next error.
        if (place.Model.GetDeclaredSymbol(method, context.CancellationToken) is not { IsStatic: false, ReturnsVoid: true, IsGenericMethod: false, Parameters.IsEmpty: true } declared) return;
        string[] marks = [.. Marks.At(method, place.Model, context.CancellationToken).Where(static mark => mark.IsOurs && mark.Name.StartsWith("NinoOn", StringComparison.Ordinal)).Select(static mark => mark.Name)];
        foreach (string mark in marks)
        {
            List<(Document, TextChange)> changes = [];
            foreach (IMethodSymbol one in Implementations(declared, place.Model.Compilation).Where(one => !Edits.Has(one, mark)))
            {
                if (await Declared.FindAsync(one, context.Document.Project, context.CancellationToken).ConfigureAwait(false) is not { } written) return;
                (int position, string text) = Edits.Attribute(written.Declaration, mark, written.Model);
                changes.Add((written.Document, new TextChange(new TextSpan(position, 0), text)));
            }

            if (changes.Count > 0) Edits.Offer(context, $"Put [{mark}] on what implements it", changes);
        }
    }

    /// <summary>Those of this project's types that can be called by their own name.</summary>
    private static IEnumerable<IMethodSymbol> Implementations(IMethodSymbol declared, Compilation compilation) =>
        SourceTypes.Of(compilation).Where(static type => type.TypeKind is TypeKind.Class or TypeKind.Struct)
            .SelectMany(static type => type.AllInterfaces.Select(one => (Type: type, Interface: one))).Where(one => SymbolEqualityComparer.Default.Equals(one.Interface.OriginalDefinition, declared.ContainingType))
            .SelectMany(one => one.Interface.GetMembers(declared.Name).Where(member => SymbolEqualityComparer.Default.Equals(member.OriginalDefinition, declared)).Select(one.Type.FindImplementationForInterfaceMember))
            .OfType<IMethodSymbol>().Select(static method => method.OriginalDefinition)
            // A collection is stored as its elements, and nothing would call it; of a partial one the body is written elsewhere.
            .Where(static method => !(method.IsPartialDefinition && method.PartialImplementationPart is null) && (method.ContainingType.AllInterfaces.All(static one => one.SpecialType != SpecialType.System_Collections_IEnumerable) || Edits.Has(method.ContainingType, "NinoType")))
            .Where(method => method is { MethodKind: MethodKind.Ordinary, IsAsync: false, ContainingType.TypeKind: not TypeKind.Interface } && SymbolEqualityComparer.Default.Equals(method.ContainingAssembly, compilation.Assembly))
            .Distinct<IMethodSymbol>(SymbolEqualityComparer.Default);
}
