using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace Store.Serialization.CodeFixes;

/// <summary>Where something is written in this project.</summary>
/// <param name="Declaration">The member, parameter of a record, or part of a type there.</param>
internal sealed record Declared(Document Document, SyntaxNode Declaration, SemanticModel Model)
{
    /// <summary>Several fields have one declaration, and its attributes.</summary>
    public bool IsShared => Declaration is BaseFieldDeclarationSyntax { Declaration.Variables.Count: > 1 };

    /// <summary>Null where it is not, or where another generator writes it.</summary>
    public static async Task<Declared?> FindAsync(ISymbol symbol, Project project, CancellationToken cancellation)
    {
        foreach (SyntaxReference reference in symbol.OriginalDefinition.DeclaringSyntaxReferences)
        {
            if (Edits.Written(project, reference.SyntaxTree) is not { } document || await document.GetSemanticModelAsync(cancellation).ConfigureAwait(false) is not { } model) continue;
            SyntaxNode declared = await reference.GetSyntaxAsync(cancellation).ConfigureAwait(false);
            // Of a field its name alone.
            return new Declared(document, declared is VariableDeclaratorSyntax ? declared.FirstAncestorOrSelf<BaseFieldDeclarationSyntax>() ?? declared : declared, model);
        }

        return null;
    }
}
